r"""FIDE's title norms: tests of a performance in an event against the level of a grandmaster or international master.

    R_p = R_a + d_p,   R_a the opponents' mean, rounded,   d_p from table 8.1a at the percentage, rounded

    norm    R_p at least    R_a at least    floor of the lowest opponent    titled opponents of this title or above
    GM      2600            2380            2200                            a third, three at least
    IM      2450            2230            2050                            a third, three at least
    WGM     2400            2180            2000                            a third, three at least
    WIM     2250            2030            1850                            a third, three at least

At least nine games; half of the opponents titled (CM and WCM do not count); an unrated opponent counts as 1400; the
lowest opponent is raised to the floor; opponents from two federations other than the player's own, at most 3/5 from the
player's own and 2/3 from any single federation. Requirements not covered by the data are not judged.

FIDE Handbook B.01, Title Regulations effective 1 January 2024, 1.4.1 and 1.4.3 to 1.4.9. Exemptions of 1.4.3 (national
championships, large Swisses), unplayed rounds, double rounds (1.4.5.6), pace and arbiters are left to the arbiter.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from halfpoint.models.games.table import Floats
from halfpoint.systems.fide_table import difference_by_steps

EDITION = "FIDE Title Regulations, 1 January 2024"
LEAST_GAMES = 9
_UNRATED_ELO = 1400.0
_TITLED = ("GM", "IM", "FM", "WGM", "WIM", "WFM")


@dataclass(frozen=True)
class _Norm:
    """Requirements of a title norm."""

    title: str  #: GM, IM, WGM or WIM
    performance_elo: float  #: least performance, least mean of the opponents, and the floor of the lowest opponent
    opponents_elo: float
    floor_elo: float
    counted: tuple[str, ...]  #: titles of opponents that count for the third


NORMS = (
    _Norm("GM", 2600.0, 2380.0, 2200.0, ("GM",)),
    _Norm("IM", 2450.0, 2230.0, 2050.0, ("GM", "IM")),
    _Norm("WGM", 2400.0, 2180.0, 2000.0, ("GM", "IM", "WGM")),
    _Norm("WIM", 2250.0, 2030.0, 1850.0, ("GM", "IM", "WGM", "WIM")),
)


@dataclass(frozen=True)
class NormFound:
    """Comparison of an event with a norm."""

    title: str  #: the norm's title
    performance_elo: float  #: R_p and R_a by the rule
    opponents_elo: float
    missed: tuple[str, ...]  #: requirements that are not met; none: the numbers support the norm

    @property
    def holds(self) -> bool:
        """True if no assessable requirement is missed."""
        return not self.missed


def norm_of(
    norm: _Norm,
    opponents_elo: Floats,
    score: Floats,
    titles: Sequence[str] | None = None,
    federations: Sequence[str] | None = None,
    own_federation: str = "",
) -> NormFound:
    """Comparison of one player's event with a norm: opponents_elo (game,), NaN if unrated, and score (game,).

    Titles and federations of the opponents are "" if absent; `own_federation` is the player's, "" if unknown.

    Examples
    --------
    >>> found = norm_of(NORMS[0], np.full(9, 2475.0), np.array([1, 1, 1, 1, 0.5, 0.5, 0.5, 0.5, 0]))
    >>> found.performance_elo, found.holds
    (2600.0, True)
    """
    games = score.size
    rating = np.where(np.isnan(opponents_elo), _UNRATED_ELO, opponents_elo)
    lowest = int(np.argmin(rating))
    rating[lowest] = max(rating[lowest], norm.floor_elo)
    mean = math.floor(float(rating.mean()) + 0.5)
    performance = mean + float(difference_by_steps(np.array([score.mean()]))[0])
    met = {
        f"{LEAST_GAMES} games": games >= LEAST_GAMES,
        f"opponents of {norm.opponents_elo:.0f} on average": mean >= norm.opponents_elo,
        f"a performance of {norm.performance_elo:.0f}": performance >= norm.performance_elo,
    }
    if titles is not None:
        needed, word = max(3, math.ceil(games / 3)), " or ".join(norm.counted)
        met["half of the opponents titled"] = sum(title in _TITLED for title in titles) >= games / 2
        met[f"{needed} opponents with the title {word}"] = sum(title in norm.counted for title in titles) >= needed
    if federations is not None and own_federation:
        foreign = [federation for federation in federations if federation and federation != own_federation]
        most = max((federations.count(federation) for federation in set(foreign)), default=0)
        met["opponents of two other federations"] = len(set(foreign)) >= 2
        met["a mix of federations"] = games - len(foreign) <= 3 * games // 5 and most <= 2 * games // 3
    missed = tuple(words for words, holds in met.items() if not holds)
    return NormFound(norm.title, performance, mean, missed)
