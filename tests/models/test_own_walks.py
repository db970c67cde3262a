"""User-defined walks continue by their own distribution after the last date, or are refused; printed formulas."""

import numpy as np
import pymc as pm
import pytest
import xarray as xr
from monte_carlo import LIMIT
from rating_games import simulated

from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.declaration.elo_scale import ratings_in_elo, reading_from
from halfpoint.models.declaration.extension import with_periods
from halfpoint.models.errors import ModelError
from halfpoint.models.formulas.bradley_terry import bernoulli
from halfpoint.models.formulas.own import outcome
from halfpoint.models.games.select import select
from halfpoint.models.games.units import ELO_PER_NATURAL

DRAWS, PLAYERS, PERIODS, AHEAD = 1000, 5, 4, 3


@pytest.fixture(scope="module")
def chosen():
    games, _ = simulated(11, players=PLAYERS, games=200, periods=PERIODS, draw=0.3)
    return select(games, games.players)


def by_period(series):
    """Model whose strengths are a time series of each player."""

    def model(games):
        games = games.by(1)
        with pm.Model(coords=games.coords) as made:
            bernoulli(games, games.white(strength := series(games)), games.black(strength))
        return made

    return model


def drifting(games):
    """PyMC's random walk with a drift of .2 a period."""
    first = pm.Normal.dist(0.0, 1.0)
    about = {"init_dist": first, "steps": games.periods - 1, "dims": ("player", "month")}
    return pm.GaussianRandomWalk("strength", mu=0.2, sigma=0.1, **about)


def returning(games):
    """PyMC's autoregression of order one with coefficient 0.6."""
    about = {"init_dist": pm.Normal.dist(0.0, 1.0), "steps": games.periods - 1, "dims": ("player", "month")}
    return pm.AR("strength", rho=[0.6], sigma=0.1, **about)


def learned(games):
    """Autoregression of order one with an estimated coefficient."""
    share = pm.Beta("share", 2.0, 2.0)
    about = {"init_dist": pm.Normal.dist(0.0, 1.0), "steps": games.periods - 1, "dims": ("player", "month")}
    return pm.AR("strength", rho=share[None], sigma=0.1, **about)


def wide(games):
    """Random walk with an estimated step size."""
    first, spread = pm.Normal.dist(0.0, 1.0), pm.HalfNormal("share", 1.0)
    about = {"init_dist": first, "steps": games.periods - 1, "dims": ("player", "month")}
    return pm.GaussianRandomWalk("strength", mu=0.0, sigma=spread, **about)


def twice(games):
    """Autoregression of order two."""
    about = {"init_dist": pm.Normal.dist(0.0, 1.0, shape=2), "steps": games.periods - 2, "dims": ("player", "month")}
    return pm.AR("strength", rho=[0.5, 0.2], sigma=0.1, **about)


def drawn(declared, **values):
    """Draws of a declared model in the form of a trace; strengths end at 1."""
    strength = np.zeros((1, DRAWS, PLAYERS, PERIODS))
    strength[..., -1] = 1.0
    coords = {name: list(declared.coords[name]) for name in ("player", "month")}
    found = {"strength": (("chain", "draw", "player", "month"), strength)}
    found |= {name: (("chain", "draw"), value[None]) for name, value in values.items()}
    return reading_from(declared, xr.Dataset(found, coords=coords | {"chain": [0], "draw": np.arange(DRAWS)}))


SHARES = np.random.default_rng(1).choice([0.2, 0.9], DRAWS)


