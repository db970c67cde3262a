"""Level and contrasts sampled apart: the same density by another formula, no game on the level, chains that mix."""

import numpy as np
import pytensor
import pytest
from pytensor.compile.mode import Mode
from scipy.special import logsumexp
from scipy.stats import halfnorm, norm

from halfpoint.games.select import select
from halfpoint.games.simulate import Truth, round_robin, simulate
from halfpoint.games.units import to_natural
from halfpoint.inference.compiled import compile_model
from halfpoint.inference.sample import sample
from halfpoint.models.catalogue import declare
from halfpoint.models.level import mirror, reflect, sampled, seen

INTERPRETED = Mode(linker="py", optimizer="fast_compile")
STRENGTHS = np.array([15.6, 15.3, 15.9, 15.2, 15.5])
NAMES = np.array(["Ada", "Boris", "Chen", "Dora", "Eve"])


def selection(rounds=4, strengths=STRENGTHS):
    """Games of a round robin, nobody anchored; one player has a few games more than the others."""
    games = simulate(Truth(NAMES, strengths, 0.2, 0.5), round_robin(NAMES.size, rounds), 1)
    keep = np.ones(len(games), dtype=bool)
    keep[[0, 1]] = False
    kept = games.take(keep)
    return select(kept, kept.players, "both")


def test_the_reflection_is_orthonormal_and_turns_the_mean_into_one_coordinate():
    cells = declare("bt", selection()).cells
    across = mirror(cells)
    matrix = np.stack([reflect(one, across) for one in np.eye(5)], axis=1)
    np.testing.assert_allclose(matrix @ matrix.T, np.eye(5), atol=1e-14)
    place = int(np.argmax(across))
    games = cells.weight.sum(axis=1)
    played = np.bincount(cells.white, games, 5) + np.bincount(cells.black, games, 5)
    assert played[place] == played.max()
    np.testing.assert_allclose(reflect(np.ones(5), across), np.sqrt(5) * np.eye(5)[place], atol=1e-14)
    y = np.random.default_rng(1).normal(size=5)
    differs = reflect(y, across) - seen(y, across)
    np.testing.assert_allclose(differs, differs[0], atol=1e-14)  # by a number common to all


def values_at(declared, seed):
    """Return the log density of a model at a random sampled point, and the parameters users see there."""
    model, rng = declared.model, np.random.default_rng(seed)
    start = model.initial_point()
    point = {name: value + 0.4 * rng.standard_normal(np.shape(value)) for name, value in start.items()}
    names = [variable.name for variable in model.deterministics]
    outputs = model.replace_rvs_by_values([model[name] for name in names])
    compute = pytensor.function(model.value_vars, outputs, mode=INTERPRETED, on_unused_input="ignore")
    found = compute(*(point[value.name] for value in model.value_vars))
    return float(model.compile_logp(mode=INTERPRETED)(point)), dict(zip(names, found, strict=True))


def log_likelihood(games, strength, advantage, log_draw):
    """Davidson's log likelihood, or of half points where there is no draw parameter, game by game."""
    total = 0.0
    for game, score in enumerate(games.games.score):
        white, black = strength[games.white[game]] + advantage, strength[games.black[game]]
        if log_draw is None:
            total += score * white + (1 - score) * black - logsumexp([white, black])
        else:
            middle = log_draw + (white + black) / 2
            total += {0.0: black, 0.5: middle, 1.0: white}[score] - logsumexp([black, middle, white])
    return total


def own_density(name, declared, p):
    """Return the log density of the parameters, written from the documentation of the models."""
    games, population = declared.selection, "population" in name
    natural = population or "davidson" in name
    strength = p["strength"] if natural else to_natural(p["rating"])
    advantage = p["advantage"] if natural else to_natural(p["advantage"])
    value = log_likelihood(games, strength, float(advantage), p.get("log_draw"))
    if not population:
        return value + (
            norm(15, 400).logpdf(strength).sum() + norm(1, 10).logpdf(advantage) + norm(1, 5).logpdf(p["log_draw"])
            if natural
            else norm(2705, 400).logpdf(p["rating"]).sum() + norm(50, 40).logpdf(p["advantage"])
        )
    mean, spread = float(p["strength_mean"]), float(p["strength_spread"])
    value += norm(to_natural(2705), to_natural(400)).logpdf(mean) + halfnorm(scale=to_natural(400)).logpdf(spread)
    value += norm(mean, spread).logpdf(strength).sum() + norm(0, 1).logpdf(advantage)
    if "log_draw" in p:
        value += norm(1, 5).logpdf(p["log_draw"])
    centred = float(declared.model["strength_centring"].get_value().sum())
    return value + (1 + strength.size - centred) * np.log(spread)  # what is sampled is log s and x / s^(1 - w)


@pytest.mark.parametrize("name", ["davidson-common", "bt-common", "davidson-population", "bt-population"])
def test_the_density_is_that_of_the_parameters_users_see(name):
    declared = declare(name, selection(), "described")
    pairs = [values_at(declared, seed) for seed in range(4)]
    found = np.array([logp for logp, _ in pairs])
    expected = np.array([own_density(name, declared, p) for _, p in pairs])
    np.testing.assert_allclose(found - found[0], expected - expected[0], rtol=1e-9, atol=1e-8)


def test_a_value_is_found_again_from_its_sampled_point():
    model = declare("davidson-common", selection(), "described").model
    strength = STRENGTHS + 3.0
    raw = sampled(model, "strength", strength)
    again = model["strength"].eval({model["strength_raw"]: raw})
    np.testing.assert_allclose(again, strength, rtol=1e-12)


def test_the_study_form_needs_no_compiling_without_anchors_either():
    assert compile_model(declare("davidson-common", selection()).model).route == "fused"


@pytest.mark.parametrize("name", ["davidson-common", "bt-common", "davidson-population"])
def test_without_anchors_what_is_reported_converges(name):
    """The chains walked along the free level before: R-hat above 1.5 with these very settings."""
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
