"""Diagnosis of chains with known convergence, and of a run that is too short."""

import re

import numpy as np
import pytest
import xarray as xr

from halfpoint.inference.diagnostics.convergence import diagnose, format_figure
from halfpoint.inference.diagnostics.importance_ratios import Importance
from halfpoint.inference.gaussian.weighted_draws import WeightedDraws
from halfpoint.inference.sample import sample
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select
from halfpoint.models.games.simulate import Truth, round_robin, simulate

CHAINS, DRAWS = 4, 2000


def chains_of(correlation=0.0, shift=0.0, seed=5):
    """Autoregressive chains with standard normal margins; the last chain is shifted."""
    chance = np.random.default_rng(seed)
    value = np.empty((CHAINS, DRAWS))
    value[:, 0] = chance.normal(size=CHAINS)
    for draw in range(1, DRAWS):
        value[:, draw] = correlation * value[:, draw - 1]
        value[:, draw] += np.sqrt(1 - correlation**2) * chance.normal(size=CHAINS)
    value[-1] += shift
    return xr.Dataset({"strength": (("chain", "draw"), value)})


def statistics(divergences=0, energy_correlation=0.0):
    diverging = np.zeros((CHAINS, DRAWS), dtype=bool)
    diverging[0, :divergences] = True
    energy = chains_of(energy_correlation, seed=6)["strength"].to_numpy()
    return xr.Dataset({"diverging": (("chain", "draw"), diverging), "energy": (("chain", "draw"), energy)})


def test_independent_draws_have_converged():
    found = diagnose(chains_of(), statistics())
    assert found.converged
    assert found.verdict == "converged"
    assert 0.999 < found.max_rhat < 1.003
    assert found.min_ess_bulk == pytest.approx(CHAINS * DRAWS, rel=0.1)
    assert found.min_ebfmi == pytest.approx(
        2, rel=0.1
    )  # independent energies: the mean squared step is twice the variance


def test_effective_sample_size_of_an_autoregression():
    # n (1 - rho) / (1 + rho)
    found = diagnose(chains_of(correlation=0.8), statistics())
    assert found.min_ess_bulk == pytest.approx(
        CHAINS * DRAWS * 0.2 / 1.8, rel=0.25
    )  # an estimate from 900 effective draws


def test_the_worst_parameter_counts_and_a_repeated_one_does_not():
    both = chains_of().assign(advantage=chains_of(correlation=0.99)["strength"])
    assert diagnose(both, statistics()).min_ess_bulk < 400
    repeated = chains_of().assign(rating_elo=chains_of(shift=10)["strength"])
    assert diagnose(repeated, statistics()).converged


def two_players(shift):
    """Ratings of two players with a well sampled difference and a level that is `shift` higher in the last chain."""
    level, half = chains_of(shift=shift)["strength"], chains_of(seed=7)["strength"]
    rating = xr.concat([level + half, level - half], "player").transpose("chain", "draw", "player")
    return xr.Dataset({"rating_elo": rating, "strength": rating, "strength_mean": level})


def test_a_level_that_nothing_fixes_is_named_and_not_judged():
    free = two_players(shift=10.0)
    found = diagnose(free, statistics(), free_level=True)
    assert found.converged
    assert found.verdict == "converged (the level is a convention, no rating in the model fixes it)"
    assert not diagnose(free, statistics()).converged  # where ratings fix the level it is judged


def test_a_level_is_free_whatever_strengths_are_called():
    free = two_players(shift=0.0).drop_vars("strength_mean")
    moved = free["strength"] + chains_of(shift=10.0)["strength"]
    assert diagnose(free.assign(theta=moved), statistics(), free_level=True).converged
    gap = xr.DataArray([1.0, 1.5], dims="player")
    assert not diagnose(free.assign(theta=moved * gap), statistics(), free_level=True).converged


def test_a_difference_that_is_elsewhere_in_one_chain_is_a_fault_with_a_free_level_too():
    apart = two_players(shift=0.0)
    apart["rating_elo"] = apart["rating_elo"] + chains_of(shift=3.0)["strength"] * xr.DataArray([1, -1], dims="player")
    assert not diagnose(apart, statistics(), free_level=True).converged


