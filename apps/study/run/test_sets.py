"""`tables/predictive.csv` and `tables/calibration.csv`: scores of every trace of a study on the test sets."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr

from halfpoint.apps.study.judged_sets import (
    JudgedSet,
    Observation,
    likelihood_columns,
    reference_lines,
    scores_per_game,
)
from halfpoint.apps.study.posterior_draws import model_draws
from halfpoint.apps.study.protocol import carlsen_scale
from halfpoint.evaluation.calibration_curves import calibration_of_outcomes, calibration_table
from halfpoint.evaluation.errors import EvaluationError
from halfpoint.inference.forecast import IMPUTATIONS, Forecast, Rule, forecast
from halfpoint.models.games.table import Floats, GameTable
from halfpoint.models.games.units import to_natural
from halfpoint.readers.datasets.study import COVARIATES
from halfpoint.systems.curves import expected_score

_RAPID_EVENT = "EventWRBC2013"  # World Rapid and Blitz Championship 2013
_BINS = 8
Rows = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class TestSets:
    """The games of set B, and the membership of the other sets."""

    __test__ = False
    games: GameTable  # set B: at least one player monitored
    sets: dict[str, Rows]  # (game,), A, B and, where events are known, their classical and rapid parts
    ratings: dict[str, tuple[Floats, Floats]]  # (game,), by anchors: "list" (December 2012), "day"

    @property
    def needs_imputation(self) -> Rows:
        """Mask of games with a player who is not monitored, shape (game,)."""
        return ~self.sets["A"]


@dataclass(frozen=True, eq=False)
class SetForecast:
    """Forecast of set B by one model and rule: log likelihoods of all draws, other values as means."""

    log_predictive: Floats
    expected: Floats
    probability: Floats | None

    def replace_games(self, rows: Rows, by: "SetForecast") -> "SetForecast":
        """Copy with some games replaced by another forecast of these games."""
        logs, expected = self.log_predictive.copy(), self.expected.copy()
        logs[:, :, rows], expected[rows] = by.log_predictive, by.expected
        probability = None if self.probability is None else self.probability.copy()
        if probability is not None:
            probability[rows] = by.probability
        return SetForecast(logs, expected, probability)


def sets_of(games: GameTable, monitored: Sequence[str]) -> TestSets:
    """The test sets of games with at least one monitored player, with ratings of list and day."""
    names = np.asarray(monitored, dtype=np.str_)
    both_monitored = np.isin(games.white_names, names) & np.isin(games.black_names, names)
    sets: dict[str, Rows] = {"A": both_monitored, "B": np.ones(len(games), dtype=bool)}
    if games.event is not None:
        rapid = games.event == _RAPID_EVENT
        for name, rows in list(sets.items()):
            sets[f"{name}-classical"], sets[f"{name}-rapid"] = rows & ~rapid, rows & rapid
    white, black = (np.asarray(games.covariates[column], dtype=np.float64) for column in COVARIATES)
    assert games.white_rating_elo is not None
    assert games.black_rating_elo is not None
    day = (games.white_rating_elo, games.black_rating_elo)
    return TestSets(
        games, {name: rows for name, rows in sets.items() if rows.any()}, {"list": (white, black), "day": day}
    )


def judge_references(sets: TestSets) -> list[JudgedSet]:
    """Judge the reference models on every set."""
    expected = {anchors: expected_score(white - black) for anchors, (white, black) in sets.ratings.items()}
    lines: list[JudgedSet] = []
    for name, rows in sets.sets.items():
        by_anchors = {anchors: value[rows] for anchors, value in expected.items()}
        lines += reference_lines(sets.games.outcome[rows], name, by_anchors)
    return lines


def judge_trace(
    tree: xr.DataTree, sets: TestSets, common_advantage: float | None
) -> tuple[list[JudgedSet], list[pd.DataFrame]]:
    """Lines of a trace under every relevant imputation and anchor, and its calibration on A and B."""
    base: SetForecast | None = None
    about, lines, calibrations = (tree.attrs["model"], tree.attrs["edition"]), [], []
    for imputation, anchors, rows, variant in _forecasts(tree, sets, common_advantage):
        set_forecast = SetForecast(variant.log_predictive, variant.mean_expected, variant.mean_probability)
        is_first = base is None
        base = set_forecast if base is None else base
        set_forecast = set_forecast if rows.all() else base.replace_games(rows, set_forecast)
        for name, games in sets.sets.items():
            matters = bool((games & sets.needs_imputation).any())
            if not matters and not is_first:
                continue
            columns, density = likelihood_columns(set_forecast.log_predictive[:, :, games])
            p = None if set_forecast.probability is None else set_forecast.probability[games]
            outcome = sets.games.outcome[games]
            how = (imputation, anchors) if matters else ("none", "none")
            kind: Observation = "half points" if p is None else "three outcomes"
            per_game = {"neg2_lpd": density} | scores_per_game(set_forecast.expected[games], p, outcome)
            converged = bool(tree.attrs["converged"])
            lines.append(JudgedSet(*about, name, *how, kind, columns, per_game, converged))
            if name in ("A", "B") and is_first:
                calibrations.append(_calibration((*about, name), set_forecast.expected[games], p, outcome))
    return lines, calibrations


def _forecasts(
    tree: xr.DataTree, sets: TestSets, common_advantage: float | None
) -> Iterator[tuple[str, str, Rows, Forecast]]:
    """Yield (imputation, anchors, games, their forecast): all games first, then the games that a variant changes.

    The last forecast of the computed edition uses the rule of the printed figures, anchors "study": ratings of the day,
    the model's own ratings multiplied by Carlsen's rating of the day over Carlsen's estimate, `mean` the whole common
    advantage, `mirror` twice the opponent's advantage.
    """
    is_per_player = tree.attrs["advantage"] == "player"
    all_rows = np.ones(len(sets.games), dtype=bool)
    variants = [
        (imputation, anchors) for anchors in sets.ratings for imputation in IMPUTATIONS[: 3 if is_per_player else 1]
    ]
    for number, (imputation, anchors) in enumerate(variants):
        rows = all_rows if number == 0 else sets.needs_imputation
        white, black = (rating[rows] for rating in sets.ratings[anchors])
        games = sets.games if number == 0 else sets.games.take(rows)
        yield (
            imputation if is_per_player else "none",
            anchors,
            rows,
            forecast(tree, games, Rule(imputation), white, black),
        )
    if tree.attrs["edition"] != "computed" or sets.games.simulated:
        return
    try:
        scale = carlsen_scale(model_draws(tree), sets.games)
    except EvaluationError:  # he plays no game, or has no estimate
        scale = 1.0
    for imputation in IMPUTATIONS[: 3 if is_per_player else 1]:
        rule = Rule(imputation, common_advantage, 2.0, scale)
        study_forecast = forecast(tree, sets.games, rule, *sets.ratings["day"])
        yield imputation if is_per_player else "none", "study", all_rows, study_forecast


def whole_advantage(tree: xr.DataTree) -> float:
    """Posterior mean of the common advantage in natural units."""
    mean = float(tree["posterior"]["advantage"].mean())
    return mean if tree.attrs["family"] == "davidson" else to_natural(mean)


def _calibration(
    about: tuple[str, str, str], expected: Floats, probability: Floats | None, outcome: npt.NDArray[np.int32]
) -> pd.DataFrame:
    """Calibration of one forecast, (name, edition, set): loss, draw, win, expected score, or the last."""
    if probability is None:
        table = calibration_table(expected, outcome / 2, _BINS)
        table.insert(0, "event", "expected_score")
    else:
        table = calibration_of_outcomes(probability, outcome, _BINS)
    for place, column in enumerate(("name", "edition", "set")):
        table.insert(place, column, about[place])
    return table
