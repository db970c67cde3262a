"""The period of each game, for strengths that walk."""

from typing import Literal

import numpy as np
import numpy.typing as npt

from halfpoint.games.table import GameTable
from halfpoint.models.errors import ModelError

Clock = Literal["period", "date"]


def periods(games: GameTable, every: int, clock: Clock | None = None) -> npt.NDArray[np.int64]:
    """Return the period of each game that is `every` months long, shape (game,); period 1 begins with month 1."""
    return (months(games, clock) - 1) // every + 1


def months(games: GameTable, clock: Clock | None = None) -> npt.NDArray[np.int64]:
    """Return the month of each game, shape (game,): its period, or calendar months with January 2010 as 1."""
    has = [name for name in ("period", "date") if getattr(games, name) is not None]
    if clock is not None and clock not in has:
        counted = "the numbers of their periods" if clock == "period" else "calendar months"
        raise ModelError(
            f"{games.source}: expected a {clock} for each game, since the strengths of this model walk by {counted}, "
            f"found {f'a {has[0]} alone' if has else 'neither period nor date'}. Add the column {clock}."
        )
    if games.period is not None and clock != "date":
        return np.asarray(games.period, dtype=np.int64)
    if games.date is None or np.isnat(games.date).any():
        raise ModelError(f"{games.source}: expected a period or a date for each game, found games without one")
    return np.asarray(games.date.astype("datetime64[M]").astype(np.int64) - 40 * 12 + 1)
