"""Many lists in one process: memory, open handles, threads and temporary files do not grow."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

CALLS = 40
GROWTH_MB = 0.5  # a call, from the twentieth on: draws of one list take more
SCRIPT = """
import json, sys, tempfile
from pathlib import Path
tempfile.tempdir = sys.argv[1]
from door import calls
import halfpoint as hp
hp.simulate(Path(sys.argv[1], "games.csv"), games=300, players=12)
print(json.dumps(calls(int(sys.argv[2]), Path(sys.argv[1], "games.csv"), say=lambda line: None)))
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="a system without /proc")
def test_nothing_grows(tmp_path):
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[3] / "benchmarks"), "OMP_NUM_THREADS": "1"}
    words = [sys.executable, "-c", SCRIPT, tmp_path, str(CALLS)]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    _, (memory, *counts), *_, (memory_at_end, *counts_at_end) = json.loads(done.stdout)
    assert counts_at_end == counts
    assert memory_at_end - memory < GROWTH_MB * (CALLS - 20)
