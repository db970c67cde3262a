"""Information of rows on values, by hand and by dense sums; units and the axis of the level."""

from types import SimpleNamespace

import numpy as np
import pytest

from halfpoint.models.reading.information import Seen, at_centre, information_of, level_weight, units_of
from halfpoint.models.reading.sparse_affine import SparseAffine

WHITE, BLACK = np.array([0, 1, 2]), np.array([1, 2, 0])
ONES, GAMES = np.ones(3), np.array([4.0, 2.0, 10.0])
WEIGHT = np.array([[1.0, 1.0, 2.0], [0.0, 0.0, 2.0], [5.0, 2.0, 3.0]])  # loss, draw, win
ADVANTAGE, SCALE, LOG_DRAW = 3, 4, 5


def seen(eta, lam=(), margin=None, **more):
    """Three rows of three players, whose strengths are the values 0 to 2."""
    starts = {"strength": 0, "advantage": ADVANTAGE, "scale": SCALE, "log_draw": LOG_DRAW}
    shapes = {"strength": (3,), "advantage": (), "scale": (), "log_draw": ()}
    settings = {"information": 0.2, "of_lam": 0.25, "size": 6, "weight": WEIGHT, "margin": margin} | more
    return Seen(starts, shapes, list(eta), list(lam), GAMES, players={"strength"}, **settings)


PLAYERS = [(ONES, (WHITE,)), (-ONES, (BLACK,)), (ONES, (np.full(3, ADVANTAGE),))]


def test_information_is_the_sum_of_squares_over_rows():
    design = seen(PLAYERS, [(2.0 * ONES, (np.full(3, LOG_DRAW),))])
    informed = information_of(design, np.zeros(6), {})
    assert informed.eta.tolist() == pytest.approx([0.2 * 14, 0.2 * 6, 0.2 * 12, 0.2 * 16, 0.0, 0.0])
    assert informed.lam.tolist() == pytest.approx([0.0] * 5 + [0.25 * 4 * 16])


def test_a_step_is_the_surplus_of_points_over_the_information():
    """At equal sides the rows have 2.5 of 2, 2 of 1 and 4 of 5 expected points: 0.5, 1 and -1 more."""
    step = information_of(seen(PLAYERS), np.zeros(6), {}).step
    assert step[:4].tolist() == pytest.approx([1.5 / 2.8, 0.5 / 1.2, -2.0 / 2.4, 0.5 / 3.2])


def test_the_expected_points_are_logistic_in_the_difference():
    centre = np.array([0.5, -0.2, 0.1, 0.3, 0.0, 0.0])
    eta = centre[WHITE] - centre[BLACK] + 0.3
    surplus = WEIGHT @ [0.0, 0.5, 1.0] - GAMES / (1.0 + np.exp(-0.8 * eta))
    step = information_of(seen(PLAYERS), centre, {}).step
    assert step[ADVANTAGE] == pytest.approx(surplus.sum() / 3.2)


def test_a_step_of_margins_is_their_mean_beyond_the_difference():
    margin = np.array([1.0, -2.0, 0.5])
    informed = information_of(seen(PLAYERS, margin=margin), np.array([0.0] * 3 + [0.5, 0.0, 0.0]), {})
    assert informed.step[ADVANTAGE] == pytest.approx(0.2 * (GAMES @ (margin - 0.5)) / (0.2 * 16))


def test_products_count_by_their_slopes_at_the_centre():
    centre = np.array([1.0, 2.0, 3.0, 0.0, 0.5, 0.0])
    design = seen([(ONES, (WHITE, np.full(3, SCALE)))])
    informed = information_of(design, centre, {})
    assert informed.eta[:3].tolist() == pytest.approx((0.2 * GAMES * 0.25).tolist())
    assert informed.eta[SCALE] == pytest.approx(0.2 * (GAMES @ centre[WHITE] ** 2))


