"""Every notebook runs and asserts its main result: by day the first on small data, by night all.

The commands and functions of the other notebooks have tests in the fast suite.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).parent.parent.parent / "notebooks" / "run.py"
NUMBERS = tuple(f"{number:02d}" for number in range(1, 17) if number != 9)  # 09 is a backtest of minutes
OF_THE_STUDY = ("02", "03", "05", "07", "08")  # whose text says what its own games give


def run(number, data):
    done = subprocess.run(
        [sys.executable, str(RUN), f"{number}-"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "HALFPOINT_NOTEBOOK_DATA": data},
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert f"({data} data)" in done.stdout
    notebook = next(RUN.parent.glob(f"{number}-*.py"))
    assert "assert " in notebook.read_text(encoding="utf-8").rpartition("# %%")[2]


@pytest.mark.further
@pytest.mark.parametrize("number", ["01", *(pytest.param(one, marks=pytest.mark.slow) for one in NUMBERS[1:])])
def test_on_small_data(number):
    run(number, "small")


@pytest.mark.slow
@pytest.mark.real
@pytest.mark.parametrize("number", OF_THE_STUDY)
def test_on_the_study_s_games(number):
    run(number, "real")


def test_a_word_that_names_no_notebook_is_told():
    done = subprocess.run([sys.executable, str(RUN), "nonsense"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "found nonsense" in done.stderr
