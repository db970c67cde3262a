"""Plackett-Luce and Davidson-Luce: published fits, brute force over sets, Hunter's algorithm, and the PyMC graph."""

from itertools import combinations

import numpy as np
import pytensor
import pytest
from scipy.optimize import minimize
from scipy.special import logsumexp

from halfpoint.apps.fields.races.model import SPREAD, TIE, DeclaredRaces, declare_races
from halfpoint.apps.fields.races.plackett_luce import MOST_TIED, choices_of, log_likelihood
from halfpoint.apps.fields.races.simulate import placing
from halfpoint.apps.fields.races.table import LAST, RaceTable
from halfpoint.models.formulas.davidson import DAVIDSON
from halfpoint.models.games.errors import GameTableError

# Davidson (1970) J. Am. Stat. Assoc. 65:317, example 2: i, j, tasters, i preferred, j preferred, neither.
PUDDINGS = """1 2 57 19 22 16; 1 3 47 16 19 12; 2 3 48 19 19 10; 1 4 54 18 23 13; 2 4 51 23 19 9; 3 4 54 19 20 15;
1 5 50 13 19 18; 2 5 48 16 20 12; 3 5 48 16 15 17; 4 5 47 17 14 16; 1 6 51 18 21 12; 2 6 54 22 20 12; 3 6 41 13 18 10;
4 6 51 14 19 18; 5 6 44 11 21 12"""
# Of the documents and tests of PlackettLuce 0.4 (Turner, van Etten, Firth & Kosmidis 2020): dense ranks, 0 not ranked.
FRUITS = [[1, 2, 0], [3, 1, 2], [2, 1, 1], [1, 2, 3], [2, 1, 1], [1, 0, 2]]
TOY = [[1, 2, 0, 0], [2, 0, 1, 0], [1, 0, 0, 2], [2, 1, 0, 0], [0, 1, 2, 0]]


def table_of(events, count):
    """Table of events, each with pairs of a competitor and a group, in any order."""
    rows = [sorted(one, key=lambda pair: pair[1]) for one in events]
    who, group = (np.array([pair[k] for one in rows for pair in one], dtype=np.int32) for k in (0, 1))
    start = np.cumsum([0, *map(len, rows)])
    return RaceTable(np.array([f"c{k:02d}" for k in range(count)]), np.arange(len(rows)).astype(str), start, who, group)


def of_ranks(ranks):
    """Table of a matrix of dense ranks, 0 for unranked competitors."""
    return table_of([[(k, one - 1) for k, one in enumerate(row) if one] for row in ranks], len(ranks[0]))


def drawn(count, events, field, seed, order=1, places=None):
    """Strengths and simulated events; with `places` all later competitors have no place."""
    rng = np.random.default_rng(seed)
    strength, log_tie = rng.normal(size=count), rng.normal(-1.0, 0.5, order - 1)
    made = []
    for _ in range(events):
        there = rng.choice(count, field, replace=False)
        who, group = placing(strength[there], rng, log_tie)
        cut = group if places is None else np.where(group >= places, LAST, group)
        made.append(list(zip(there[who].tolist(), cut.tolist(), strict=True)))
    return strength, log_tie, table_of(made, count)


def by_sets(strength, log_tie, table):
    """Log likelihood of each event by enumeration of all sets that could be next."""
    prevalence = [0.0, *log_tie]
    found = []
    for start, end in zip(table.start[:-1], table.start[1:], strict=True):
        who, group, total = table.who[start:end], table.group[start:end], 0.0
        for number in np.unique(group[group != LAST]):
            left, chosen = who[group >= number], who[group == number]
            if left.size > 1:
                sets = [one for size in range(1, len(prevalence) + 1) for one in combinations(left.tolist(), size)]
                each = [prevalence[len(one) - 1] + strength[list(one)].mean() for one in sets]
                total += prevalence[chosen.size - 1] + strength[chosen].mean() - logsumexp(each)
        found.append(total)
    return np.array(found)


