r"""Scores of contracts: points of a result, vulnerability and dealer of a board, notation of contracts.

With level l, strain, doubling x (0, 1 redoubled 2), and r = tricks - (6 + l), the declarer's side scores

    r >= 0:  t = 2^x times 20 l (clubs, diamonds), 30 l (hearts, spades), 30 l + 10 (no-trump);
             t + 50 x + (300 or vulnerable 500 if t >= 100, else 50) + slam (level 6: 500 or 750; 7: 1000 or 1500)
             + r times the trick's value, or doubled 100 x, vulnerable 200 x
    r < 0:   50 or vulnerable 100 a trick; doubled 100, 300, 500 and 300 more each, vulnerable 200 and 300 more each;
             redoubled twice that

The rules in force since 1987, which Krajowski-Kukiel (2011) leaves out; vulnerability and dealer by the board's number.
"""

import re
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import comb

import numpy as np
import numpy.typing as npt

from halfpoint.models.games.table import Codes

Ints = npt.NDArray[np.int64]
_STRAINS = "CDHSN"
SEATS = "NESW"
VULNERABILITIES = ("None", "NS", "EW", "All")  # bit 1: NS, bit 2: EW
_ROUND_OF_BOARDS = np.array([0, 1, 2, 3, 1, 2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 2])
UNKNOWN = -1
PASSED = "P"
_WRITTEN = re.compile(
    r"(?P<level>[1-7])(?P<strain>NT|[CDHSN])(?P<early>X{0,2})(?P<declarer>[NESW]?)(?P<late>X{0,2})"
    r"(?:(?P<made>=)|(?P<result>[+-]\d{1,2}))?"
)
_SUITS = str.maketrans({"♣": "C", "♦": "D", "♥": "H", "♠": "S", "*": "X", "−": "-", "–": "-"})


def number_of_deals() -> int:
    """The number of deals, 52! / (13!)^4; eq. 3.1 of Krajowski-Kukiel (2011) prints 4! times as many.

    Examples
    --------
    >>> f"{number_of_deals():,}"
    '53,644,737,765,488,792,839,237,440,000'
    """
    return comb(52, 13) * comb(39, 13) * comb(26, 13)


@dataclass(frozen=True)
class Contract:
    """A contract and its result."""

    level: int  #: 1 to 7, or 0 for a deal that was passed out
    strain: int = 0  #: clubs 0, diamonds 1, hearts 2, spades 3, no-trump 4
    doubling: int = 0  #: doubled 1, redoubled 2
    declarer: int = UNKNOWN  #: North 0, East 1, South 2, West 3; -1 if not known
    tricks: int = UNKNOWN  #: tricks of the declarer's side, 0 to 13; -1 if not known

    def __str__(self) -> str:
        """Contract in the notation of LIN files: 4SN=, 3NWx-2, P."""
        if self.level == 0:
            return PASSED
        seat = "" if self.declarer == UNKNOWN else SEATS[self.declarer]
        text = f"{self.level}{_STRAINS[self.strain]}{seat}{'x' * self.doubling}"
        if self.tricks == UNKNOWN:
            return text
        over = self.tricks - 6 - self.level
        return f"{text}{over:+d}" if over else f"{text}="


def read_contract(text: str) -> Contract | None:
    """A contract from the text of a score sheet, or None if invalid.

    Examples
    --------
    >>> str(read_contract("3 NT x W -2")), str(read_contract("4♠N="))
    ('3NWx-2', '4SN=')
    >>> read_contract("8S") is None
    True
    """
    word = "".join(text.translate(_SUITS).upper().split())
    if word in ("P", "PASS", "PASSOUT", "PASSEDOUT", "ALLPASS", "AP", "PASSED"):
        return Contract(0)
    match = _WRITTEN.fullmatch(word)
    if match is None or (match["early"] and match["late"]):
        return None
    level = int(match["level"])
    over = 0 if match["made"] else int(match["result"]) if match["result"] else None
    tricks = UNKNOWN if over is None else 6 + level + over
    if over is not None and not 0 <= tricks <= 13:
        return None
    seat = SEATS.index(match["declarer"]) if match["declarer"] else UNKNOWN
    doubling = len(match["early"]) + len(match["late"])
    return Contract(level, _STRAINS.index(match["strain"][0]), doubling, seat, tricks)


def contract_score(
    level: int | Ints | Codes,
    strain: int | Ints | Codes,
    doubling: int | Ints | Codes,
    vulnerable: bool | npt.NDArray[np.bool_],
    tricks: int | Ints | Codes,
) -> Ints:
    """Points of the declarer's side, negative if the contract goes down; arguments as in `Contract`.

    Examples
    --------
    >>> contract_score(3, 4, 0, True, 10).item(), contract_score(4, 3, 1, False, 7).item()
    (630, -500)
    """
    level, strain, x, tricks = (np.asarray(values, dtype=np.int64) for values in (level, strain, doubling, tricks))
    v = np.asarray(vulnerable, dtype=np.int64)
    over = tricks - 6 - level
    trick = np.where(strain <= 1, 20, 30)
    bid = 2**x * (trick * level + np.where(strain == 4, 10, 0))
    won = bid + 50 * x + np.where(bid >= 100, 300 + 200 * v, 50)
    won = won + np.where(level == 6, 500 + 250 * v, np.where(level == 7, 1000 + 500 * v, 0))
    won = won + over * np.where(x == 0, trick, 100 * x * (1 + v))
    down = -over
    doubled = np.where(v == 1, 300 * down - 100, np.where(down <= 3, 200 * down - 100, 300 * down - 400))
    lost = np.where(x == 0, (50 + 50 * v) * down, x * doubled)
    return np.asarray(np.where(level == 0, 0, np.where(over >= 0, won, -lost)))


def score_for_ns(contract: Contract, vulnerability: int) -> int:
    """The points of North and South."""
    if contract.level == 0:
        return 0
    by_ns = contract.declarer % 2 == 0
    vulnerable = bool(vulnerability & (1 if by_ns else 2))
    points = int(contract_score(contract.level, contract.strain, contract.doubling, vulnerable, contract.tricks))
    return points if by_ns else -points


def vulnerability_of(board: int | Ints | Codes) -> Ints:
    """Vulnerability of a board by its number, from 1: 0 none, 1 NS, 2 EW, 3 all (`VULNERABILITIES`)."""
    return np.asarray(_ROUND_OF_BOARDS[(np.asarray(board, dtype=np.int64) - 1) % 16])


@cache
def possible_scores() -> Ints:
    """Possible scores of a contract for one side, sorted; the largest, 7600, is redoubled 13 down."""
    cases = np.array(list(product(range(1, 8), range(5), range(3), (0, 1), range(14))))
    level, strain, doubling, vulnerable, tricks = cases.T
    points = contract_score(level, strain, doubling, vulnerable == 1, tricks)
    return np.unique(np.concatenate([points, -points, [0]]))
