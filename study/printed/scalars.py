"""The single numbers in the texts of the study (230 rows), beside ours."""

from fractions import Fraction

from halfpoint.study.printed.examples import davidson_examples, rating_examples
from halfpoint.study.printed.files import published
from halfpoint.study.printed.models import UNSAMPLED
from halfpoint.study.printed.settings import Ours, counts, elo_plus_plus, outside_facts, prior_numbers, sampler
from halfpoint.study.printed.text import text_numbers
from halfpoint.study.printed.verdicts import Cell
from halfpoint.study.reproduction import Reproduction

COLUMNS = ("value", "low", "high")


def as_decimal(printed: str) -> str:
    """Return a printed fraction as a decimal with three places, and any other number as it is.

    Examples
    --------
    >>> as_decimal("1/3"), as_decimal("41.70")
    ('0.333', '41.70')
    """
    return f"{float(Fraction(printed)):.3f}" if "/" in printed else printed


def scalar_cells(study: Reproduction) -> list[Cell]:
    """Return the cells of the single numbers in the texts: one for each value and each end of an interval.

    Parameters
    ----------
    study : Reproduction
        Draws of the computed edition, and the games.

    Returns
    -------
    list of Cell
    """
    single = outside_facts() | elo_plus_plus() | sampler() | prior_numbers() | counts(study)
    single |= rating_examples() | davidson_examples()
    known = {(quantity, "value"): ours for quantity, ours in single.items()} | text_numbers(study)
    cells = []
    for line in published("scalars").to_dict("records"):
        for column in COLUMNS:
            if line[column]:
                ours = known.get((line["quantity"], column), Ours(None, otherwise=UNSAMPLED))
                cells.append(scalar_cell({str(k): str(v) for k, v in line.items()}, column, ours))
    return cells


def scalar_cell(line: dict[str, str], column: str, ours: Ours) -> Cell:
    """Return the comparison of one number in the texts."""
    printed = as_decimal(line[column])
    head = (line["source"], line["where"], line["quantity"], column, printed)
    return Cell(*head, ours.value, ours.mc_error, ours.rule, ours.explanations, ours.otherwise, cut=ours.cut)
