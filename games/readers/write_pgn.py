"""Games as PGN: headers and the result, no moves."""

from collections.abc import Iterator

import numpy as np

from halfpoint.games.table import GameTable

RESULTS = ("0-1", "1/2-1/2", "1-0")
SIMULATED = "Simulated"  # the tag of games that nobody played


def tag(name: str, value: str) -> str:
    """Return one PGN tag; quotes and backslashes are escaped, line breaks become spaces."""
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
        text = tag("Event", event) + tag("Site", "?") + tag("Date", date)
        text += tag("Round", "?" if games.period is None else str(games.period[game]))
        text += tag("White", str(white[game])) + tag("Black", str(black[game])) + tag("Result", RESULTS[outcome[game]])
        for side, rating in (("White", games.white_rating_elo), ("Black", games.black_rating_elo)):
            if rating is not None and not np.isnan(rating[game]):
                text += tag(f"{side}Elo", f"{rating[game]:.0f}")
        text += tag(SIMULATED, "halfpoint") if games.simulated else ""
        yield f"{text}\n{RESULTS[outcome[game]]}\n\n"
