"""Draws of approximate traces follow the posterior, or the trace reports that they do not."""

import numpy as np
import pandas as pd
import pytest

from halfpoint.evaluation.rating_list import RatingList
from halfpoint.evaluation.statements import rank_distribution, stronger
from halfpoint.inference.diagnostics.importance_ratios import importance
from halfpoint.inference.fit import fit
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select
from halfpoint.readers.read import read

PRIOR_ELO = 2705.0, 400.0  # of a rating, as the study's text has it
GRID = np.linspace(-4000.0, 9000.0, 130_001)


def against_anchor(won, drawn, lost, players=("A",)):
    """Selection in which every player met an opponent of 2400, with the same results."""
    scores = [1.0] * won + [0.5] * drawn + [0.0] * lost
    rows = [(name, "known", score, 2400, 2400) for name in players for score in scores]
    columns = ["white", "black", "score", "white_rating_elo", "black_rating_elo"]
    return select(read(pd.DataFrame(rows, columns=columns), source="rows"), np.array(players), "any")


def exact_moments(points, games):
    """Mean and standard deviation of the posterior of such a player, by summation over a fine grid."""
    mean, sd = PRIOR_ELO
    log_expected = -np.logaddexp(0.0, (2400 - GRID) * np.log(10) / 400)
    log_other = log_expected - (GRID - 2400) * np.log(10) / 400
    log_density = points * log_expected + (games - points) * log_other - 0.5 * ((GRID - mean) / sd) ** 2
    density = np.exp(log_density - log_density.max())
    density /= density.sum()
    centre = density @ GRID
    return centre, np.sqrt(density @ (GRID - centre) ** 2)


@pytest.mark.parametrize(("won", "drawn", "lost"), [(9, 0, 1), (6, 0, 1), (8, 3, 0), (3, 0, 0)])
def test_ratings_of_an_approximate_trace_are_those_of_the_posterior(won, drawn, lost):
    """Nine points of ten: the normal has an sd of 162 Elo, the posterior 178."""
    trace = fit(declare("bt", against_anchor(won, drawn, lost)), "normal", draws=4000, chains=4, seed=1)
    mean, sd = exact_moments(won + drawn / 2, won + drawn + lost)
    listed = RatingList.of_draws(trace["posterior"]["rating_elo"]).frame.iloc[0]
    effective = trace.attrs["effective_draws"]
    assert trace.attrs["resampled"] == 1
    assert trace.attrs["min_ess_bulk"] <= effective <= 16_000
    assert listed["rating_elo"] == pytest.approx(mean, abs=4.5 * sd / np.sqrt(effective))
    assert listed["sd_elo"] == pytest.approx(sd, rel=4.5 * np.sqrt(0.75 / effective))  # kurtosis up to 4


def test_what_is_said_from_an_approximate_trace_is_the_posterior():
    names = ("A", "B")
    nine, six = against_anchor(9, 0, 1, ("A",)).games, against_anchor(6, 0, 4, ("B",)).games
    rows = [(name, "known", score, 2400, 2400) for name, part in zip(names, (nine, six), strict=True)
            for score in part.score]  # fmt: skip
    columns = ["white", "black", "score", "white_rating_elo", "black_rating_elo"]
    chosen = select(read(pd.DataFrame(rows, columns=columns), source="rows"), np.array(names), "any")
    trace = fit(declare("bt", chosen), "normal", draws=4000, chains=4, seed=2)
    mean, sd = PRIOR_ELO
    densities = []
    for points in (9, 6):
        gap = (GRID - 2400) * np.log(10) / 400
        log_density = -points * np.logaddexp(0, -gap) - (10 - points) * np.logaddexp(0, gap)
        density = np.exp(log_density - 0.5 * ((GRID - mean) / sd) ** 2 - log_density.max())
        densities.append(density / density.sum())
    chance = densities[0] @ (np.cumsum(densities[1]) - densities[1] / 2)
    rating = trace["posterior"]["rating_elo"]
    error = np.sqrt(chance * (1 - chance) / trace.attrs["effective_draws"])
    assert stronger(rating, "A", "B") == pytest.approx(chance, abs=4.5 * error)
    assert float(rank_distribution(rating).sel(player="A", rank=1)) == pytest.approx(chance, abs=4.5 * error)


def test_resampling_keeps_the_weighted_mean_and_every_draw_about_as_often_as_its_weight():
    chance = np.random.default_rng(3)
    drawn = chance.normal(size=2000)
    found = importance(0.5 * drawn)  # N(0, 1) reweighted to N(1/2, 1)
    kept = found.resampled(2000, seed=4)
    times = np.bincount(kept, minlength=2000)
    assert (np.abs(times - 2000 * np.exp(found.log_weight)) < 1 + 1e-9).all()
    assert drawn[kept].mean() == pytest.approx(0.5, abs=4.5 / np.sqrt(found.effective))
    assert np.abs(np.corrcoef(drawn[kept][:-1], drawn[kept][1:])[0, 1]) < 4.5 / np.sqrt(2000)  # no order left


def test_ratios_that_hardly_vary_are_harmless_whatever_is_fitted_to_them():
    trace = fit(declare("bt", against_anchor(1, 0, 0)), "normal", draws=2000, chains=4, seed=1)
    assert trace.attrs["converged"] == 1
    assert trace.attrs["pareto_k"] > 0.7
    assert trace.attrs["verdict"].startswith("converged: 8,000 independent draws")
    assert importance(np.full(100, 3.0)).effective == pytest.approx(100)
    heavy = importance(0.9 * np.random.default_rng(5).exponential(size=20_000))  # Pareto with k = 0.9
    assert not heavy.trusted


def test_a_k_that_was_not_computed_is_said_with_its_reason():
    declared = declare("bt", against_anchor(6, 0, 1))
    few = fit(declared, "normal", draws=5, chains=2)
    assert few.attrs["verdict"].startswith("APPROXIMATE (normal), fewer than 25 draws")
    assert few.attrs["converged"] == 0
    assert "resampled" not in few.attrs
