"""The rating list of any rating system at any date, and a log of the changes by game.

A list follows a federation's procedure: periods are rated in order, each as a whole by the system's own rule. A live
list starts all players from the ratings printed with their games of one period and adds the changes by those games.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from halfpoint.apps.fields.office.options import ACTIVE_PERIODS, AUTO, OfficialListOptions
from halfpoint.apps.fields.office.rank_scatter import scatter_of, with_rank_intervals
from halfpoint.apps.fields.office.read import (
    office_games,
    one_period,
    read_births,
    until,
    with_births,
    with_days,
    with_month_days,
)
from halfpoint.apps.pages.cells import Look
from halfpoint.apps.workflows.answer import Answer, about_table
from halfpoint.apps.workflows.beside.by_player import ByPlayer
from halfpoint.apps.workflows.beside.rating_lists import fill_ratings, read_lists
from halfpoint.apps.workflows.intake import are_cells, games_of_cells
from halfpoint.apps.workflows.options import Games, records_of
from halfpoint.evaluation.first_sentences.standings import first_by_ranks
from halfpoint.evaluation.rating_list import RatingList, played_by, results_as_text
from halfpoint.models.games.components import components
from halfpoint.models.games.errors import GameTableError, RatingSystemError, count_noun
from halfpoint.models.games.periods import with_periods
from halfpoint.models.games.ranges import Every
from halfpoint.models.games.rating_system import GameLog, Newcomer, RatingSystem, StartsPlayers, day_ratings, ledger_of
from halfpoint.models.games.table import Codes, Floats, GameTable, Texts
from halfpoint.systems.catalogue import SYSTEMS, SystemSpec
from halfpoint.systems.catalogue import system as system_of
from halfpoint.systems.matches import rates_people, ratings_before

PRINTED, _UNPRINTED = "fide", "glicko"  # systems where ratings are printed, and where none is
ALL, _BEFORE = "all", ("fide", "uscf", "elo", "glicko", "glicko-2", "trueskill")  # which a terminal has room for
_START_ELO, _DEVIATION_ELO = 1500.0, 350.0  # of unknown players, Glickman (1999)
_ALIKE_ELO = 1e-6  # ratings by two orders of the same games that are the same
_LEAGUE = 6  # players whom a group has at least that is a list of its own; after a first round all players have met one
_PROVISIONAL_DEVIATION_ELO = 110.0  # Glicko's, as lichess marks it
_WHOLE = ("rating_elo", "deviation_elo", "printed_elo", "less_printed_elo", "change_elo", "opponents_elo")
_SHORT = ("group", "rank", "rank_low", "rank_high", "player", *_WHOLE[:-2], "games", "W-D-L", "score", "change_elo",
         "opponents_elo", "recent", "new", "provisional", "active", "why")  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class OfficialList(Answer):
    """Rating list and its log.

    A row of `frame` is a player, best first: rank, player, rating_elo, rank_low and rank_high (95% of the ranks, by the
    system's own deviation or `halfpoint.apps.fields.office.rank_scatter`), deviation_elo (systems that have one),
    games, wins, draws, losses and score (all games up to the date), opponents_elo, change_elo (since the list before),
    recent (games of the last period), provisional, active, printed_elo and less_printed_elo (against the rating printed
    with the player's last game, if any), new (no printed rating), why (no rating), group (connected players; each group
    has its own ranks).
    """

    #: one row a game: period, date, event, players, score, ratings before, expected score, K and changes
    log: pd.DataFrame

    @property
    def of_games(self) -> Answer:
        """Log as a separate answer."""
        return Answer(self.log, self.about | {"title": f"{self.title}: its games"})


def official_list(
    games: Games, system: str = AUTO, at: str | None = None, *, every: Every | int = "month",
    first_month: str | None = None, settings: Mapping[str, float] | None = None,
    births: Mapping[str, int] | str | Path | None = None, live: bool = False, active_periods: int = ACTIVE_PERIODS,
    reader: Mapping[str, object] | None = None, fide_lists: Sequence[str | Path] = (), start_elo: float | None = None,
) -> OfficialList:  # fmt: skip
    """List of a rating system after a date or period, with the log of its games.

    Parameters
    ----------
    games : str, Path, list of these, GameTable or DataFrame
        Games with periods or dates; without either all games form one period.
    system : str
        A rating system of `halfpoint.systems.catalogue` that keeps ratings; "auto" is FIDE's regulations if ratings are
        printed, else Glicko.
    at : str, optional
        Last day (YYYY-MM-DD), month (YYYY-MM) or number of the last period that counts; all games if absent.
    every, first_month, settings, births, live, active_periods, reader, fide_lists, start_elo
        Settings of the list (`OfficialListOptions`).

    Raises
    ------
    RatingSystemError
        If the system keeps no ratings or has no such setting.
    GameTableError
        If there is no game before the date, or a live list is requested without printed ratings.
    """
    [how] = records_of(locals(), OfficialListOptions)
    return _one_list(*_read(games, how.reader), system, at, how)


def _read(games: Games, reader: Mapping[str, object] | None) -> tuple[GameTable, bool]:
    """Games, and True if they are of cells, without an order."""
    return (games_of_cells(games, reader), True) if are_cells(games) else (office_games(games, reader), False)


def _one_list(table: GameTable, cells: bool, system: str, at: str | None, how: OfficialListOptions) -> OfficialList:
    """List of one system; `RatingSystemError` if it depends on the order of games, which cells lack."""
    listed = _list_of(table, system, at, how)
    if not cells:
        return listed
    again = _list_of(table.take(np.arange(len(table))[::-1]), system, at, how).frame.set_index("player")["rating_elo"]
    if not np.allclose(again[listed.frame["player"]], listed.frame["rating_elo"], atol=_ALIKE_ELO, equal_nan=True):
        name = listed.about["system"]
        raise RatingSystemError(
            f"--system {name}", "games in their order", "cells, which have no order; use glicko or fide"
        )
    return listed


def _list_of(table: GameTable, system: str, at: str | None, how: OfficialListOptions) -> OfficialList:
    """List of one system by games in an order; see `official_list`."""
    lists = read_lists(table, how.fide_lists) if how.fide_lists else []
    table = fill_ratings(table, lists).games if lists else table
    rated_before = not np.isnan(day_ratings(table, last=True)).all()
    spec = system_of((PRINTED if rated_before else _UNPRINTED) if system == AUTO else system)
    unknown = system == AUTO and not rated_before  # how far a newcomer may be from the start is Glickman's own
    numbers = spec.settings(({"deviation": _DEVIATION_ELO} if unknown else {}) | dict(how.settings or {}))
    births = read_births(how.births, table) if isinstance(how.births, str | Path) else ByPlayer(dict(how.births or {}))
    ordered, time_note = one_period(table)
    timed, undated = with_days(with_births(with_month_days(ordered, how.first_month), births.values))
    timed = with_periods(until(timed, at), how.every, how.first_month)
    assert timed.period is not None
    periods = np.unique(timed.period)
    if how.live:
        if not rated_before:
            raise GameTableError(timed.source, "printed ratings for a live list", "none")
        periods = periods[-1:]
    rated: RatingSystem = _with_start_rating(
        spec.build(numbers), _START_ELO if unknown and how.start_elo is None else how.start_elo
    )
    before: dict[str, float] = {}
    logs = []
    for period in periods:
        current = timed.take(timed.period == period)
        if how.live:
            printed = day_ratings(current, last=True)
            current = replace(current, white_rating_elo=printed[current.white], black_rating_elo=printed[current.black])
        before = _ratings_of(rated, spec)
        expected = rated.forecast(current).expected_score
        entering = ratings_before(rated, ledger_of(rated, f"--system {spec.name}"), current)  # new ones at their start
        begun = dict(zip(current.players.tolist(), entering.tolist(), strict=True))
        rated.learn(current)
        logs.append(_log_of(current, begun, expected, getattr(rated, "log", None)))
        if how.live:
            before = begun
    every_game = pd.concat(logs, ignore_index=True)
    parts = _lists_of(rated, spec, timed, before, how.active_periods)
    has_sd = "deviation_elo" in parts[0]
    frame = pd.concat([
        with_rank_intervals(
            part, part["deviation_elo"].to_numpy(np.float64) if has_sd else scatter_of(every_game, part["player"])
        ) for part in parts
    ], ignore_index=True)  # fmt: skip
    if frame["rating_elo"].isna().all():
        expectation, remedy = (
            f"a player with a rating, from which {spec.name} rates opponents",
            "or take another --system.",
        )
        raise GameTableError(table.source, expectation, "none", f"Give ratings or --fide-list, {remedy}")
    last = int(periods[-1])
    after = f"period {last}" if timed.date is None or table.period is not None else f"{timed.date.max()}"
    changed = ", ".join(f"{key} {value:g}" for key, value in numbers.items())
    about = about_table(
        table, f"{'Live list' if how.live else 'Rating list'} by {spec.title} after {after}", system=spec.name,
        settings=changed, source=spec.source, period=last, players=len(frame),
    )  # fmt: skip
    about |= _rules_in_words(rated, timed.take(timed.period == last))
    words = [str(about[key]) for key in ("settings", "rules") if about.get(key)]
    if "rank_low" in frame:
        words += [
            f"ranks: 95% intervals, {"by each rating's deviation" if has_sd else 'from the spread of ratings under K'}"
        ]
    if len(parts) > 1:
        words += [f"{len(parts)} unconnected groups: a list for each; ratings of different groups are not comparable"]
    if unknown:
        words += [
            f"the file has no ratings, so the system is {spec.title}, which needs none (--system selects another)"
        ]
    words += [*filter(None, (time_note, undated)), *table.notes, *births.notes]
    words += dict.fromkeys(f"FIDE lists, {fide_list.note}" for fide_list in lists if fide_list.note)
    if "why" in frame:
        reasons = Counter(frame["why"][frame["rating_elo"].isna()].tolist())
        reasons_text = ", ".join(f"{count} with {why}" for why, count in reasons.most_common())
        words += [f"{count_noun(sum(reasons.values()), 'player')} without a rating: {reasons_text}"] if reasons else []
    about["note"] = f"{'; '.join(words)}." if words else ""
    return OfficialList(frame, about, every_game, look=_look_of(frame))


def every_list(
    games: Games, at: str | None = None, *, every: Every | int = "month", first_month: str | None = None,
    settings: Mapping[str, float] | None = None, births: Mapping[str, int] | str | Path | None = None,
    live: bool = False, active_periods: int = ACTIVE_PERIODS, reader: Mapping[str, object] | None = None,
    fide_lists: Sequence[str | Path] = (), start_elo: float | None = None,
) -> Answer:  # fmt: skip
    """Ratings of all systems that can rate the games, as `official_list` gives them, side by side.

    One row per player, by the mean of their ranks: player, rank_low and rank_high among the systems, and one column of
    ratings per system, Elo points.
    """
    [how] = records_of(locals(), OfficialListOptions)
    table, cells = _read(games, how.reader)
    rating: dict[str, pd.Series] = {}
    left_out: list[str] = []
    for name in dict.fromkeys((*_BEFORE, *SYSTEMS)):
        if SYSTEMS[name].elo:
            try:
                listed = _one_list(table, cells, name, at, how)
            except (RatingSystemError, GameTableError):
                left_out.append(name)
            else:
                rating[name] = listed.frame.set_index("player")["rating_elo"]
    if not rating:
        raise GameTableError(table.source, "games that some system can rate", "none", "Use one --system.")
    wide = pd.DataFrame(rating)
    ranks = wide.rank(ascending=False)
    wide = wide.loc[ranks.mean(axis=1).sort_values(kind="stable").index]
    frame = wide.assign(rank_low=ranks.min(axis=1), rank_high=ranks.max(axis=1)).rename_axis("player").reset_index()
    frame = frame.astype({"rank_low": int, "rank_high": int})[["player", "rank_low", "rank_high", *rating]]
    note = f"left out because they cannot rate these games: {', '.join(left_out)}." if left_out else ""
    title = f"Rating lists of {len(rating)} systems, by the mean of their ranks"
    answer = first_by_ranks({str(name): float(rank) for name, rank in ranks.mean(axis=1).items()}, len(rating))
    about = about_table(table, title, answer=answer, note="; ".join([*table.notes, note]))
    return Answer(frame, about, look=Look(decimals=dict.fromkeys(rating, 0)))


def _with_start_rating(rated: RatingSystem, start_elo: float | None) -> RatingSystem:
    """A system with another initial rating."""
    if start_elo is not None:
        if not (isinstance(rated, StartsPlayers) and isinstance(rated.newcomer, Newcomer)):  # some have a margin
            raise RatingSystemError("--start", "a system with initial ratings", type(rated).__name__)
        rated.newcomer = replace(rated.newcomer, rating_elo=float(start_elo))
    return rated


def _ratings_of(rated: RatingSystem, spec: SystemSpec) -> dict[str, float]:
    """Rating of each player so far."""
    ledger = ledger_of(rated, f"--system {spec.name}")
    return dict(zip(ledger.names, ledger["rating"].tolist(), strict=True))


def _log_of(games: GameTable, begun: Mapping[str, float], expected: Floats, log: GameLog | None) -> pd.DataFrame:
    """Log of a period, one row a game."""
    columns: dict[str, Any] = {"period": games.period}
    columns |= {} if games.date is None else {"date": games.date.astype(str)}
    columns |= {} if games.event is None else {"event": games.event}
    columns |= {"white": games.white_names, "black": games.black_names, "score": games.score}
    columns |= {
        f"{side}_rating_elo": np.array([begun[name] for name in names])
        for side, names in (("white", games.white_names), ("black", games.black_names))
    }
    columns["expected_score"] = expected if log is None else log.expected_score
    for key in ("white_k", "black_k", "white_change_elo", "black_change_elo"):
        columns[key] = np.nan if log is None else getattr(log, key)
    return pd.DataFrame(columns)


def _seats_of(rated: RatingSystem, games: GameTable) -> tuple[Texts, Codes, Codes]:
    """Rated players of a system, and their seats as White and Black, shape (seat, game), -1 if none."""
    if rates_people(rated, games):
        assert games.sides is not None
        return games.people, games.sides.members[games.white].T, games.sides.members[games.black].T
    return games.players, games.white[None], games.black[None]


def _lists_of(
    rated: RatingSystem, spec: SystemSpec, games: GameTable, before: Mapping[str, float], active_periods: int
) -> list[pd.DataFrame]:
    """Table with one row for each player with a rating or a game in the last period, best first.

    Unconnected groups of six players or more are separate lists, the largest first, if no printed ratings put them on
    one scale.
    """
    ledger = ledger_of(rated, f"--system {spec.name}")
    names, rating = np.array(ledger.names, dtype=np.str_), ledger["rating"]
    assert games.period is not None
    final = int(games.period.max())
    listed_names, *seats = _seats_of(rated, games)
    printed = np.full(listed_names.size, np.nan) if rates_people(rated, games) else day_ratings(games, last=True)
    codes, period = np.concatenate(seats, axis=1), np.concatenate([games.period, games.period])
    sides, period = codes[codes >= 0], np.broadcast_to(period, codes.shape)[codes >= 0]
    place = np.searchsorted(listed_names, names)
    last = np.full(listed_names.size, -(2**62))
    np.maximum.at(last, sides, period)
    last, printed = last[place], printed[place]
    known_as = _ratings_of(rated, spec)
    values = np.array([known_as.get(name, np.nan) for name in listed_names.tolist()])
    played = pd.DataFrame(played_by((seats[0], seats[1]), games.score, values, np.full(len(games), np.nan)))
    count = np.bincount(sides, minlength=listed_names.size)[place]  # of the systems that do not count themselves
    recent = np.bincount(sides[period == final], minlength=listed_names.size)[place]
    counted = ledger["games"] if "games" in ledger.columns else count
    provisional = counted < spec.provisional
    if "deviation" in ledger.columns:
        provisional = ledger["deviation"] > _PROVISIONAL_DEVIATION_ELO
    is_rated = ~np.isnan(rating)
    table = pd.DataFrame({
        "player": names, "rating_elo": rating,
        **({"deviation_elo": ledger["deviation"]} if "deviation" in ledger.columns else {}),
        **{str(name): played[name].to_numpy()[place] for name in played},
        "change_elo": rating - np.array([before.get(name, np.nan) for name in ledger.names]),
        "recent": recent, "provisional": np.asarray(provisional) | ~is_rated,
        "active": last > final - active_periods,
    })  # fmt: skip
    if not np.isnan(printed).all():
        table["printed_elo"] = printed
        table["less_printed_elo"] = rating - printed
        table["new"] = np.isnan(printed)
    if not is_rated.all():
        why: dict[str, str] = getattr(rated, "reasons_unrated", dict)()
        empty = [not has_rating and name not in why for has_rating, name in zip(is_rated, ledger.names, strict=True)]
        table["why"] = [
            "no rating yet" if is_empty else why.get(name, "") for is_empty, name in zip(empty, names, strict=True)
        ]
    table, met = table[is_rated | (recent > 0)], components(games)
    if met.comparable or "printed_elo" in table or np.bincount(met.component).min() < _LEAGUE:
        return [RatingList.of_points(table).frame]
    number = dict(zip(met.players.tolist(), (met.component + 1).tolist(), strict=True))
    group = table["player"].map(number).fillna(0).astype(int)
    return [RatingList.of_points(part).frame.assign(group=group_number) for group_number, part in table.groupby(group)]


def _rules_in_words(rated: RatingSystem, games: GameTable) -> dict[str, str]:
    """Regulations in force in the last period, for systems whose rules changed."""
    rules_of = getattr(rated, "rules_of", None)
    if rules_of is None:
        return {}
    rules, day = rules_of(games)
    of_day = f"first game of the last period: {day}" if day is not None else "the latest; the games have no dates"
    return {"rules": f"regulations in force from {rules.since} ({of_day})"}


def _look_of(table: pd.DataFrame) -> Look:
    """Layout of a list: whole ratings, results in one cell, changes from the printed rating or the last list."""
    shown = table.drop(columns="change_elo" if "printed_elo" in table or table["change_elo"].isna().all() else [])
    shown = shown.assign(**{"W-D-L": results_as_text(table)})
    return Look(shown, short=_SHORT, decimals=dict.fromkeys(_WHOLE, 0))
