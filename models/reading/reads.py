"""Record of the columns that a model function reads, and rows of further games that have them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from halfpoint.models.errors import ModelError
from halfpoint.models.formulas.margin import margins_of
from halfpoint.models.games.table import GRADE, MARGINS, Codes, Floats, GameTable
from halfpoint.models.language.games import OWN, PERIOD, SEATED, Recorder
from halfpoint.models.language.responses import Responses
from halfpoint.models.rows.column_coding import Coding
from halfpoint.models.rows.days import DAYS
from halfpoint.models.rows.effects import Effects
from halfpoint.models.rows.printed_list import COLUMN, printed_ratings
from halfpoint.models.rows.printed_ranks import COLUMN as RANKED
from halfpoint.models.rows.rows import Clock, GameRows, Side, meetings, periods

if TYPE_CHECKING:
    from halfpoint.models.formulas.margin import Distribution

_LONGEST = 100  # of the name of a column in a record
_WIDEST = 1e6  # of a spread in a record


@dataclass(frozen=True)
class Reads:
    """Columns and effects that a function reads of its games."""

    every: int = 0  # months of a period; 0 where nothing has periods, `DAYS` where players have days of their own
    neutral: bool = False  # whether neutral ground is distinguished
    columns: tuple[str, ...] = ()  # columns that it reads directly
    effects: Effects = field(default_factory=Effects)  # all its effects of columns, asked for or its own
    given: Mapping[str, float] = field(default_factory=dict)  # spreads that are given, by "TARGET | COLUMN"
    margin: "Distribution | None" = field(default=None, compare=False)  # the law of margins that are seen
    means: Mapping[str, float] = field(default_factory=dict, compare=False)  # usual values of own columns
    codes: tuple[str, ...] = field(default=(), compare=False)  # own columns that are read as codes
    latest: tuple[str, ...] = field(default=(), compare=False)  # own columns that grow or fall with time
    observed: tuple[str, ...] = ()  # own columns that the likelihood observes, which games to come lack
    responses: Responses | None = field(default=None, compare=False)  # of a likelihood of its own
    span: tuple[int, ...] = field(default=(), compare=False)  # number of the first period, and of periods, of the fit

    @classmethod
    def of(cls, record: Recorder) -> Self:
        """Return the record of one run of a function."""
        columns = tuple(sorted(key for key in record.keys if key.startswith(OWN) or key in (COLUMN, GRADE, RANKED)))
        formulas = {target: text for target, text in record.effects.items() if text}
        months = int(record.keys.get(PERIOD, 0))
        spreads, seen = dict(sorted(record.given.items())), tuple(sorted(record.observed))
        return cls(months, SEATED in record.keys, columns, Effects(formulas), spreads, record.margin, observed=seen)

    def union(self, reads: Self) -> Self:
        """Union of two records of columns."""
        columns = tuple(sorted({*self.columns, *reads.columns}))
        return replace(reads, neutral=self.neutral or reads.neutral, columns=columns)

    @property
    def requested(self) -> dict[str, float]:
        """Own columns that games to come must have, with their latest, commonest or mean values of the fit."""
        return {key.removeprefix(OWN): mean for key, mean in self.means.items() if key not in self.observed}

    @property
    def reads_printed(self) -> bool:
        """True if it reads printed ratings of its players."""
        return COLUMN in self.columns

    @property
    def as_record(self) -> dict[str, object]:
        """The record as numbers and texts."""
        return {
            "every": self.every,
            "neutral": self.neutral,
            "columns": list(self.columns),
            "effects": dict(self.effects.formulas),
            "given": dict(self.given),
            **({"means": dict(self.means)} if self.means else {}),
            **({"codes": list(self.codes)} if self.codes else {}),
            **({"latest": list(self.latest)} if self.latest else {}),
            **({"observed": list(self.observed)} if self.observed else {}),
            **({"responses": self.responses.as_record} if self.responses else {}),
            **({"span": list(self.span)} if self.span else {}),
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        """Rebuild from a record; `TypeError`, `ValueError` or `ModelError` if the record is not valid."""
        months, neutral, effects = record["every"], record["neutral"], dict(record["effects"])
        columns, observed, codes, latest = (
            tuple(record.get(name, ())) for name in ("columns", "observed", "codes", "latest")
        )
        spreads = record.get("given", ())  # earlier traces list the terms alone
        spreads = spreads if isinstance(spreads, dict) else dict.fromkeys(spreads, 0.0)
        is_whole = isinstance(months, int) and not isinstance(months, bool) and DAYS <= months <= 1200
        are_texts = all(
            isinstance(text, str) and len(text) <= _LONGEST for text in (*columns, *spreads, *observed, *codes, *latest)
        )
        are_spreads = all(isinstance(number, float | int) and 0.0 <= number < _WIDEST for number in spreads.values())
        span = tuple(int(number) for number in record.get("span", ()))
        if not is_whole or not isinstance(neutral, bool) or not are_texts or not are_spreads or len(span) not in (0, 2):
            raise TypeError("a record of columns with values of wrong types")
        means = {str(key): float(mean) for key, mean in record.get("means", {}).items()}
        if not np.isfinite(list(means.values())).all():
            raise ValueError("means of columns that are not finite numbers")
        responses = Responses.from_record(record["responses"]) if record.get("responses") else None
        return cls(
            months,
            neutral,
            columns,
            Effects(effects),
            spreads,
            means=means,
            codes=codes,
            latest=latest,
            observed=observed,
            responses=responses,
            span=span,
        )

    def rows(
        self,
        games: GameTable,
        white: Codes | Side,
        black: Codes | Side,
        ratings: tuple[Floats, Floats],
        first_period: int = 0,
        coding: Coding | None = None,
        clock: Clock | None = None,
        name: str = "",
    ) -> GameRows:
        """Games as the function reads them; white, black (game,), ratings (game,), natural units."""
        period = periods(games, self.every, clock) - first_period if self.every else None
        seated = neutral_ground(games) if self.neutral else None
        columns = coding.columns(games, white, black) if coding is not None and coding.effects else {}
        columns |= {
            key: np.zeros(len(games)) if key in self.observed else own_column(games, key, name) for key in self.columns
        }
        rows = meetings(white, black, *ratings, period, columns, seated)
        return rows if self.margin is None else replace(rows, margin=margins_of(games, of=self.margin))


def neutral_ground(games: GameTable) -> Floats | None:
    """1 where the seats differ, 0 on neutral ground, (game,); None if the games do not identify it."""
    if "neutral" not in games.covariates:
        return None
    return np.asarray(1.0 - np.asarray(games.covariates["neutral"], dtype=np.float64))


def own_column(games: GameTable, key: str, name: str) -> Floats:
    """Column that a function reads, one value a game; graded games count as verdicts."""
    if key in (GRADE, RANKED):
        return np.zeros(len(games))
    if key == COLUMN:
        if games.sides is not None:
            raise ModelError(
                f"model {name}: expected one player a side, whose printed rating it corrects, found sides of several "
                "people. Use davidson-population."
            )
        return printed_ratings(games)
    column = key.removeprefix(OWN)
    if column == MARGINS[0] and column not in games.covariates:
        column = MARGINS[1]
    if column not in games.covariates:
        names = ", ".join(map(str, games.covariates)) or "none"
        remedy = "Add it."
        if any(repr(column) in note for note in games.notes):  # of the reader
            remedy = "The file has it without numbers in every game: write its levels as numbers."
        raise ModelError(f"model {name}: expected the column {column!r} of the games, found {names}. {remedy}")
    try:
        values = np.asarray(games.covariates[column]).astype(np.float64)
    except (TypeError, ValueError) as error:
        raise ModelError(
            f"model {name}: expected numbers in the column {column!r}, found text. Read it as levels: "
            f'games.effects("advantage", "1 | {column}").'
        ) from error
    lost = np.flatnonzero(~np.isfinite(values))
    if lost.size:
        raise ModelError(f"{games.place(int(lost[0]))}: expected a number in the column {column!r}, found none")
    return values
