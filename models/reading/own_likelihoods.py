r"""Likelihoods of PyMC's own as games: which observed variables give the result, and the chance of each result.

    code       an observed number has one result for each of its values          P(k) = e^(log p(value of k))
    margin     the sign of an observed number is the result                       P(draw) = P(-1/2 < y < 1/2)
    scores     the sign of the difference of two observed counts is the result    P(win) = sum_b P(b) P(a > b)

Poisson goals, an ordered logit or censored margins are observed variables with one value a game. The log probabilities
of loss, draw and win become nodes of the same graph, and stand in for sides and draw parameter (`LIKELIHOOD`), so that
forecasts, matches, lists and backtests need nothing else. Counts are summed up to `MOST` or twice the largest count.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from halfpoint.models.errors import ModelError
from halfpoint.models.formulas.own_likelihood import LIKELIHOOD
from halfpoint.models.games.table import Codes, Floats, Integers
from halfpoint.models.language.responses import LARGEST, MOST, Level, Responses, as_level
from halfpoint.models.pymc_import import Node, constant_value, pm, pt
from halfpoint.models.reading.layout import GAMES_NODE, WEIGHT

if TYPE_CHECKING:
    from halfpoint.models.formulas.outcome import Outcome
    from halfpoint.models.language.games import Games

_TINY = 1e-300
_JOINT = 20  # of a score with a density of both scores together, at least
_IMPOSSIBLE = -745.0  # log of the smallest number
_VALUES = "_values"  # ends the name of observed data


def has_formula(model: "pm.Model") -> bool:
    """True if a model has a formula of games, False if its likelihood is PyMC's own."""
    from halfpoint.models.reading.games_variable import GamesVariable

    return any(rv.owner is not None and isinstance(rv.owner.op, GamesVariable) for rv in model.observed_RVs)


def observed_by_game(model: "pm.Model", count: int) -> dict[str, tuple[Node, Floats]]:
    """Observed variables with one value or one row a game, and these values, (game,) or (game, value)."""
    values = ((rv, np.asarray(constant_value(model.rvs_to_values[rv]))) for rv in model.observed_RVs)
    return {str(rv.name): (rv, value) for rv, value in values if value.shape[:1] == (count,) and value.ndim <= 2}


def responses_of(model: "pm.Model", outcome: Codes) -> Responses:
    """Observed variables that give the results of the same games, (game,): 0 loss, 1 draw, 2 win.

    Where few games allow several readings, a code is one whose levels have all of the probability.
    """
    variables = observed_by_game(model, len(outcome))
    readings = list(_readings(variables, outcome))
    code = next((reading for reading in readings if reading.kind == "code"), None)
    others = [reading for reading in readings if reading.kind != "code"]
    if code is not None and (not others or _is_complete(model, code, len(outcome))):
        return code
    if others:
        return others[0]
    if not variables:
        raise ModelError(
            "model: expected games by davidson, bernoulli, rao_kupper, draw_curve, margin or outcome, or an observed "
            f"variable with a value for each of {len(outcome)} games, found none. Observe a column: "
            'pm.Poisson(..., observed=games.observed("goals")).'
        )
    raise ModelError(
        f"model: expected observed variables that give the results of the games, found {', '.join(variables)}, which "
        "do not. Observe a code of loss, draw and win, a margin, or two scores."
    )


def _readings(variables: Mapping[str, tuple[Node, Floats]], outcome: Codes) -> Iterator[Responses]:
    """All readings of observed values that give the results: codes, margins, scores, the likelier first."""
    has_result, values = outcome >= 0, {name: value for name, (_, value) in variables.items()}
    for name, value in values.items():
        levels, level_of_game = np.unique(value[has_result], axis=0, return_inverse=True)
        pairs = sorted({*zip(level_of_game.tolist(), outcome[has_result].tolist(), strict=True)})
        if len(levels) == len(pairs) == len({result for _, result in pairs}) <= 3:
            yield Responses("code", (name,), _with_unseen({result: as_level(levels[level]) for level, result in pairs}))
    most = max([MOST, *(2 * int(np.nanmax(np.abs(value), initial=0.0)) for value in values.values())])
    margins = [name for name in values if np.array_equal(1 + np.sign(values[name][has_result]), outcome[has_result])]
    signed = [name for name in margins if np.nanmin(values[name]) < 0]  # a count of White's has no sign
    yield from (Responses("margin", (name,), most=min(most, LARGEST)) for name in signed)
    for name, value in values.items():
        if value.shape[1:] == (2,) and np.array_equal(1 + np.sign(value @ [1, -1])[has_result], outcome[has_result]):
            joint = variables[name][0].owner.op.ndim_supp  # then each pair of scores is a term
            yield Responses("scores", (name,), most=max(_JOINT, 2 * int(value.max())) if joint else min(most, LARGEST))
    for first, white in values.items():
        for second, black in values.items():
            gap = white - black if white.shape == black.shape == outcome.shape else np.full(outcome.shape, np.nan)
            if first != second and np.array_equal(1 + np.sign(gap)[has_result], outcome[has_result]):
                yield Responses("scores", (first, second), most=min(most, LARGEST))
    yield from (Responses("margin", (name,), most=min(most, LARGEST)) for name in margins if name not in signed)


