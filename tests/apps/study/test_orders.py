"""Printed orders of models: equal to those of the printed numbers, except for lines named in the module."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from halfpoint.apps.study.printed.files import read_published
from halfpoint.apps.study.printed.orders import MISPRINTS, order_table


def numbers(change=None):
    """Printed numbers in the columns of `published_table`, with ours as printed or shifted."""
    table = read_published("models")
    imputed = (" " + table["imputation"]).where(table["imputation"] != "none", "")
    row = table["data"] + " " + table["family"] + " " + table["model"] + " " + table["weighting"] + imputed
    ours = table["value"].astype(float)
    found = pd.DataFrame({"source": table["source"], "place": table["table"], "row": row, "column": table["metric"]})
    return found.assign(printed=table["value"], ours=ours if change is None else change(row, ours))


def test_the_appendices_are_in_the_order_of_the_printed_numbers():
    table = order_table(numbers())
    told = table.groupby("appendix")["verdict"].value_counts()
    other, order = "misprint: another model is printed here", "misprint: not the order of the printed numbers"
    counts = {("C", "match"): 26, ("D", "match"): 36, ("D", other): len(MISPRINTS), ("E", "match"): 50, ("E", order): 4}
    assert told.to_dict() == counts
    swapped = table[table["verdict"] == order]  # two pairs of neighbours
    assert swapped["place"].tolist() == [11, 12, 5, 6]
    assert swapped["first"].tolist() == [12, 11, 6, 5]


def with_aic(row, value):
    """Printed numbers, with one AIC of ours changed."""
    return numbers(lambda rows, ours: ours.where((rows != row) | (ours < 100), value))


def test_weights_of_appendix_e_are_counted_by_their_numbers():
    kind = "B davidson per_player "
    turned = order_table(numbers(lambda row, ours: ours.where(~row.str.startswith(kind), ours.max() * 2 - ours)))
    here = turned[(turned["appendix"] == "E") & (turned["family"] == "davidson") & (turned["criterion"] == "definetti")]
    assert here[here["model"] == "per_player"]["ours"].is_monotonic_increasing
    moved = order_table(with_aic("B davidson common static", 1537.0))  # after the weighted one, before all others
    assert (moved["verdict"] == order_table(numbers())["verdict"]).all()
    passed = order_table(with_aic("B davidson equiprobable none", 1000.0))
    here = passed[(passed["appendix"] == "E") & (passed["family"] == "davidson") & (passed["criterion"] == "aic")]
    assert here.set_index("place")["verdict"][11] == "place 1 by ours"


def test_a_model_that_moves_changes_its_place_and_that_of_whom_it_passes():
    table = order_table(numbers(lambda row, ours: ours.where(row != "A bradley_terry common static", 570.40)))
    here = table[(table["appendix"] == "D") & (table["criterion"] == "aic") & (table["family"] == "bradley_terry")]
    told = here.set_index("place")["verdict"]
    assert (told[3], told[4]) == ("place 4 by ours", "place 3 by ours")
    assert set(told.drop([3, 4])) == {"match"}


def test_what_was_not_sampled_is_said():
    table = order_table(numbers(lambda row, ours: ours.where(~row.str.contains("davidson"), np.nan)))
    mine = table[(table["family"] == "davidson") & (table["appendix"] != "E")]
    assert set(mine["verdict"]) == {"not sampled"}


def test_a_place_without_a_number_is_an_error():
    with pytest.raises(ValueError, match="training bradley_terry common static: expected one printed number"):
        order_table(numbers().query("place != 'T8'"))


def test_the_readme_counts_what_the_table_of_verdicts_counts():
    """One set of figures in two places: match, near, misprint, slip, not reproducible, all."""
    root = Path(__file__).parents[3]
    page = (root / "benchmarks/tables/study.md").read_text()
    rows = re.findall(r"^\| (?:thesis|paper) \| \w+((?: \| \d+){6}) \|$", page, re.M)
    total = np.array([[int(x) for x in row.split("|")[1:]] for row in rows]).sum(axis=0)
    assert total[5] == total[:5].sum() == 2110
    line = re.search(
        r"Of the ([\d,]+) numbers.*?match, .*? and\s+(\d+)\s+cannot", (root / "README.md").read_text(), re.S
    )
    assert line is not None
    said = [int(x.replace(",", "")) for x in re.findall(r"[\d,]*\d", line[0])]
    assert said == [total[5], *total[:5]]
