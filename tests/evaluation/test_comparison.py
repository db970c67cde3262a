"""Comparisons rank models of one kind and refuse others."""

import warnings

import numpy as np
import pytest
import xarray as xr
from arviz_stats import compare as arviz_compare
from arviz_stats.utils import ELPDDataLOO
from scipy.stats import t as student_t

from halfpoint.evaluation.comparison import Compared, Likelihood, comparison_table, is_told, refusal
from halfpoint.evaluation.differences import sum_difference
from halfpoint.evaluation.errors import EvaluationError

HALF = Likelihood("half points")
THREE = Likelihood("three outcomes")
WEIGHTED = Likelihood("half points", "computed")
BT = Compared("bt", "computed", HALF, {"aicm": 8983.0})
COMMON = Compared("bt-common", "computed", HALF, {"aicm": 8894.0}, converged=False)
DAVIDSON = Compared("davidson", "computed", THREE, {"aicm": 12734.0})
OLD = Compared("bt-weighted", "computed", WEIGHTED, {"aicm": 15862.0})


def test_one_kind_is_ranked():
    assert refusal([BT, COMMON]) == ""


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (DAVIDSON, "different observations"),
        (OLD, "have different weights"),
        (Compared("bt", "computed", Likelihood("half points", games="A"), {"aicm": 577.0}), "games differ"),
    ],
)
def test_kinds_are_not_ranked_together_and_the_message_says_why(other, why):
    assert why in refusal([BT, other])


def test_the_table_ranks_within_kinds_and_says_why_not_across():
    table = comparison_table([DAVIDSON, BT, OLD, COMMON]).set_index("name")
    assert table["rank"].to_dict() == {"bt-common": 1, "bt": 2, "bt-weighted": 1, "davidson": 1}
    assert table.loc["bt", "difference"] == pytest.approx(89.0)
    assert not table.loc["bt-common", "converged"]
    assert "different observations" in table.loc["bt", "not_comparable_with"]
    assert "have different weights" in table.attrs["refusal"]


def test_one_kind_has_nothing_to_refuse():
    assert refusal([BT, COMMON]) == ""
    assert (comparison_table([BT, COMMON])["not_comparable_with"] == "").all()


def judged(name, terms, mc_error=0.0, converged=True):
    terms = np.asarray(terms)
    return Compared(name, "", THREE, {"x": terms.sum()}, converged, {"x": mc_error}, {"x": terms}, 0.4, 0)


@pytest.mark.parametrize(
    ("shift", "noise", "mc_error", "words"),
    [
        (0.1, 0.1, 0.0, "one is better"),  # 10 +- 1
        (0.1, 1.0, 0.0, "undecided"),  # 10 +- 10
        (0.1, 0.1, 4.0, "undecided"),  # 10 +- 1 of games and 5.7 of draws
        (0.1, 0.1, 3.0, "one is better"),  # 10 +- 1 and 4.2
    ],
)
def test_what_two_errors_do_not_reach_cannot_be_told(shift, noise, mc_error, words):
    base = np.random.default_rng(3).normal(2.0, 0.5, 100)
    apart = shift + noise * np.tile([1.0, -1.0], 50)  # mean and sd as they say
    table = comparison_table([judged("two", base + apart, mc_error), judged("one", base, mc_error)], "x")
    assert table["name"].tolist() == ["one", "two"]
    assert table["better"].tolist() == ["best", words]
    second = table.iloc[1]
    assert second["difference"] == pytest.approx(100 * shift)
    assert second["difference_se"] == pytest.approx(10 * noise, rel=0.01)
    assert second["difference_mc_error"] == pytest.approx(mc_error * np.sqrt(2))
    assert second["mc_error"] == mc_error


def test_without_errors_or_convergence_nothing_is_told():
    assert comparison_table([BT, Compared("other", "", HALF, {"aicm": 9e5})])["better"].tolist() == [
        "best", "undecided: unknown errors",
    ]  # fmt: skip
    assert comparison_table([BT, Compared("other", "", HALF, {"aicm": 9e5})])["p_worse"].isna().all()
    one, two = judged("one", np.zeros(50)), judged("two", np.ones(50), converged=False)
    assert comparison_table([one, two], "x")["better"].iloc[1] == "undecided: not converged"


def test_clusters_of_one_game_are_games_and_games_that_stand_twice_count_once():
    gap = np.random.default_rng(6).normal(0.2, 1.0, 40)
    apart = sum_difference(gap, np.zeros(40))
    assert apart.mean == pytest.approx(gap.sum())
    assert apart.standard_error == pytest.approx(np.sqrt(40) * gap.std(ddof=1))
    alone = sum_difference(gap, np.zeros(40), np.arange(40))
    assert alone.standard_error == pytest.approx(apart.standard_error)
    twice = sum_difference(np.tile(gap, 2), np.zeros(80), np.tile(np.arange(40), 2))
    assert twice.standard_error == pytest.approx(2 * apart.standard_error)
    with pytest.raises(EvaluationError, match="clusters"):
        sum_difference(gap, np.zeros(40), ["x"])