@pytest.mark.cases(2)
@pytest.mark.parametrize(
    ("series", "values", "mean", "variance"),
    [
        (drifting, {}, 1.0 + 0.2 * AHEAD, AHEAD * 0.01),
        (returning, {}, 0.6**AHEAD, 0.01 * (1 + 0.36 + 0.36**2)),
        (learned, {"share": SHARES}, SHARES[:, None] ** AHEAD, 0.01 * (1 + SHARES**2 + SHARES**4)[:, None]),
        (wide, {"share": SHARES}, 1.0, AHEAD * SHARES[:, None] ** 2),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_own_walks_go_on_by_their_own_law(series, values, mean, variance, chosen):
    """If every player ends at 1, the mean and variance of three periods later have closed forms."""
    reading = drawn(declare(by_period(series), chosen), **values)
    later = with_periods(reading, AHEAD, 1)["strength"]
    assert later.shape == (DRAWS, PLAYERS, PERIODS + AHEAD)
    np.testing.assert_array_equal(later[..., :PERIODS], reading.p["strength"])
    apart = ((later[..., -1] - mean) / np.sqrt(variance)).ravel()
    assert abs(apart.mean()) < LIMIT / np.sqrt(apart.size)
    assert abs(apart.var() - 1.0) < LIMIT * np.sqrt(2.0 / apart.size)


@pytest.mark.further
def test_an_autoregression_of_order_two_is_refused_past_the_last_date(chosen):
    reading = drawn(declare(by_period(twice), chosen))
    with pytest.raises(ModelError, match="'strength' to be an autoregression of order 1, found order 2"):
        with_periods(reading, AHEAD, 1)


def leaning(white, black, lam, lean):
    """Davidson's formula with a further parameter for White's side."""
    return black, lam + (white + lean + black) / 2, white + lean


def test_the_first_seat_is_worth_what_the_formula_says(chosen):

    def model(games):
        with pm.Model(coords=games.coords) as made:
            strength, lean = pm.Normal("strength", 0.0, 1.0, dims="player"), pm.Normal("lean", 0.0, 1.0)
            sides = games.white(strength) + pm.Normal("advantage", 0.0, 1.0), games.black(strength)
            outcome(games, leaning, *sides, pm.Normal("log_draw", 0.0, 1.0), lean=lean)
        return made

    declared = declare(model, chosen)
    values = {"strength": np.zeros((1, 1, PLAYERS)), "lean": 0.3, "advantage": 0.2, "log_draw": -0.4}
    dims = {"strength": ("chain", "draw", "player")}
    posterior = xr.Dataset(
        {name: (dims.get(name, ("chain", "draw")), np.reshape(v, np.shape(v) or (1, 1))) for name, v in values.items()},
        coords={"player": list(declared.coords["player"]), "chain": [0], "draw": [0]},
    )
    loss, draw, win = np.exp([0.0, -0.4 + 0.25, 0.5])
    expected = (win + draw / 2) / (loss + draw + win)
    found = ratings_in_elo(declared, posterior)["advantage_elo"].item()
    assert found == pytest.approx(ELO_PER_NATURAL * np.log(expected / (1 - expected)), rel=1e-6)


def test_a_declared_model_in_print_has_the_laws_of_its_function(chosen):
    def model(games):
        with pm.Model(coords=games.coords) as made:
            strength, advantage = pm.Normal("strength", dims="player"), pm.StudentT("advantage", 3.0, mu=0.1, sigma=0.7)
            spread = pm.HalfNormal("tendency_spread", 0.4)
            tendency = pm.Laplace("draw_tendency", 0.0, spread, dims="player")
            lam = pm.Normal("log_draw", -0.5, 1.5) + games.white(tendency) + games.black(tendency)
            outcome(games, bent, games.white(strength) + advantage, games.black(strength), lam)
        return made

    lines = repr(declare(model, chosen)).split("\n")
    assert "advantage ~ StudentT(3, 0.1, 0.7)" in lines
    assert "draw_tendency ~ Laplace(0, tendency_spread)" in lines
    assert "tendency_spread ~ HalfNormal(0, 0.4)" in lines
    assert "log_draw ~ Normal(-0.5, 1.5)" in lines


def bent(white, black, lam):
    """Davidson's formula."""
    return black, lam + (white + black) / 2, white
