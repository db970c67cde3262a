"""Faults of traces: a sampled trace has none, and each kind of damage is described."""

import numpy as np
import pytest
import xarray as xr

from halfpoint.apps.workflows.simulation import simulate
from halfpoint.inference.sample import sample
from halfpoint.inference.traces.whole_trace import _fault_of_sides, fault_of, fault_of_draws
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select


@pytest.fixture(scope="module")
def trace():
    """A short trace."""
    games, _ = simulate(games=60, players=4)
    declared = declare("davidson-common", select(games, games.players, "both"))
    return sample(declared, draws=6, tune=20, chains=2, cores=1, seed=3, adapt=False)


def changed(trace, group, change):
    """Copy of a trace with one changed group."""
    copy = trace.copy()
    copy[group] = change(copy[group].to_dataset())
    return copy


def shifted(name, by):
    """Data set changed by a number."""
    return lambda data: data.assign({name: data[name] + by})


DAMAGE = {
    "sample_stats": (
        lambda data: data.drop_vars("log_likelihood_total"),
        "no log_likelihood_total with chain and draw",
    ),
    "infinite likelihood": (shifted("log_likelihood_total", np.inf), "log likelihoods that are not finite"),
    "no number": (shifted("strength", np.nan), "draws of 'strength' that are not finite numbers"),
    "ratings": (shifted("strength", np.array([1.0, 0.0, 0.0, 0.0])), "ratings that are not those of its strengths"),
    "draw rates": (shifted("draw_rate", 1.0), "draw rates beyond 0 and 1"),
    "scores": (shifted("score", 0.25), "scores other than 0, 0.5 and 1"),
}
GROUPS = {
    "sample_stats": "sample_stats", "infinite likelihood": "sample_stats", "no number": "posterior",
    "ratings": "posterior", "draw rates": "posterior", "scores": "observed_data",
}  # fmt: skip


def test_a_sampled_trace_has_no_fault(trace):
    assert fault_of(trace) == ""


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damage_is_described(trace, damage):
    change, fault = DAMAGE[damage]
    assert fault_of(changed(trace, GROUPS[damage], change)) == fault


@pytest.mark.parametrize(("name", "value"), [("games", 61), ("players", 3), ("max_rhat", -1.0), ("converged", "yes")])
def test_an_attribute_that_contradicts_the_trace_is_named(trace, name, value):
    copy = trace.copy()
    copy.attrs[name] = value
    assert name in fault_of(copy)


def replaced(name, place, value):
    """Data set with one other number."""

    def change(data):
        numbers = data[name].to_numpy().copy()
        numbers[place] = value
        return data.assign({name: (data[name].dims, numbers)})

    return change


FURTHER = [
    ("posterior", lambda data: data.drop_vars("rating_elo"), "no draws of rating_elo with chain, draw and player"),
    ("posterior", lambda data: data.drop_vars("strength"), "no draws of strength"),
    ("posterior", lambda data: data.drop_vars("player"), "no names of players"),
    ("posterior", lambda data: data.assign_coords(player=list("ABCA")), "players who are not texts, each once"),
    ("posterior", lambda data: data.assign(further=("draw", np.zeros(6))), "draws of 'further' without chain and draw"),
    ("posterior", replaced("draw_rate", (0, 0), -0.1), "draw rates beyond 0 and 1"),
    ("posterior", replaced("draw_rate", (1, 5), 1.1), "draw rates beyond 0 and 1"),
    ("sample_stats", replaced("log_likelihood_total", (1, 2), np.nan), "log likelihoods that are not finite"),
    (
        "sample_stats", lambda data: data.assign(log_likelihood_total=data["log_likelihood_total"].astype(int)),
        "no log_likelihood_total with chain and draw",
    ),
    ("observed_data", replaced("score", 3, np.nan), "scores other than 0, 0.5 and 1"),
    ("constant_data", lambda data: data.drop_vars("weight"), "no 'weight' of every game"),
    ("constant_data", lambda data: data.assign(weight=data["weight"].astype(str)), "no 'weight' of every game"),
    ("constant_data", replaced("weight", 2, -1.0), "weights of games that are not numbers from 0"),
    ("constant_data", replaced("weight", 2, np.inf), "weights of games that are not numbers from 0"),
    ("constant_data", replaced("white", 5, 4), "a player of 'white' who is not in the list"),
    ("constant_data", replaced("black", 5, -2), "a player of 'black' who is not in the list"),
    ("constant_data", lambda data: data.assign(black=data["black"] / 2), "a player of 'black' who is not in the list"),
    ("log_likelihood", lambda data: data * 2, ""),
    ("log_likelihood", replaced("score", (0, 0, 0), np.inf), "log likelihoods of games that are not finite"),
    ("log_likelihood", lambda data: data.astype(int), "log likelihoods of games that are not finite"),
    ("log_likelihood", lambda data: data.isel(game=slice(1, None)), "no log likelihood of every game"),
    ("log_likelihood", lambda data: data.isel(chain=0), "no log likelihood of every game"),
]  # fmt: skip


