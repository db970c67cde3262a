"""The hash of somebody's own code: the same wherever its source is, another where anything that it uses is another."""

import subprocess
import sys

import pytest
from composed import DrawParameter, Model, Population

from halfpoint.models.own_file import load
from halfpoint.models.record import record_of

SOURCE = """
from __future__ import annotations
from dataclasses import dataclass
from functools import partial
import numpy as np
from halfpoint.models import Outcome
from halfpoint.models.parts.part import Advantage

POWER, UNUSED = 1.5, 3.0
SHARES = np.array([0.5, 0.5])


def bend(gap):
    return gap * POWER


def scores(white, black, lam):
    return black, lam + bend(white + black) / 3, white


class Half:
    kind = "common"

    @property
    def share(self):
        return 1.0


@dataclass(frozen=True)
class Split(Half, Advantage):
    prior: tuple[float, float] = (0.0, 0.5)

    def blocks(self, site):
        return []

    def at(self, p, rows):
        return SHARES[0] * self.share, SHARES[1]


mine = Model("mine", Outcome("bent", scores), Population(), Split(), DrawParameter())
"""
EDITS = {
    "a helper of the formula": ("gap * POWER", "gap / POWER", "outcome"),
    "a constant of that helper": ("POWER, UNUSED = 1.5", "POWER, UNUSED = 1.6", "outcome"),
    "the formula itself": ("/ 3", "/ 4", "outcome"),
    "a method of the part": ("self.share, SHARES[1]", "self.share, SHARES[0]", "advantage"),
    "an array that it reads": ("[0.5, 0.5]", "[0.4, 0.6]", "advantage"),
    "a property of its base": ("return 1.0", "return 0.9", "advantage"),
    "a word of its base": ('"common"', '"player"', "advantage"),
    "a field more": ("(0.0, 0.5)", "(0.0, 0.5)\n    more: float = 1.0", "advantage"),
    "nothing that either uses": ("UNUSED = 1.5, 3.0", "UNUSED = 1.5, 4.0", ""),
    "another default of a field": ("(0.0, 0.5)", "(0.0, 0.6)", ""),
}


def marks(tmp_path, text):
    """The hashes of the formula and of the part of a file."""
    file = tmp_path / f"file{len(list(tmp_path.iterdir()))}.py"
    file.write_text(text, encoding="utf-8")
    record = record_of(load(f"{file}:mine"))
    return {"outcome": record["outcome"]["sha256"], "advantage": record["advantage"]["part"]["sha256"]}


@pytest.mark.parametrize("what", EDITS)
def test_another_source_is_another_hash_of_what_uses_it(tmp_path, what):
    before, after, changed = EDITS[what]
    one, other = marks(tmp_path, SOURCE), marks(tmp_path, SOURCE.replace(before, after))
    assert {name for name in one if one[name] != other[name]} == ({changed} if changed else set())


def test_other_processes_and_the_script_itself_have_the_same_hash(tmp_path):
    told = "\nfrom halfpoint.models.record import record_of\nprint(record_of(mine)['advantage']['part']['sha256'])\n"
    (tmp_path / "script.py").write_text(SOURCE + told, encoding="utf-8")
    done = subprocess.run([sys.executable, tmp_path / "script.py"], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == marks(tmp_path, SOURCE)["advantage"]
