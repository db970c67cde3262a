"""Hash of user code: independent of the place of its source, different for any change of the code that it uses."""

import sys

import pytest

from halfpoint.models.declaration.fingerprint import fingerprint
from halfpoint.models.declaration.own_file import load
from halfpoint.models.declaration.record import record_of

SOURCE = """
from __future__ import annotations
import numpy as np
import pandas as pd
import pymc as pm
from halfpoint.models import outcome

AGES = pd.DataFrame({"age": [20, 30]}, index=["Ann", "Bo"])
HOME = pd.Series({"Ann": 1.0, "Bo": 0.0})
POWER, UNUSED = 1.5, 3.0
SHARES = np.array([0.5, 0.5])


def bend(gap):
    return gap * POWER


def scores(white, black, lam):
    return black, lam + bend(white + black) / 3, white


class Half:
    @property
    def share(self):
        return 1.0


class Split(Half):
    word = "common"

    def of(self, advantage):
        return SHARES[0] * self.share * advantage


def mine(games, prior=(0.0, 0.5)):
    with pm.Model(coords=games.coords) as model:
        strength = pm.Normal("strength", 0.0, 1.0, dims="player")
        gain = Split().of(pm.Normal("advantage", *prior)) + HOME.mean() * AGES["age"].mean()
        outcome(games, scores, games.white(strength) + gain, games.black(strength), pm.Normal("log_draw", 0.0, 1.0))
    return model
"""
EDITS = {
    "a helper of the formula": ("gap * POWER", "gap / POWER", True),
    "a constant of that helper": ("POWER, UNUSED = 1.5", "POWER, UNUSED = 1.6", True),
    "the formula itself": ("/ 3", "/ 4", True),
    "a method of a class": ("self.share * advantage", "self.share + advantage", True),
    "an array that it reads": ("[0.5, 0.5]", "[0.4, 0.6]", True),
    "a number of a table": ("[20, 30]", "[20, 31]", True),
    "a label of a table": ('index=["Ann", "Bo"]', 'index=["Ann", "Cy"]', True),
    "a label of a series": ('{"Ann": 1.0, "Bo": 0.0}', '{"Bo": 1.0, "Ann": 0.0}', True),
    "a property of its base": ("return 1.0", "return 0.9", True),
    "a word of the class": ('"common"', '"player"', True),
    "a default of the function": ("(0.0, 0.5)", "(0.0, 0.6)", True),
    "nothing that it uses": ("UNUSED = 1.5, 3.0", "UNUSED = 1.5, 4.0", False),
}


def mark(tmp_path, text):
    """Hash of the function of a file."""
    file = tmp_path / f"file{len(list(tmp_path.iterdir()))}.py"
    file.write_text(text, encoding="utf-8")
    return record_of(load(f"{file}:mine"))["function"]["sha256"]


@pytest.mark.parametrize("what", EDITS)
def test_another_source_is_another_hash_of_what_uses_it(tmp_path, what):
    before, after, changes = EDITS[what]
    assert before in SOURCE
    assert (mark(tmp_path, SOURCE) != mark(tmp_path, SOURCE.replace(before, after))) == changes


def test_other_processes_and_the_script_itself_have_the_same_hash(tmp_path, zygote):
    told = "\nfrom halfpoint.models.language.model import as_model\n"
    told += "from halfpoint.models.declaration.record import record_of\n"
    told += "print(record_of(as_model(mine))['function']['sha256'])\n"
    (tmp_path / "script.py").write_text(SOURCE + told, encoding="utf-8")
    script = f"import runpy; runpy.run_path({str(tmp_path / 'script.py')!r}, run_name='__main__')"
    code, printed, errors, _ = zygote.run([], tmp_path, program=script)
    assert code == 0, errors
    assert printed.strip() == mark(tmp_path, SOURCE)


def test_a_function_without_a_module_has_a_hash():
    found: dict = {}
    exec(compile("def mine(games):\n    return games.coords", "console", "exec"), found)
    exec(compile("def mine(games):\n    return games.weight", "console", "exec"), other := {})
    assert found["mine"].__module__ is None or found["mine"].__module__ == "builtins"
    assert fingerprint(found["mine"]) != fingerprint(other["mine"])


BESIDE = """
SPREAD, OTHER = 1.0, 2.0

def strength(pm):
    return pm.Normal("strength", 0.0, SPREAD, dims="player")

def unused():
    return OTHER
"""
IMPORTS = {
    "from {} import strength": "strength(pm)",
    "import {} as pieces": "pieces.strength(pm)",
}


@pytest.mark.parametrize("line", IMPORTS)
@pytest.mark.parametrize(("before", "after", "changes"), [("SPREAD, OTHER = 1.0", "SPREAD, OTHER = 1.5", True),
                                                          ("= 1.0, 2.0", "= 1.0, 2.5", False)])  # fmt: skip
def test_a_module_beside_the_file_is_imported_and_hashed(tmp_path, monkeypatch, line, before, after, changes):
    monkeypatch.setattr(sys, "path", list(sys.path))
    marks = []
    for folder, text in (("one", BESIDE), ("two", BESIDE.replace(before, after))):
        name = f"pieces_of_{folder}_{tmp_path.name}"
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"{name}.py").write_text(text, encoding="utf-8")
        source = f"import pymc as pm\n{line.format(name)}\ndef mine(games):\n    return {IMPORTS[line]}\n"
        (tmp_path / folder / "file.py").write_text(source, encoding="utf-8")
        marks.append(record_of(load(f"{tmp_path / folder / 'file.py'}:mine"))["function"]["sha256"])
        monkeypatch.delitem(sys.modules, name)
    assert (marks[0] != marks[1]) == changes
