"""Goals, or leads in sets, instead of results in a list, if they forecast held-out games of the same file better.

Strengths by surface, and printed rankings as measurements of strength, are tried beside leads.
"""

from dataclasses import replace

import numpy as np
import pandas as pd

from halfpoint.evaluation import worth_of_leads as leads
from halfpoint.evaluation.worth_of_goals import FEWEST, MOST, MOST_PLAYERS, Played, Worth, worth_of_goals
from halfpoint.models.formulas.football_index import index_in_goals
from halfpoint.models.formulas.margin import leads_in_sets, pairs_of_sets
from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.models.games.lead_index import days_of
from halfpoint.models.games.lead_index import leads as lead_columns
from halfpoint.models.games.select import Selection
from halfpoint.models.games.table import LEAD, Booleans, GameTable
from halfpoint.models.reading.reads import neutral_ground
from halfpoint.models.rows.printed_ranks import COLUMN as RANKED
from halfpoint.models.rows.printed_ranks import NAMES as RANK_NAMES
from halfpoint.models.rows.printed_ranks import has_numbers

_SURFACE, _BEST_OF = "surface", "best_of"  # columns that readers keep
_AGES = ("white_age", "black_age")
_OF_AGES = "0 + I(age - 28) + I((age - 28)**2)"  # effects of forecasts; lists, which are of strengths, lack them
_MOST_ERROR = 9.9  # of a weight in words
_NAMED = 6  # surfaces in words
_WITHOUT_DRAWS = ("bt-matched", "bt-mixed", "bt-chained")  # rows that leads in sets may replace
_FACTS = {"goals": "goals", "points": "margins"}  # by the beginnings of rows
_BY_GOALS = {
    f"davidson-{pairings}{ground}": f"goals-{pairings}{ground.removeprefix('-neutral')}"
    for pairings in ("matched", "mixed")
    for ground in ("", "-neutral", "-walk", "-yearly-walk")
} | {
    f"bt-{pairings}{ground}": f"points-{pairings}{ground.removeprefix('-neutral').removeprefix('-even')}"
    for pairings in ("matched", "mixed")
    for ground in ("", "-neutral", "-even", "-walk", "-yearly-walk")
}


def with_facts(name: str, selection: Selection, whole: Selection | None = None) -> tuple[str, Selection, str]:
    """The row and games of goals or leads for a row of results, if these improve forecasts, and a remark.

    The remark is empty if games have neither, or are too few for a trial. Games lack the rankings that do not improve.
    `whole` has games that a walk leaves out for their age, which leads in sets use.
    """
    games = selection.games
    plain = selection.sides is None and not selection.has_anchors and selection.weighting == "equal"
    if not plain or len(selection) < FEWEST or (games.date is not None and np.isnat(games.date).any()):
        return name, selection, ""
    of_leads = name.startswith(_WITHOUT_DRAWS) and LEAD in games.covariates
    row = "sets" if of_leads else _BY_GOALS.get(name) if games.has_margins else None
    if row is not None and not np.ptp(days_of(games)):
        fact = "leads in sets" if of_leads else "goals or margins"
        why = f"{fact} are not tried, since no game is later than another"
        return name, selection, f"facts: {why} (--model {row} uses them)"
    if of_leads and games.date is not None:
        whole = selection if whole is None else whole
        lost = int((~np.isfinite(leads_in_sets(whole.games))).sum())
        if lost:
            return name, selection, f"facts: leads in sets are not tried, since {count_noun(lost, 'game')} lack them"
        chosen, games_of_row, line = _with_leads(name, whole)
        return chosen, selection if chosen == name else games_of_row, line
    played = None if row is None or of_leads else _latest(selection, row.startswith("goals"))
    if row is None or played is None:
        return name, selection, _without_margins(name, games)
    (worth, of_shots), fact, lacking = worth_of_goals(played), _FACTS[row.partition("-")[0]], _without_shots(games)
    if of_shots is not None:
        before = "goals" if worth.used else "results"
        words, with_shots = (
            _in_words(of_shots, f"shots in addition to {before} improve", before),
            row.replace("goals", "shots"),
        )
        if of_shots.used:
            words = f"goals and shots are used: {words} (--facts none leaves them out)"
            return with_shots, selection, f"facts: {words}"
        lacking = f"; shots are not used: {words} (--model {with_shots} uses them)"
    if not worth.used:
        return name, selection, f"facts: {fact} are not used: {_in_words(worth)} (--model {row} uses them){lacking}"
    return row, selection, f"facts: {fact} are used: {_in_words(worth)} (--facts none leaves them out){lacking}"


def _without_shots(games: GameTable) -> str:
    """Reason why shots of some games are not tried, in words; else empty."""
    lost = int((~_have_shots(games)).sum())
    why = (
        "no game is drawn"
        if not (games.score == 0.5).any()
        else f"{count_noun(lost, 'game')} lack them"
        if lost
        else ""
    )
    return f"; shots are not tried, since {why}" if why and lost < len(games) else ""


def _without_margins(name: str, games: GameTable) -> str:
    """Number of games that lack goals or margins, in words, if others have them; else empty."""
    lost = int((~np.isfinite(games.margin)).sum())
    which = f"goals or margins are not tried, since {count_noun(lost, 'game')} lack them"
    return f"facts: {which}" if name in _BY_GOALS and 0 < lost < len(games) else ""


