"""Files of winners and losers: the first seat wins every game, so that seats reveal results and must not be used.

A forecaster that uses seats would read the result from them: base rates are 100% and an advantage grows without bound.
`seats_drawn` assigns new seats by a hash of players and date, independent of the result: the same game gets the same
seats in any file and order.
"""

from collections.abc import Callable
from dataclasses import replace
from hashlib import blake2b

import numpy as np

from halfpoint.models.games.table import LEAD, MARGINS, GameTable

_TURNED = (*MARGINS, LEAD, "handicap")  # columns that are counted from the first seat
_FEWEST = 20  # decided games, all won by one seat, that exclude chance: odds of a million to one


def winners_first(games: GameTable) -> bool:
    """True if one seat won all decided games: in any number on neutral ground, in `_FEWEST` elsewhere."""
    won, lost = (int((games.score == score).sum()) for score in (1.0, 0.0))
    return min(won, lost) == 0 and won + lost >= (1 if games.all_neutral else _FEWEST)


def randomise_seats(games: GameTable, say: Callable[[str], None]) -> GameTable:
    """Games with randomised seats, reported, if one seat won all decided games."""
    if not winners_first(games):
        return games
    won = bool((games.score == 1.0).any())
    result = (
        ("never lost" if won else "never won") if (games.score == 0.5).any() else "always won" if won else "always lost"
    )
    say(f"{games.name}: the first seat {result}, so seats are drawn at random")
    return seats_drawn(games)


def seats_drawn(games: GameTable) -> GameTable:
    """Games with randomised seats, columns of sides exchanged and margins turned; rows stay in order."""
    day = games.date if games.date is not None else games.period if games.period is not None else np.zeros(len(games))
    met = zip(games.white_names.tolist(), games.black_names.tolist(), day.astype(str).tolist(), strict=True)
    turned = np.array(
        [(white > black) ^ _draw_seat("\n".join((*sorted((white, black)), when))) for white, black, when in met]
    )
    columns = dict(games.covariates)
    for white in (name for name in games.covariates if name.startswith("white_")):
        black = f"black_{white.removeprefix('white_')}"
        if black in games.covariates:
            pair = games.covariates[white], games.covariates[black]
            columns |= {white: np.where(turned, *pair[::-1]), black: np.where(turned, *pair)}
    columns |= {name: np.where(turned, -columns[name], columns[name]) for name in _TURNED if name in columns}
    first, second = games.white_rating_elo, games.black_rating_elo
    if first is not None and second is not None:
        first, second = np.where(turned, second, first), np.where(turned, first, second)
    return replace(
        games, white=np.where(turned, games.black, games.white), black=np.where(turned, games.white, games.black),
        score=np.where(turned, 1.0 - games.score, games.score), white_rating_elo=first, black_rating_elo=second,
        covariates={**columns, "neutral": np.ones(len(games))},
    )  # fmt: skip


def _draw_seat(text: str) -> bool:
    """Seat drawn from a text, equal for equal texts in every process."""
    return bool(blake2b(text.encode(), digest_size=1).digest()[0] & 1)
