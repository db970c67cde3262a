"""Exact standard deviations of a cycle of three players, compared with other programs in docs/agreement.md."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

RECORD = json.loads((Path(__file__).parents[2] / "benchmarks" / "agreement.json").read_text(encoding="utf-8"))["days"]


def test_the_exact_spread_of_the_cycle_is_that_of_prior_draws_weighed_by_the_games():
    rng, count = np.random.default_rng(1), 400_000
    skill = 6.0 * rng.standard_normal((count, 3))
    weight = np.prod([norm.cdf((skill[:, k] - skill[:, (k + 1) % 3]) / np.sqrt(2.0)) for k in range(3)], axis=0)
    found = np.sqrt(np.average(skill[:, 0] ** 2, weights=weight))
    effective = weight.sum() ** 2 / np.square(weight).sum()
    assert found == pytest.approx(RECORD["cycle"]["exact"], rel=4.0 / np.sqrt(2.0 * effective))
    assert RECORD["cycle"]["TrueSkill Through Time"] < 0.7 * RECORD["cycle"]["exact"]


@pytest.mark.parametrize("part", [part for part in RECORD if part.startswith(("season", "wide"))])
def test_kickscore_is_too_sure_of_skills_and_not_of_their_differences(part):
    found = RECORD[part]
    assert found["verdict"].startswith("converged")
    exact, theirs = np.array(found["exact"]), np.array(found["kickscore"])
    assert np.array(found["exact over kickscore"]) == pytest.approx(exact / theirs, rel=1e-12)
    assert (exact / theirs).min() > (1.5 if part.startswith("wide") else 1.03)  # draws have an error of 0.01
    assert max(found["differences"]) < 1.03
