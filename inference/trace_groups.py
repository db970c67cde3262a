"""Further groups of a trace, on demand, for model checking with ArviZ.

    prior                  draws of every parameter before any game, ratings among them    plot_prior_posterior
    posterior_predictive   each game simulated under each draw                             plot_ppc_dist, plot_ppc_pit
    log_prior              log density of each prior that depends on no other parameter    psense_summary
                           and of each potential, which counts as prior

Groups `posterior_predictive` and `log_likelihood` together allow `plot_loo_pit`. The former is drawn from the model's
forecasts, since the likelihood is a potential of the PyMC model, from which PyMC makes no draws. Priors are read from
the PyMC graph, edits included; in a hierarchy the top-level priors are scaled.

Kallioinen, Paananen, Buerkner & Vehtari (2024) Stat. Comput. 34:57, section 2.4, on hierarchies.
"""

import sys
from collections.abc import Mapping, Sequence

import numpy as np
import xarray as xr

from halfpoint.inference.errors import InferenceError
from halfpoint.inference.forecast import forecast
from halfpoint.inference.location import centre_ratings, location_fixed_by
from halfpoint.inference.traces.variable_attributes import with_units
from halfpoint.models.declaration.declared import Declared
from halfpoint.models.declaration.elo_scale import ratings_in_elo
from halfpoint.models.declaration.pointwise import each_game
from halfpoint.models.declaration.posterior_reader import draws_of
from halfpoint.models.games.table import Floats, GameTable
from halfpoint.models.pymc_import import interpreted, pm, pt, pytensor
from halfpoint.models.reading.layout import LATENT
from halfpoint.models.reading.prior_draws import further_terms, prior_of

_GROUPS = ("posterior_predictive", "prior", "log_prior")
_PRIOR_DRAWS = 1000


def require_groups(groups: Sequence[str]) -> None:
    """Raise `InferenceError` if a group is unknown."""
    for name in groups:
        if name not in _GROUPS:
            raise InferenceError(f"groups: expected {' | '.join(_GROUPS)}, found {name!r}")


def pointwise_for(groups: Sequence[str], pointwise_draws: int | None) -> int | None:
    """Number of draws whose likelihood of each game is needed: all draws for scaled priors."""
    return sys.maxsize if "log_prior" in groups else pointwise_draws


def prior_before(declared: Declared, groups: Sequence[str], seed: int) -> xr.Dataset | None:
    """Group `prior`, if requested, made before sampling, so that a fault of it costs no draws."""
    require_groups(groups)
    return prior_draws(declared, seed) if "prior" in groups else None


def with_groups(
    trace: xr.DataTree, declared: Declared, groups: Sequence[str], seed: int = 1, prior: xr.Dataset | None = None
) -> xr.DataTree:
    """Trace with further groups; the prior, from `prior_before`, is made if not given."""
    require_groups(groups)
    datasets: dict[str, xr.Dataset] = {}
    if "posterior_predictive" in groups:
        by_game = each_game(trace)
        step = 1 if by_game is None else _step_between(trace["posterior"].to_dataset()["draw"], by_game["draw"])
        again = posterior_predictive(trace, declared.with_current_data.selection.games, step, seed)
        datasets["posterior_predictive"] = again["posterior_predictive"].to_dataset()
    if "prior" in groups:
        datasets["prior"] = prior_draws(declared, seed) if prior is None else prior
    if "log_prior" in groups:
        datasets["log_prior"] = log_prior(declared, trace["posterior"].to_dataset())
    return trace.assign({name: xr.DataTree(with_units(dataset, name)) for name, dataset in datasets.items()})


def _step_between(draws: xr.DataArray, every_nth: xr.DataArray) -> int:
    """Step from a draw to the next of evenly spaced draws, the first included."""
    return int(draws.size if every_nth.size == 1 else np.flatnonzero(draws.to_numpy() == every_nth.to_numpy()[1])[0])


