"""Markets of future games from a trace: results, totals, handicaps, both to score, likeliest scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr

from halfpoint.apps.fields.football.options import HANDICAPS, SCORES, TOTALS
from halfpoint.apps.pages.cells import Look
from halfpoint.apps.pages.page import Page
from halfpoint.apps.workflows.answer import Answer, about_table, about_trace
from halfpoint.apps.workflows.answers import Trace, trace_from
from halfpoint.apps.workflows.beside.columns import notes_of_file
from halfpoint.apps.workflows.forecasts import days_in_print, forecast, games_to_come, page_of_games, short_days
from halfpoint.apps.workflows.intake import games_from
from halfpoint.apps.workflows.options import Games
from halfpoint.apps.workflows.rating_list import rate
from halfpoint.evaluation.digits import in_percent
from halfpoint.evaluation.first_sentences.leaders import surest
from halfpoint.models.declaration.trace_attributes import GOALS
from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.models.games.ranges import require_word, shorten_value
from halfpoint.models.games.table import Floats
from halfpoint.systems.catalogue import system
from halfpoint.systems.dixon_coles import DixonColes
from halfpoint.systems.odds import WITHOUT_MARGIN
from halfpoint.systems.score_markets import (
    both_score,
    clean_sheets,
    handicap,
    likeliest_scores,
    result_chances,
    totals,
)
from halfpoint.systems.scores_of_results import scores_of_results

_NAMED = "Name them: --columns white_goals=...,black_goals=..."
_TOTALS, _HANDICAPS = (2.5,), (-0.5, 0.0)


def football_markets(
    games: Games | Trace,
    coming: Games,
    lines: Sequence[float] = _TOTALS,
    handicaps: Sequence[float] = _HANDICAPS,
    scores: int = 1,
    *,
    new: str | Sequence[str] = (),
    numbers: Mapping[str, float] | None = None,
    reader: Mapping[str, object] | None = None,
) -> Answer:
    """Probabilities of the markets of fixtures, with the chances of results that `forecast` gives for the same trace.

    Parameters
    ----------
    games : str, Path, DataTree, GameTable or DataFrame
        A trace of games with goals, its file or folder; or such games, which are then rated as by `rate`.
    coming : str, Path, GameTable or DataFrame
        Future games: both sides, and dates.
    lines : sequence of float
        Totals, in quarters of a goal: over_2.5_percent, and over_2_returned_percent for whole and quarter lines.
    handicaps : sequence of float
        Goals given to the home side, in quarters: handicap_-0.5_percent, and likewise the returned percentage.
    scores : int
        Number of most likely scores.
    new : str or sequence of str
        Sides that have not played, or "all": drawn from the population of the trace. Others are refused.
    numbers : mapping of str to float, optional
        Parameters of a Dixon-Coles fit to games, in place of the trace: spread, forgets, newcomer.
    reader : mapping, optional
        Options of the reader of both files: columns, ignore, date_format, sides.

    Returns
    -------
    Answer
        One row per game: home, away, day if the file has days, expected goals, home_win_percent, draw_percent,
        away_win_percent, the markets, clean sheets, and score_1, score_1_percent, ...

    Raises
    ------
    HalfpointError
        If a file is refused, has no goals, a side is unknown, or a line is not a multiple of a quarter.
    """
    SCORES.require("--scores", scores, GameTableError)
    for option, allowed, asked in (("--lines", TOTALS, lines), ("--handicaps", HANDICAPS, handicaps)):
        for line in asked:
            if line not in allowed or 4.0 * line % 1.0:
                raise GameTableError(option, f"quarters of a goal from {allowed.ends}", shorten_value(line))
    options = dict(reader or {})
    if numbers is not None:
        if _is_trace(games):
            raise GameTableError("--set", "a file of games, to which Dixon and Coles' model is fitted", "a trace")
        joint = _by_goals(games, coming, numbers, options)
    else:
        joint = _by_results(games, coming, new, options)
    chances = joint.chances
    loss, draw, win = 100.0 * result_chances(chances).T
    count = np.arange(chances.shape[1])
    columns: dict[str, object] = joint.games | {
        "home_goals": chances.sum(axis=2) @ count, "away_goals": chances.sum(axis=1) @ count,
        "home_win_percent": win, "draw_percent": draw, "away_win_percent": loss,
    }  # fmt: skip
    for name, values, of in (("over", lines, totals), ("handicap", handicaps, handicap)):
        for line in values:
            _, returned, won = 100.0 * of(chances, float(line)).T
            columns[f"{name}_{line:g}_percent"] = won
            if line % 1.0 != 0.5:
                columns[f"{name}_{line:g}_returned_percent"] = returned
    columns["both_score_percent"] = 100.0 * both_score(chances)
    columns |= dict(zip(("home_to_nil_percent", "away_to_nil_percent"), 100.0 * clean_sheets(chances).T, strict=True))
    best, chance = likeliest_scores(chances, scores)
    for place in range(scores):
        columns[f"score_{place + 1}"] = [f"{x}-{y}" for x, y in best[:, place].tolist()]
        columns[f"score_{place + 1}_percent"] = 100.0 * chance[:, place]
    note = (
        "Percent. Returned: the chance that the stake comes back (push, void); on a quarter line, with half a stake on "
        f"each neighbour, the share that comes back. {joint.note}"
    )
    frame = pd.DataFrame(columns)
    wins = frame[["home_win_percent", "away_win_percent"]].to_numpy()
    game, seat = divmod(int(wins.argmax()), 2)
    pair = str(frame["home"].iloc[game]), str(frame["away"].iloc[game])
    team, opponent = pair[::-1] if seat else pair
    sentence = f"{team} wins {in_percent(float(wins.max()) / 100.0)}"
    expected = float(wins.max() + frame["draw_percent"].iloc[game] / 2.0) / 100.0
    answer = surest(len(frame), "game", team, opponent, sentence, expected)
    return MarketsForecast(
        frame, joint.about | {"answer": answer, "note": note}, look=Look(with_returned_stakes(frame))
    )


def _is_trace(games: object) -> bool:
    """True for a trace, a result with one, its file, or a folder of results."""
    if isinstance(games, str | Path):
        return Path(games).suffix == ".nc" or (Path(games) / "trace.nc").exists()
    return isinstance(getattr(games, "trace", games), xr.DataTree)


@dataclass(frozen=True, eq=False)
class _Joint:
    """Probabilities of the scores of games to come."""

    games: dict[str, Any]  # columns home, away and, if known, day
    chances: Floats  # (game, goals of White, goals of Black)
    about: dict[str, object]  # metadata of the answer
    note: str  # where they come from, in words


def _by_results(games: Games | Trace, coming: Games, new: str | Sequence[str], options: dict[str, Any]) -> _Joint:
    """Scores of games to come that agree with the forecasts of a trace (`systems.scores_of_results`)."""
    of_trace = _is_trace(games)
    tree = trace_from(games if of_trace else rate(games, reader=options))  # type: ignore[arg-type]
    if GOALS not in tree.attrs:
        remedy = "Rate the games again." if of_trace else _NAMED
        raise GameTableError(str(tree.attrs["data_name"]), "columns of the goals of both sides", "none", remedy)
    notes: list[str] = []
    forecasts = forecast(tree, coming, reader=options, new=new, say=notes.append)
    if "draw_percent" not in forecasts.frame:
        raise GameTableError("markets", "a model with draws", str(tree.attrs["model"]))
    results = forecasts.frame[["loss_percent", "draw_percent", "win_percent"]].to_numpy() / 100.0
    columns = {"home": forecasts.frame["white"], "away": forecasts.frame["black"]}
    columns |= {"day": forecasts.frame["day"]} if "day" in forecasts.frame else {}
    about = about_trace(tree, f"Markets of {count_noun(len(results), 'game')}, by {tree.attrs['model']}")
    note = " ".join(filter(None, ["Results are those of `forecast`.", str(forecasts.about["note"]).partition(". ")[2]]))
    note += "".join(f"\n{remark}." for remark in notes_of_file(notes, coming))
    return _Joint(columns, scores_of_results(results, float(tree.attrs[GOALS])), about, note)


def _by_goals(games: Any, coming: Games, numbers: Mapping[str, float], options: dict[str, Any]) -> _Joint:
    """Scores of games to come by Dixon and Coles' model with given numbers."""
    table = games_from(games, options)
    if not {"white_goals", "black_goals"} <= set(table.covariates):
        raise GameTableError(table.source, "columns of the goals of both sides", "none", _NAMED)
    ahead = games_to_come(coming, options)
    model = system("dixon-coles").build(system("dixon-coles").settings(numbers))
    assert isinstance(model, DixonColes)
    model.learn(table)
    columns: dict[str, object] = {"home": ahead.players[ahead.white], "away": ahead.players[ahead.black]}
    columns |= {} if (days := days_in_print(ahead)) is None else {"day": days}
    note = f"One fit of {len(table):,} games: Dixon and Coles (1997), low scores corrected by {model.fit()[2]:+.3f}."
    note += "".join(f"\n{remark}." for remark in (*table.notes, *notes_of_file(ahead.notes, coming)))
    title = f"Markets of {count_noun(len(ahead), 'game')}, from {table.name}"
    return _Joint(columns, model.scores(ahead), about_table(table, title, system="dixon-coles"), note)


