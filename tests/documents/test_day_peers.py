"""The exact spread of a cycle of three that docs/agreement.md sets beside other programs."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

RECORD = json.loads((Path(__file__).parents[2] / "benchmarks" / "day_peers.json").read_text(encoding="utf-8"))


def test_the_exact_spread_of_the_cycle_is_that_of_prior_draws_weighed_by_the_games():
    rng, count = np.random.default_rng(1), 400_000
    skill = 6.0 * rng.standard_normal((count, 3))
    weight = np.prod([norm.cdf((skill[:, k] - skill[:, (k + 1) % 3]) / np.sqrt(2.0)) for k in range(3)], axis=0)
    found = np.sqrt(np.average(skill[:, 0] ** 2, weights=weight))
    effective = weight.sum() ** 2 / np.square(weight).sum()
    assert found == pytest.approx(RECORD["cycle"]["exact"], rel=4.0 / np.sqrt(2.0 * effective))
    assert RECORD["cycle"]["TrueSkill Through Time"] < 0.7 * RECORD["cycle"]["exact"]
