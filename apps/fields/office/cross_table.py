"""The cross-table of an event: results of each pair, or by rounds if few pairs have met.

By rounds a cell is the result and the opponent's place, as on tournament servers: +12, =5, -3.
"""

from collections import defaultdict
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pandas as pd

from halfpoint.apps.fields.office.read import office_games, rounds_of
from halfpoint.apps.workflows.answer import Answer, about_table
from halfpoint.apps.workflows.options import Games
from halfpoint.evaluation.first_sentences.standings import winners
from halfpoint.evaluation.rating_list import results_of
from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.models.games.rating_system import day_ratings
from halfpoint.models.games.table import GameTable

_MARKS = {0.0: "0", 0.5: "½", 1.0: "1"}
_SIGNS = {0.0: "-", 0.5: "=", 1.0: "+"}
_LEAST_MET = 0.5  # share of all pairs who have met, from which on all players have a column
_ALONE = "·"
_MOST = 2000  # players of a table


def cross_table(games: Games, event: str | None = None, reader: Mapping[str, object] | None = None) -> Answer:
    """The cross-table of an event."""
    table = office_games(games, reader)
    names = np.full(len(table), table.name) if table.event is None else table.event.astype(str)
    events, counts = np.unique(names, return_counts=True)
    if event is None and events.size > 1:
        examples = ", ".join(map(str, events[np.argsort(-counts, kind="stable")][:5])) + (
            ", ..." if events.size > 5 else ""
        )
        raise GameTableError("--event", "one event", f"{events.size} ({examples})", f"Name it: --event '{events[0]}'.")
    if event is not None and event not in events:
        raise GameTableError("--event", f"an event of the file ({', '.join(map(str, events[:5]))})", repr(event))
    event_games = table if event is None else table.take(names == event)
    if event_games.players.size > _MOST:
        raise GameTableError("--event", f"an event of at most {_MOST} players", f"{event_games.players.size} players")
    if event_games.date is not None:
        event_games = event_games.take(np.argsort(event_games.date, kind="stable"))
    size = event_games.players.size
    points_of, met = np.zeros((size, size)), np.zeros((size, size), dtype=np.bool_)
    cells = [[""] * size for _ in range(size)]
    printed = day_ratings(event_games, last=True)
    for white, black, score in zip(
        event_games.white.tolist(), event_games.black.tolist(), event_games.score.tolist(), strict=True
    ):
        for player, opponent, gained in ((white, black, score), (black, white, 1.0 - score)):
            points_of[player, opponent] += gained
            met[player, opponent] = True
            cells[player][opponent] += _MARKS[gained]
    points = points_of.sum(axis=1)
    berger = (points_of * points[None, :]).sum(axis=1)
    order = np.lexsort((event_games.players, -berger, -points))
    columns: dict[str, object] = {
        "place": np.arange(1, size + 1),
        "player": event_games.players[order],
        "points": points[order],
    }
    if met.mean() < _LEAST_MET:
        columns |= _by_rounds(event_games, order)
    else:
        for place, opponent in enumerate(order.tolist(), 1):
            columns[str(place)] = [
                _ALONE if player == opponent else cells[player][opponent] for player in order.tolist()
            ]
    if not np.isnan(printed).all():
        columns["rating_elo"] = pd.Series(printed[order]).convert_dtypes()  # whole ones without a point
    losses, draws, wins = results_of(event_games.white, event_games.black, event_games.score, size).sum(axis=1)[order].T
    columns |= {"games": losses + draws + wins, "wins": wins, "draws": draws, "losses": losses}
    title = str(event or (events[0] if table.event is not None else table.name))
    remarks = "; ".join([count_noun(len(event_games), "game"), *table.notes])
    note = f"{remarks}; ties are ordered by the Sonneborn-Berger score."
    best = event_games.players[order][points[order] == points.max()].tolist()
    played = dict(zip(event_games.players[order].tolist(), (losses + draws + wins).tolist(), strict=True))
    answer = winners(best, f"{points.max():g} point{'s' * bool(points.max() != 1)}", played, units="players, games")
    about = about_table(table, title, note=note, answer=answer)
    return Answer(pd.DataFrame(columns), about)


def _by_rounds(games: GameTable, order: npt.NDArray[np.intp]) -> dict[str, list[str]]:
    """Results of each round by its heading, players in order; without rounds, each player's games in order."""
    place = np.argsort(order) + 1
    rounds = rounds_of(games)
    cells: defaultdict[int, list[str]] = defaultdict(lambda: [""] * order.size)
    played = np.zeros(order.size, dtype=np.int64)
    for game, (white, black, score) in enumerate(zip(games.white, games.black, games.score, strict=True)):
        played[[white, black]] += 1
        for player, opponent, gained in ((white, black, score), (black, white, 1.0 - score)):
            column = cells[int(played[player] if rounds is None else rounds[game])]
            mark = f"{_SIGNS[float(gained)]}{place[opponent]}"
            column[place[player] - 1] = f"{column[place[player] - 1]} {mark}".strip()
    return {f"R{number}": cells[number] for number in sorted(cells)}
