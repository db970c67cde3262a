"""A model as JSON and back: every row of the catalogue, and formulas of one's own."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from composed import Common, DrawParameter, Model

from halfpoint.models.catalogue import CATALOGUE, EDITIONS, TWELVE, find
from halfpoint.models.errors import ModelError, OwnCodeError
from halfpoint.models.fingerprint import fingerprint
from halfpoint.models.formulas.davidson import DAVIDSON
from halfpoint.models.formulas.outcome import Outcome
from halfpoint.models.record import model_of, record_of

CASES = [(name, edition) for name in CATALOGUE for edition in (EDITIONS if name in TWELVE else ("corrected",))]


def straight(white, black, lam):
    return black, lam + (white + black) / 2, white


def bent(white, black, lam):
    return black, lam + (white + black) / 3, white


@pytest.mark.parametrize(("name", "edition"), CASES)
def test_a_row_comes_back_from_json(name, edition):
    model = find(name, edition)
    assert model_of(json.loads(json.dumps(record_of(model)))) == model


def test_a_formula_of_ones_own_is_given_again_and_is_the_same():
    outcome = Outcome("straight", straight)
    record = json.loads(json.dumps(record_of(Model("own", outcome))))
    assert record["outcome"]["source"].endswith("test_record:straight")
    assert model_of(record, [outcome]) == Model("own", outcome)
    with pytest.raises(ModelError, match=r"expected 'straight' of .*test_record:straight, found none"):
        model_of(record)
    with pytest.raises(ModelError, match="found another one"):
        model_of(record, [Outcome("straight", bent)])


TEMPLATE = Path(__file__).parents[2] / "docs" / "extending" / "own_model.py"
CELLS = """
from pathlib import Path
from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance()
text = Path({file!r}).read_text()
again = "from halfpoint.models.record import model_of, record_of; record = record_of(fewer)"
for cell in (text, again, text, "import json; print(json.dumps([record, model_of(record) == fewer]))"):
    shell.run_cell(cell, store_history=True).raise_error()
"""


@dataclass(frozen=True)
class Twice(Common):
    times: float = 2.0
    words: tuple[str, ...] = ("any", "word", "at all")
    asked: bool = True

    def at(self, p, rows):
        return self.times * super().at(p, rows)[0], 0.0


def test_a_part_of_ones_own_is_found_where_it_is_loaded():
    model = Model("own", DAVIDSON, advantage=Twice(times=1.5), draws=DrawParameter())
    record = json.loads(json.dumps(record_of(model)))
    assert record["advantage"]["part"]["source"].endswith("test_record:Twice")
    assert model_of(record) == model
    record["advantage"]["part"]["sha256"] = "0" * 64
    with pytest.raises(OwnCodeError, match=r"expected 'Twice' of .*test_record:Twice as it was at the fit, found anot"):
        model_of(record)
    record["advantage"]["part"] |= {"name": "system", "source": "os:system\n"}
    with pytest.raises(OwnCodeError, match=r"expected 'system' of os:system\\n, found none. Give it again: --model FI"):
        model_of(record)


def test_a_class_that_is_no_part_is_never_made_whatever_its_hash():
    """A record may name a class that is loaded, with the hash of its source, which anybody can compute."""
    record = record_of(Model("own", DAVIDSON, draws=DrawParameter()))
    of_python = {"name": "Popen", "source": "subprocess:Popen", "sha256": fingerprint(subprocess.Popen)}
    record["advantage"] = {"part": of_python, "args": ["true"]}
    with pytest.raises(OwnCodeError, match=r"expected 'Popen' of subprocess:Popen, found none"):
        model_of(record)


def test_parts_of_a_notebook_are_those_of_the_same_cells_and_of_a_file():
    done = subprocess.run(
        [sys.executable, "-c", CELLS.format(file=str(TEMPLATE))], capture_output=True, text=True, check=True
    )
    record, again = json.loads(done.stdout)
    assert again, "cells that ran twice"
    assert record["advantage"]["part"]["source"] == "__main__:SkewedSplit"
    model = find(f"{TEMPLATE}:fewer")
    assert model_of(record) == model
    assert record["parameters"] == {"tie_slope": [0.0, 0.5]}
    assert "parameters" not in record_of(find("davidson"))


@pytest.mark.parametrize("damage", [{}, {"outcome": 3}, {"outcome": {"name": "davidson"}, "strength": {"part": "Os"}}])
def test_what_is_no_record_is_one_line(damage):
    with pytest.raises(ModelError) as error:
        model_of(damage)
    assert "\n" not in str(error.value)
