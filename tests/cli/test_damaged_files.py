"""Whatever a file holds, a command answers or refuses in one line, in bounded time and memory, and leaves nothing."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

COMMANDS = Path(__file__).parent / "fuzz_commands.py"


def tally_of(*words):
    finished = subprocess.run(
        [sys.executable, COMMANDS, *map(str, words)],
        capture_output=True,
        text=True,
        env=os.environ | {"OMP_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1"},
    )
    assert finished.returncode == 0, finished.stderr[-4000:]
    return json.loads(finished.stdout)


def test_commands_answer_or_refuse_damaged_files():
    tally = tally_of("--inputs", 4, "--seed", 3, "--kinds", "trace,csv,pgn,proposals")
    assert all(one["refused"] > 0 for one in tally.values())


@pytest.mark.slow
def test_commands_answer_or_refuse_many_damaged_files():
    tally = tally_of("--inputs", 150, "--seed", 4)
    assert all(one["refused"] > 0 for one in tally.values())
