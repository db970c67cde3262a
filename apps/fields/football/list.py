"""Markets of future games by Dixon and Coles: results, totals, handicaps, both to score, likeliest scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from halfpoint.apps.pages.cells import Look
from halfpoint.apps.pages.page import Page
from halfpoint.apps.workflows.answer import Answer, about_table
from halfpoint.apps.workflows.forecasts import days_in_print, games_to_come, page_of_games, short_days
from halfpoint.apps.workflows.intake import Games, games_from
from halfpoint.evaluation.digits import in_percent
from halfpoint.evaluation.first_sentences import surest
from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.models.games.ranges import Range, require_word
from halfpoint.models.games.table import Floats
from halfpoint.readers.unused_columns import notes_of_file
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

SCORES = Range(1, 20)
_TOTALS, _HANDICAPS = (2.5,), (-0.5, 0.0)


def football_markets(
    games: Games,
    coming: Games,
    lines: Sequence[float] = _TOTALS,
    handicaps: Sequence[float] = _HANDICAPS,
    scores: int = 1,
    *,
    numbers: Mapping[str, float] | None = None,
    reader: Mapping[str, Any] | None = None,
) -> Answer:
    """Probabilities of the markets of fixtures, from one Dixon-Coles fit to the games so far.

    Parameters
    ----------
    games : str, Path, GameTable or DataFrame
        Games with the goals of both sides, and dates.
    coming : str, Path, GameTable or DataFrame
        Future games: both sides, and dates.
    lines : sequence of float
        Totals, in quarters of a goal: over_2.5_percent, and over_2_returned_percent for whole and quarter lines.
    handicaps : sequence of float
        Goals given to the home side, in quarters: handicap_-0.5_percent, and likewise the returned percentage.
    scores : int
        Number of most likely scores.
    numbers : mapping of str to float, optional
        Parameters of the fit other than the defaults: spread, forgets, newcomer.
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
        If a file is refused, has no goals, or a line is not a multiple of a quarter.
    """
    SCORES.require("--scores", scores, GameTableError)
    table = games_from(games, **dict(reader or {}))
    if not {"white_goals", "black_goals"} <= set(table.covariates):
        raise GameTableError(
            table.source, "columns of the goals of both sides", "none", "Name them: --columns margin=..."
        )
    ahead = games_to_come(coming, dict(reader or {}))
    model = system("dixon-coles").build(system("dixon-coles").start | dict(numbers or {}))
    assert isinstance(model, DixonColes)
    model.learn(table)
    rates, _ = model.rates(ahead)
    chances = model.scores(ahead)
    loss, draw, win = 100.0 * result_chances(chances).T
    days = days_in_print(ahead)
    columns: dict[str, Any] = {
        "home": ahead.players[ahead.white], "away": ahead.players[ahead.black], "day": days, "home_goals": rates[:, 0],
        "away_goals": rates[:, 1], "home_win_percent": win, "draw_percent": draw, "away_win_percent": loss,
    }  # fmt: skip
    if days is None:
        del columns["day"]
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
        "Percent. Returned: the chance that the stake comes back (push, void), on a quarter line, half a stake on each "
        f"neighbour, the share of it that does. One fit of {len(table):,} games: Dixon and Coles (1997), low scores "
        f"corrected by {model.fit()[2]:+.3f}."
    )
    note += "".join(f"\n{remark}." for remark in (*table.notes, *notes_of_file(ahead.notes, coming)))
    frame = pd.DataFrame(columns)
    wins = frame[["home_win_percent", "away_win_percent"]].to_numpy()
    game, seat = divmod(int(wins.argmax()), 2)
    pair = str(frame["home"].iloc[game]), str(frame["away"].iloc[game])
    team, opponent = pair[::-1] if seat else pair
    sentence = f"{team} wins {in_percent(float(wins.max()) / 100.0)} by the goals of Dixon and Coles"
    answer = surest(len(ahead), "game", team, opponent, sentence, float(wins.max()) / 100.0)
    title = f"Markets of {count_noun(len(ahead), 'game')}, from {table.name}"
    about = about_table(table, title, system="dixon-coles", answer=answer, note=note)
    return MarketsForecast(frame, about, look=Look(with_returned_stakes(frame)))


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
    columns: dict[str, Any] = {}
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
