"""Observed variables that give the results of games, for a likelihood of PyMC's own (`own_likelihoods`)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

MOST = 40  # of a count
LARGEST = 5000  # of a count whose probabilities are summed
KINDS = ("code", "margin", "scores")

type Level = float | tuple[float, ...]  # observed value of a game, or its row of values


@dataclass(frozen=True)
class Responses:
    """Observed variables of a model that give the results of games."""

    kind: str  # one of `KINDS`
    variables: tuple[str, ...]  # names: one, or those of White's and Black's score, which may be rows of one
    levels: tuple[tuple[Level, int], ...] = ()  # value and outcome (0 loss, 1 draw, 2 win) of a code
    most: int = MOST  # largest count that is summed

    @property
    def as_record(self) -> dict[str, object]:
        """Names and numbers, ready for JSON."""
        return {"kind": self.kind, "variables": list(self.variables), "most": self.most,
                "levels": [list(level) for level in self.levels]}  # fmt: skip

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        """Rebuild from a record; `TypeError`, `ValueError` or `KeyError` if the record is not valid."""
        kind, names, most = record["kind"], tuple(map(str, record["variables"])), int(record["most"])
        if kind not in KINDS or len(names) not in ((1, 2) if kind == "scores" else (1,)) or not 0 < most <= LARGEST:
            raise ValueError("invalid observed variables")
        levels = tuple((as_level(value), int(outcome)) for value, outcome in record["levels"])
        if any(outcome not in (0, 1, 2) for _, outcome in levels):
            raise ValueError("an invalid outcome")
        return cls(kind, names, levels, most)


def as_level(value: Any) -> Level:
    """Level of a number, or of a row of numbers."""
    return tuple(map(float, value)) if np.ndim(value) else float(value)
