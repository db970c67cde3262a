"""The study's sampler compared with densities of the graph, integrals on a grid, and printed numbers."""

import numpy as np
import pytest
from few_cases import few
from rating_games import table
from scipy.special import expit

from halfpoint.apps.study.teaching import Settings, full_conditional, metropolis, target_of
from halfpoint.inference.errors import InferenceError
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select
from halfpoint.models.games.units import to_natural
from halfpoint.readers.datasets.replica import replica
from halfpoint.readers.datasets.study import monitored_names, training_file

TWELVE = [f"{f}{a}{w}" for f in ("bt", "davidson") for a in ("", "-common", "-player") for w in ("", "-weighted")]


@pytest.fixture(scope="module")
def games():
    """A tenth of the replica's games with a monitored player."""
    made = replica()
    return select(made.training.take(np.arange(0, len(made.training), 10)), made.monitored[:12])


@pytest.mark.parametrize("edition", ["computed", "corrected"])
@pytest.mark.parametrize("name", few(TWELVE, 4))
def test_the_target_is_the_density_of_the_model(games, name, edition):
    """Differences of the log density between points, compared with the PyMC graph of the same model."""
    declared = declare(name, games, edition)
    target = target_of(declared)
    log_density = declared.model.compile_logp(jacobian=False, mode="FAST_COMPILE")
    rng = np.random.default_rng(4)
    ours, theirs = [], []
    for _ in range(3):
        value = 0.3 + 0.2 * rng.standard_normal(target.mean.size)
        value[:12] += 15.3  # the strengths, which stand first
        p = {}
        for name, (start, shape) in target.names.items():
            p[name] = value[start : start + max(1, int(np.prod(shape)))].reshape(shape)
        flat, stop, point = declared.coordinates(p), 0, {}
        for variable in declared.model.free_RVs:
            here = declared.model.rvs_to_values[variable]
            size = np.size(p[variable.name])
            point[here.name] = flat[stop : stop + size].reshape(np.shape(p[variable.name]))
            stop += size
        ours.append(target.log_density(value))
        theirs.append(float(log_density(point)))
    np.testing.assert_allclose(np.diff(ours), np.diff(theirs), rtol=1e-9, atol=1e-7)


def test_one_strength_against_its_integral():
    """One player against rated opponents under Bradley-Terry: a posterior of one dimension, integrated on a grid."""
    opponents = np.array([2500.0, 2600.0, 2700.0, 2550.0, 2650.0] * 4)
    score = np.array([1, 0.5, 0, 1, 0.5] * 4)
    games = table(["one"] * 20, [f"other {number}" for number in range(20)], score,
                  white_rating_elo=2600.0, black_rating_elo=opponents)  # fmt: skip
    declared = declare("bt", select(games, ["one"]))
    chains = metropolis(declared, Settings(60_000, 10_000, 10, 3, 500, seed=2))
    grid = np.linspace(2200, 3000, 4001)
    p = expit(to_natural(grid[:, None] - opponents))
    log_density = (score * np.log(p) + (1 - score) * np.log1p(-p)).sum(axis=1)
    density = np.exp(log_density - log_density.max())
    mean = (grid * density).sum() / density.sum()
    sd = np.sqrt(((grid - mean) ** 2 * density).sum() / density.sum())
    drawn = chains.posterior["strength"].to_numpy()[..., 0] / to_natural(1.0)
    # 15,000 draws, every tenth of chains that accept four steps in ten: thousands of effective draws
    assert drawn.mean() == pytest.approx(mean, abs=4 * sd / np.sqrt(3000))
    assert drawn.std() == pytest.approx(sd, rel=4 / np.sqrt(2 * 3000))
    assert 0.3 < chains.acceptance.mean() < 0.6


