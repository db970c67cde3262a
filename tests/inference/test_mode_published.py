"""Modes, means and standard deviations compared with closed forms and published tables."""

import numpy as np
import pytest
from paired_tables import (
    CHAMPIONS,
    CITATIONS,
    PUDDINGS,
    TEAMS,
    against,
    baseball,
    flat,
    games_of,
    model_of,
    random_games,
)

from halfpoint.inference import mode
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.gaussian import matrix_free_precision
from halfpoint.inference.gaussian import mode as many
from halfpoint.inference.gaussian.variational import VariationalProblem
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.declaration.declare_model import declare_model
from halfpoint.models.games.units import to_elo, to_natural


def found_in(rows, *kind):
    return mode(declare_model(flat(*kind), games_of(rows)))


def contrast_sd(found, first, second):
    """Standard deviation of the difference of two strengths."""
    weight = np.zeros(found.values["strength"].size)
    weight[first], weight[second] = 1.0, -1.0
    return found.error_of(strength=weight)


def test_two_players_without_draws_differ_by_the_log_odds():
    found = found_in([(0, 1, 30, 0, 20)], "bradley_terry")
    assert -np.diff(found.values["strength"])[0] == pytest.approx(np.log(30 / 20), abs=1e-6)
    assert contrast_sd(found, 0, 1) == pytest.approx(np.sqrt(1 / 30 + 1 / 20), rel=1e-6)


def test_two_players_with_draws_have_davidsons_closed_form():
    won, drawn, lost = 30, 50, 20
    found = found_in([(0, 1, won, drawn, lost)], "davidson").values
    assert -np.diff(found["strength"])[0] == pytest.approx(np.log(won / lost), abs=1e-6)
    assert np.exp(found["log_draw"]) == pytest.approx(drawn / np.sqrt(won * lost), rel=1e-6)


def test_citations_of_agresti():
    """Comm, JASA, JRSS-B against Biometrika, as BradleyTerry2 prints them."""
    found = found_in(CITATIONS, "bradley_terry")
    strength = found.values["strength"] - found.values["strength"][0]
    np.testing.assert_allclose(strength[1:], [-2.94907250, -0.47956977, 0.26895406], atol=1e-5)
    sds = [contrast_sd(found, 0, i) for i in (1, 2, 3)]
    np.testing.assert_allclose(sds, [0.10254534, 0.06058873, 0.07082997], rtol=1e-4)


def test_puddings_of_davidson():
    """Log worths against pudding 1, log nu and their errors, as PlackettLuce prints them."""
    found = found_in(PUDDINGS, "davidson")
    strength = found.values["strength"] - found.values["strength"][0]
    np.testing.assert_allclose(strength[1:], [0.220242, 0.152978, 0.175145, 0.133865, 0.377135], atol=2e-6)
    assert found.values["log_draw"] == pytest.approx(-0.291927, abs=2e-6)
    sds = [contrast_sd(found, 0, i) for i in range(1, 6)]
    np.testing.assert_allclose(sds, [0.1872, 0.1935, 0.1882, 0.1927, 0.1924], atol=6e-5)
    assert found.errors["log_draw"] == pytest.approx(0.0825, abs=6e-5)
    assert found.log_likelihood == pytest.approx(-809.70951, abs=1e-4)


def test_baseball_of_agresti_with_home_advantage():
    """Teams against Baltimore and the home advantage, as Agresti's table 10.11 and BradleyTerry2 have them."""
    found = found_in(baseball(), "bradley_terry", "common")
    strength = found.values["strength"] - found.values["strength"][6]
    order = [TEAMS.index(team) for team in ("Bos", "Cle", "Det", "Mil", "NY", "Tor")]
    np.testing.assert_allclose(strength[order], [1.1438, 0.7047, 1.4754, 1.6196, 1.2813, 1.3271], atol=6e-5)
    sds = [contrast_sd(found, 6, team) for team in order]
    np.testing.assert_allclose(sds, [0.3378, 0.3350, 0.3446, 0.3474, 0.3404, 0.3403], atol=6e-5)
    assert found.values["advantage"] == pytest.approx(0.30226066, abs=1e-5)
    assert found.errors["advantage"] == pytest.approx(0.1309, abs=6e-5)
    assert found.log_likelihood == pytest.approx(-169.5429, abs=1e-3)


@pytest.mark.parametrize("factored", [True, False])
def test_three_champions_with_colours_and_draws(monkeypatch, factored):
    """Kasparov and Anand against Karpov, log nu, White's advantage; values by an independent optimiser."""
    monkeypatch.setattr(many, "FACTORED", many.FACTORED if factored else 1)
    found = found_in(CHAMPIONS, "davidson", "common")
    values, errors = found.values, found.errors
    np.testing.assert_allclose(values["strength"][1:3] - values["strength"][0], [0.78332, 0.44796], atol=6e-6)
    both = np.array([[values[name], errors[name]] for name in ("advantage", "log_draw")])
    np.testing.assert_allclose(both[:, 0], [0.73069, 1.26378], atol=6e-6)
    np.testing.assert_allclose(both[:, 1], [0.18260, 0.11486], atol=6e-6 if factored else 0.05)
    assert contrast_sd(found, 0, 1) == pytest.approx(0.22471, abs=6e-6 if factored else 1e-4)
    assert found.log_likelihood == pytest.approx(-326.8053, abs=1e-4)


@pytest.mark.parametrize(("won", "lost"), [(3, 1), (9, 1), (30, 12)])
def test_the_centre_of_the_closest_normal_is_nearer_to_the_mean_than_the_mode(won, lost):
    """One player against a rated one: the posterior mean by summing over a fine grid."""
    declared = declare_model(
        model_of("bradley_terry", "none", (to_natural(2600.0), to_natural(300.0))), against(2600.0, won, lost)
    )
    rating = np.linspace(0, 5200, 20_001)
    expected = 1 / (1 + 10 ** ((2600 - rating) / 400))
    log_density = won * np.log(expected) + lost * np.log1p(-expected) - 0.5 * ((rating - 2600) / 300) ** 2
    density = np.exp(log_density - log_density.max())
    mean = (density * rating).sum() / density.sum()
    highest, centre = (
        to_elo(mode(declared).top.z[0]),
        to_elo(VariationalProblem(declared).closest(np.zeros(0)).centre[0]),
    )
    assert highest == pytest.approx(rating[density.argmax()], abs=0.26)
    assert abs(centre - mean) < abs(highest - mean) / 3


@pytest.mark.parametrize("advantage", ["none", "common", "player"])
@pytest.mark.parametrize("family", ["bradley_terry", "davidson"])
def test_many_players_have_the_mode_and_errors_that_a_factor_gives(monkeypatch, family, advantage):
    declared = declare_model(model_of(family, advantage), random_games(30, 400, 3))
    exact = mode(declared)
    monkeypatch.setattr(many, "FACTORED", 1)
    monkeypatch.setattr(matrix_free_precision, "SAMPLES", 400)
    monkeypatch.setattr(matrix_free_precision, "MEMBERS", 10)
    found = mode(declared)
    for name, sd in exact.errors.items():
        np.testing.assert_allclose((found.values[name] - exact.values[name]) / sd, 0.0, atol=1e-3, err_msg=name)
        np.testing.assert_allclose(found.errors[name], sd, rtol=4 / np.sqrt(2 * 400), err_msg=name)


def test_a_model_that_learns_a_spread_has_no_mode():
    with pytest.raises(InferenceError, match=r"expected a model without spreads and scales, found 'strength_spread'"):
        mode(declare("davidson-population", random_games(5, 60, 1)))