def _with_unseen(levels: Mapping[int, Level]) -> tuple[tuple[Level, int], ...]:
    """Levels and outcomes of a code, with those of a common code that no game has."""
    for code in (np.arange(3), np.arange(-1, 2), np.eye(3)):
        common = dict(enumerate(map(as_level, code)))
        if len(levels) > 1 and all(common[outcome] == level for outcome, level in levels.items()):
            levels = common
    return tuple((level, outcome) for outcome, level in sorted(levels.items()))


def _is_complete(model: "pm.Model", code: Responses, count: int) -> bool:
    """Whether the probabilities of the levels of a code have the sum 1."""
    from halfpoint.models.reading.model_variables import numbers_at_start

    variables = [model.named_vars[name] for name in code.variables]
    chances = of_parameters(model, variables, lambda copies: _log_chances(copies, code, count))
    return bool(np.allclose(np.exp(numbers_at_start(model, chances)).sum(axis=0), 1.0, atol=1e-6))


def observe_responses(model: "pm.Model", games: "Games", responses: Responses) -> None:
    """Give a model the node of its games: log probabilities of loss, draw and win of each row."""
    from halfpoint.models.reading.games_variable import GamesVariable

    count = len(games.rows)
    variables = {name: model.named_vars[name] for name in responses.variables if name in model.named_vars}
    if len(variables) != len(responses.variables):
        raise ModelError(
            f"model {games.facts.name}: expected the observed {', '.join(responses.variables)}, found none"
        )
    try:
        loss, draw, win = of_parameters(
            model, list(variables.values()), lambda copies: _log_chances(copies, responses, count)
        )
    except NotImplementedError as error:
        raise ModelError(
            f"model {games.facts.name}: the results follow from {responses.variables[0]}, whose distribution has no "
            "logcdf in PyMC. Observe it by pm.CustomDist with logp= and logcdf=."
        ) from error
    op = GamesVariable(LIKELIHOOD, games, True)
    node = op(
        win, loss, draw, pt.ones((count,)), np.arange(3.0), rng=pt.random.shared_rng(seed=None), return_next_rng=True
    )[1]
    setattr(model, GAMES_NODE, node.owner)


def of_parameters(
    model: "pm.Model", variables: Sequence[Node], densities: Callable[[list[Node]], Sequence[Node]]
) -> list[Node]:
    """Densities of random variables as functions of the free variables of a model.

    `pm.logp` may move the random variables among parameters, and then gives densities at other draws than the model's.
    Inputs stand in for them meanwhile.
    """
    from pytensor.graph.replace import clone_replace, graph_replace

    inputs = {rv: rv.type(name=rv.name) for rv in model.free_RVs}
    nodes = densities(clone_replace(list(variables), inputs))
    return list(graph_replace(list(nodes), {value: rv for rv, value in inputs.items()}, strict=False))


def log_densities(model: "pm.Model", values: Mapping[Node, object]) -> list[Node]:
    """Log densities of random variables of a model at values."""

    def at_values(copies: list[Node]) -> list[Node]:
        return [pm.logp(copy, value, warn_rvs=False) for copy, value in zip(copies, values.values(), strict=True)]

    return of_parameters(model, list(values), at_values)


