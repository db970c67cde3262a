"""Compiled loops of formulas: written once by `generator`, then loaded without PyTensor."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from halfpoint.inference.loops.written_modules import load_module
from halfpoint.models.formulas import outcome
from halfpoint.models.formulas.by_name import formula_named
from halfpoint.models.formulas.outcome import Outcome


@cache
def _formula_versions() -> str:
    """Hash of the sources of the formulas of this package."""
    sources = sorted(Path(str(outcome.__file__)).parent.glob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()


@cache
def compiled_formula(formula: Outcome, alone: bool = False) -> Any:
    """The compiled loop of a formula, a C function with its address; `alone` leaves lam out.

    It reads the number of rows, the length of a column, a flag for one lam per row, eta, lam and columns of data
    (weights of losses, draws and wins, then margins), fills the derivatives by eta and by lam and returns the value.
    The loop of a formula of this package is found by its name and the hash of its source, without PyTensor; that of
    another formula by its structure.
    """

    def written() -> str:
        from halfpoint.inference.loops.generator import write_formula_loop  # brings PyTensor

        return write_formula_loop(formula, alone)

    if formula_named(formula.name) is formula:
        return load_module(repr((formula.name, alone, _formula_versions())), written).compiled
    from halfpoint.inference.loops.generator import formula_key

    return load_module(formula_key(formula, alone), written).compiled
