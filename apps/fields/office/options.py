"""Options of an official list as a record, and the systems that a list has by default."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.ranges import RATING_ELO, Every, Range
from halfpoint.models.games.settings import setting

AUTO = "auto"  # by whether ratings are printed
ACTIVE_PERIODS = 12
ACTIVE = Range(1, 1_000_000)


@dataclass(frozen=True)
class OfficialListOptions:
    """Options of an official list."""

    every: Every | int = setting("month", "month | week | day: rating period made from dates; a number is in days")
    first_month: str | None = setting(
        None, "month that is period 1, YYYY-MM. It also dates numbered months, for rules by date"
    )
    settings: Mapping[str, float] | None = setting(None, "parameters of the system to change, such as k=20,scale=480")
    births: Mapping[str, int] | str | Path | None = setting(
        None, "CSV of player and born (year), for the rules of juniors. Or years of birth by player"
    )
    live: bool = setting(False, "live list: printed ratings and the change of the last period")
    active_periods: int = setting(ACTIVE_PERIODS, "number of last periods in which an active player has a game")
    reader: Mapping[str, object] | None = setting(
        None, "options of the reader of tables: columns, ignore, date_format, sides"
    )
    fide_lists: Sequence[str | Path] = setting(
        (), "FIDE lists as published, for ratings that are not printed with the games"
    )
    start_elo: float | None = setting(
        None, "initial rating of new players, default 2200; some systems have their own rules"
    )

    def __post_init__(self) -> None:
        ACTIVE.require("--active", self.active_periods, GameTableError)
        if self.start_elo is not None:
            RATING_ELO.require("--start", self.start_elo, GameTableError)


DEFAULT = ("fide", "elo", "elo-fide", "glicko", "kappa-elo", "trueskill")