def most_likely(table, weight=None, pseudo=0.0):
    """Maximum of the likelihood, the first strength 0, then log d.

    With `pseudo`, each competitor also has this number of wins and of losses against a competitor of strength 0, as in
    PlackettLuce.
    """
    choices, count = choices_of(table), table.competitors.size
    weight = np.ones(len(table)) if weight is None else weight

    def worth(x):
        g, log_tie = x[:count], x[count:]
        others = [np.zeros(count), g, *([log_tie[0] + g / 2.0] if len(log_tie) else [])]
        said = weight @ log_likelihood(g, log_tie, choices) + pseudo * (g - 2.0 * logsumexp(others, axis=0)).sum()
        return -said + 1e-9 * g.mean() ** 2

    options = {"gtol": 1e-7, "maxiter": 1000}
    found = minimize(worth, np.zeros(count + choices.order - 1), jac="3-point", method="BFGS", options=options).x
    return np.concatenate([found[:count] - found[0], found[count:]])


def test_puddings_as_published():
    rows = [list(map(int, row.split())) for row in PUDDINGS.split(";")]
    events, weight = [], []
    for i, j, _, won, lost, tied in rows:
        events += [[(i - 1, 0), (j - 1, 1)], [(j - 1, 0), (i - 1, 1)], [(i - 1, 0), (j - 1, 0)]]
        weight += [won, lost, tied]
    found = most_likely(table_of(events, 6), np.array(weight, dtype=float))
    published = [0.0, 0.2202, 0.1530, 0.1753, 0.1339, 0.3771, -0.2919]  # seven steps of the package, not at its end
    np.testing.assert_allclose(found, published, atol=2e-4)
    deviance = -2.0 * np.array(weight) @ log_likelihood(found[:6], found[6:], choices_of(table_of(events, 6)))
    assert deviance == pytest.approx(1619.4, abs=0.05)


def test_ties_of_two_among_three_as_published_to_six_digits():
    found = most_likely(of_ranks(FRUITS), pseudo=0.5)
    np.testing.assert_allclose(found, [0.0, 0.2867987, -0.4636687, -1.0701129], atol=1e-6)


def test_who_always_loses_as_published_to_six_digits():
    found = most_likely(of_ranks(TOY), pseudo=0.5)
    np.testing.assert_allclose(found, [0.0, 0.5184185, 0.1354707, -1.1537565], atol=1e-6)
    plain = of_ranks([row[:3] for row in (TOY[0], TOY[1], TOY[3], TOY[4])])
    np.testing.assert_allclose(most_likely(plain), [0.0, 0.8392, 0.4196], atol=5e-5)


@pytest.mark.parametrize(("order", "places"), [(1, None), (1, 3), (2, None), (3, None), (3, 2)])
def test_the_likelihood_is_the_sum_over_sets(order, places):
    strength, log_tie, table = drawn(9, 40, 6, seed=order, order=order, places=places)
    assert table.most_tied == order
    found = log_likelihood(strength, log_tie, choices_of(table))
    np.testing.assert_allclose(found, by_sets(strength, log_tie, table), rtol=1e-12, atol=1e-12)
    shifted = log_likelihood(strength + 300.0, log_tie, choices_of(table))
    np.testing.assert_allclose(shifted, found, rtol=1e-10)
    both = log_likelihood(np.stack([strength, -strength]), np.stack([log_tie, log_tie]), choices_of(table))
    np.testing.assert_allclose(both[0], found, rtol=1e-13)


def test_two_competitors_are_bradley_terry_and_davidson():
    rng = np.random.default_rng(5)
    strength, lam = rng.normal(0.0, 3.0, 20), np.array([-0.7])
    pairs = np.stack([rng.choice(20, 2, replace=False) for _ in range(60)])
    outcome = rng.integers(0, 3, 60)  # of the first: loss, draw, win
    events = [[(a, int(k == 0)), (b, int(k == 2))] for (a, b), k in zip(pairs.tolist(), outcome, strict=True)]
    table = table_of(events, 20)
    chance = DAVIDSON.log_probability(strength[pairs[:, 0]], strength[pairs[:, 1]], np.full(60, lam[0]))
    expected = np.asarray(chance)[np.arange(60), outcome]
    np.testing.assert_allclose(log_likelihood(strength, lam, choices_of(table)), expected, rtol=1e-12)
    won = table.take(outcome != 1)
    first = np.where(outcome == 2, pairs[:, 0], pairs[:, 1])[outcome != 1]
    second = np.where(outcome == 2, pairs[:, 1], pairs[:, 0])[outcome != 1]
    plain = log_likelihood(strength, None, choices_of(won))
    np.testing.assert_allclose(plain, -np.log1p(np.exp(strength[second] - strength[first])), 1e-12, 1e-15)


