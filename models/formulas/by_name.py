"""Formulas of this package by their names."""

from halfpoint.models.formulas.bradley_terry import HALF_POINTS
from halfpoint.models.formulas.davidson import DAVIDSON
from halfpoint.models.formulas.draw_curve import DRAW_CURVE
from halfpoint.models.formulas.football_index import INDEX, SHOTS
from halfpoint.models.formulas.margin import GOALS, MARGIN_NORMAL, MARGIN_T, POINTS, SETS
from halfpoint.models.formulas.outcome import Outcome
from halfpoint.models.formulas.own_likelihood import LIKELIHOOD
from halfpoint.models.formulas.rao_kupper import RAO_KUPPER

_FORMULAS = (
    HALF_POINTS,
    DAVIDSON,
    DRAW_CURVE,
    INDEX,
    GOALS,
    SHOTS,
    POINTS,
    SETS,
    MARGIN_NORMAL,
    MARGIN_T,
    RAO_KUPPER,
    LIKELIHOOD,
)


def formula_named(name: str) -> Outcome | None:
    """Formula of this package by its name; None for a user's formula."""
    return next((formula for formula in _FORMULAS if formula.name == name), None)