def test_a_function_of_a_number_counts_by_its_rise():
    """Value 6 stands for a function of the scale with slope 3."""
    design = seen([(ONES, (np.full(3, 6),))])
    informed = information_of(design, np.append(np.zeros(6), 1.0), {6: (SCALE, 3.0)})
    assert informed.eta[SCALE] == pytest.approx(0.2 * 9.0 * 16.0)


def test_a_form_at_the_centre():
    form = SparseAffine((3,), [(2.0 * ONES, (WHITE,)), (ONES, (WHITE, BLACK)), (0.5 * ONES, ())])
    assert at_centre(form, np.array([1.0, 2.0, 4.0])).tolist() == [4.5, 12.5, 12.5]
    assert at_centre([1, 2], np.zeros(3)).tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    ("eta", "lam", "weight"),
    [
        (PLAYERS, [], 0.0),  # differences of players
        ([(ONES, (WHITE,)), (np.array([-1.0, -1.0, 0.0]), (BLACK,))], [], 10.0),  # an anchored opponent in a row
        (PLAYERS, [(ONES, (WHITE,))], None),  # lam depends on the sum
        (PLAYERS, [(ONES, (np.full(3, LOG_DRAW),))], 0.0),
    ],
)
def test_rows_that_see_the_level(eta, lam, weight):
    design = seen(eta, lam)
    assert level_weight(design, information_of(design, np.zeros(6), {}), slice(0, 3)) == weight


def test_units_are_posterior_deviations_and_the_level_an_axis():
    design, sd = seen(PLAYERS), 2.0
    informed, players = information_of(design, np.zeros(6), {}), slice(0, 3)
    usual = (0.25 + np.array([2.8, 1.2, 2.4])) ** -0.5
    centre, unit, pivot = units_of(design, informed, players, sd, np.full(3, 7.0), alike=False)
    assert (pivot, unit.tolist(), centre.tolist()) == (None, pytest.approx(usual.tolist()), [7.0] * 3)
    centre, unit, pivot = units_of(design, informed, players, sd, np.full(3, 7.0), alike=True)
    assert pivot == 0  # the most games
    assert unit.tolist() == pytest.approx([2.0, *usual[1:]])  # no game sees the level
    assert centre.tolist() == pytest.approx([7.0 * np.sqrt(3.0), 0.0, 0.0])
    assert units_of(design, informed, players, [2.0, 2.0, 1.0], np.full(3, 7.0), alike=True)[2] is None


@pytest.mark.parametrize(("anchored", "pivot"), [((1.0, 0.0, 1.0), 0), ((1.0, 1.0, 0.0), None)])
def test_games_with_anchors_fix_the_level(anchored, pivot):
    """Rows of 2 of 16 games see the level, or of 10."""
    design = seen([(ONES, (WHITE,)), (-np.array(anchored), (BLACK,))])
    informed = information_of(design, np.zeros(6), {})
    _, unit, place = units_of(design, informed, slice(0, 3), 2.0, np.zeros(3), alike=True)
    assert (place is None) == (pivot is None)
    if place is not None:
        assert unit[place] == pytest.approx((0.25 + 0.2 * 2.0 / 3.0) ** -0.5)


@pytest.mark.parametrize("margins", [False, True])
def test_a_design_has_the_games_of_its_cells(margins):
    cells = SimpleNamespace(weight=WEIGHT, weight_of_games=2.0 * WEIGHT)
    margin = np.array([1.0, 3.0, 8.0])
    outcome = SimpleNamespace(scores=None if margins else 1, information=0.3)
    design = Seen.of(outcome, cells, SimpleNamespace(margin=margin), {}, {}, 6, ([], []), set())
    assert design.games.tolist() == (2.0 * GAMES).tolist()
    assert design.information == pytest.approx(1.0 / margin.var() if margins else 0.3)
    assert design.of_lam == (2.0 if margins else 0.25)
