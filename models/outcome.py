r"""How two sides and a draw parameter become what happened: the record of an outcome formula.

    scores(white, black, lam) -> (loss, draw, win)      on the log scale, up to a common constant, natural units

Only some outcomes are normalised: a half-point likelihood has no probability of a draw, its draw is half of each. The
formulas stand in `bradley_terry`, `davidson` and `rao_kupper`; a formula of your own is one more record.

Elo. 400 points are odds of 10 to 1 in the expected score E = P(win) + P(draw) / 2, whose slope between equals is 1/4 a
natural unit in Elo's curve. A formula's own slope E' gives its scale: one natural unit of strength is
4 E' (400 / ln 10) Elo points, (400 / ln 10) 2 / (2 + e^lam) in Davidson's.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from halfpoint.games.table import Floats
from halfpoint.games.units import ELO_PER_NATURAL
from halfpoint.models.graphs import is_node, pm, pt, pytensor

Scores = tuple[Any, Any, Any]
STEP = 1e-4


@cache
def evaluated(scores: Callable[[Any, Any, Any], Scores], dims: int, alone: bool) -> Any:
    """Return a formula written for graphs as a function of three arrays of so many dims, lam unused where alone."""
    given = [pt.tensor(dtype="float64", shape=(None,) * dims) for _ in range(3)]
    graphs = scores(given[0], given[1], None if alone else given[2])
    whole = [given[0] * 0.0 + graph for graph in graphs]  # a score that is one number too
    interpreted = pytensor.compile.mode.Mode(linker="py", optimizer=None)  # whole arrays at a time
    return pytensor.function(given, whole, mode=interpreted, on_unused_input="ignore")


@dataclass(frozen=True)
class Outcome:
    """An outcome formula.

    Parameters
    ----------
    name : str
        Name; `models.potentials` has compiled code for the names it knows.
    scores : callable
        (white, black, lam) -> (loss, draw, win), arithmetic on arrays or graph nodes; lam is None without draws.
    over : tuple of int
        Outcomes whose probabilities sum to one.
    information : float
        About the Fisher information of a game about a difference of strengths; sets sampling units only.
    title : str
        What it is, in words.
    margin : halfpoint.models.margin.Distribution, optional
        Where margins are seen and not their sign alone: how they lie around the difference of the sides. The likelihood
        is then their density; chances of loss, draw and win follow from it.
    lam : str
        Name of the parameter of lam.
    """

    name: str
    scores: Callable[[Any, Any, Any], Scores]
    over: tuple[int, ...] = (0, 1, 2)
    information: float = 0.2
    title: str = ""
    margin: Any = None
    lam: str = "log_draw"

    @property
    def draws(self) -> bool:
        """Whether a draw has a probability of its own."""
        return 1 in self.over

    def on_arrays(self, white: Any, black: Any, lam: Any = None) -> Scores:
        """Return the scores at arrays; a formula written for graphs is evaluated as one, operator by operator."""
        found = self.scores(white, black, lam)
        if not any(is_node(score) for score in found):
            return found
        given = np.broadcast_arrays(
            *(np.asarray(one, dtype=np.float64) for one in (white, black, 0.0 if lam is None else lam))
        )
        return tuple(evaluated(self.scores, given[0].ndim, lam is None)(*given))

    def log_probability(self, white: Any, black: Any, lam: Any = None) -> Floats:
        """Return log probabilities, shape (..., row, outcome), from arrays of sides; half points: see the module."""
        stacked = np.stack(np.broadcast_arrays(*self.on_arrays(white, black, lam)), axis=-1)
        chosen = stacked[..., list(self.over)]
        largest = chosen.max(axis=-1, keepdims=True)
        return np.asarray(stacked - largest - np.log(np.exp(chosen - largest).sum(axis=-1, keepdims=True)))

    def expected_score(self, white: Any, black: Any, lam: Any = None) -> Floats:
        """Return White's expected score, shape (..., row)."""
        probability = np.exp(self.log_probability(white, black, lam))
        return np.asarray(probability[..., 2] + (0.5 * probability[..., 1] if self.draws else 0.0))

    def elo_per_natural(self, lam: Any = None) -> Any:
        """Return Elo points per natural unit of strength between equals with draw parameter lam, shape of lam."""
        half = np.full(np.shape(lam) if lam is not None else (), STEP / 2)
        rise = self.expected_score(half, -half, lam) - self.expected_score(-half, half, lam)
        return ELO_PER_NATURAL * 4.0 * rise / (2.0 * STEP)

    def draw_rate(self, lam: Any) -> Any:
        """Return the probability of a draw between equals, shape of lam."""
        nothing = np.zeros(np.shape(lam))
        return np.exp(self.log_probability(nothing, nothing, lam)[..., 1])

    def log_likelihood(self, white: Any, black: Any, lam: Any, margin: Floats | None) -> Floats:
        """Return the log likelihood of each outcome, shape (..., row, outcome); of the margin, whatever its outcome."""
        if self.margin is None or margin is None:
            return self.log_probability(white, black, lam)
        value = self.margin.log_density(white - black, lam, margin)
        return np.broadcast_to(np.asarray(value)[..., None], (*np.shape(value), 3))

    def observe(self, white: Any, black: Any, lam: Any, weight: Floats, margin: Floats | None = None) -> None:
        """Add the weighted log-potential of rows to the model in context, as a graph.

        Parameters
        ----------
        white, black, lam : graph nodes, shape (row,)
            The two sides and the draw parameter.
        weight : array of float, shape (row, outcome)
            Summed weights; they become data, so that they can be swapped.
        margin : array of float, shape (row,), optional
            Margins, which become data too, for a formula of margins.
        """
        if self.margin is not None:
            counted, seen = pm.Data("weight", weight), pm.Data("margin", margin)
            density = self.margin.log_density(white - black, lam, seen, pt)
            pm.Potential("log_likelihood", (counted.sum(axis=1) * density).sum())
            return
        scores, data = self.scores(white, black, lam), pm.Data("weight", weight)
        largest = scores[self.over[0]]
        for outcome in self.over[1:]:
            largest = pt.maximum(largest, scores[outcome])
        largest = pytensor.gradient.disconnected_grad(largest)  # it cancels: not differentiated
        total = largest + pt.log(sum(pt.exp(scores[outcome] - largest) for outcome in self.over))
        pm.Potential("log_likelihood", sum(data[:, k] * (scores[k] - total) for k in range(3)).sum())
