"""NUTS recovers simulated truth, two samplers agree, a seed fixes the draws; tolerances are Monte Carlo errors."""

from pathlib import Path

import arviz as az
import make_logp
import numpy as np
import pymc as pm
import pytest
from monte_carlo import LIMIT, in_one, means_apart, sds_apart

from halfpoint.inference.errors import InferenceError
from halfpoint.inference.sample import sample
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.declaration.pointwise import each_game
from halfpoint.models.declaration.posterior_reader import REPORTED
from halfpoint.models.games.select import select
from halfpoint.models.games.simulate import Schedule, Truth, round_robin, simulate
from halfpoint.models.games.units import to_elo
from halfpoint.readers.read import read

MONITORED = ("Ada", "Boris", "Chen", "Dora", "Emil", "Fay")
ANCHORED = ("Gil", "Hana")
STRENGTH = np.array([15.9, 15.2, 15.6, 16.3, 14.9, 15.5, 15.4, 15.8])
HALVES = np.array([0.35, 0.05, 0.2, -0.1, 0.3, 0.15, 0.1, 0.1])  # 0.1 is what the model gives an anchored opponent
RUN = {"draws": 1000, "tune": 500, "chains": 4, "seed": 3, "cores": 2, "pointwise_draws": 0, "adapt": False}


def games_of(advantage, log_draw):
    """24 rounds of a round robin; all names, strengths and colours differ."""
    rounds = round_robin(8, 24)
    elo = to_elo(STRENGTH)
    schedule = Schedule(
        rounds.white,
        rounds.black,
        rounds.period,
        white_rating_elo=elo[rounds.white],
        black_rating_elo=elo[rounds.black],
    )
    truth = Truth(np.array(MONITORED + ANCHORED), STRENGTH, advantage, log_draw)
    return select(simulate(truth, schedule, 12), MONITORED)


@pytest.fixture(scope="module")
def davidson_player():
    return declare("davidson-player", games_of(HALVES, 0.6), "described")


@pytest.fixture(scope="module")
def trace(davidson_player):
    return sample(davidson_player, **RUN)


def means(tree):
    """Posterior mean, standard deviation and effective sample size of every parameter, concatenated."""
    posterior = tree["posterior"].to_dataset().drop_vars(REPORTED, errors="ignore")
    size = az.ess(posterior, method="mean")
    parts = [[], [], []]
    for name in sorted(posterior.data_vars):
        value = posterior[name]
        parts[0].append(np.atleast_1d(value.mean(("chain", "draw"))))
        parts[1].append(np.atleast_1d(value.std(("chain", "draw"))))
        parts[2].append(np.atleast_1d(size[name]))
    return tuple(np.concatenate(part) for part in parts)


@pytest.mark.draws
def test_davidson_finds_strengths_halves_and_draws(trace):
    mean, sd, size = means(trace)
    truth = np.concatenate([HALVES[:6], [0.6], STRENGTH[:6]])  # advantage, log_draw, strength
    error = (mean - truth) / np.sqrt(sd**2 * (1 + 1 / size))
    assert np.abs(error).max() < 4
    assert np.sqrt((error**2).mean()) < 1.8  # 13 near-independent errors: above this once in ten thousand truths
    assert sd[-6:].max() < 0.4  # the games did decide: the prior's standard deviation is 400
    assert trace.attrs["converged"], trace.attrs["verdict"]


@pytest.mark.draws
def test_bradley_terry_finds_ratings_and_advantage():
    declared = declare("bt-common", games_of(0.4, -np.inf), "described")
    tree = sample(declared, **RUN)
    mean, sd, size = means(tree)
    truth = np.concatenate([[0.4], STRENGTH[:6]])
    error = (mean - truth) / np.sqrt(sd**2 * (1 + 1 / size))
    assert np.abs(error).max() < 4
    assert to_elo(sd.max()) < 60
    assert tree.attrs["converged"], tree.attrs["verdict"]
    posterior = tree["posterior"]  # half points: an Elo point is one whatever else the model finds
    np.testing.assert_allclose(posterior["rating_elo"], to_elo(posterior["strength"]), rtol=1e-9)
    np.testing.assert_allclose(posterior["advantage_elo"], to_elo(posterior["advantage"]), rtol=1e-9)


@pytest.mark.further
@pytest.mark.draws
def test_nutpie_and_pymc_agree(davidson_player, trace):
    other = sample(davidson_player, **(RUN | {"sampler": "pymc", "cores": 1, "seed": 8, "draws": 500, "chains": 2}))
    mine, theirs = (
        in_one(one["posterior"].to_dataset().drop_vars(REPORTED, errors="ignore")) for one in (trace, other)
    )
    assert means_apart(mine, theirs) < LIMIT
    assert sds_apart(mine, theirs) < LIMIT
    assert set(other["posterior"].data_vars) == set(trace["posterior"].data_vars)


def test_the_same_seed_gives_the_same_draws(davidson_player, trace):
    again = sample(davidson_player, **(RUN | {"cores": 1}))
    assert again["posterior"].to_dataset().equals(trace["posterior"].to_dataset())
    other = sample(davidson_player, **(RUN | {"seed": 4, "draws": 5}))
    assert not np.array_equal(other["posterior"]["log_draw"], trace["posterior"]["log_draw"][:, :5])


