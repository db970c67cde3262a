"""Rows of predictive.csv compared with counts by hand, closed forms and printed figures of the reference models."""

import numpy as np
import pytest

from halfpoint.apps.study.judged_sets import (
    COLUMNS,
    JudgedSet,
    likelihood_columns,
    predictive_table,
    reference_lines,
    scores_per_game,
)
from halfpoint.apps.study.report_sections import forecasts_section

OUTCOME = np.repeat(np.array([0, 1, 2], dtype=np.int32), (62, 235, 114))  # set A of the study


def judged(name, data, observation, expected, probability, draws):
    columns, density = likelihood_columns(draws)
    outcome = OUTCOME[: expected.size]
    terms = {"neg2_lpd": density} | scores_per_game(expected, probability, outcome)
    return JudgedSet(name, "corrected", data, "none", "none", observation, columns, terms)


def lines():
    rng = np.random.default_rng(8)
    found = reference_lines(OUTCOME, "A", {"list": np.full(411, 0.55)})
    draws = -rng.gamma(2, 0.4, (2, 50, 411))
    found.append(judged("bt", "A", "half points", rng.uniform(0.3, 0.7, 411), None, draws))
    p = rng.dirichlet([3, 5, 3], 411)
    found.append(judged("davidson", "A", "three outcomes", p @ [0, 0.5, 1], p, draws))
    return found


def test_references_are_what_the_counts_give():
    table = predictive_table(lines()).set_index("name")
    printed = {  # -2 log L, thesis table 13 less its charge of 2k; De Finetti, table 11 (truncated there)
        "bt_equiprobable": (573.76 - 4, "definetti_score", 0.107),
        "bt_proportional_no_draws": (583.64 - 8, "definetti_score", 0.110),
        "bt_proportional": (718.38 - 8, "definetti_score", 0.184),
        "davidson_proportional_no_draws": (813.24 - 8, "definetti", 0.581),
        "davidson_proportional": (801.66 - 12, "definetti", 0.573),
    }
    for name, (neg2, column, score) in printed.items():
        assert table.loc[name, "neg2_mean_log_predictive"] == pytest.approx(neg2, abs=0.025)
        assert table.loc[name, "neg2_lpd"] == table.loc[name, "neg2_mean_log_predictive"]
        assert score <= table.loc[name, column] < score + 0.001


def test_columns_and_differences_follow_the_contract():
    found = lines()
    table = predictive_table(found)
    assert tuple(table.columns) == COLUMNS
    bt, davidson = found[-2], found[-1]
    base = found[0]  # the FIDE rating: first line of the set
    row = table.iloc[-2]
    gap = bt.per_game["deviance_score"] - base.per_game["deviance_score"]
    assert row["deviance_score_difference"] == pytest.approx(gap.mean())
    assert row["deviance_score_difference_se"] == pytest.approx(gap.std(ddof=1) / np.sqrt(411))
    gap = bt.per_game["neg2_lpd"] - base.per_game["neg2_lpd"]
    assert row["neg2_lpd_difference"] == pytest.approx(gap.sum())
    assert row["neg2_lpd_difference_se"] == pytest.approx(gap.std(ddof=1) * np.sqrt(411))
    assert row["rmse_score"] == pytest.approx(np.sqrt(row["definetti_score"]))
    assert np.isnan(row[["definetti", "rps", "accuracy", "definetti_difference"]].astype(float)).all()
    row = table.iloc[-1]
    three = next(line for line in found if line.observation == "three outcomes")
    gap = davidson.per_game["neg2_lpd"] - three.per_game["neg2_lpd"]
    assert row["neg2_lpd_difference"] == pytest.approx(gap.sum())
    assert row["rps_difference"] == pytest.approx((davidson.per_game["rps"] - three.per_game["rps"]).mean())


def test_error_of_a_difference_of_roots_agrees_with_the_bootstrap():
    found = lines()
    row = predictive_table(found).iloc[-1]
    one, two = found[-1].per_game["rmse_score"], found[0].per_game["rmse_score"]
    rng = np.random.default_rng(2)
    picks = rng.integers(0, 411, (4000, 411))
    roots = np.sqrt(one[picks].mean(axis=1)) - np.sqrt(two[picks].mean(axis=1))
    assert row["rmse_score_difference_se"] == pytest.approx(roots.std(), rel=0.08)


def test_likelihood_columns_by_hand():
    draws = np.log(np.array([[[0.5, 0.25], [0.25, 0.5]]]))  # one chain, two draws, two games
    columns, density = likelihood_columns(draws)
    assert columns["neg2_mean_log_predictive"] == pytest.approx(-2 * np.log(0.125))
    assert columns["neg2_lpd"] == pytest.approx(-4 * np.log(0.375))
    assert columns["aicm"] == pytest.approx(-2 * np.log(0.125))  # both draws have the same total
    assert columns["aicm_printed"] == pytest.approx(-2 * np.log(0.125) + np.log(2) ** 2)
    assert density.sum() == pytest.approx(columns["neg2_lpd"])


def test_the_page_never_mixes_the_two_likelihoods():
    found = forecasts_section(predictive_table(lines()), frozenset())
    names = {part.id: {row[0] for row in part.rows} for part in found.parts}
    assert {"bt_equiprobable", "davidson_equiprobable"} <= names["score-A"]
    assert "bt_equiprobable" in names["points-A"] - names["outcome-A"]
    assert "davidson_equiprobable" in names["outcome-A"] - names["points-A"]
    assert names["points-A"] | names["outcome-A"] == names["score-A"]
