"""Matrices of walks, and the law of a walk by the names of its parts: without PyMC."""

import numpy as np

from halfpoint.models.errors import ModelError
from halfpoint.models.games.table import Floats, Integers
from halfpoint.models.language.laws import Transition
from halfpoint.models.pymc_import import Node


def name_of(node: Node, what: str) -> str:
    """The name of a variable; `ModelError` if absent."""
    if not getattr(node, "name", None):
        raise ModelError(f"walks: expected {what} with a name in the model, found an expression without a name")
    return str(node.name)


def law_of_walks(
    level: object, spread: Node | float, begins: Integers | None = None, pace: object = None
) -> Transition:
    """Law of walks around levels, from named nodes; a spread may be a number."""
    learned = not isinstance(spread, int | float | np.floating)
    return Transition(
        name_of(spread, "a spread") if learned else "",
        None if learned else float(spread),
        level=name_of(level, "a level"),
        begins=begins,
        pace="" if pace is None else name_of(pace, "a pace"),
    )


def ar1_matrix(periods: int, share: float) -> Floats:
    """The matrix from independent normal numbers to autoregressive ones of spread 1, shape (period, period)."""
    lag = np.abs(np.subtract.outer(np.arange(periods), np.arange(periods)))
    return np.asarray(np.linalg.cholesky(share**lag).T)


def waves(periods: int) -> Floats:
    """The matrix from independent normal numbers to mean-removed walks, slow waves first, (step, period)."""
    left, singular, _ = np.linalg.svd(in_turn(periods).T, full_matrices=False)
    return np.asarray((left * singular).T)


def in_turn(periods: int) -> Floats:
    """Matrix from the steps of a walk to the mean-removed walk, (step, period)."""
    if periods < 2:
        raise ModelError(
            f"strengths that walk: expected games of at least two months or periods, found {periods}. Use a model of "
            "constant strengths."
        )
    steps = np.tril(np.ones((periods, periods)), -1)[:, :-1]
    return np.asarray((steps - steps.mean(axis=0)).T)
