"""Rolling forecasts: no leak from the future, resumed runs, tuning on its own window only."""

from dataclasses import replace

import numpy as np
import pytest
from rating_games import simulated, table

from halfpoint.evaluation.backtest_tables import judge, overall
from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.rolling import _half_width, roll
from halfpoint.evaluation.tuning import frozen_window, judged_games, tune, window_loss
from halfpoint.models.games.draw_curve import outcome_of
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.periods import concatenate, with_periods
from halfpoint.models.games.rating_system import Forecast
from halfpoint.models.games.table import GameTable
from halfpoint.systems.catalogue import SYSTEMS

GAMES, _ = simulated(71, players=14, games=420, periods=9)


def shuffled_from(games, period, seed=5):
    """The same games with a permuted future: opponents, scores and ratings of all later games."""
    rng = np.random.default_rng(seed)
    late = np.flatnonzero(games.period >= period)
    order = np.arange(len(games))
    order[late] = rng.permutation(late)
    columns = {name: getattr(games, name).copy() for name in ("white", "black", "score", "event")}
    columns |= {name: getattr(games, name).copy() for name in ("white_rating_elo", "black_rating_elo")}
    for name, column in columns.items():
        columns[name] = column[order]
    columns["score"][late] = 1.0 - columns["score"][late]
    return replace(games, **columns)


@pytest.mark.cases(16)
@pytest.mark.parametrize("name", SYSTEMS)
def test_shuffling_the_future_changes_no_past_forecast(name):
    spec = SYSTEMS[name]
    other = shuffled_from(GAMES, 6)
    assert not np.array_equal(other.score, GAMES.score)
    first, second = roll(GAMES, spec.build(spec.start)), roll(other, spec.build(spec.start))
    past = GAMES.period <= 5
    assert first.expected_score[past].tolist() == second.expected_score[past].tolist()
    assert np.array_equal(first.outcome[past], second.outcome[past], equal_nan=True)
    future = ~past
    if name not in ("base-rates", "margin-rates"):  # what is forecast of the future does depend on the past's sequel
        assert not np.allclose(first.expected_score[future], second.expected_score[future])


def test_results_of_a_period_do_not_reach_its_own_forecast():
    spec = SYSTEMS["glicko"]
    now = GAMES.period == 6
    turned = replace(GAMES, score=np.where(now, 1.0 - GAMES.score, GAMES.score))
    first, second = roll(GAMES, spec.build(spec.start)), roll(turned, spec.build(spec.start))
    assert first.expected_score[now].tolist() == second.expected_score[now].tolist()
    assert first.expected_score[GAMES.period == 7].tolist() != second.expected_score[GAMES.period == 7].tolist()


class Breaks:
    """System that raises an error in one period."""

    def __init__(self, system, period):
        self.system, self.period = system, period

    def learn(self, games):
        if games.period[0] == self.period:
            raise KeyboardInterrupt
        self.system.learn(games)

    def forecast(self, games):
        return self.system.forecast(games)

    def state(self):
        return self.system.state()

    def load(self, state):
        self.system.load(state)


@pytest.mark.parametrize("name", ["elo", "glicko-2", "elo-plus-plus", "park-newman", "fide-rating", "trueskill"])
def test_an_interrupted_run_goes_on_and_ends_alike(name, tmp_path):
    spec = SYSTEMS[name]
    whole = roll(GAMES, spec.build(spec.start))
    with pytest.raises(KeyboardInterrupt):
        roll(GAMES, Breaks(spec.build(spec.start), 5), tmp_path / "run.npz", name)
    done = []
    resumed = roll(GAMES, spec.build(spec.start), tmp_path / "run.npz", name, done.append)
    assert done == [5, 6, 7, 8, 9]
    assert resumed.expected_score.tolist() == whole.expected_score.tolist()
    assert np.array_equal(resumed.outcome, whole.outcome, equal_nan=True)
    assert roll(GAMES, spec.build(spec.start), tmp_path / "run.npz", name, done.append).seconds.shape == (9,)
    assert len(done) == 5  # nothing left to do


@pytest.mark.parametrize("change", ["settings", "games"])
def test_a_checkpoint_of_something_else_is_not_used(change, tmp_path):
    spec = SYSTEMS["elo"]
    roll(GAMES, spec.build(spec.start), tmp_path / "run.npz", "k 15")
    games = shuffled_from(GAMES, 9) if change == "games" else GAMES
    done = []
    roll(games, spec.build(spec.start), tmp_path / "run.npz", "k 20" if change == "settings" else "k 15", done.append)
    assert len(done) == 9


def test_tuning_finds_the_number_that_made_the_games():
    # Strengths drawn once, White 60 Elo ahead: with K = 0 and printed ratings the advantage is all there is to find.
    games, _ = simulated(72, players=40, games=8000, periods=6, advantage_elo=60.0)
    spec = SYSTEMS["elo"]
    start = dict(spec.start) | {"k": 0.0, "advantage": 0.0}
    found = tune(games, spec.build, {"advantage": (0.0, 30.0, 60.0, 90.0, 120.0)}, start)
    assert found.settings["advantage"] == 60.0
    assert found.tried == 5


def test_tuning_returns_the_best_of_its_grid():
    spec = SYSTEMS["glicko"]
    found = tune(GAMES, spec.build, spec.grid, spec.start)
    for name, values in spec.grid.items():
        losses = [window_loss(GAMES, roll(GAMES, spec.build(dict(found.settings) | {name: v}))) for v in values]
        assert found.loss <= min(losses) + 1e-12


