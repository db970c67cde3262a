"""Expensive files end within limits; `costly.py` has further files."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("costly.py")
QUICK = ("attributes", "brackets.pgn")


@pytest.mark.slow
def test_no_file_costs_more_than_the_limits():
    done = subprocess.run([sys.executable, "-W", "ignore", SCRIPT], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.further
def test_what_took_minutes_once_is_refused():
    done = subprocess.run([sys.executable, "-W", "ignore", SCRIPT, *QUICK], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert "attributes.nc" in done.stdout
