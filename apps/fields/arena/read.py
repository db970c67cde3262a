"""Judgements between two answers: arenas of language models, preferences of people, crowds, engines.

Judgements are read as games (`halfpoint.readers.read`): the answer shown first is White, and a word is the
verdict. Columns about a judgement are kept as texts: `judge`, `prompt`, `category`, `language`. If both answers are bad
the judgement is a tie with `both_bad` 1, or dropped on request. Style is the form of an answer, not its content: its
length and its markup. A style column is the difference of the two answers as a share of their sum, (a - b) / (a + b),
divided by its standard deviation around 0, so that exchanging the two answers only changes its sign.

Judgements of any number are summed by pair and outcome while they are read: single judgements are not kept, so that
style, judges and dates are not available; a board without style and judges is unchanged.

Chiang et al. (2024) arXiv 2403.04132 for arenas; the shares follow the arenas' style control (2024).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.keywords import passed_keywords
from halfpoint.models.games.periods import concatenate_tables
from halfpoint.models.games.plain_words import plain_word
from halfpoint.models.games.table import GRADE, Floats, GameTable
from halfpoint.readers.build_table import build_table, read_table
from halfpoint.readers.column_names import assign_columns
from halfpoint.readers.read import open_table
from halfpoint.readers.words import ABOUT, list_names

_SHOWN = {"item": ("left", "right"), "team": ("home", "away")} | dict.fromkeys(("player", "engine"), ("White", "Black"))
PLAYED = ("engine", "team", "player")  # who play games; the others are judged
_STYLES = {  # name: words of the columns, {} for a and b
    "length": (
        *("sumassistant{}tokens", "tokens{}", "length{}", "len{}", "{}tokens", "tokencount{}", "assistant{}tokens"),
        *("conversation{}", "response{}", "answer{}"),  # measured in words
    ),
    "headers": ("headercount{}", "headers{}"),
    "lists": ("listcount{}", "lists{}"),
    "bold": ("boldcount{}", "bold{}"),
}
_TEXTS = ("response", "answer")  # columns of answers themselves, whose words are counted
_SIDES = (("a", "b"), ("1", "2"), ("left", "right"), ("x", "y"))


@dataclass(frozen=True, eq=False)
class Judgements:
    """Judgements as games, and the names of the field."""

    #: who is shown first is White; covariates judge, prompt, category, language (text), both_bad (0 or 1), styles
    games: GameTable
    noun: str  #: noun of the compared: model, engine, item, ...
    sides: tuple[str, str] = ("first shown", "second shown")  #: names of the two seats
    #: style columns and the standard deviation, around 0, that each was divided by
    style: dict[str, float] = field(default_factory=dict)
    account: tuple[str, ...] = ()  #: how the source was read, a line each
    #: of each style its median count in an answer, and its unit
    typical: dict[str, tuple[float, str]] = field(default_factory=dict)

    @property
    def unit(self) -> str:
        """Unit of a row: a game, or a judgement."""
        return "game" if self.noun in PLAYED else "judgement"


def read_judgements(
    battles: object, /, style: Sequence[str] = (), *, columns: Mapping[str, str] | None = None,
    covariates: Sequence[str] = (), ignore: Sequence[str] = (), about: Sequence[str] = (),
    outcomes: str | Mapping[str, object] | None = None, date_format: str | None = None, scored: bool = True,
    sides: str | None = None, better: str | None = None, rope: float | None = None, form: str | Path | None = None,
    delimiter: str | None = None, faulty: str = "error", trust: bool = False, name: str | None = None,
    source: str | None = None, kind: str | None = None,
) -> Judgements:  # fmt: skip
    """Read the judgements of a file or a data frame; options of `ReaderOptions`, style ("all",) selects all."""
    return judgements_of(battles, style, passed_keywords(read_judgements, locals()))


def judgements_of(source: object, style: Sequence[str] = (), options: Mapping[str, Any] | None = None) -> Judgements:
    """Judgements of a file or a data frame by options of the reader; see `read_judgements`."""
    settings = dict(options or {})
    opened, reading = open_table(source, settings.pop("kind", None), settings)
    present = [name for name in opened.names if name not in set(reading.ignore)]
    pairs = _style_columns(present, style, opened.where)
    counts = dict.fromkeys(column for pair in pairs.values() for side in pair for column in side)
    reading = replace(reading, about=tuple(ABOUT), covariates=(*reading.covariates, *counts))
    assigned = assign_columns(opened, reading, read_table)
    games = build_table(opened, assigned, reading)
    covariates: dict[str, Floats] = {}
    alone = ""
    for about in filter(games.covariates.__contains__, ABOUT):
        cells = games.covariates[about]
        if about == "judge":
            _check_judges(games, assigned.columns[about])
        if about == "prompt" and np.unique(cells).size == len(games):
            alone = f"prompt {assigned.columns[about]}: different in every row, so not informative"
        else:
            covariates[about] = np.where(cells == "", "unknown", cells)
    scales: dict[str, float] = {}
    typical: dict[str, tuple[float, str]] = {}
    for key, sides in pairs.items():
        counts_of = [sum_columns(games, side) for side in sides]
        typical[key] = float(np.median(np.concatenate(counts_of))), _unit_of(key, sides[0][0])
        covariates[key], scales[key] = _shares(counts_of[0], counts_of[1], key, opened.where)
    covariates["both_bad"] = games.covariates.get("both_bad", np.zeros(len(games)))
    descriptions = [f"{key} {column}" for key, column in assigned.columns.items()]
    descriptions += [f"style {key} ({len(pair[0])} + {len(pair[1])} columns)" for key, pair in pairs.items()]
    first, second, ties = (f"{int(np.sum(games.score == score)):,}" for score in (1.0, 0.0, 0.5))
    outcomes = f"outcomes: {first} first, {second} second, {ties} ties"
    if GRADE in games.covariates:
        outcomes += f"; much better in {int(np.sum(games.grade > 1)):,} of them"
    idle = [column for column in games.covariates if column not in {*covariates, *ABOUT, *counts, "neutral", GRADE}]
    idle_words = f"unused columns of numbers: {', '.join(idle)}" if idle else ""
    read_columns = {*assigned.every.values(), *counts}
    unread = dict.fromkeys(
        name.partition(".")[0] for name in opened.names if name in opened.nested and name not in read_columns
    )
    unread_words = f"unused nested columns: {', '.join(unread)}" if unread else ""
    account = (
        f"columns: {', '.join(descriptions)}",
        outcomes,
        *filter(None, (*games.notes, alone, idle_words, unread_words)),
    )
    own_columns = ("neutral", GRADE, *(options or {}).get("covariates", ()))
    own_covariates = {key: value for key, value in games.covariates.items() if key in own_columns}
    games = replace(games, covariates=own_covariates | covariates, notes=())
    noun = assigned.noun or "model"
    return Judgements(games, noun, _SHOWN.get(noun, ("first shown", "second shown")), scales, account, typical)


def read_criteria(
    source: object, criteria: Sequence[str], style: Sequence[str] = (), options: Mapping[str, Any] | None = None
) -> Judgements:
    """Read judgements by several criteria, one column of verdicts each; see `read_judgements`.

    The covariates are `criterion` and `battle`, the line or row of the judgement.
    """
    if len(set(criteria)) < max(len(criteria), 2):
        raise GameTableError("--criteria", "two or more columns of verdicts", repr(",".join(criteria)))
    parts: list[Judgements] = []
    for criterion in criteria:
        columns = {**(options or {}).get("columns", {}), "winner": criterion}
        ignore = (*(options or {}).get("ignore", ()), *(name for name in criteria if name != criterion))
        parts.append(judgements_of(source, style, {**(options or {}), "columns": columns, "ignore": ignore}))
    first, tables = parts[0], [part.games for part in parts]
    games, line = concatenate_tables(tables), np.concatenate([table.line for table in tables])  # readers know lines
    covariates = {
        **games.covariates,
        "criterion": np.repeat(criteria, [*map(len, tables)]),
        "battle": line.astype(np.str_),
    }
    outcomes = [f"{criterion}: {part.account[1]}" for criterion, part in zip(criteria, parts, strict=True)]
    games = replace(games, covariates=covariates, line=line, counts=first.games.counts, period=None, notes=())
    return replace(first, games=games, account=(first.account[0], *outcomes, *first.account[2:]))


def _unit_of(style: str, column: str) -> str:
    """Unit of the counts of a style."""
    word = plain_word(column)
    if style != "length":
        return {"headers": "headers", "lists": "list items", "bold": "bold words"}.get(style, style)
    return "tokens" if "token" in word else "words" if word.startswith(("conversation", *_TEXTS)) else "units of length"


def _check_judges(games: GameTable, column: str) -> None:
    """Raise `GameTableError` unless every judgement has a judge."""
    empty = games.covariates["judge"] == ""
    if empty.any():
        raise GameTableError(
            f"{games.place(int(np.argmax(empty)))}, column {column}",
            f"a judge in every row ({int(empty.sum()):,} rows lack one)", "''",
            f"Name them, or leave the column out: --ignore {column}.",
        )  # fmt: skip


def _style_columns(
    present: Sequence[str], style: Sequence[str], location: str
) -> dict[str, tuple[list[str], list[str]]]:
    """Columns of the first and of the second answer for each style, whose sums are compared."""
    paths = {column: [plain_word(part) for part in column.split(".")] for column in present} if style else {}
    columns_of_style: dict[str, tuple[list[str], list[str]]] = {}
    selects_all = list(style) == ["all"]
    for style_name in _STYLES if selects_all else style:
        forms = _STYLES.get(style_name, (f"{plain_word(style_name)}{{}}", f"{{}}{plain_word(style_name)}"))
        for form in forms:
            for sides in _SIDES:
                pair = [[c for c, parts in paths.items() if form.format(side) in parts] for side in sides]
                if all(pair) and style_name not in columns_of_style:
                    columns_of_style[style_name] = (pair[0], pair[1])
        if style_name not in columns_of_style and not selects_all:
            expected = f"columns {style_name}_a and {style_name}_b, or conv_metadata with them"
            raise GameTableError(f"--style {style_name}", expected, f"columns {list_names(present)}")
    if selects_all and not columns_of_style:
        raise GameTableError(
            "--style all", f"columns of {', '.join(_STYLES)} in {location}", f"columns {list_names(present)}"
        )
    return columns_of_style


def sum_columns(games: GameTable, columns: Sequence[str]) -> Floats:
    """Sum of columns of counts, an empty cell counting 0, shape (game,)."""
    total = np.zeros(len(games))
    for column in columns:
        cells = games.covariates[column]
        number = cells.dtype.kind == "f"
        if not number and plain_word(column)[:-1] in _TEXTS:
            cells, number = np.array([float(len(text.split())) for text in cells.tolist()]), True
        values = np.nan_to_num(cells) if number else pd.to_numeric(np.where(cells == "", "0", cells), errors="coerce")
        wrong = ~((values >= 0) & np.isfinite(values))
        if wrong.any():
            row = int(np.argmax(wrong))
            value = f"{cells[row]:g}" if number else str(cells[row])
            raise GameTableError(f"{games.place(row)}, column {column}", "a count of at least 0", repr(value))
        total += values
    return total


def _shares(first: Floats, second: Floats, key: str, location: str) -> tuple[Floats, float]:
    """Return (a - b) / (a + b) in standard deviations around 0, shape (game,), and that standard deviation."""
    total = first + second
    share = np.divide(first - second, total, out=np.zeros_like(total), where=total > 0)
    sd = float(np.sqrt(np.mean(share**2)))
    if sd == 0.0:
        raise GameTableError(f"--style {key}", f"answers that differ in {key}, in {location}", "equal answers")
    return share / sd, sd
