"""Options of the network of line-ups as a record."""

from dataclasses import dataclass
from typing import Literal

from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.settings import setting

UnitWeight = Literal["chance", "raw"]


@dataclass(frozen=True)
class NetworkWalk:
    """Construction and walk of the network of units."""

    minimum: float = setting(
        20.0, "units with fewer possessions are left out. Both on offence and on defence for the total"
    )
    weight: UnitWeight = setting(
        "chance", "weight of a unit: shrunk probability of being above the mean, or raw points a possession"
    )
    squared: bool = setting(True, "whether weights enter squared, as in the source")
    eigenvector: bool = setting(False, "the leading eigenvector instead of the walk with restarts")
    going_on: float = setting(0.85, "d, chance that the walk continues, from 0 to below 1")
    bootstrap: int = setting(1000, "networks with permuted weights, for p; 0 for none")
    seed: int = setting(1, "seed; the same seed gives the same p")

    def __post_init__(self) -> None:
        if self.bootstrap < 0:
            raise RatingSystemError("line-ups", "a bootstrap of 0 or more", str(self.bootstrap))
        if not 0.0 <= self.going_on < 1.0:
            raise RatingSystemError("line-ups", "a probability of continuing from 0 to below 1", str(self.going_on))
