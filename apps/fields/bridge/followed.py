"""A bridge club that a site follows: players in IMPs per board with intervals, and the evenings of each pair."""

import numpy as np
import pandas as pd

from halfpoint.apps.fields.bridge.list import bridge_abilities
from halfpoint.apps.workflows.followed import Followed, Source
from halfpoint.apps.workflows.options import Run
from halfpoint.evaluation.digits import signed_decimals
from halfpoint.inference.traces.netcdf import write
from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.models.games.table import GameTable


def bridge(source: Source, run: Run) -> Followed:
    """Abilities of players, with the numbers of `halfpoint bridge rate --model`."""
    if len(source.games) != 1:
        raise GameTableError("games", "one file of bridge results", count_noun(len(source.games), "file"))
    strange = next((name for name in source.reader if name != "columns"), None)
    if strange is not None:
        raise GameTableError(strange, "columns, the only option of bridge results", "another option")
    model = "bridge-ability" if source.model == "auto" else source.model
    abilities = bridge_abilities(
        source.games[0], model, columns=source.reader.get("columns"), seed=source.seed, say=run.say,
        progress=run.progress,
    )  # fmt: skip
    if source.trace is not None:
        write(abilities.trace, source.trace)
    frame = abilities.frame.rename(columns={"player": "name", "results": "games"})
    played = "evening of a pair"
    return Followed("player", "imps", frame, evenings(abilities.selection.games), dict(abilities.about), played=played)


def evenings(games: GameTable) -> pd.DataFrame:
    """Boards and mean IMPs of each pair by evening; a positive margin is a gain of the first side."""
    day = np.full(len(games), "") if games.date is None else np.datetime_as_string(games.date)
    event = np.full(len(games), "") if games.event is None else games.event
    sides = [(games.white_names, games.margin), (games.black_names, -games.margin)]
    rows: list[dict[str, object]] = []
    parts = [pd.DataFrame({"first": names, "day": day, "event": event, "imps": imps}) for names, imps in sides]
    results = pd.concat(parts, ignore_index=True)
    for (first, when, evening), part in results.groupby(["first", "day", "event"], sort=True):
        mean, boards = float(part["imps"].mean()), len(part)
        result = f"{signed_decimals(mean, 1)} IMPs a board".replace("-", "−")
        rows.append({"first": first, "day": when or None, "event": evening, "boards": boards, "result": result})
    return pd.DataFrame(rows).assign(second="", score=np.nan)
