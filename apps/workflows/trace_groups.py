"""A trace with the groups that ArviZ needs: the log likelihood and a posterior predictive draw of each game."""

import numpy as np
import xarray as xr

from halfpoint.apps.workflows.answers import Trace, trace_from
from halfpoint.apps.workflows.plots import games_kept
from halfpoint.inference.forecast import forecast
from halfpoint.inference.traces.variable_attributes import described_trace
from halfpoint.models.declaration.pointwise import with_each_game
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.ranges import SEED
from halfpoint.models.games.table import GameTable

_VALUES = 20_000_000  # draws times games of each group, at most: 160 MB


def with_predictive(trace: Trace, games: GameTable | None = None, seed: int = 1) -> xr.DataTree:
    """Trace with the log likelihood and `posterior_predictive` of its games, also for normal draws.

    It has the groups of `az.loo`, `az.plot_loo_pit`, `az.plot_ppc_dist` and `az.plot_khat`. With many games the draws
    are thinned, in the posterior as well, so that all groups have the same draws. For weighted games the log likelihood
    is in the group `log_likelihood_by_game`, which `az.loo` does not read (docs/traces.md): `compare` leaves such games
    out. `az.plot_energy` needs draws of NUTS (`method="nuts"`), `az.plot_prior_posterior` the group `prior` (`fit` with
    `groups=("prior",)`).

    Parameters
    ----------
    trace : str, Path or DataTree
        A trace of any model.
    games : GameTable, optional
        Its games, if it lacks columns that its model uses (printed ratings, margins): `selection.games` of `rate`'s
        result.
    seed : int
        Seed of the simulated results.

    Returns
    -------
    DataTree
        The trace; `score` of both new groups has dims chain, draw, game, and is White's score as in `observed_data`.
        For half-point models the simulated results are wins and losses.

    Raises
    ------
    HalfpointError
        If the games are not those of the trace, or it does not contain them and no games are given.

    Examples
    --------
    >>> import arviz as az
    >>> import halfpoint as hp
    >>> tree = hp.with_predictive(hp.rate(hp.load("club"), draws=400, chains=2).trace)
    >>> bool(az.loo(tree).elpd < 0.0)
    True
    """
    SEED.require("seed", seed, GameTableError)
    tree = trace_from(trace)
    table = games_kept(tree, games)
    if len(table) != tree["observed_data"].sizes["game"]:
        expected = f"the {tree['observed_data'].sizes['game']:,} games of the trace"
        raise GameTableError("games", expected, f"{len(table):,}")
    sizes = tree["posterior"].sizes
    thin = -(-sizes["chain"] * sizes["draw"] * len(table) // _VALUES)
    forecasts = forecast(tree, table, thin=thin)
    share = forecasts.probability.cumsum(axis=0) / forecasts.probability.sum(axis=0)
    above = np.random.default_rng(seed).random(share.shape[1:]) >= share[:2]
    dims, thinned = ("chain", "draw", "game"), tree["posterior"].to_dataset().isel(draw=slice(None, None, thin))
    coords = {name: thinned[name] for name in ("chain", "draw")}
    extended = tree.copy()
    for name in ("posterior", "sample_stats"):
        if name in extended.children:
            extended[name] = xr.DataTree(tree[name].to_dataset().isel(draw=slice(None, None, thin)))
    extended = with_each_game(extended, xr.Dataset({"score": (dims, forecasts.log_predictive)}, coords))
    extended["posterior_predictive"] = xr.DataTree(xr.Dataset({"score": (dims, above.sum(axis=0) / 2.0)}, coords))
    return described_trace(extended)
