"""Forecasts from a trace, for a file, a data frame, or one game by the names of its players."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from halfpoint.apps.pages.cells import Look
from halfpoint.apps.pages.listing import THIRDS
from halfpoint.apps.pages.page import Page
from halfpoint.apps.workflows.answer import Answer, about_trace, answer_page
from halfpoint.apps.workflows.answers import Trace, new_in_words, require_known, trace_from
from halfpoint.apps.workflows.at_columns import filled, overall
from halfpoint.apps.workflows.contexts import context_column
from halfpoint.apps.workflows.intake import reader_options_keeping
from halfpoint.apps.workflows.options import Games, OneGame, Say, records_of, silent
from halfpoint.evaluation.digits import interval
from halfpoint.evaluation.first_sentences.leaders import game_in_words, surest
from halfpoint.inference.forecast import IMPUTATIONS, Rule
from halfpoint.inference.forecast import forecast as forecast_table
from halfpoint.inference.location import is_location_fixed
from halfpoint.models.declaration.newcomers import takes_newcomers, with_newcomers
from halfpoint.models.declaration.trace_attributes import reads_in, traits_in
from halfpoint.models.games.errors import GameTableError, HalfpointError
from halfpoint.models.games.find_player import Players
from halfpoint.models.games.keywords import suggests_keywords
from halfpoint.models.games.ranges import require_word
from halfpoint.models.games.sides import JOINED, PLUS, seats_named
from halfpoint.models.games.table import GameTable
from halfpoint.models.language.games import OWN
from halfpoint.models.rows.column_coding import contexts
from halfpoint.models.rows.days import clock_of
from halfpoint.models.rows.design_matrix import labels
from halfpoint.models.rows.effects import PLAYER
from halfpoint.readers.options import DAY_BEFORE
from halfpoint.readers.read import detect
from halfpoint.readers.read import read as read_games

_CHUNK_VALUES = 4_000_000  # (draw, game) pairs at a time, some 100 MB
_NO_ANCHORS = (
    " The trace has no anchored opponents, so a rating alone cannot be used. Fit with --monitor or --rare anchor."
)
_HALF_YEAR = 183  # days
_NAMED = 4  # players in contexts without a game of theirs


def _row_of(game: OneGame, tree: xr.DataTree) -> dict[str, object]:
    """Row of a table for the game, with players in the spelling of the trace."""
    row: dict[str, Any] = {
        "white": _people_of(tree, game.white),
        "black": _people_of(tree, game.black),
        "score": 0.5,
    }
    for side, rating in (("white", game.white_rating), ("black", game.black_rating)):
        if rating is not None and isinstance(row[side], list):
            raise HalfpointError(
                f"--{side}-rating: expected a side of one player, found {' + '.join(row[side])!r}. Leave it out."
            )
        row |= {} if rating is None else {f"{side}_rating_elo": rating}
    return row | _day_of(tree, game.date)


@suggests_keywords
def forecast(
    trace: Trace, games: Games | None = None, *, imputation: str | None = None,
    reader: Mapping[str, object] | None = None, new: str | Sequence[str] = (), say: Say = silent,
    white: str | None = None, black: str | None = None, white_rating: float | None = None,
    black_rating: float | None = None, date: str | None = None,
) -> Answer:  # fmt: skip
    """Forecast games: probabilities of loss, draw and win for White with 95% intervals, and the expected score.

    Parameters
    ----------
    trace : str, Path or DataTree
        A trace of any model.
    games : str, Path, GameTable or DataFrame, optional
        Games to forecast; scores in files are optional and ignored. Players who are not in the trace have their printed
        rating (columns white_rating_elo and black_rating_elo, headers WhiteElo and BlackElo) if the trace has anchors;
        else they are drawn from their prior (`halfpoint.models.declaration.newcomers`), or refused if it is flat.
    imputation : {"zero", "mean", "mirror"}, optional
        Advantage of unknown players; the model's own by default.
    reader : mapping, optional
        Options of the reader of CSV and Parquet: columns, ignore, date_format, sides.
    new : str or sequence of str
        Players without rating who are not in the trace, or "all": drawn from its population. Other unknown names
        are refused.
    say : callable
        Called with the reader's notes.
    white, black, white_rating, black_rating, date
        A single game by names (`OneGame`: white, black, white_rating, black_rating, date).

    Returns
    -------
    Answer
        white, black, day if the file has days, whether they are in the trace, and loss, draw, win and expected score in
        percent, each with _low and _high (95%, equal tails, uncertainty of the strengths).

    Raises
    ------
    HalfpointError
        If neither `games` nor a single game is given, or both, or a player has neither a strength in the trace nor a
        rating.
    """
    [game] = records_of(locals(), OneGame)
    tree = trace_from(trace)
    if (games is None) == (game.white is None or game.black is None):
        raise HalfpointError("forecast: give either a file of games, or --white and --black")
    require_word("--imputation", imputation, (None, *IMPUTATIONS))
    chosen = next((word for word in IMPUTATIONS if word == imputation), None)
    reads = reads_in(tree.attrs)
    own_columns = [
        name.removeprefix(OWN) for name in reads.columns if name.startswith(OWN) and name not in reads.observed
    ]
    columns, columns_note = (*reads.effects.requested_columns, *own_columns), ""
    if games is None:
        table = read_games(pd.DataFrame([_row_of(game, tree)]), source="--white and --black", sides="whole")
        table, columns_note = filled(tree, table)
        columns_note += overall(tree)
    else:
        mark = tree.attrs.get("side_separator")
        if mark and not isinstance(games, GameTable) and "sides" not in (reader or {}):
            reader = {**(reader or {}), "sides": str(mark)}  # as in the games that the trace is of
        try:
            table = games_to_come(games, reader_options_keeping(games, reader, columns))
        except GameTableError as error:  # dates as in the games that the trace is of
            if "--date-format" not in str(error) or not tree.attrs.get("day_first"):
                raise
            table = games_to_come(
                games, reader_options_keeping(games, {**(reader or {}), "date_format": DAY_BEFORE}, columns)
            )
        for note in table.notes:
            say(note)
    days = days_in_print(table)
    table, as_of = _on_the_last_day(tree, table)
    first_there = "" if games is None else _first_there(tree, table)
    tree, strange, newcomers = _with_unknown(tree, table, new)
    _check_level(tree, table)
    step = max(1, _CHUNK_VALUES // (tree["posterior"].sizes["chain"] * tree["posterior"].sizes["draw"]))
    rule = Rule(chosen, columns=games is not None)
    rows = np.arange(len(table))
    parts = [
        forecast_table(tree, table.take(rows[start : start + step]), rule).table() for start in rows[::step].tolist()
    ]
    frame = pd.concat(parts, ignore_index=True)
    for side in ("white", "black"):
        frame[f"{side}_known"] &= np.array([not of_newcomers(name, strange) for name in frame[side].tolist()])
    if games is not None and days is not None:
        frame.insert(2, "day", days)
    numeric = [name for name in frame.select_dtypes("number").columns if not name.startswith("margin")]
    frame[numeric] = 100 * frame[numeric]
    frame = frame.rename(columns={name: f"{name}_percent" for name in numeric})
    note = "Percent, with 95% intervals (equal tails) for the uncertainty of the strengths."
    note += f"{newcomers}{first_there}{as_of}{columns_note}"
    about = about_trace(tree, f"Forecast by {tree.attrs['model']}") | {"note": note, "new": strange}
    shown = in_words_of_seats(frame, str(about["seats"]), strange)
    return GamesForecast(frame, about | {"answer": _answer_of(frame, shown)}, look=Look(shown))


def days_in_print(games: GameTable) -> list[str | None] | None:
    """Days of games as text, None if no game has one."""
    if games.date is None or np.isnat(games.date).all():
        return None
    return [None if np.isnat(day) else str(day) for day in games.date]


def short_days(days: Sequence[str | None]) -> list[str]:
    """Days for the terminal: without the year if all are within half a year.

    Examples
    --------
    >>> short_days(["2025-12-06", None, "2026-01-13"])
    ['06 Dec', '', '13 Jan']
    """
    known_days = np.array([day for day in days if pd.notna(day)], dtype="datetime64[D]")
    short = bool(known_days.size) and np.ptp(known_days) < np.timedelta64(_HALF_YEAR, "D")
    in_print = {day: f"{date.fromisoformat(day):%d %b}" if short else day for day in known_days.astype(str).tolist()}
    return [in_print.get(day, "") for day in days]


def _answer_of(frame: pd.DataFrame, shown: pd.DataFrame) -> str:
    """Sentence on one game; of several games the most certain one."""
    score = frame["expected_percent"].to_numpy()
    if not len(frame) or np.isnan(score).all():
        return ""
    row = int(np.nanargmax(np.abs(score - 50.0)))
    first, second = shown.iloc[row, :2]
    prediction = (
        f"expected score {interval(dict(zip(('mean', 'low', 'high'), _three(frame, row), strict=True)), 1.0, '%')}"
    )
    if "win_percent" in frame:
        win, draw, loss = (frame[f"{name}_percent"].iloc[row] / 100.0 for name in ("win", "draw", "loss"))
        prediction = game_in_words(first, second, win, draw, loss)
    if len(frame) == 1 and "win_percent" in frame:
        return f"{prediction}."
    return surest(len(frame), "game", first, second, prediction, float(score[row]) / 100.0)


def _three(frame: pd.DataFrame, row: int) -> list[float]:
    """The expected score of a game with its interval, percent."""
    return [float(frame[f"expected{end}_percent"].iloc[row]) for end in ("", "_low", "_high")]


@dataclass(frozen=True, eq=False, repr=False)
class GamesForecast(Answer):
    """Forecasts of games, a row each; `frame` as in `forecast`."""

    def page(self) -> Page:
        """Page: each game as a bar of win, draw and loss beside its numbers."""
        shown = self.look.frame
        if shown is None or "win_percent" not in self.frame:
            return super().page()
        return page_of_games(self, shown, self.frame[["win_percent", "draw_percent", "loss_percent"]])


def page_of_games(answer: Answer, shown: pd.DataFrame, shares: pd.DataFrame) -> Page:
    """Page of games: each as a bar of its shares of win, draw and loss in percent, beside its other numbers.

    The first two columns of `shown` are the players.
    """
    first, second = map(str, shown.columns[:2])
    rows = shown.drop(columns=[first, second])
    rows.insert(0, "game", [f"{white} – {black}" for white, black in zip(shown[first], shown[second], strict=True)])
    rows.insert(1, THIRDS, shares.to_numpy().tolist())
    if "day" in rows:
        rows["day"] = answer.frame["day"]
    return answer_page(answer.frame, answer.about, look=Look(rows))


def in_words_of_seats(frame: pd.DataFrame, seats: str, new: Sequence[str] = ()) -> pd.DataFrame:
    """Forecast in the words of its seats: a chance and its interval in one cell, newcomers marked."""
    words = seats_named(seats)
    columns = {}
    for side, heading in (("white", words.first), ("black", words.second)):
        seated = zip(frame[side], frame[f"{side}_known"], strict=True)
        marks = (
            " (new)" if of_newcomers(name, new) else "" if is_known else " (by rating)" for name, is_known in seated
        )
        columns[heading] = [f"{name}{mark}" for name, mark in zip(frame[side], marks, strict=True)]
    if "day" in frame:
        columns["day"] = short_days(frame["day"].tolist())
    titles = {"loss": f"{words.first} loses", "draw": "draw", "win": f"{words.first} wins"}
    if words.first == "Home":  # in the order in which these are read
        titles = {"win": "home", "draw": "draw", "loss": "away"}
    for name, title in (titles | {"expected": "expected score"}).items():
        if f"{name}_percent" in frame:
            values = zip(*(frame[f"{name}{end}_percent"] for end in ("", "_low", "_high")), strict=True)
            intervals = [interval(dict(zip(("mean", "low", "high"), numbers, strict=True))) for numbers in values]
            # room for names
            columns[title] = intervals if name == "expected" else [text.partition(" ")[0] for text in intervals]
    if "margin" in frame:
        values = zip(frame["margin"], frame["margin_low"], frame["margin_high"], strict=True)
        columns["margin (of the game)"] = [f"{mean:.2f} ({low:.1f} to {high:.1f})" for mean, low, high in values]
    return pd.DataFrame(columns)


def _first_there(tree: xr.DataTree, games: GameTable) -> str:
    """Players in a context without earlier games there, in words; empty if absent."""
    column, levels = context_column(tree), tree["posterior"].coords
    if not column:
        return ""
    pairs = contexts(games, labels(games.covariates[column]), levels["player"].to_numpy().astype(np.str_))
    new = np.setdiff1d(pairs, levels[PLAYER + column].to_numpy().astype(np.str_)).tolist()
    further = f" and {len(new) - _NAMED} more" if len(new) > _NAMED else ""
    names = ", ".join(" in ".join(label.rsplit(":", 1)) for label in new[:_NAMED])
    return (
        f" Forecast from overall strength and the spread between levels of {column}: {names}{further}." if new else ""
    )


def of_newcomers(side: str, new: Sequence[str]) -> bool:
    """True if a side has a new player."""
    return not {side, *side.split(JOINED)}.isdisjoint(new)


def _with_unknown(
    tree: xr.DataTree, games: GameTable, newcomers: str | Sequence[str]
) -> tuple[xr.DataTree, list[str], str]:
    """Trace extended by players of games without a strength or rating, and their names."""
    players = Players(tree["posterior"]["player"].to_numpy().tolist())
    new = [name for name in games.people.tolist() if players.place(name) is None]
    bare, rated = set[str](), set[str]()
    if games.sides is None:
        for names, rating in ((games.white_names, games.white_rating_elo), (games.black_names, games.black_rating_elo)):
            unrated = np.ones(names.size, dtype=np.bool_) if rating is None else np.isnan(rating)
            bare, rated = bare | set(names[unrated]), rated | set(names[~unrated])
        if is_location_fixed(tree):
            new = [name for name in new if name in bare]
    if not takes_newcomers(tree):
        if newcomers and (gone := [name for name in new if name in bare]):
            with_newcomers(tree, gone)  # raises the reason why it has no further players
        return tree, [], ""
    unused = bool(rated & set(new)) and not is_location_fixed(tree)
    require_known(tree, players, new, newcomers, games.source, _NO_ANCHORS * unused)
    words = new_in_words(tree, players, new)
    return (
        with_newcomers(tree, new),
        new,
        words + " Ratings of new players are not used: no opponent is anchored." * unused,
    )


def _day_of(tree: xr.DataTree, date: str | None) -> dict[str, int | str]:
    """Column with the day of one game: the requested one, or the trace's last day if strengths move."""
    walks = bool(reads_in(tree.attrs).every)
    constant = {str(name): variable for name, variable in tree["constant_data"].data_vars.items()}
    clock = clock_of(constant, reads_in(tree.attrs).every) or "date"
    if date is None and not walks:
        return {}
    try:
        moment = tree["constant_data"][clock].to_numpy().max() if date is None else date
        return {clock: int(moment) if walks and clock == "period" else str(np.datetime64(moment, "D"))}
    except ValueError:
        expected = "the number of a period, as in the trace" if walks and clock == "period" else "a day, YYYY-MM-DD"
        raise HalfpointError(f"--date: expected {expected}, found {date!r}") from None


