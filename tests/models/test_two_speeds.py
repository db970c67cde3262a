"""Strengths of two speeds, a random-walk advantage, an index of games: distributions, exact posteriors, simulated
truth.
"""

from dataclasses import replace
from functools import cache
from itertools import islice

import numpy as np
import pytest
from composed import MarginSpread, Model, TwoSpeeds, Walking
from rating_games import table
from scipy.stats import halfnorm, multivariate_normal, norm

from halfpoint.evaluation.rolling import roll
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.fit import fit
from halfpoint.inference.forecast import forecast
from halfpoint.inference.forecaster import Forecaster
from halfpoint.inference.gaussian import gaussian_draws, variational
from halfpoint.inference.gaussian.variational import VariationalProblem
from halfpoint.models.declaration.catalogue import TWO_SPEEDS, find
from halfpoint.models.declaration.declare_model import declare_model
from halfpoint.models.declaration.record import model_of, record_of
from halfpoint.models.formulas.football_index import INDEX, SHARES
from halfpoint.models.formulas.margin import MARGIN_NORMAL
from halfpoint.models.games.lead_index import game_index
from halfpoint.models.games.periods import with_periods
from halfpoint.models.games.select import select
from halfpoint.models.language.walk_matrices import ar1_matrix
from halfpoint.models.reading.prior_draws import PriorDraws

WIDTH, MEAN, STEP, SLOW, FAST, DECAY, LEVEL = 1.5, 0.3, 0.05, 0.1, 0.4, 2.0, 0.8
STRENGTH = TwoSpeeds(LEVEL, (-0.5, 0.3), SLOW, FAST, DECAY, learned=False)
ADVANTAGE = Walking((MEAN, 0.2), spread=STEP, learned=False)
KNOWN = Model("known", MARGIN_NORMAL, STRENGTH, ADVANTAGE, MarginSpread((np.log(WIDTH), 1e-6)))
WIDTH_LEARNED = Model("learned", MARGIN_NORMAL, STRENGTH, ADVANTAGE, MarginSpread((0.4, 0.5)))
CLUBS, SEASONS, ROUNDS = 8, 2, 14


@cache
def league(seed=1, clubs=CLUBS, level=LEVEL, late=True):
    """Games by month of clubs, one of which enters in the second season, and their strengths by month."""
    rng = np.random.default_rng(seed)
    months = 12 * SEASONS
    slow = rng.normal(0.0, level, clubs)[:, None] + np.cumsum(rng.normal(0.0, SLOW, (clubs, months)), axis=1)
    fast = FAST * rng.standard_normal((clubs, months)) @ ar1_matrix(months, np.exp(-DECAY / 12.0))
    advantage = MEAN + np.cumsum(rng.normal(0.0, STEP, months))
    rows = []
    for season in range(SEASONS):
        there = np.arange(clubs - (season == 0 and late))
        for turn in range(ROUNDS):
            month = 12 * season + turn * 10 // ROUNDS
            order = rng.permutation(there)
            for home, away in zip(order[0::2], order[1::2], strict=False):
                ahead = (slow + fast)[home, month] - (slow + fast)[away, month] + advantage[month]
                rows.append((month + 1, home, away, rng.normal(ahead, WIDTH)))
    period, white, black, margin = map(np.array, zip(*rows, strict=True))
    names = np.array([f"Club {number}" for number in range(clubs)])
    score = np.where(margin > 0, 1.0, 0.0)
    games = table(names[white], names[black], score, period=period, covariates={"margin": margin}, simulated=True)
    return games, slow + fast, advantage


def declared(model=KNOWN, **about):
    games, *_ = league(**about)
    return declare_model(model, select(games, games.players, "both"))


def carried(name, p, ahead):
    """Draws of a variable of the known model with further months."""
    found = {key: p[key] for key in ("slow_strength", "strength", "advantage") if key in p}
    for law in declared().laws:
        if law.name in found and law.transition is not None:
            found[law.name] = law.transition.carry_forward(law.name, found, ahead, [5, len(law.name)])
    return found[name]


def prior_of_states(months, entered):
    """Covariances of a club's slow and fast strengths by month given its level, and True if it is new."""
    month = np.arange(months)
    centre = np.eye(months) - 1.0 / months
    slow = SLOW**2 * centre @ np.minimum.outer(month, month) @ centre
    fast = FAST**2 * np.exp(-DECAY / 12.0) ** np.abs(np.subtract.outer(month, month))
    newcomer = (entered >= 7) * 1.0
    return slow, fast, newcomer


