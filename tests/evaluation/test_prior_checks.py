"""Prior predictive quantiles against closed forms; the invented games."""

import numpy as np
import pytest
from scipy.stats import chi, norm

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.prior_checks import example_games, prior_table
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select
from halfpoint.models.games.units import ELO_PER_NATURAL

COUNT = 2000


@pytest.fixture(scope="module")
def selection():
    return example_games()


def test_the_games_are_between_all_in_both_colours_and_two_periods(selection):
    games = selection.games
    assert selection.players.tolist() == ["first", "fourth", "second", "third"]
    assert len(games) == 20
    assert len({*zip(games.white_names.tolist(), games.black_names.tolist(), strict=True)}) == 20
    assert games.period.tolist() == [1, 2] * 10
    assert games.simulated
    np.testing.assert_allclose(games.white_rating_elo, 2705.0)
    assert games.covariates["rapid"].tolist() == ([1.0, 0.0, 0.0] * 7)[:20]
    assert games.covariates["deal"].tolist() == [0, 1] * 10
    assert np.bincount((2 * games.score).astype(int)).tolist() == [6, 7, 7]
    assert selection.has_anchors


def test_quantities_of_a_population_follow_its_priors(selection):
    declared = declare("davidson-population", selection)
    table = prior_table(declared, COUNT)
    assert table.columns.tolist() == ["2.5%", "25%", "50%", "75%", "97.5%"]
    mean = table.loc["strength_mean (Elo)"]
    assert mean["50%"] == pytest.approx(2705.0, abs=10.0)
    assert mean["97.5%"] - mean["50%"] == pytest.approx(mean["50%"] - mean["2.5%"], rel=0.2)
    spread = table.loc["strength_spread (Elo)"]
    assert (spread > 0.0).all()
    assert (table.diff(axis=1).iloc[:, 1:] > 0.0).to_numpy().all()


def test_shares_of_equals_follow_the_formula(selection):
    """davidson-common: an advantage a and a draw parameter lam; shares e^(a/2), e^lam, e^(-a/2)."""
    table = prior_table(declare("davidson-common", selection), COUNT)
    draws, score = table.loc["share of draws between equals (%)"], table.loc["White's score between equals (%)"]
    assert (draws > 0.0).all()
    assert (draws < 100.0).all()
    assert score["50%"] == pytest.approx(50.0, abs=5.0)
    assert score["2.5%"] + score["97.5%"] == pytest.approx(100.0, abs=5.0)  # no seat is favoured a priori
    gap, rating = table.loc["gap between two players (Elo)"], table.loc["rating of a player (Elo)"]
    sd = (rating["75%"] - rating["25%"]) / (norm.ppf(0.75) - norm.ppf(0.25))
    np.testing.assert_allclose(gap["50%"], np.sqrt(2.0) * sd * chi.ppf(0.5, 1), rtol=0.15)
    assert rating["50%"] == pytest.approx(2705.0, abs=0.2 * sd)


def test_draws_that_depend_on_strength_are_shown_at_two_ratings(selection):
    names = prior_table(declare("davidson-all-draws", selection), 200).index
    assert {"share of draws between equals of 2505 (%)", "share of draws between equals of 2905 (%)"} <= set(names) or (
        "share of draws of two players with their tendencies (%)" in names
    )


def test_half_points_have_no_share_of_draws(selection):
    names = prior_table(declare("bt-common", selection), 100).index.tolist()
    assert "White's advantage (Elo)" in names
    assert "White's score between equals (%)" in names
    assert not any("draws" in name for name in names)


def test_scales_are_those_of_elo_points():
    assert pytest.approx(400.0 / np.log(10.0)) == ELO_PER_NATURAL


def test_one_player_is_not_enough(selection):
    alone = select(selection.games, ["first"], "any")
    with pytest.raises(EvaluationError, match="two monitored players"):
        prior_table(declare("davidson", alone), 10)
