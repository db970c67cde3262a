"""Bridge results as a CSV file that `read_csv_results` reads."""

import csv
from io import StringIO

import numpy as np

from halfpoint.fields.bridge.table import SEAT_NAMES, BridgeTable
from halfpoint.games.readers.words import SIMULATED

ADJUSTED = "A=="


def csv_text(table: BridgeTable) -> str:
    """Return results as CSV: deal, seats, score, and the other columns that the table has."""
    columns: dict[str, list[object]] = {"deal": table.deal_names[table.deal].tolist()}
    for name in ("board", "date", "event"):
        values = getattr(table, name)
        if values is not None:
            columns[name] = values.astype(np.str_).tolist()
    columns |= {seat: np.append(table.players, "")[getattr(table, seat)].tolist() for seat in SEAT_NAMES}
    columns["score"] = [
        ADJUSTED if adjusted else score
        for score, adjusted in zip(table.score_ns.tolist(), table.adjusted.tolist(), strict=True)
    ]
    for name in ("contract", "scoring", "team_ns", "team_ew"):
        values = getattr(table, name)
        if values is not None:
            columns[name] = values.tolist()
    if table.simulated:
        columns[SIMULATED] = [1] * len(table)
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return text.getvalue()
