"""Verdicts on printed numbers at their limits, and misprints by hand."""

import pytest

from halfpoint.evaluation.verdicts import (
    Cell,
    Explanation,
    agrees,
    agrees_rounded,
    decimals,
    digit_lost,
    judge,
    misprint,
    one_digit_wrong,
    reproduce,
    round_half_up,
    transposed_digits,
    truncated,
    verdict_line,
)


@pytest.mark.parametrize(
    ("printed", "value", "error", "whole", "rounded"),
    [
        ("1.23", 1.23, 0.0, True, True), ("1.23", 1.235, 0.0, True, True), ("1.23", 1.225, 0.0, True, True),
        ("1.23", 1.2249, 0.0, False, False), ("1.23", 1.24, 0.0, True, False), ("1.23", 1.2401, 0.0, False, False),
        ("1.23", 1.2649, 0.01, True, False), ("1.23", 1.2801, 0.01, False, False), ("1.23", 1.2749, 0.01, True, True),
        ("-1.23", -1.24, 0.0, True, False), ("-1.23", -1.22, 0.0, True, False), ("-1.23", -1.2401, 0.0, False, False),
        ("0.30", 0.2949, 0.0, False, False), ("0.30", 0.295, 0.0, True, True),
        ("46", 46.9, 0.0, True, False), ("46", 45.5, 0.0, True, True), ("46", 45.4, 0.0, False, False),
    ],
)  # fmt: skip
def test_values_agree_rounded_or_cut_off_within_four_errors(printed, value, error, whole, rounded):
    assert agrees(printed, value, error) == (whole or rounded)
    if (printed, error) != ("1.23", 0.01):
        assert agrees_rounded(printed, value, error) == rounded


def cell(printed, ours, **more):
    """A cell of a table."""
    return Cell("paper", "table 1", "row", "column", printed, ours, **more)


def slip(rule, value):
    """A slip that gives another number."""
    return Explanation(f"slip: {rule}", rule, value)


@pytest.mark.parametrize(
    ("entry", "verdict"),
    [
        (cell("0.30", 0.3023), ("match", "")), (cell("0.30", 0.3051), ("match", "truncated")),
        (cell("0.30", 0.3051, rule="mean"), ("match", "mean; truncated")),
        (cell("30", 30.6, cut=False), ("near: unexplained", "")), (cell("0.30", 0.32), ("near: unexplained", "")),
        (cell("0.30", 0.3201), ("not reproducible: no known rule gives it", "")),
        (cell("0.30", None), ("not reproducible: no known rule gives it", "")),
        (cell("0.30", 0.32, otherwise="not reproducible: its data"), ("not reproducible: its data", "")),
        (cell("0.30", None, otherwise="match", rule="a"), ("match", "a")),
        (cell("0.30", 0.5, explanations=[slip("a", 0.31), slip("b", 0.301)]), ("slip: a", "a")),
        (cell("0.30", 0.5, explanations=[slip("a", 0.32), slip("b", 0.301)]), ("slip: b", "b")),
        (cell("0.30", 0.5, explanations=[Explanation("misprint", "a", texts=frozenset({"0.30"}))]), ("misprint", "a")),
        (cell("0.30", 0.30, faulted=True, explanations=[Explanation("slip: a", "a", 9.0)]), ("slip: a", "a")),
    ],
)  # fmt: skip
def test_verdicts(entry, verdict):
    assert judge(entry) == verdict


def test_misprints_by_hand():
    assert transposed_digits("12.3") == {"21.3", "13.2"}
    assert transposed_digits("1.12") == {"1.21"}
    assert transposed_digits("11") == set()
    assert transposed_digits("-12") == {"-21"}
    assert one_digit_wrong("1.0") == {f"{k}.0" for k in range(10) if k != 1} | {f"1.{k}" for k in range(1, 10)}
    assert digit_lost("1.05") == {".05", "1.5", "1.0"}
    assert digit_lost("11") == {"1"}
    assert (decimals("1.234"), decimals("12")) == (3, 0)
    assert (round_half_up(2.5, 0), round_half_up(-2.5, 0)) == ("3", "-3")
    assert (truncated(2.59, 1), truncated(-2.59, 1)) == ("2.5", "-2.5")


def test_misprints_are_of_the_digits_and_of_one_more_or_fewer():
    texts = misprint(12.345, "13.25", transposed_digits).texts
    assert {"13.25", "21.35", "13.2", "13.245", "21.345", "12.354", "13.20"} <= texts  # of 12.35, 12.34, 12.3, 12.345
    assert "12.35" not in texts
    whole = misprint(12.0, "21", transposed_digits)
    assert whole.gives("21")
    assert whole.verdict == "misprint"
    assert whole.rule == "transposed_digits"
    near = misprint(1.25, "1.27", one_digit_wrong)
    assert not near.gives("1.27")  # two units away: near, whatever digit was wrong
    assert near.gives("1.28")


def test_a_table_of_cells_and_its_line():
    table = reproduce([cell("0.30", 0.3023, mc_error=0.01), cell("0.30", None), cell("0.30", 0.32)])
    assert table["difference"].tolist()[::2] == [pytest.approx(0.0023), pytest.approx(0.02)]
    assert table["ours"].isna().tolist() == [False, True, False]
    assert table["mc_error"].tolist() == [0.01, 0.0, 0.0]
    assert verdict_line(table) == "3 printed numbers: 1 match, 1 near, 0 misprint, 0 slip, 1 not reproducible"
