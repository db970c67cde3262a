"""Tables in plain text: columns aligned by blanks, as in e-mails, and tables of Markdown and of terminals (| and ---).

Columns are separated by two or more blanks, by a blank at the same place in every line, or by any blank if all lines
have as many words. Lines of dashes are rules.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from halfpoint.models.games.compressed import read_text
from halfpoint.readers.forms import Form, plain_text
from halfpoint.readers.office import player_rows, sentences, tsh
from halfpoint.readers.office.as_text import read_rows
from halfpoint.readers.sources import Source
from halfpoint.readers.words import are_outcomes

_RULE = re.compile(r"\A(?=[\s|+:=_-]*+\Z)(?s:.*?)[-=_]{2}(?s:.*)")
_LINK = re.compile(r"\A\[([^\]]+)\]\([^)\s]*\)\Z")
_EMPHASIS = re.compile(r"\A(\*{1,3}|_{1,3}|~~|`)([^*_~`].*?)\1")
_GAP = re.compile(r"\s{2,}|\t+")
_LEAST_WIDE, _LEAST_LINES = 3, 3


def recognises(path: str, head: bytes) -> bool:
    """True if lines have three or more columns separated by blanks, or by bars with a rule below the header."""
    lines = plain_text(head, b"{[<(;%").splitlines()
    if b"#PIN" in head or any(form.recognises(path, head) for form in (player_rows, sentences, tsh)):
        return False
    if _barred(lines):
        return any(map(_RULE.fullmatch, filter(str.strip, lines)))
    filled = [line for line in lines if line.strip() and not _RULE.fullmatch(line)]
    in_cells = any(mark in line for line in filled[:3] for mark in "\t;|") or all("," in line for line in filled)
    return not in_cells and len(_rows_of(lines)) >= _LEAST_LINES


def _barred(lines: Sequence[str]) -> bool:
    """True if most nonempty lines have cells between bars."""
    filled = [line for line in lines if line.strip()]
    return len(filled) > 2 and 2 * sum(line.count("|") > 1 for line in filled) > len(filled)


def _rows_of(lines: Sequence[str]) -> list[list[str]]:
    """Cells of each line, an empty row for a rule or a blank line; empty if most lines are not rows."""
    if _barred(lines):
        return [[] if _RULE.fullmatch(line) or "|" not in line else
                [_plain(cell.strip()) for cell in line.strip().strip("|").split("|")] for line in lines]  # fmt: skip
    plain_lines = ["" if _RULE.fullmatch(line) else line.expandtabs() for line in lines]
    wide = [line for line in plain_lines if len(_GAP.split(line.strip())) >= _LEAST_WIDE]
    if not wide:
        words = [line.split() for line in plain_lines if line.strip()]
        same = len({*map(len, words)}) == 1 and len(words) > _LEAST_LINES and len(words[0]) >= _LEAST_WIDE
        return words if same and any(are_outcomes([*{*column}]) for column in zip(*words[1:], strict=True)) else []
    if len(wide) < _LEAST_LINES or 3 * len(wide) < 2 * sum(map(bool, map(str.strip, plain_lines))):
        return []
    above = next((line for line in reversed(plain_lines[: plain_lines.index(wide[0])]) if line.strip()), "")
    header = len(above.split()) >= _LEAST_WIDE and above[:1] == " "  # names one blank apart, none above names
    if not header and len({len(_GAP.split(line.strip())) for line in wide}) == 1:
        return [_GAP.split(line.strip()) if line in wide else [line.strip()] for line in plain_lines]
    wide = [above, *wide] if header else wide
    starts = _starts(wide)
    if len(starts) < _LEAST_WIDE:
        return []
    ends = [*starts[1:], None]
    return [[line[a:b].strip() for a, b in zip(starts, ends, strict=True)] if line in wide else [line.strip()]
            for line in plain_lines]  # fmt: skip


def _plain(cell: str) -> str:
    """A cell without the marks of Markdown around it: bold, italics, code, struck, a link."""
    cell = _LINK.sub(r"\1", cell)
    match = _EMPHASIS.fullmatch(cell)
    return _plain(match[2].strip()) if match else cell


def _starts(lines: Sequence[str]) -> list[int]:
    """Offsets of columns: after a position blank in every line, if the first line has a word there."""
    width = max(map(len, lines))
    empty = [all(len(line) <= k or line[k] == " " for line in lines) for k in range(width)]
    starts = [k for k in range(width) if not empty[k] and (k == 0 or empty[k - 1])]
    ends = [*starts[1:], width]
    return [start for start, end in zip(starts, ends, strict=True) if start == starts[0] or lines[0][start:end].strip()]


def columns(file: str | Path, name: str, location: str) -> Source:
    """The columns of a table in plain text."""
    text, sha256 = read_text(file)
    lines = text.splitlines()
    note = "columns parted by bars" if _barred(lines) else "columns aligned by blanks"
    return read_rows(_rows_of(lines), name, location, sha256, [note])


ALIGNED_TEXT = Form(recognises, columns)
