"""What a backtest found: one score a game for each system, in tables by period and overall, against a reference system.

Systems without a draw probability get one by the common rule, whose one number is fitted on their own forecasts of the
training months. So every system has an expected score and three probabilities, and the tables say whose the draws are.
Differences to the reference are paired by game, with their standard errors.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from halfpoint.evaluation import scores
from halfpoint.evaluation.calibration_curves import calibration_of_outcomes
from halfpoint.evaluation.checks import Floats
from halfpoint.evaluation.differences import mean_difference
from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.rolling import Rolled
from halfpoint.games.table import GameTable
from halfpoint.systems.draw_curve import fit_log_draw, outcome_of

type Mask = npt.NDArray[np.bool_]
SCORES = ("expected_score_deviance", "log_score", "de_finetti", "ranked_probability_score", "accuracy")


@dataclass(frozen=True, eq=False)
class Judged:
    """One system's forecasts, with probabilities for every game it forecasts.

    Parameters
    ----------
    name, title : str
        Of the system.
    expected_score : array of float, shape (game,)
        White's expected score, NaN where there is no forecast.
    outcome : array of float, shape (game, 3)
        Loss, draw, win.
    draws : str
        "own", or "rule" if the draw probabilities come from the common rule.
    log_draw : float
        The rule's number; NaN where the system has its own.
    seconds : float
        Time to forecast and learn all games.
    """

    name: str
    title: str
    expected_score: Floats
    outcome: Floats
    draws: str
    log_draw: float
    seconds: float


def judge(name: str, title: str, games: GameTable, rolled: Rolled, training: Mask) -> Judged:
    """Return forecasts with probabilities; where a system has none, by the rule fitted on the training months.

    Parameters
    ----------
    name, title : str
        Of the system.
    games : GameTable
        All games.
    rolled : Rolled
        Its forecasts.
    training : array of bool, shape (game,)
        The games of the training months that the rule is fitted on.

    Raises
    ------
    EvaluationError
        If the system forecast no game of the training months.
    """
    known = ~np.isnan(rolled.expected_score)
    own = ~np.isnan(rolled.outcome).any(axis=1)
    seconds = float(rolled.seconds.sum())
    if (own == known).all():
        expected = np.where(known, rolled.outcome @ scores.SCORE_OF_OUTCOME, np.nan)
        return Judged(name, title, expected, rolled.outcome, "own", float("nan"), seconds)
    fitted = known & training
    if not fitted.any():
        raise EvaluationError(name, "forecasts in the training months", "none", "Begin judging later (--from).")
    log_draw = fit_log_draw(rolled.expected_score[fitted], games.outcome[fitted])
    outcome = np.full((len(games), 3), np.nan)
    outcome[known] = outcome_of(rolled.expected_score[known], log_draw)
    return Judged(name, title, rolled.expected_score, outcome, "rule", log_draw, seconds)


def score_games(games: GameTable, system: Judged) -> dict[str, Floats]:
    """Return each score, shape (game,), NaN where the system has no forecast."""
    known = ~np.isnan(system.expected_score)
    p, e = system.outcome[known], np.clip(system.expected_score[known], 0.0, 1.0)
    o, y = games.outcome[known], games.score[known]
    values = (
        scores.binomial_deviance(e, y),
        scores.log_score(p, o),
        scores.de_finetti(p, o),
        scores.ranked_probability_score(p, o),
        scores.accuracy(p, o),
    )
    found = {}
    for name, value in zip(SCORES, values, strict=True):
        found[name] = np.full(len(games), np.nan)
        found[name][known] = value
    return found


def overall(
    games: GameTable, systems: Mapping[str, Judged], stretches: Mapping[str, Mask], reference: str
) -> pd.DataFrame:
    """Return one row for each stretch of games and system: means, differences to the reference, standard errors.

    Parameters
    ----------
    games : GameTable
        All games.
    systems : mapping of str to Judged
        By name.
    stretches : mapping of str to array of bool, shape (game,)
        Which games are judged together, by name.
    reference : str
        Name of the system that the others are set against.

    Returns
    -------
    DataFrame
        stretch, system, title, draws, games, each score, each score's `_difference` (system less reference) and
        `_standard_error`, seconds_per_1000_games. A system that does not forecast every game of a stretch is left out.
    """
    if reference not in systems:
        raise EvaluationError("reference system", ", ".join(systems), repr(reference))
    by_game = {name: score_games(games, system) for name, system in systems.items()}
    rows = []
    for stretch, mask in stretches.items():
        for name, system in systems.items():
            if not mask.any() or np.isnan(system.expected_score[mask]).any():
                continue
            row: dict[str, object] = {"stretch": stretch, "system": name, "title": system.title}
            row |= {"draws": system.draws, "games": int(mask.sum())}
            for score in SCORES:
                row[score] = float(by_game[name][score][mask].mean())
            for score in SCORES:
                gap = mean_difference(by_game[name][score][mask], by_game[reference][score][mask])
                row[f"{score}_difference"], row[f"{score}_standard_error"] = gap.mean, gap.standard_error
            row["seconds_per_1000_games"] = 1000.0 * system.seconds / int((~np.isnan(system.expected_score)).sum())
            rows.append(row)
    table = pd.DataFrame(rows)
    return table.sort_values(["stretch", "log_score"], kind="stable").reset_index(drop=True) if rows else table


def by_period(games: GameTable, systems: Mapping[str, Judged], mask: Mask, reference: str) -> pd.DataFrame:
    """Return one row for each period and system: mean scores, and the cumulative lead over the reference.

    Returns
    -------
    DataFrame
        period, system, games, each score, and `cumulative_lead`, the sum over all games so far of the reference's log
        score less the system's, in nats: what the system has gained.
    """
    if games.period is None:
        raise EvaluationError(games.source, "a period for each game", "none")
    rows = []
    held = score_games(games, systems[reference])["log_score"]
    for name, system in systems.items():
        found = score_games(games, system)
        here = mask & ~np.isnan(system.expected_score)
        lead = 0.0
        for period in np.unique(games.period[here]):
            now = here & (games.period == period)
            lead += float(np.nansum(held[now] - found["log_score"][now]))
            row: dict[str, object] = {"period": int(period), "system": name, "games": int(now.sum())}
            rows.append(row | {score: float(found[score][now].mean()) for score in SCORES} | {"cumulative_lead": lead})
    return pd.DataFrame(rows)


def calibration(games: GameTable, systems: Mapping[str, Judged], mask: Mask, bins: int = 10) -> pd.DataFrame:
    """Return the calibration tables of all systems, one below the other, with a first column `system`."""
    parts = []
    for name, system in systems.items():
        here = mask & ~np.isnan(system.expected_score)
        if here.any():
            part = calibration_of_outcomes(system.outcome[here], games.outcome[here], bins)
            part.insert(0, "system", name)
            parts.append(part)
    return pd.concat(parts, ignore_index=True)
