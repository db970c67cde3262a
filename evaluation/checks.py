"""Forecasts and outcomes, checked once before they are scored."""

import numpy as np
import numpy.typing as npt

from halfpoint.evaluation.errors import EvaluationError

Floats = npt.NDArray[np.float64]
Outcomes = npt.NDArray[np.int64]


def check_probability(probability: npt.ArrayLike, outcome: npt.ArrayLike) -> tuple[Floats, Outcomes]:
    """Return a three-outcome forecast and the outcomes as arrays; probability (game, outcome), outcome (game,)."""
    p = np.asarray(probability, dtype=np.float64)
    o = np.asarray(outcome)
    if p.ndim != 2 or p.shape[1] != 3 or o.shape != p.shape[:1]:
        raise EvaluationError(
            "forecast", "probability (game, 3) and outcome (game,)", f"shapes {p.shape} and {o.shape}"
        )
    if not np.all(np.isfinite(p)) or p.min(initial=0.0) < 0 or np.any(np.abs(p.sum(axis=1) - 1) > 1e-6):
        raise EvaluationError("forecast", "three probabilities that sum to 1 in every game", "others")
    if not np.all(np.isin(o, (0, 1, 2))):
        raise EvaluationError("outcome", "0 loss, 1 draw or 2 win", repr(o[~np.isin(o, (0, 1, 2))][0].item()))
    return p, o.astype(np.int64)


def check_expected(expected: npt.ArrayLike, score: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Return expected and observed scores as arrays, shape (game,)."""
    e, y = np.asarray(expected, dtype=np.float64), np.asarray(score, dtype=np.float64)
    if e.ndim != 1 or e.shape != y.shape:
        raise EvaluationError("forecast", "expected and observed score of shape (game,)", f"{e.shape} and {y.shape}")
    for name, value in (("expected score", e), ("observed score", y)):
        outside = ~((value >= 0) & (value <= 1))
        if outside.any():
            raise EvaluationError(name, "values from 0 to 1", repr(value[outside][0].item()))
    return e, y