def test_two_parameters_against_their_integral():
    """A strength and the draw parameter of Davidson's model, integrated on a grid."""
    outcome = np.array([2] * 8 + [1] * 9 + [0] * 5)
    games = table(["one"] * 22, [f"other {number}" for number in range(22)], outcome / 2.0,
                  white_rating_elo=2700.0, black_rating_elo=2700.0)  # fmt: skip
    declared = declare("davidson", select(games, ["one"]))
    chains = metropolis(declared, Settings(60_000, 10_000, 10, 3, 500, seed=3))
    gap, lam = np.meshgrid(np.linspace(-2, 3, 401), np.linspace(-3, 4, 401), indexing="ij")
    scores = np.stack([-gap / 2, lam, gap / 2])
    log_density = (np.bincount(outcome)[:, None, None] * (scores - np.log(np.exp(scores).sum(axis=0)))).sum(axis=0)
    log_density -= (lam - 1.0) ** 2 / 50.0
    density = np.exp(log_density - log_density.max())
    density /= density.sum()
    drawn = chains.posterior["log_draw"].to_numpy()
    mean = (lam * density).sum()
    sd = np.sqrt(((lam - mean) ** 2 * density).sum())
    assert drawn.mean() == pytest.approx(mean, abs=4 * sd / np.sqrt(2000))
    own = chains.posterior["strength"].to_numpy()[..., 0] - to_natural(2700.0)
    mean = (gap * density).sum()
    sd = np.sqrt(((gap - mean) ** 2 * density).sum())
    assert own.mean() == pytest.approx(mean, abs=4 * sd / np.sqrt(2000))


def test_the_log_likelihood_is_kept_up_to_date(games):
    declared = declare("davidson-common", games)
    chains = metropolis(declared, Settings(400, 100, 10, 2, 50, seed=5))
    target = target_of(declared)
    for chain in range(2):
        value = np.concatenate([np.ravel(chains.posterior[name][chain, -1]) for name in target.names])
        prior = -0.5 * (((value - target.mean) / target.sd) ** 2).sum()
        assert chains.log_likelihood[chain, -1] == pytest.approx(target.log_density(value) - prior, rel=1e-9)
    again = metropolis(declared, Settings(400, 100, 10, 2, 50, seed=5))
    np.testing.assert_array_equal(again.log_likelihood, chains.log_likelihood)


@pytest.mark.parametrize("name", ["bt-common", "davidson-player-weighted"])
def test_full_conditionals_are_slices_of_the_density(games, name):
    target = target_of(declare(name, games, "described"))
    rng = np.random.default_rng(6)
    value = 0.3 + 0.2 * rng.standard_normal(target.mean.size)
    value[:12] += 15.3
    for which in (0, 5, target.mean.size - 1):
        grid = value[which] + np.linspace(-0.5, 0.5, 5)
        whole = []
        for at in grid:
            moved = value.copy()
            moved[which] = at
            whole.append(target.log_density(moved))
        np.testing.assert_allclose(np.diff(full_conditional(target, value, which, grid)), np.diff(whole), atol=1e-8)


def test_mistakes_are_named(games):
    with pytest.raises(InferenceError, match="burn-in"):
        Settings(100, 100)
    assert Settings().kept_draws == 4000  # the study's 4,000 draws a chain
    with pytest.raises(InferenceError, match="expected normal priors"):
        target_of(declare("davidson-population", games))
    with pytest.raises(InferenceError, match="found rao_kupper"):
        target_of(declare("rao-kupper", games))


@pytest.mark.real
@pytest.mark.slow
def test_the_studys_printed_log_likelihoods():
    """Mean -log L of the training set as printed in table 7: 6343.5 for ratings only, by the rules of its program."""
    chosen = select(training_file(), monitored_names())
    chains = metropolis(declare("davidson", chosen, "computed"), Settings(20_000, 5_000, 20, 2, 500))
    means = -chains.log_likelihood.mean(axis=1)
    assert means.mean() == pytest.approx(6343.5, abs=1.0)
