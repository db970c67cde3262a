"""Reference models compared with printed figures without penalties (Pires 2014, tables 6, 8, 11, 13, 14, 16)."""

import numpy as np
import pytest

from halfpoint.apps.study.references import (
    Counts,
    rating_neg2_loglik,
    reference_definetti,
    reference_models,
    reference_neg2_loglik,
    reference_probability,
)
from halfpoint.evaluation.errors import EvaluationError
from halfpoint.models.games.table import GameTable, code_players

TRAINING = Counts(1185, 3658, 1964)
SET_A = Counts(62, 235, 114)
SET_B = Counts(154, 344, 234)
PRINTED = {
    ("bradley_terry", "equiprobable"): (9436.51, 569.77, 1014.77),
    ("bradley_terry", "proportional_no_draws"): (9472.78, 575.64, 1013.10),
    ("bradley_terry", "proportional"): (11481.19, 710.37, 1177.19),
    ("davidson", "equiprobable"): (14956.51, 903.06, 1608.37),
    ("davidson", "proportional_no_draws"): (13763.85, 805.26, 1550.00),
    ("davidson", "proportional"): (13569.13, 789.66, 1533.39),
}


@pytest.mark.parametrize(("family", "name"), PRINTED)
def test_figures_from_counts_alone(family, name):
    found = [reference_neg2_loglik(family, name, counts) for counts in (TRAINING, SET_A, SET_B)]
    assert found == pytest.approx(PRINTED[family, name], abs=0.01)


@pytest.mark.parametrize(
    ("family", "name", "printed_a", "printed_b"),
    [
        ("bradley_terry", "equiprobable", 0.107, 0.132),
        ("bradley_terry", "proportional_no_draws", 0.110, 0.131),
        ("bradley_terry", "proportional", 0.184, 0.184),
        ("davidson", "equiprobable", 0.666, 0.666),
        ("davidson", "proportional_no_draws", 0.581, 0.638),
        ("davidson", "proportional", 0.573, 0.632),
    ],
)
def test_de_finetti_of_the_references_truncated_as_printed(family, name, printed_a, printed_b):
    # Tables 11 and 14 except for their two misprints (0.587 for 0.581 and 0.677 for 0.667).
    for counts, printed in ((SET_A, printed_a), (SET_B, printed_b)):
        assert np.floor(1000 * reference_definetti(family, name, counts)) / 1000 == pytest.approx(printed)


def test_weighted_equiprobable_needs_only_the_sum_of_weights():
    sums = Counts(1000.0, 10000.0, 1109.1)
    found = reference_neg2_loglik("bradley_terry", "equiprobable", TRAINING, sums)
    assert found == pytest.approx(2 * np.log(2) * 12109.1)


def test_proportions_come_from_the_unweighted_counts():
    doubled = Counts(2 * 62, 2 * 235, 2 * 114)
    for family, name in PRINTED:
        once = reference_neg2_loglik(family, name, SET_A)
        assert reference_neg2_loglik(family, name, SET_A, doubled) == pytest.approx(2 * once)
        assert reference_neg2_loglik(family, name, doubled, SET_A) == pytest.approx(once)


def test_probabilities_sum_to_one():
    for family, name in PRINTED:
        assert reference_probability(family, name, SET_B).sum() == pytest.approx(1)


def test_four_hundred_points_are_ten_to_one():
    # 400 points are 10 to 1 by definition of the curve.
    assert rating_neg2_loglik([2800.0], [2400.0], [1.0]) == pytest.approx(-2 * np.log(10 / 11))


def games_with_ratings():
    players, white, black = code_players(["a", "b", "a", "c"], ["b", "a", "c", "a"])
    white_elo, black_elo = np.array([2700.0, 2600, 2700, 2500]), np.array([2600.0, 2700, 2500, 2700])
    score = np.array([1.0, 0.5, 0.5, 0.0])
    return GameTable(players, white, black, score, white_rating_elo=white_elo, black_rating_elo=black_elo)


def test_all_references_of_a_table_of_games():
    games = games_with_ratings()
    found = {(one.family, one.name): one.neg2_loglik for one in reference_models(games)}
    assert len(found) == 7
    p = 1 / (1 + 10 ** ((games.black_rating_elo - games.white_rating_elo) / 400))
    each = games.score * np.log(p) + (1 - games.score) * np.log(1 - p)
    assert found["bradley_terry", "fide_elo"] == pytest.approx(-2 * each.sum())
    weighted = reference_models(games, np.full(4, 3.0), "computed")
    assert [one.neg2_loglik for one in weighted] == pytest.approx([3 * value for value in found.values()])
    assert {one.weighting for one in weighted} == {"computed"}


def test_bad_requests():
    with pytest.raises(EvaluationError, match="equiprobable"):
        reference_neg2_loglik("davidson", "uniform", SET_A)
    with pytest.raises(EvaluationError, match="numbers >= 0"):
        Counts(0, 0, 0)
    with pytest.raises(EvaluationError, match="without one"):
        rating_neg2_loglik([np.nan], [2700.0], [1.0])
