r"""Posterior statements about players.

    P(i stronger than j)   share of draws with R_i > R_j
    rank of i              1 + number of players with a larger rating in the same draw
    P(best)                share of draws with rank 1
    P(above T)             share of draws with R_i >= T, such as a title's threshold

Every number is a mean over draws; its error is the Monte Carlo error of the chains, without errors of the model. Rank
distributions: Gelman et al. (2013) Bayesian Data Analysis, 3rd ed., section 5.6, for why ranks are computed draw by
draw and never from posterior means. The first-move advantage and the draw rate, shared by all players, are reported
likewise.
"""

from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from halfpoint.evaluation.digits import interval
from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.rating_list import DRAWS, flat_draws, interval_ends, ranks_of
from halfpoint.models.games.find_player import Players
from halfpoint.models.games.sides import USUAL, seats_named


def _player_ratings(rating_elo: xr.DataArray, player: str) -> xr.DataArray:
    """A player's ratings, dims chain, draw; raises `GameTableError` with the nearest names for an unknown name."""
    return rating_elo.isel(player=Players(rating_elo["player"].to_numpy().tolist()).find(player))


def stronger(rating_elo: xr.DataArray, first: str, second: str) -> float:
    """Probability that the first player is stronger than the second; ratings have dims chain, draw, player.

    Raises `GameTableError` if a name fits no player or several; case and accents may differ from the trace's.
    """
    return float((_player_ratings(rating_elo, first) > _player_ratings(rating_elo, second)).mean())


def stronger_table(rating_elo: xr.DataArray) -> xr.DataArray:
    """P(row player stronger than column player), dims player, other; the diagonal is 1/2."""
    flat = flat_draws(rating_elo)
    table = np.stack([(flat[:, [i]] > flat).mean(axis=0) for i in range(flat.shape[1])])
    table = (table + 1.0 - table.T) / 2.0  # draws in which two are equal count half
    names = rating_elo["player"].to_numpy()
    return xr.DataArray(table, dims=("player", "other"), coords={"player": names, "other": names})


def rank_distribution(rating_elo: xr.DataArray) -> xr.DataArray:
    """The probability of each rank, dims player, rank (1 is the best); rows and columns sum to 1."""
    ranks = ranks_of(flat_draws(rating_elo))
    draws, players = ranks.shape
    table = np.stack([np.bincount(column, minlength=players + 1)[1:] / draws for column in ranks.T])
    coords = {"player": rating_elo["player"].to_numpy(), "rank": np.arange(1, players + 1)}
    return xr.DataArray(table, dims=("player", "rank"), coords=coords)


def best(rating_elo: xr.DataArray) -> pd.Series:
    """The probability of being the strongest by player, largest first."""
    return _largest_first(rank_distribution(rating_elo).sel(rank=1))


def above(rating_elo: xr.DataArray, threshold_elo: float) -> pd.Series:
    """Probability by player, largest first, of a rating of at least a threshold, such as a class or title.

    FIDE 2300, 2400 and 2500 (FM, IM, GM), Elo's classes every 200 points; ratings have dims chain, draw, player.
    """
    return _largest_first((rating_elo >= threshold_elo).mean(DRAWS))


def _largest_first(share: xr.DataArray) -> pd.Series:
    """Probabilities by player, largest first."""
    series = pd.Series(share.to_numpy(), index=share["player"].to_numpy().astype(str), name="probability")
    return series.sort_values(ascending=False, kind="stable")


def ratings_by_month(posterior: xr.Dataset, probability: float = 0.95) -> pd.DataFrame:
    """Every player's rating in every month with its interval, which has equal tails.

    Columns player, month, mean, sd, low, high, in Elo points. An `EvaluationError` if the strengths do not walk.
    """
    if "rating_elo_by_month" not in posterior:
        raise EvaluationError("trace", "strengths that walk by month", "one rating a player")
    rating = posterior["rating_elo_by_month"].transpose(*DRAWS, "player", "month")
    low, high = interval_ends(rating.to_numpy().reshape(-1, *rating.shape[2:]), probability)
    player, month = np.meshgrid(rating["player"].to_numpy().astype(str), rating["month"].to_numpy(), indexing="ij")
    mean, sd = rating.mean(DRAWS).to_numpy(), rating.std(DRAWS, ddof=1).to_numpy()
    columns = {"player": player, "month": month, "mean": mean, "sd": sd, "low": low, "high": high}
    return pd.DataFrame({name: np.ravel(value) for name, value in columns.items()})


def first_move_and_draws(posterior: xr.Dataset, probability: float = 0.95) -> dict[str, Any]:
    """First-move advantage and draw rate of equal players, each with its interval.

    `advantage_elo`: White's whole advantage in Elo points, the average player's if players differ; and `draw_rate`:
    probability of a draw between two equals without advantage. Each as `mean`, `low` and `high`; None if the model
    lacks it. `where` names the games if effects of columns act on them: "kind = blitz".
    """
    summary: dict[str, object] = {}
    for name in ("advantage_elo", "draw_rate"):
        value: xr.DataArray | None = posterior.get(name)
        if value is None:
            summary[name] = None
            continue
        condition = {"where": value.attrs["where"]} if "where" in value.attrs else {}
        value = value.mean("player") if "player" in value.dims else value
        low, high = interval_ends(value.to_numpy().ravel(), probability)
        summary[name] = {"mean": float(value.mean()), "low": float(low), "high": float(high)} | condition
    return summary


def in_games(summary: dict[str, object]) -> str:
    """Conditions of the games of a number, in words; empty for all games."""
    return f" where {summary['where']}" if "where" in summary else ""


def first_move_and_draws_in_words(summary: dict[str, Any], seats: object = USUAL) -> str:
    """`first_move_and_draws` as one sentence without a full stop; empty if the model has neither."""
    worth, drawn = summary["advantage_elo"], summary["draw_rate"]
    clauses = []
    if worth is not None:
        clauses.append(f"{seats_named(seats).worth} is worth {interval(worth, noun=' Elo')}{in_games(worth)}")
    if drawn is not None:
        clauses.append(f"two equals draw {interval(drawn, 100.0, '%', ' of their games')}{in_games(drawn)}")
    sentence = "; ".join(clauses)
    return sentence[:1].upper() + sentence[1:]
