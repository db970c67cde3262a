"""Settings of simulated events as a record, with their ranges."""

from dataclasses import dataclass

from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.ranges import SEED, Range
from halfpoint.models.games.settings import setting

COMPETITORS, EVENTS, FIELD = Range(2, 10_000), Range(1, 100_000), Range(2, 200)
SPREAD_ELO, SHARE = Range(0.0, 4000.0), Range(0.0, 0.9)
RANGES = {"competitors": COMPETITORS, "events": EVENTS, "field": FIELD, "spread_elo": SPREAD_ELO, "ties": SHARE,
          "unplaced": SHARE, "seed": SEED}  # fmt: skip


@dataclass(frozen=True)
class Season:
    """Numbers of competitors and events; `GameTableError` if a number is out of its range."""

    competitors: int = setting(24, "number of competitors")
    events: int = setting(60, "number of events")
    field: int = setting(8, "number of competitors in an event, drawn at random")
    spread_elo: float = setting(200.0, "standard deviation of the strengths, Elo points")
    ties: float = setting(0.0, "probability that two equal competitors share a place")
    unplaced: float = setting(0.0, "share of the last competitors of an event without a place")
    seed: int = setting(1, "seed; the same seed gives the same events")

    def __post_init__(self) -> None:
        for name, allowed in RANGES.items():
            allowed.require(name, getattr(self, name), GameTableError)
        if self.field > self.competitors:
            raise GameTableError("--field", f"at most the {self.competitors} competitors", f"{self.field}")
