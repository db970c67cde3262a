"""How good the forecasts of earlier editions are, on the games that were played after each.

An edition's chance of a game is its published forecast of that fixture, else the chance by its list
(`halfpoint.apps.workflows.followed.chances_of_list`). The log score (`halfpoint.evaluation.scores.log_score`, lower is
better) is shown with that of the shares of results in the edition's games, and of odds where the file has them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from halfpoint.apps.fields.site.edition import Edition, Row
from halfpoint.apps.workflows.followed import chances_of_list
from halfpoint.evaluation.scores import log_score
from halfpoint.models.games.table import Floats

OUTCOMES = ("loss_percent", "draw_percent", "win_percent")


@dataclass(frozen=True)
class Judgement:
    """Scores of some games by an edition, or by the latest edition before each game."""

    edition: int  # 0: the latest edition before each game
    day: str | None
    games: int
    score: float
    baseline: float
    difference: float  # baseline less score
    error: float  # standard error of the difference
    odds: float | None  # of the games with odds
    odds_games: int
    odds_difference: float | None  # score by odds less ours, of these games
    odds_error: float | None

    def record(self) -> dict[str, object]:
        """Numbers for JSON."""
        return vars(self)


def judge(editions: Sequence[Edition], games: pd.DataFrame, odds: Floats | None) -> list[Judgement]:
    """Scores of all earlier editions together, then of each with later games; `odds` has shape (game, outcome)."""
    usable = [edition for edition in editions if edition["shares"] is not None and edition["unit"] == "elo"]
    if not usable or "score" not in games or games["score"].isna().any():
        return []
    outcome = np.rint(2.0 * games["score"].to_numpy(np.float64)).astype(np.int64)
    best = np.full((len(games), 3), np.nan)
    base = np.full((len(games), 3), np.nan)
    judgements = []
    for edition in usable:
        chances = forecasts_of(edition, games)
        scored = ~np.isnan(chances[:, 0])
        if scored.any():
            plain = np.tile(np.array(edition["shares"]), (len(games), 1))
            judgements.append(_judgement(edition["edition"], edition["day"], scored, chances, plain, odds, outcome))
            best[scored], base[scored] = chances[scored], plain[scored]
    if judgements:
        judgements.insert(0, _judgement(0, None, ~np.isnan(best[:, 0]), best, base, odds, outcome))
    return judgements


def _judgement(
    number: int, day: str | None, scored: npt.NDArray[np.bool_], chances: Floats, base: Floats, odds: Floats | None,
    outcome: npt.NDArray[np.int64],
) -> Judgement:  # fmt: skip
    """Scores of some games; shapes (game,), (game, outcome)."""
    score, plain = (log_score(edition[scored], outcome[scored]) for edition in (chances, base))
    priced = np.zeros(len(outcome), dtype=np.bool_) if odds is None else scored & ~np.isnan(odds[:, 0])
    quoted, odds_difference, odds_error = None, None, None
    if odds is not None and priced.any():
        by_odds = log_score(odds[priced], outcome[priced])
        ours = log_score(chances[priced], outcome[priced])
        quoted, odds_difference, odds_error = (
            float(by_odds.mean()),
            float((by_odds - ours).mean()),
            _error(by_odds - ours),
        )
    return Judgement(
        number, day, int(scored.sum()), float(score.mean()), float(plain.mean()), float((plain - score).mean()),
        _error(plain - score), quoted, int(priced.sum()), odds_difference, odds_error,
    )  # fmt: skip


def _error(values: Floats) -> float:
    """Standard error of a mean, 0 of one value."""
    return float(values.std(ddof=1) / np.sqrt(values.size)) if values.size > 1 else 0.0


def forecasts_of(edition: Edition, games: pd.DataFrame) -> Floats:
    """Chances of loss, draw and win by an edition for the games after it, shape (game, outcome); NaN for others."""
    chances_of_game = np.full((len(games), 3), np.nan)
    for place, chances in _by_fixtures(edition, games).items():
        chances_of_game[place] = chances
    later = np.array(_after(edition, games), dtype=np.int64)
    later = later[np.isnan(chances_of_game[later, 0])] if later.size else later
    rows = {row["name"]: row for row in edition["rows"] if row.get("rating_elo") is not None}
    first, second = games["first"].tolist(), games["second"].tolist()
    rated_games = [place for place in later.tolist() if first[place] in rows and second[place] in rows]
    if rated_games:
        chances_of_game[rated_games] = by_list(edition, [(first[place], second[place]) for place in rated_games])
    return chances_of_game


def by_list(edition: Edition, pairs: Sequence[tuple[str, str]]) -> Floats:
    """Chances of loss, draw and win of pairs by an edition's ratings, shape (pair, outcome)."""
    rows: Mapping[str, Row] = {row["name"]: row for row in edition["rows"]}
    rating = np.array([[rows[name]["rating_elo"] for name in pair] for pair in pairs])
    sd = np.array([[rows[name]["sd_elo"] for name in pair] for pair in pairs])
    difference = rating[:, 0] - rating[:, 1] + (edition["advantage"] or 0.0)
    chances = chances_of_list(difference, np.sqrt((sd**2).sum(axis=1)), edition["draw_rate"])
    if edition["draw_rate"] is None:  # half points: draws are as frequent as so far
        drawn = edition["shares"][1]
        chances = chances * (1.0 - drawn)
        chances[:, 1] = drawn
    return chances


def _after(edition: Edition, games: pd.DataFrame) -> list[int]:
    """Games after an edition: on later days, or, without days, games that its file lacked."""
    if edition["day"] is None or "day" not in games:
        return list(range(edition["games"], len(games)))
    return [place for place, day in enumerate(games["day"].tolist()) if day and day > edition["day"]]


def _by_fixtures(edition: Edition, games: pd.DataFrame) -> dict[int, list[float]]:
    """Chances of fixtures played after an edition, by index of the game: the last games of each pair."""
    waiting: dict[tuple[str, str], list[list[float]]] = {}
    for row in edition["coming"]:
        if row.get("win_percent") is not None:
            pair = row["first"], row["second"]
            waiting.setdefault(pair, []).append([row[name] / 100.0 for name in OUTCOMES])
    chances_of_game: dict[int, list[float]] = {}
    pairs = list(zip(games["first"].tolist(), games["second"].tolist(), strict=True))
    for place in _after(edition, games):
        if waiting.get(pairs[place]):
            chances = waiting[pairs[place]].pop(0)
            chances_of_game[place] = [edition / sum(chances) for edition in chances]
    return chances_of_game
