"""The log likelihood of each game of a trace, for leave-one-out and ArviZ.

ArviZ's `loo` divides the posterior by each game's p, scores the game by the same log p, and infers the efficiency of
the draws from the posterior. A posterior of weighted games contains p^w, and large traces keep fewer draws: their log p
is in the group `log_likelihood_by_game`, which `loo` does not find. `halfpoint compare` divides by p^w, scores by log
p, and reads both groups.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import xarray as xr

from halfpoint.models.declaration.posterior_reader import Reading, draws_of, reading_of
from halfpoint.models.declaration.trace_games import keeps_games, rows_in
from halfpoint.models.errors import OwnCodeError
from halfpoint.models.games.table import Codes, Floats
from halfpoint.models.rows.rows import GameRows

POINTWISE_DRAWS = 1000  # draws of the log likelihood of each game that a large trace keeps, spread evenly over chains
_POINTWISE_VALUES = 40_000_000  # numbers (160 MB) up to which a trace keeps that of all draws
MOST_GAMES = 200_000  # of which each one's likelihood is made again
_ABOUT = {"units": "nats", "long_name": "log likelihood of a game, unweighted"}
OF_ARVIZ, BY_GAME = POINTWISE = ("log_likelihood", "log_likelihood_by_game")


def group_of(weighting: object, likelihood: xr.Dataset, posterior: xr.Dataset) -> str:
    """Group of a trace for the log likelihood of each game: ArviZ's own if ArviZ alone judges it correctly."""
    return OF_ARVIZ if weighting == "equal" and likelihood.sizes["draw"] == posterior.sizes["draw"] else BY_GAME


def with_each_game(trace: xr.DataTree, likelihood: xr.Dataset) -> xr.DataTree:
    """Trace with the log likelihood of each game, (chain, draw, game), in the proper group."""
    remaining = {name: child for name, child in trace.children.items() if name not in POINTWISE}
    tree = xr.DataTree(trace.to_dataset(), children={name: child.copy() for name, child in remaining.items()})
    name = group_of(trace.attrs["weighting"], likelihood, trace["posterior"].to_dataset())
    return tree.assign({name: xr.DataTree(likelihood)})


def each_game(trace: xr.DataTree) -> xr.Dataset | None:
    """Unweighted log likelihood of each game, `score` (chain, draw, game), None if a trace lacks it."""
    name = next((name for name in POINTWISE if name in trace.children), None)
    group = None if name is None else trace[name].to_dataset()
    return group if group is None or "score" not in group else group.transpose("chain", "draw", "game")


def pointwise_kept(draws: int, games: int, limit: int | None = None) -> int:
    """Number of draws for which a trace keeps the log likelihood of each game; by default all if small.

    ArviZ infers the efficiency of the draws from the posterior: with fewer draws `az.loo` misjudges it.
    """
    if limit is None:
        limit = draws if draws * games <= _POINTWISE_VALUES else POINTWISE_DRAWS
    return min(draws, max(0, limit))


def likelihood_of_games(
    reading: Reading, posterior: xr.Dataset, rows: GameRows, outcome: Codes, draws: int | None = None,
    density: Callable[[Mapping[str, Floats]], Floats] | None = None,
) -> xr.Dataset:  # fmt: skip
    """Unweighted log likelihood of each game for a trace (`pointwise_kept`), draws evenly spaced.

    `density` is that of a likelihood of PyMC's own, (draw, game), in the order of the games.
    """
    chains, length = posterior.sizes["chain"], posterior.sizes["draw"]
    step = -(-chains * length // max(1, pointwise_kept(chains * length, outcome.size, draws)))
    places = np.arange(0, length, step)
    few = replace(reading, p=draws_of(posterior, step))
    index = np.arange(len(rows)), outcome.astype(np.intp)
    chunks = few.chunks(rows, likelihood=True) if density is None else ()
    value = np.concatenate([part[:, index[0], index[1]] for _, part in chunks]) if density is None else density(few.p)
    return xr.Dataset(
        {"score": (("chain", "draw", "game"), value.astype(np.float32).reshape(chains, places.size, -1), _ABOUT)},
        coords={"chain": posterior["chain"], "draw": posterior["draw"][places]},
    )


def with_likelihood_of_games(trace: xr.DataTree, draws: int | None = POINTWISE_DRAWS) -> xr.DataTree:
    """Trace with the log likelihood of each game for a number of draws, computed if it has fewer.

    Traces of `rate` lack this group, and traces of the study have it for a quarter of the draws; None adds it for all
    draws, which `az.loo` needs.

    The trace is unchanged if it has the group, or cannot have it: with edited games, with a user's code, or with more
    than `MOST_GAMES` games, whose likelihoods would be gigabytes.
    """
    lost = trace.attrs.get("left_out") or {"constant_data", "observed_data"} - set(trace.children)
    recorded, sizes = each_game(trace), trace["posterior"].sizes
    count = sizes["chain"] * sizes["draw"]
    draws = count if draws is None else min(count, draws)
    enough = recorded is not None and recorded.sizes["chain"] * recorded.sizes["draw"] >= draws
    if lost or enough or trace["observed_data"].sizes["game"] > MOST_GAMES or not keeps_games(trace):
        return trace
    reading = reading_of(trace)
    responses = reading.reads.responses
    if responses is not None and responses.kind != "code":
        return trace  # its likelihood is of more than the results
    try:
        _ = reading.model
    except OwnCodeError:
        return trace
    outcome = (2.0 * trace["observed_data"]["score"].to_numpy()).astype(np.int32)
    likelihood = likelihood_of_games(reading, trace["posterior"].to_dataset(), rows_in(reading, trace), outcome, draws)
    return with_each_game(trace, likelihood)
