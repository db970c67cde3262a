"""The printed numbers that ship with halfpoint: facts from Pires (2014) and Pires and Bueno Filho (2020).

Values stay text, so that "570.40" keeps its two decimals. A decimal point stands for the printed comma.
"""

from functools import cache
from importlib.resources import files
from io import StringIO
from typing import Literal

import pandas as pd

File = Literal["models", "ratings", "scalars", "table1", "table9"]
FILES: tuple[File, ...] = ("models", "ratings", "scalars", "table1", "table9")


@cache
def read_packaged(name: File) -> pd.DataFrame:
    """Return a packaged table, every column as text."""
    text = files("halfpoint.study.printed").joinpath("published", f"{name}.csv").read_text(encoding="utf-8")
    return pd.read_csv(StringIO(text), dtype=str, keep_default_na=False)


def published(name: File) -> pd.DataFrame:
    """Return a table of printed numbers, every column as text.

    Parameters
    ----------
    name : {"models", "ratings", "scalars", "table1", "table9"}
        Criteria and scores of models (334 cells), ratings and advantages (1,380), single numbers in the text (230
        rows), the two expected-score curves (42 cells) and Davidson's outcome shares (99).

    Returns
    -------
    DataFrame
    """
    return read_packaged(name).copy()
