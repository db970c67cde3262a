"""The rating list of a trace, as in `rate`, `rank`, `summary`, `leaderboard` and the pages.

Players who always play together are listed as one, and unidentified differences are reported. A league's table also has
goal difference and form.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr

from halfpoint.evaluation.rating_list import MASS, RatingList, flat_draws, interval_ends, played_by
from halfpoint.inference.location import FROM, OF_A_LIST, location_in_words
from halfpoint.models.games.identifiability import Identifiability, identifiable_groups
from halfpoint.models.games.select import Selection
from halfpoint.models.games.sides import Sides, seats_named
from halfpoint.models.games.table import Codes, GameTable


def sides_of(tree: xr.DataTree) -> Sides | None:
    """Sides of the games of a trace; None if every side is one player."""
    constant = tree["constant_data"].to_dataset()
    if "side_player" not in constant:
        return None
    people = tree["posterior"]["player"].to_numpy().astype(np.str_)
    members, share = constant["side_player"].to_numpy().astype(np.int32), constant["side_share"].to_numpy()
    return Sides(people, members, share, str(tree.attrs.get("side_separator", "")))


def identifiability_of(games: xr.DataTree | Selection) -> Identifiability | None:
    """Identifiability of each person from the games; None if sides are single players."""
    if isinstance(games, Selection):
        return None if games.sides is None else identifiable_groups(games.sides, games.white, games.black)
    sides = sides_of(games)
    if sides is None:
        return None
    constant = games["constant_data"].to_dataset()
    return identifiable_groups(sides, *(constant[side].to_numpy().astype(np.int32) for side in ("white", "black")))


def merge_inseparable(ratings: xr.DataArray, identified: Identifiability | None) -> xr.DataArray:
    """Ratings with inseparable players merged: their mean, named "Ann + Bob"."""
    if identified is None or not identified.together:
        return ratings
    values = ratings.transpose("chain", "draw", "player").to_numpy()
    joined = np.stack([values[..., unit].mean(axis=-1) for unit in identified.units], axis=-1)
    coords = {name: ratings[name] for name in ("chain", "draw")} | {"player": identified.names.astype(object)}
    return xr.DataArray(joined, dims=("chain", "draw", "player"), coords=coords, name=ratings.name)


_LEAST_PRINTED = 3  # players with ratings in the file, for what these are worth
type Seats = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class TraceList:
    """The list of a trace and its data."""

    ranking: RatingList  # the list
    ratings: xr.DataArray  # draws of the listed ratings, dims chain, draw, player
    identified: Identifiability | None  # players identified by the games, if sides have several people
    level: str  # level of the ratings, and why intervals are wider than the model's if they are, in words
    seats: tuple[Seats, Seats]  # (seat, game): listed players on White's and on Black's side, -1 for others
    faults: list[str]  # unidentified effects of seats, and deviations from the model, in words

    @property
    def untold(self) -> list[str]:
        """Unidentified quantities and deviations from the model, a sentence each."""
        return sentences([*(self.identified.describe() if self.identified else []), *self.faults])


def noun_of(tree: xr.DataTree) -> str:
    """The noun of a list: club for games at home and away, else player."""
    alone = "side_player" not in tree["constant_data"]
    return seats_named(tree.attrs.get("seats")).noun if alone else "player"


def list_from_trace(tree: xr.DataTree, noun: str | None = None, mass: float = MASS, tier: float = MASS) -> TraceList:
    """The list of a trace, with inseparable players merged, and the results of each."""
    identified, constant = identifiability_of(tree), tree["constant_data"].to_dataset()
    ratings = merge_inseparable(tree["posterior"].to_dataset()["rating_elo"], identified)
    seats = seats_in(tree, "white", identified), seats_in(tree, "black", identified)
    mean = ratings.mean(("chain", "draw")).to_numpy()
    score = tree["observed_data"]["score"].to_numpy()
    further: pd.DataFrame = played_by(seats, score, mean, constant["anchor_elo"].to_numpy())
    if identified is None and "listed_elo" in constant and bool(constant["listed_elo"].notnull().any()):
        printed = constant["listed_elo"].to_numpy()
        further = further.assign(printed_elo=printed, less_printed_elo=mean - printed)
    noun = noun or noun_of(tree)
    stretch = "" if tree.attrs[FROM] == OF_A_LIST else print_in_words(ratings, further.get("printed_elo"))
    ranking = RatingList.of_draws(ratings, further, noun=noun, mass=mass, tier=tier)
    level = location_in_words(tree).replace("average player", f"average {noun}")
    words = filter(None, (level, stretch, str(tree.attrs.get("widened", ""))))
    faults = str(tree.attrs.get("checks", "")).splitlines()
    if "advantage" in tree["posterior"] and "advantage_elo" not in tree["posterior"]:
        faults.append("all games are on neutral ground, so the first-seat advantage is unknown and forecasts omit it")
    return TraceList(ranking, ratings, identified, ". ".join(words), seats, faults)


def print_in_words(ratings: xr.DataArray, printed: pd.Series | None) -> str:
    """Slope of ratings on printed ratings, in words, which explains differences at the top of a list.

    The slope of each draw's ratings on the printed ratings; empty with fewer than three printed ratings.
    """
    printed_elo = np.zeros(0) if printed is None else printed.dropna().to_numpy()
    if printed_elo.size < _LEAST_PRINTED or np.ptp(printed_elo) == 0.0:
        return ""
    assert printed is not None
    deviations = printed_elo - printed_elo.mean()
    slope = 100.0 * flat_draws(ratings)[:, printed.notna().to_numpy()] @ deviations / (deviations @ deviations)
    low, high = interval_ends(slope)
    words = f"100 points of printed ratings are worth {slope.mean():.0f} by these games ({low:.0f} to {high:.0f})"
    away = printed_elo.max() - printed_elo.mean()
    moved = away * (slope.mean() / 100.0 - 1.0)
    side, chance = "above" if moved > 0 else "below", ", not significantly" if low <= 100.0 <= high else ""
    words += f": a player {away:.0f} above the printed mean is {abs(moved):.0f} {side} the printed rating{chance}"
    return words


def seats_in(tree: xr.DataTree, side: str, identified: Identifiability | None) -> Seats:
    """Indices of the list's people on one side of each game, shape (seat, game); -1 for others."""
    codes = tree["constant_data"][side].to_numpy().astype(np.int64)
    if identified is None:
        return np.asarray(codes[None], dtype=np.int32)
    members: Codes = tree["constant_data"]["side_player"].to_numpy()
    units = np.where(members >= 0, identified.unit[np.maximum(members, 0)], -1)
    units = -np.sort(-units, axis=1)
    units[:, 1:][units[:, 1:] == units[:, :-1]] = -1
    return np.asarray(units[codes].T, dtype=np.int32)


