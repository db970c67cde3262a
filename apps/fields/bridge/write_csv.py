"""Bridge results as a CSV file that `read_csv_results` reads."""

import numpy as np
import pandas as pd

from halfpoint.apps.fields.bridge.table import BridgeTable
from halfpoint.readers.words import SIMULATED

_ADJUSTED = "A=="


def csv_text(table: BridgeTable) -> str:
    """Results as CSV: deal, seats, score, and the other columns that the table has."""

    def known_columns(*names: str) -> dict[str, object]:
        return {name: getattr(table, name) for name in names if getattr(table, name) is not None}

    columns = {"deal": table.deal_names[table.deal]} | known_columns("board", "date", "event")
    columns |= table.names_by_seat
    columns["score"] = np.where(table.adjusted, _ADJUSTED, table.score_ns.astype(np.str_))
    columns |= known_columns("contract", "scoring", "team_ns", "team_ew") | ({SIMULATED: 1} if table.simulated else {})
    return str(pd.DataFrame(columns).to_csv(index=False, lineterminator="\n"))
