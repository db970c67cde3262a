"""The cross-table of an event: results of each pair, or by rounds if few pairs have met.

By rounds a cell is the result and the opponent's place, as on tournament servers: +12, =5, -3.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from halfpoint.apps.fields.office.read import office_games, rounds_of
from halfpoint.apps.workflows.answer import Answer, about_table
from halfpoint.apps.workflows.intake import Games
from halfpoint.evaluation.rating_list import results_of
from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.models.games.rating_system import day_ratings
from halfpoint.models.games.table import GameTable

_MARKS = {0.0: "0", 0.5: "½", 1.0: "1"}
_SIGNS = {0.0: "-", 0.5: "=", 1.0: "+"}
_LEAST_MET = 0.5  # share of all pairs who have met, from which on all players have a column
_ALONE = "·"
_MOST = 2000  # players of a table


def cross_table(games: Games, event: str | None = None, reader: Mapping[str, Any] | None = None) -> Answer:
    """The cross-table of an event."""
    table = office_games(games, reader)
    names = np.full(len(table), table.name) if table.event is None else table.event.astype(str)
    events, counts = np.unique(names, return_counts=True)
    if event is None and events.size > 1:
        known = ", ".join(map(str, events[np.argsort(-counts, kind="stable")][:5])) + (
            ", ..." if events.size > 5 else ""
        )
        raise GameTableError("--event", "one event", f"{events.size} ({known})", f"Name it: --event '{events[0]}'.")
    if event is not None and event not in events:
        raise GameTableError("--event", f"an event of the file ({', '.join(map(str, events[:5]))})", repr(event))
    here = table if event is None else table.take(names == event)
    if here.players.size > _MOST:
        raise GameTableError("--event", f"an event of at most {_MOST} players", f"{here.players.size} players")
    if here.date is not None:
        here = here.take(np.argsort(here.date, kind="stable"))
    size = here.players.size
    points_of, met = np.zeros((size, size)), np.zeros((size, size), dtype=np.bool_)
    cells = [[""] * size for _ in range(size)]
    printed = day_ratings(here, last=True)
    for white, black, score in zip(here.white.tolist(), here.black.tolist(), here.score.tolist(), strict=True):
        for own, other, gained in ((white, black, score), (black, white, 1.0 - score)):
            points_of[own, other] += gained
            met[own, other] = True
            cells[own][other] += _MARKS[gained]
    points = points_of.sum(axis=1)
    berger = (points_of * points[None, :]).sum(axis=1)
    order = np.lexsort((here.players, -berger, -points))
    made: dict[str, Any] = {"place": np.arange(1, size + 1), "player": here.players[order], "points": points[order]}
    if met.mean() < _LEAST_MET:
        made |= _by_rounds(here, order)
    else:
        for place, other in enumerate(order.tolist(), 1):
            made[str(place)] = [_ALONE if one == other else cells[one][other] for one in order.tolist()]
    if not np.isnan(printed).all():
        made["rating_elo"] = pd.Series(printed[order]).convert_dtypes()  # whole ones without a point
    losses, draws, wins = results_of(here.white, here.black, here.score, size).sum(axis=1)[order].T
    made |= {"games": losses + draws + wins, "wins": wins, "draws": draws, "losses": losses}
    title = str(event or (events[0] if table.event is not None else table.name))
    said = "; ".join([count_noun(len(here), "game"), *table.notes])
    note = f"{said}; equal points in the order of Sonneborn-Berger's sum."
    best = here.players[order][points[order] == points.max()].tolist()
    said = (
        f"{' and '.join(best[:3])}{' and others' * (len(best) > 3)} {'wins' if len(best) == 1 else 'share first place'}"
    )
    about = about_table(table, title, note=note, answer=f"{said} with {points.max():g} points.")
    return Answer(pd.DataFrame(made), about)


def _by_rounds(games: GameTable, order: npt.NDArray[np.intp]) -> dict[str, list[str]]:
    """Results of each round by its heading, players in order; without rounds, each player's games in order."""
    place = np.argsort(order) + 1
    rounds = rounds_of(games)
    cells: defaultdict[int, list[str]] = defaultdict(lambda: [""] * order.size)
    played = np.zeros(order.size, dtype=np.int64)
    for game, (white, black, score) in enumerate(zip(games.white, games.black, games.score, strict=True)):
        played[[white, black]] += 1
        for own, other, gained in ((white, black, score), (black, white, 1.0 - score)):
            column = cells[int(played[own] if rounds is None else rounds[game])]
            told = f"{_SIGNS[float(gained)]}{place[other]}"
            column[place[own] - 1] = f"{column[place[own] - 1]} {told}".strip()
    return {f"R{one}": cells[one] for one in sorted(cells)}