def sentences(lines: list[str]) -> list[str]:
    """Lines that each begin with a capital letter."""
    return [f"{line[:1].upper()}{line[1:]}" for line in lines]


_FORM = 5  # last games
_LETTERS = {0.0: "L", 0.5: "D", 1.0: "W"}


def with_goals_and_form(frame: pd.DataFrame, games: GameTable) -> pd.DataFrame:
    """List of clubs with their goal difference, if margins are known, and their last five games."""
    timed = games.period is not None or (games.date is not None and not np.isnat(games.date).any())
    order = np.argsort(games.time, kind="stable") if timed else np.arange(len(games))
    goals, form = dict.fromkeys(frame["club"], 0.0), {name: "" for name in frame["club"]}
    white, black = games.white_names, games.black_names
    for row in order.tolist():
        for name, score, sign in ((str(white[row]), games.score[row], 1), (str(black[row]), 1 - games.score[row], -1)):
            if name in form:
                form[name] += _LETTERS[float(score)]
                goals[name] += sign * float(games.margin[row])
    table = frame.assign(form=[form[name][-_FORM:] for name in frame["club"]])
    if np.isfinite(games.margin).all():
        table.insert(
            list(table.columns).index("form"), "goal_difference", [round(goals[name]) for name in frame["club"]]
        )
    return table
