"""The values of the tags of many games at once: where each begins and ends in a block of bytes."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from halfpoint.games.readers.pgn_scan import WORD_BYTES, Places, Scanned

MISSING = -1


class Cells:
    """Values of tags in the games of a block.

    A line `[Tag "value"]` is told from its bytes, the lines of all games at once. A game with a line that is written
    otherwise (two blanks, a tab, something after the bracket) is looked at with an expression; of a tag that stands
    twice the last value counts.
    """

    def __init__(self, block: Scanned, wanted: Sequence[bytes]) -> None:
        text, lines = block.text, block.lines
        self.text = text
        self.begin = {tag: np.full(block.begin.size, MISSING, dtype=np.int64) for tag in wanted}
        self.end = {tag: np.full(block.begin.size, MISSING, dtype=np.int64) for tag in wanted}
        row = np.flatnonzero(lines.first == ord("["))
        start = lines.start[row]
        game = np.searchsorted(block.begin, start, side="right") - 1
        inside = (game >= 0) & (start < block.headers_end[np.maximum(game, 0)])
        row, start, game = row[inside], start[inside], game[inside]
        buffer = np.frombuffer(text, dtype=np.uint8)
        stop = lines.start[row + 1] - 1  # the line's last byte, without its end
        word = lines.words[start]
        closed = (buffer[stop - 1] == ord("]")) & (buffer[stop - 2] == ord('"'))
        odd = []
        for tag in wanted:
            here = np.flatnonzero(self.matches(lines.words, word, start, b"[" + tag))
            after = start[here] + 1 + len(tag)
            here, after = here[after < stop[here]], after[after < stop[here]]
            blank = (buffer[after] == ord(" ")) | (buffer[after] == ord("\t"))
            here, after = here[blank], after[blank]
            plain = closed[here] & (buffer[after] == ord(" ")) & (buffer[after + 1] == ord('"'))
            plain &= stop[here] - 2 >= after + 2
            odd.append(game[here[~plain]])
            here, after = here[plain], after[plain]
            self.begin[tag][game[here]] = after + 2
            self.end[tag][game[here]] = stop[here] - 2
        expression = re.compile(rb'^\[(%s)[ \t]+"(.*)"\][ \t]*$' % b"|".join(map(re.escape, wanted)), re.MULTILINE)
        for one in np.unique(np.concatenate(odd)).tolist():
            for tag in wanted:
                self.begin[tag][one] = MISSING
            for found in expression.finditer(text, int(block.begin[one]), int(block.headers_end[one])):
                self.begin[found[1]][one], self.end[found[1]][one] = found.span(2)

    @staticmethod
    def matches(words: np.ndarray, first: np.ndarray, start: Places, name: bytes) -> np.ndarray:
        """Return whether a name stands at each place."""
        whole = np.ones(start.size, dtype=bool)
        for at in range(0, len(name), WORD_BYTES):
            part = name[at : at + WORD_BYTES]
            mask = np.uint64((1 << 8 * len(part)) - 1)
            whole &= ((first if at == 0 else words[start + at]) & mask) == np.uint64(int.from_bytes(part, "little"))
        return whole

    def there(self, tag: bytes) -> Any:
        """Return which games have a tag, shape (game,)."""
        return self.begin[tag] != MISSING

    def of(self, tag: bytes, games: Places | slice = slice(None)) -> list[bytes]:
        """Return a tag's values, empty where it is missing."""
        begin, end = self.begin[tag][games], self.end[tag][games]
        text = self.text
        spans = zip(begin.tolist(), np.where(begin == MISSING, MISSING, end).tolist(), strict=True)
        return [text[a:b] for a, b in spans]

    def one(self, tag: bytes, game: int) -> bytes:
        """Return a tag's value in one game that has it."""
        return self.text[self.begin[tag][game] : self.end[tag][game]]
