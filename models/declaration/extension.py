"""Later periods and new players: every variable keeps its known draws, and is otherwise drawn from its own prior.

Walks are continued by their transitions, which a trace records (`laws.Transition`), without PyMC. Everything else is
drawn by the model function's own graph with further periods or players: a random variable from its prior given its
parents under each draw, a sum of variables from its terms.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from halfpoint.models.errors import ModelError
from halfpoint.models.games.table import Floats, Texts
from halfpoint.models.pymc_import import Node, constant_value

if TYPE_CHECKING:
    import pymc as pm
    from pytensor.graph.basic import Apply

    from halfpoint.models.declaration.posterior_reader import Reading

_PLAYER = "player"  # name of the dim


def with_periods(reading: "Reading", missing: int, seed: int) -> dict[str, Floats]:
    """Parameters of a reading with a number of further periods."""
    laws = {name: law for name, law in reading.transitions.items() if law is not None}
    if len(laws) < len(reading.transitions):  # a user's own walk
        return drawn_further(reading, reading.players, missing, seed)
    values = dict(reading.p)
    for number, (name, law) in enumerate(laws.items()):
        values[name] = law.carry_forward(name, values, missing, [seed, number] if number else seed)
    return values


def drawn_further(reading: "Reading", players: Texts, missing: int, seed: int) -> dict[str, Floats]:
    """Parameters with further players and periods, drawn by the function's graph."""
    import pytensor.tensor as pt
    from pymc.distributions.timeseries import AutoRegressiveRV, RandomWalkRV

    from halfpoint.models.reading.model_variables import shape_of, walk_of
    from halfpoint.models.reading.prior_draws import beside_games
    from halfpoint.models.reading.sides import Reader

    first = np.zeros(1, dtype=np.int32)
    rows = reading.today(first, first)  # one game, since functions of no games may fail
    sizes = {name: int(np.shape(value)[-1]) for name, value in reading.p.items() if np.ndim(value) > 1}
    periods = reading.periods + missing
    reader = Reader(
        reading.model, reading.reads, players, reading.coding, first_period=reading.first_period, periods=periods,
        fresh=tuple(map(str, players[reading.players.size :])), **_late(reading, players),
    )  # fmt: skip
    graph = reader.graph(rows, sizes, periods)
    if players.size > reading.players.size:
        _require_own_priors(graph)
    free, draws = set(graph.free_RVs), len(next(iter(reading.p.values())))
    drawn: dict[str, Floats] = {}
    fresh = set[str]()  # latent variables that no trace keeps
    swap: dict[Node, Node] = {}
    observed = beside_games(graph)
    for number, (name, variable) in enumerate(graph.named_vars.items()):
        if variable not in free and variable not in observed and variable not in set(graph.deterministics):
            continue
        shape = shape_of(graph, variable)
        fitted = reading.p.get(name)
        if (
            fitted is not None
            and variable not in free
            and any(a > b for a, b in zip(fitted.shape[1:], shape, strict=False))
        ):
            drawn[name] = fitted  # of the games of the fit, not of players or periods
            continue
        if variable in observed:
            drawn[name] = np.broadcast_to(constant_value(observed[variable]), (draws, *shape))
        elif fitted is not None and fitted.shape[1:] == shape:
            drawn[name] = fitted
        elif fitted is not None and name in reading.days and reader.visits is not None:
            drawn[name] = reading.days[name].further(fitted, drawn, reader.visits_with(rows), [seed, number])
        elif variable not in free and (walk := walk_of(variable)) is not None:
            drawn[name] = _walked(walk, name, fitted, drawn, shape, reading.periods, [seed, number])
        else:
            chance = np.random.default_rng([seed, number]).integers(2**31)
            value = _under_each_draw(variable, swap, drawn, draws, shape, int(chance))
            if fitted is not None:
                value = np.array(value)
                if missing and isinstance(variable.owner.op, RandomWalkRV | AutoRegressiveRV):
                    value = _continued(value, fitted, _share_of(variable, swap, drawn))
                elif name not in fresh and fresh & _behind(variable) and missing:
                    raise ModelError(
                        f"forecast: expected the steps of {name!r} in the trace, found none. Name them without "
                        "_noncentred, and fit again."
                    )
                value[(slice(None), *(slice(0, size) for size in fitted.shape[1:]))] = fitted
            elif variable in free:
                fresh.add(name)
            drawn[name] = value
        swap[variable] = pt.TensorType(variable.dtype, (None,) * (1 + len(shape)))(name=name)
    return {name: drawn[name] for name in reading.p if name in drawn} | {
        name: value for name, value in reading.p.items() if name not in drawn
    }


