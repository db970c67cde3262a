"""Spreads whose prior is not half-normal, in fits with changing weights: EM finds the centre of their posterior."""

import numpy as np
import pytest

from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.fit import fit
from halfpoint.inference.gaussian.reweighted_fit import ReweightedFits
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select
from halfpoint.models.games.simulate import Schedule, Truth, simulate

SPREADS = ("strength_spread", "opponents_spread")


@pytest.fixture(scope="module")
def chosen():
    """1,500 games of 200 players with opponents of similar strength."""
    rng = np.random.default_rng(4)
    strength = rng.normal(0.0, 1.2, 200)
    order = np.argsort(strength + rng.normal(0.0, 0.3, 200))
    place = rng.integers(0, 200, 1500)
    other = (place + rng.choice([-1, 1], 1500) * rng.integers(1, 20, 1500)).clip(0, 199)
    other = np.where(other == place, (place + 1) % 200, other)
    names = np.array([f"player {k:03d}" for k in range(200)])
    games = simulate(
        Truth(names, strength, 0.2, 0.3),
        Schedule(order[place].astype(np.int32), order[other].astype(np.int32), np.ones(1500, np.int64)), 12,
    )  # fmt: skip
    return select(games, games.players)


@pytest.mark.cases(1)
@pytest.mark.parametrize("factored", [True, False], ids=["factor", "no factor"])
def test_spreads_are_in_the_middle_of_their_posterior(chosen, factored):
    posterior = fit(declare("davidson-matched", chosen), "normal", Effort(draws=500, chains=4, seed=1))["posterior"]
    refits = ReweightedFits(declare("davidson-matched", chosen), factored=factored)
    values = refits.values(refits.fit())
    for name in SPREADS:
        log = np.log(posterior[name].to_numpy())
        assert abs(np.log(values[name]) - np.median(log)) < 0.5 * log.std(), name


def test_products_by_factors_are_those_of_the_whole_precision(chosen):
    refits = ReweightedFits(declare("davidson-matched", chosen), factored=False)
    made = refits.fit(learned=False).top.curvature
    x = np.random.default_rng(2).standard_normal((made.own.size, 3))
    assert made.factors is not None
    by_factors = made.product(x)
    made.factors = None
    np.testing.assert_allclose(by_factors, made.product(x), rtol=1e-9, atol=1e-9 * np.abs(by_factors).max())