def _log_chances(variables: Sequence[Node], responses: Responses, count: int) -> list[Node]:
    """Log probabilities of loss, draw and win of each row."""
    rv, most = variables[0], responses.most
    if responses.kind == "code":
        logs = [pt.full((count,), _IMPOSSIBLE)] * 3
        for value, outcome in responses.levels:
            level = np.asarray(value, dtype=rv.dtype)
            log = _of_rows(pm.logp(rv, np.broadcast_to(level, (count, *level.shape)), warn_rvs=False))
            logs[outcome] = pt.maximum(log, _IMPOSSIBLE)
        return logs
    if responses.kind == "scores":
        scores = np.arange(most + 1)
        if rv.ndim == 2 and rv.owner.op.ndim_supp:
            pairs = np.stack(np.meshgrid(scores, scores, indexing="ij"), axis=-1).reshape(-1, 2)
            chances, ahead = _counts(rv, pairs, count), np.sign(pairs @ [1, -1])
            parts = [chances[ahead == sign].sum(axis=0) for sign in (-1, 0, 1)]
            return _logs(parts)
        if rv.ndim == 2:
            both = _counts(rv, np.stack([scores, scores], axis=-1), count)
            first, second = both[..., 0], both[..., 1]
        else:
            first, second = (_counts(variable, scores, count) for variable in variables)
        win = (first[1:] * pt.cumsum(second, axis=0)[:-1]).sum(axis=0)
        loss = (second[1:] * pt.cumsum(first, axis=0)[:-1]).sum(axis=0)
        parts = [loss, (first * second).sum(axis=0), win]
    elif rv.dtype.startswith("int"):
        chances = _counts(rv, np.arange(-most, most + 1), count)
        parts = [chances[:most].sum(axis=0), chances[most], chances[most + 1 :].sum(axis=0)]
    else:
        low, high = (pt.exp(pm.logcdf(rv, pt.full((count,), y), warn_rvs=False)) for y in (-0.5, 0.5))
        parts = [low, high - low, 1.0 - high]
    return _logs(parts)


def _logs(parts: Sequence[Node]) -> list[Node]:
    """Log probabilities of parts of a sum, which is less than 1 by the counts that are left out."""
    total = parts[0] + parts[1] + parts[2]
    return [pt.log(pt.maximum(part / total, _TINY)) for part in parts]


def _of_rows(log: Node) -> Node:
    """Log density of each row, (row,): numbers of a row that are independent are summed."""
    return log.sum(axis=1) if log.ndim == 2 else log


def _counts(rv: Node, values: Integers, count: int) -> Node:
    """Probability of each whole number, or of each row of them, (number, row)."""
    from pytensor.graph.replace import vectorize_graph

    value = pt.tensor(dtype=rv.dtype, shape=(count, *values.shape[1:]))
    log = pm.logp(rv, value, warn_rvs=False)
    values_by_row = np.repeat(values[:, None], count, axis=1).astype(rv.dtype)
    return pt.exp(vectorize_graph(log, {value: pt.as_tensor(values_by_row)}))


def observation_of(responses: Responses | None, outcome: "Outcome") -> str:
    """Kind of observation whose density is the likelihood; only models of the same kind are compared."""
    if responses is None:
        return str(outcome.observation)
    return "three outcomes" if responses.kind == "code" else f"observed {', '.join(responses.variables)}"


def own_log_likelihood(model: "pm.Model", count: int, draws: Mapping[str, Floats]) -> Floats:
    """Log density of the observed variables with one value a game, under draws, (draw, row)."""
    from halfpoint.models.reading.under_draws import under_draws

    values = {rv: rv.type.filter(value) for rv, value in observed_by_game(model, count).values()}
    terms = [_of_rows(log) for log in log_densities(model, values)]
    return under_draws([sum(terms[1:], terms[0])], {rv: draws[str(rv.name)] for rv in model.free_RVs})[0]


def weighted_likelihood(model: "pm.Model", weight: Floats) -> "pm.Model":
    """Model whose own likelihood counts each game by a weight, (row, 3); weights and observed values are data."""
    with model:
        row_weight = pm.Data(WEIGHT, weight).sum(axis=1)
        for name, (rv, value) in observed_by_game(model, len(weight)).items():
            model.observed_RVs.remove(rv)
            log = _of_rows(log_densities(model, {rv: pm.Data(name + _VALUES, value)})[0])
            pm.Potential(f"{name}_weighted", row_weight * log)
    return model


def observed_data(model: "pm.Model", weight: Floats) -> dict[str, Floats]:
    """Data of `weighted_likelihood`, from the model of the same function on games with other results."""
    values = {name + _VALUES: value for name, (_, value) in observed_by_game(model, len(weight)).items()}
    return {WEIGHT: weight, **values}
