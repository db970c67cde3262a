"""What a site needs of a followed competition: list, table, games, games to come, ratings through time.

A kind of competition is a function `(Source, Run) -> Followed`, an entry point of the group `halfpoint.sites`. Chances
of one game come from a published list by

    delta = R_i - R_j + h + s z,   s^2 = sd_i^2 + sd_j^2,   z normal
    P(win) : P(draw) : P(loss) = exp(k delta / 2) : nu : exp(-k delta / 2),   k = ln(10) / 400

averaged over z, with h the first seat's advantage (Elo) and nu / (2 + nu) the draw rate of two equals. Davidson (1970)
J. Am. Stat. Assoc. 65:317, eq. 2.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd

from halfpoint.apps.workflows.options import Run
from halfpoint.models.games.table import Floats

_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(15)
_PER_ELO = np.log(10.0) / 400.0


@dataclass(frozen=True)
class Source:
    """Files of a competition, and how they are read."""

    games: tuple[Path, ...]
    fixtures: Path | None = None
    season: date | None = None  # first day of the season whose table is forecast; None: all games
    scoring: Literal["1-0.5-0", "3-1-0", "2-1-0"] = "3-1-0"
    zones: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    model: str = "auto"
    seed: int = 20140501
    reader: Mapping[str, Any] = field(default_factory=dict)  # columns, outcomes, date_format, ignore, sides
    trace: Path | None = None  # where the trace is written


@dataclass(frozen=True, eq=False)
class Followed:
    """A competition after its games so far; frames have the columns of the commands, `name` heads each row."""

    noun: str  # of who is rated: club, player, pair, model, engine
    unit: str  # of ratings: elo or imps
    listed: pd.DataFrame  # name, rank, rating_UNIT, sd_UNIT, low_UNIT, high_UNIT, games, and more of the list
    # a row each: first, second, result as printed, score of the first in [0, 1]; where there are any day, event,
    # expected_percent, win_percent, draw_percent, loss_percent
    games: pd.DataFrame
    about: dict[
        str, Any
    ]  # model, verdict, converged, simulated, level, note, data; advantage_elo and draw_rate or None
    season: pd.DataFrame | None = (
        None  # name, games, points_so_far, points, points_low, points_high, title_percent, ...
    )
    places: pd.DataFrame | None = None  # chance of each place in percent, by name
    coming: pd.DataFrame | None = None  # day, first, second, win_percent, draw_percent, loss_percent
    left: int = 0  # games to come
    played: str = "game"  # a row of `games` in a word
    history: pd.DataFrame | None = None  # name, period, rating, low and high; None for constant strengths
    odds: pd.DataFrame | None = None  # chances by odds in the file, rows as in `games`: win, draw, loss; None without


type Kind = Callable[[Source, Run], Followed]


def chances_of_list(difference_elo: Floats, sd_elo: Floats, draw_rate: float | None) -> Floats:
    """Chances of loss, draw and win by a list, shape (game, outcome).

    `difference_elo` is the first player's rating less the second's, plus the first seat's advantage; `sd_elo` its
    standard deviation.
    """
    rate = draw_rate or 0.0
    nu = 2.0 * rate / (1.0 - rate)
    half = _PER_ELO / 2.0 * (difference_elo[:, None] + sd_elo[:, None] * _NODES)
    win, loss = np.exp(half), np.exp(-half)
    total = win + loss + nu
    shares = np.stack([loss / total, nu / total, win / total], axis=-1)
    return np.asarray(np.einsum("gzo,z->go", shares, _WEIGHTS / _WEIGHTS.sum()))
