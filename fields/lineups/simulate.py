r"""A season of line-ups with known truth: teams, rotations, and points of possessions that go with who is on the floor.

A possession is worth m = base + sum over the offence of o_i - sum over the defence of d_j points on average: it scores
with probability m / 2.2, and then 2, 3 or 1 points with 70, 25 and 5 in a hundred. o_i and d_i are N(0, skill^2) in
points a possession. Some players change their team after half the season; without them no unit joins two teams.
"""

from dataclasses import dataclass
from typing import TypedDict, Unpack

import numpy as np

from halfpoint.fields.lineups.table import LineupTable
from halfpoint.games.errors import GameTableError
from halfpoint.games.table import Floats, Texts
from halfpoint.workflows.options import into_records

_FIVE = 5
_WHEN_SCORED = 2.2


@dataclass(frozen=True, eq=False)
class _LineupTruth:
    """What the simulator knows."""

    players: Texts  #: (player,), names
    offence: Floats  #: (player,), points a possession that a player adds on offence, and takes off on defence
    defence: Floats


@dataclass(frozen=True)
class Season:
    """A season that is simulated; `GameTableError` if a number is out of its range."""

    teams: int = 8  #: teams, from 2, and players of each, from 6
    roster: int = 10
    rotations: int = 12  #: different fives that a team uses; the first ones play more
    games: int = 120  #: games, stints of a game, and possessions of either side in a stint
    stints: int = 20
    possessions: int = 5
    base: float = 1.1  #: points of an average possession
    skill: float = 0.04  #: standard deviation of o and d, points a possession
    transfers: int = 0  #: players who go to the next team after half the games, in exchange
    seed: int = 1  #: the same seed gives the same stints

    def __post_init__(self) -> None:
        counts = self.rotations, self.games, self.stints, self.possessions, self.transfers
        if self.teams < 2 or self.roster < _FIVE + 1 or min(counts[:4]) < 1 or not 0 <= self.transfers <= self.teams:
            found = f"{self.teams} teams of {self.roster}, {', '.join(map(str, counts))}"
            raise GameTableError("simulated line-ups", "2 or more teams of 6 or more, the rest from 1", found)
        if not (self.skill >= 0.0 and 0.0 < self.base < _WHEN_SCORED):
            expected = f"skill >= 0, base from 0 to {_WHEN_SCORED}"
            raise GameTableError("simulated line-ups", expected, f"{self.skill}, {self.base}")


SeasonOptions = TypedDict("SeasonOptions", {
    "teams": int, "roster": int, "rotations": int, "games": int, "stints": int, "possessions": int, "base": float,
    "skill": float, "transfers": int, "seed": int
}, total=False)  # fmt: skip


def simulate_lineups(**season: Unpack[SeasonOptions]) -> tuple[LineupTable, _LineupTruth]:
    """Stints, by options of `Season`, and the truth behind them."""
    [asked] = into_records(season, Season)
    teams, roster, rotations, possessions = asked.teams, asked.roster, asked.rotations, asked.possessions
    rng = np.random.default_rng(asked.seed)
    count = teams * roster
    names = np.array([f"T{k // roster + 1:02d} player {k % roster + 1:02d}" for k in range(count)])
    o, d = rng.normal(0.0, asked.skill, (2, count))
    squads = np.arange(count).reshape(teams, roster)
    chance = 1.0 / np.arange(1, rotations + 1)
    chance /= chance.sum()

    def fives() -> np.ndarray:
        """Draw the rotations of every team, shape (team, rotation, 5)."""
        return np.array([[rng.choice(squad, _FIVE, replace=False) for _ in range(rotations)] for squad in squads])

    used = fives()
    rows, points = [], []
    for game in range(asked.games):
        if asked.transfers and game == asked.games // 2:
            for team in range(asked.transfers):
                other = (team + 1) % teams
                squads[team, 0], squads[other, 1] = squads[other, 1], squads[team, 0]
            used = fives()
        home, away = rng.choice(teams, 2, replace=False)
        for _ in range(asked.stints):
            five = [used[team, rng.choice(rotations, p=chance)] for team in (home, away)]
            for attack, defend in ((five[0], five[1]), (five[1], five[0])):
                worth = np.clip(asked.base + o[attack].sum() - d[defend].sum(), 0.0, _WHEN_SCORED)
                scored = rng.random(possessions) < worth / _WHEN_SCORED
                kind = rng.choice([2.0, 3.0, 1.0], possessions, p=[0.70, 0.25, 0.05])
                rows.append((attack, defend))
                points.append(float((scored * kind).sum()))
    offence, defence = np.array(rows, dtype=np.int32).transpose(1, 0, 2)
    label = np.repeat([f"game {game + 1}" for game in range(asked.games)], 2 * asked.stints)
    table = LineupTable(
        names, offence, defence, np.array(points), np.full(len(points), float(possessions)), label,
        name="line-ups SIMULATED", source="simulated line-ups", simulated=True,
    )  # fmt: skip
    return table, _LineupTruth(names, o, d)
