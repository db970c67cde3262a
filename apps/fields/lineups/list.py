"""Ratings of players from their line-ups: the network of units, and adjusted plus-minus."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from halfpoint.apps.fields.lineups.options import NetworkWalk, UnitWeight
from halfpoint.apps.fields.lineups.plus_minus import PlusMinus, plus_minus
from halfpoint.apps.fields.lineups.read import read_lineups
from halfpoint.apps.fields.lineups.system import SIDES, network_shares, units_of
from halfpoint.apps.fields.lineups.table import ROLES, LineupTable
from halfpoint.apps.pages.cells import Look
from halfpoint.apps.workflows.answer import Answer, about_table
from halfpoint.apps.workflows.options import records_of
from halfpoint.evaluation.first_sentences.standings import network_leader, plus_minus_leader
from halfpoint.models.games.identifiability import identifiable_groups

_SHOWN = 3
_SHORT = ("player", "part", "units", "offence_share", "offence_p", "defence_share", "defence_p", "total_share",
         "total_rank", "total_p", "plus_minus", "plus_minus_sd")  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class LineupRatings(Answer):
    """Players rated by their line-ups.

    A row of `frame` is a player, largest total share first: possessions on offence and defence; for offence, defence
    and total the share of the walk times the number of players (1 is average), its rank within the player's part of the
    graph and p; part; adjusted plus-minus on offence, on defence and together with its sd, points per 100 possessions.
    """

    units: pd.DataFrame  #: one row a unit: players, possessions and points both ways


def lineups(
    stints: str | Path | LineupTable, columns: Mapping[str, str] | None = None, ridge: float | None = None, *,
    minimum: float = 20.0, weight: UnitWeight = "chance", squared: bool = True, eigenvector: bool = False,
    going_on: float = 0.85, bootstrap: int = 1000, seed: int = 1,
) -> LineupRatings:  # fmt: skip
    """Rate the players of a file of line-ups.

    Parameters
    ----------
    stints : str, Path or LineupTable
        A CSV file.
    columns : mapping of str to str, optional
        Field to the file's column.
    ridge : float, optional
        Penalty of adjusted plus-minus; by default chosen by cross-validation over games.
    minimum, weight, squared, eigenvector, going_on, bootstrap, seed
        Settings of the network (`halfpoint.apps.fields.lineups.options.NetworkWalk`).

    Raises
    ------
    HalfpointError
        If the file is refused, an argument is out of its range, or no unit has enough possessions.
    """
    [walk] = records_of(locals(), NetworkWalk)
    table = stints if isinstance(stints, LineupTable) else read_lineups(stints, columns)
    units = units_of(table)
    count = table.players.size
    values: dict[str, object] = {
        "player": table.players,
        **{f"{role}_possessions": np.bincount(side.ravel(), np.repeat(table.possessions, side.shape[1]), count)
           for role, side in (("offence", table.offence), ("defence", table.defence))},
    }  # fmt: skip
    remarks = []
    for side in SIDES:
        network = network_shares(units, count, side, walk)
        parts = int(network.component.max()) + 1
        remarks.append(f"{side}: {network.counted:,} units, {network.player.size:,} players, {parts} parts")
        of_all = {"units": network.units, "part": network.component + 1} if side == "total" else {}
        rank = (
            pd.Series(network.share).groupby(network.component).rank(method="first", ascending=False)
        )  # of those units join
        shares = of_all | {
            f"{side}_share": network.share * network.player.size,
            f"{side}_rank": rank.to_numpy(),
            f"{side}_p": network.p,
        }
        values |= pd.DataFrame(shares, index=network.player, dtype=np.float64).reindex(range(count))
    fit = plus_minus(table, ridge, walk.seed)
    values |= {
        "plus_minus_offence": 100.0 * fit.offence, "plus_minus_defence": 100.0 * fit.defence,
        "plus_minus": 100.0 * (fit.offence + fit.defence), "plus_minus_sd": 100.0 * fit.total_sd,
    }  # fmt: skip
    frame = pd.DataFrame(values).sort_values(
        ["total_share", "plus_minus", "player"], ascending=[False, False, True], na_position="last", ignore_index=True
    )
    counted = f"Units of {walk.minimum:g} possessions or more; {'; '.join(remarks)}."
    title = f"Line-ups of {table.name}: {len(table):,} stints, {count:,} players, {len(units):,} units"
    note = "\n".join([*table.notes, counted, *_cautions(fit), *_never_apart(table)])
    most, best = frame.iloc[0], frame.iloc[int(frame["plus_minus"].argmax())]
    answer = network_leader(most["player"], most["total_share"], most["total_p"], parts)
    answer += f" {plus_minus_leader(best['player'], best['plus_minus'], best['plus_minus_sd'])}"
    about = about_table(table, title, "stints", note=note, answer=answer)
    listed = pd.DataFrame({
        "players": [" + ".join(table.players[who].tolist()) for who in units.members],
        "offence_possessions": units.offence, "defence_possessions": units.defence,
        "points": units.scored, "points_allowed": units.allowed,
    })  # fmt: skip
    return LineupRatings(frame, about, listed, look=Look(digits=2, short=_SHORT))


def _cautions(fit: PlusMinus) -> list[str]:
    """Cautions for readers of the table."""
    cautions = [
        "A share grows with minutes and with the number of team-mates whatever the skill; p is free of both. Shares "
        "compare players of one part of the graph only."
    ]
    if not np.isnan(fit.left_out_rmse):
        better = "less than" if fit.left_out_rmse < fit.mean_rmse else "not less than"
        cautions.append(
            f"Adjusted plus-minus, ridge {fit.ridge:g}: root mean squared error {fit.left_out_rmse:.4f} points a "
            f"possession in games left out, {better} the mean's {fit.mean_rmse:.4f}."
        )
    return cautions


def _never_apart(table: LineupTable) -> list[str]:
    """Players without a separate plus-minus: pairs always on the floor together, or unidentified groups.

    By `halfpoint.models.games.identifiability` for the model of margins, whose mode is the adjusted plus-minus.
    """
    games = table.as_games()
    assert games.sides is not None
    identified = identifiable_groups(games.sides, games.white, games.black)
    lines = []
    if identified.together:
        roles: dict[str, list[str]] = {}
        for name in identified.together:
            group, _, role = name.rpartition(" (")  # of several people all have one role
            roles.setdefault(group.replace(f" ({role}", ""), []).append(role)
        groups_of = [
            name + ("" if len(group_roles) == len(ROLES) else f" ({group_roles[0]}")
            for name, group_roles in roles.items()
        ]
        shown = "; ".join(groups_of[:_SHOWN])
        remainder = f" and {len(groups_of) - _SHOWN} more" if len(groups_of) > _SHOWN else ""
        lines.append(
            f"Always on the floor together, so plus-minus identifies only their mean, which the ridge shares evenly: "
            f"{shown}{remainder}."
        )
    groups = np.unique(identified.kind).tolist()
    if len(groups) > 1:
        names = identified.names
        first = [" | ".join(names[identified.kind == number][:2].tolist()) for number in groups[:_SHOWN]]
        lines.append(
            f"Stints identify differences within {len(groups)} groups of players, not between the groups: these "
            f"depend on the ridge (first groups: {'; '.join(first)})."
        )
    return lines
