"""The printed orders of models: they are those of the printed numbers, but for two lines that the module names."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from halfpoint.study.printed.files import published
from halfpoint.study.printed.orders import MISPRINTS, order_table


def numbers(change=None):
    """The printed numbers in the columns of `published_table`, ours as printed or moved."""
    table = published("models")
    row = table["data"] + " " + table["family"] + " " + table["model"] + " " + table["weighting"]
    ours = table["value"].astype(float)
    found = pd.DataFrame({"source": table["source"], "place": table["table"], "row": row, "column": table["metric"]})
    return found.assign(printed=table["value"], ours=ours if change is None else change(row, ours))


def test_appendices_c_and_d_are_in_the_order_of_the_printed_numbers():
    """Facts of one source against one another: 62 of 64 places; the two others cannot be what was meant."""
    table = order_table(numbers())
    assert len(table) == 64
    told = table["verdict"].value_counts()
    assert told.to_dict() == {"match": 62, "misprint: another model is printed here": len(MISPRINTS)}


def test_a_model_that_moves_changes_its_place_and_that_of_whom_it_passes():
    """Set A, Bradley-Terry by AIC: 570.46 and 570.63 are neighbours, the list and one static model."""
    table = order_table(numbers(lambda row, ours: ours.where(row != "A bradley_terry common static", 570.40)))
    here = table[(table["appendix"] == "D") & (table["criterion"] == "aic") & (table["family"] == "bradley_terry")]
    told = here.set_index("place")["verdict"]
    assert (told[3], told[4]) == ("place 4 by ours", "place 3 by ours")
    assert set(told.drop([3, 4])) == {"match"}


def test_what_was_not_sampled_is_said():
    table = order_table(numbers(lambda row, ours: ours.where(~row.str.contains("davidson"), np.nan)))
    assert set(table.loc[table["family"] == "davidson", "verdict"]) == {"not sampled"}


def test_a_place_without_a_number_is_an_error():
    with pytest.raises(ValueError, match="training bradley_terry common static: expected one printed number"):
        order_table(numbers().query("place != 'T8'"))


def test_the_readme_counts_what_the_table_of_verdicts_counts():
    """One set of figures in two places: match, misprint, slip, not reproducible, all."""
    root = Path(__file__).parents[2]
    rows = re.findall(
        r"^\| (?:thesis|paper) \| \w+((?: \| \d+){5}) \|$", (root / "docs/printed-numbers.md").read_text(), re.M
    )
    total = np.array([[int(x) for x in row.split("|")[1:]] for row in rows]).sum(axis=0)
    assert total[4] == total[:4].sum() == 2110
    line = re.search(r"Of the ([\d,]+) numbers.*?match, .*? and (\d+)\ncannot", (root / "README.md").read_text(), re.S)
    assert line is not None
    said = [int(x.replace(",", "")) for x in re.findall(r"[\d,]*\d", line[0])]
    assert said == [total[4], *total[:4]]
