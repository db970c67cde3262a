"""Sums beside their terms, found among simulated rows, and none where results are independent."""

import numpy as np
import pytest

from halfpoint.models.games.sums_of_games import sums_beside_terms


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("by_wins", [False, True])
def test_sums_of_terms_of_either_side(first: bool, by_wins: bool) -> None:
    rng = np.random.default_rng(3)
    white, black, goals, is_sum, is_turned = [], [], [], [], []
    for number in range(30):
        pair = [f"A{number}", f"B{number}"]
        terms = rng.integers(0, 9, (int(rng.integers(2, 6)), 2))
        turned = rng.random(len(terms)) < 0.5
        counts = (terms > terms[:, ::-1]).astype(int) if by_wins else terms
        total = counts.sum(axis=0)
        shown = [term[::-1] if turn else term for term, turn in zip(terms, turned, strict=True)]
        where = 0 if first else len(terms)
        for column, values, value in (
            (white, [pair[turn] for turn in turned.astype(int)], pair[0]),
            (black, [pair[1 - turn] for turn in turned.astype(int)], pair[1]),
            (goals, shown, total), (is_sum, [False] * len(terms), True), (is_turned, turned.tolist(), False),
        ):  # fmt: skip
            column.extend([*values[:where], value, *values[where:]])
    sums, turned = sums_beside_terms(white, black, [], lambda: np.array(goals, dtype=np.float64))
    assert sums.tolist() == is_sum
    assert turned.tolist() == is_turned


def test_independent_results_have_no_sums() -> None:
    rng = np.random.default_rng(4)
    for _ in range(200):
        white, black = (np.repeat([f"{side}{k}" for k in range(4)], 3).tolist() for side in "AB")
        sums, _ = sums_beside_terms(white, black, [], lambda: rng.integers(0, 4, (12, 2)).astype(np.float64))
        assert not sums.any()


def test_few_or_unknown_results_have_no_sums() -> None:
    for goals in (np.empty((0, 2)), np.full((6, 2), np.nan)):
        names = [["A"] * len(goals), ["B"] * len(goals)]
        assert not sums_beside_terms(*names, [[*"aaabbb"][: len(goals)]], lambda goals=goals: goals)[0].any()


def test_equal_results_of_a_series_are_no_sums() -> None:
    white, black = (np.repeat([f"{side}{k}" for k in range(4)], 3).tolist() for side in "AB")
    goals = np.tile([2.0, 0.0], (12, 1))
    assert not sums_beside_terms(white, black, [], lambda: goals)[0].any()
