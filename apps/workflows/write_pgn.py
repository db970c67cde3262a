"""Games as PGN: headers and the result, no moves."""

from collections.abc import Iterator

import numpy as np

from halfpoint.models.games.table import GameTable
from halfpoint.readers.pgn_values import SIMULATED

_RESULTS = ("0-1", "1/2-1/2", "1-0")


def _tag(name: str, value: str) -> str:
    """One PGN tag; quotes and backslashes are escaped, line breaks become spaces."""
    text = " ".join(value.splitlines()).replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{text}"]\n'


def pgn_games(games: GameTable) -> Iterator[str]:
    """Yield each game as PGN text."""
    white, black, outcome = games.white_names, games.black_names, games.outcome
    for game in range(len(games)):
        date = "????.??.??"
        if games.date is not None and not np.isnat(games.date[game]):
            date = str(games.date[game]).replace("-", ".")
        event = "?" if games.event is None else str(games.event[game])
        text = _tag("Event", event) + _tag("Site", "?") + _tag("Date", date)
        text += _tag("Round", "?" if games.period is None else str(games.period[game]))
        text += _tag("White", str(white[game])) + _tag("Black", str(black[game]))
        text += _tag("Result", _RESULTS[outcome[game]])
        for side, rating in (("White", games.white_rating_elo), ("Black", games.black_rating_elo)):
            if rating is not None and not np.isnan(rating[game]):
                text += _tag(f"{side}Elo", f"{rating[game]:.0f}")
        text += _tag(SIMULATED, "halfpoint") if games.simulated else ""
        yield f"{text}\n{_RESULTS[outcome[game]]}\n\n"
