"""Weights by age in backtests: each fit uses the weights of the games so far, by both methods."""

from dataclasses import replace

import numpy as np
import pytest
from monte_carlo import LIMIT, means_apart, sds_apart
from rating_games import simulated

from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.forecaster import Forecaster
from halfpoint.inference.gaussian.reweighted_fit import ReweightedFits
from halfpoint.inference.sample import sample
from halfpoint.models.declaration.catalogue import find
from halfpoint.models.declaration.declare_model import declare_model
from halfpoint.models.errors import ModelError
from halfpoint.models.games.select import select

PLAIN = find("davidson-population")
ROWS = [
    replace(PLAIN, name="own-half-life", weighting="exponential", half_life=0.4),
    replace(PLAIN, name="own-mean-one", weighting="sismanis", mean_one=True),
]


@pytest.fixture(scope="module")
def games():
    """Four periods of 8 players, with results in their order in the first periods and reversed in the third."""
    made, _ = simulated(5, players=8, games=600, periods=4, draw=0.3, rated=False)
    likely = np.random.default_rng(6).random(len(made)) < 0.8
    first = ((made.white < made.black) == (made.period < 3)) == likely
    return replace(made, score=np.where(made.score == 0.5, 0.5, first))


def learned(model, games, effort=None):
    """Forecaster after three periods."""
    made = Forecaster(model, games, games.players if effort else None, effort)
    for period in (1, 2, 3):
        made.learn(games.take(games.period == period))
    return made


def alone(model, games):
    """Model declared on the first three periods only."""
    return declare_model(model, select(games.take(games.period < 4), games.players, "both"))


@pytest.mark.parametrize("model", ROWS, ids=lambda one: one.name)
def test_normal_fits_weigh_as_a_fit_to_the_games_so_far(model, games):
    direct = ReweightedFits(alone(model, games))
    expected = direct.values(direct.fit())
    found, weightless = (
        made.refits.values(made.fit()) for made in (learned(model, games).engine, learned(PLAIN, games).engine)
    )
    for name, value in expected.items():
        np.testing.assert_allclose(found[name], value, rtol=0.02, atol=2e-3, err_msg=name)
    assert np.abs(expected["strength"] - weightless["strength"]).max() > 0.2


@pytest.mark.cases(1)
@pytest.mark.draws
@pytest.mark.parametrize("model", ROWS, ids=lambda one: one.name)
def test_sampled_fits_weigh_as_a_fit_to_the_games_so_far(model, games):
    effort = Effort(draws=250, tune=250, chains=2, cores=1)
    made = learned(model, games, effort)
    fits = made.engine.fit().posterior, sample(alone(model, games), effort)["posterior"].to_dataset()
    own, direct = (one["strength"] - one["strength"].mean("player") for one in fits)  # no game sees their level
    assert means_apart(own, direct) < LIMIT
    assert sds_apart(own, direct) < LIMIT


def test_a_half_life_is_of_days_in_backtests_as_in_fits(games):
    days = (np.datetime64("2020-01-01") + 100 * games.period).astype("datetime64[D]")
    dated = replace(games, date=days, period=games.period)
    model = replace(ROWS[0], half_life=40.0)
    direct = ReweightedFits(alone(model, dated))
    made = learned(model, dated).engine
    by_days, found = direct.values(direct.fit()), made.refits.values(made.fit())
    np.testing.assert_allclose(found["strength"], by_days["strength"], rtol=0.02, atol=2e-3)
    periods = ReweightedFits(alone(ROWS[0], games))  # 0.4 periods
    np.testing.assert_allclose(found["strength"], periods.values(periods.fit())["strength"], rtol=0.02, atol=2e-3)


def test_weights_of_games_beside_weights_by_age_are_refused(games):
    weighed = replace(games, weight=np.full(len(games), 2.0))
    with pytest.raises(ModelError, match=r"sets its own weights by age, .* 'given'. Remove"):
        Forecaster(ROWS[0], weighed)
