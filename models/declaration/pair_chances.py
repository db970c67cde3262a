"""Chances of games between all pairs of some players at the end of a fit, in single precision for tables and pages.

The values of each player are read once, and draws stand last, so that pairs are made by broadcasting and quantiles over
draws need no copy.
"""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from halfpoint.models.games.table import Codes, Integers
from halfpoint.models.rows.rows import Side

if TYPE_CHECKING:
    from halfpoint.models.declaration.posterior_reader import Reading

Singles = npt.NDArray[np.float32]


class PairChances:
    """Chances of players or sides `seats` (player,) against each other under the draws of a reading."""

    def __init__(self, reading: "Reading", seats: Codes | Side) -> None:
        self.reading, self.seats, self.count = reading, seats, len(seats)
        self.values: dict[str, Singles] | None = None
        rows = reading.today(seats, seats)
        if reading.worth is None or reading.imputed is not None or rows.at_end is None:
            return  # pairs have to be read by the model's function
        sides = reading.worth.by_side(reading.p, seats)
        self.values = {name: np.ascontiguousarray(value.T, dtype=np.float32) for name, value in sides.items()}
        numbers = {name: np.asarray(reading.p[name], dtype=np.float32) for name in reading.outcome.further}
        self.outcome = reading.outcome.at(numbers)

    def of(self, places: Integers) -> Singles:
        """Chances of loss, draw and win of some players as White against all, (white, player, outcome, draw)."""
        values = self.values
        if values is None:
            white, black = np.repeat(places, self.count), np.tile(np.arange(self.count), places.size)
            chances = self.reading.probabilities(self.reading.today(self.seats.take(white), self.seats.take(black)))
            table = np.moveaxis(chances, (0, 1), (1, 2)).astype(np.float32)
            return table.reshape(places.size, self.count, 3, -1)
        lam = None
        if "lam" in values:
            lam = values["lam"] + _rows(values["first"], places)[:, None] + values["second"]
        return self.outcome.probability(_rows(values["white"], places)[:, None], values["black"], lam)


def _rows(values: Singles, places: Integers) -> Singles:
    """Values of some players, (place, draw), or those that all share, (1, draw)."""
    return values if len(values) == 1 else values[places]
