"""The period of each game, for strengths that walk."""

import numpy as np
import numpy.typing as npt

from halfpoint.games.table import GameTable
from halfpoint.models.errors import ModelError


def months(games: GameTable) -> npt.NDArray[np.int64]:
    """Return the month of each game, shape (game,): its period, or calendar months with January 2010 as 1.

    Raises
    ------
    ModelError
        If the games have neither periods nor dates.
    """
    if games.period is not None:
        return np.asarray(games.period, dtype=np.int64)
    if games.date is None or np.isnat(games.date).any():
        raise ModelError(f"{games.source}: expected a period or a date for each game, found games without one")
    return np.asarray(games.date.astype("datetime64[M]").astype(np.int64) - 40 * 12 + 1)
