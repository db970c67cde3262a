"""Ratings of bridge through time: what each had after every rating period they played in."""

from typing import Any

import numpy as np
import pandas as pd

from halfpoint.evaluation.report.page import Chart
from halfpoint.fields.bridge.system import BridgeRatings

DRAWN = 6  # as many as the page has colours that are told apart
DAY = r"\d{4}-\d{2}-\d{2}"


def ratings_in_time(rated: BridgeRatings, log: pd.DataFrame) -> pd.DataFrame:
    """Return ratings after each period, and the results played in it.

    Parameters
    ----------
    rated : BridgeRatings
        Ratings that began at the start of their rules.
    log : DataFrame
        Its rated results in the same order: period, players by seat, changes
        (`halfpoint.fields.bridge.ratings.log_of`).

    Returns
    -------
    DataFrame
        player or pair, period (as it is called), number (of the period, from 1), rating_elo, change_elo, results: one
        row for each period that somebody played in, in the order of time.
    """
    word = rated.rules.unit
    lines = (("north", "south", "change_ns_elo"), ("east", "west", "change_ew_elo"))
    parts = []
    for first, second, change in lines:
        ends = log[[first, second]].to_numpy(dtype=np.str_)
        if word == "pair":
            low, high = np.sort(ends, axis=1).T
            ends = np.char.add(np.char.add(low, " & "), high)[:, None]
        for names in ends.T:
            part = pd.DataFrame({word: names, "number": rated.period, "period": log["period"]})
            parts.append(part.assign(change_elo=log[change].to_numpy()))
    found = pd.concat(parts).groupby([word, "number", "period"], sort=True)["change_elo"]
    frame = found.agg(change_elo=rated.rules.total, results="size").reset_index()
    frame["rating_elo"] = rated.rules.start_elo + frame.groupby(word)["change_elo"].cumsum()
    frame = frame.sort_values(["number", word], ignore_index=True)
    return frame[[word, "period", "number", "rating_elo", "change_elo", "results"]]


def chart_in_time(history: pd.DataFrame, names: list[str]) -> Chart | None:
    """Return a figure of the first names' ratings after each period, None where there is but one period.

    Parameters
    ----------
    history : DataFrame
        From `ratings_in_time`.
    names : list of str
        Whose lines, the first `DRAWN` of them.
    """
    if history["number"].max() < 2:
        return None
    word = str(history.columns[0])
    days = bool(history["period"].str.fullmatch(DAY).all())
    drawn = [history[history[word] == name] for name in names[:DRAWN]]
    rows: list[dict[Any, Any]] = [
        {"series": str(line[word]), "x": str(line["period"]) if days else int(line["number"]), "y": line["rating_elo"]}
        for part in drawn
        for line in part.to_dict("records")
    ]
    title = f"The first {len(drawn)} of the list after each period that they played in"
    return Chart(
        "in-time", title, "lines", rows, "first day of the period" if days else "period", "rating (Elo points)"
    )
