"""State of a rating system as one object that converts to and from JSON and learns further games."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from halfpoint.models.games.atomic_write import write_text
from halfpoint.models.games.draw_curve import fit_log_draw, outcome_of
from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.periods import with_periods
from halfpoint.models.games.ranges import Every
from halfpoint.models.games.rating_system import Forecast, RatingSystem, State
from halfpoint.models.games.table import GameTable
from halfpoint.systems.catalogue import system

_SCHEMA = "halfpoint-rating-state-1"


@dataclass(frozen=True, eq=False)
class RatingState:
    """Rating system after some games.

    Raises
    ------
    RatingSystemError
        If there is no such system.

    Examples
    --------
    >>> import pandas as pd
    >>> from halfpoint.readers import read
    >>> games = read(pd.DataFrame({"white": ["Ann", "Bob"], "black": ["Bob", "Cem"], "score": [1.0, 0.5]}))
    >>> state = RatingState("elo").learned(games)
    >>> again = RatingState.of_json(state.json())
    >>> again.forecast(games).expected_score.tolist() == state.forecast(games).expected_score.tolist()
    True
    """

    system: str  #: name of the catalogue (`halfpoint.systems.catalogue`)
    numbers: Mapping[str, float] = field(default_factory=dict)  #: those that are not the usual ones
    state: State = field(default_factory=dict)  #: named arrays of the system; none before the first game
    log_draw: float | None = None  #: ln nu of the common rule for draws, of systems that define none
    every: Every | int = (
        "month"  #: length of a period, of games with dates (`halfpoint.models.games.periods.with_periods`)
    )
    first: str | None = None  #: month of the first of these games, from which periods are counted

    def __post_init__(self) -> None:
        spec = system(self.system)
        wrong = sorted(set(self.numbers) - set(spec.numbers))
        if wrong:
            raise RatingSystemError("numbers", f"some of {', '.join(spec.numbers) or 'none'}", wrong[0])

    def _built(self) -> RatingSystem:
        """System restored from the state."""
        spec = system(self.system)
        restored = spec.build(spec.start | dict(self.numbers))
        if self.state:
            restored.load(self.state)
        return restored

    def learned(self, games: GameTable) -> Self:
        """State after further games, in periods from their dates, in their own periods, or in one period.

        A period is learned as a whole: games of a learned period are refused. For a system without draws ln nu is
        fitted to the forecasts of the first learned games, each made before its period, and then fixed.
        """
        first = self.first
        if games.period is None and games.date is not None:
            first = first or str(games.date.min().astype("datetime64[M]"))
            games = with_periods(games, self.every, first)
        restored, expected = self._built(), np.full(len(games), np.nan)
        periods = np.zeros(len(games)) if games.period is None else games.period
        for period in np.unique(periods):
            rows = np.flatnonzero(periods == period)
            part = games.take(rows)
            if self.log_draw is None:
                expected[rows] = restored.forecast(part).expected_score
            restored.learn(part)
        log_draw = self.log_draw
        if log_draw is None and system(self.system).draws == "rule" and np.isfinite(expected).any():
            has_forecast = np.isfinite(expected)
            log_draw = fit_log_draw(expected[has_forecast], games.outcome[has_forecast])
        return replace(self, state=restored.state(), log_draw=log_draw, first=first)

    def forecast(self, games: GameTable) -> Forecast:
        """Expected scores of games, and chances of loss, draw and win if the common rule gives them."""
        forecast = self._built().forecast(games)
        if forecast.outcome is None and self.log_draw is not None:
            return replace(forecast, outcome=outcome_of(forecast.expected_score, self.log_draw))
        return forecast

    def json(self) -> str:
        """State as JSON text; numbers are exact, missing ones null."""
        arrays = {name: _as_record(array) for name, array in self.state.items()}
        record = {name: getattr(self, name) for name in ("system", "log_draw", "every", "first")}
        record |= {"schema": _SCHEMA, "numbers": dict(self.numbers)}
        return json.dumps(record | {"state": arrays}, indent=1) + "\n"

    @classmethod
    def of_json(cls, text: str, where: str = "JSON") -> Self:
        """Rebuild a state from the text of `json`."""
        try:
            record = json.loads(text)
            if record["schema"] != _SCHEMA:
                raise ValueError(f"schema {record['schema']!r}")
            state = {str(name): _of_record(array) for name, array in record["state"].items()}
            numbers, time = dict(record["numbers"]), (record["every"], record["first"])
            return cls(str(record["system"]), numbers, state, record["log_draw"], *time)
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
            actual = f"other text ({type(error).__name__})"
            raise RatingSystemError(where, "a rating state as JSON", actual, "Save the state again.") from error

    def save(self, path: str | Path) -> Path:
        """Write the state to a JSON file, whole or not at all."""
        return write_text(path, self.json())

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read the state from a JSON file of `save`."""
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise RatingSystemError(str(path), "a rating state (.json)", type(error).__name__) from error
        return cls.of_json(text, str(path))


def _as_record(array: npt.NDArray[np.generic]) -> dict[str, object]:
    """Array in the form that JSON has."""
    values = array.ravel().tolist()
    if array.dtype.kind == "f":
        values = [value if np.isfinite(value) else None if np.isnan(value) else repr(value) for value in values]
    return {"dtype": array.dtype.str, "shape": list(array.shape), "values": values}


def _of_record(record: Mapping[str, Any]) -> npt.NDArray[np.generic]:
    """Array of a record."""
    dtype = np.dtype(record["dtype"])
    values = [np.nan if value is None else value for value in record["values"]]
    if dtype.kind not in "fiubU":
        raise ValueError(f"dtype {dtype}")
    return np.array(values, dtype=dtype).reshape(record["shape"])
