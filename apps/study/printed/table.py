"""Every printed number and its computed value, with a verdict and the rule that explains it."""

import pandas as pd

from halfpoint.apps.study.printed.formulas import table_1_cells, table_9_cells
from halfpoint.apps.study.printed.models import model_cells
from halfpoint.apps.study.printed.ratings import rating_cells
from halfpoint.apps.study.printed.reproduction import Reproduction
from halfpoint.apps.study.printed.text import scalar_cells
from halfpoint.evaluation.verdicts import KINDS, reproduce


def published_table(study: Reproduction) -> pd.DataFrame:
    """One row for each printed number of the study."""
    cells = model_cells(study) + rating_cells(study) + scalar_cells(study) + table_1_cells() + table_9_cells()
    return reproduce(cells)


def verdict_counts(table: pd.DataFrame) -> pd.DataFrame:
    """Number of verdicts of each kind by table."""
    kind = table["verdict"].str.partition(":")[0]
    place = table["place"].where(table["place"].str.fullmatch(r"T\d+|AppA"), "text")
    counts = pd.crosstab([table["source"], place], kind).reindex(columns=list(KINDS), fill_value=0)
    counts["all"] = counts.sum(axis=1)
    return counts.rename_axis(columns=None).reset_index()
