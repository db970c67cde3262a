r"""From a score without a scale to an expected score: a logistic curve through past forecasts.

    E = 1 / (1 + exp(-(a + b (s_w - s_b))))

s  a network's score;  a, b  by maximum likelihood of the half-point likelihood on the differences that stood BEFORE
each past game, so a network is never judged on games that made it. A weak prior, N(0, 100^2) for a and for b per
standard deviation of the differences, keeps both finite. Bradley-Terry's curve, Pires (2014), eq. 16.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from halfpoint.games.table import Floats
from halfpoint.systems.system import State

STEPS = 50
PRIOR_PRECISION = 1e-4


class Calibration:
    """Past differences and scores, and the curve through them."""

    def __init__(self) -> None:
        self.difference = np.empty(0)
        self.score = np.empty(0)
        self.curve = np.zeros(2)

    def add(self, difference: Floats, score: Floats) -> None:
        """Add games, shape (game,) each, with the differences known before them, and fit the curve anew."""
        self.difference = np.concatenate([self.difference, difference])
        self.score = np.concatenate([self.score, score])
        scale = float(self.difference.std()) or 1.0
        design = np.column_stack([np.ones(self.score.size), self.difference / scale])
        found = np.zeros(2)
        for _ in range(STEPS):
            p = expit(design @ found)
            slope = design.T @ (p - self.score) + PRIOR_PRECISION * found
            information = (design * (p * (1.0 - p))[:, None]).T @ design + PRIOR_PRECISION * np.eye(2)
            step = np.linalg.solve(information, slope)
            found = found - step
            if np.abs(step).max() < 1e-10:
                break
        self.curve = found / np.array([1.0, scale])

    def expected_score(self, difference: Floats) -> Floats:
        """Return White's expected score, shape (game,)."""
        return np.asarray(expit(self.curve[0] + self.curve[1] * difference), dtype=np.float64)

    def state(self) -> State:
        """Return the past and the curve."""
        past: State = {"past_difference": self.difference.copy(), "past_score": self.score.copy()}
        return past | {"curve": self.curve.copy()}

    def load(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        """Take over what `state` returned."""
        self.difference = np.array(state["past_difference"], dtype=np.float64)
        self.score = np.array(state["past_score"], dtype=np.float64)
        self.curve = np.array(state["curve"], dtype=np.float64)
