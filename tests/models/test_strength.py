"""Random-walk strengths, and levels that no game identifies: the stated distribution, and mixing of the chains."""

from itertools import islice

import numpy as np
import pytest
from extended_games import schedule
from scipy.special import logsumexp
from scipy.stats import halfnorm, norm

from halfpoint.inference.loops.engine import density, expand, numbers_of
from halfpoint.inference.nutpie_model import compile_declared
from halfpoint.inference.sample import all_games, sample
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.errors import ModelError
from halfpoint.models.games.select import select
from halfpoint.models.games.simulate import Truth, round_robin, simulate
from halfpoint.models.games.units import to_natural
from halfpoint.models.language.walk_matrices import waves
from halfpoint.models.reading.prior_draws import PriorDraws
from halfpoint.models.reading.transforms import reflect

STRENGTHS = np.array([15.6, 15.3, 15.9, 15.2, 15.5])
NAMES = np.array(["Ada", "Boris", "Chen", "Dora", "Eve"])


def coordinates_of_strength(declared):
    """Transform of the strengths."""
    model = declared.model
    return model.rvs_to_transforms[model["strength"]]


def test_waves_are_the_random_walk():
    """Covariance of mean-removed walks: C min(s, t) C with C = I - 1/T."""
    months = 12
    month = np.arange(months)
    centre = np.eye(months) - 1 / months
    expected = centre @ np.minimum.outer(month, month) @ centre
    matrix = waves(months)
    np.testing.assert_allclose(matrix.T @ matrix, expected, atol=1e-12)


def test_a_walk_drawn_from_its_prior_is_a_random_walk():
    declared = declare("davidson-walk", schedule(40, 3, 1))
    found = []
    for p in islice(PriorDraws(declared.model).each(2), 2000):
        np.testing.assert_allclose(p["strength"].mean(axis=1), p["level"], rtol=1e-12)
        found.append(np.diff(p["strength"], axis=1) / p["innovation_spread"])
    steps = np.concatenate(found)
    error = 1 / np.sqrt(len(steps))
    np.testing.assert_allclose(np.cov(steps.T), np.eye(5), atol=5 * np.sqrt(2) * error)
    np.testing.assert_allclose(steps.mean(axis=0), 0.0, atol=5 * error)


def test_a_walk_goes_on_with_growing_variance():
    law = next(one.transition for one in declare("davidson-walk", schedule(40, 3, 1)).laws if one.name == "strength")
    p = {"strength": np.zeros((20_000, 2, 3)), "innovation_spread": np.full(20_000, 0.3)}
    further = law.carry_forward("strength", p, 4, 1)
    assert further.shape == (20_000, 2, 7)
    # the standard error of a variance of 40,000 normal values is 0.7 percent
    np.testing.assert_allclose(further[..., 3:].var(axis=(0, 1)), 0.09 * np.arange(1, 5), rtol=0.035)


def test_walks_need_months():
    with pytest.raises(ModelError, match="at least two months"):
        waves(1)
    one_month = schedule(40, 3, 1, months=1)
    with pytest.raises(ModelError, match="at least two months"):
        declare("davidson-walk", one_month)


def selection(rounds=4, strengths=STRENGTHS):
    """Games of a round robin without anchors; one player has a few more games."""
    games = simulate(Truth(NAMES, strengths, 0.2, 0.5), round_robin(NAMES.size, rounds), 1)
    keep = np.ones(len(games), dtype=bool)
    keep[[0, 1]] = False
    kept = games.take(keep)
    return select(kept, kept.players, "both")


def test_the_reflection_is_orthonormal_and_turns_the_mean_into_one_coordinate():
    block = coordinates_of_strength(declare("davidson-common", selection()))
    cells = declare("davidson-common", selection()).cells
    matrix = np.stack([reflect(one, block.pivot, 5) for one in np.eye(5)], axis=1)
    np.testing.assert_allclose(matrix @ matrix.T, np.eye(5), atol=1e-14)
    games = cells.weight.sum(axis=1)
    played = np.bincount(cells.white, games, 5) + np.bincount(cells.black, games, 5)
    assert played[block.pivot] == played.max()
    np.testing.assert_allclose(reflect(np.ones(5), block.pivot, 5), np.sqrt(5) * np.eye(5)[block.pivot], atol=1e-14)