@dataclass(frozen=True, eq=False, repr=False)
class MarketsForecast(Answer):
    """Markets of games, a row each; `frame` as in `football_markets`."""

    def page(self) -> Page:
        """Page: each game as a bar of home win, draw and away win beside its markets."""
        shown, shares = with_returned_stakes(self.frame), ["home_win_percent", "draw_percent", "away_win_percent"]
        shares_last = shown[[*shown.columns.difference(shares, sort=False), *shares]]  # the bar has them
        return page_of_games(self, shares_last, self.frame[shares])


def with_returned_stakes(frame: pd.DataFrame) -> pd.DataFrame:
    """Markets in print: the chance that a stake is returned beside the chance that its bet wins."""
    columns: dict[str, object] = {}
    for name in frame.columns:
        stem = name.removesuffix("_percent")
        if f"{stem}_returned_percent" in frame:
            pairs = zip(frame[name], frame[f"{stem}_returned_percent"], strict=True)
            columns[stem.replace("_", " ")] = [f"{won:.1f}% (returned {back:.1f}%)" for won, back in pairs]
        elif name == "day":
            columns[name] = short_days(frame[name].tolist())
        elif not name.endswith("_returned_percent"):
            columns[name] = frame[name]
    return pd.DataFrame(columns)


def odds_chances(odds: npt.ArrayLike, method: str = "shin") -> Floats:
    """The probabilities in decimal odds without the bookmaker's margin.

    Parameters
    ----------
    odds : array_like of float, shape (..., outcome)
        Decimal odds above 1.
    method : {"proportional", "shin", "power", "odds-ratio", "additive"}
        Method that removes the margin (`halfpoint.systems.odds`).

    Returns
    -------
    array of float, same shape

    Raises
    ------
    GameTableError
        If the method is unknown, or odds are not above 1.

    Examples
    --------
    >>> odds_chances([2.7, 2.3, 4.4], "power").round(4).tolist()
    [0.3592, 0.4237, 0.2171]
    """
    require_word("method", method, tuple(WITHOUT_MARGIN), GameTableError)
    decimal_odds = np.asarray(odds, dtype=np.float64)
    if not (decimal_odds > 1.0).all():
        raise GameTableError("odds", "decimal odds above 1", f"{np.nanmin(decimal_odds):g}")
    return WITHOUT_MARGIN[method](decimal_odds)
