"""Strengths with a given covariance: the stated density, the conditional distribution of new players, and refusals."""

from itertools import islice

import numpy as np
import pandas as pd
import pymc as pm
import pytest
from scipy.special import logsumexp
from scipy.stats import multivariate_normal, norm

from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.fit import fit
from halfpoint.inference.loops.engine import density, expand, numbers_of
from halfpoint.inference.sample import sample
from halfpoint.inference.traces.netcdf import read, write
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.declaration.posterior_reader import reading_of
from halfpoint.models.errors import ModelError
from halfpoint.models.formulas.davidson import davidson
from halfpoint.models.games.select import select
from halfpoint.models.games.simulate import Truth, round_robin, simulate
from halfpoint.models.games.units import to_elo, to_natural
from halfpoint.models.language.model import Model
from halfpoint.models.language.populations import correlated, covariance_in_elo, covariance_of
from halfpoint.models.reading.prior_draws import PriorDraws

NAMES = np.array(["Ada", "Boris", "Chen", "Dora", "Eve"])
STRENGTHS = np.array([15.6, 15.3, 15.9, 15.2, 15.5])
MEAN_ELO = 2500.0
ADVANTAGE = (0.0, 1.0)
MEAN = to_natural(MEAN_ELO)


def covariance(names=NAMES, own_elo=120.0, shared_elo=150.0):
    """Covariance in which the first two and the last two players are related."""
    family = np.array([0, 0, 1, 2, 2])[: len(names)]
    values = own_elo**2 * np.eye(len(names)) + shared_elo**2 * (family[:, None] == family)
    return pd.DataFrame(values, index=list(names), columns=list(names))


def families(games, covariance=None, mean=MEAN, sd=None):
    with pm.Model(coords=games.coords) as model:
        if covariance is None:
            strength = pm.Normal("strength", mean, sd, dims="player")
        else:
            strength = correlated(games, covariance, mean)
        advantage, log_draw = pm.Normal("advantage", *ADVANTAGE), pm.Normal("log_draw", 1.0, 5.0)
        davidson(games, games.white(strength) + advantage, games.black(strength), log_draw)
    return model


def model(frame=None):
    return Model("families", families, {"covariance": covariance_in_elo(covariance() if frame is None else frame)})


def played(rounds=4):
    games = simulate(Truth(NAMES, STRENGTHS, 0.2, 0.5), round_robin(NAMES.size, rounds), 1)
    return select(games, games.players, "both")


def without_games_of_eve(rounds=8):
    chosen = played(rounds)
    eve = int(np.flatnonzero(chosen.players == "Eve")[0])
    weight = np.where((chosen.white == eve) | (chosen.black == eve), 0.0, 1.0)
    return chosen.with_weights(weight, "given")


def test_the_density_is_the_multivariate_normal_times_the_likelihood():
    declared = declare(model(), played())
    numbers = numbers_of(declared)
    value = density(numbers)
    prior = multivariate_normal(np.full(5, to_natural(MEAN_ELO)), to_natural(1.0) ** 2 * covariance().to_numpy())
    sampled, outside = [], []
    rng = np.random.default_rng(3)
    for _ in range(6):
        x = rng.standard_normal(declared.layout.count)
        p = {name: one[0] for name, one in expand(declared, numbers, x[None]).items()}
        white = p["strength"][declared.selection.white] + float(p["advantage"])
        black = p["strength"][declared.selection.black]
        middle = float(p["log_draw"]) + (white + black) / 2
        chosen = np.select([declared.selection.games.score == s for s in (0.0, 0.5, 1.0)], [black, middle, white])
        likelihood = (chosen - logsumexp([black, middle, white], axis=0)).sum()
        rest = norm(*ADVANTAGE).logpdf(p["advantage"]) + norm(1, 5).logpdf(p["log_draw"])
        sampled.append(value(x)[0])
        outside.append(likelihood + rest + prior.logpdf(p["strength"]))
        np.testing.assert_allclose(declared.coordinates(p), x, atol=1e-9)
    np.testing.assert_allclose(np.diff(sampled), np.diff(outside), atol=1e-8)


def test_the_gradient_is_that_of_the_density():
    declared = declare(model(), played())
    value = density(numbers_of(declared))
    x = 0.5 * np.random.default_rng(4).standard_normal(declared.layout.count)
    steps = 1e-5 * np.eye(x.size)
    slopes = [(value(x + step)[0] - value(x - step)[0]) / 2e-5 for step in steps]
    np.testing.assert_allclose(value(x)[1], slopes, rtol=1e-5, atol=1e-5)