@pytest.mark.parametrize("name", ["davidson-common", "bt-common", "davidson-population", "bt-population"])
def test_no_game_sees_the_coordinate_of_the_level(name):
    declared = declare(name, selection(), "described")
    numbers = numbers_of(declared)
    block = coordinates_of_strength(declared)
    shapes = [int(np.prod(shape, dtype=int)) for _, shape in declared.layout.coordinates]
    names = [coordinate for coordinate, _ in declared.layout.coordinates]
    place = sum(shapes[: names.index("strength")]) + block.pivot
    x = 0.3 * np.random.default_rng(1).standard_normal(declared.layout.count)
    moved = x.copy()
    moved[place] += 0.7
    here, there = (expand(declared, numbers, one[None])["strength"][0] for one in (x, moved))
    differs = there - here
    assert abs(differs[0]) > 1e-3
    np.testing.assert_allclose(differs, differs[0], rtol=1e-9)
    of_games = [all_games(declared, expand(declared, numbers, one[None]))[0] for one in (x, moved)]
    assert of_games[0] == pytest.approx(of_games[1], abs=1e-9)


def log_likelihood(games, strength, advantage, log_draw):
    """Davidson's log likelihood, or of half points without a draw parameter, game by game."""
    total = 0.0
    for game, score in enumerate(games.games.score):
        white, black = strength[games.white[game]] + advantage, strength[games.black[game]]
        if log_draw is None:
            total += score * white + (1 - score) * black - logsumexp([white, black])
        else:
            middle = log_draw + (white + black) / 2
            total += {0.0: black, 0.5: middle, 1.0: white}[score] - logsumexp([black, middle, white])
    return total


def documented_density(name, declared, p):
    """Log density of the parameters, written from the documentation of the models."""
    strength, advantage = p["strength"], p["advantage"]
    value = log_likelihood(declared.selection, strength, float(advantage), p.get("log_draw"))
    if "log_draw" in p:
        value += norm(1, 5).logpdf(p["log_draw"])
    if "population" not in name:
        mean, sd = (to_natural(50), to_natural(40)) if name.startswith("bt") else (1, 10)
        level = (to_natural(2705), to_natural(400)) if name.startswith("bt") else (15, 400)
        return value + norm(*level).logpdf(strength).sum() + norm(mean, sd).logpdf(advantage)
    mean, spread = float(p["strength_mean"]), float(p["strength_spread"])
    value += norm(to_natural(2705), to_natural(400)).logpdf(mean) + halfnorm(scale=to_natural(400)).logpdf(spread)
    value += norm(mean, spread).logpdf(strength).sum() + norm(0, 1).logpdf(advantage)
    block = coordinates_of_strength(declared)
    centred = float(block.centring.sum())
    return value + (1 + strength.size - centred) * np.log(spread)  # what is sampled is log s and x / s^(1 - w)


@pytest.mark.parametrize("name", ["davidson-common", "bt-common", "davidson-population", "bt-population"])
def test_the_density_is_that_of_the_parameters_users_see(name):
    declared = declare(name, selection(), "described")
    numbers = numbers_of(declared)
    compiled = density(numbers)
    points = 0.4 * np.random.default_rng(3).standard_normal((4, declared.layout.count))
    values = expand(declared, numbers, points)
    found = np.array([compiled(point)[0] for point in points])
    expected = [documented_density(name, declared, {key: part[k] for key, part in values.items()}) for k in range(4)]
    np.testing.assert_allclose(found - found[0], np.array(expected) - expected[0], rtol=1e-9, atol=1e-8)


def test_values_are_found_again_from_their_coordinates():
    declared = declare("davidson-common", selection(), "described")
    p = {"strength": STRENGTHS + 3.0, "advantage": 0.3, "log_draw": -0.4}
    again = expand(declared, numbers_of(declared), declared.coordinates(p)[None])
    for name, value in p.items():
        np.testing.assert_allclose(again[name][0], value, rtol=1e-12)


def test_nothing_is_compiled_for_a_model_without_anchors():
    assert compile_declared(declare("davidson-common", selection())).route == "compiled"


@pytest.mark.cases(1)
@pytest.mark.parametrize("name", ["davidson-common", "bt-common", "davidson-population"])
def test_without_anchors_what_is_reported_converges(name):
    tree = sample(declare(name, selection(rounds=24)), seed=1)
    assert tree.attrs["verdict"].startswith("converged"), tree.attrs["verdict"]
    assert "level" in tree.attrs["verdict"]
    rating = tree["posterior"]["rating_elo"]
    contrast = rating - rating.mean("player")
    assert float(contrast.std(("chain", "draw")).max()) < 60
    if name != "bt-common":
        truth = STRENGTHS - STRENGTHS.mean()
        strength = tree["posterior"]["strength"]
        strength = strength - strength.mean("player")
        error = (strength.mean(("chain", "draw")) - truth) / strength.std(("chain", "draw"))
        assert float((error**2).sum()) < 16  # chi squared of four contrasts: 1 in 300
