"""Modes and standard deviations against closed forms and published tables."""

from dataclasses import replace

import numpy as np
import pytest
from paired_tables import (
    CHAMPIONS,
    CITATIONS,
    PUDDINGS,
    TEAMS,
    baseball,
    cells_of,
    contrast_sd,
    flat,
    model_of,
)

from halfpoint.games.units import to_elo, to_natural
from halfpoint.inference.laplace import laplace


def test_two_players_without_draws_differ_by_the_log_odds():
    found = laplace(cells_of([(0, 1, 30, 0, 20)]), flat("bradley_terry"))
    difference = found.mode.position[0] - found.mode.position[1]
    assert difference == pytest.approx(np.log(30 / 20), abs=1e-6)
    assert contrast_sd(found.mode.curvature, 0, 1) == pytest.approx(np.sqrt(1 / 30 + 1 / 20), rel=1e-6)


def test_two_players_with_draws_have_davidsons_closed_form():
    won, drawn, lost = 30, 50, 20
    found = laplace(cells_of([(0, 1, won, drawn, lost)]), flat("davidson"))
    assert found.mode.position[0] - found.mode.position[1] == pytest.approx(np.log(won / lost), abs=1e-6)
    assert np.exp(found.mode.position[-1]) == pytest.approx(drawn / np.sqrt(won * lost), rel=1e-6)


def test_citations_of_agresti():
    """Comm, JASA, JRSS-B against Biometrika, as BradleyTerry2 prints them."""
    found = laplace(cells_of(CITATIONS), flat("bradley_terry"))
    strength = found.mode.position - found.mode.position[0]
    np.testing.assert_allclose(strength[1:], [-2.94907250, -0.47956977, 0.26895406], atol=1e-5)
    sds = [contrast_sd(found.mode.curvature, 0, i) for i in (1, 2, 3)]
    np.testing.assert_allclose(sds, [0.10254534, 0.06058873, 0.07082997], rtol=1e-4)


def test_puddings_of_davidson():
    """Log worths against pudding 1, log nu and their errors, as PlackettLuce prints them."""
    found = laplace(cells_of(PUDDINGS), flat("davidson"))
    strength, shape = found.mode.position[:6] - found.mode.position[0], found.mode.curvature
    np.testing.assert_allclose(strength[1:], [0.220242, 0.152978, 0.175145, 0.133865, 0.377135], atol=2e-6)
    assert found.mode.position[-1] == pytest.approx(-0.291927, abs=2e-6)
    sds = [contrast_sd(shape, 0, i) for i in range(1, 6)]
    np.testing.assert_allclose(sds, [0.1872, 0.1935, 0.1882, 0.1927, 0.1924], atol=6e-5)
    assert found.sd[-1] == pytest.approx(0.0825, abs=6e-5)
    assert shape.log_likelihood == pytest.approx(-809.70951, abs=1e-4)


def test_baseball_of_agresti_with_home_advantage():
    """Teams against Baltimore and the home advantage, as Agresti's table 10.11 and BradleyTerry2 have them."""
    found = laplace(cells_of(baseball()), flat("bradley_terry", "common"))
    strength = found.mode.position[:7] - found.mode.position[6]
    order = [TEAMS.index(team) for team in ("Bos", "Cle", "Det", "Mil", "NY", "Tor")]
    np.testing.assert_allclose(strength[order], [1.1438, 0.7047, 1.4754, 1.6196, 1.2813, 1.3271], atol=6e-5)
    sds = [contrast_sd(found.mode.curvature, 6, team) for team in order]
    np.testing.assert_allclose(sds, [0.3378, 0.3350, 0.3446, 0.3474, 0.3404, 0.3403], atol=6e-5)
    assert found.mode.position[-1] == pytest.approx(0.30226066, abs=1e-5)
    assert found.sd[-1] == pytest.approx(0.1309, abs=6e-5)
    assert found.mode.curvature.log_likelihood == pytest.approx(-169.5429, abs=1e-3)


def test_three_champions_with_colours_and_draws():
    """Kasparov and Anand against Karpov, log nu, White's advantage; values by an independent optimiser."""
    found = laplace(cells_of(CHAMPIONS), flat("davidson", "common"))
    position, shape = found.mode.position, found.mode.curvature
    np.testing.assert_allclose(position[1:3] - position[0], [0.78332, 0.44796], atol=6e-6)
    np.testing.assert_allclose(position[3:], [0.73069, 1.26378], atol=6e-6)
    np.testing.assert_allclose(found.sd[3:], [0.18260, 0.11486], atol=6e-6)
    assert contrast_sd(shape, 0, 1) == pytest.approx(0.22471, abs=6e-6)
    assert shape.log_likelihood == pytest.approx(-326.8053, abs=1e-4)


def test_strengths_are_the_first_of_all_parameters():
    found = laplace(cells_of(CITATIONS), flat("bradley_terry"), centre="mode")
    np.testing.assert_allclose(found.strength, found.mode.position)
    np.testing.assert_allclose(found.strength_sd, found.sd[: found.target.players.size])


@pytest.mark.parametrize(("won", "lost"), [(3, 1), (9, 1), (30, 12)])
def test_the_centre_is_nearer_to_the_mean_than_the_mode(won, lost):
    """One player against an anchor: the posterior mean by summing over a fine grid."""
    cells = cells_of([(0, 1, won, 0, lost)])
    anchored = replace(cells, players=cells.players[:1], black=np.array([-1], np.int32), anchor_elo=np.array([2600.0]))
    model = model_of("bradley_terry", "none", (to_natural(2600.0), to_natural(300.0)))
    rating = np.linspace(0, 5200, 20_001)
    expected = 1 / (1 + 10 ** ((2600 - rating) / 400))
    log_density = won * np.log(expected) + lost * np.log1p(-expected) - 0.5 * ((rating - 2600) / 300) ** 2
    density = np.exp(log_density - log_density.max())
    mean = (density * rating).sum() / density.sum()
    mode, centre = (to_elo(laplace(anchored, model, centre=which).strength[0]) for which in ("mode", "mean"))
    assert mode == pytest.approx(rating[density.argmax()], abs=0.26)
    assert abs(centre - mean) < abs(mode - mean) / 3
