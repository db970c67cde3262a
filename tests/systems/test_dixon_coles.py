"""Dixon and Coles: the published formula, the mode by another optimiser, simulated truth, scores and totals."""

import math

import numpy as np
import pytest
from rating_games import table
from scipy.optimize import minimize
from scipy.stats import poisson

from halfpoint.models.games.errors import RatingSystemError
from halfpoint.systems.dixon_coles import LEAGUE, DixonColes, score_chances
from halfpoint.systems.score_markets import both_score, result_chances, totals

LEVEL, HOME, LOW = 0.1, 0.3, -0.12


def published(x, y, first, second, r):
    """Eq. 4.2 of Dixon and Coles for one score."""
    t = {(0, 0): 1 - first * second * r, (0, 1): 1 + first * r, (1, 0): 1 + second * r, (1, 1): 1 - r}.get((x, y), 1.0)
    return t * math.exp(-first - second) * first**x * second**y / math.factorial(x) / math.factorial(y)


def league(seed=1, clubs=8, seasons=3):
    """A league's games with goals, and the true attacks and defences."""
    rng = np.random.default_rng(seed)
    attack, defence = rng.normal(0.0, 0.3, (2, clubs))
    rows = []
    for season in range(seasons):
        for home in range(clubs):
            for away in range(clubs):
                if home == away:
                    continue
                rate = np.exp([LEVEL + HOME + attack[home] - defence[away], LEVEL + attack[away] - defence[home]])
                chances = score_chances(rate[None], LOW)[0]
                x, y = divmod(int(rng.choice(chances.size, p=chances.ravel())), len(chances))
                day = np.datetime64(f"{2001 + season}-08-01") + np.timedelta64(int(rng.integers(270)), "D")
                rows.append((day, home, away, x, y))
    rows.sort(key=lambda row: row[0])
    date, white, black, x, y = map(np.array, zip(*rows, strict=True))
    names = np.array([f"Club {number}" for number in range(clubs)])
    covariates = {
        "white_goals": x.astype(float),
        "black_goals": y.astype(float),
        "goal_difference": (x - y).astype(float),
    }
    score = 0.5 + 0.5 * np.sign(x - y)
    games = table(names[white], names[black], score, date=date, covariates=covariates, simulated=True)
    return games, attack, defence


def fitted(games, **settings):
    model = DixonColes(**settings)
    model.learn(games)
    return model, model.fit()


@pytest.mark.parametrize("r", [LOW, 0.0, 0.08])
def test_scores_have_the_published_chances(r):
    rate = np.array([[1.6, 0.9], [0.7, 2.2]])
    found = score_chances(rate, r)
    expected = [[[published(x, y, *one, r) for y in range(16)] for x in range(16)] for one in rate]
    np.testing.assert_allclose(found, expected, atol=1e-9)  # 16 goals and more are left out
    np.testing.assert_allclose(found.sum(axis=(1, 2)), 1.0, rtol=1e-12)
    over = [sum(published(x, y, *one, r) for x in range(16) for y in range(16) if x + y > 2.5) for one in rate]
    np.testing.assert_allclose(totals(found)[:, 2], over, atol=1e-9)
    both = [sum(published(x, y, *one, r) for x in range(1, 16) for y in range(1, 16)) for one in rate]
    np.testing.assert_allclose(both_score(found), both, atol=1e-9)


@pytest.mark.parametrize(("spread", "newcomer"), [(np.inf, 0.0), (0.25, -0.4)])
def test_the_mode_is_that_of_an_optimiser_that_knows_the_likelihood_alone(spread, newcomer):
    """Log posterior as an independent loop, maximised by BFGS with numerical gradients; rates to 1e-6."""
    games, *_ = league(clubs=5, seasons=2)
    kept = (games.white != 4) & (games.black != 4) | (games.date > np.datetime64("2002-06-01"))  # one enters later
    games = games.take(kept)
    model, at = fitted(games, spread=spread, forgets=0.7, newcomer=newcomer)
    x, y = (games.covariates[f"{side}_goals"].astype(int) for side in ("white", "black"))
    age = (games.date.max() - games.date).astype(float) / 365.25
    first = np.array([min(games.date[(games.white == k) | (games.black == k)]) for k in range(5)])
    middle = np.where(first > games.date.min() + np.timedelta64(200, "D"), newcomer / 2.0, 0.0)
    place = model.sides.places(games.players)

    def target(numbers, both=False):
        level, home, r = numbers[:3]
        attack, defence = numbers[3:8], numbers[8:]
        home_rate = level + home + attack[games.white] - defence[games.black]
        rates = np.exp([home_rate, level + attack[games.black] - defence[games.white]])
        if both:
            return rates.T
        logs = poisson.logpmf(x, rates[0]) + poisson.logpmf(y, rates[1])
        for k, one in enumerate(rates.T):
            if x[k] <= 1 and y[k] <= 1:
                logs[k] = np.log(published(x[k], y[k], *one, r))
        prior = (
            0.0 if np.isinf(spread) else (r**2 + np.sum((numbers[3:] - np.tile(middle, 2)) ** 2)) / (2.0 * spread**2)
        )
        return -float(np.exp(-0.7 * age) @ logs) + prior

    found = minimize(target, np.zeros(13), method="BFGS", options={"gtol": 1e-7, "maxiter": 500})
    mine = np.concatenate([at[:LEAGUE], at[LEAGUE : LEAGUE + 5][place], at[LEAGUE + 5 :][place]])
    assert target(mine) <= found.fun + 1e-9
    np.testing.assert_allclose(target(mine, both=True), target(found.x, both=True), rtol=5e-5)
    polished = newton(target, mine)
    np.testing.assert_allclose(target(mine, both=True), target(polished, both=True), atol=1e-6)


