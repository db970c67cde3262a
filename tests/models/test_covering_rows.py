"""Models of the fast suite contain all parts of the catalogue."""

from covering_rows import COVERING, made_of

from halfpoint.models.declaration.catalogue import CATALOGUE


def test_no_row_has_a_part_that_these_lack():
    assert set(COVERING) <= set(CATALOGUE)
    whole = set().union(*map(made_of, CATALOGUE))
    assert whole - set().union(*map(made_of, COVERING)) == set()
