"""Values of PGN tags as numbers and codes, each distinct value parsed once.

Players have a number for each name and FIDE id, from which their names in the table follow.
"""

import math
import re
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from halfpoint.models.games.compressed import decode
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.periods import clock_of
from halfpoint.models.games.table import Codes, Dates, Texts
from halfpoint.readers.column_values import Values, parse_date, parse_rating
from halfpoint.readers.days import UNKNOWN
from halfpoint.readers.identity import NO_ID, names_of_players
from halfpoint.readers.result_cells import FORFEIT, kinds_of, without_tail
from halfpoint.readers.set_apart import is_bye
from halfpoint.readers.words import parse_score

SIMULATED = "Simulated"  # the tag of generated games
UNFINISHED = b"*"
FAULT = -3  # of an invalid value
_FAULTY_NUMBER = math.inf
_UNKNOWN_DAY = -(2**31)
_TEXT_LIMIT = 120  # a FEN has up to 92
_UNKNOWN_PART = re.compile(r"(\d{4})(?:[-./](\d\d))?(?:[-./]00)*")
_CACHE_LIMIT = 200_000


class Known[K, T](dict[K, T]):
    """Values by their text, each parsed once; `fault` marks a refused one."""

    def __init__(self, parse: Callable[[K], T], fault: T, limit: int = _CACHE_LIMIT) -> None:
        super().__init__()
        self.parse, self.fault, self.limit = parse, fault, limit

    def __missing__(self, raw: K) -> T:
        try:
            value = self.parse(raw)
        except GameTableError:
            value = self.fault
        if len(self) < self.limit:
            self[raw] = value
        return value

    def of(self, raws: Sequence[K], dtype: npt.DTypeLike = np.float64) -> Values:
        """Parsed values of many texts, same shape."""
        return np.fromiter(map(self.__getitem__, raws), dtype=dtype, count=len(raws))


class TagTexts:
    """Distinct texts, numbered in order of occurrence; `codes` has the number of each tag's value."""

    def __init__(self) -> None:
        self.code_of_text: dict[str, int] = {}
        self.codes = Known(self.code, FAULT, limit=2**62)

    def code(self, raw: bytes) -> int:
        """The code of a tag's value."""
        return self.code_of_text.setdefault(" ".join(decode(raw).split())[:_TEXT_LIMIT], len(self.code_of_text))

    def array(self) -> Texts:
        """The texts, shape (code,)."""
        return np.array(list(self.code_of_text) or [""], dtype=np.str_)


class TagCodes:
    """Tags of every game, with the distinct values of each."""

    FORFEITED, NOT_PLAYED = -1.0, -2.0  # in place of a score
    FAULTY_DAY = -(2**31) + 1

    def __init__(self) -> None:
        self.score_of = Known(self.score, _FAULTY_NUMBER)
        self.rating_of = Known(self.rating, _FAULTY_NUMBER)
        self.day_of = Known(self.day, self.FAULTY_DAY)
        self.clock_of: Known[bytes, float] = Known(lambda raw: clock_of(decode(raw[:_TEXT_LIMIT])), math.nan)

    def score(self, raw: bytes) -> float:
        """White's score; `FORFEITED` or `NOT_PLAYED` for such results."""
        text = decode(raw).strip()
        if text in UNKNOWN:
            return self.NOT_PLAYED
        kind = kinds_of((text, "1/2-1/2")).get(text)
        if kind is not None:
            return self.FORFEITED if kind == FORFEIT else self.NOT_PLAYED
        return _parsed(lambda text: parse_score(without_tail(text)), raw, "Result", "a result: 1-0, 0-1, 1/2-1/2 or *")

    def rating(self, raw: bytes, tag: str = "WhiteElo") -> float:
        """A rating in Elo points, NaN if unknown; a PGN rating of 0 is an unknown one."""
        return _parsed(parse_rating, raw, tag, "a rating, a number from 0 to 4000")

    def day(self, raw: bytes) -> int:
        """Days since 1970, `_UNKNOWN_DAY` if a part of the date is unknown."""
        unknown = _UNKNOWN_PART.fullmatch(decode(raw).strip())
        date = _parsed(parse_date, b"?" if unknown else raw, "Date", "a day of the calendar, such as 2012.11.30")
        return _UNKNOWN_DAY if np.isnat(date) else int(date.astype(np.int64))

    def days(self, days: npt.NDArray[np.int32]) -> Dates:
        """Dates for days since 1970, NaT for `_UNKNOWN_DAY`."""
        return np.where(days == _UNKNOWN_DAY, np.datetime64("NaT", "D"), days.astype(np.int64).astype("datetime64[D]"))


def _parsed[T](parse: Callable[[str], T], raw: bytes, tag: str, expected: str) -> T:
    """Value of a tag's text; `GameTableError` with the tag as its place if it is not the expected one."""
    try:
        return parse(decode(raw).strip())
    except ValueError:
        raise GameTableError(tag, expected, shown(raw)) from None


def shown(raw: bytes) -> str:
    """A tag's value for a message."""
    return repr(decode(raw[:60]))


_BETWEEN = b"\0"  # name and id
_NAME_LIMIT, _ID_LIMIT = 200, 40


class PlayerCodes:
    """Distinct players, numbered in order of occurrence; `codes` has the number of each name, or name and id."""

    NOBODY, BYE = -1, -2
    ID_TAGS = (b"WhiteFideId", b"BlackFideId")
    IN_A_BLOCK = b'FideId "'  # of text, if a game of it has an id

    def __init__(self) -> None:
        self.code_of: dict[tuple[str, str], int] = {}
        self.codes = Known(self.code, FAULT, limit=2**62)
        self.with_ids = False

    @staticmethod
    def with_id(names: Sequence[bytes], ids: Sequence[bytes]) -> list[bytes]:
        """Names and ids as what `code` takes."""
        return [name + _BETWEEN + player_id if player_id else name for name, player_id in zip(names, ids, strict=True)]

    def code(self, raw: bytes) -> int:
        """The number of a player, `NOBODY` or `BYE`."""
        text, _, number = (" ".join(decode(part).split()) for part in raw.partition(_BETWEEN))
        if text in UNKNOWN or is_bye(text):
            return self.NOBODY if text in UNKNOWN else self.BYE
        if len(text) > _NAME_LIMIT:
            raise GameTableError("White or Black", f"a name of at most {_NAME_LIMIT} characters", shown(raw))
        if len(number) > _ID_LIMIT:
            raise GameTableError("WhiteFideId", f"an id of at most {_ID_LIMIT} characters", repr(number[:60]))
        number = "" if number in UNKNOWN or NO_ID.fullmatch(number) else number
        self.with_ids |= bool(number)
        return self.code_of.setdefault((text, number), len(self.code_of))

    def named(self, white: Codes, black: Codes) -> tuple[Texts, Codes, Codes, list[str]]:
        """The names of the players of two columns of numbers, sorted, codes into them, and notes, a line each."""
        return names_of_players(list(self.code_of), white, black, self.with_ids)
