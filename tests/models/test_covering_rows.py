"""Models of the fast suite contain all parts of the catalogue."""

import pytest
from covering_rows import BEYOND, CALIBRATED, COVERING, made_of

from halfpoint.inference.calibration_designs import calibratable
from halfpoint.models.declaration.catalogue import CATALOGUE, FURTHER


@pytest.mark.parametrize(
    ("names", "rows"),
    [(CATALOGUE, COVERING), (calibratable(), CALIBRATED), (FURTHER, BEYOND)],
    ids=["all", "of equal weights", "beyond the study"],
)
def test_no_row_has_a_part_that_these_lack(names, rows):
    assert set(rows) <= set(names)
    whole = set().union(*map(made_of, names))
    assert whole - set().union(*map(made_of, rows)) == set()
