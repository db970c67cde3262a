r"""The rating list: ranks, intervals and results, from posterior draws or from the points of a system.

    rating      mean over draws;  sd, and an interval with equal tails:  mass 1 - 2a between the quantiles a and 1 - a
    rank        by rating; its interval with equal tails, counted draw by draw: 1 + number of stronger players
    together    intervals of all ranks at once: from the smallest to the largest rank in the most central draws, a share
                of `mass`; a draw is as central as its farthest rank, by the smaller tail of that player's ranks
    tier        players whom the posterior does not separate
    opponents   mean rating of the opponents, each counted once per game

All intervals have equal tails: ranks, which are whole numbers, have no other intervals. Equal tails do not change if
strengths are put on another scale, and their ends vary less by chance than the ends of a highest density interval. The
trace sets the level of ratings (`halfpoint.inference.location`): a list does not change draws.

Tiers. The first player leads the first tier. The next players are in it until the first player for whom

    P(leader stronger than player | games) >= p,

who leads the next tier, and so on. So no player is separated from the leader of their own tier, and every leader is
separated from the next leader. A border is wrong if the next leader is truly stronger; a calibrated posterior has at
most a share 1 - p of wrong borders and expects the sum of 1 - P over the borders. Borders are about leaders: the last
player of a tier and the leader of the next tier need not be separated; P(A > B) of any two players is in the matrix.
The rule is this package's own; leaderboards that rank a player by the number of significantly better players (Chiang et
al. 2024, arXiv 2403.04132) use the same probabilities of pairs.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr

from halfpoint.evaluation.digits import in_percent
from halfpoint.evaluation.errors import EvaluationError
from halfpoint.models.games.table import Codes, Floats

DRAWS = ("chain", "draw")


@dataclass(frozen=True, eq=False)
class Tiers:
    """Tiers of a list."""

    # player, tier (from 1), above: the probability that the leader of the player's tier is stronger (0.5 for the
    # leader); players by posterior mean
    frame: pd.DataFrame
    # leader, next_leader, probability that the first is stronger, of each border between two tiers
    borders: pd.DataFrame
    probability: float  # p

    @property
    def expected_wrong(self) -> float:
        """Expected number of wrong borders under the posterior."""
        return float((1.0 - self.borders["probability"]).sum())

    @property
    def words(self) -> str:
        """The tiers in a sentence."""
        if not len(self.borders):
            return f"One tier: no player is weaker than the first with probability {self.probability:.0%}."
        wrong = f"the probability of a wrong border is at most {in_percent(self.expected_wrong)}"
        tiers = f"{len(self.borders) + 1} tiers"
        return f"{tiers}: each leader is stronger than the next with probability {self.probability:.0%}; {wrong}."


_AT_ONCE = 2**18  # values that are ranked at once


def flat_draws(values: xr.DataArray) -> Floats:
    """Values of each player under each draw, chains concatenated, shape (draw, player)."""
    return values.transpose(*DRAWS, "player").to_numpy().reshape(-1, values.sizes["player"])


def ranks_of(flat: Floats) -> Codes:
    """Ranks draw by draw, 1 the best, equal values in the order of players, shape (draw, player)."""
    ranks, place = np.empty(flat.shape, dtype=np.int32), np.arange(1, flat.shape[1] + 1, dtype=np.int32)[None]
    block = max(1, _AT_ONCE // max(1, flat.shape[1]))
    for first in range(0, len(flat), block):
        some = slice(first, first + block)
        np.put_along_axis(ranks[some], np.argsort(-flat[some], axis=1, kind="stable"), place, axis=1)
    return ranks


def tiers(rating_elo: xr.DataArray, probability: float = 0.95) -> Tiers:
    """The tiers of a list.

    Examples
    --------
    Two players of equal expected strength, and a player who is surely weaker:

    >>> draws = [[[1.0, 2.0, -9.0], [2.0, 1.0, -9.0]]]
    >>> ratings = xr.DataArray(draws, dims=("chain", "draw", "player"), coords={"player": ["a", "b", "c"]})
    >>> tiers(ratings).frame["tier"].tolist()
    [1, 1, 2]
    """
    if not 0.5 < probability < 1.0:
        raise EvaluationError("tiers", "a probability above 0.5 and below 1", f"{probability}")
    flat = flat_draws(rating_elo)
    order = np.argsort(-flat.mean(axis=0, dtype=np.float64), kind="stable")
    names = rating_elo["player"].to_numpy().astype(str)
    leader, tier, rows, borders = order[0], 1, [], []
    for place in order:
        above = 0.5 if place == leader else float((flat[:, leader] > flat[:, place]).mean())
        if place != leader and above >= probability:
            borders.append((names[leader], names[place], above))
            leader, tier, above = place, tier + 1, 0.5
        rows.append((names[place], tier, above))
    return Tiers(
        pd.DataFrame(rows, columns=["player", "tier", "above"]),
        pd.DataFrame(borders, columns=["leader", "next_leader", "probability"]).astype({"probability": float}),
        probability,
    )


def rank_intervals(rating_elo: xr.DataArray, probability: float = 0.95, together: bool = False) -> pd.DataFrame:
    """Player, rank_low and rank_high: best and worst rank of the central interval, and P(best).

    Intervals are pointwise, or simultaneous with `together`. `attrs["at_once"]`: share of draws with all ranks inside.
    """
    ranks = ranks_of(flat_draws(rating_elo))
    tail = (1.0 - probability) / 2.0
    low, high = np.quantile(ranks, [tail, 1.0 - tail], axis=0, method="inverted_cdf").astype(int)
    if together:
        tails = np.min([_smaller_tail(column) for column in ranks.T], axis=0)
        central = ranks[tails >= np.quantile(tails, 2.0 * tail, method="lower")]
        low, high = central.min(axis=0), central.max(axis=0)
    names = rating_elo["player"].to_numpy().astype(str)
    table = pd.DataFrame({"player": names, "rank_low": low, "rank_high": high, "best": (ranks == 1).mean(axis=0)})
    table.attrs["at_once"] = float(((low <= ranks) & (ranks <= high)).all(axis=1).mean())
    return table


def _smaller_tail(rank: Codes) -> npt.NDArray[np.int64]:
    """Number of draws in the smaller tail of the rank, shape (draw,)."""
    count = np.bincount(rank)
    up_to = np.cumsum(count)
    return np.asarray(np.minimum(up_to, rank.size - up_to + count)[rank])


MASS = 0.95
_ESTIMATES = ("rating", "sd", "low", "high")
FURTHER = ("rank_low", "rank_high", "best_percent", "tier")
_PLAYED = ("games", "wins", "draws", "losses", "score")


@dataclass(frozen=True, eq=False)
class RatingList:
    """A rating list."""

    #: one row each, best first: rank, the noun, rating, sd, low and high with the unit in their names (`rating_elo`),
    #: rank_low, rank_high, best_percent (chance of being the strongest), tier, games, wins, draws, losses, score,
    #: opponents (with the unit), and whatever else the maker knows; columns that are not known are absent
    frame: pd.DataFrame
    noun: str = "player"  #: who is listed: player, model, pair
    unit: str = "elo"  #: unit of the ratings: elo, imps
    mass: float = MASS  #: mass of the intervals
    tiers: Tiers | None = None  #: with the borders between them; None where there are no draws
    at_once: float = np.nan  #: share of draws in which all ranks are inside their intervals

    @classmethod
    def of_draws(
        cls,
        ratings: xr.DataArray,
        known: pd.DataFrame | None = None,
        *,
        noun: str = "player",
        unit: str = "elo",
        mass: float = MASS,
        tier: float = MASS,
    ) -> Self:
        """List of a posterior: draws, dims chain, draw, player, intervals of `mass`, tiers by `tier`.

        `known` has further columns of the players, in the order of the draws: from `played_by`, and any further ones.

        Examples
        --------
        >>> draws = [[[1.0, 2.0, -9.0], [2.0, 1.0, -9.0]]]
        >>> ratings = xr.DataArray(draws, dims=("chain", "draw", "player"), coords={"player": ["a", "b", "c"]})
        >>> RatingList.of_draws(ratings).frame[["rank", "player", "rating_elo", "tier"]].to_numpy().tolist()
        [[1, 'a', 1.5, 1], [2, 'b', 1.5, 1], [3, 'c', -9.0, 2]]
        """
        ranks, tiered = rank_intervals(ratings, mass), tiers(ratings, tier)
        table = summaries(ratings, mass).rename(
            columns={"player": noun} | dict(zip(SUMMARY, rating_columns(unit), strict=True))
        )
        table = table.assign(
            rank_low=ranks["rank_low"],
            rank_high=ranks["rank_high"],
            best_percent=100.0 * ranks["best"],
            tier=table[noun].map(tiered.frame.set_index("player")["tier"]).astype(int),
        )
        if known is not None:
            table = table.assign(**{name: known[name].to_numpy() for name in known.columns})
        return cls(_rank_rows(table, noun, unit), noun, unit, mass, tiered, ranks.attrs["at_once"])

    @property
    def intervals(self) -> str:
        """The coverage of the intervals of ratings and ranks, in a sentence."""
        coverage = f"Intervals of {self.mass:.0%} are equal-tailed and pointwise"
        return (
            f"{coverage}: all ranks are in their intervals simultaneously with probability {in_percent(self.at_once)}."
        )

    @classmethod
    def of_points(cls, known: pd.DataFrame, *, noun: str = "player", unit: str = "elo") -> Self:
        """List of a system with ratings and without draws; players without a rating are last."""
        return cls(_rank_rows(known, noun, unit), noun, unit)


SUMMARY = ("mean", "sd", "low", "high")


def rating_columns(unit: str) -> tuple[str, ...]:
    """Names of the columns of a rating and its interval in a unit."""
    return tuple(f"{name}_{unit}" for name in _ESTIMATES)


def summaries(values: xr.DataArray, mass: float = MASS) -> pd.DataFrame:
    """Mean, standard deviation and interval of each player's value, in the order of the draws.

    Columns player, mean, sd, low, high.
    """
    if values.sizes["chain"] * values.sizes["draw"] < 2:
        raise EvaluationError("trace", "at least two draws", "one", "Fit the model again, with more draws.")
    flat = flat_draws(values)
    low, high = interval_ends(flat, mass)
    moments = {"mean": flat.mean(axis=0, dtype=np.float64), "sd": flat.std(axis=0, ddof=1, dtype=np.float64)}
    columns = moments | {"low": low, "high": high}
    return pd.DataFrame({"player": values["player"].to_numpy().astype(str)} | columns)


def interval_ends(draws: Floats, mass: float = MASS) -> Floats:
    """Ends of the interval with equal tails over the first axis, shape (2, ...)."""
    tail = (1.0 - mass) / 2.0
    return np.asarray(np.quantile(draws, [tail, 1.0 - tail], axis=0))


def _rank_rows(frame: pd.DataFrame, noun: str, unit: str) -> pd.DataFrame:
    """Rows best first with their ranks, columns in the order of a list."""
    columns = [noun, *rating_columns(unit), *FURTHER, *_PLAYED, f"opponents_{unit}"]
    order = [name for name in columns if name in frame] + [name for name in frame if name not in columns]
    ranked = frame[order].sort_values(
        [f"rating_{unit}", noun], ascending=[False, True], na_position="last", ignore_index=True
    )
    ranked.insert(0, "rank", np.arange(1, len(ranked) + 1))
    return ranked


def results_as_text(frame: pd.DataFrame) -> list[str]:
    """Wins, draws and losses of each row as text, such as 5-2-1."""
    return ["-".join(map(str, row)) for row in frame[["wins", "draws", "losses"]].astype(int).to_numpy().tolist()]


def played_by(
    seats: tuple[Codes, Codes], score: Floats, rating: Floats, known_rating: Floats, unit: str = "elo"
) -> pd.DataFrame:
    """Results of each player of a list: games, wins, draws, losses, score, and the mean rating of the opponents.

    One row per player, in the order of `rating`.

    Shapes: seats (seat, game).
    """
    total, met = np.zeros((2, rating.size + 1))
    white, black = (np.atleast_2d(side) for side in seats)
    for side, facing in ((white, black), (black, white)):
        facing_rating = mean_of(facing, rating, known_rating)
        has_rating = ~np.isnan(facing_rating)
        seat = side[:, has_rating].ravel() % total.size  # empty seats come last
        total += np.bincount(seat, np.tile(facing_rating[has_rating], len(side)), total.size)
        met += np.bincount(seat, minlength=met.size)
    losses, draws, wins = results_of(white, black, score, rating.size).sum(axis=1).T
    opponents = np.divide(total, met, out=np.full(total.size, np.nan), where=met > 0)[:-1]
    values = (losses + draws + wins, wins, draws, losses, wins + 0.5 * draws)
    return pd.DataFrame(dict(zip(_PLAYED, values, strict=True)) | {f"opponents_{unit}": opponents})


def results_of(white: Codes, black: Codes, score: Floats, players: int) -> npt.NDArray[np.int64]:
    """Losses, draws and wins of each player with each colour, shape (player, colour, outcome).

    Shapes: white, black (..., game), score (game,).
    """
    counts = np.zeros((players + 1, 2, 3), dtype=np.int64)
    outcome = np.rint(2.0 * score).astype(np.int64)
    np.add.at(counts[:, 0], (white, outcome), 1)
    np.add.at(counts[:, 1], (black, 2 - outcome), 1)
    return counts[:-1]


def mean_of(side: npt.NDArray[np.integer], rating: Floats, known_rating: Floats) -> Floats:
    """Mean rating of a side, shape (game,); the known rating for players missing from the list."""
    is_seated = side >= 0
    total = np.where(is_seated, rating[np.maximum(side, 0)], 0.0).sum(axis=0)
    return np.where(is_seated.any(axis=0), total / np.maximum(is_seated.sum(axis=0), 1), known_rating)
