"""Forecasts judged by hand: probabilities of the rule, events, parts of a log score, leads by period."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from halfpoint.evaluation.backtest_tables import (
    by_period,
    calibration,
    events_of,
    judge,
    left_out,
    log_score_parts,
    overall,
    score_games,
)
from halfpoint.evaluation.errors import EvaluationError
from halfpoint.models.games.table import GameTable


def table(period=(1, 1, 2, 2, 3, 3), event=None, score=(1.0, 0.5, 0.0, 1.0, 0.5, 0.0)):
    """Six games of four players."""
    white, black = np.array([0, 1, 2, 3, 0, 2], dtype=np.int32), np.array([1, 2, 3, 0, 2, 1], dtype=np.int32)
    count = len(period)
    return GameTable(
        np.array(list("abcd")), white[:count], black[:count], np.array(score[:count]), period=np.array(period),
        event=None if event is None else np.array(event),
    )  # fmt: skip


def rolled(outcome, expected=None):
    """Forecasts of six games."""
    p = np.array(outcome, dtype=np.float64)
    points = p @ [0.0, 0.5, 1.0] if expected is None else np.array(expected)
    return SimpleNamespace(
        expected_score=points, outcome=p, seconds=np.array([1.0, np.nan, 0.5]), margin=np.full((6, 5), np.nan)
    )


P = np.array([[0.2, 0.3, 0.5], [0.1, 0.6, 0.3], [0.5, 0.3, 0.2], [0.3, 0.3, 0.4], [0.25, 0.5, 0.25], [0.6, 0.2, 0.2]])
NONE = np.full((6, 3), np.nan)
TRAINING = np.array([True, True, True, True, False, False])


def test_own_probabilities_are_used():
    found = judge("x", "X", table(), rolled(P), TRAINING)
    assert (found.draws, found.seconds, found.margin) == ("own", 1.5, None)
    assert np.isnan(found.log_draw)
    np.testing.assert_allclose(found.expected_score, P @ [0.0, 0.5, 1.0])
    late = P.copy()
    late[0] = np.nan
    expected = np.append(np.nan, P[1:] @ [0.0, 0.5, 1.0])
    assert judge("x", "X", table(), rolled(late, expected), TRAINING).draws == "own"


@pytest.mark.parametrize("margins", [0, 1, 6])
def test_margins_of_some_games_are_forecasts_of_margins(margins):
    forecasts = rolled(P)
    forecasts.margin[:margins] = 1.0
    assert (judge("x", "X", table(), forecasts, TRAINING).margin is None) == (margins == 0)


def test_other_systems_have_the_rule_of_their_training_games():
    expected = P @ [0.0, 0.5, 1.0]
    found = judge("x", "X", table(), rolled(NONE, expected), TRAINING)
    assert found.draws == "rule"
    np.testing.assert_allclose(found.outcome.sum(axis=1), 1.0)
    np.testing.assert_allclose(found.outcome @ [0.0, 0.5, 1.0], expected, atol=1e-6)
    few_draws = judge("x", "X", table(score=(1.0, 0.0, 0.0, 1.0, 0.5, 0.5)), rolled(NONE, expected), TRAINING)
    assert few_draws.log_draw < found.log_draw
    with pytest.raises(EvaluationError, match="forecasts in the training months"):
        judge("x", "X", table(), rolled(NONE, expected), np.zeros(6, dtype=bool))


@pytest.mark.parametrize(
    ("period", "event", "labels"),
    [
        ((1, 1, 2, 2, 3, 3), None, [0, 0, 1, 1, 2, 2]),
        ((1, 2, 3, 3, 5, 6), ["open"] * 6, [0, 0, 0, 0, 1, 1]),  # a gap of a period
        ((1, 1, 2, 2, 3, 3), ["x", "y", "x", "y", "x", "y"], [0, 1, 0, 1, 0, 1]),
    ],
)
def test_an_event_is_a_name_in_consecutive_periods(period, event, labels):
    found = events_of(table(period, event))
    same = np.array(labels)
    assert ((found[:, None] == found) == (same[:, None] == same)).all()


@pytest.mark.parametrize(("periods", "events"), [(12, 1), (13, 13)])
def test_a_name_of_more_than_twelve_periods_is_a_kind_of_game(periods, events):
    zero = np.zeros(periods, dtype=np.int32)
    games = GameTable(
        np.array(["a", "b"]), zero, zero + 1, np.ones(periods), period=np.arange(periods) + 1,
        event=np.array(["friendly"] * periods),
    )  # fmt: skip
    assert np.unique(events_of(games)).size == events


def judged(p=P, name="x"):
    return judge(name, name.upper(), table(), rolled(p), TRAINING)


def test_a_log_score_is_whether_and_who():
    parts = log_score_parts(table(), judged())
    outcome = np.array([2, 1, 0, 2, 1, 0])
    total = -np.log(P[np.arange(6), outcome])
    np.testing.assert_allclose(parts["draw"] + parts["decisive"], total)
    np.testing.assert_allclose(parts["draw"][:2], [-np.log(0.7), -np.log(0.6)])
    np.testing.assert_allclose(parts["decisive"][:2], [-np.log(0.5 / 0.7), 0.0])
    scored = score_games(table(), judged())
    np.testing.assert_allclose(scored["log_score"], total)
    np.testing.assert_allclose(scored["accuracy"], [1, 1, 1, 1, 1, 1])


OTHER = np.full((6, 3), 1.0 / 3.0)


def test_rows_of_a_set_have_means_and_periods_that_are_better():
    stretches = {"late": np.arange(6) >= 2, "all": np.ones(6, dtype=bool)}
    rows = overall(table(), {"x": judged(), "even": judged(OTHER)}, stretches, "even").set_index(["set", "system"])
    outcome = np.array([2, 1, 0, 2, 1, 0])
    gap = -np.log(P[np.arange(6), outcome]) - np.log(3.0)
    assert rows.loc[("all", "x"), "difference"] == pytest.approx(gap.mean())
    assert rows.loc[("late", "x"), "difference"] == pytest.approx(gap[2:].mean())
    assert rows.loc[("late", "x"), ["games", "periods"]].tolist() == [4, 2]
    better = [gap[:2].sum() < 0, gap[2:4].sum() < 0, gap[4:].sum() < 0]
    assert rows.loc[("all", "x"), "periods_better"] == sum(better)
    assert rows.loc[("all", "even"), "log_score"] == pytest.approx(np.log(3.0))
    assert rows.loc[("all", "even"), "difference"] == 0.0
    parts = rows.loc[("all", "x"), ["difference_draw", "difference_decisive"]].sum()
    assert parts == pytest.approx(gap.mean())
    with pytest.raises(EvaluationError, match="reference system"):
        overall(table(), {"x": judged()}, stretches, "even")


def test_the_lead_is_summed_over_periods():
    mask = np.array([False, True, True, True, True, True])
    rows = by_period(table(), {"x": judged(), "even": judged(OTHER)}, mask, "even")
    ours = rows[rows["system"] == "x"]
    gap = -np.log(P[np.arange(6), [2, 1, 0, 2, 1, 0]]) - np.log(3.0)
    assert ours["games"].tolist() == [1, 2, 2]
    np.testing.assert_allclose(ours["cumulative_lead"], -np.cumsum([gap[1], gap[2:4].sum(), gap[4:].sum()]))
    np.testing.assert_allclose(ours["difference"], [gap[1], gap[2:4].mean(), gap[4:].mean()])
    with pytest.raises(EvaluationError, match="a period for each game"):
        by_period(replace(table(), period=None), {"x": judged()}, mask, "x")


def test_calibration_has_the_judged_games_of_each_system():
    late = P.copy()
    late[0] = np.nan
    rows = calibration(table(), {"x": judged(), "late": judged(late)}, np.arange(6) < 5, bins=1)
    games = rows[rows["event"] == "draw"].set_index("system")["games"]
    assert games.to_dict() == {"x": 5, "late": 4}


def test_forecasters_without_a_forecast_are_named_with_the_reason():
    late = P.copy()
    late[:2] = np.nan
    lines = left_out(table(), {"x": judged(), "late": judged(late)}, {"all": np.ones(6, dtype=bool)}, list("abcd"))
    assert list(lines) == ["all"]
    (line,) = lines["all"]
    assert line.startswith("late is left out: it has no forecast of 2 games of 6 (a - b, ")
    assert line.endswith("it had learned too few games)")