def test_a_chain_elsewhere_is_a_fault():
    found = diagnose(chains_of(shift=1.0), statistics())
    assert not found.converged
    assert "R-hat 1." in found.verdict
    assert found.verdict.startswith("NOT CONVERGED: ")


def test_divergent_transitions_are_a_fault():
    found = diagnose(chains_of(), statistics(divergences=3))
    assert found.divergences == 3
    assert found.verdict == "NOT CONVERGED: 3 divergent transitions, should be none"


def test_low_energy_information_is_a_fault():
    found = diagnose(chains_of(), statistics(energy_correlation=0.95))
    assert found.min_ebfmi < 0.3
    assert found.faults == (f"E-BFMI {found.min_ebfmi:.2f}, should be at least 0.3",)


def test_a_stuck_parameter_is_a_fault():
    stuck = chains_of().assign(advantage=(("chain", "draw"), np.zeros((CHAINS, DRAWS))))
    assert not diagnose(stuck, statistics()).converged


def test_one_chain_and_a_short_run_are_faults():
    truth = Truth(np.array(["Ada", "Boris", "Chen"]), np.array([15.6, 15.3, 15.9]), 0.2, 0.5)
    games = simulate(truth, round_robin(3, 20), 1)
    declared = declare("davidson-common", select(games, games.players), "described")
    short = sample(declared, draws=20, tune=20, chains=2, seed=2, adapt=False)
    assert not short.attrs["converged"]
    assert "ESS" in short.attrs["verdict"]
    alone = sample(declared, draws=20, tune=20, chains=1, seed=2, adapt=False)
    assert "one chain only, no R-hat" in alone.attrs["verdict"]


@pytest.mark.parametrize(
    ("value", "limit", "digits", "said"),
    [(199.6, 200, 0, "199.6"), (199.98, 200, 0, "199.98"), (120.3, 200, 0, "120"), (1.01004, 1.01, 3, "1.01004"),
     (0.2999, 0.3, 2, "0.2999"), (float("nan"), 200, 0, "nan"), (1.5, 1.01, 3, "1.500")],
)  # fmt: skip
def test_a_figure_that_misses_its_limit_is_never_written_like_it(value, limit, digits, said):
    assert format_figure(value, limit, digits) == said


def test_weights_do_not_ask_for_what_they_print():
    log_weight = np.log(np.linspace(0.97, 1.03, 400) / 400.0)
    draws = WeightedDraws(np.zeros((400, 1)), Importance(0.4996, log_weight))
    assert draws.faults == ("399.9 effective draws, should be at least 400",)


@pytest.mark.parametrize(
    ("large", "k", "believed"), [(5, 0.6, True), (5, 0.72, False), (20, 0.6, False), (20, 0.45, True)]
)
def test_a_higher_k_is_believed_where_weights_are_even(large, k, believed):
    weight = np.where(np.arange(1000) < large, 9.0, 1.0)
    draws = WeightedDraws(np.zeros((1000, 1)), Importance(k, np.log(weight / weight.sum())))
    assert not draws.weights.harmless
    assert (not draws.faults) == believed


def test_a_verdict_does_not_ask_for_what_it_prints():
    chance = np.random.default_rng(99)
    found = diagnose(xr.Dataset({"x": (("chain", "draw"), chance.normal(size=(2, 103)))}), xr.Dataset())
    assert 199.5 <= found.min_ess_bulk < 200
    figures = [re.findall(r"ESS ([0-9.]+), should be at least ([0-9]+)", fault) for fault in found.faults]
    assert all(float(value) < float(limit) for pair in figures for value, limit in pair), found.faults


def test_few_independent_draws_have_the_r_hat_that_chance_gives():
    rng = np.random.default_rng(9)
    many = xr.Dataset({"strength": (("chain", "draw", "player"), rng.standard_normal((4, 200, 1000)))})
    flags = xr.Dataset({"diverging": (("chain", "draw"), np.zeros((4, 200), dtype=bool))})
    assert not [fault for fault in diagnose(many, flags, independent=True).faults if "R-hat" in fault]
    assert [fault for fault in diagnose(many, flags).faults if "R-hat" in fault]
    apart = many + xr.DataArray([0.0, 0.0, 0.0, 0.5], dims="chain")
    assert [fault for fault in diagnose(apart, flags, independent=True).faults if "R-hat" in fault]
