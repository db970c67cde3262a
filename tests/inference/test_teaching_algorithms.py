"""MM, EM and Gibbs against Newton's method, closed forms and NUTS: the same maxima and the same posterior."""

import numpy as np
import pandas as pd
import pytest
from composed import DrawParameter, Free, Model, Nothing
from paired_tables import CHAMPIONS, CITATIONS, PUDDINGS, baseball, games_of
from scipy.special import digamma, polygamma

from halfpoint.apps.study.teaching import gibbs, minorize
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.fit import fit
from halfpoint.inference.maximum_likelihood import maximum_likelihood
from halfpoint.models.declaration.catalogue import find
from halfpoint.models.declaration.declare_model import declare_model
from halfpoint.models.formulas.bradley_terry import HALF_POINTS
from halfpoint.models.formulas.rao_kupper import RAO_KUPPER
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.select import select
from halfpoint.models.reading.prior_draws import PriorDraws
from halfpoint.readers.read import read

TABLES = {
    "bt": (CITATIONS, "half", False),
    "bt-common": (baseball(), "half", True),
    "davidson": (PUDDINGS, "davidson", False),
    "davidson-common": (CHAMPIONS, "davidson", True),
    "rao-kupper": (CHAMPIONS, "rao_kupper", True),
}


@pytest.mark.parametrize("name", TABLES)
def test_mm_has_the_maximum_of_newtons_method(name):
    rows, ties, advantage = TABLES[name]
    played = games_of(rows)
    newton, climb = maximum_likelihood(find(name), played), minorize(played, ties, advantage)
    np.testing.assert_allclose(climb.strength - climb.strength[0], newton.strength, atol=1e-8)
    if advantage:
        assert climb.advantage == pytest.approx(float(newton.others["advantage"][0]), abs=1e-8)
    if ties != "half":
        assert climb.log_draw == pytest.approx(float(newton.others["log_draw"][0]), abs=1e-8)
    assert climb.rounds > 20  # BradleyTerry2 prints 4 steps of Fisher scoring for baseball


def test_rao_and_kuppers_ties_without_an_advantage():
    played = games_of(PUDDINGS)
    model = Model("ties", RAO_KUPPER, Free((0.0, 1e4)), Nothing(), DrawParameter((0.0, 1e4)))
    newton, climb = maximum_likelihood(model, played), minorize(played, "rao_kupper")
    np.testing.assert_allclose(climb.strength - climb.strength[0], newton.strength, atol=1e-8)
    assert climb.log_draw == pytest.approx(float(newton.others["log_draw"][0]), abs=1e-8)


def test_a_likelihood_without_a_maximum_is_refused():
    played = games_of([(0, 1, 3, 0, 0), (1, 2, 1, 0, 1)])
    with pytest.raises(GameTableError, match="games whose likelihood has a maximum, found none"):
        minorize(played)
    with pytest.raises(GameTableError, match="maximum"):
        minorize(games_of(CITATIONS), "davidson")
    with pytest.raises(InferenceError, match="a shape above 1 and a rate above 0, found 1 and 0"):
        minorize(played, prior=(1.0, 0.0))


def test_em_with_a_nearly_flat_prior_is_mm_and_with_a_prior_its_gradient_vanishes():
    played = games_of(CITATIONS)
    flat = minorize(played, still=1e-12, prior=(1.0 + 1e-9, 1e-9)).strength
    climb = minorize(played)
    np.testing.assert_allclose(flat - flat.mean(), climb.strength, atol=1e-6)
    shape, rate = 3.0, 2.0
    gamma = np.exp(minorize(games_of(baseball()), prior=(shape, rate)).strength)
    slope = (shape - 1.0) / gamma - rate
    for i, j, won, _, lost in baseball():
        slope[i] += won / gamma[i] - (won + lost) / (gamma[i] + gamma[j])
        slope[j] += lost / gamma[j] - (won + lost) / (gamma[i] + gamma[j])
    np.testing.assert_allclose(slope, 0.0, atol=1e-9)


