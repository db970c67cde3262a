r"""The games of a model as an observed variable of PyMC: its log density is the custom log-potential of a formula.

    games ~ Games(white, black, lam, ...),    log p = sum over rows of the weighted log likelihood of the results

A row is a game, or all games that agree in everything that the model reads. The observed data are the weights of loss,
draw and win of each row, shape (row, 3), or the margin of each row if a formula has a density of margins. The sides are
inputs of the operator, so that they are found in every graph derived from this one: after `pm.do`, `pm.observe`,
another prior or other data.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pymc as pm
import pytensor.tensor as pt
from pymc.logprob.abstract import _logprob
from pytensor.graph.basic import Apply, Variable
from pytensor.tensor.random.op import RandomVariable

from halfpoint.models.errors import ModelError
from halfpoint.models.games.table import Floats
from halfpoint.models.pymc_import import Node, Operand
from halfpoint.models.reading.layout import GAMES, GAMES_NODE, MARGIN, WEIGHT

if TYPE_CHECKING:
    from halfpoint.models.formulas.outcome import Outcome
    from halfpoint.models.language.games import Games

_WHOLE = 1e-9  # how far a number of games may be from a whole number


class GamesVariable(RandomVariable):  # type: ignore[misc]
    """Operator of observed games: rows from two sides, a draw parameter and further numbers, by a formula."""

    name = GAMES
    dtype = "float64"
    _print_name = ("Games", "\\operatorname{Games}")

    def __init__(
        self, outcome: "Outcome", games: "Games", lam: bool, numbers: tuple[str, ...] = (), inplace: bool = False
    ) -> None:
        self.outcome, self.games, self.has_lam, self.numbers = outcome, games, lam, numbers
        self.margin = outcome.scores is None
        count = 3 + len(numbers)  # white, black, lam, further numbers
        inputs = ",".join(["()"] * (count + 1) + ["(o)"])  # with the number of games of a row, and the outcomes
        super().__init__(signature=f"{inputs}->{'()' if self.margin else '(o)'}", inplace=inplace)

    def _props_dict(self) -> dict[str, object]:
        """Keywords of the constructor, from which graph rewrites rebuild the operator."""
        return {"outcome": self.outcome, "games": self.games, "lam": self.has_lam, "numbers": self.numbers,
                "inplace": self.inplace}  # fmt: skip

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, GamesVariable)
            and (self.outcome, self.has_lam, self.numbers, self.inplace)
            == (other.outcome, other.has_lam, other.numbers, other.inplace)
            and self.games is other.games
        )

    def __hash__(self) -> int:
        return hash((type(self), self.outcome.name, self.has_lam, self.numbers))

    def rng_fn(self, rng: np.random.Generator, white: Floats, black: Floats, lam: Floats, *further: Floats) -> Floats:
        """Simulate games: counts of loss, draw and win of each row, or its margin."""
        *numbers, total, _, _size = further  # PyTensor gives the size last
        outcome = self.outcome.at(dict(zip(self.numbers, numbers, strict=True)))
        if self.margin:
            z = outcome.margin.tails.quantile(rng.random(np.shape(white)))
            return np.asarray(white - black + np.exp(lam) * z)
        counts = np.rint(total)
        if np.abs(counts - total).max(initial=0.0) > _WHOLE:
            raise ModelError(
                "games: results cannot be drawn from a weighted likelihood. Use the same model with equal weights."
            )
        chance = np.exp(outcome.log_probability(white, black, lam if self.has_lam else None))
        if not outcome.draws:
            chance[..., 1] = 0.0
        chance /= chance.sum(axis=-1, keepdims=True)
        return rng.multinomial(counts.astype(np.int64), chance).astype(np.float64)


@_logprob.register(GamesVariable)  # type: ignore[untyped-decorator]
def _log_density(
    op: GamesVariable, values: list[Node], rng: Variable, size: Variable, *inputs: Node, **_: object
) -> Node:
    """The weighted log likelihood of each row, shape (row,)."""
    (value,), (white, black, lam, *further) = values, inputs
    *numbers, total, _outcomes = further
    outcome = op.outcome.at(dict(zip(op.numbers, numbers, strict=True)))
    terms = outcome.terms(white, black, lam if op.has_lam else None, value if op.margin else None)
    weight = [total, 0.0, 0.0] if op.margin else [value[:, k] for k in range(3)]
    return outcome.weigh(terms, weight)


def observe_games(
    outcome: "Outcome",
    games: "Games",
    white: Operand,
    black: Operand,
    lam: Operand | None = None,
    numbers: Mapping[str, Operand] | None = None,
) -> Node:
    """Observe the games of a view in the PyMC model in context, with the formula at graph nodes (row,)."""
    model, further = pm.modelcontext(None), numbers or {}
    if any(isinstance(rv.owner.op, GamesVariable) for rv in model.observed_RVs if rv.owner is not None):
        raise ModelError("games: the model already has a formula of its games. Call one formula only")
    count = len(games.rows)
    weight = pm.Data(WEIGHT, games.weight)
    sides = [_rows(side, count) for side in (white, black)]
    sides.append(pt.zeros((count,)) if lam is None else _rows(lam, count))
    op = GamesVariable(outcome, games, lam is not None, tuple(further))
    games_rv = op(
        *sides, *(_rows(number, count) for number in further.values()), weight.sum(axis=1), np.arange(3.0),
        rng=pt.random.shared_rng(seed=None), return_next_rng=True,
    )[1]  # fmt: skip
    observed = pm.Data(MARGIN, games.margin(outcome.margin)) if op.margin else weight
    return model.register_rv(games_rv, GAMES, observed=observed)


def _rows(value: Operand, count: int) -> Node:
    """Value of each row, shape (row,)."""
    node = pt.as_tensor_variable(np.float64(value) if isinstance(value, int | float) else value)
    if node.ndim > 1:
        raise ModelError(f"games: expected a number or one value for each of {count} rows, found {node.ndim} dims")
    return pt.zeros((count,)) + node if node.ndim == 0 else node


def games_of(model: pm.Model) -> Apply:
    """Node of the `GamesVariable` of a finished model; `ModelError` if absent."""
    for rv in model.observed_RVs:
        if rv.owner is not None and isinstance(rv.owner.op, GamesVariable):
            return rv.owner
    node = getattr(model, GAMES_NODE, None)  # of a likelihood of PyMC's own
    if node is not None:
        return node
    raise ModelError(
        "model: expected a call of davidson, bernoulli, rao_kupper, draw_curve, margin or outcome, found none. "
        "Call one inside `with pm.Model():`."
    )


def sides_of(model: pm.Model) -> tuple[Variable, Variable, Variable | None, list[Variable]]:
    """Graph nodes of the two sides, of lam if the formula has one, and of further numbers, shape (row,) each."""
    node = games_of(model)
    _, _, white, black, lam, *further = node.inputs
    return white, black, lam if node.op.has_lam else None, list(further[: len(node.op.numbers)])
