"""Cars, seasons and grids in addition to a driver's strength, compared with sums by hand, the likelihood by sets, and
simulated truth.
"""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytensor
import pytest
from test_plackett_luce import by_sets, table_of

from halfpoint.apps.fields import races
from halfpoint.apps.fields.races.entrants import columns_asked, entrants_of, formula_of
from halfpoint.apps.fields.races.model import SPREAD, DeclaredRaces, Sampling, declare_races, sampler
from halfpoint.apps.fields.races.read import read_races
from halfpoint.apps.fields.races.simulate import drawn_races
from halfpoint.inference.simulation_based_calibration import RANKED, Ranks, count_below, even_indices
from halfpoint.models.games.errors import GameTableError, HalfpointError
from halfpoint.models.reading.prior_draws import PriorDraws

ROWS = pd.DataFrame(
    [("A", "Ann", "red", 2020, 1, 1), ("A", "Bob", "red", 2020, 3, 2), ("A", "Cem", "blue", 2020, 2, 3),
     ("B", "Bob", "blue", 2021, 1, 1), ("B", "Cem", "blue", 2021, 2, 2), ("B", "Ann", "red", 2021, 3, 3),
     ("C", "Cem", "red", 2021, 1, 1), ("C", "Ann", "red", 2021, 2, 2)],
    columns=["race", "driver", "car", "season", "grid", "place"],
)  # fmt: skip
FORMULA = "0 + grid + (1 | car) + (1 | player:season) + (1 | car:season)"
HOW = Sampling(draws=250, tune=500, chains=2, longer=False)


def by_hand(p, rows):
    """Strength of each placing, term by term."""
    found = []
    for driver, car, season, grid in rows:
        own = p["strength"][["Ann", "Bob", "Cem"].index(driver)] + p["strength_effect"][0] * grid
        own += p["strength_car"][["blue", "red"].index(car)]
        own += p["strength_season"][DRIVEN.index(f"{driver}:{season}")]
        found.append(own + p["strength_car_season"][BUILT.index(f"{car}:{season}")])
    return np.array(found)


DRIVEN = ["Ann:2020", "Ann:2021", "Bob:2020", "Bob:2021", "Cem:2020", "Cem:2021"]
BUILT = ["blue:2020", "blue:2021", "red:2020", "red:2021"]


def test_the_graph_with_a_formula_is_the_sum_of_its_terms_and_their_priors():
    assert columns_asked(FORMULA) == ["car", "season", "grid"]
    declared = declare_races(read_races(ROWS, extra_columns=columns_asked(FORMULA)), formula=FORMULA)
    graph = declared.model
    fast = {"mode": pytensor.compile.mode.Mode(linker="py", optimizer=None)}
    values, names = graph.free_RVs, [one.name for one in graph.free_RVs]
    inputs = [graph.rvs_to_values[rv] for rv in values]
    natural = pytensor.function(inputs, graph.replace_rvs_by_values(values), **fast)
    density = pytensor.function(inputs, graph.logp(jacobian=False), **fast)
    sizes = {"strength": 3, "strength_car": 2, "strength_season": 6, "strength_car_season": 4, "strength_effect": 1}
    alone = table_of([[(0, 0), (1, 1), (2, 2)], [(3, 0), (4, 1), (5, 2)], [(6, 0), (7, 1)]], 8)
    rows = ROWS[["driver", "car", "season", "grid"]].to_numpy().tolist()
    rng, seen = np.random.default_rng(5), []
    for _ in range(3):
        point = [rng.normal(0.0, 0.7, sizes.get(name, ())) for name in names]
        p = dict(zip(names, natural(*point), strict=True))
        said = by_sets(by_hand(p, rows), [], alone).sum() - 0.5 * (p["strength_effect"] ** 2).sum()
        for name in ("strength", "strength_car", "strength_season", "strength_car_season"):
            s = float(p[f"{name}_spread"])
            said -= 0.5 * (p[name] ** 2).sum() / s**2 + p[name].size * np.log(s) + 0.5 * (s / SPREAD) ** 2
        seen.append(float(density(*point)) - said)
    np.testing.assert_allclose(seen, seen[0], atol=1e-9)  # equal up to a constant


