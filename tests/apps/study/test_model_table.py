"""Table of all models: means, paired differences and calibration recomputed by hand."""

import numpy as np
import pytest

from halfpoint.apps.study.judged_sets import JudgedSet, scores_per_game
from halfpoint.apps.study.model_table import model_table
from halfpoint.evaluation.calibration_curves import calibration_table

RNG = np.random.default_rng(4)
OUTCOME = RNG.integers(0, 3, 90).astype(np.int32)


def line(name, edition, kind, data="A", anchors="none"):
    p = RNG.dirichlet([3, 5, 3], OUTCOME.size)
    density = -2 * np.log(p[np.arange(OUTCOME.size), OUTCOME])
    three = kind == "three outcomes"
    terms = {"neg2_lpd": density} | scores_per_game(p @ [0, 0.5, 1], p if three else None, OUTCOME)
    return JudgedSet(name, edition, data, "none", anchors, kind, {}, terms)


@pytest.fixture
def lines():
    return [
        line("fide_elo", "reference", "half points"),
        line("bt-common", "computed", "half points"),
        line("davidson-common", "computed", "three outcomes"),
        line("davidson-scaled", "corrected", "three outcomes"),
        line("davidson-scaled", "corrected", "three outcomes", anchors="day"),
        line("davidson-scaled", "corrected", "three outcomes", data="A-rapid"),
    ]


def test_scores_are_means_and_differences_are_paired(lines):
    expected = np.repeat([0.4, 0.6], 45)
    bins = calibration_table(expected, OUTCOME / 2, 2)
    calibration = bins.assign(name="davidson-scaled", edition="corrected", set="A", event="expected_score")
    table = model_table(lines, calibration)
    assert table["name"].tolist() == ["bt-common", *sorted(["davidson-common", "davidson-scaled"], key=lambda name: (
        next(one for one in lines if one.name == name).per_game["neg2_lpd"].mean()))]  # fmt: skip
    rows = table.set_index("name")
    base, scaled = lines[2].per_game, lines[3].per_game  # the first anchors count
    mine = rows.loc["davidson-scaled"]
    for score, term, factor in (("log_score", "neg2_lpd", 0.5), ("definetti", "definetti", 1), ("rps", "rps", 1)):
        gap = factor * (scaled[term] - base[term])
        assert mine[score] == pytest.approx(factor * scaled[term].mean())
        assert mine[f"{score}_difference"] == pytest.approx(gap.mean())
        assert mine[f"{score}_se"] == pytest.approx(gap.std(ddof=1) / np.sqrt(90))
    observed = np.array([(OUTCOME[:45] / 2).mean(), (OUTCOME[45:] / 2).mean()])
    assert mine["calibration_gap"] == pytest.approx(np.abs(observed - [0.4, 0.6]).mean())
    assert mine["bins"] == 2
    half = rows.loc["bt-common"]
    assert half["log_score_difference"] == 0
    assert np.isnan(half["rps"])
    gap = lines[1].per_game["definetti_score"] - base["definetti_score"]
    assert half["squared_error_difference"] == pytest.approx(gap.mean())


def test_without_the_base_there_is_no_difference(lines):
    bins = calibration_table(np.full(90, 0.5), OUTCOME / 2, 2)
    empty = bins.assign(name="other", edition="corrected", set="A", event="expected_score")[:0]
    row = model_table([lines[3]], empty).iloc[0]
    assert np.isnan(row["log_score_difference"])
    assert np.isnan(row["calibration_gap"])
    assert row["rps"] > 0