def posterior_predictive(trace: xr.DataTree, games: GameTable, thin: int = 4, seed: int = 1) -> xr.DataTree:
    """Trace with a group `posterior_predictive`: simulated results of each game under each draw.

    Parameters
    ----------
    trace : xarray.DataTree
        From `halfpoint.inference.sample`.
    games : GameTable
        The games it was sampled on (`Selection.games`), in their order.
    thin : int
        Every n-th draw of a chain.
    seed : int
        Seed of the simulation.

    Returns
    -------
    DataTree
        The trace's groups, and `posterior_predictive` with `score` (chain, draw, game): 0, 1/2 or 1 for the first seat.
        For a model of half points, which has no draws, 0 or 1.

    Raises
    ------
    InferenceError
        If the games differ from the games of the trace.
    """
    observed = trace["observed_data"]["score"].to_numpy()
    if not np.array_equal(observed, games.score):
        raise InferenceError(
            f"{games.source}: expected the {observed.size} games of the trace in their order, found different games "
            f"({len(games)} games). Give the games that the model was declared on, selection.games."
        )
    probability = forecast(trace, games, thin=thin).probability
    chance = np.random.default_rng(seed).random(probability.shape[1:])
    outcome = (chance > probability[0]).astype(np.int8) + (chance > probability[0] + probability[1])
    coords = {name: trace["posterior"][name].to_numpy() for name in ("chain", "draw")}
    coords["draw"] = coords["draw"][::thin]
    dataset = xr.Dataset({"score": (("chain", "draw", "game"), outcome / np.float32(2.0))}, coords=coords)
    return trace.assign({"posterior_predictive": xr.DataTree(dataset)})


def prior_draws(declared: Declared, seed: int, draws: int = _PRIOR_DRAWS) -> xr.Dataset:
    """Draws from the priors of a model's graph, dims chain (1) and draw, with ratings as in a posterior."""
    prior = prior_of(declared.model, draws, seed).expand_dims(chain=[0])
    prior = prior.assign_coords(player=declared.cells.players.astype(object))
    return centre_ratings(
        prior.assign(ratings_in_elo(declared, prior)), declared.selection, location_fixed_by(declared)
    )[0]


def log_prior(declared: Declared, posterior: xr.Dataset) -> xr.Dataset:
    """Log density of each prior without parent parameters, under each draw, dims chain and draw.

    Potentials and observed variables that are no games are terms of the prior, each under its own name.
    """
    from pytensor.graph.traversal import ancestors

    graph = declared.model
    random = set(graph.free_RVs)
    densities: dict[str, object] = {}
    shape = (posterior.sizes["chain"], posterior.sizes["draw"])
    for variable in graph.free_RVs:
        if random & (set(ancestors([variable])) - {variable}):
            continue
        name = str(variable.name)
        if name.endswith(LATENT):  # of a walk or a population, which is not a prior
            continue
        values = _draws_behind(declared, posterior, name)
        value = pt.tensor("value", dtype="float64", shape=(None,) * (1 + variable.ndim))  # all draws at once
        density = pytensor.function([value], pm.logp(variable, value), mode=interpreted())(values)
        densities[name] = (("chain", "draw"), density.reshape(*shape, -1).sum(axis=-1))
    for name, term in further_terms(graph):
        densities[name] = (("chain", "draw"), _under_draws(declared, posterior, term).reshape(shape))
    return xr.Dataset(densities, coords={name: posterior[name].to_numpy() for name in ("chain", "draw")})


def _under_draws(declared: Declared, posterior: xr.Dataset, term: object) -> Floats:
    """A term of the log density under each draw, (draw,)."""
    from pytensor.graph.traversal import ancestors

    from halfpoint.models.reading.under_draws import under_draws

    upstream = set(ancestors([term]))
    variables = [variable for variable in declared.model.free_RVs if variable in upstream]
    draws = {variable: _draws_behind(declared, posterior, str(variable.name)) for variable in variables}
    (value,) = under_draws([pt.sum(term)], draws)
    return np.broadcast_to(value, posterior.sizes["chain"] * posterior.sizes["draw"])


def _draws_behind(declared: Declared, posterior: xr.Dataset, name: str) -> Floats:
    """Draws of a free variable, (draw, ...), also of hidden ones; None if they cannot be computed."""
    from halfpoint.models.reading.transforms import values_behind

    if name in posterior:
        draws = posterior[name].transpose("chain", "draw", ...).to_numpy()
        return draws.reshape(-1, *draws.shape[2:])
    p = draws_of(posterior)
    try:
        values = [values_behind(declared.model, {key: x[k] for key, x in p.items()})[name] for k in range(_count(p))]
    except KeyError as error:
        raise InferenceError(
            f"log_prior: expected draws of {name!r} in the trace, found none. Sample again."
        ) from error
    return np.array(values)


def _count(p: Mapping[str, Floats]) -> int:
    """The number of draws."""
    return len(next(iter(p.values())))
