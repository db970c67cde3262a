"""Rankings with ties by Weng-Lin and TrueSkill: openskill's updates, symmetry, order of tied players."""

from itertools import permutations

import numpy as np
import pytest
from openskill.models import PlackettLuce

from halfpoint.systems.matches import matches_of
from halfpoint.systems.trueskill_teams import update_teams
from halfpoint.systems.weng_lin_rankings import update_rankings

SIGMA = 25.0 / 3.0
NUMBERS = {"beta": SIGMA / 2.0, "tau": SIGMA / 100.0}
TIES = [(1, 1, 3), (1, 2, 2), (1, 1, 3, 4, 5), (1, 2, 2, 4, 5), (1, 1, 1, 4, 5), (1, 2, 3, 4, 4), (1, 1, 3, 3, 5, 5)]
SYSTEMS = {"weng-lin": update_rankings, "trueskill": update_teams}


def learned(events, update):
    """Mean and deviation by name after events, each a list of (name, place)."""
    matches = matches_of(
        [[[name] for name, _ in one] for one in events], [[place for _, place in one] for one in events]
    )
    mean, deviation = np.full(matches.players.size, 25.0), np.full(matches.players.size, SIGMA)
    update(matches, mean, deviation, **NUMBERS)
    return {str(name): (m, s) for name, m, s in zip(matches.players, mean, deviation, strict=True)}


def test_rankings_without_ties_are_openskills():
    rng = np.random.default_rng(3)
    events = [[(f"p{k}", place) for place, k in enumerate(rng.permutation(7)[: rng.integers(2, 7)])] for _ in range(60)]
    found, model = learned(events, update_rankings), PlackettLuce()
    players = {f"p{k}": model.rating() for k in range(7)}
    for one in events:
        rated = model.rate([[players[name]] for name, _ in one], ranks=[place for _, place in one])
        players |= {name: side[0] for (name, _), side in zip(one, rated, strict=True)}
    for name, player in players.items():
        assert found[name] == pytest.approx((player.mu, player.sigma), abs=1e-9)


@pytest.mark.parametrize("places", TIES)
def test_a_tie_of_equals_is_the_mean_of_openskills_updates_over_the_orders_it_leaves_open(places):
    model, total = PlackettLuce(), np.zeros(len(places))
    open_orders = [one for one in permutations(range(len(places))) if (np.diff(np.array(places)[list(one)]) >= 0).all()]
    for order in open_orders:
        rated = model.rate([[model.rating()] for _ in order], ranks=np.argsort(order).tolist())
        total += [side[0].mu for side in rated]
    found = learned([[(f"p{k}", place) for k, place in enumerate(places)]], update_rankings)
    assert [found[f"p{k}"][0] for k in range(len(places))] == pytest.approx(total / len(open_orders), abs=1e-9)


@pytest.mark.parametrize("places", TIES)
@pytest.mark.parametrize("system", SYSTEMS)
def test_who_ties_with_the_same_history_is_equal_and_nobody_behind_is_above(system, places):
    found = learned([[(f"p{k}", place) for k, place in enumerate(places)]], SYSTEMS[system])
    mean, deviation = np.array([found[f"p{k}"] for k in range(len(places))]).T
    for place in set(places):
        tied = np.array(places) == place
        assert np.ptp(mean[tied]) < 1e-9
        assert np.ptp(deviation[tied]) < 1e-9
        assert (mean[np.array(places) > place] < mean[tied].min()).all()


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_order_of_lines_changes_nothing(system):
    rng = np.random.default_rng(5)
    events = [[(f"p{k}", int(rng.integers(1, 4))) for k in rng.permutation(6)[:5]] for _ in range(30)]
    shuffled = [[one[k] for k in rng.permutation(5)] for one in events]
    first, second = (learned(some, SYSTEMS[system]) for some in (events, shuffled))
    for name, pair in first.items():
        assert second[name] == pytest.approx(pair, abs=1e-9)
