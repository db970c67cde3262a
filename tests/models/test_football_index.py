"""The index of goals and shots in goals: its values by hand, its density and chances by SciPy's normal."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

from halfpoint.models.formulas.football_index import INDEX, SHOTS, index_in_goals
from halfpoint.models.games.simulate import Schedule, Truth, simulate


@pytest.fixture
def games():
    """Four games on one day, with goals and both kinds of shots."""
    seats = np.array([0, 1, 0, 1], dtype=np.int32)
    table = simulate(Truth(np.array(["A", "B"]), np.zeros(2)), Schedule(seats, 1 - seats, np.ones(4)), 1)
    counts = {"goals": [[2, 0, 1, 3], [0, 1, 1, 0]], "shots_on_target": [[5, 2, 3, 8], [1, 4, 3, 2]]}
    counts |= {"shots": [[12, 9, 10, 15], [8, 11, 10, 5]]}
    columns = {
        f"{side}_{name}": np.array(values, dtype=np.float64)
        for name, of_sides in counts.items()
        for side, values in zip(("white", "black"), of_sides, strict=True)
    }
    margin = columns["white_goals"] - columns["black_goals"]
    return replace(table, covariates={**table.covariates, **columns, "margin": margin})


def test_the_index_is_the_weighted_mean_of_leads_in_units_of_their_size(games):
    leads = np.array([[2.0, -1.0, 0.0, 3.0], [4.0, -2.0, 0.0, 6.0], [4.0, -2.0, 0.0, 10.0]])
    size = np.sqrt(np.mean(np.square(leads), axis=1))  # all games of a day count
    expected = np.array([1.0, 0.3, 0.2]) @ (leads / size[:, None]) / 1.5
    np.testing.assert_allclose(index_in_goals(games), expected * size[0], rtol=1e-12)
    np.testing.assert_allclose(INDEX.margin.of(games), expected, rtol=1e-12)


def test_the_density_is_that_of_the_index_and_results_have_more_noise(games):
    law, gap, width = SHOTS.margin, 0.4, np.log(1.25)
    index = index_in_goals(games)
    np.testing.assert_allclose(law.log_density(gap, width, index), norm.logpdf(index, gap, 1.25), rtol=1e-10)
    spread = 1.35 * 1.25
    expected = norm.cdf(-0.58, gap, spread), norm.cdf(0.58, gap, spread) - norm.cdf(-0.58, gap, spread)
    loss, draw, win = (float(np.exp(part)) for part in law.scores(gap, 0.0, width))
    assert (loss, draw, win) == pytest.approx((*expected, norm.sf(0.58, gap, spread)), abs=1e-6)


def test_counts_beyond_any_game_are_unknown(games):
    columns = dict(games.covariates)
    columns["white_shots"] = np.array([1e300, *columns["white_shots"][1:]])
    columns["white_shots_on_target"] = np.array([np.nan, *columns["white_shots_on_target"][1:]])
    index = index_in_goals(replace(games, covariates=columns))
    assert index[0] == pytest.approx(2.0)  # goals alone
    assert np.isfinite(index).all()
