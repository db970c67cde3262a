r"""A simulated season of line-ups: teams, rotations, and points of possessions that depend on the players.

A possession yields m = base + sum over the offence of o_i - sum over the defence of d_j points on average: it scores
with probability m / 2.2, and then 2, 3 or 1 points with probability 70%, 25% and 5%. o_i and d_i are N(0, skill^2) in
points per possession. Some players change their team after half the season; only they connect teams.
"""

from dataclasses import dataclass

import numpy as np

from halfpoint.apps.fields.lineups.table import LineupTable
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.table import Floats, Texts

_FIVE = 5
_WHEN_SCORED = 2.2


@dataclass(frozen=True, eq=False)
class LineupTruth:
    """True values of a simulated season."""

    players: Texts  #: (player,), names
    offence: Floats  #: (player,), points a possession that a player adds on offence, and takes off on defence
    defence: Floats


def simulate_lineups(
    *,
    teams: int = 8,
    roster: int = 10,
    rotations: int = 12,
    games: int = 120,
    stints: int = 20,
    possessions: int = 5,
    base: float = 1.1,
    skill: float = 0.04,
    transfers: int = 0,
    seed: int = 1,
) -> tuple[LineupTable, LineupTruth]:
    """Simulate the stints of a season, with true values.

    Parameters
    ----------
    teams, roster : int
        Number of teams, from 2, and of players per team, from 6.
    rotations : int
        Number of line-ups per team; the first line-ups play more.
    games, stints, possessions : int
        Number of games, of stints per game, and of possessions of each side per stint.
    base : float
        Points of an average possession.
    skill : float
        Standard deviation of o and d, points per possession.
    transfers : int
        Number of players exchanged with the next team after half the games.
    seed : int
        The same seed gives the same stints.

    Raises
    ------
    GameTableError
        If a number is out of its range.
    """
    counts = rotations, games, stints, possessions, transfers
    if teams < 2 or roster < _FIVE + 1 or min(counts[:4]) < 1 or not 0 <= transfers <= teams:
        sizes = f"{teams} teams of {roster}, {', '.join(map(str, counts))}"
        raise GameTableError("simulated line-ups", "2 or more teams of 6 or more, the rest from 1", sizes)
    if not (skill >= 0.0 and 0.0 < base < _WHEN_SCORED):
        raise GameTableError("simulated line-ups", f"skill >= 0, base from 0 to {_WHEN_SCORED}", f"{skill}, {base}")
    rng = np.random.default_rng(seed)
    count = teams * roster
    names = np.array([f"T{k // roster + 1:02d} player {k % roster + 1:02d}" for k in range(count)])
    o, d = rng.normal(0.0, skill, (2, count))
    squads = np.arange(count).reshape(teams, roster)
    chance = 1.0 / np.arange(1, rotations + 1)
    chance /= chance.sum()

    def fives() -> np.ndarray:
        """Draw the rotations of every team, shape (team, rotation, 5)."""
        return np.array([[rng.choice(squad, _FIVE, replace=False) for _ in range(rotations)] for squad in squads])

    line_ups = fives()
    rows, points = [], []
    for game in range(games):
        if transfers and game == games // 2:
            for team in range(transfers):
                next_team = (team + 1) % teams
                squads[team, 0], squads[next_team, 1] = squads[next_team, 1], squads[team, 0]
            line_ups = fives()
        home, away = rng.choice(teams, 2, replace=False)
        for _ in range(stints):
            five = [line_ups[team, rng.choice(rotations, p=chance)] for team in (home, away)]
            for attack, defend in ((five[0], five[1]), (five[1], five[0])):
                worth = np.clip(base + o[attack].sum() - d[defend].sum(), 0.0, _WHEN_SCORED)
                scored = rng.random(possessions) < worth / _WHEN_SCORED
                kind = rng.choice([2.0, 3.0, 1.0], possessions, p=[0.70, 0.25, 0.05])
                rows.append((attack, defend))
                points.append(float((scored * kind).sum()))
    offence, defence = np.array(rows, dtype=np.int32).transpose(1, 0, 2)
    label = np.repeat([f"game {game + 1}" for game in range(games)], 2 * stints)
    table = LineupTable(
        names, offence, defence, np.array(points), np.full(len(points), float(possessions)), label,
        name="line-ups SIMULATED", source="simulated line-ups", simulated=True,
    )  # fmt: skip
    return table, LineupTruth(names, o, d)
