"""The same posterior through JAX, its cells dealt out over four devices of the host."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from monte_carlo import LIMIT

from halfpoint.inference.errors import InferenceError
from halfpoint.inference.jax_density import load_jax

HERE = Path(__file__).resolve().parent


@pytest.mark.slow
def test_four_devices_give_the_density_and_the_posterior():
    environment = {
        **os.environ,
        "XLA_FLAGS": "--xla_force_host_platform_device_count=4",
        "JAX_PLATFORMS": "cpu",
        "PYTHONPATH": str(HERE),
    }
    command = [sys.executable, "-W", "ignore", str(HERE / "devices.py")]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
    assert ended.returncode == 0, ended.stderr[-2000:]
    found = json.loads(ended.stdout)
    assert found["devices"] == found["settings"]["jax_devices"] == 4
    assert found["worst"] < 1e-10
    assert found["diverging"] == 0
    # 800 draws, worth 200 or more; the approximation's own error is a few hundredths of a standard deviation
    np.testing.assert_allclose(found["z"], 0.0, atol=LIMIT / np.sqrt(200))


def test_a_missing_extra_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "jax", None)
    with pytest.raises(InferenceError, match=r"pip install 'halfpoint\[jax\]'"):
        load_jax()
