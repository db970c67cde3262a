"""Answer of `halfpoint lineups`."""

from typing import Annotated, TypedDict

from halfpoint.apps.workflows.schemas.shared import Player


class LineupsRow(TypedDict, total=False):
    """Ratings of a player from line-ups."""

    player: Player | None
    offence_possessions: Annotated[float | None, "Possessions with the ball"]
    defence_possessions: Annotated[float | None, "Possessions of the opponents"]
    offence_share: Annotated[float | None, "Share of visits of the network of units by offence, mean 1"]
    offence_rank: Annotated[float | None, "Rank by it among players whom units join"]
    offence_p: Annotated[float | None, "Probability of as large a share by chance"]
    defence_share: Annotated[float | None, "Share of visits by defence, mean 1"]
    defence_rank: Annotated[float | None, "Rank by it among players whom units join"]
    defence_p: Annotated[float | None, "Probability of as large a share by chance"]
    units: Annotated[float | None, "Number of units of the player"]
    part: Annotated[float | None, "Part of the network, from 1; shares of different parts do not compare"]
    total_share: Annotated[float | None, "Share of visits by both, mean 1"]
    total_rank: Annotated[float | None, "Rank by it within the part"]
    total_p: Annotated[float | None, "Probability of as large a share by chance"]
    plus_minus_offence: Annotated[float | None, "Adjusted plus-minus in offence, points in 100 possessions"]
    plus_minus_defence: Annotated[float | None, "Adjusted plus-minus in defence, points in 100 possessions"]
    plus_minus: Annotated[float | None, "Adjusted plus-minus, points in 100 possessions"]
    plus_minus_sd: Annotated[float | None, "Its standard deviation"]