def test_a_climb_from_the_mode_before_ends_where_one_from_nothing_does():
    games, *_ = league(clubs=8, seasons=3)
    kept = (games.white < 6) & (games.black < 6) | (games.date > np.datetime64("2002-07-01"))
    games = games.take(kept)
    going, month = DixonColes(newcomer=-0.4), games.date.astype("datetime64[M]")
    for number, one in enumerate(np.unique(month)[:-1]):
        going.learn_period(games.take(month == one), number)
        coming = games.take(month == np.unique(month)[number + 1])
        anew, _ = fitted(games.take(month <= one), newcomer=-0.4)
        np.testing.assert_allclose(going.forecast(coming).outcome, anew.forecast(coming).outcome, atol=1e-8)


def test_a_climb_begins_where_every_score_is_possible():
    games, *_ = league(clubs=6, seasons=1)
    model, mode = fitted(games)
    impossible = mode.copy()
    impossible[2] = 2.0  # r, with which 1-1 has a negative chance
    np.testing.assert_allclose(model.climb(impossible), mode, atol=1e-6)


def newton(target, at, size=1e-4):
    moves = size * np.eye(at.size)
    slope = np.array([(target(at + m) - target(at - m)) / (2 * size) for m in moves])
    h = np.zeros((at.size, at.size))
    for i, a in enumerate(moves):
        for j, b in enumerate(moves[: i + 1]):
            h[i, j] = h[j, i] = target(at + a + b) - target(at + a - b) - target(at - a + b) + target(at - a - b)
    return at - np.linalg.pinv(h / (4 * size**2), rcond=1e-5) @ slope


def test_simulated_rates_are_found_again():
    """Each estimate within four of its own errors, and their mean square about one."""
    games, attack, defence = league(seed=3, clubs=20, seasons=3)
    model, at = fitted(games, spread=0.3, forgets=0.0, newcomer=0.0)
    place = model.sides.places(games.players)
    names = [int(name.split()[1]) for name in games.players.tolist()]
    truth = (attack - attack.mean())[names] + (defence - defence.mean())[names]
    both = at[LEAGUE : LEAGUE + 20][place] + at[LEAGUE + 20 :][place]
    away = (both - both.mean() - truth) * np.sqrt(2 * 3 * 38 * np.exp(LEVEL + HOME / 2) / 2)
    assert np.abs(away).max() < 4.0
    assert 0.4 < np.mean(away**2) < 1.8
    assert at[1] == pytest.approx(HOME, abs=4 * np.sqrt(2.0 / (1140 * 1.2)))
    assert at[2] == pytest.approx(LOW, abs=4 * 0.04)


def test_who_has_not_played_has_a_forecast_and_later_ones_are_newcomers():
    games, *_ = league(clubs=4)
    model, at = fitted(games, newcomer=-0.5)
    late = table(["New"], ["Other"], [0.5], date=np.array(["2004-08-01"], dtype="datetime64[D]"))
    rate, _ = model.rates(late)
    np.testing.assert_allclose(np.log(rate[0]), [at[0] + at[1], at[0]])  # both are new: their attack is their defence
    early = table(["Club 0"], ["Other"], [0.5], date=np.array(["2001-09-01"], dtype="datetime64[D]"))
    assert np.log(model.rates(early)[0][0, 1]) == pytest.approx(at[0] - at[LEAGUE + 4 + model.sides.position["Club 0"]])


def test_senseless_numbers_are_refused():
    with pytest.raises(RatingSystemError, match="spread > 0"):
        DixonColes(spread=0.0)


# DixonColesGoalModel(...).fit({"maxiter": 20000, "ftol": 1e-14}, use_gradient=False) of penaltyblog 1.13.1 on the games
# below; with its analytic gradient, which is not that of its likelihood, the fit stops 0.03 below in log likelihood
PENALTYBLOG = [  # goals of both sides, home win, draw, away win, over 2.5
    (0.4328265752, 1.0473687206, 0.1774269939, 0.2905232626, 0.5320497433, 0.1861984271),
    (1.6235283529, 1.8232845566, 0.3709948751, 0.1756120275, 0.4533930972, 0.6692031710),
    (1.0030763520, 1.1163043662, 0.3566793424, 0.2287776985, 0.4145429590, 0.3555991985),
    (3.1842603337, 0.8774983558, 0.8321328103, 0.0869145246, 0.0809526649, 0.7708065897),
]  # fmt: skip


def test_the_fit_is_penaltyblogs():
    games, _, _ = league(seed=4, clubs=6, seasons=2)
    model, _ = fitted(games, spread=np.inf, forgets=0.0)
    some = games.take(np.arange(4))
    rate, _ = model.rates(some)
    chances = model.scores(some)
    theirs = np.array(PENALTYBLOG)
    np.testing.assert_allclose(rate, theirs[:, :2], atol=1e-6)
    np.testing.assert_allclose(result_chances(chances)[:, ::-1], theirs[:, 2:5], atol=1e-6)
    np.testing.assert_allclose(totals(chances, 2.5)[:, 2], theirs[:, 5], atol=1e-6)
