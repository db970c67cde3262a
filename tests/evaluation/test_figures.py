"""Figures: they are drawn, readable, and contain their data."""

from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from IPython.core.formatters import DisplayFormatter

from halfpoint.apps.study.curve_figures import (
    draw_share_by_difference,
    expected_score_over_observed,
    observed_by_difference,
    win_probability_against_difference,
)
from halfpoint.apps.study.figures.ratings import advantage_intervals, rating_intervals, rating_scatter_matrix
from halfpoint.apps.study.posterior_draws import ModelDraws
from halfpoint.evaluation.calibration_curves import calibration_of_outcomes
from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.figures.backtest import figure_calibration
from halfpoint.evaluation.figures.sampling import chain_traces, prior_and_posterior
from halfpoint.evaluation.figures.style import house_style, save_png

NAMES = np.array(["Adams, Michael", "Carlsen, Magnus", "So, Wesley"])


def test_a_notebook_shows_a_figure_without_pyplot():
    shown, _ = DisplayFormatter().format(win_probability_against_difference())
    assert shown["image/png"].startswith(b"\x89PNG")


@pytest.fixture(scope="module")
def draws():
    rng = np.random.default_rng(2)
    shape = (2, 400)
    rating = np.array([2720.0, 2850, 2670]) + 20 * rng.normal(size=(*shape, 3))
    advantage = np.array([20.0, 25, 15]) + 5 * rng.normal(size=(*shape, 3))
    return ModelDraws(
        "davidson-player", "corrected", NAMES, rating, advantage, 1.1 + 0.03 * rng.normal(size=shape), np.zeros(shape)
    )


@pytest.fixture(scope="module")
def games():
    rng = np.random.default_rng(4)
    gap = rng.normal(0, 100, size=3000)
    p = 1 / (1 + 10 ** (-(gap + 40) / 400))
    outcome = rng.binomial(2, p).astype(np.int32)
    return gap, outcome


def texts(figure):
    with house_style():
        figure.savefig(drawn := BytesIO(), format="svg")
    return {text.text for text in ElementTree.fromstring(drawn.getvalue()).iter("{http://www.w3.org/2000/svg}text")}


def test_every_player_is_named_and_the_unit_is_on_the_axis(draws):
    for figure in (rating_intervals(draws), advantage_intervals(draws)):
        assert set(NAMES) <= texts(figure)
        assert "Elo points" in figure.axes[0].get_xlabel()
    assert "0 players' intervals" in rating_intervals(draws).axes[0].get_xlabel()
    assert "2 players' intervals" in advantage_intervals(draws).axes[0].get_xlabel()


def test_names_can_be_replaced(draws):
    assert "Magnus" in texts(rating_intervals(draws, {"Carlsen, Magnus": "Magnus"}))


def test_advantages_need_one_per_player(draws):
    none = ModelDraws("bt", "computed", NAMES, draws.study_rating_elo, None, None, draws.log_likelihood)
    with pytest.raises(EvaluationError, match="one per player"):
        advantage_intervals(none)


def test_observed_scores_are_means_of_their_games(games):
    gap, outcome = games
    centres, means, errors, counts = observed_by_difference(gap, outcome / 2, 50.0)
    middle = int(np.argmin(np.abs(centres - 25)))
    inside = (gap >= 0) & (gap < 50)
    assert counts[middle] == inside.sum()
    assert means[middle] == pytest.approx((outcome[inside] / 2).mean())
    assert (counts >= 10).all()
    assert (errors > 0).all()


def test_curves_lie_on_the_scores_they_come_from(games):
    gap, outcome = games
    figure = expected_score_over_observed(gap, outcome / 2, {"rating alone": 0.0, "with White": 40.0})
    assert "with White: White +40.0 Elo" in texts(figure)
    lines = {line.get_label(): line.get_xydata() for line in figure.axes[0].lines if line.get_label()[0] != "_"}
    at_zero = {label: np.interp(0.0, *line.T) for label, line in lines.items()}
    assert at_zero["rating alone"] == pytest.approx(0.5, abs=1e-6)
    assert at_zero["with White: White +40.0 Elo"] == pytest.approx(1 / (1 + 10**-0.1), abs=1e-4)


def test_other_figures_are_made_and_labelled(games, draws, tmp_path):
    gap, outcome = games
    p = np.tile([0.2, 0.5, 0.3], (outcome.size, 1)) + 0.0001 * np.outer(gap, [-1, 0, 1])
    table = calibration_of_outcomes(p, outcome).assign(system="first")
    scores = table[table["event"] == "expected_score"].assign(system="second")
    figures = {
        "win": win_probability_against_difference(),
        "draw": draw_share_by_difference(gap, outcome, {"model": 0.0}),
        "calibration": figure_calibration(pd.concat([table, scores]), ["first", "second"], "Calibration"),
        "trace": chain_traces({"Carlsen, rating (Elo points)": draws.study_rating_elo[..., 1]}),
        "prior": prior_and_posterior(
            {"Carlsen, rating (Elo points)": (draws.study_rating_elo[..., 1], (2705.0, 400.0))}
        ),
        "matrix": rating_scatter_matrix(pd.DataFrame({"a": [1.0, 2, 3], "b": [1.0, 3, 2]})),
    }
    for name, figure in figures.items():
        assert save_png(figure, tmp_path / f"{name}.png").stat().st_size > 5000
        labels = [figure.get_supxlabel(), *(axis.get_xlabel() for axis in figure.axes)]
        assert name == "matrix" or any(labels)
    assert "0.50" in texts(figures["matrix"])


@pytest.mark.parametrize("name", ["$\\frac$", "$x^{", "\u4f8b", "a_b$c$"])
def test_names_are_no_formulas_and_letters_that_fonts_lack_no_warnings(name, tmp_path):
    table = pd.DataFrame({name: [1.0, 2, 3], "b": [1.0, 3, 2]})
    figure = rating_scatter_matrix(table)
    assert name in texts(figure)
    assert save_png(figure, tmp_path / "figure.png").stat().st_size > 5000
