"""Prior tables and power-scaling against closed forms."""

from dataclasses import replace
from typing import Any

import numpy as np
import pymc as pm
import pytensor.tensor as pt
import pytest
import xarray as xr
from scipy.special import i0

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.prior_checks import example_games, prior_table, sensitivity
from halfpoint.inference.fit import named_draws
from halfpoint.inference.loops.engine import expand, numbers_of
from halfpoint.inference.trace_groups import log_prior
from halfpoint.models import davidson
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import Selection, select
from halfpoint.models.games.table import GameTable, code_players


def games(count: int = 2000, seed: int = 3) -> Selection:
    rng = np.random.default_rng(seed)
    names = np.array(["A", "B", "C", "D"])
    white = rng.integers(0, 4, count)
    black = (white + rng.integers(1, 4, count)) % 4
    players, w, b = code_players(names[white], names[black])
    rating = 2600.0 + 60 * np.arange(4)
    table = GameTable(
        players, w, b, np.full(count, 0.5), white_rating_elo=rating[w], black_rating_elo=rating[b], simulated=True
    )
    return select(table, names.tolist())


def test_prior_table_has_the_normal_quantiles_of_the_study() -> None:
    """Bradley-Terry's stated prior is N(2705, 400^2) for ratings and N(50, 40^2) for a common advantage."""
    count = 20_000
    table = prior_table(declare("bt-common", games(50), "described"), count=count, seed=4)
    error = 5 * 400 * 1.25 / np.sqrt(count)  # five standard errors of a median
    assert table.loc["rating of a player (Elo)", "50%"] == pytest.approx(2705, abs=error)
    # |difference of two N(., 400^2)| has median 0.6745 * 400 * sqrt 2
    assert table.loc["gap between two players (Elo)", "50%"] == pytest.approx(0.6745 * 400 * 2**0.5, rel=0.04)
    assert table.loc["White's advantage (Elo)", "50%"] == pytest.approx(50, abs=5 * 40 * 1.25 / np.sqrt(count))
    expected = 100 / (1 + 10 ** (-50 / 400))
    assert table.loc["White's score between equals (%)", "50%"] == pytest.approx(expected, abs=0.5)


def test_prior_table_shows_that_the_stated_davidson_prior_is_absurd() -> None:
    """N(1, 10^2) natural units of advantage and N(15, 400^2) of strength are thousands of Elo points."""
    table = prior_table(declare("davidson-common", games(50), "described"), count=4000)
    assert table.loc["gap between two players (Elo)", "50%"] > 10_000
    assert table.loc["White's advantage (Elo)", "97.5%"] > 2000
    assert table.loc["share of draws between equals (%)", "97.5%"] <= 100


def test_prior_table_of_an_extended_model_names_its_spreads() -> None:
    table = prior_table(declare("davidson-pooled", games(50)), count=500)
    assert {"advantage_spread (Elo)", "share of draws between equals (%)"} <= set(table.index)


def of_any_names(games: Any) -> pm.Model:
    with pm.Model(coords=games.coords) as model:
        theta = pm.Normal("theta", 0.0, 0.7, dims="player")
        home, kappa = pm.Normal("home", 0.4, 1e-6), pm.Normal("kappa", 0.7, 1e-6)
        davidson(games, games.white(theta) + home, games.black(theta), kappa)
    return model


def of_goals(games: Any) -> pm.Model:
    """Goals at the rate 1 of both sides."""
    with pm.Model(coords=games.coords) as model:
        attack = pm.Normal("attack", 0.0, 1e-6, dims="player")
        pm.Poisson("first", pt.exp(games.white(attack)), observed=games.observed("one"))
        pm.Poisson("second", pt.exp(games.black(attack)), observed=games.observed("other"))
    return model


def test_a_prior_table_does_not_depend_on_names() -> None:
    """Equals draw with e^lam / (e^a/2 + e^lam + e^-a/2), and two Poisson counts of rate 1 with e^-2 I0(2)."""
    table = prior_table(declare(of_any_names, example_games()), count=50)["50%"]
    win, draw, _ = np.exp([0.2, 0.7, -0.2]) / np.exp([0.2, 0.7, -0.2]).sum()
    assert table["share of draws between equals (%)"] == pytest.approx(100 * draw, abs=1e-3)
    assert table["White's score between equals (%)"] == pytest.approx(100 * (win + draw / 2), abs=1e-3)
    slope = 2 / (2 + np.exp(0.7))  # of Davidson's formula beside Elo's
    assert table["White's advantage (Elo)"] == pytest.approx(0.4 * slope * 400 / np.log(10), rel=1e-3)
    played = games(50)
    one, other = np.resize([0.0, 1.0, 2.0, 2.0], 50), np.resize([2.0, 1.0, 1.0, 2.0], 50)
    changed = replace(played.games, score=(1 + np.sign(one - other)) / 2, covariates={"one": one, "other": other})
    scored = select(changed, played.players.tolist())
    table = prior_table(declare(of_goals, scored), count=10)["50%"]
    assert table["share of draws between equals (%)"] == pytest.approx(100 * np.exp(-2) * i0(2), abs=1e-3)