def by_dense_matrices(one, spread):
    """Prior covariance and mean of strengths and advantage by month, and their place in each game."""
    rows = one.rows
    months, clubs = one.periods, CLUBS
    first = np.array([min(rows.period[(one.cells.white == k) | (one.cells.black == k)]) for k in range(clubs)])
    size = clubs * months + months
    whole, mean = np.zeros((size, size)), np.zeros(size)
    late = (first - first.min() >= 7) * 1.0
    assert late.sum() == 1
    for k in range(clubs):
        slow, fast, _ = prior_of_states(months, first[k])
        here = slice(k * months, (k + 1) * months)
        whole[here, here] = slow + fast + spread**2
    strong = np.repeat(late, months)
    whole[: clubs * months, : clubs * months] += 0.3**2 * np.outer(strong, strong)
    mean[: clubs * months] = -0.5 * strong
    month = np.arange(months)
    centre = np.eye(months) - 1.0 / months
    here = slice(clubs * months, size)
    whole[here, here] = STEP**2 * centre @ np.minimum.outer(month, month) @ centre + 0.2**2
    mean[here] = MEAN
    design = np.zeros((len(rows), size))
    game = np.arange(len(rows))
    design[game, one.cells.white * months + rows.period] += 1.0
    design[game, one.cells.black * months + rows.period] -= 1.0
    design[game, clubs * months + rows.period] += 1.0
    return whole, mean, design


def test_a_posterior_of_margins_is_that_of_dense_linear_algebra(monkeypatch):
    monkeypatch.setattr(variational, "NEAR", 1e-12)  # so that what is compared is the solution, not where it stops
    one = declared()
    rows = one.rows
    months, clubs, spread = one.periods, CLUBS, 0.6  # the level's, the one theta
    whole, mean, design = by_dense_matrices(one, spread)
    seen = design @ whole @ design.T + WIDTH**2 * np.eye(len(rows))
    gain = np.linalg.solve(seen, design @ whole).T
    expected, covariance = mean + gain @ (rows.margin - design @ mean), whole - gain @ design @ whole
    problem = VariationalProblem(one)
    x = np.array([np.log(spread / LEVEL)])
    found = problem.closest(x)
    v = problem.parts.values(x, found.centre)
    layout = one.layout
    place = np.concatenate(
        [layout.where(name) + np.arange(n) for name, n in (("strength", clubs * months), ("advantage", months))]
    )
    np.testing.assert_allclose(v[place], expected, atol=1e-6)
    inverse = problem.store.inverse(found.root)
    at = problem.parts.position[place]
    sd = np.sqrt(inverse[problem.store.places(at, at)])
    # the factor spreads the precision of a level over its months (`Term.even`), for which the weights of draws make up
    np.testing.assert_allclose(sd, np.sqrt(np.diag(covariance)), rtol=0.03)
    # the log marginal of theta: of the margins given the level's spread, and its prior by logarithm
    values = []
    for other in (spread, 1.3 * spread):
        more = whole.copy()
        for k in range(clubs):
            block = slice(k * months, (k + 1) * months)
            more[block, block] += other**2 - spread**2
        law = multivariate_normal(design @ mean, design @ more @ design.T + WIDTH**2 * np.eye(len(rows)))
        exact = law.logpdf(rows.margin) + halfnorm.logpdf(other, scale=LEVEL) + np.log(other)
        values.append(problem.closest(np.array([np.log(other / LEVEL)])).marginal - exact)
    assert values[0] == pytest.approx(values[1], abs=1e-4)
    assert one.selection.games.simulated


@pytest.mark.further
def test_draws_from_the_prior_have_the_stated_covariance():
    one = declared(late=False)
    kept, advantage = [], []
    for p in islice(PriorDraws(one.model).each(3), 3000):
        kept.append((p["strength"] - p["level"][:, None])[:, [0, 5, 20]])
        advantage.append(p["advantage"][[0, 10, 20]])
    slow, fast, _ = prior_of_states(one.periods, 0)
    expected = (slow + fast)[np.ix_([0, 5, 20], [0, 5, 20])]
    found = np.cov(np.concatenate(kept).T)
    np.testing.assert_allclose(found, expected, atol=4 * np.sqrt(2.0 / 24_000) * expected.max())
    steps = np.diff(np.array(advantage), axis=1)
    np.testing.assert_allclose(steps.var(axis=0), 10 * STEP**2, rtol=4 * np.sqrt(2.0 / 3000))


def test_strengths_and_advantage_go_on():
    count, ahead = 40_000, 6
    p = {
        "slow_strength": np.full((count, 1, 2), 0.5), "strength": np.full((count, 1, 2), 1.5),
        "slow_spread": np.full(count, SLOW), "fast_spread": np.full(count, FAST),
        "advantage": np.full((count, 2), 0.2), "advantage_step_spread": np.full(count, STEP),
    }  # fmt: skip
    found = carried("strength", p, ahead)[:, 0, 2:]
    share, h = np.exp(-DECAY / 12.0), np.arange(1, ahead + 1)
    np.testing.assert_allclose(found.mean(axis=0), 0.5 + share**h, atol=0.01)
    expected = h * SLOW**2 + FAST**2 * (1.0 - share ** (2 * h))
    np.testing.assert_allclose(found.var(axis=0), expected, rtol=4 * np.sqrt(2.0 / count))
    advantage = carried("advantage", p, ahead)[:, 2:]
    np.testing.assert_allclose(advantage.var(axis=0), h * STEP**2, rtol=4 * np.sqrt(2.0 / count))