def _require_own_priors(graph: "pm.Model") -> None:
    """Raise `ModelError` if players have a joint prior: a multivariate distribution, or a Potential."""
    axes = graph.named_vars_to_dims
    several = [
        str(variable.name)
        for variable in graph.free_RVs
        if (last := _together(variable)) and _PLAYER in (axes.get(variable.name) or ())[-last:]
    ]
    of_players = {name for name, dims in axes.items() if _PLAYER in dims}
    terms = [str(term.name) for term in graph.potentials if _behind(term) & of_players]
    if several or terms:
        what = f"the prior of {several[0]} joins all" if several else f"the Potential {terms[0]} joins all"
        raise ModelError(
            f"players: expected players of the trace, found new ones: {what} players, so there is no prior of a "
            "further player. Rate them together with the known players."
        )


def _together(variable: Node) -> int:
    """Number of last axes along which a random variable has one law for all its numbers, periods not counted."""
    from pymc.distributions.timeseries import AutoRegressiveRV, RandomWalkRV

    op = variable.owner.op
    return 0 if isinstance(op, RandomWalkRV | AutoRegressiveRV) else int(getattr(op, "ndim_supp", 0))


def _under_each_draw(
    variable: Node,
    swap: Mapping[Node, Node],
    drawn: Mapping[str, Floats],
    draws: int,
    shape: tuple[int, ...],
    seed: int,
) -> Floats:
    """Values of a variable under each draw of the variables that it depends on, (draw, ...)."""
    import pymc as pm

    from halfpoint.models.pymc_import import interpreted

    about: dict[str, object] = {"mode": interpreted(), "random_seed": seed, "on_unused_input": "ignore"}
    values = [drawn[str(parent.name)].astype(parent.dtype, copy=False) for parent in swap]
    try:
        graph = _at_each_draw(variable, swap, draws, shape)
    except (NotImplementedError, ValueError):  # PyTensor draws no series under several draws at once
        from pytensor.graph.replace import clone_replace

        inputs = {parent: parent.type() for parent in swap}
        function = pm.pytensorf.compile(list(inputs.values()), clone_replace(variable, inputs), **about)
        return np.stack([np.asarray(function(*draw), dtype=np.float64) for draw in zip(*values, strict=True)])
    function = pm.pytensorf.compile(list(swap.values()), graph, **about)
    samples = np.asarray(function(*values), dtype=np.float64)
    if samples.ndim == len(shape) + 1:
        return np.broadcast_to(samples, (draws, *shape))
    return np.stack([np.asarray(function(*values)) for _ in range(draws)])  # parents are numbers: one call for each


def _at_each_draw(variable: Node, swap: Mapping[Node, Node], draws: int, shape: tuple[int, ...]) -> Node:
    """Graph of a variable under each draw of the variables that it depends on."""
    from pytensor.graph.replace import vectorize_graph
    from pytensor.tensor.random.op import RandomVariable

    if not swap:
        return variable
    node = variable.owner
    if not isinstance(node.op, RandomVariable) or node.op.ndim_supp:
        return vectorize_graph(variable, swap)
    # PyTensor looks at the first parameter alone for how many draws there are
    parameters = node.op.dist_params(node)
    vectorized = vectorize_graph(parameters, swap)
    if all(plain.type.ndim == wide.type.ndim for plain, wide in zip(parameters, vectorized, strict=True)):
        return variable
    return node.op.make_node(node.op.rng_param(node), (draws, *shape), *vectorized).outputs[1]