def require_shots(row: str, games: GameTable) -> None:
    """Raise `GameTableError` if a row of goals and shots is asked for games of which some lack shots."""
    lost = int((~_have_shots(games)).sum())
    if row.startswith("shots-") and lost:
        goals = row.partition(" ")[0].replace("shots", "goals")
        expected = "shots or shots on target of both sides in each game, which differ"
        raise GameTableError(f"--model {row}", expected, f"{count_noun(lost, 'game')} without", f"Use --model {goals}.")


def _have_shots(games: GameTable) -> Booleans:
    """Mask of the games whose shots, or shots on target, are known, (game,); none if sides never differ in them."""
    leads_in_shots = lead_columns(games)[:, 1:]
    differ = np.nan_to_num(leads_in_shots).any(axis=0)
    return np.asarray((np.isfinite(leads_in_shots) & differ).any(axis=1))


def _in_words(worth: Worth, subject: str = "they improve", before: str = "results") -> str:
    """Gain of forecasts by facts, and their weight in a pool with forecasts by what was known before."""
    weight = f"weight {worth.weight:.1f} ({worth.weight_error:.1f})"
    if worth.weight_error > _MOST_ERROR:
        weight = "an uncertain weight"
    return (
        f"on {worth.games} held-out games of the file {subject} forecasts by {worth.gain:+.4f} "
        f"({worth.gain_error:.4f}) nats a game, with {weight} in a pool with {before}"
    )


def _unread(games: GameTable) -> str:
    """Columns that leads in sets cannot use since some games lack them, and levels alike, in words; or empty."""
    words = []
    for name in (_SURFACE, _BEST_OF, *_AGES):
        values = games.covariates.get(name)
        numeric = values is not None and values.dtype.kind in "fiu"
        if values is not None and numeric == (name != _SURFACE):
            lost = int((~np.isfinite(values) if numeric else values == "").sum())
            words += [f"{name} is not used, since {count_noun(lost, 'game')} lack it"] if lost else []
    surfaces = np.unique(np.asarray(games.covariates.get(_SURFACE, [""])).astype(np.str_))
    if surfaces.size > np.unique(np.strings.lower(surfaces)).size:
        words.append(f"spellings of surfaces are separate: {', '.join(surfaces[:_NAMED].tolist())}")
    return "".join(f"; {word}" for word in words)


def _with_leads(name: str, selection: Selection) -> tuple[str, Selection, str]:
    """The row of leads in sets, with surfaces and rankings that improve forecasts, its games, and a remark."""
    games = selection.games
    assert games.date is not None
    years = np.unique(games.date.astype("datetime64[Y]")).size
    row = "sets-yearly-walk" if years > 1 else "sets"
    trial = leads.worth_of_leads(_played_sets(selection))
    unread = _unread(games)
    if not trial.names:
        words = f"leads in sets are not used: {_in_words(trial.worth)} (--model {row} uses them)"
        return name, selection, f"facts: {words}{unread}"
    by_surface = [f"(1 | player:{_SURFACE})"] if leads.SURFACES in trial.names else []
    aged = f"{row} with strength ~ {' + '.join([_OF_AGES, *by_surface])}"
    row = f"{row} with strength ~ {by_surface[0]}" if by_surface else row
    if leads.RANKINGS not in trial.names:
        columns = {column: values for column, values in games.covariates.items() if column not in RANK_NAMES}
        selection = replace(selection, games=replace(games, covariates=columns))
    used = ", ".join(name for name in trial.names if name != leads.AGES)
    further = f"; --model {aged!r} forecasts with ages too" if leads.AGES in trial.names else ""
    words = f"{used} are used: {_in_words(trial.worth)} (--facts none leaves them out{further})"
    return row, selection, f"facts: {words}{unread}"


def _played_sets(selection: Selection) -> leads.PlayedSets:
    """The latest games in the order of days, with the facts that all of them have."""
    games, day = selection.games, days_of(selection.games)
    order = np.argsort(day, kind="stable")[-leads.MOST :]
    codes = pd.factorize(np.append(selection.white[order], selection.black[order]))[0]
    columns = {column: np.asarray(values)[order] for column, values in games.covariates.items()}
    surface = pd.factorize(columns[_SURFACE])[0] if _SURFACE in columns and (columns[_SURFACE] != "").all() else None
    rank = None
    if has_numbers(games, RANKED):
        printed = np.stack([columns[side] for side in RANK_NAMES])
        rank = np.log(np.where(printed > 0.0, printed, np.nan))
    long = pairs_of_sets(columns[_BEST_OF]) if has_numbers(games, _BEST_OF) else np.zeros(order.size)
    white, black = codes.reshape(2, -1)
    ages = [columns[side] for side in _AGES if has_numbers(games, side)]
    age = np.stack(ages) if len(ages) == 2 else None
    return leads.PlayedSets(
        white, black, games.score[order], leads_in_sets(games)[order], day[order], long, surface, age, rank
    )


def _latest(selection: Selection, with_shots: bool) -> Played | None:
    """The latest games in the order of days; None with too many players or if goal differences do not vary."""
    games = selection.games
    day = days_of(games)
    order = np.argsort(day, kind="stable")[-MOST:]
    seats = np.stack([selection.white, selection.black])[:, order]
    codes, players = pd.factorize(seats.ravel())
    if players.size > MOST_PLAYERS or not np.ptp(games.margin[order]):
        return None
    white, black = codes.reshape(seats.shape)
    seated = neutral_ground(games)
    seats_differ = np.ones(order.size) if seated is None else seated[order]
    index = index_in_goals(games)[order] if with_shots and _have_shots(games).all() else None
    return Played(white, black, games.score[order], games.margin[order], day[order], seats_differ, index)