def test_prior_table_of_draws_by_strength_and_effects() -> None:
    """Shares between equals are e^lam / (2 + e^lam); with lam ~ N(1, 5^2) the median is that of lam = 1."""
    table = prior_table(declare("davidson-all-draws", example_games()), count=4000, seed=9)
    middle = 100 * np.e / (2 + np.e)
    error = 5 * 5 * 1.25 / np.sqrt(4000) * 25  # five standard errors of a median of lam; a share moves by 25 at most
    for name in (
        "share of draws between equals of 2905 (%)",
        "share of draws of two players with their tendencies (%)",
    ):
        assert table.loc[name, "50%"] == pytest.approx(middle, abs=error)
        assert table.loc[name, "97.5%"] > table.loc["share of draws between equals (%)", "97.5%"] - 1
    rapid = prior_table(declare("davidson-rapid-scaled", example_games()), count=100)
    assert {"advantage_effect of rapid (Elo)", "share of draws between equals, rapid (%)"} <= set(rapid.index)
    level = prior_table(declare("davidson-scaled-level", example_games()), count=2000)
    assert level.loc["anchor_level (Elo)", "50%"] == pytest.approx(2705, abs=5 * 100 * 1.25 / np.sqrt(2000))
    assert level.loc["anchor_level (Elo)", "97.5%"] == pytest.approx(2705 + 196, abs=30)  # five errors of that quantile


def test_power_scaling_sees_a_prior_that_matters() -> None:
    rng = np.random.default_rng(5)
    moved = {}
    for s in (0.5, 50.0):
        precision = 1 + s**-2
        mu = rng.normal(2.0 / precision, precision**-0.5, (4, 2000))
        draws = xr.DataArray(mu, dims=("chain", "draw"), coords={"chain": range(4), "draw": range(2000)})
        rating = draws.expand_dims(player=["A"], axis=-1)
        groups = {
            "posterior": xr.Dataset({"mu": draws, "rating_elo": rating}),
            "sample_stats": xr.Dataset({"log_likelihood_total": -0.5 * (2.0 - draws) ** 2}),
            "log_prior": xr.Dataset({"mu": -0.5 * (draws / s) ** 2}),
        }
        moved[s] = float(sensitivity(xr.DataTree.from_dict(groups), ["mu"])["prior"].iloc[0])
    assert moved[0.5] > 0.05 > moved[50.0]
    del groups["log_prior"]
    with pytest.raises(EvaluationError, match="a trace with the group log_prior, found none"):
        sensitivity(xr.DataTree.from_dict(groups))


@pytest.mark.parametrize(
    "name", ["bt", "davidson-player", "davidson-walk-scaled", "davidson-rapid", "rao-kupper-all-draws"]
)
def test_every_kind_of_prior_can_be_asked_without_games(name: str) -> None:
    table = prior_table(declare(name, example_games(), "described"), count=200)
    assert np.isfinite(table.to_numpy()).all()
    assert (np.diff(table.to_numpy(), axis=1) >= 0).all()


@pytest.mark.parametrize("name", ["davidson-population-scaled", "davidson-pooled", "davidson-all-draws", "bt-walk"])
def test_the_log_prior_of_draws_is_the_sum_of_the_stated_priors(name: str) -> None:
    declared = declare(name, example_games())
    points = 0.7 * np.random.default_rng(8).standard_normal((4, declared.layout.count))
    posterior = named_draws(declared, expand(declared, numbers_of(declared), points), 1)
    known, stated, elo = set(map(str, posterior.data_vars)), xr.DataArray(0.0), np.log(10) / 400
    normal = {"advantage_mean": (25 * elo, 50 * elo), "strength_mean": (2705 * elo, 400 * elo)}
    normal |= {"log_draw": (1.0, 5.0), "draw_slope": (0.0, 1.0), "log_anchor_scale": (0.0, 1.0)}
    normal |= {} if "advantage_spread" in known else {"advantage": (0.0, 1.0)}
    normal |= {} if {"strength_spread", "innovation_spread"} & known else {"strength": (15.0, 400.0)}
    normal |= {"level": (15.0, 400.0)}
    half = {"advantage_spread": 40 * elo, "strength_spread": 400 * elo}
    half |= {"draw_tendency_spread": 0.5, "innovation_spread": 20 * elo}
    normal |= {one: (0.0, scale) for one, scale in half.items()}
    for one, (mean, sd) in normal.items():
        if one in known:
            term = -(((posterior[one] - mean) / sd) ** 2) / 2
            stated = stated + (term.sum("player") if "player" in term.dims else term)
    found = log_prior(declared, posterior).to_dataarray().sum("variable")
    apart = (found - stated).to_numpy()
    np.testing.assert_allclose(apart, apart[0, 0], atol=1e-6)
