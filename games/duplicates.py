"""Games that stand twice in a table: reported, and dropped on request.

Two games are copies if White, Black, score and date agree, and the round and the moves where the table has them (the
covariates `Round` and `moves` of `halfpoint.games.readers.pgn`). They are `certain` if the moves agree; without
moves they are `possible`, since two players may well meet twice on a day. Games without a date need the same moves, and
a game without a move has none to agree.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas

from halfpoint.games.errors import counted
from halfpoint.games.readers.movetext import NO_MOVES
from halfpoint.games.table import GameTable

ROUND, MOVES = "Round", "moves"
UNKNOWN_ROUNDS = ("", "?", "-")


@dataclass(frozen=True, eq=False)
class Duplicates:
    """Copies of earlier games."""

    copy: npt.NDArray[np.int64]  # (duplicate,): index of each game that repeats an earlier one
    original: npt.NDArray[np.int64]  # (duplicate,): index of the game it repeats
    certain: npt.NDArray[np.bool_]  # (duplicate,): whether the moves agree, too

    def __len__(self) -> int:
        return int(self.copy.size)

    def describe(self, games: GameTable, shown: int = 5) -> str:
        """Return the report: how many, and the first of them with their places."""
        if not len(self):
            return "no game stands twice"
        certain = int(self.certain.sum())
        twice = f"{counted(len(self), 'game')} stand{'s' * (len(self) == 1)} twice"
        rows = [f"{twice}: {certain} with the same moves, {len(self) - certain} possibly"]
        for copy, original in list(zip(self.copy.tolist(), self.original.tolist(), strict=True))[:shown]:
            pair = f"{games.white_names[copy]} - {games.black_names[copy]}"
            rows.append(f"  {games.place(copy)}: {pair}, as in {games.place(original)}")
        return "\n".join(rows + ["  ..."] * (len(self) > shown))


def find_duplicates(games: GameTable) -> Duplicates:
    """Return the games that repeat an earlier one.

    Parameters
    ----------
    games : GameTable
        Any table; with the covariates `Round` and `moves` the answer is sharper.
    """
    covariates: Mapping[str, npt.NDArray[np.generic]] = games.covariates
    keys = {"white": games.white, "black": games.black, "score": games.score}
    rows = np.arange(len(games))
    dated = np.ones(len(games), dtype=bool)
    if games.date is not None:
        dated = ~np.isnat(games.date)
        keys["date"] = games.date.astype(np.int64)
    elif games.period is not None:
        keys["period"] = games.period
    else:
        dated[:] = False
    if ROUND in covariates:
        played = covariates[ROUND].astype(np.str_)
        keys["round"] = np.where(np.isin(played, UNKNOWN_ROUNDS), "", played)
    has_moves = np.zeros(len(games), dtype=bool)
    if MOVES in covariates:
        keys["moves"] = covariates[MOVES]
        has_moves = covariates[MOVES] != NO_MOVES
    frame = pandas.DataFrame(keys)
    comparable = rows[dated | has_moves]
    number = frame.iloc[comparable].groupby(list(keys), sort=False).ngroup().to_numpy()
    first = np.full(int(number.max(initial=-1)) + 1, len(games), dtype=np.int64)
    np.minimum.at(first, number, comparable)
    copies = comparable[first[number] != comparable]
    return Duplicates(copies, first[number][first[number] != comparable], has_moves[copies])


def drop_duplicates(games: GameTable, duplicates: Duplicates, certain_only: bool = True) -> GameTable:
    """Return the table without the copies."""
    kept = np.ones(len(games), dtype=bool)
    kept[duplicates.copy[duplicates.certain | (not certain_only)]] = False
    return games.take(kept)