def test_what_a_trace_records(davidson_player, trace):
    recorded = trace.attrs
    assert (recorded["model"], recorded["edition"], recorded["weighting"]) == ("davidson-player", "described", "equal")
    assert [recorded[key] for key in ("draws", "tune", "chains", "seed", "sampler")] == [1000, 500, 4, 3, "nutpie"]
    assert recorded["games"] == len(davidson_player.selection)
    assert recorded["data_simulated"] == 1
    assert {part.split()[0] for part in recorded["versions"].split(", ")} >= {"halfpoint", "pymc", "nutpie", "arviz"}
    posterior = trace["posterior"]
    assert posterior["strength"].dims == ("chain", "draw", "player")
    assert posterior["player"].to_numpy().tolist() == list(MONITORED)
    # natural units times 400 / ln 10, and of their distance from the anchors' mean Davidson's share 2 / (2 + e^lam)
    middle = np.nanmean(trace["constant_data"]["anchor_elo"])
    share = 2 / (2 + np.exp(posterior["log_draw"].to_numpy()[..., None]))
    away = posterior["strength"].to_numpy() * 400 / np.log(10) - middle
    assert posterior["rating_elo"].to_numpy() == pytest.approx(middle + share * away)
    whole = 2 * posterior["advantage"].to_numpy() * share * 400 / np.log(10)
    assert posterior["advantage_elo"].to_numpy() == pytest.approx(whole)
    assert posterior["draw_rate"].to_numpy() == pytest.approx(1 - share[..., 0])


def test_an_own_variable_of_a_traces_name_is_told(davidson_player):
    edited = declare("davidson-common", davidson_player.selection)
    with edited.model:
        pm.Deterministic("draw_rate", pm.math.sigmoid(edited.model["log_draw"]))
    with pytest.raises(InferenceError, match="the name 'draw_rate' is reserved"):
        sample(edited, draws=2, tune=2, chains=1, adapt=False)


@pytest.mark.parametrize("name", ["bt-player-weighted", "davidson-common-weighted"])
def test_log_likelihoods_are_those_of_a_formula_written_apart(name):
    reference = Path(__file__).parent.parent / "reference" / "small_games.csv"
    selection = select(read(reference), make_logp.MONITORED)
    tree = sample(
        declare(name, selection, "computed"), draws=3, tune=20, chains=2, seed=1, pointwise_draws=None, adapt=False
    )
    rows = make_logp.games()
    weights = make_logp.omegas(name, "computed", rows)
    posterior = tree["posterior"].to_dataset().drop_vars(REPORTED, errors="ignore")
    for chain, draw in np.ndindex(2, 3):
        values = {key: value.to_numpy() for key, value in posterior.isel(chain=chain, draw=draw).items()}
        if name.startswith("bt"):  # written apart in Elo points
            values = {
                "rating": values["strength"] * 400 / np.log(10),
                "advantage": values["advantage"] * 400 / np.log(10),
            }
        total = make_logp.log_likelihood(name, values, rows, weights)
        assert float(tree["sample_stats"]["log_likelihood_total"][chain, draw]) == pytest.approx(total, abs=1e-8)
        each = [make_logp.log_likelihood(name, values, [row], [1.0]) for row in rows]
        assert each_game(tree)["score"][chain, draw].to_numpy() == pytest.approx(each, rel=1e-6)


@pytest.mark.parametrize("sampler", ["nutpie", pytest.param("pymc", marks=pytest.mark.slow)])
def test_statistics_of_samplers_have_the_names_of_arviz(davidson_player, sampler):
    statistics = sample(davidson_player, draws=10, tune=100, chains=2, seed=1, sampler=sampler, adapt=False)[
        "sample_stats"
    ]
    assert {"lp", "tree_depth", "acceptance_rate", "diverging", "energy", "n_steps", "step_size"} <= set(statistics)
    assert ((statistics["acceptance_rate"] > 0.0) & (statistics["acceptance_rate"] <= 1.0)).all()
    assert (statistics["n_steps"] >= 2.0 ** (statistics["tree_depth"] - 1)).all()
    assert all(variable.attrs["units"] and variable.attrs["long_name"] for variable in statistics.data_vars.values())


def test_thinned_pointwise_draws_are_spread_over_the_chains(davidson_player):
    tree = sample(davidson_player, draws=10, tune=20, chains=2, seed=1, pointwise_draws=6, adapt=False)
    kept = tree["log_likelihood_by_game"]["score"]
    assert kept.sizes["chain"] == 2
    assert kept["draw"].to_numpy().tolist() == [0, 4, 8]
    assert each_game(sample(davidson_player, draws=2, tune=5, chains=1, pointwise_draws=0, adapt=False)) is None


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"draws": 0}, "draws: expected a whole number from 1 to 10,000,000, found 0"),
        ({"chains": 0}, "chains: expected a whole number from 1 to 1,000"),
        ({"tune": -1}, "tune: expected a whole number from 1 to 10,000,000, found -1"),
        ({"sampler": "gibbs"}, "expected nutpie | pymc | jax, found 'gibbs'"),
    ],
)
def test_senseless_settings_are_told(davidson_player, setting, message):
    with pytest.raises(InferenceError) as found:
        sample(davidson_player, **setting)
    assert message in str(found.value)
