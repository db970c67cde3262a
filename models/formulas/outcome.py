r"""Outcome formulas: probabilities of loss, draw and win from two sides and a draw parameter.

    scores(white, black, lam, ...) -> (loss, draw, win)     on the log scale, up to a common constant, natural units

    log f = sum_k weight_k log P_k,     log P_k = s_k - log sum_j e^(s_j),     j the outcomes that sum to one

Only some outcomes are normalised: a half-point likelihood has no probability of a draw, which counts as half a loss and
half a win; scores that are log probabilities need no normalising (`over=()`). The formulas are in `bradley_terry`,
`davidson` and `rao_kupper`; a user's formula is one more record. Its signature lists its inputs: the sides, the draw
parameter, named lam or as the parameter (log_draw), and further numbers by the names of their priors in the row
(`Model.parameters`). `terms` and `weigh` are the whole contribution of games to a density: the PyMC graph and compiled
code (`inference.loops.generator`) both use them.

Elo. 400 points are odds of 10 to 1 in the expected score E = P(win) + P(draw) / 2, whose slope between equals is 1/4
per natural unit in Elo's curve. A formula's own slope E' gives its scale: one natural unit of strength is
4 E' (400 / ln 10) Elo points, (400 / ln 10) 2 / (2 + e^lam) in Davidson's formula.
"""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from types import ModuleType
from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt

from halfpoint.models.errors import ModelError
from halfpoint.models.games.table import Floats
from halfpoint.models.games.units import ELO_PER_NATURAL
from halfpoint.models.pymc_import import Node, interpreted, is_node, pt, pytensor
from halfpoint.models.rows.rows import Parameters, Values

Scores = tuple[Values, Values, Values]
Arrays = tuple[Floats, Floats, Floats]
_STEP = 1e-4
_EQUAL_SHARES = "level_cancels"  # attribute of scores
_LONGEST = 60  # characters of a score that is printed


def level_cancels[F: Callable[..., Any]](scores: F) -> F:
    """Mark scores that all contain the mean of the sides with factor 1, which normalising takes out."""
    setattr(scores, _EQUAL_SHARES, True)
    return scores


@cache
def _evaluate_formula(outcome: "Outcome", dims: int, alone: bool) -> "pytensor.compile.Function":
    """Turn a formula written for graphs into a function of arrays; `alone` leaves lam out."""
    tensors = [pt.tensor(dtype="float64", shape=(None,) * dims) for _ in range(3 + len(outcome.further))]
    numbers = dict(zip(outcome.further, tensors[3:], strict=True))
    graphs = outcome.at(numbers).apply(tensors[0], tensors[1], None if alone else tensors[2])
    full = [tensors[0] * 0.0 + graph for graph in graphs]  # a score that is one number too
    return pytensor.function(tensors, full, mode=interpreted(), on_unused_input="ignore")


def _log_shares[V: Values](scores: tuple[V, V, V], over: tuple[int, ...]) -> tuple[V, V, V]:
    """Log probabilities: scores less the log of the sum over normalised outcomes; arrays or graph nodes."""
    if not over:
        return scores
    graph = any(is_node(score) for score in scores)
    lib: ModuleType = pt if graph else np
    largest = scores[over[0]]
    for outcome in over[1:]:
        largest = lib.maximum(largest, scores[outcome])
    if graph:  # it cancels, so has no gradient
        largest = pytensor.gradient.disconnected_grad(pt.as_tensor_variable(largest))
    total = lib.log(sum(lib.exp(scores[outcome] - largest) for outcome in over))
    return scores[0] - largest - total, scores[1] - largest - total, scores[2] - largest - total


@cache
def formula_inputs(scores: Callable[..., Scores], lam: str) -> tuple[str, ...]:
    """Names of the inputs of a formula other than the sides; inputs with a default are excluded, lam is not."""
    parameters = list(inspect.signature(scores).parameters.values())[2:]
    return tuple(
        parameter.name
        for parameter in parameters
        if parameter.default is parameter.empty or parameter.name in ("lam", lam)
    )