def _behind(variable: Node) -> set[str]:
    """Names of the variables that a variable depends on."""
    from pytensor.graph.traversal import ancestors

    return {str(ancestor.name) for ancestor in ancestors([variable]) if ancestor.name}


def _late(reading: "Reading", players: Texts) -> dict[str, Any]:
    """Facts about the players; further players enter after the last game."""
    facts = dict(reading.facts)
    entered = facts.get("entered")
    added = players.size - reading.players.size
    if entered is not None and added:
        facts["entered"] = np.append(entered, np.full(added, max(reading.periods, 1)))
    return facts


def _walked(
    walk: "Apply",
    name: str,
    fitted: Floats | None,
    drawn: Mapping[str, Floats],
    shape: tuple[int, ...],
    periods: int,
    seed: list[int],
) -> Floats:
    """Walks with further members, constant until the last period of the fit, and further periods."""
    law, rng = walk.op.transition, np.random.default_rng(seed)
    around = drawn[law.level or law.beside]
    members = shape[:-1]
    value = np.empty((len(around), *members, periods))
    have = 0 if fitted is None else fitted.shape[1] if members else 0
    if fitted is not None:
        value[(slice(None), *((slice(0, have),) if members else ()))] = fitted
    if members and have < members[0]:
        new = around[:, have:] if law.level else around[:, have:, :periods]
        if law.beside:
            spread = np.asarray(drawn.get(law.spread, law.known), dtype=np.float64).reshape(-1, 1)
            new = new + (spread * rng.standard_normal(new.shape[:2]))[..., None]
        value[:, have:] = new[..., None] if law.level else new
    if shape[-1] == periods:
        return value
    return np.asarray(law.carry_forward(name, {**drawn, name: value}, shape[-1] - periods, seed))


def _share_of(variable: Node, swap: Mapping[Node, Node], drawn: Mapping[str, Floats]) -> Floats:
    """Share of a period's value that remains in the next, common or (draw, ...); 1 for a random walk."""
    import pytensor
    from pymc.distributions.timeseries import AutoRegressiveRV
    from pytensor.graph.replace import vectorize_graph

    from halfpoint.models.pymc_import import interpreted

    node = variable.owner
    if not isinstance(node.op, AutoRegressiveRV):
        return np.ones(())
    if node.op.ar_order != 1:
        raise ModelError(
            f"forecast: expected {variable.name!r} to be an autoregression of order 1, found order {node.op.ar_order}, "
            "which cannot be forecast past the last period. Forecast games of the periods of the fit."
        )
    rho = vectorize_graph(node.inputs[0], dict(swap)) if swap else node.inputs[0]
    function = pytensor.function(list(swap.values()), rho, mode=interpreted(), on_unused_input="ignore")
    values = (drawn[str(parent.name)].astype(parent.dtype, copy=False) for parent in swap)
    value = np.asarray(function(*values), dtype=np.float64)
    return value[..., 1] if node.op.constant_term else value[..., 0]


def _continued(path: Floats, fitted: Floats, share: Floats) -> Floats:
    """Paths of a random walk or an autoregression of order one, continued from the known values."""
    last = fitted.shape[-1] - 1
    members = tuple(slice(0, size) for size in fitted.shape[1:-1])
    part = (slice(None), *members)
    jump = fitted[..., last] - path[part][..., last]
    if share.ndim:  # of each draw, or of each member
        share = share.reshape(share.shape + (1,) * (jump.ndim - share.ndim)) if len(share) == len(jump) else share
    ahead = np.arange(path.shape[-1] - last)
    path[(*part, slice(last, None))] += jump[..., None] * np.power(share[..., None], ahead)
    return path