@pytest.mark.parametrize(("group", "change", "fault"), FURTHER)
def test_a_further_damage_is_described(trace, group, change, fault):
    assert "log_likelihood" in trace.children
    described = fault_of(changed(trace, group, change))
    assert described.startswith(fault) if fault else described == ""


@pytest.mark.parametrize(
    ("name", "value", "fault"),
    [
        ("model", 3, "no text in the attribute 'model'"),
        ("converged", True, "no number in the attribute 'converged'"),
        ("converged", 2, "converged 2 in the attributes, which is from 0 to 1"),
        ("max_rhat", float("nan"), ""),
        ("divergences", float("nan"), "divergences nan in the attributes, which is from 0 to inf"),
        ("draws", 0, "draws 0 in the attributes, which is from 1 to inf"),
        ("pareto_k", 0.2, "pareto_k in the attributes, and transitions of a sampler"),
        ("approximate", 1, "approximate in the attributes, and transitions of a sampler"),
        ("method", "normal", "method in the attributes, and transitions of a sampler"),
    ],
)
def test_an_attribute_is_of_its_kind_and_range(trace, name, value, fault):
    copy = trace.copy()
    copy.attrs[name] = value
    assert fault_of(copy) == fault


def without_sampler(trace, **attributes):
    """The trace as if an approximation had drawn it."""
    copy = changed(trace, "sample_stats", lambda data: data[["log_likelihood_total"]])
    copy.attrs |= {"converged": 1, "approximate": 0, "pareto_k": 0.3, "effective_draws": 1e6} | attributes
    return copy


@pytest.mark.parametrize(
    ("attributes", "fault"),
    [
        ({}, ""),
        ({"pareto_k": "low"}, "no number in the attribute 'pareto_k'"),
        ({"pareto_k": 2.0, "effective_draws": 5}, "converged in the attributes, and Pareto k 2.00 with 5 effective"),
        ({"pareto_k": 2.0, "effective_draws": 5, "converged": 0}, "converged in the attributes"),
        ({"pareto_k": 2.0, "effective_draws": 5, "converged": 0, "approximate": 1}, "approximate 1 in the attributes"),
        (
            {"pareto_k": 2.0, "effective_draws": 5, "converged": 0, "approximate": 1, "verdict": "APPROXIMATE: k"}, "",
        ),
        ({"pareto_k": 2.0, "effective_draws": 1e6}, ""),  # ratios that hardly vary make k harmless
        ({"pareto_k": float("nan"), "effective_draws": 1e6}, "converged in the attributes, and Pareto k nan"),
        ({"verdict": "APPROXIMATE: k"}, "approximate 0 in the attributes, and another verdict"),
    ],
)  # fmt: skip
def test_draws_of_an_approximation_meet_their_limits(trace, attributes, fault):
    described = fault_of(without_sampler(trace, **attributes))
    assert described.startswith(fault) if fault else described == ""


def sides(who, share):
    """Members of sides as a trace has them."""
    return xr.Dataset({"side_player": (("side", "seat"), np.array(who)), "side_share": (("side", "seat"), share)})


WHOLE = [[0, 1], [2, -1]], [[0.5, 0.5], [1.0, 0.0]]
STRANGER = "a side without players, or with a player who is not in the list"
SHARES = "shares of play of seated players that are not numbers above 0"


@pytest.mark.parametrize(
    ("who", "share", "fault"),
    [
        (*WHOLE, ""),
        ([[0, 1], [3, -1]], WHOLE[1], STRANGER),
        ([[0, 1], [2, -2]], WHOLE[1], STRANGER),
        ([[0, 1], [-1, -1]], WHOLE[1], STRANGER),
        ([[0.0, 1.0], [2.0, -1.0]], WHOLE[1], STRANGER),
        (WHOLE[0], [[0.5, 0.5], [1.0, 0.5]], SHARES),
        (WHOLE[0], [[0.5, 0.0], [1.0, 0.0]], SHARES),
        (WHOLE[0], [[0.5, np.inf], [1.0, 0.0]], SHARES),
        (WHOLE[0], [[1, 1], [1, 0]], SHARES),
        (np.zeros((0, 2), dtype=int), np.zeros((0, 2)), "sides without people and their shares"),
    ],
)
def test_sides_have_people_and_shares(who, share, fault):
    assert _fault_of_sides(sides(who, share), 3) == fault


def test_sides_without_shares_or_with_other_dims():
    whole, missing = sides(*WHOLE), "sides without people and their shares"
    assert _fault_of_sides(whole.drop_vars("side_share"), 3) == missing
    assert _fault_of_sides(whole.rename(seat="place"), 3) == missing
    assert _fault_of_sides(whole.assign(side_share=("side", [1.0, 1.0])), 3) == missing


def test_a_trace_finished_by_hand_may_lack_ratings(trace):
    posterior = trace["posterior"].to_dataset().drop_vars("rating_elo")
    assert fault_of_draws(posterior, by_hand=True) == ""
    assert fault_of_draws(posterior) == "no draws of rating_elo with chain, draw and player"
