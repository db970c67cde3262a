"""The printed numbers that ship with halfpoint: facts from Pires (2014) and Pires and Bueno Filho (2020).

Values are text, so that "570.40" keeps its two decimals. A decimal point replaces the printed comma.
"""

from functools import cache
from typing import Literal, get_args

import pandas as pd

from halfpoint.models.games.packaged import packaged_rows

_File = Literal["models", "ratings", "scalars", "table1", "table9", "orders", "claims", "lists"]
FILES: tuple[_File, ...] = get_args(_File)
STEMS = {"bradley_terry": "bt", "davidson": "davidson"}
ENDS = {"ratings": "", "common": "-common", "per_player": "-player"}


@cache
def lines_of(name: _File) -> tuple[dict[str, str], ...]:
    """The lines of a packaged table as text; orders of appendices C to E, lists of FIDE."""
    return tuple(packaged_rows("apps.study.printed", f"published/{name}.csv"))


def read_published(name: _File) -> pd.DataFrame:
    """Read a table of printed numbers, every column as text."""
    return pd.DataFrame(lines_of(name))


def catalogue_name(family: str, treatment: str, weighting: str) -> str:
    """Fixed name of a model of the printed tables.

    Examples
    --------
    >>> catalogue_name("davidson", "per_player", "weighted")
    'davidson-player-weighted'
    """
    return STEMS[family] + ENDS[treatment] + ("-weighted" if weighting == "weighted" else "")


def printed_neg_mean_loglik(name: str) -> float | None:
    """The -mean log likelihood of a model of the catalogue as printed in table 7, misprints included; or None.

    Examples
    --------
    >>> printed_neg_mean_loglik("davidson-common"), printed_neg_mean_loglik("davidson-scaled")
    (6238.6, None)
    """
    for line in lines_of("models"):
        is_table = (line["table"], line["metric"]) == ("T7", "neg_mean_loglik")
        if is_table and catalogue_name(line["family"], line["model"], line["weighting"]) == name:
            return float(line["value"])
    return None
