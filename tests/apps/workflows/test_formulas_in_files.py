"""No cell or heading of a CSV file is a formula to a spreadsheet, in whatever width its sign is written."""

import csv
import io
import sys
from unicodedata import normalize

import pandas as pd
import pytest

from halfpoint.apps.workflows.answer import as_csv
from halfpoint.apps.workflows.beside.duplicates import Proposal, read_accepted, write_proposals
from halfpoint.readers.words import FORMULA_STARTS


def test_all_compatible_forms_of_the_signs_are_listed():
    signs = {chr(code) for code in range(sys.maxunicode + 1) if normalize("NFKC", chr(code))[:1] in (*"=+-@\t\r\n−",)}
    assert {"\ufe62", "\ufe63", "\ufe66", "\ufe6b", "\uff0b", "\uff0d", "\uff1d", "\uff20"} < signs
    assert set(FORMULA_STARTS) == signs


@pytest.mark.parametrize("sign", sorted(FORMULA_STARTS), ids=ascii)
def test_a_cell_and_a_heading_with_the_sign_get_an_apostrophe(sign, tmp_path):
    formula = f"{sign}cmd|'/c calc'!A1"
    heading, cell = csv.reader(io.StringIO(as_csv(pd.DataFrame({formula: [formula]})), newline=""))
    assert heading == cell == [f"'{formula}"]
    write_proposals([Proposal(formula, "Ann", 90.0, "alike")], tmp_path / "names.csv")
    text = (tmp_path / "names.csv").read_text(encoding="utf-8")
    assert f"'{sign}" in text or sign in "\r\n"
    (tmp_path / "names.csv").write_text(text.replace("\n,", "\nyes,"), encoding="utf-8", newline="")
    if sign not in "\r\n\t":
        assert read_accepted(tmp_path / "names.csv") == {formula: "Ann"}


@pytest.mark.parametrize("number", ["-3", "+0.5", "−12", "-1e-7"])
def test_a_signed_number_stays_as_it_is(number):
    assert as_csv(pd.DataFrame({"a": [number]})) == f"a\n{number}\n"
