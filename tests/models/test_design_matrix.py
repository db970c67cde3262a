"""Formulas of columns: coded by the games of the fit, also for later games; refusals in one line."""

from dataclasses import replace

import numpy as np
import pytest
from extended_games import schedule
from scipy.interpolate import make_lsq_spline

from halfpoint.models.errors import ModelError
from halfpoint.models.rows.design_matrix import DesignMatrix, labels

CONTROL = np.array(["blitz", "classical", "rapid"])


def games_with(**columns):
    games = schedule(60, 3, 1).games.take(np.arange(len(next(iter(columns.values())))))
    return replace(games, covariates={name: np.asarray(value) for name, value in columns.items()})


HEIGHT = np.random.default_rng(4).uniform(10.0, 90.0, 60)
FIT = games_with(height=HEIGHT, control=np.tile(CONTROL, 20), round=np.tile([1, 2, 4, 8], 15))


def test_products_of_a_number_with_text_have_a_column_for_each_level():
    made = DesignMatrix.of({"log_draw": "0 + height:control"}, FIT)
    expected = HEIGHT[:, None] * (FIT.covariates["control"][:, None] == CONTROL)
    np.testing.assert_array_equal(made.columns(FIT)["log_draw"], expected)


def test_text_beside_the_models_intercept_is_coded_against_its_first_level():
    made = DesignMatrix.of({"log_draw": "0 + control + scale(height)"}, FIT)
    assert made.terms["log_draw"] == ["control[classical]", "control[rapid]", "scale(height)"]
    assert made.origin("log_draw") == "control = blitz, scale(height) = 0"
    assert made.origin("advantage") == ""
    levels = made.columns(FIT)["log_draw"][:, :2]
    np.testing.assert_array_equal(levels, FIT.covariates["control"][:, None] == CONTROL[1:])
    summed = DesignMatrix.of({"log_draw": "0 + C(control, Sum)"}, FIT)
    assert summed.origin("log_draw") == "C(control, Sum) = the mean of its levels"
    assert DesignMatrix.of({"log_draw": "0 + C(round)"}, FIT).origin("log_draw") == "C(round) = 1"


NEW = np.array([72.0, 30.0, 55.0, 90.0])
BY_HAND = {
    "0 + scale(height)": lambda x: (x - HEIGHT.mean()) / HEIGHT.std(),
    "0 + standardize(height)": lambda x: (x - HEIGHT.mean()) / HEIGHT.std(),
    "0 + center(height)": lambda x: x - HEIGHT.mean(),
    "0 + I(height + 1)": lambda x: x + 1.0,
}


@pytest.mark.parametrize("formula", BY_HAND)
def test_games_to_come_are_coded_with_the_moments_of_the_fit(formula):
    found = DesignMatrix.of({"advantage": formula}, FIT).columns(games_with(height=NEW))["advantage"]
    np.testing.assert_allclose(found[:, 0], BY_HAND[formula](NEW), rtol=1e-12)


def test_polynomials_and_splines_of_games_to_come_are_the_curves_of_the_fit():
    made = DesignMatrix.of({"advantage": "0 + poly(height, 3)", "log_draw": "0 + bs(height, df=5)"}, FIT)
    seen, found = made.columns(FIT), made.columns(games_with(height=NEW[:3]))
    curves = np.polynomial.Polynomial.fit
    polynomials = [curves(HEIGHT, column, 3)(NEW[:3]) for column in seen["advantage"].T]
    np.testing.assert_allclose(found["advantage"], np.transpose(polynomials), atol=1e-10)
    np.testing.assert_allclose(seen["advantage"].T @ seen["advantage"], np.eye(3), atol=1e-10)
    order, inner = np.argsort(HEIGHT), np.quantile(HEIGHT, [1 / 3, 2 / 3])
    knots = np.concatenate([[HEIGHT.min()] * 4, inner, [HEIGHT.max()] * 4])
    spline = make_lsq_spline(HEIGHT[order], seen["log_draw"][order], knots, 3)
    np.testing.assert_allclose(spline(HEIGHT), seen["log_draw"], atol=1e-10)  # they are such splines
    np.testing.assert_allclose(found["log_draw"], spline(NEW[:3]), atol=1e-10)


EVERY = (*BY_HAND, "0 + bs(height, df=4)", "0 + poly(height, 2)", "0 + control", "0 + C(round)", "0 + control*height")


