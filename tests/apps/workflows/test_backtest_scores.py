"""Tables of a backtest made system by system equal those of all systems at once, in any order."""

import numpy as np
import pytest
from rating_games import simulated

from halfpoint.apps.workflows.backtest_scores import PlanScores
from halfpoint.evaluation.backtest_tables import by_period, judge, overall
from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.rolling import roll
from halfpoint.systems.catalogue import SYSTEMS

NAMES = ("elo", "glicko", "trueskill", "base-rates")


@pytest.fixture(scope="module")
def judged():
    """400 games of 8 periods and the forecasts of four systems."""
    games, _ = simulated(31, players=12, games=400, periods=8)
    training = games.period <= 3
    built = {name: SYSTEMS[name].build(SYSTEMS[name].start) for name in NAMES}
    return games, {name: judge(name, name.title(), games, roll(games, one), training) for name, one in built.items()}


@pytest.mark.parametrize("order", [NAMES, NAMES[::-1], ("trueskill", "elo", "base-rates", "glicko")])
def test_tables_do_not_depend_on_who_is_done_first(judged, order):
    games, systems = judged
    stretches = {"late": games.period > 3, "some": (games.period > 5) & (games.white % 2 == 0)}
    scores = PlanScores(games, stretches, "late", "glicko", np.arange(400)[::-1])
    for name in order:
        scores.add(systems[name])
    scores.in_order(NAMES)
    assert scores.overall().equals(overall(games, systems, stretches, "glicko"))
    assert scores.by_period().drop(columns="set").equals(by_period(games, systems, stretches["late"], "glicko"))
    long = scores.long_table()
    assert long["system"].unique(maintain_order=True).to_list() == list(NAMES)
    known = ~np.isnan(systems["elo"].expected_score)
    part = long.filter(long["system"] == "elo")
    np.testing.assert_array_equal(part["game"].to_numpy(), (400 - np.arange(400))[known])
    np.testing.assert_array_equal(part["win"].to_numpy(), systems["elo"].outcome[known, 2])
    assert part["white"].to_list() == games.white_names[known].tolist()


def test_the_lead_of_a_period_is_that_of_its_games(judged):
    games, systems = judged
    table = by_period(games, systems, games.period > 3, "glicko").set_index(["system", "period"]).loc["elo"]
    at = np.arange(400), games.outcome
    gap = np.log(systems["glicko"].outcome[at]) - np.log(systems["elo"].outcome[at])
    late = [gap[games.period == period] for period in range(4, 9)]
    np.testing.assert_allclose(table["difference"], [one.mean() for one in late], rtol=1e-12)
    np.testing.assert_allclose(table["cumulative_lead"], -np.cumsum([one.sum() for one in late]), rtol=1e-9)


def test_a_missing_reference_is_refused(judged):
    games, systems = judged
    scores = PlanScores(games, {"late": games.period > 3}, "late", "stephenson")
    scores.add(systems["elo"])
    with pytest.raises(EvaluationError, match="reference system: expected elo, found 'stephenson'"):
        scores.in_order(["elo"])
