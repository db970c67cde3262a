"""The log likelihood of each game of a trace, as leave-one-out and ArviZ take it."""

from dataclasses import replace

import numpy as np
import xarray as xr

from halfpoint.games.table import Codes
from halfpoint.models.errors import OwnCodeError
from halfpoint.models.posterior_reader import Reading, draws_of, keeps_games, reading_of, rows_in
from halfpoint.models.rows import GameRows

POINTWISE_DRAWS = 1000  # draws of the log likelihood of each game that a large trace keeps, spread evenly over chains
_POINTWISE_VALUES = 40_000_000  # numbers (160 MB) up to which a trace keeps that of all draws
MOST_GAMES = 200_000  # of which each one's likelihood is made again


def pointwise_kept(kept: int, games: int, asked: int | None = None) -> int:
    """Of how many draws a trace keeps the log likelihood of each game: as asked, else all while that is little.

    ArviZ takes the efficiency of the draws from the posterior: of fewer draws `az.loo` misjudges it.
    """
    if asked is None:
        asked = kept if kept * games <= _POINTWISE_VALUES else POINTWISE_DRAWS
    return min(kept, max(0, asked))


def likelihood_of_games(
    reading: Reading, posterior: xr.Dataset, rows: GameRows, outcome: Codes, draws: int | None = None
) -> xr.Dataset:
    """The unweighted log likelihood of each game as a trace has it (`pointwise_kept`), draws spread evenly."""
    chains, length = posterior.sizes["chain"], posterior.sizes["draw"]
    step = -(-chains * length // max(1, pointwise_kept(chains * length, outcome.size, draws)))
    kept = np.arange(0, length, step)
    few = replace(reading, p=draws_of(posterior, step))
    index = np.arange(len(rows)), outcome.astype(np.intp)
    value = np.concatenate([one[:, index[0], index[1]] for _, one in few.chunks(rows, likelihood=True)])
    return xr.Dataset(
        {"score": (("chain", "draw", "game"), value.astype(np.float32).reshape(chains, kept.size, -1))},
        coords={"chain": posterior["chain"], "draw": posterior["draw"][kept]},
    )


def with_likelihood_of_games(trace: xr.DataTree, draws: int | None = POINTWISE_DRAWS) -> xr.DataTree:
    """A trace with the group `log_likelihood` of so many draws, made anew where it has fewer or none.

    As `rate` leaves it out, and traces of the study keep a quarter; None for all draws, which `az.loo` asks for.

    It is the same where it has the group, or cannot have it: of edited games, of code of somebody's own, of more
    than `MOST_GAMES`, whose likelihoods would be gigabytes.
    """
    lost = trace.attrs.get("left_out") or {"constant_data", "observed_data"} - set(trace.children)
    there, sizes = trace.children.get("log_likelihood"), trace["posterior"].sizes
    kept = sizes["chain"] * sizes["draw"]
    draws = kept if draws is None else min(kept, draws)
    enough = there is not None and there.sizes["chain"] * there.sizes["draw"] >= draws
    if lost or enough or trace["observed_data"].sizes["game"] > MOST_GAMES or not keeps_games(trace):
        return trace
    reading = reading_of(trace)
    try:
        _ = reading.model
    except OwnCodeError:
        return trace
    outcome = (2.0 * trace["observed_data"]["score"].to_numpy()).astype(np.int32)
    found = likelihood_of_games(reading, trace["posterior"].to_dataset(), rows_in(reading, trace), outcome, draws)
    return trace.assign({"log_likelihood": xr.DataTree(found)})