def effective(draws):
    """Approximate number of independent draws in a chain, from its lag-one correlation."""
    centred = draws - draws.mean(axis=0)
    r = np.clip((centred[1:] * centred[:-1]).sum(axis=0) / (centred**2).sum(axis=0), 0.0, 0.99)
    return len(draws) * (1 - r) / (1 + r)


@pytest.mark.draws
def test_gibbs_and_nuts_have_the_same_posterior():
    played, shape, rate = games_of(baseball()), 2.0, 0.5
    chain = gibbs(played, shape, rate, 5000, 3)
    model = Model("gamma", HALF_POINTS, Free(("log_gamma", shape, rate)), Nothing())
    tree = fit(declare_model(model, played), "nuts", Effort(2000, 500, 2, 5), 0, cores=1, progress=False)
    nuts = tree["posterior"]["strength"].to_numpy().reshape(-1, 7)
    sd = nuts.std(axis=0)
    error = sd * np.sqrt(1 / effective(chain) + 1 / 1000)
    np.testing.assert_array_less(abs(chain.mean(axis=0) - nuts.mean(axis=0)), 4 * error)
    np.testing.assert_array_less(abs(chain.std(axis=0) / sd - 1), 4 * np.sqrt(0.5 / effective(chain) + 0.5 / 1000))


def test_gibbs_draws_two_players_as_the_closed_form_has_it():
    """gamma_1 / (gamma_1 + gamma_2) ~ Beta(a + won, a + lost) whatever b is."""
    played = games_of([(0, 1, 7, 0, 3)])
    drawn = gibbs(played, 2.0, 1.0, 8000, 1)
    difference = drawn[:, 0] - drawn[:, 1]  # of two gamma variables: log odds of that beta
    error = difference.std() / np.sqrt(effective(difference[:, None])[0])
    assert difference.mean() == pytest.approx(digamma(9.0) - digamma(5.0), abs=4 * error)
    assert difference.var() == pytest.approx(polygamma(1, 9.0) + polygamma(1, 5.0), rel=0.1)


def test_davidson_and_solomons_prior_is_games_played_before():
    """Two and a half wins each before any game: the log odds are those of Beta(2.5 + won, 2.5 + lost)."""
    rows = [("a", "b", 1.0, 2.5), ("a", "b", 0.0, 2.5), *[("a", "b", 1.0, 1.0)] * 6, ("b", "a", 1.0, 1.0)]
    games = read(pd.DataFrame(rows, columns=["white", "black", "score", "weight"]), source="here")
    model = Model("flat", HALF_POINTS, Free((0.0, 100.0)), Nothing())
    tree = fit(declare_model(model, select(games, games.players, "both")), "normal", Effort(4000, 0, 2, 2), 0)
    strength = tree["posterior"]["strength"].to_numpy().reshape(-1, 2)
    odds = strength[:, 0] - strength[:, 1]
    independent = 0.25 * odds.size  # at the least: draws stand there more than once
    assert odds.mean() == pytest.approx(digamma(8.5) - digamma(3.5), abs=4 * odds.std() / np.sqrt(independent))
    spread = np.sqrt(polygamma(1, 8.5) + polygamma(1, 3.5))
    assert odds.std() == pytest.approx(spread, rel=4 / np.sqrt(2 * independent))


def test_the_family_of_the_language_is_the_logarithm_of_a_gamma_variable():
    """Without games the posterior is the prior: digamma and trigamma."""
    games = read(pd.DataFrame({"white": ["a"], "black": ["b"], "score": [0.5]}), source="one game")
    declared = declare_model(
        Model("gamma", HALF_POINTS, Free(("log_gamma", 3.0, 0.25)), Nothing()), select(games, games.players, "both")
    )
    assert any(line.startswith("strength_exp_noncentred ~ Gamma(3, ") for line in declared.written())
    drawn = PriorDraws(declared.model).several(4000, 1)["strength"].to_numpy()
    assert drawn.mean() == pytest.approx(digamma(3.0) - np.log(0.25), abs=4 * drawn.std() / np.sqrt(drawn.size))
    assert drawn.std() == pytest.approx(np.sqrt(polygamma(1, 3.0)), rel=0.06)
