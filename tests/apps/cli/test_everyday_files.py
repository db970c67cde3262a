"""Files of every kind of `benchmarks/everyday_kinds.py` through `rate` without options, compared with their truth.

Kinds of about a second run in the fast suite with one seed, all kinds in the slow suite with two. A new kind is a
function of ten lines in `everyday_kinds`.
"""

import json

import numpy as np
import pytest
from everyday import here, judge, write
from everyday_kinds import KINDS
from scipy.stats import binom

QUICK = (
    "match of 8", "match of 20", "match of 100", "gauntlet of 4 by 40", "gauntlet of 12 by 30", "three players",
    "round robin of 10", "double round robin of equals", "mostly drawn", "club with ratings, by lot",
    "votes on 20 models", "winners and losers", "a Swiss of 20 by 5",
)  # fmt: skip
CONFOUNDED = ("stronger named first",)  # seats that follow strength are taken for the first-move advantage
SELECTED = ("tour of knockouts", "a knockout of 64")  # who wins plays on: 80% to 92% of intervals hold (defaults.md)
LONG = ("100,000 games of 10,000, near", "one year, 2,100 players, 16,000 games")  # minutes: `benchmarks/everyday.py`
SLOW = pytest.mark.slow
CASES = [pytest.param(kind, 0, marks=() if kind in QUICK else SLOW) for kind in KINDS if kind not in LONG]
CASES += [pytest.param(kind, 1, marks=SLOW) for kind in KINDS if kind not in LONG]


@pytest.mark.cases(5)
@pytest.mark.parametrize(("kind", "seed"), CASES)
def test_a_list_of_an_everyday_file_is_right(kind, seed, tmp_path):
    """Assert that the run ends, converges, reports no deviation without cause, and that its intervals contain the
    truth.

    The number of players outside their 95% intervals is binomial, except that players depend on one another.
    """
    games = KINDS[kind][0](np.random.default_rng([seed, 62]))
    write(games, tmp_path / "games.csv")
    _, code, printed, error = here(("", "rate", str(tmp_path / "games.csv")), None)
    assert code == 0, error
    found = judge(json.loads(printed), games)
    assert found["converged"]
    assert not found["approximate"]
    assert found["leads"] == []
    players = len(games.theta)
    outside = round((1.0 - found["inside"]) * players)
    share = 0.15 if kind in SELECTED else 0.05
    assert kind in CONFOUNDED or outside <= binom.isf(1e-4, players, share), outside
    assert games.rating is None or found["wide"] < 700.0
