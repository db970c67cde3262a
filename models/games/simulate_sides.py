r"""Games between sides of several people, from known strengths: doubles whose partners change or stay.

x = mean of White's strengths + delta - mean of Black's         outcomes as in `halfpoint.models.games.simulate`
y = x + s e, e normal or Student t of four degrees of freedom   margins, in their own unit
"""

from dataclasses import dataclass

import numpy as np

from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.ranges import TAILS, require_word
from halfpoint.models.games.sides import Sides, code_sides
from halfpoint.models.games.simulate import Truth, outcome_probabilities, scores_drawn
from halfpoint.models.games.table import Codes, Floats, GameTable, Texts
from halfpoint.models.games.units import ELO_PER_NATURAL

DEGREES = 4.0


def meetings(
    people: int, games: int, seed: int | np.random.Generator, size: int = 2, steady: bool = False
) -> tuple[Codes, Codes]:
    """People on White's and on Black's side of each game, each of shape (game, size)."""
    if size < 1 or games < 1 or people < 2 * size:
        raise GameTableError("sides", f"{2 * size} people or more and a game or more", f"{people} and {games}")
    chance = np.random.default_rng(seed)
    if steady:
        teams = people // size
        white = chance.integers(0, teams, games)
        black = (white + chance.integers(1, teams, games)) % teams
        seats = np.arange(size)
        return (white[:, None] * size + seats).astype(np.int32), (black[:, None] * size + seats).astype(np.int32)
    drawn = np.argsort(chance.random((games, people)), axis=1)[:, : 2 * size].astype(np.int32)
    return drawn[:, :size], drawn[:, size:]


def simulate_sides(
    truth: Truth, white: Codes, black: Codes, seed: int | np.random.Generator, name: str = "simulated"
) -> GameTable:
    """Simulate games between sides drawn from the truth.

    Parameters
    ----------
    truth : Truth
        Strengths of people, common advantage, draw parameter.
    white, black : array of int32, shape (game, seat)
        People on each side, indexes into the truth's players.
    seed : int or numpy.random.Generator
        The same seed gives the same games.
    name : str
        Name of the data set.

    Returns
    -------
    GameTable
        With `simulated` true.
    """
    chance = np.random.default_rng(seed)
    gap = truth.strength[white].mean(axis=1) - truth.strength[black].mean(axis=1) + float(truth.advantage)
    score = scores_drawn(outcome_probabilities(gap, truth.log_draw), chance)
    players, first, second, sides = _sides_of(truth.players, white, black, name)
    return GameTable(players, first, second, score, name=name, source=name, simulated=True, sides=sides)


def _sides_of(players: Texts, white: Codes, black: Codes, name: str) -> tuple[Texts, Codes, Codes, Sides]:
    """Sides of games whose people, shape (game, seat), all play the whole game; see `code_sides`."""
    names = players.tolist()
    sides = [{names[k]: 1.0 for k in side} for side in np.concatenate([white, black]).tolist()]
    codes = np.arange(len(white), dtype=np.int32)
    return code_sides(sides, codes, codes + np.int32(len(white)), name)


def elo_per_unit(width: float, tails: str = "normal") -> float:
    """Elo points of a unit of the margin between equals: 4 dE/dd (400 / ln 10), d the difference of sides.

    E counts margins that round to 0 as draws, so that dE/dd is the density at 1/2: f(1 / (2 s)) / s.

    Examples
    --------
    >>> round(elo_per_unit(1.6), 1)
    165.0
    """
    z = 0.5 / width
    density = np.exp(-0.5 * z**2) / np.sqrt(2 * np.pi) if tails == "normal" else 0.375 * (1 + z**2 / DEGREES) ** -2.5
    return float(4.0 * ELO_PER_NATURAL * density / width)


@dataclass(frozen=True, eq=False)
class MarginTruth:
    """Parameters of simulated margins, in their own unit."""

    players: Texts  # (player,), names
    strength: Floats  # (player,)
    spread: float | Floats  # s, of each game or of all
    advantage: float = 0.0  # delta
    whole: bool = True  # whether margins are whole numbers
    tails: str = "normal"  # one of `TAILS`

    def __post_init__(self) -> None:
        require_word("--tails", self.tails, TAILS, GameTableError)


def simulate_margins(
    truth: MarginTruth, white: Codes, black: Codes, seed: int | np.random.Generator, name: str = "simulated"
) -> GameTable:
    """Simulate games with margins around the difference of the sides' mean strengths; white, black (game, seat)."""
    chance = np.random.default_rng(seed)
    gap = truth.strength[white].mean(axis=1) - truth.strength[black].mean(axis=1) + truth.advantage
    drawn = chance.standard_normal(gap.size) if truth.tails == "normal" else chance.standard_t(DEGREES, gap.size)
    margin = gap + truth.spread * drawn
    margin = np.rint(margin) if truth.whole else margin
    names, first, second, sides = _sides_of(truth.players, white, black, name)
    return GameTable(
        names, first, second, (1.0 + np.sign(margin)) / 2.0, covariates={"margin": margin}, name=name, source=name,
        simulated=True, sides=None if white.shape[1] == 1 else sides,
    )  # fmt: skip
