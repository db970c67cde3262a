"""Scores of contracts: the specification's table, and invariants of every score."""

from itertools import product

import numpy as np
import pytest

from halfpoint.apps.fields.bridge.contracts import (
    Contract,
    contract_score,
    number_of_deals,
    possible_scores,
    read_contract,
    score_for_ns,
    vulnerability_of,
)

PRINTED = (  # contract, vulnerable, result, score of the declarer's side
    ("1NT", False, "=", 90), ("2S", False, "=", 110), ("3NT", False, "+1", 430), ("3NT", True, "+1", 630),
    ("4S", True, "=", 620), ("4S", False, "+1", 450), ("5D", False, "=", 400), ("2Hx", False, "=", 470),
    ("2Hx", True, "+1", 870), ("1Cxx", True, "=", 230), ("6NT", True, "=", 1440), ("7S", False, "=", 1510),
    ("7NTxx", True, "=", 2980), ("4S", True, "-2", -200), ("4Sx", False, "-3", -500), ("4Sx", False, "-4", -800),
    ("4Sx", True, "-2", -500), ("4Sxx", True, "-1", -400), ("1NTx", False, "+2", 380), ("3D", False, "-1", -50),
)  # fmt: skip


@pytest.mark.parametrize(("contract", "vulnerable", "result", "points"), PRINTED)
def test_scores_of_the_table(contract, vulnerable, result, points):
    one = read_contract(contract + result)
    assert contract_score(one.level, one.strain, one.doubling, vulnerable, one.tricks) == points


def test_all_at_once_are_those_one_by_one():
    columns = np.array(
        [(c.level, c.strain, c.doubling, v, c.tricks) for c, v in ((read_contract(p[0] + p[2]), p[1]) for p in PRINTED)]
    ).T
    found = contract_score(*columns[:3], columns[3] == 1, columns[4])
    assert found.tolist() == [points for *_, points in PRINTED]


def test_the_largest_possible_score_is_redoubled_and_thirteen_down():
    scores = possible_scores()
    assert scores.max() == 7600 == -contract_score(7, 4, 2, True, 0)
    assert (scores % 10 == 0).all()
    assert np.array_equal(scores, -scores[::-1])
    assert 0 in scores
    assert 10 not in scores  # no contract is worth ten points


def test_a_trick_more_is_never_worth_less():
    for level, strain, doubling, vulnerable in product(range(1, 8), range(5), range(3), (False, True)):
        points = contract_score(level, strain, doubling, vulnerable, np.arange(14))
        assert (np.diff(points) > 0).all()


def test_the_side_that_did_not_declare_has_the_rest():
    for contract in ("4SE+1", "3NWx-2", "2HN="):
        one = read_contract(contract)
        other = Contract(one.level, one.strain, one.doubling, (one.declarer + 1) % 4, one.tricks)
        assert score_for_ns(one, 0) == -score_for_ns(other, 0)
        assert score_for_ns(one, 3) == -score_for_ns(other, 3)
    assert score_for_ns(read_contract("4SE="), 1) == -420  # only NS is vulnerable
    assert score_for_ns(read_contract("4SE="), 2) == -620
    assert score_for_ns(Contract(0), 3) == 0


def test_vulnerability_by_board():
    # Board 1 North deals, none; board 2 East, NS; 3 South, EW; 4 West, both; 13 North, both; 16 West, EW.
    assert vulnerability_of(np.arange(1, 17)).tolist() == [0, 1, 2, 3, 1, 2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 2]
    assert vulnerability_of(17) == vulnerability_of(1)
    assert np.bincount(vulnerability_of(np.arange(1, 33))).tolist() == [8, 8, 8, 8]


def test_the_number_of_deals_is_a_24th_of_what_the_thesis_prints():
    assert number_of_deals() == 53_644_737_765_488_792_839_237_440_000
    assert number_of_deals() * 24 == 1_287_473_706_371_731_028_141_698_560_000


@pytest.mark.parametrize(
    ("written", "kept"),
    [("4SN=", "4SN="), ("3NWx-2", "3NWx-2"), ("3NT", "3N"), ("3NN+1", "3NN+1"), ("5dxx", "5Dxx"), ("P", "P"),
     ("Pass", "P"), ("4 ♥ W -1", "4HW-1"), ("2NT*S=", "2NSx="), ("7NTxxE−13", "7NExx-13")],
)  # fmt: skip
def test_contracts_as_they_are_written(written, kept):
    assert str(read_contract(written)) == kept
    assert read_contract(kept) == read_contract(written)


@pytest.mark.parametrize("text", ["", "8S", "0C", "4S+4", "4Z=", "4SxNx=", "4SN==", "S4", "4SNxxx", "7SN-14"])
def test_what_is_no_contract(text):
    assert read_contract(text) is None