@pytest.mark.further
def test_normal_draws_recover_simulated_strengths():
    inside = []
    for seed in range(3):
        one = declared(WIDTH_LEARNED, seed=seed)
        found = gaussian_draws(one, 1000, seed)
        assert not found.faults
        start, shape = one.layout.slots["strength"]
        drawn = found.v[:, start : start + int(np.prod(shape))].reshape(-1, *shape)[..., -1]
        drawn = drawn - drawn.mean(axis=1, keepdims=True)
        _, truth, _ = league(seed=seed)
        last = truth[:, one.selection.games.period.max() - 1]
        low, high = np.quantile(drawn, (0.05, 0.95), axis=0)
        inside += list((low < last - last.mean()) & (last - last.mean() < high))
    assert abs(np.mean(inside) - 0.9) < 4 * np.sqrt(0.09 / len(inside))


def test_the_index_of_a_game_is_its_stated_mean():
    covariates = {
        "white_shots": np.array([10.0, 12.0, 9.0]), "black_shots": np.array([4.0, 12.0, 9.0]),
        "margin": np.array([2.0, -1.0, 1.0]),
        "white_shots_on_target": np.array([5.0, np.nan, 1.0]), "black_shots_on_target": np.array([2.0, 3.0, 4.0]),
    }  # fmt: skip
    date = np.array(["2020-01-01", "2020-01-02", "2020-01-02"], dtype="datetime64[D]")
    games = table(["A", "B", "A"], ["B", "C", "C"], [1.0, 0.0, 1.0], date=date, covariates=covariates)
    f = 0.5 ** (1 / 200)
    goals = np.sqrt((4.0 * f**2 + 2.0) / (f**2 + 2.0))
    target = np.sqrt((9.0 * f + 9.0) / (f + 1.0))
    shots = np.sqrt(36.0 * f**2 / (f**2 + 2.0))
    expected = [1.0, (-1.0 / goals + 0.2 * 0.0 / shots) / 1.2, (1.0 / goals - 0.3 * 3.0 / target) / 1.5]
    np.testing.assert_allclose(game_index(games, SHARES), expected, rtol=1e-12)


def test_games_before_anybody_was_ahead_have_index_0():
    games = table(["a", "b", "a"], ["b", "a", "c"], [0.5, 0.5, 1.0], [1, 1, 2])
    assert game_index(games, SHARES)[:2].tolist() == [0.0, 0.0]


def test_results_follow_from_the_index_by_an_ordered_probit():
    gap = np.linspace(-3.0, 3.0, 7)
    probability = np.exp(INDEX.log_probability(gap, np.zeros(7), np.zeros(7)))
    np.testing.assert_allclose(probability.sum(axis=1), 1.0, rtol=1e-12)
    np.testing.assert_allclose(probability[:, 2], norm.cdf((gap - 0.36) / 1.41), rtol=1e-12)
    np.testing.assert_allclose(probability[:, 0], norm.cdf((-gap - 0.36) / 1.41), rtol=1e-12)


@pytest.mark.parametrize("name", TWO_SPEEDS)
def test_a_record_brings_the_row_back(name):
    assert model_of(record_of(find(name))) == find(name)


def test_forecasts_of_margins_are_those_of_dense_linear_algebra():
    games, *_ = league()
    last = np.unique(games.period)[-4]
    forecaster = Forecaster(KNOWN, games)
    for period in np.unique(games.period[games.period < last]):
        forecaster.learn(games.take(games.period == period))
    told = forecaster.forecast(games.take(games.period == last)).outcome
    refits = forecaster.engine.refits
    one = refits.declared
    whole, mean, design = by_dense_matrices(one, float(refits.values(forecaster.engine.last)["level_spread"]))
    cell = one.cells.cell_of_game
    past, coming = cell[games.period < last], cell[games.period == last]
    seen = design[past] @ whole @ design[past].T + WIDTH**2 * np.eye(past.size)
    gain = design[coming] @ whole @ design[past].T @ np.linalg.inv(seen)
    margin = games.margin[games.period < last]
    ahead = design[coming] @ mean + gain @ (margin - design[past] @ mean)
    variance = np.diag(design[coming] @ whole @ design[coming].T - gain @ design[past] @ whole @ design[coming].T)
    width = np.sqrt(variance + WIDTH**2)
    np.testing.assert_allclose(told[:, 2], norm.sf((0.5 - ahead) / width), atol=0.005)
    np.testing.assert_allclose(told[:, 0], norm.cdf((-0.5 - ahead) / width), atol=0.005)


