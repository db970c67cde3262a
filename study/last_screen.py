"""The last screen of `halfpoint study`: each model's AICM and predictive AIC with the printed numbers, in 80 columns.

The printed AICM lacks its penalty (`halfpoint.study.printed.models.lost_penalty`), so the computed edition uses the
same rule; other editions have the AICM in full.
"""

from pathlib import Path

import pandas as pd

from halfpoint.study.printed.files import ENDS, catalogue_name, lines_of

_SHORT = {"not reproducible": "no rule"}  # 80 columns hold eight letters of a verdict side by side
_PARTS = {"AICM": ("thesis", "T8", "training"), "AIC of A": ("thesis", "T13", "A")}
_PRINTED = "printed"
VERDICT = "verdict"


def last_screen(models: pd.DataFrame, tables: Path, simulated: bool) -> pd.DataFrame:
    """One row per model and edition: AICM of the training set and of set A, each as printed, and the verdict.

    Parameters
    ----------
    models : DataFrame
        name, edition, aicm, aicm_printed, converged, one row each.
    tables : Path
        Folder of the run's tables; cells of a missing table are empty.
    simulated : bool
        True if the games are the replica, which has no printed numbers.
    """
    predictive, published = (_read(tables / f"{name}.csv") for name in ("predictive", "published"))
    rows = []
    for one in models.to_dict("records"):
        name, edition = str(one["name"]), str(one["edition"])
        row: dict[str, object] = {"model": name, "edition": edition}
        row["AICM"] = one["aicm_printed" if edition == "computed" else "aicm"]
        compared = edition == "computed" and not simulated
        row[_PRINTED] = _printed(name, "AICM") if compared else ""
        own = "aicm_printed" if edition == "computed" else "aicm"
        row["AIC of A"] = float("nan")
        if len(predictive):
            mine = (predictive["name"] == name) & (predictive["edition"] == edition) & (predictive["set"] == "A")
            row["AIC of A"] = float(predictive.loc[mine, own].iloc[0]) if mine.any() else float("nan")
        row[f"{_PRINTED}, A"] = _printed(name, "AIC of A") if compared else ""
        row[VERDICT] = "NOT CONVERGED" if not one["converged"] else _verdict(name, published) if compared else ""
        rows.append(row)
    found = pd.DataFrame(rows)
    found = found if found["edition"].nunique() > 1 else found.drop(columns="edition")
    return found.loc[:, (found != "").any()]


def _read(file: Path) -> pd.DataFrame:
    """Table of the run; no rows if it is missing."""
    return pd.read_csv(file) if file.exists() else pd.DataFrame()


def _line(name: str, part: str) -> dict[str, str] | None:
    """Printed line of a model in the table of a part, None if the study lacks it."""
    source, table, data = _PARTS[part]
    for line in lines_of("models"):
        if line["model"] not in ENDS or (line["source"], line["table"], line["data"]) != (source, table, data):
            continue
        if line["metric"] == "aicm" and catalogue_name(line["family"], line["model"], line["weighting"]) == name:
            return dict(line)
    return None


def _printed(name: str, part: str) -> str:
    """The printed digits."""
    line = _line(name, part)
    return "" if line is None else line["value"]


def _verdict(name: str, published: pd.DataFrame) -> str:
    """Verdicts on both numbers, merged if equal."""
    found = []
    for part in _PARTS:
        line = _line(name, part)
        if line is None or not len(published):
            continue
        row = f"{line['data']} {line['family']} {line['model']} {line['weighting']}"
        mine = (published["place"] == line["table"]) & (published["row"] == row) & (published["column"] == "aicm")
        found += [str(one).partition(":")[0] for one in published.loc[mine, "verdict"]]
    return " / ".join(_SHORT.get(one, one) for one in dict.fromkeys(found))
