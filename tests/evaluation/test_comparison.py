"""What is ranked, and what is refused."""

import pytest

from halfpoint.evaluation.comparison import Compared, Likelihood, comparison_table, ranking, refusal
from halfpoint.evaluation.errors import EvaluationError

HALF = Likelihood("half points")
THREE = Likelihood("three outcomes")
WEIGHTED = Likelihood("half points", "computed")
BT = Compared("bt", "computed", HALF, {"aicm": 8983.0})
COMMON = Compared("bt-common", "computed", HALF, {"aicm": 8894.0}, converged=False)
DAVIDSON = Compared("davidson", "computed", THREE, {"aicm": 12734.0})
OLD = Compared("bt-weighted", "computed", WEIGHTED, {"aicm": 15862.0})


def test_one_kind_is_ranked():
    assert ranking([BT, COMMON]) == ["bt-common (computed)", "bt (computed)"]


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (DAVIDSON, "different observations"),
        (OLD, "weigh differently"),
        (Compared("bt", "computed", Likelihood("half points", games="A"), {"aicm": 577.0}), "games differ"),
    ],
)
def test_kinds_are_not_ranked_together_and_the_message_says_why(other, why):
    with pytest.raises(EvaluationError, match=why):
        ranking([BT, other])


def test_a_missing_criterion_is_named():
    with pytest.raises(EvaluationError, match="elpd"):
        ranking([BT], by="elpd")


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