def test_entrants_are_competitors_in_levels_and_each_is_last_what_they_drove_last():
    table = read_races(ROWS, extra_columns=["car"])
    found = entrants_of(table, "(1 | car)")
    assert found.levels["car"].tolist() == ["blue", "red"]
    p = {"strength": np.array([[1.0, 2.0, 3.0]]), "strength_car": np.array([[10.0, 20.0]])}
    each = found.strengths(p)[0][found.table.who]
    assert each.tolist() == [21.0, 22.0, 13.0, 12.0, 13.0, 21.0, 23.0, 21.0]
    assert found.strengths(p)[0][found.latest].tolist() == [21.0, 12.0, 23.0]
    plain = entrants_of(table)
    assert plain.table is table
    assert plain.strengths(p).tolist() == p["strength"].tolist()


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("plackett-luce with strength ~ (1 | engine)", "the column 'engine' of the formula, found race, driver, car"),
        ("plackett-luce with advantage ~ 1 | car", "--model: expected plackett-luce, or"),
        ("bt-population", "--model: expected plackett-luce, or"),
        ("plackett-luce with strength ~ open('x')", "expected columns, \\+ and calls of C, I"),
        ("plackett-luce with strength ~ (1 | tyre)", "line 3: expected a value in 'tyre', found none"),
    ],
)
def test_mistakes_of_formulas_are_one_line(model, message):
    rows = ROWS.assign(tyre=["soft", "", *["hard"] * 6])
    with pytest.raises(HalfpointError, match=message) as found:
        races.races_rate(rows, model=model)
    assert "\n" not in str(found.value)
    with pytest.raises(GameTableError, match="--model"):
        formula_of("plackett-luce-2")


def design(rng, events=24):
    """Events of six drivers who change among three cars by season, all of them in the file."""
    who = np.stack([rng.permutation(6)[:5] for _ in range(events)])
    season = np.repeat(np.arange(3), events // 3)[:, None] + np.zeros_like(who)
    return who, (who + season) % 3, season


def with_levels(who, car, season, order):
    """Events in an order of the slots, shape (event, slot), with car and season of each placing."""
    rows = drawn_races(np.zeros(6), who, [5] * len(who), np.random.default_rng(0))
    sorted_by = [np.take_along_axis(one, order, axis=1).ravel() for one in (who, car, season)]
    beside = {"car": sorted_by[1].astype(str), "season": sorted_by[2].astype(str)}
    return replace(rows, who=sorted_by[0].astype(np.int32), covariates=beside)


@pytest.mark.slow
def test_the_truth_of_each_term_ranks_uniformly_among_the_draws():
    formula, simulations = "(1 | car) + (1 | player:season)", 60
    rng = np.random.default_rng(13)
    who, car, season = design(rng)
    declared = DeclaredRaces(with_levels(who, car, season, np.tile(np.arange(5), (len(who), 1))), 1, formula=formula)
    run, prior = sampler(declared), PriorDraws(declared.model)
    entrants, ranks = declared.entrants, {}
    slots = entrants.table.who.reshape(who.shape)
    for simulation in range(simulations):
        rng = np.random.default_rng([13, simulation])
        truth = prior.one(rng)
        noise = entrants.strengths(truth)[slots] + rng.gumbel(size=who.shape)  # its order is Plackett-Luce's
        table = with_levels(who, car, season, np.argsort(-noise, axis=1))
        fitted = run(DeclaredRaces(table, 1, formula=formula), replace(HOW, seed=simulation))
        for label, rank in count_below(fitted.posterior, truth, even_indices(HOW.chains, HOW.draws, RANKED)):
            ranks.setdefault(label, []).append(rank)
    found = Ranks({name: np.asarray(values) for name, values in ranks.items()}, RANKED, 0)
    outside = found.outside(1.0 - 0.01 / len(found.rank))
    assert {name: by for name, by in outside.items() if by} == {}
