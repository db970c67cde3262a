"""What is ranked, and what is refused."""

import numpy as np
import pytest
from scipy.stats import t as student_t

from halfpoint.evaluation.comparison import Compared, Likelihood, comparison_table, is_told, refusal
from halfpoint.evaluation.differences import student_t_quantile, sum_difference
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
        (OLD, "weigh differently"),
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
    assert "weigh differently" in table.attrs["refusal"]


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
        (0.1, 1.0, 0.0, "cannot be told"),  # 10 +- 10
        (0.1, 0.1, 4.0, "cannot be told"),  # 10 +- 1 of games and 5.7 of draws
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
        "best", "cannot be told: errors not known",
    ]  # fmt: skip
    one, two = judged("one", np.zeros(50)), judged("two", np.ones(50), converged=False)
    assert comparison_table([one, two], "x")["better"].iloc[1] == "cannot be told: not converged"


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
    """Games of an event share what it is worth: 400 times 40 events of five games."""
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
    """Every game counted three times over, same event and players: the sum triples, and so does its error."""
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


@pytest.mark.parametrize("freedom", [1.0, 1.7, 2.0, 5.0, 29.3, 1e3, 1e6, np.inf])
def test_quantiles_of_students_t_are_those_of_scipy(freedom):
    for mass in (0.6, 0.95, 0.975, 0.999):
        assert student_t_quantile(freedom, mass) == pytest.approx(student_t.ppf(mass, freedom), rel=1e-6)
    assert np.isnan(student_t_quantile(float("nan")))


def test_a_difference_is_told_by_students_t():
    """Six events: five degrees of freedom, 2.571 errors; errors of draws alone, normal; both by Satterthwaite."""
    assert is_told(2.58, 1.0, 5.0, np.nan)
    assert not is_told(2.56, 1.0, 5.0, np.nan)
    assert is_told(1.97, np.nan, np.inf, 1.0)
    assert not is_told(1.95, np.nan, np.inf, 1.0)
    both = np.sqrt(2.0) * student_t.ppf(0.975, 20.0)  # equal errors: five degrees become twenty
    assert is_told(both * 1.001, 1.0, 5.0, 1.0)
    assert not is_told(both * 0.999, 1.0, 5.0, 1.0)
