"""Performances by event: points, opponents' mean, performance ratings, and title norms."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from halfpoint.apps.fields.office.event_interval import EventModel, event_model, event_rating
from halfpoint.apps.fields.office.read import office_games
from halfpoint.apps.fields.office.title_norms import EDITION, LEAST_GAMES, NORMS, norm_of
from halfpoint.apps.pages.cells import Look
from halfpoint.apps.workflows.answer import Answer, about_table
from halfpoint.apps.workflows.answers import Trace, trace_from
from halfpoint.apps.workflows.beside.by_player import ByPlayer, read_by_player
from halfpoint.apps.workflows.options import Games
from halfpoint.evaluation.first_sentences.standings import best_performance
from halfpoint.models.games.errors import GameTableError, HalfpointError
from halfpoint.models.games.find_player import Players
from halfpoint.models.games.rating_system import day_ratings
from halfpoint.models.games.table import GameTable
from halfpoint.systems.performance import performance

_METHODS = ("fide", "400", "quantile")
_FEDERATION = ("federation", "fed", "country", "nation", "verband")
_ALL_GAMES = "all games"


@dataclass(frozen=True)
class Titled:
    """Title and federation of a player."""

    title: str  #: GM, IM, ..., or "" for none
    federation: str = ""  #: three letters, or "" if not known


def read_titles(path: str | Path, games: GameTable) -> ByPlayer[Titled]:
    """Titles and federations by player from a CSV file: player,title[,federation]."""
    return read_by_player(
        path, games.players, {"title": ("title", "titel", "titre", "tit"), "federation": _FEDERATION},
        "player,title,federation", lambda cells: Titled(cells[0].upper(), cells[1]), optional=1,
    )  # fmt: skip


def performances(
    games: Games,
    titles: Mapping[str, Titled] | str | Path | None = None,
    trace: Trace | None = None,
    event: str | None = None,
    player: str | None = None,
    reader: Mapping[str, object] | None = None,
) -> Answer:
    """Performance of every player in every event.

    Parameters
    ----------
    games : str, Path, GameTable or DataFrame
        Games with printed ratings; without events all games form one event.
    titles : mapping of str to Titled, str or Path, optional
        Titles and federations, for norms, or a CSV file of player, title and federation.
    trace : str, Path or DataTree, optional
        A fitted model, for the 95% interval of each performance of its players.
    event, player : str, optional
        Only this event, or this player.
    reader : mapping, optional
        Options of the reader of CSV and Parquet: columns, ignore, date_format, sides.

    Returns
    -------
    Answer
        One row per event and player: games, points, rated_games (against rated opponents, as for the next columns),
        rated_points, opponents_mean_elo, performance_fide_elo, performance_400_elo, performance_quantile_elo; with a
        trace model_elo, low_elo and high_elo; norms (achieved according to the numbers) and norms_missed (the missing
        requirements of the lowest other norm), both only for nine games or more.

    Raises
    ------
    GameTableError
        If no rating is printed, or there is no such event or player.
    """
    games = office_games(games, reader)
    notes = games.notes
    if isinstance(titles, str | Path):
        by_player = read_titles(titles, games)
        titles, notes = by_player.values, (*notes, *by_player.notes)
    unprinted = games.white_rating_elo is None or games.black_rating_elo is None
    if unprinted or np.isnan(day_ratings(games, last=True)).all():
        remedy = "Add the columns white_rating_elo and black_rating_elo."
        raise GameTableError(games.source, "ratings printed with the games", "none", remedy)
    names = np.full(len(games), _ALL_GAMES) if games.event is None else games.event
    if event is not None:
        if event not in names:
            raise GameTableError("--event", "an event of the file", repr(event))
        games, names = games.take(names == event), names[names == event]
    chosen = None if player is None else Players(games.players.tolist()).find(player)
    tree = None if trace is None else trace_from(trace)
    model = None if tree is None else event_model(tree, tree["posterior"].to_dataset()["rating_elo"])
    rows = []
    for event_name in dict.fromkeys(names.tolist()):
        event_games = games.take(names == event_name)
        codes = (
            range(event_games.players.size)
            if chosen is None
            else np.flatnonzero(event_games.players == games.players[chosen])
        )
        rows += [_row_of(event_name, event_games, int(code), titles, model) for code in codes]
    table = pd.DataFrame(rows)
    order = ["points", "performance_fide_elo"] if event else ["event", "points", "performance_fide_elo"]
    table = table.sort_values(order, ascending=[key == "event" for key in order], kind="stable")
    note = f"Norms by the {EDITION}, {LEAST_GAMES} games at least; exemptions, pace and arbiters are not checked"
    if titles is None:
        note += ", nor are the opponents' titles and federations (--titles)"
    frame = table.reset_index(drop=True)
    columns = [frame[name] for name in ("player", "points", "games", "performance_fide_elo")]
    answer = best_performance([(str(a), float(b), int(c), float(d)) for a, b, c, d in zip(*columns, strict=True)])
    about = about_table(games, "Performances", answer=answer, note="; ".join([*notes, f"{note}."]))
    shown = in_short(frame)
    return Answer(frame, about, look=Look(shown, decimals=dict.fromkeys(shown.columns[4:], 0)))


def _row_of(
    event: str, games: GameTable, player: int, titles: Mapping[str, Titled] | None, model: EventModel | None
) -> dict[str, object]:
    """Row of one player in an event."""
    own_games = games.take((games.white == player) | (games.black == player))
    name = str(games.players[player])
    first = own_games.white_names == name
    score = np.where(first, own_games.score, 1.0 - own_games.score)
    assert own_games.white_rating_elo is not None
    assert own_games.black_rating_elo is not None
    opponents = np.where(first, own_games.black_rating_elo, own_games.white_rating_elo)
    rated = ~np.isnan(opponents)
    row: dict[str, object] = {
        "event": event, "player": name, "games": score.size, "points": float(score.sum()),
        "rated_games": int(rated.sum()), "rated_points": float(score[rated].sum()),
        "opponents_mean_elo": float(opponents[rated].mean()) if rated.any() else np.nan,
    }  # fmt: skip
    for method in _METHODS:
        value = performance(opponents[rated], score[rated], method) if rated.any() else np.nan  # type: ignore[arg-type]
        row[f"performance_{method}_elo"] = value
    if model is not None:
        row |= dict.fromkeys(("model_elo", "low_elo", "high_elo"), np.nan)
        with suppress(HalfpointError):  # the model does not know the player or an opponent's rating
            row |= event_rating(model, own_games, name)
    if score.size < LEAST_GAMES:
        return row | {"norms": "", "norms_missed": ""}
    of_titles = federations = None
    if titles is not None:
        entries = [
            titles.get(opponent, Titled(""))
            for opponent in np.where(first, own_games.black_names, own_games.white_names).tolist()
        ]
        of_titles = [entry.title for entry in entries]
        federations = [entry.federation for entry in entries] if all(entry.federation for entry in entries) else None
    own_federation = (titles or {}).get(name, Titled("")).federation
    judged = [norm_of(norm, opponents, score, of_titles, federations, own_federation) for norm in NORMS[:2]]
    norms_held = [norm.title for norm in judged if norm.holds]
    missed = next((norm for norm in reversed(judged) if not norm.holds), None)
    why = "" if missed is None else f"{missed.title}: {'; '.join(missed.missed)}"
    return row | {"norms": ", ".join(norms_held), "norms_missed": why}


def in_short(table: pd.DataFrame) -> pd.DataFrame:
    """Performances for the terminal: games against rated opponents, one word a column."""
    frame = pd.DataFrame({key: table[key] for key in ("event", "player", "games", "points")})
    frame["opponents"] = table["opponents_mean_elo"]
    for method, word in zip(_METHODS, ("fide", "of_400", "quantile"), strict=True):
        frame[word] = table[f"performance_{method}_elo"]
    if "model_elo" in table:
        ends = table["low_elo"].round(0), table["high_elo"].round(0)
        frame["model"] = table["model_elo"]
        frame["95%"] = ["" if np.isnan(low) else f"{low:.0f} to {high:.0f}" for low, high in zip(*ends, strict=True)]
    return frame.assign(norms=table["norms"])