def test_an_index_is_forecast_from_what_was_learned_and_not_sampled():
    games, *_ = league()
    later = games.period >= 15
    turned = np.where(later, -games.margin, games.margin)
    other = replace(games, score=np.where(turned > 0, 1.0, 0.0), covariates={"margin": turned})
    first, second = (roll(one, Forecaster(find("index-walk"), one)) for one in (games, other))
    before = np.isfinite(first.expected_score) & (games.period <= 15)
    assert before.any()
    np.testing.assert_array_equal(first.outcome[before], second.outcome[before])
    known = np.isfinite(first.expected_score)
    assert not np.allclose(first.outcome[known & later], second.outcome[known & later])
    rate = np.mean(games.score[~known])
    loss = np.mean((first.expected_score - games.score)[known] ** 2)
    assert loss < np.mean((rate - games.score[known]) ** 2)
    with pytest.raises(InferenceError, match="Add --method normal"):
        Forecaster(find("index-walk"), games, effort=Effort(draws=10, tune=10, chains=1))


def test_a_row_that_walks_by_months_is_forecast_day_by_day():
    games, *_ = league()
    day = np.random.default_rng(3).integers(0, 3, len(games))
    month = np.datetime64("2020-01", "M") + games.period.astype("timedelta64[M]")
    dated = replace(games, period=None, date=month.astype("datetime64[D]") + day.astype("timedelta64[D]"))
    by_month, by_day = (with_periods(dated, every) for every in ("month", "day"))
    begin = int(np.unique(by_month.period)[-3])
    late = by_day.date >= by_month.date[by_month.period == begin].min()
    one = roll(by_month, Forecaster(find("index-walk"), by_month, first=begin))
    two = roll(by_day, Forecaster(find("index-walk"), by_day, first=int(by_day.period[late].min())))
    assert np.array_equal(by_month.white_names, by_day.white_names)  # both sorted by date
    first = late & (by_day.date == by_day.date.astype("datetime64[M]"))
    np.testing.assert_allclose(two.outcome[first], one.outcome[first], atol=2e-3)
    assert np.abs(two.outcome[late & ~first] - one.outcome[late & ~first]).max() > 0.01


@pytest.mark.slow
def test_a_season_of_basketball_is_forecast_nearly_as_by_its_truth():
    rng = np.random.default_rng(8)
    sides, months = 16, 20
    slow = rng.normal(0.0, 5.0, sides)[:, None] + np.cumsum(rng.normal(0.0, 0.6, (sides, months)), axis=1)
    strength = slow + 2.0 * rng.standard_normal((sides, months)) @ ar1_matrix(months, np.exp(-2.0 / 12.0))
    rows = []
    for month in [*range(8), *range(12, 20)]:
        for _ in range(5):
            order = rng.permutation(sides)
            rows += [(month, home, away) for home, away in zip(order[::2], order[1::2], strict=True)]
    month, white, black = np.array(rows).T
    ahead = strength[white, month] - strength[black, month] + 3.0
    margin = np.rint(ahead + rng.normal(0.0, 12.0, ahead.size))
    margin = np.where(margin == 0.0, np.sign(ahead), margin)
    names = np.array([f"Side {number:02d}" for number in range(sides)])
    score = (margin > 0) * 1.0
    about = {"period": month + 1, "covariates": {"margin": margin}, "simulated": True}
    games = table(names[white], names[black], score, **about)
    past = games.take(month < 17)
    declared = declare_model(find("margin-walk"), select(past, past.players, "both"))
    tree = fit(declared, "nuts", draws=2500, tune=1000, chains=4, seed=1, cores=2)
    assert tree.attrs["verdict"].startswith("converged")
    coming = np.flatnonzero(month >= 17)
    told = forecast(tree, games.take(coming)).mean_expected
    truth, won = norm.cdf(ahead[coming] / 12.0), score[coming]

    def loss(chance):
        return -np.mean(truth * np.log(chance) + (1.0 - truth) * np.log(1.0 - chance))

    assert loss(told) - loss(truth) < 0.2 * (np.log(2.0) - loss(truth))
    last = tree["posterior"]["strength"].isel(month=-1)
    drawn = (last - last.mean("player")).sel(player=names).stack(one=("chain", "draw")).to_numpy()
    low, high = np.quantile(drawn, (0.05, 0.95), axis=1)
    now = strength[:, 16] - strength[:, 16].mean()
    assert 12 <= np.sum((low < now) & (now < high)) <= 16  # of 16, in 90% intervals
    assert won.size == 120
