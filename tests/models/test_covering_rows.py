"""The rows that stand for the catalogue in the fast suite have all that its rows are made of."""

from covering_rows import COVERING, made_of

from halfpoint.models.declaration.catalogue import CATALOGUE


def test_no_row_has_a_part_that_these_lack():
    """A row with a new part belongs to `COVERING`; `covering` of the same file chooses rows anew."""
    assert set(COVERING) <= set(CATALOGUE)
    whole = set().union(*map(made_of, CATALOGUE))
    assert whole - set().union(*map(made_of, COVERING)) == set()
