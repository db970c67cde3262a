r"""A bridge club with known truth: sessions of pairs, changing partners, deals of different spread.

Skill of a player t_i ~ N(0, skill^2) and of a partnership p_ij ~ N(0, partnership^2), both in IMPs per board; the
strength of a pair is t_i + t_j + p_ij. At a table

    y = (pair NS) - (pair EW) + e,   e ~ N(0, s_d^2),   log s_d ~ N(log noise, wildness^2)

and the points are the possible scores nearest to a par of the deal and y IMPs from it, so that average cross-IMPs are
close to y less the mean of the other tables.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from halfpoint.apps.fields.bridge.comparison import IMP_BOUNDS, Ints
from halfpoint.apps.fields.bridge.contracts import possible_scores, vulnerability_of
from halfpoint.apps.fields.bridge.options import Club
from halfpoint.apps.fields.bridge.table import BridgeTable
from halfpoint.apps.fields.bridge.write_csv import csv_text
from halfpoint.apps.workflows.options import records_of
from halfpoint.apps.workflows.simulation import with_truth
from halfpoint.models.games.keywords import passed_keywords
from halfpoint.models.games.simulate import numbered_names
from halfpoint.models.games.table import Floats, Texts

_PARS = np.array([-1430, -980, -660, -620, -600, -450, -420, -400, -140, -110, -50, 0, 50, 90, 110, 120, 140, 170, 400,
                 420, 450, 600, 620, 660, 980, 1430])  # fmt: skip
_FURTHEST = 4000


@dataclass(frozen=True, eq=False)
class ClubTruth:
    """True values of a simulated club."""

    players: Texts  #: (player,), names
    skill_imps: Floats  #: (player,), skill in IMPs a board
    pairs: Texts  #: (pair,), pairs that played, as `BridgeTable.pairs` names them
    pair_imps: Floats  #: (pair,), what each is worth: two skills and the partnership


def bridge_simulate(
    out: str | Path | None = None, force: bool = False, *, players: int = 48, sessions: int = 20, boards: int = 24,
    change: float = 0.5, skill: float = 1.0, partnership: float = 0.5, noise: float = 4.7, wildness: float = 0.3,
    seed: int = 1,
) -> tuple[BridgeTable, pd.DataFrame]:  # fmt: skip
    """Simulate the results of a club as CSV, with a second file of the true values.

    Parameters
    ----------
    out : str or Path, optional
        CSV file; the truth is written to FILE.truth.csv. By default no file is written.
    force : bool
        Replace a file that halfpoint did not write.
    players, sessions, boards, change, skill, partnership, noise, wildness, seed
        Settings of the simulation (`Club`).

    Returns
    -------
    results : BridgeTable
        Marked as simulated.
    truth : DataFrame
        player, skill_imps (IMPs per board).

    Raises
    ------
    HalfpointError
        If a number is out of its range, or the file cannot be written.
    """
    numbers = passed_keywords(bridge_simulate, locals())

    def make_club() -> tuple[BridgeTable, pd.DataFrame]:
        table, truth = simulate_club(**numbers)
        return table, pd.DataFrame({"player": truth.players, "skill_imps": truth.skill_imps})

    return with_truth(out, force, make_club, lambda table: [csv_text(table)])


def simulate_club(
    *, players: int = 48, sessions: int = 20, boards: int = 24, change: float = 0.5, skill: float = 1.0,
    partnership: float = 0.5, noise: float = 4.7, wildness: float = 0.3, seed: int = 1,
) -> tuple[BridgeTable, ClubTruth]:  # fmt: skip
    """Simulate the results of a club, by options of `Club`, and its true values."""
    [club] = records_of(locals(), Club)
    players, sessions, boards = club.players, club.sessions, club.boards
    rng = np.random.default_rng(club.seed)
    names = numbered_names("Player", players)
    skills = rng.normal(0.0, club.skill, players)
    together = rng.normal(0.0, club.partnership, (players, players))
    together = np.triu(together) + np.triu(together, 1).T
    tables = players // 4
    played = tables * max(boards // tables, 1)  # boards of a session
    block = np.repeat(np.arange(tables), played // tables)  # all tables play its boards, against opponents of its own
    partners = rng.permutation(players).reshape(-1, 2)
    seats = []
    for _ in range(sessions):
        moving = np.flatnonzero(rng.random(2 * tables) < club.change)
        if moving.size > 1:
            turned = moving[rng.random(moving.size) < 0.5]  # either may leave, or half the club never meets itself
            partners[turned] = partners[turned, ::-1]
            partners[moving, 1] = partners[rng.permutation(moving), 1]
        sat = partners[rng.permutation(2 * tables)]
        drawn = np.array([rng.permutation(tables) for _ in range(tables)])[block]
        ns, ew = np.tile(sat[:tables], (played, 1)), sat[tables:][drawn.ravel()]
        seats.append(np.column_stack([ns[:, 0], ew[:, 0], ns[:, 1], ew[:, 1]]))
    seat = np.concatenate(seats).astype(np.int32)
    deals = np.arange(sessions * played)
    deal = np.repeat(deals, tables)
    session, number = deal // played, deal % played + 1
    north, east, south, west = seat.T
    d = skills[north] + skills[south] - skills[east] - skills[west] + together[north, south] - together[east, west]
    spread = club.noise * np.exp(club.wildness * rng.normal(size=deals.size))
    score = _points_near(rng.choice(_PARS, deals.size)[deal], d + spread[deal] * rng.normal(size=deal.size))
    called = [f"Session {k // played + 1} board {k % played + 1}" for k in deals.tolist()]
    table = BridgeTable(
        names, north, east, south, west, deal.astype(np.int32), np.array(called),
        score.astype(np.int32), np.zeros(deal.size, dtype=np.bool_), board=number.astype(np.int32),
        vulnerable=vulnerability_of(number).astype(np.int8),
        date=np.datetime64("2024-01-03") + (7 * session).astype("timedelta64[D]"),
        event=np.char.add("Session ", (session + 1).astype(np.str_)), name="club SIMULATED", source="simulated club",
        simulated=True,
    )  # fmt: skip
    pairs, _, _ = table.pairs()
    halves = table.partners()
    pair_worth = skills[halves].sum(axis=1) + together[halves[:, 0], halves[:, 1]]
    return table, ClubTruth(names, skills, pairs, pair_worth)


def _points_near(par: Ints, imps: Floats) -> Ints:
    """Possible points nearest to a number of IMPs from par, shape (result,)."""
    middles = np.concatenate([[0.0], (IMP_BOUNDS[:-1] + IMP_BOUNDS[1:]) / 2.0, [IMP_BOUNDS[-1] + 250.0]])
    away = np.sign(imps) * np.interp(np.abs(imps), np.arange(middles.size), middles)
    target = np.clip(par + away, -_FURTHEST, _FURTHEST)
    allowed = possible_scores()
    above = np.clip(np.searchsorted(allowed, target), 1, allowed.size - 1)
    low, high = allowed[above - 1], allowed[above]
    return np.asarray(np.where(target - low <= high - target, low, high))