def _on_the_last_day(tree: xr.DataTree, games: GameTable) -> tuple[GameTable, str]:
    """Games with the trace's last day if they have no date and strengths walk, and a remark."""
    last = _day_of(tree, None)
    if not last or games.period is not None or games.date is not None:
        return games, ""
    [(clock, value)] = last.items()
    remark = f" Games without a date count as of {value}, the last {clock} of the trace."
    if clock == "period":
        return replace(games, period=np.full(len(games), value)), remark
    return replace(games, date=np.full(len(games), np.datetime64(value, "D"))), remark


def _people_of(tree: xr.DataTree, name: str | None) -> str | list[str] | None:
    """Player with a name, in the spelling of the trace; a list for several people joined by a plus."""
    players = Players(tree["posterior"]["player"].to_numpy().tolist())

    def spelt(person: str) -> str:
        place = players.meant(person)
        return person if place is None else players.names[place]

    if name is None or PLUS not in name or players.place(name) is not None:
        return None if name is None else spelt(name)
    return [spelt(part.strip()) for part in name.split(PLUS)]


def games_to_come(games: Games, options: Mapping[str, Any]) -> GameTable:
    """Read games whose scores need not be known; PGN results `*` are accepted."""
    if isinstance(games, GameTable):
        return games
    study = isinstance(games, str | Path) and detect(games, options.get("form")) == "study"
    return read_games(games, **({} if study else {"scored": False}) | dict(options))


def _check_level(tree: xr.DataTree, games: GameTable) -> None:
    """Refuse players known only by a rating if the trace has no anchors: their scales differ."""
    if is_location_fixed(tree) or traits_in(tree.attrs).printed:
        return
    players = Players(tree["posterior"]["player"].to_numpy().tolist())
    strange = next((name for name in games.people.tolist() if players.place(name) is None), None)
    if strange is not None:
        why = _NO_ANCHORS
        if games.sides is not None or "side_player" in tree["constant_data"]:
            why = " All people of a side must be in the trace: a rating on the day applies to a single player."
        hint = players.hint(strange) + ("" if players.nearest(strange) else why)
        raise HalfpointError(f"forecast: expected players of the trace, found {strange!r}. {hint}")