@pytest.mark.parametrize("formula", EVERY)
def test_one_game_is_coded_as_beside_others(formula):
    coming = games_with(height=NEW[:3], control=["rapid", "blitz", "rapid"], round=[4, 1, 2])
    made = DesignMatrix.of({"advantage": formula}, FIT)
    together = made.columns(coming)["advantage"]
    alone = [made.columns(coming.take(np.array([row])))["advantage"][0] for row in range(3)]
    np.testing.assert_allclose(together, alone, rtol=1e-13, atol=1e-15)
    known = made.columns(FIT)["advantage"]
    again = made.columns(FIT.take(np.arange(7)))["advantage"]
    np.testing.assert_allclose(again, known[:7], rtol=1e-13, atol=1e-15)


def test_both_seats_of_players_are_coded_alike():
    fit = games_with(
        white_title=["GM", "IM"] * 5, black_title=["FM", "GM"] * 5, white_age=HEIGHT[:10], black_age=[20.0] * 10
    )
    made = DesignMatrix.of({"strength": "0 + title + scale(age)"}, fit)
    coming = games_with(white_title=["FM"], black_title=["IM"], white_age=[40.0], black_age=[20.0])
    found, ages = made.columns(coming), np.concatenate([HEIGHT[:10], np.full(10, 20.0)])
    assert made.terms["strength"] == ["title[GM]", "title[IM]", "scale(age)"]
    scaled = (np.array([40.0, 20.0]) - ages.mean()) / ages.std()
    np.testing.assert_allclose(found["strength_white"], [[0.0, 0.0, scaled[0]]])
    np.testing.assert_allclose(found["strength_black"], [[0.0, 1.0, scaled[1]]])


def test_numbers_and_text_are_levels_by_one_name():
    assert labels(np.array([1.0, 2.5, np.nan])).tolist() == ["1", "2.5", ""]
    assert labels(np.array([1, 2])).tolist() == labels(np.array(["1", "2"])).tolist() == ["1", "2"]
    fit = games_with(board=np.tile(["1", "2", "x"], 4))
    made = DesignMatrix.of({"advantage": "0 + board"}, fit)
    found = made.columns(games_with(board=[1.0, 2.0]))["advantage"]  # a file without an x is one of numbers
    np.testing.assert_array_equal(found, [[0.0, 0.0], [1.0, 0.0]])


@pytest.mark.parametrize(
    ("formulas", "says"),
    [
        ({"advantage": "0 + speed"}, "expected the column 'speed', found height, control, round"),
        ({"advantage": "height"}, "without an intercept"),
        ({"advantage": "0 + ("}, "does not work"),
        ({"advantage": "0 + scale(control)"}, "does not work"),
        ({"advantage": "0 + scale(flat)"}, "every game has the same value in a column"),
        ({"advantage": "0 + same"}, "every game has the same value in a column"),
        (
            {"advantage": "0 + holes"},
            "game 3: effects on advantage: expected a value in the column 'holes', found",
        ),
    ],
)
def test_a_formula_that_does_not_work_on_the_games_is_refused(formulas, says):
    further = {"flat": np.ones(60), "same": np.full(60, "one"), "holes": np.where(np.arange(60) == 2, np.nan, HEIGHT)}
    asked = {name: value for name, value in further.items() if name in str(formulas)}
    with pytest.raises(ModelError) as caught:
        DesignMatrix.of(formulas, replace(FIT, covariates={**FIT.covariates, **asked}))
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("formula", "column", "says"),
    [
        ("0 + control", ["rapid", "untimed"], "game 2: effects on log_draw: expected one of the levels of the fit "),
        ("0 + control", ["rapid", "untimed"], "(blitz, classical, rapid) in the column 'control', found 'untimed'"),
        (
            "0 + control",
            ["rapid", ""],
            "game 2: effects on log_draw: expected a value in the column 'control'",
        ),
        ("0 + C(round)", [1, 3], "expected one of the levels of the fit (1, 2, 4, 8) in the column 'round', found '3'"),
        ("0 + scale(height)", ["low", "high"], "game 1: effects on log_draw: expected a number in the column 'height'"),
    ],
)
def test_what_the_fit_does_not_know_is_refused_by_name(formula, column, says):
    made = DesignMatrix.of({"log_draw": formula}, FIT)
    name = next(one for one in ("control", "round", "height") if one in formula)
    with pytest.raises(ModelError) as caught:
        made.columns(games_with(**{name: column}))
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
