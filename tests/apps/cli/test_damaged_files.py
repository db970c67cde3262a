"""Commands on damaged files: an answer or one line, in bounded time and memory, without leftover files."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from few_cases import few

sys.path.insert(0, str(Path(__file__).parent))
from fuzz_commands import sound_codes

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


@pytest.mark.further
@pytest.mark.parametrize("kind", few(["trace", "csv"], 1))
def test_commands_answer_or_refuse_damaged_files(kind):
    tally = tally_of("--inputs", 1, "--seed", 3, "--kinds", kind)
    assert all(one["refused"] > 0 for one in tally.values())


@pytest.mark.slow
def test_commands_answer_or_refuse_many_damaged_files():
    tally = tally_of("--inputs", 5, "--seed", 4)  # make fuzz: 150, another seed each night
    assert all(one["refused"] > 0 for one in tally.values())


@pytest.mark.further
def test_undamaged_files_are_answered():
    codes = sound_codes()
    assert {kind: code[1] for kind, code in codes.items() if len(code) == 2} == dict.fromkeys(
        ("csv", "study", "pgn", "parquet", "pgn.gz", "pgn.bz2", "pgn.zst", "pgn.zip"), 0
    )
    assert codes["proposals"][2] == 0
