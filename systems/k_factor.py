r"""K factor by rule, and the weight of a game by its margin.

constant    one K for all
elo         16 for masters, 32 for weaker players (Elo 1978); the border is not stated there, 2400 is used
icc         32 for all (Internet Chess Club; provisional players have another system there)
uscf        32 below 2100, 24 from 2100 to 2400, 16 above (the three bands)
scrabble    20 below 1800, 16 from 1800 to 2000, 10 above; half as much again for the first 50 games (scrabble.py)
fide        40 for the first 30 games and for juniors (until 18) below 2300; 20 while the rating has never reached
2400; 10 ever after 2400 was reached with 30 games (FIDE Rating Regulations from July 2014)

ecf         20, 40 for juniors (English Chess Federation since 1 July 2020; monthly; its performance ratings of players
            with fewer than ten games are left out: they begin from a printed rating or the given start)

A game has the weight G = max(|m|, 1)^lambda by its margin, in any system that learns game by game:

m       goals or points by which a game was won; G is 1 for a draw, a margin of one, and a margin that is not known
lambda  0: results alone; 1/2: ClubElo's, by the square root of the goals between the sides (Schiefler 2012,
        clubelo.com, Adjustment for Goal Difference); tuned here

Elo multiplies K by G. Glicko counts a game G times in the sum of score differences and in the information 1/d^2. Weng
and Lin's step of the mean is multiplied by G, and the variance is multiplied by its ratio to the power G. For any G one
side loses as many points as the other gains, so that the sum of Elo ratings is constant. Goals and points need
different lambda: tune it.
"""

import math
from dataclasses import dataclass

import numpy as np

from halfpoint.models.games.compiled_loops import compile_lazily
from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.table import Floats, GameTable

FOREVER = math.inf


@dataclass(frozen=True)
class KRule:
    """K by games played, age and rating."""

    low: float  #: K below `first_bound_elo`, from there to `second_bound_elo`, and from there on
    middle: float  #: likewise
    high: float  #: likewise
    first_bound_elo: float = FOREVER  #: borders in Elo points
    second_bound_elo: float = FOREVER  #: likewise
    permanent: bool = False  #: whether the highest rating ever counts rather than the present one
    new_k: float = 0.0  #: K while fewer than `new_games` games were played; 0: as for others, times `new_factor`
    new_games: int = 0  #: number of games a player is new for
    junior_k: float = 0.0  #: K for a player younger than `junior_age` years and rated below `junior_below_elo`
    junior_age: float = 0.0  #: see `junior_k`; age 0 means no such rule
    junior_below_elo: float = 0.0  #: likewise
    new_factor: float = 1.0  #: by what K is multiplied while a player is new

    def numbers(self) -> tuple[float, ...]:
        """Rule as the numbers that the compiled loop reads: its fields in order."""
        return tuple(float(number) for number in vars(self).values())


def constant(k: float) -> KRule:
    """Rule with one K for all players."""
    if not k >= 0.0:
        raise RatingSystemError("K", "a number >= 0", repr(k))
    return KRule(k, k, k)


RULES: dict[str, KRule] = {
    "elo": KRule(32.0, 16.0, 16.0, 2400.0),
    "icc": constant(32.0),
    "uscf": KRule(32.0, 24.0, 16.0, 2100.0, 2400.0),
    "fide": KRule(
        20.0, 10.0, 10.0, 2400.0, permanent=True, new_k=40.0, new_games=30, junior_k=40.0, junior_age=18.0,
        junior_below_elo=2300.0,
    ),
    "ecf": KRule(20.0, 20.0, 20.0, junior_k=40.0, junior_age=18.0, junior_below_elo=FOREVER),
    "scrabble": KRule(20.0, 16.0, 10.0, 1800.0, 2000.0, new_games=50, new_factor=1.5),
}  # fmt: skip


@compile_lazily
def k_of(rule: tuple[float, ...], rating_elo: float, games: float, age: float, peak_elo: float) -> float:
    """K for one player, for compiled loops (`KRule.numbers` gives `rule`)."""
    factor = rule[11] if games < rule[7] else 1.0
    if games < rule[7] and rule[6] > 0.0:
        return rule[6] * factor
    if age < rule[9] and rating_elo < rule[10]:
        return rule[8] * factor
    level = peak_elo if rule[5] > 0.0 else rating_elo
    if level < rule[3]:
        return rule[0] * factor
    if level < rule[4]:
        return rule[1] * factor
    return rule[2] * factor


def margin_weight(games: GameTable, exponent: float) -> Floats:
    """Weight G of each game, shape (game,), by its margin and lambda, which is at least 0."""
    if not 0.0 <= exponent < np.inf:
        raise RatingSystemError("margin exponent", "a number >= 0", repr(exponent))
    return np.asarray(np.maximum(np.abs(np.nan_to_num(games.margin)), 1.0) ** exponent)