def test_hunters_algorithm_ends_where_our_likelihood_is_largest():
    """Hunter (2004) Ann. Stat. 32:384, eq. 30: a_i = choices won / sum over choices of 1 / sum of a."""
    _, _, table = drawn(8, 60, 5, seed=11, places=3)
    a = np.ones(8)
    for _ in range(2000):
        won, lost = np.zeros(8), np.zeros(8)
        for start, end in zip(table.start[:-1], table.start[1:], strict=True):
            who, group = table.who[start:end], table.group[start:end]
            for place in range(3):
                won[who[place]] += 1
                lost[who[place:]] += 1.0 / a[who[place:]].sum()
            assert (group[3:] == LAST).all()
        new = won / lost
        if np.abs(np.log(new / new[0]) - np.log(a / a[0])).max() < 1e-12:
            break
        a = new / new.sum()
    np.testing.assert_allclose(most_likely(table), np.log(a / a[0]), atol=1e-6)


def test_the_graph_is_the_formula_and_its_priors():
    _, _, table = drawn(4, 12, 4, seed=3, order=2)
    weight = np.random.default_rng(1).uniform(0.2, 2.0, len(table))
    declared = DeclaredRaces(table, 2, weight)
    graph = declared.model
    fast = {"mode": pytensor.compile.mode.Mode(linker="py", optimizer=None)}
    values, names = graph.free_RVs, [one.name for one in graph.free_RVs]
    inputs = [graph.rvs_to_values[rv] for rv in values]
    natural = pytensor.function(inputs, graph.replace_rvs_by_values(values), **fast)
    density = pytensor.function(inputs, graph.logp(jacobian=False), **fast)
    rng = np.random.default_rng(8)
    seen = []
    for _ in range(3):
        point = [rng.normal(0.0, 0.7, declared_shape(rv, declared)) for rv in values]
        made = dict(zip(names, natural(*point), strict=True))
        g, s, lam = made["strength"], float(made["strength_spread"]), made["log_tie"]
        prior = -0.5 * (g**2).sum() / s**2 - g.size * np.log(s) - 0.5 * (s / SPREAD) ** 2
        prior -= 0.5 * (((lam - TIE[0]) / TIE[1]) ** 2).sum()
        seen.append(float(density(*point)) - (weight @ by_sets(g, lam, table) + prior))
    np.testing.assert_allclose(seen, seen[0], atol=1e-9)  # equal up to a constant


def test_a_first_look_has_the_curvature_of_the_likelihood_and_a_spread_near_the_truth():
    strength, _, table = drawn(30, 200, 6, seed=4, places=4)
    weight = np.random.default_rng(2).uniform(0.0, 2.0, len(table))
    guess, information = DeclaredRaces(table, 1, weight).first_look

    def worth(g):
        return float(weight @ log_likelihood(g, None, choices_of(table)))

    step, zero = 1e-3, np.zeros(30)
    second = [(worth(step * e) - 2.0 * worth(zero) + worth(-step * e)) / step**2 for e in np.eye(30)]
    np.testing.assert_allclose(information, -np.array(second), rtol=1e-4)
    assert 0.5 < guess / strength.std() < 1.5
    equal = drawn(30, 200, 6, seed=4)[2]
    assert DeclaredRaces(equal, 1, np.zeros(200)).first_look[0] == 0.2


def declared_shape(variable, declared):
    """Shape of a coordinate of the graph."""
    sizes = {"strength_spread": (), "log_tie": (declared.order - 1,)}
    return sizes.get(variable.name, (declared.table.competitors.size,))


def test_too_many_who_share_a_place_are_refused():
    table = table_of([[(k, 0) for k in range(MOST_TIED + 1)]], MOST_TIED + 1)
    with pytest.raises(GameTableError, match="expected at most 6 competitors on a place, found 7"):
        declare_races(table)
