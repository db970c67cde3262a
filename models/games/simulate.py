r"""Games from known strengths, advantages and draw parameter.

With g the strengths in natural units, a and b the advantages of White and Black, x = (g_i + a) - (g_j - b):

    P(loss) : P(draw) : P(win) = e^(-x/2) : e^lambda : e^(x/2)       Davidson (1970); Pires (2014), eq. 48

    no advantage        a = 0,        b = 0
    common advantage    a = delta,    b = 0
    player's advantage  a = delta_i,  b = delta_j     (each half of a whole advantage)

lambda = -infinity gives Bradley-Terry without draws: P(win) = 1 / (1 + e^(-x)).
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from halfpoint.models.games.errors import GameTableError, printable
from halfpoint.models.games.table import Codes, Dates, Floats, GameTable, Texts


@dataclass(frozen=True, eq=False)
class Truth:
    """True values of a simulation."""

    players: Texts  #: (player,): names, each once
    strength: Floats  #: (player,): strengths in natural units
    #: one whole advantage for White in natural units, or each player's half of it, (player,); 0 for none
    advantage: float | Floats = 0.0
    log_draw: float = -np.inf  #: Davidson's draw parameter lambda, -infinity for games without draws

    def __post_init__(self) -> None:
        count = self.players.size
        if count < 2 or np.unique(self.players).size != count:
            raise GameTableError("truth, players", "two or more names, each once", f"{count} names")
        if self.strength.shape != (count,) or not np.isfinite(self.strength).all():
            raise GameTableError("truth, strength", f"{count} finite values", f"shape {self.strength.shape}")
        advantage = np.asarray(self.advantage)
        if advantage.shape not in ((), (count,)) or not np.isfinite(advantage).all():
            raise GameTableError("truth, advantage", f"one finite value or {count}", f"shape {advantage.shape}")
        if np.isnan(self.log_draw) or self.log_draw == np.inf:
            raise GameTableError("truth, log_draw", "a number or minus infinity", repr(self.log_draw))

    def difference(self, white: Codes, black: Codes) -> Floats:
        """x, White's advantage included, shape (game,) in natural units."""
        gap = self.strength[white] - self.strength[black]
        if isinstance(self.advantage, np.ndarray) and self.advantage.shape:
            return np.asarray(gap + self.advantage[white] + self.advantage[black])
        return np.asarray(gap + self.advantage)


@dataclass(frozen=True, eq=False)
class Schedule:
    """Seats and times of games."""

    white: Codes  # (game,): index into the truth's players
    black: Codes  # likewise
    period: np.ndarray[tuple[int], np.dtype[np.int64]] | None = None  # (game,): period number
    date: Dates | None = None  # (game,): day of the game
    white_rating_elo: Floats | None = None  # (game,): ratings on the day in Elo points, NaN where unknown
    black_rating_elo: Floats | None = None  # likewise


def outcome_probabilities(difference: Floats, log_draw: float | Floats = -np.inf) -> Floats:
    """The probabilities of loss, draw and win for White; difference (game,): rows sum to 1.

    Examples
    --------
    >>> outcome_probabilities(np.array([0.0]), 0.0).round(3).tolist()
    [[0.333, 0.333, 0.333]]
    """
    score = np.stack([-difference / 2, np.full_like(difference, log_draw), difference / 2], axis=-1)
    share = np.exp(score - score.max(axis=-1, keepdims=True))
    return np.asarray(share / share.sum(axis=-1, keepdims=True))


def round_robin(players: int, cycles: int = 2) -> Schedule:
    """Round robin with colours alternating from cycle to cycle, one period per cycle.

    Parameters
    ----------
    players : int
        Number of players, 2 or more.
    cycles : int
        Number of games of each pair.

    Raises
    ------
    GameTableError
        If there are fewer than two players or no cycle.
    """
    if players < 2 or cycles < 1:
        raise GameTableError("round robin", "2 players or more and 1 cycle or more", f"{players} and {cycles}")
    first, second = (side.astype(np.int32) for side in np.triu_indices(players, 1))
    swapped = (first + second) % 2 == 1  # within a cycle nearly as many Whites as Blacks for each player
    first, second = np.where(swapped, second, first), np.where(swapped, first, second)
    sides = [(first, second) if cycle % 2 == 0 else (second, first) for cycle in range(cycles)]
    period = np.repeat(np.arange(1, cycles + 1, dtype=np.int64), first.size)
    return Schedule(np.concatenate([w for w, _ in sides]), np.concatenate([b for _, b in sides]), period)


def scores_drawn(probability: Floats, chance: np.random.Generator) -> Floats:
    """White's scores drawn from the probabilities of loss, draw and win, shape (game,)."""
    drawn = chance.random(len(probability))[:, None]
    return np.asarray((drawn >= probability.cumsum(axis=1)[:, :2]).sum(axis=1) / 2.0)


def numbered_names(word: str, count: int) -> Texts:
    """Names made of a word and a number, all of one length."""
    return np.array([f"{word} {number:0{len(str(count))}d}" for number in range(1, count + 1)])


def truth_beside(file: Path) -> Path:
    """Path of the true values of simulated results: games.pgn.truth.csv; `GameTableError` if the file has no name."""
    if not file.name:
        raise GameTableError("OUT", "a file to write", f"the folder {printable(str(file))!r}")
    return file.with_name(f"{file.name}.truth.csv")


def simulate(truth: Truth, schedule: Schedule, seed: int | np.random.Generator, name: str = "simulated") -> GameTable:
    """Simulate games drawn from the truth.

    Parameters
    ----------
    truth : Truth
        Strengths, advantages and draw parameter.
    schedule : Schedule
        Sides of each game, White first.
    seed : int or numpy.random.Generator
        The same seed gives the same games.
    name : str
        Name of the data set.

    Returns
    -------
    GameTable
        `simulated` is true; its players are the players of the truth with games.

    Raises
    ------
    GameTableError
        If the schedule breaks a rule of the table (a player against themselves, no games, unknown players).
    """
    chance = np.random.default_rng(seed)
    for side in (schedule.white, schedule.black):
        if side.size and (side.min() < 0 or side.max() >= truth.players.size):
            raise GameTableError("schedule", f"players 0 to {truth.players.size - 1}", "another index")
    probability = outcome_probabilities(truth.difference(schedule.white, schedule.black), truth.log_draw)
    score = scores_drawn(probability, chance)
    order = np.argsort(truth.players)
    rank = np.argsort(order).astype(np.int32)
    games = GameTable(
        truth.players[order], rank[schedule.white], rank[schedule.black], score, period=schedule.period,
        date=schedule.date, white_rating_elo=schedule.white_rating_elo, black_rating_elo=schedule.black_rating_elo,
        name=name, source=name, simulated=True,
    )  # fmt: skip
    return games.take(np.arange(len(games)))
