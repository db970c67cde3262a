"""The last screen of `halfpoint study`: AICM of each model on the training games and on set A, with the printed number.

AICM is eq. 42 of the thesis. The printed numbers lack its penalty (`halfpoint.apps.study.printed.models.lost_penalty`),
so they are shown together with AICM by the rule of the study's program, "AICM as printed".
"""

from pathlib import Path

import pandas as pd

from halfpoint.apps.study.printed.files import ENDS, catalogue_name, lines_of

_SHORT = {"not reproducible": "no rule"}
PARTS = {"training games": ("thesis", "T8", "training"), "set A": ("thesis", "T13", "A")}
VERDICT = "verdict"
HEADS = {"aicm": "AICM", "aicm_printed": "AICM as printed", "printed": "printed"}


def last_screen(models: pd.DataFrame, tables: Path, simulated: bool) -> dict[str, pd.DataFrame]:
    """One table for the training games and one for set A: a row per model and edition, with the verdict on its print.

    Parameters
    ----------
    models : DataFrame
        name, edition, aicm, aicm_printed, converged, one row each.
    tables : Path
        Folder of the run's tables; numbers of a missing table are left out.
    simulated : bool
        True if the games are the replica, which has no printed numbers.

    Returns
    -------
    dict of str to DataFrame
        model, edition if there are several, and the columns of `HEADS` and `VERDICT` with content.
    """
    predictive, published = (_read(tables / f"{name}.csv") for name in ("predictive", "published"))
    judged = predictive[predictive["set"] == "A"] if len(predictive) else predictive
    screens = {}
    for part, computed in zip(PARTS, (models, judged), strict=True):
        rows = []
        for model in models.to_dict("records"):
            name, edition = str(model["name"]), str(model["edition"])
            row: dict[str, object] = {"model": name, "edition": edition}
            scores = computed
            if len(computed):
                scores = computed[(computed["name"] == name) & (computed["edition"] == edition)]
            line = _line(name, part) if edition == "computed" and not simulated else None
            row |= {key: float(scores[key].iloc[0]) if len(scores) else "" for key in ("aicm", "aicm_printed")}
            row["printed"] = "" if line is None else line["value"]
            row[VERDICT] = "" if line is None else _verdict(line, published)
            row |= {} if model["converged"] else {VERDICT: "NOT CONVERGED"}
            rows.append(row)
        frame = pd.DataFrame(rows)
        frame = frame if frame["edition"].nunique() > 1 else frame.drop(columns="edition")
        screens[part] = frame.loc[:, (frame != "").any()]
    return {part: frame for part, frame in screens.items() if "aicm" in frame}


def _read(file: Path) -> pd.DataFrame:
    """Table of the run; no rows if it is missing."""
    return pd.read_csv(file) if file.exists() else pd.DataFrame()


def _line(name: str, part: str) -> dict[str, str] | None:
    """Printed line of a model in the table of a part, None if the study lacks it."""
    source, table, data = PARTS[part]
    for line in lines_of("models"):
        if line["model"] not in ENDS or (line["source"], line["table"], line["data"]) != (source, table, data):
            continue
        if line["metric"] == "aicm" and catalogue_name(line["family"], line["model"], line["weighting"]) == name:
            return dict(line)
    return None


def _verdict(line: dict[str, str], published: pd.DataFrame) -> str:
    """Verdict on a printed number, empty if the run has none."""
    if not len(published):
        return ""
    row = f"{line['data']} {line['family']} {line['model']} {line['weighting']}"
    is_row = (published["place"] == line["table"]) & (published["row"] == row) & (published["column"] == "aicm")
    ruling = next((str(verdict).partition(":")[0] for verdict in published.loc[is_row, "verdict"]), "")
    return _SHORT.get(ruling, ruling)
