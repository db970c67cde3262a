"""The texts of a run's page and figures: sections.csv, columns.csv and captions.csv, with placeholders.

The page's sections are in sections.csv (`folded`: initially closed; `text`: one paragraph per line), titles and
decimals of a table's columns in columns.csv, the file names, titles and captions of figures in captions.csv, and
index.csv has the place of each table and figure of thesis and paper.
"""

from functools import cache
from typing import Literal

from halfpoint.models.games.packaged import packaged_rows


@cache
def words_of(name: Literal["sections", "columns", "captions", "index"]) -> dict[str, dict[str, str]]:
    """Table of words by the name in its first column, every cell as text."""
    return {row.pop("name"): row for row in packaged_rows("apps.study", f"{name}.csv")}