@dataclass(frozen=True)
class Outcome:
    """An outcome formula."""

    name: str
    #: (white, black, lam, ...) -> (loss, draw, win), arithmetic on arrays or graph nodes, lam None without draws; none
    #: of margins, whose distribution says how likely each is
    scores: Callable[..., Scores] | None = None
    #: outcomes whose probabilities sum to one; none where scores are log probabilities already
    over: tuple[int, ...] = (0, 1, 2)
    #: about the Fisher information of a game about a difference of strengths; sets sampling units only
    information: float = 0.2
    title: str = ""  #: description, in words
    #: if margins are seen and not their sign alone: their distribution around the difference of the sides
    #: (`halfpoint.models.formulas.margin.Distribution`); the likelihood is then their density, from which chances
    # follow
    margin: Any = None
    lam: str = "log_draw"  #: name of the parameter of lam
    #: further numbers that it reads, by name, as `at` gives them: arrays of draws or graph nodes
    numbers: Parameters = field(default_factory=dict, compare=False, repr=False)

    @property
    def further(self) -> tuple[str, ...]:
        """Names of the further inputs of the formula, besides the sides and lam."""
        names = () if self.scores is None else formula_inputs(self.scores, self.lam)
        return tuple(name for name in names if name not in ("lam", "_", self.lam))

    def at(self, numbers: Any) -> "Outcome":
        """Formula at further numbers by name; other names are ignored."""
        return replace(self, numbers={name: numbers[name] for name in self.further}) if self.further else self

    def apply(self, white: Values, black: Values, lam: Values | None) -> Scores:
        """The scores of sides and lam, at the numbers given."""
        assert self.scores is not None
        names, further = formula_inputs(self.scores, self.lam), self.further
        return self.scores(white, black, **{name: self.numbers[name] if name in further else lam for name in names})

    def __post_init__(self) -> None:
        if (self.scores is None) == (self.margin is None):
            fault = "neither" if self.scores is None else "both"
            raise ModelError(f"outcome {self.name}: expected scores, or a distribution of margins, found {fault}")

    @property
    def formula(self) -> Callable[..., object]:
        """Formula of the likelihood: the scores, or the density of margins."""
        return self.margin.kernel if self.scores is None else self.scores

    @property
    def draws(self) -> bool:
        """True if a draw has a probability of its own."""
        return bool(self.margin.half > 0.0) if self.margin is not None else not self.over or 1 in self.over

    @property
    def observation(self) -> Literal["half points", "three outcomes", "margins"]:
        """Kind of observation whose density is the likelihood."""
        if self.margin is not None:
            return "margins"
        return "three outcomes" if self.draws else "half points"

    def on_arrays(self, white: Values, black: Values, lam: Values | None = None) -> Arrays:
        """The scores at arrays; a formula written for graphs is evaluated as one, operator by operator."""
        if self.scores is None:
            return tuple(self.margin.scores(white, black, lam))
        scores = self.apply(white, black, lam)
        if not any(is_node(score) for score in scores):
            return cast(Arrays, scores)
        inputs = (white, black, 0.0 if lam is None else lam, *(self.numbers[name] for name in self.further))
        arrays = np.broadcast_arrays(*(np.asarray(number, dtype=np.float64) for number in inputs))
        return tuple(_evaluate_formula(replace(self, numbers={}), arrays[0].ndim, lam is None)(*arrays))

    def written(self, alone: bool) -> str:
        """Formula as text, W and B the two sides; empty if it is long."""
        if self.scores is None:
            return ""
        white, black, lam = (pt.dscalar(name) for name in ("W", "B", "lam"))
        formula = self.at({name: pt.dscalar(name) for name in self.further})
        texts = [pytensor.printing.pprint(score) for score in formula.apply(white, black, None if alone else lam)]
        if max(map(len, texts)) > _LONGEST:
            return ""
        names, powers = ("P(loss)", "P(draw)", "P(win)"), [f"e^{text}" for text in texts]
        ratio = [" : ".join(part[k] for k in self.over or (0, 1, 2)) for part in (names, powers)]
        counted = [f"{names[k]} counts {powers[k]}" for k in range(3) if self.over and k not in self.over]
        return ", ".join([" = ".join(ratio), *counted])

    def log_probability(self, white: Values, black: Values, lam: Values | None = None) -> Floats:
        """Log probabilities, shape (..., row, outcome), from arrays of sides; half points: see the module."""
        scores = _log_shares(self.on_arrays(white, black, lam), self.over)
        return np.stack(np.broadcast_arrays(*scores), axis=-1)

    def probability(self, white: Values, black: Values, lam: Values | None = None) -> npt.NDArray[np.floating]:
        """Probabilities, shape (..., row, outcome, draw), from arrays (..., row, draw), in their precision.

        A draw of half points has a probability of 0.
        """
        scores = np.broadcast_arrays(*self.on_arrays(white, black, lam))
        kind = np.result_type(*scores)
        shares = np.empty((*scores[0].shape[:-1], 3, scores[0].shape[-1]), kind)
        largest = np.maximum.reduce([scores[k] for k in self.over]) if self.over else kind.type(0.0)
        for k, score in enumerate(scores):
            np.exp(np.subtract(score, largest, out=shares[..., k, :]), out=shares[..., k, :])
        if self.over:
            shares /= np.add.reduce([shares[..., k, :] for k in self.over])[..., None, :]
        if not self.draws:
            shares[..., 1, :] = 0.0
        return shares

    def expected_score(self, white: Values, black: Values, lam: Values | None = None) -> Floats:
        """White's expected score, shape (..., row)."""
        probability = np.exp(self.log_probability(white, black, lam))
        return np.asarray(probability[..., 2] + (0.5 * probability[..., 1] if self.draws else 0.0))

    def elo_per_natural(self, lam: Floats | None = None, level: float | Floats = 0.0) -> Floats:
        """Elo points per natural unit of strength between equals with draw parameter lam, shape of lam.

        `level` is the strength of both equals, natural units, for formulas that depend on it (`sees_level`).
        """
        half = np.full(np.shape(level if lam is None else lam), _STEP / 2)
        above, below = level + half, level - half
        rise = self.expected_score(above, below, lam) - self.expected_score(below, above, lam)
        return ELO_PER_NATURAL * 4.0 * rise / (2.0 * _STEP)

    def draw_rate(self, lam: Floats, level: float | Floats = 0.0) -> Floats:
        """The probability of a draw between equals, shape of lam; level as in `elo_per_natural`."""
        side = level + np.zeros(np.shape(lam))
        return np.exp(self.log_probability(side, side, lam)[..., 1])

    @property
    def sees_level(self) -> bool:
        """True if the formula depends on more than the difference of the two sides, by its structure."""
        if self.scores is None or (self.over and getattr(self.scores, _EQUAL_SHARES, False)):
            return False  # without PyTensor: a density of the difference, or scores whose shares cancel
        from halfpoint.models.formulas.linear_form import sees_level  # brings PyTensor

        return sees_level(self)

    def log_likelihood(self, white: Values, black: Values, lam: Values | None, margin: Floats | None) -> Floats:
        """The log likelihood of each outcome, shape (..., row, outcome); of the margin, whatever its outcome."""
        if self.scores is not None or margin is None:
            return self.log_probability(white, black, lam)
        value = self.margin.log_density(white - black, lam, margin)
        return np.broadcast_to(np.asarray(value)[..., None], (*np.shape(value), 3))

    def terms(self, white: Values, black: Values, lam: Values | None, margin: Node | None) -> Scores | Node:
        """Scores as graph nodes, shape (row,); for margins their log density."""
        if self.scores is None:
            return self.margin.log_density(white - black, lam, margin, pt)
        return self.apply(white, black, lam)

    def weigh(self, terms: Scores | Node, weight: Sequence[Node]) -> Node:
        """The weighted log-potential of rows from `terms` and the weights of loss, draw and win, (row,) each."""
        if self.scores is None:
            return (weight[0] + weight[1] + weight[2]) * terms
        lost, drawn, won = _log_shares(terms, self.over)
        return weight[0] * lost + weight[1] * drawn + weight[2] * won
