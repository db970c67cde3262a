"""False alarms: warnings of `rate` on data simulated from its model."""

from functools import partial

import numpy as np
import pytest
from default_designs import every_pair, hubs, leagues, matched, played, seated, swiss
from scipy.stats import binom

from halfpoint.apps import workflows

FILES, ALLOWED = 40, 0.05


def equals(rng):
    """Six players of similar strength who meet four times."""
    return played(rng, rng.normal(0.0, 0.1, 6), *every_pair(0, 6).repeat(2, axis=1))


def match(rng):
    """Forty games of two players, with random seats."""
    return played(rng, rng.normal(0.0, 0.4, 2), *seated(rng, np.zeros(40, int), np.ones(40, int)), day=np.zeros(40))


def gauntlet(rng):
    """Player against twelve rivals who do not meet, thirty games each."""
    rivals = np.repeat(np.arange(1, 13), 30)
    return played(rng, rng.normal(0.0, 0.4, 13), *seated(rng, np.zeros_like(rivals), rivals), day=np.zeros(360))


def league(rng):
    """Sixteen clubs, home and away."""
    return played(rng, rng.normal(0.0, 0.5, 16), *every_pair(0, 16))


DESIGNS = {
    "match": match,
    "gauntlet": gauntlet,
    "equals": equals,
    "league": league,
    "Swiss": partial(swiss, players=64, rounds=9),
    "hubs": partial(hubs, players=60, games=500),
    "matched": partial(matched, players=60, rounds=16),
    "leagues alike": partial(leagues, means=(0.0,) * 3, sizes=(10,) * 3, joins=10),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", DESIGNS)
def test_data_of_the_model_are_not_said_to_be_unlike_it(name):
    lines = "players far apart draw", "stronger players draw", "players differ in their", "few games or long chains"
    found = dict.fromkeys(lines, 0)
    for seed in range(2000, 2000 + FILES):
        file = DESIGNS[name](np.random.default_rng([seed, 77]))
        frame = file.frame.drop(columns="date") if name in ("matched", "leagues alike") else file.frame
        lines = workflows.rate(frame, draws=500, groups="largest").trace.attrs["checks"].splitlines()
        for words in found:
            found[words] += any(line.startswith(words) for line in lines)
    assert max(found.values()) <= binom.ppf(0.999, FILES, ALLOWED), found
