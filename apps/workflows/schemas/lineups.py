"""Answer of `halfpoint lineups`."""

from typing import TypedDict

from halfpoint.apps.workflows.schemas.shared import Player


class LineupsRow(TypedDict, total=False):
    """Ratings of a player from line-ups."""

    player: Player | None
    offence_possessions: float | None
    defence_possessions: float | None
    offence_share: float | None
    offence_rank: float | None
    offence_p: float | None
    defence_share: float | None
    defence_rank: float | None
    defence_p: float | None
    units: float | None
    part: float | None
    total_share: float | None
    total_rank: float | None
    total_p: float | None
    plus_minus_offence: float | None
    plus_minus_defence: float | None
    plus_minus: float | None
    plus_minus_sd: float | None