def test_a_window_is_judged_after_its_first_third():
    assert sorted(set(GAMES.period[judged_games(GAMES)].tolist())) == [4, 5, 6, 7, 8, 9]


def test_the_first_judged_period_needs_a_window():
    assert frozen_window(GAMES, 4).sum() == (GAMES.period < 4).sum()
    for first in (1, 2, 10):
        with pytest.raises(EvaluationError, match="a period with two or more before it, of 1 to 9"):
            frozen_window(GAMES, first)


class Says:
    """A system that says what it is given."""

    def __init__(self, expected, outcome=None):
        self.expected, self.outcome = expected, outcome

    def learn(self, games):
        pass

    def forecast(self, games):
        n = len(games)
        outcome = None if self.outcome is None else np.tile(self.outcome, (n, 1))
        return Forecast(np.full(n, self.expected), outcome)


def test_scores_and_differences_by_hand():
    games = table(list("abcd"), list("bcda"), [1, 0.5, 0, 0.5], period=[1, 1, 2, 2])
    stretch = {"all": np.ones(4, dtype=bool)}
    third, sure = roll(games, Says(0.5, [1 / 3] * 3)), roll(games, Says(0.5, [0.25, 0.5, 0.25]))
    training = games.period == 1
    systems = {name: judge(name, name, games, rolled, training) for name, rolled in (("third", third), ("sure", sure))}
    row = overall(games, systems, stretch, "third").set_index("system").loc["sure"]
    logs = np.log([4.0, 2.0, 4.0, 2.0])
    assert row["log_score"] == pytest.approx(logs.mean())
    assert row["difference"] == pytest.approx((logs - np.log(3.0)).mean())
    assert row["se_naive"] == pytest.approx(logs.std(ddof=1) / 2.0)
    assert row["deviance"] == pytest.approx(np.log10(2.0))
    assert row["definetti"] == pytest.approx(np.mean([0.875, 0.375] * 2))
    assert row["accuracy"] == 0.5
    assert row["draws"] == "own"


def test_the_rule_gives_draws_to_a_system_without():
    games, _ = simulated(73, players=10, games=3000, periods=4, draw=0.5)
    training = games.period <= 2
    spec = SYSTEMS["elo"]
    one = judge("elo", "Elo", games, roll(games, spec.build(spec.start)), training)
    assert one.draws == "rule"
    assert one.outcome @ [0.0, 0.5, 1.0] == pytest.approx(one.expected_score, abs=1e-9)
    happened = np.flatnonzero(training), games.outcome[training]
    best = np.log(one.outcome[happened]).sum()
    for step in (-0.02, 0.02):  # no other draw parameter makes the training months more likely
        other = outcome_of(one.expected_score, one.log_draw + step)
        assert np.log(other[happened]).sum() < best


def test_a_system_is_left_out_of_games_it_does_not_forecast():
    games, _ = simulated(74, games=100, periods=4)
    spec = SYSTEMS["elo"]
    elo = judge("elo", "Elo", games, roll(games, spec.build(spec.start)), games.period < 3)
    expected, outcome = elo.expected_score.copy(), elo.outcome.copy()
    expected[-1], outcome[-1] = np.nan, np.nan
    partial = replace(elo, name="partial", expected_score=expected, outcome=outcome)
    stretches = {"all": np.ones(100, dtype=bool), "early": games.period < 4}
    found = overall(games, {"elo": elo, "partial": partial}, stretches, "elo")
    assert found[["set", "system"]].to_numpy().tolist() == [["all", "elo"], ["early", "elo"], ["early", "partial"]]


def test_periods_from_dates_and_two_tables_in_one_time():
    days = np.array(["2013-10-04", "2013-01-24", "2012-12-31"], dtype="datetime64[D]")
    dated = table(["a", "b", "c"], ["b", "c", "a"], [1, 0.5, 0], date=days)
    timed = with_periods(dated, "month", "2010-01")
    assert timed.period.tolist() == [36, 37, 46]
    assert timed.white_names.tolist() == ["c", "b", "a"]
    assert with_periods(dated, "day", "2012-12").period.tolist() == [31, 55, 308]
    assert with_periods(dated, "week", "2012-12").period.tolist() == [5, 8, 44]
    months = table(["a"], ["d"], [1], period=35)
    joined = concatenate(months, timed)
    assert joined.players.tolist() == ["a", "b", "c", "d"]
    assert joined.period.tolist() == [35, 36, 37, 46]
    assert joined.white_names.tolist() == ["a", "c", "b", "a"]
    with pytest.raises(GameTableError, match="periods after 46"):
        concatenate(timed, months)
    with pytest.raises(GameTableError, match="YYYY-MM"):
        with_periods(dated, "month", "January")
    with pytest.raises(GameTableError, match="month \\| week \\| day"):
        with_periods(dated, "year")


def test_games_need_periods():
    games = table(["a"], ["b"], [1])
    assert isinstance(games, GameTable)
    with pytest.raises(EvaluationError, match="a period for each game"):
        roll(games, SYSTEMS["elo"].build(SYSTEMS["elo"].start))


@pytest.mark.parametrize(
    ("margin", "half"), [([1.0, -2.0, 0.0], 0.5), ([1.0, np.nan], 0.5), ([1.0, 2.5], 0.0), ([np.nan], 0.0)]
)
def test_margins_that_are_whole_numbers_are_rounded_to_halves_of_one(margin, half):
    assert _half_width(np.array(margin)) == half