def test_the_graph_and_the_engine_agree():
    declared = declare(model(), played())
    value, graph = density(numbers_of(declared)), declared.model.compile_logp(mode="FAST_COMPILE")
    rng, ours, graphs = np.random.default_rng(5), [], []
    for _ in range(4):
        point = {name: rng.standard_normal(np.shape(one)) for name, one in declared.model.initial_point().items()}
        x = np.concatenate([np.ravel(point[one.name]) for one in declared.model.value_vars])
        ours.append(value(x)[0])
        graphs.append(float(graph(point)))
    np.testing.assert_allclose(np.diff(ours), np.diff(graphs), atol=1e-8)


def test_draws_from_the_prior_have_the_covariance():
    declared = declare(model(), played())
    drawn = to_elo(PriorDraws(declared.model).several(4000, 6)["strength"].to_numpy())
    want = covariance().to_numpy()
    error = np.sqrt((want**2 + np.outer(np.diag(want), np.diag(want))) / len(drawn))
    assert np.abs((np.cov(drawn.T) - want) / error).max() < 4.5
    np.testing.assert_allclose(drawn.mean(axis=0), MEAN_ELO, atol=4.5 * np.sqrt(np.diag(want).max() / len(drawn)))


@pytest.mark.parametrize("how", ["nuts", "normal"])
def test_who_has_not_played_stands_where_their_family_puts_them(how):
    declared = declare(model(), without_games_of_eve())
    trace = fit(declared, how, Effort(1000, 500, seed=7) if how == "nuts" else Effort(4000))
    strength = to_elo(trace["posterior"]["strength"].stack(one=("chain", "draw")))
    names = strength["player"].to_numpy().tolist()
    matrix = covariance().loc[names, names].to_numpy()
    eve, others = names.index("Eve"), [place for place, name in enumerate(names) if name != "Eve"]
    slope = np.linalg.solve(matrix[np.ix_(others, others)], matrix[others, eve])
    drawn = strength.to_numpy()
    rest = drawn[eve] - MEAN_ELO - slope @ (drawn[others] - MEAN_ELO)
    spread = np.sqrt(matrix[eve, eve] - slope @ matrix[others, eve])
    effective = 2000
    assert abs(rest.mean()) < 4.5 * spread / np.sqrt(effective)
    assert rest.std() == pytest.approx(spread, rel=4.5 / np.sqrt(2 * effective))
    assert slope[[names[place] for place in others].index("Dora")] > 0.5


def test_a_trace_keeps_the_matrix_and_forecasts(tmp_path):
    declared = declare(model(), played())
    write(sample(declared, draws=200, tune=300, chains=2, seed=8, adapt=False), tmp_path / "families.nc")
    again = read(tmp_path / "families.nc")
    assert again["posterior"]["strength"].sizes["player"] == 5
    kept = reading_of(again).model.keywords["covariance"]
    matrix = covariance_of(NAMES, kept)
    np.testing.assert_allclose(matrix, to_natural(1.0) ** 2 * covariance().to_numpy(), rtol=1e-12)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda frame: frame.drop(index="Eve", columns="Eve"), "none for Eve"),
        (lambda frame: frame.drop(columns="Eve"), "a number for every pair"),
        (lambda frame: frame.where(frame != frame.loc["Ada", "Ada"], np.nan), "finite"),
        (lambda frame: frame + np.triu(np.full((5, 5), 9.0), 1), "symmetric"),
        (lambda frame: frame * 0 + 100.0, "positive definite"),
    ],
)
def test_a_matrix_that_is_none_is_refused_in_one_line(change, text):
    with pytest.raises(ModelError, match=text) as told:
        declare(model(change(covariance())), played())
    assert "\n" not in str(told.value)


def test_independent_players_are_those_of_the_free_part():
    diagonal = pd.DataFrame(np.diag(np.full(5, 400.0**2)), index=list(NAMES), columns=list(NAMES))
    mixed = declare(model(diagonal), played())
    free = declare(Model("free", families, {"sd": to_natural(400.0)}), played())
    found = []
    for p in islice(PriorDraws(free.model).each(9), 4):
        one, other = (density(numbers_of(d))(d.coordinates(p))[0] for d in (mixed, free))
        found.append(one - other)
    np.testing.assert_allclose(np.diff(found), 0.0, atol=1e-8)


def test_players_are_found_by_their_names_in_any_order():
    shuffled = covariance().sample(frac=1.0, random_state=1)
    shuffled = shuffled[shuffled.columns[::-1]]
    np.testing.assert_array_equal(
        covariance_of(NAMES, covariance_in_elo(shuffled)), covariance_of(NAMES, covariance_in_elo(covariance()))
    )
