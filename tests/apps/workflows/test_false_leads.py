"""Data of the very model: how often `rate` says that they are unlike it."""

from functools import partial

import numpy as np
import pytest
from default_designs import every_pair, hubs, leagues, matched, played, swiss
from scipy.stats import binom

from halfpoint.apps import workflows

FILES, ALLOWED = 40, 0.05


def equals(rng):
    """Six players of nearly one strength who meet four times."""
    return played(rng, rng.normal(0.0, 0.1, 6), *every_pair(0, 6).repeat(2, axis=1))


DESIGNS = {
    "Swiss": partial(swiss, players=64, rounds=9),
    "hubs": partial(hubs, players=60, games=500),
    "matched": partial(matched, players=60, rounds=16),
    "leagues alike": partial(leagues, means=(0.0,) * 3, sizes=(10,) * 3, joins=10),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", DESIGNS)
def test_data_of_the_model_are_not_said_to_be_unlike_it(name):
    """At most 5% of files have a line of draws by gap or by strength, and at most 5% a line of leagues.

    Pairings are functions of results (Swiss), of strengths, or of leagues; a count beyond the 99.9% point of a binomial
    number fails.
    """
    found = {"players far apart draw": 0, "stronger players draw": 0, "few games or long chains": 0}
    for seed in range(2000, 2000 + FILES):
        file = DESIGNS[name](np.random.default_rng([seed, 77]))
        frame = file.frame.drop(columns="date") if name in ("matched", "leagues alike") else file.frame
        lines = workflows.rate(frame, draws=500, groups="largest").trace.attrs["checks"].splitlines()
        for words in found:
            found[words] += any(line.startswith(words) for line in lines)
    assert max(found.values()) <= binom.ppf(0.999, FILES, ALLOWED), found
