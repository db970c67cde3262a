"""Verdicts on the printed numbers of any paper: match, near, misprint, slip, or not reproducible, and the rule.

`reproduce` takes one `Cell` for each printed number: the printed digits, the recomputed number, its error, and possible
explanations of a difference. docs/reproduce-a-paper.md does two small studies with it, `halfpoint study` a large one.

A printed number matches if the recomputed number, rounded or cut off to the printed digits, is within `TOLERANCE` Monte
Carlo standard errors of it, the study's errors included. Otherwise the explanations are tried in order, and the first
explanation whose own value gives the printed digits is the verdict. An explanation is a number that a known rule gives,
or a set of texts that a known misprint gives. A number within `NEAR` units of its last digit without an explanation is
near: one wrong digit would explain almost any such number, so that this misprint is not tried.

Misprints are functions: from the right digits as text ("1612.37") to every text one such slip of the pen away.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal

import pandas as pd

COLUMNS = ("source", "place", "row", "column", "printed", "ours", "difference", "mc_error", "verdict", "rule")
KINDS = ("match", "near", "misprint", "slip", "not reproducible")
NEAR = 2.0  # units of the last printed digit
_UNKNOWN = "not reproducible: no known rule gives it"
TOLERANCE = 4.0  # Monte Carlo standard errors: 1,700 cells compared, so 3 would fail a handful by chance alone


@dataclass(frozen=True)
class Explanation:
    """Rule that gives another number."""

    verdict: str  #: "misprint", "slip: ..." or "not reproducible: ..."
    rule: str  #: name of the function that reproduces the printed value
    value: float | None = None  #: result of the rule
    mc_error: float = 0.0  #: Monte Carlo error of it
    texts: frozenset[str] = frozenset()  #: printed texts that the rule can give, instead of a value

    def gives(self, printed: str) -> bool:
        """True if the rule gives the printed digits."""
        if self.value is not None and agrees(printed, self.value, self.mc_error):
            return True
        return printed in self.texts


@dataclass(frozen=True)
class Cell:
    """One printed number and ours."""

    source: str  #: place in the source
    place: str  #: likewise
    row: str  #: likewise
    column: str  #: likewise
    printed: str  #: the digits, as printed
    ours: float | None  #: our value; None if this run cannot give one
    mc_error: float = 0.0  #: Monte Carlo standard error of the difference, the paper's included
    rule: str = ""  #: rule that our value depends on, if any
    #: tried in order where the number does not match
    explanations: Sequence[Explanation] = field(default_factory=tuple)
    otherwise: str = _UNKNOWN  #: verdict if nothing explains the number
    #: the whole column or row is known to be of the first explanation, so a near value of ours is chance
    faulted: bool = False
    cut: bool = True  #: digits that are cut off, not rounded, count as a match; not so for counts


def agrees(printed: str, value: float, mc_error: float = 0.0) -> bool:
    """True if a value gives the printed digits, rounded or truncated, within the Monte Carlo error."""
    unit = 10.0 ** -decimals(printed)
    gap = value - float(printed)
    slack = TOLERANCE * mc_error + 1e-9
    return -unit / 2 - slack <= gap <= unit + slack if float(printed) >= 0 else abs(gap) <= unit + slack


def misprint(ours: float, printed: str, rule: Callable[[str], set[str]]) -> Explanation:
    """Explanation of printed digits as a misprint of ours, rounded or truncated."""
    places = decimals(printed)
    spellings = {
        write(ours, count)
        for write in (round_half_up, truncated)
        for count in (places - 1, places, places + 1)
        if count >= 0
    }
    wrong = {text for spelling in spellings for text in rule(spelling)}
    texts = frozenset(wrong | {text + "0" for text in wrong})
    if rule is one_digit_wrong:
        texts = frozenset(text for text in texts if not _is_near(text, ours))
    return Explanation("misprint", rule.__name__, texts=texts)


def _is_near(printed: str, value: float) -> bool:
    """True if a value is within `NEAR` units of the last printed digit."""
    return abs(value - float(printed)) <= NEAR * 10.0 ** -decimals(printed) + 1e-9


def judge(cell: Cell) -> tuple[str, str]:
    """Verdict on a cell and the rule for it."""
    if cell.faulted:
        return cell.explanations[0].verdict, cell.explanations[0].rule
    if cell.ours is not None and (agrees if cell.cut else agrees_rounded)(cell.printed, cell.ours, cell.mc_error):
        cut = not agrees_rounded(cell.printed, cell.ours, cell.mc_error)
        return "match", "; ".join(part for part in (cell.rule, "truncated" if cut else "") if part)
    for explanation in cell.explanations:
        if explanation.gives(cell.printed):
            return explanation.verdict, explanation.rule
    if cell.ours is not None and cell.otherwise == _UNKNOWN and _is_near(cell.printed, cell.ours):
        return "near: unexplained", ""
    return cell.otherwise, cell.rule if cell.otherwise == "match" else ""


def agrees_rounded(printed: str, value: float, mc_error: float) -> bool:
    """True if a value rounds to the printed digits within the Monte Carlo error."""
    return abs(value - float(printed)) <= 0.5 * 10.0 ** -decimals(printed) + TOLERANCE * mc_error + 1e-9


def row_of(cell: Cell) -> tuple[object, ...]:
    """The row of the table of printed numbers for a cell."""
    ours = float("nan") if cell.ours is None else cell.ours
    position = cell.source, cell.place, cell.row, cell.column, cell.printed
    return *position, ours, ours - float(cell.printed), cell.mc_error, *judge(cell)


def reproduce(cells: Iterable[Cell]) -> pd.DataFrame:
    """Compare a paper's printed numbers with the recomputed ones: verdicts and rules that explain them.

    Parameters
    ----------
    cells : iterable of Cell
        One for each printed number.

    Returns
    -------
    DataFrame
        source, place, row, column, printed (text), ours, difference (ours minus printed), mc_error, verdict ("match",
        "near: unexplained", "misprint", "slip: ...", "not reproducible: ..."), rule.

    Examples
    --------
    >>> cells = [
    ...     Cell("a paper", "table 1", "home", "estimate", "0.30", 0.3023),
    ...     Cell("a paper", "table 1", "away", "estimate", "0.21", 0.12, explanations=[
    ...         misprint(0.12, "0.21", transposed_digits)]),
    ... ]
    >>> reproduce(cells)[["printed", "ours", "verdict", "rule"]].to_numpy().tolist()
    [['0.30', 0.3023, 'match', ''], ['0.21', 0.12, 'misprint', 'transposed_digits']]
    """
    return pd.DataFrame(map(row_of, cells), columns=list(COLUMNS))


def verdict_line(table: pd.DataFrame) -> str:
    """Counts of verdicts in one line, for a README or a terminal."""
    kind = table["verdict"].str.partition(":")[0].value_counts()
    parts = [f"{kind.get(name, 0)} {name}" for name in KINDS]
    return f"{len(table)} printed numbers: " + ", ".join(parts)


def decimals(printed: str) -> int:
    """Number of decimals of a printed number.

    Examples
    --------
    >>> decimals("570.46"), decimals("46")
    (2, 0)
    """
    return len(printed.partition(".")[2])


def round_half_up(value: float, places: int) -> str:
    """A number rounded half up to some decimals.

    Examples
    --------
    >>> round_half_up(59.985, 2)
    '59.99'
    """
    return str(Decimal(repr(value)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP))


def truncated(value: float, places: int) -> str:
    """A number cut off, not rounded, after some decimals.

    Examples
    --------
    >>> truncated(8947.48, 1)
    '8947.4'
    """
    return str(Decimal(repr(value)).quantize(Decimal(1).scaleb(-places), ROUND_DOWN))


def transposed_digits(text: str) -> set[str]:
    """The texts with two neighbouring digits exchanged.

    Examples
    --------
    >>> "1621.36" in transposed_digits("1612.36")
    True
    """
    texts = set()
    for place in range(len(text) - 1):
        first, second = text[place], text[place + 1]
        if first.isdigit() and second.isdigit() and first != second:
            texts.add(text[:place] + second + first + text[place + 2 :])
        if place + 2 < len(text) and second == "." and text[place + 2].isdigit() and first.isdigit():
            texts.add(text[:place] + text[place + 2] + "." + first + text[place + 3 :])
    return texts - {text}


def one_digit_wrong(text: str) -> set[str]:
    """The texts with exactly one digit changed.

    Examples
    --------
    >>> "0.677" in one_digit_wrong("0.667")
    True
    """
    places = [place for place, old in enumerate(text) if old.isdigit()]
    return {text[:place] + new + text[place + 1 :] for place in places for new in "0123456789"} - {text}


def digit_lost(text: str) -> set[str]:
    """The texts with one digit left out.

    Examples
    --------
    >>> "504.5" in digit_lost("504.05")
    True
    """
    return {text[:place] + text[place + 1 :] for place, old in enumerate(text) if old.isdigit()} - {text}
