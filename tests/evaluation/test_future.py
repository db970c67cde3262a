"""Leave-future-out and leave-one-out with refits, on a conjugate model where every answer has a closed form."""

from dataclasses import replace

import numpy as np
import pytest

from halfpoint.evaluation.criteria import leave_one_out
from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.future import half_life_curve, leave_future_out, weights_seen_from
from halfpoint.evaluation.left_out import ANCHORED, by_player, refit_where_unreliable
from halfpoint.games.select import select
from halfpoint.games.table import GameTable, code_players

MONTH = np.repeat(np.arange(1, 9), 25)
WON = np.random.default_rng(1).random(MONTH.size) < np.linspace(0.35, 0.75, MONTH.size)
DRAWS = 4000


class Coin:
    """A coin with a flat prior: the weighted posterior is Beta(1 + weighted wins, 1 + weighted losses)."""

    def __init__(self, draws: int = DRAWS, seed: int = 0) -> None:
        self.fits, self.draws, self.seed = 0, draws, seed

    def __call__(self, weight: np.ndarray) -> np.ndarray:
        self.fits += 1
        rng = np.random.default_rng([self.seed, self.fits])
        p = rng.beta(1 + weight[WON].sum(), 1 + weight[~WON].sum(), self.draws)[:, None]
        return np.where(WON, np.log(p), np.log1p(-p))


def exact(weight: np.ndarray, rows: np.ndarray) -> np.ndarray:
    p = (1 + weight[WON].sum()) / (2 + weight.sum())
    return -np.log(np.where(WON[rows], p, 1 - p))


def test_forecasts_are_those_of_exact_fits_with_fewer_fits() -> None:
    coin = Coin()
    found = leave_future_out(coin, MONTH, first=4)
    expected = np.concatenate([exact(weights_seen_from(MONTH, m - 1), np.flatnonzero(m == MONTH)) for m in range(4, 9)])
    assert coin.fits == found.fits < 5
    assert found.game.tolist() == np.flatnonzero(MONTH >= 4).tolist()
    np.testing.assert_allclose(found.log_score, expected, atol=0.02)
    assert max(found.pareto_k.values()) <= 0.7


def test_a_drifting_coin_is_forecast_best_by_forgetting() -> None:
    """The chance of a win doubles over the months: a short memory beats equal weights, in truth and as estimated."""
    curve = half_life_curve(Coin(), MONTH, 4, [2.0, np.inf], ["recency"])
    assert list(curve) == ["half-life 2", "half-life inf", "recency"]
    for label, half_life in (("half-life 2", 2.0), ("half-life inf", np.inf)):
        weight = [weights_seen_from(MONTH, m - 1, "exponential", half_life) for m in range(4, 9)]
        truth = np.concatenate([exact(w, np.flatnonzero(m == MONTH)) for w, m in zip(weight, range(4, 9), strict=True)])
        assert curve[label].mean == pytest.approx(truth.mean(), abs=0.005)
    assert curve["half-life 2"].mean < curve["half-life inf"].mean


def test_weights_never_see_the_future() -> None:
    weight = weights_seen_from(MONTH, 5, "exponential", 2.0)
    assert np.all(weight[MONTH > 5] == 0)
    np.testing.assert_allclose(weight[MONTH == 3], 0.5)
    with pytest.raises(EvaluationError, match="not yet seen"):
        leave_future_out(Coin(), MONTH, 4, lambda now: np.ones(MONTH.size))
    with pytest.raises(EvaluationError, match="first month"):
        leave_future_out(Coin(), MONTH, 1)


def test_refits_are_exact_where_importance_sampling_is_not() -> None:
    pointwise = Coin()(np.ones(MONTH.size)).reshape(4, -1, MONTH.size)
    estimate = leave_one_out(pointwise)
    shapes = estimate.pareto_k.copy()
    shapes[[3, 70]] = 1.2  # pretend that two games cannot be trusted
    estimate = replace(estimate, pareto_k=shapes)

    def refit(game: int) -> np.ndarray:
        weight = np.ones(MONTH.size)
        weight[game] = 0
        return Coin()(weight)[:, game]

    mended = refit_where_unreliable(estimate, refit)
    for game in (3, 70):
        weight = np.ones(MONTH.size)
        weight[game] = 0
        assert -mended.elpd_per_game[game] == pytest.approx(exact(weight, np.array([game]))[0], abs=0.005)
    assert mended.pareto_k.max() <= 0.7
    np.testing.assert_allclose(np.delete(mended.elpd_per_game, [3, 70]), np.delete(estimate.elpd_per_game, [3, 70]))
    with pytest.raises(EvaluationError, match="at most 1"):
        refit_where_unreliable(estimate, refit, most=1)


def test_lines_of_players_sum_to_the_whole() -> None:
    names, white, black = code_players(["A", "B", "C", "A"], ["B", "C", "A", "C"])
    games = GameTable(names, white, black, np.array([1.0, 0.5, 0, 1]), white_rating_elo=np.full(4, 2500.0),
                      black_rating_elo=np.full(4, 2500.0))  # fmt: skip
    estimate = leave_one_out(np.log(np.random.default_rng(2).uniform(0.4, 0.6, (2, 200, 4))))
    table = by_player(estimate, select(games, ["A", "B"]))
    assert table["elpd"].sum() == pytest.approx(estimate.elpd)
    assert table.loc["A", "games"] == 3
    assert table.loc[ANCHORED, "games"] == 3


def test_monte_carlo_error_is_the_spread_over_seeds() -> None:
    """Two hundred runs of the same forecasts with other draws scatter by what one run says of itself."""
    runs = [leave_future_out(Coin(draws=400, seed=seed), MONTH, 4) for seed in range(200)]
    spread = np.std([run.mean for run in runs], ddof=1)
    # a standard deviation of 200 values is known to 5 percent; PSIS and the delta method add a little
    assert np.median([run.monte_carlo_error for run in runs]) == pytest.approx(spread, rel=0.25)
