"""Players of a PGN file: a number for each name and FIDE id, from which their names in the table follow."""

import re
from collections.abc import Sequence

from halfpoint.models.games.compressed import decode
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.table import Codes, Texts
from halfpoint.readers.days import UNKNOWN
from halfpoint.readers.identity import names_of_players
from halfpoint.readers.pgn_values import BYE, FAULT, NOBODY, Known, shown
from halfpoint.readers.set_apart import is_bye

ID_TAGS = (b"WhiteFideId", b"BlackFideId")
IN_A_BLOCK = b'FideId "'  # of text, if a game of it has an id
_BETWEEN = b"\0"  # name and id
_NO_ID = re.compile(r"-?0+")
_NAME_LIMIT, _ID_LIMIT = 200, 40


class PlayerCodes:
    """Distinct players, numbered in order of occurrence; `codes` has the number of each name, or name and id."""

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
            return NOBODY if text in UNKNOWN else BYE
        if len(text) > _NAME_LIMIT:
            raise GameTableError("White or Black", f"a name of at most {_NAME_LIMIT} characters", shown(raw))
        if len(number) > _ID_LIMIT:
            raise GameTableError("WhiteFideId", f"an id of at most {_ID_LIMIT} characters", repr(number[:60]))
        number = "" if number in UNKNOWN or _NO_ID.fullmatch(number) else number
        self.with_ids |= bool(number)
        return self.code_of.setdefault((text, number), len(self.code_of))

    def named(self, white: Codes, black: Codes) -> tuple[Texts, Codes, Codes, list[str]]:
        """The names of the players of two columns of numbers, sorted, codes into them, and notes, a line each."""
        return names_of_players(list(self.code_of), white, black, self.with_ids)
