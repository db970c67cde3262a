"""The rating list of a trace: the one that `rate`, `rank`, `summary`, `leaderboard` and the pages show."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr

from halfpoint.evaluation.rating_list import MASS, RatingList, played_by
from halfpoint.games.partners import Told
from halfpoint.games.seats import seats_named
from halfpoint.inference.level import level_in_words
from halfpoint.workflows.together import as_told, told_by

INTERVALS = "Intervals of 95% have equal tails."
type Seats = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Listed:
    """A trace's list and what it was made from."""

    ranking: RatingList  # the list
    ratings: xr.DataArray  # draws of what is listed, dims chain, draw, player
    known: Told | None  # whom the games tell apart, where sides have several people
    level: str  # on which level ratings stand, and why intervals are wider than the model's where they are, in words
    seats: tuple[Seats, Seats]  # (seat, game): who of the list is on White's and on Black's side, -1 for nobody of it

    @property
    def untold(self) -> list[str]:
        """What the games do not tell, a sentence each."""
        return sentences([] if self.known is None else self.known.describe())


def noun_of(tree: xr.DataTree) -> str:
    """Return who is listed: clubs where games are played at home and away, players else and where sides are several."""
    alone = "side_player" not in tree["constant_data"]
    return seats_named(tree.attrs.get("seats")).noun if alone else "player"


def listed(tree: xr.DataTree, noun: str | None = None, mass: float = MASS, tier: float = MASS) -> Listed:
    """Return the list of a trace, those who never play apart as one, with what each did in the games."""
    known, constant = told_by(tree), tree["constant_data"].to_dataset()
    ratings = as_told(tree["posterior"].to_dataset()["rating_elo"], known)
    seats = seats_in(tree, "white", known), seats_in(tree, "black", known)
    mean = ratings.mean(("chain", "draw")).to_numpy()
    score = tree["observed_data"]["score"].to_numpy()
    further: pd.DataFrame = played_by(seats, score, mean, constant["anchor_elo"].to_numpy())
    if known is None and "listed_elo" in constant:
        printed = constant["listed_elo"].to_numpy()
        further = further.assign(printed_elo=printed, less_printed_elo=mean - printed)
    noun = noun or noun_of(tree)
    made = RatingList.of_draws(ratings, further, noun=noun, mass=mass, tier=tier)
    level = level_in_words(tree).replace("average player", f"average {noun}")
    words = filter(None, (level, str(tree.attrs.get("widened", ""))))
    return Listed(made, ratings, known, ". ".join(words), seats)


def seats_in(tree: xr.DataTree, side: str, known: Told | None) -> Seats:
    """Return who of the list is on one side of each game, indexes, shape (seat, game); -1 for nobody of the list."""
    codes = tree["constant_data"][side].to_numpy().astype(np.int64)
    if known is None:
        return np.asarray(codes[None], dtype=np.int32)
    members: Any = tree["constant_data"]["side_player"].to_numpy()
    units = np.where(members >= 0, known.unit[np.maximum(members, 0)], -1)
    units = -np.sort(-units, axis=1)
    units[:, 1:][units[:, 1:] == units[:, :-1]] = -1
    return np.asarray(units[codes].T, dtype=np.int32)


def sentences(lines: list[str]) -> list[str]:
    """Return lines with a capital letter each."""
    return [f"{line[:1].upper()}{line[1:]}" for line in lines]
