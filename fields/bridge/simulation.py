"""Results of a bridge club whose players' skills are known, as a file, to try everything on."""

from pathlib import Path
from typing import Any

import pandas as pd

from halfpoint.fields.bridge.simulate import simulate_club
from halfpoint.fields.bridge.table import BridgeTable
from halfpoint.fields.bridge.write_csv import csv_text
from halfpoint.games.single_files import files
from halfpoint.workflows.answer_text import as_csv


def bridge_simulate(
    out: str | Path | None = None, force: bool = False, **numbers: Any
) -> tuple[BridgeTable, pd.DataFrame]:
    """Simulate the results of a club, and write them as CSV with the truth beside them.

    Parameters
    ----------
    out : str or Path, optional
        CSV file; the truth goes beside it as .truth.csv. Without it nothing is written.
    force : bool
        Replace a file that halfpoint did not write.
    **numbers
        Those of `halfpoint.fields.bridge.simulate.simulate_club`: players, sessions, boards, change, skill, ..., seed.

    Returns
    -------
    results : BridgeTable
        Marked as simulated.
    truth : DataFrame
        player, skill_imps (IMPs a board).

    Raises
    ------
    HalfpointError
        If a number is out of its range, or the file cannot be written.
    """
    beside = None if out is None else Path(out).with_suffix(".truth.csv")
    with files({"OUT": out, "OUT (the truth)": beside}, force=force) as places:
        table, truth = simulate_club(**numbers)
        frame = pd.DataFrame({"player": truth.players, "skill_imps": truth.skill_imps})
        if out is not None:
            places.text("OUT", csv_text(table))
            places.text("OUT (the truth)", as_csv(frame))
    return table, frame