def test_errors_of_clusters_are_the_spread_over_repeated_events():
    rng = np.random.default_rng(8)
    event = np.repeat(np.arange(40), 5)
    sums, errors, naive = [], [], []
    for _ in range(400):
        gap = rng.normal(size=40)[event] + rng.normal(size=200)
        sums.append(gap.sum())
        errors.append(sum_difference(gap, np.zeros(200), event).standard_error)
        naive.append(sum_difference(gap, np.zeros(200)).standard_error)
    assert np.sqrt(np.mean(np.square(errors))) == pytest.approx(np.std(sums), rel=4 / np.sqrt(800))
    assert np.mean(naive) < 0.8 * np.std(sums)


def test_games_that_share_event_and_players_are_no_new_evidence():
    rng = np.random.default_rng(31)
    one, two = rng.normal(0.02, 0.1, 300), rng.normal(0.0, 0.1, 300)
    event, white, black = np.arange(300), np.arange(300), np.arange(300, 600)

    def error(times, shared):
        terms = [np.tile(part, times) for part in (one, two)]
        labels = tuple(np.tile(part, times) for part in (event, white, black)) if shared else None
        made = [
            Compared(name, "", THREE, {"x": term.sum()}, True, {"x": 0.0}, {"x": term}, shared=labels)
            for name, term in zip("ab", terms, strict=True)
        ]
        return float(comparison_table(made, by="x")["difference_se"].max())

    assert error(1, True) == pytest.approx(error(1, False), rel=0.01)
    assert error(3, True) == pytest.approx(3 * error(1, True), rel=1e-9)
    assert error(3, False) == pytest.approx(3**0.5 * error(1, False), rel=0.01)  # taken as independent: too sure


def test_a_difference_is_told_by_students_t():
    assert is_told(2.58, 1.0, 5.0, np.nan)
    assert not is_told(2.56, 1.0, 5.0, np.nan)
    assert is_told(1.97, np.nan, np.inf, 1.0)
    assert not is_told(1.95, np.nan, np.inf, 1.0)
    both = np.sqrt(2.0) * student_t.ppf(0.975, 20.0)  # equal errors: five degrees become twenty
    assert is_told(both * 1.001, 1.0, 5.0, 1.0)
    assert not is_told(both * 0.999, 1.0, 5.0, 1.0)


FEW = "fewer than 100 games"


def elpd_of(terms):
    """The terms of a leave-one-out estimate in ArviZ's class."""
    values = xr.DataArray(np.asarray(terms), dims="game")
    total, error = float(values.sum()), float(np.sqrt(values.size * values.var()))
    about = {"p": 1.0, "n_samples": 4000, "n_data_points": values.size, "scale": "log", "warning": False, "good_k": 0.7}
    return ELPDDataLOO(elpd=total, se=error, elpd_i=values, pareto_k=0.0 * values, **about)


def left_out(name, terms):
    """Row of a comparison whose games differ."""
    terms = np.asarray(terms)
    return Compared(name, "", THREE, {"elpd_loo": terms.sum()}, True, {"elpd_loo": 0.0}, {"elpd_loo": terms})


@pytest.mark.parametrize(
    ("games", "shift", "caution"),
    [(400, 0.04, ""), (400, 0.005, "difference below 4"), (80, 0.02, FEW), (80, 0.2, FEW)],
)
def test_p_worse_and_cautions_are_those_of_arviz(games, shift, caution):
    rng = np.random.default_rng(games)
    base = rng.normal(-1.0, 0.4, games)
    other = base - shift - rng.permutation(np.tile([0.3, -0.3], games // 2))
    ours = comparison_table([left_out("two", other), left_out("one", base)], "elpd_loo").iloc[1]
    theirs = arviz_compare({"one": elpd_of(base), "two": elpd_of(other)}, round_to="none").loc["two"]
    assert ours["difference"] == pytest.approx(-theirs["elpd_diff"])
    assert ours["p_worse"] == pytest.approx(student_t.cdf(ours["difference"] / ours["difference_se"], games - 1))
    assert ours["p_worse"] == pytest.approx(theirs["p_worse"], abs=0.01)
    assert ours["caution"] == caution
    assert (theirs["diag_diff"] != "") == (caution != "")


@pytest.mark.parametrize("rows", [5, 12, 30])
@pytest.mark.parametrize("ahead", [0.0, 0.4])
def test_a_best_of_many_is_doubted_where_arviz_doubts_it(rows, ahead):
    rng = np.random.default_rng(rows)
    terms = rng.normal(-1.0, 0.4, 300) + 0.05 * rng.normal(size=(rows, 300))
    terms[0] += ahead
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        arviz_compare({f"row {k}": elpd_of(one) for k, one in enumerate(terms)}, method="pseudo-BMA")
    doubted = any("due to chance" in str(one.message) for one in said)
    table = comparison_table([left_out(f"row {k}", one) for k, one in enumerate(terms)], "elpd_loo")
    assert table.attrs["by_chance"] == (rows if doubted else 0)
    if rows == 5 or ahead:
        assert not doubted
    if rows == 30 and not ahead:
        assert doubted


def test_the_best_differs_from_itself_by_nothing():
    table = comparison_table([judged("two", np.full(30, 2.0), 0.5), judged("one", np.full(30, 1.0), 0.5)], "x")
    best = table.iloc[0]
    assert (best["name"], best["better"]) == ("one", "best")
    assert best[["difference", "difference_se", "difference_mc_error"]].tolist() == [0.0, 0.0, 0.0]
    assert np.isnan(best["p_worse"])
