"""Rolling origin: each period is forecast from the past only, then learned.

A forecaster is any object that learns the games of a period and forecasts games: a rating system or a Bayesian model.
Every other second, and at the end of a run, the forecasts and the state of the last period are written to one file, so
that an interrupted run resumes from this period and ends with the same numbers. The seconds are in a file beside it.
"""

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.scores import Floats
from halfpoint.models.games.array_files import read_arrays, write_arrays
from halfpoint.models.games.atomic_write import read_json, write_json
from halfpoint.models.games.rating_system import MARGIN_SCORES, RatingSystem
from halfpoint.models.games.result_record import TIMING
from halfpoint.models.games.table import GameTable

_STATE = "state/"
_WRITTEN_EVERY = 2.0  # seconds
_HASHED = ("players", "white", "black", "score", "period", "white_rating_elo", "black_rating_elo", "event")


@dataclass(frozen=True, eq=False)
class Rolled:
    """Forecasts of one forecaster for all games, each from earlier games."""

    expected_score: Floats  # (game,): White's expected score; NaN where there is no forecast
    outcome: Floats  # (game, 3): probability of loss, draw and win; NaN where the forecaster defines none
    periods: npt.NDArray[np.int64]  # (period,): the periods, in order
    seconds: Floats  # (period,): time to forecast and learn each period
    # (game, 5): forecasts of the margins, the columns of `halfpoint.models.games.rating_system.MARGIN_SCORES`; NaN
    # where the forecaster or the game has no margins
    margin: Floats


def fingerprint(games: GameTable, settings: str) -> str:
    """Hash of the games and settings of a forecaster; a run resumes only under the same hash."""
    digest = hashlib.sha256(settings.encode())
    for column in _HASHED:
        value = getattr(games, column)
        digest.update(b"none" if value is None else np.ascontiguousarray(value).tobytes())
    for column, value in sorted(games.covariates.items()):
        digest.update(column.encode() + np.ascontiguousarray(value).tobytes())
    return digest.hexdigest()


def roll(
    games: GameTable,
    forecaster: RatingSystem,
    checkpoint: str | Path | None = None,
    settings: str = "",
    progress: Callable[[int], None] | None = None,
    parts: Sequence[GameTable] | None = None,
    before: Callable[[], None] = lambda: None,
) -> Rolled:
    """Forecast each period from the past, then learn it; raises `EvaluationError` if the games have no periods.

    The forecaster must be new, and is changed. A `checkpoint` has forecasts and state after a period, written every
    other second and at the end of a run, and an interrupted run resumes from it; a checkpoint of other games or other
    `settings`, which identify the forecaster, is not used. `progress` is called with each finished period; `parts` are
    the games of each period if available (`periods_of`); `before` is called before each period and each write, and may
    raise an error.
    """
    if games.period is None:
        raise EvaluationError(games.source, "a period for each game", "none")
    periods = np.unique(games.period)
    expected, outcome = np.full(len(games), np.nan), np.full((len(games), 3), np.nan)
    margin = np.full((len(games), len(MARGIN_SCORES)), np.nan)
    half = _half_width(games.margin)
    seconds = np.zeros(periods.size)
    done = 0
    mark = fingerprint(games, settings) if checkpoint is not None else ""
    arrays = {"expected_score": expected, "outcome": outcome, "margin": margin}
    if checkpoint is not None and (saved := _saved_under(checkpoint, mark)):
        for name, array in arrays.items():
            array[...] = _kept_array(saved, name, array.shape, checkpoint)
        done = _periods_done(saved, periods.size, checkpoint)
        _restore(forecaster, saved, checkpoint)
        seconds[:done] = _seconds_before(Path(checkpoint), done)
    state: dict[str, npt.NDArray[np.generic]] = {}  # after the last period, where it is not written yet
    written = time.monotonic()

    def write() -> None:
        if checkpoint is not None and state:
            before()
            about = {"done": np.asarray(done), "fingerprint": np.asarray(mark)}
            write_arrays(checkpoint, arrays | about | state)
            write_json({"seconds": seconds.tolist()}, _timing_of(Path(checkpoint)))
            state.clear()

    try:
        for number in range(done, periods.size):
            before()
            rows = np.flatnonzero(games.period == periods[number])
            part = games.take(rows) if parts is None else parts[number]
            begun = time.perf_counter()
            forecast = forecaster.forecast(part)
            forecaster.learn(part)
            seconds[number] = time.perf_counter() - begun
            expected[rows] = forecast.expected_score
            if forecast.outcome is not None:
                outcome[rows] = forecast.outcome
            if forecast.margin is not None:
                margin[rows] = forecast.margin.at(part.margin, half)
            done = number + 1
            if checkpoint is not None:
                state |= {_STATE + key: np.array(value) for key, value in forecaster.state().items()}
                if time.monotonic() - written > _WRITTEN_EVERY:
                    write()
                    written = time.monotonic()
            if progress is not None:
                progress(int(periods[number]))
    finally:
        write()
    return Rolled(expected, outcome, periods, seconds, margin)


def _timing_of(checkpoint: Path) -> Path:
    """File with the seconds of a checkpoint."""
    return checkpoint.with_suffix(f".{TIMING}")


def _seconds_before(checkpoint: Path, done: int) -> Floats:
    """Seconds of the periods in a checkpoint, shape (done,); NaN if their file is missing or damaged."""
    try:
        return np.asarray(read_json(_timing_of(checkpoint))["seconds"][:done], dtype=np.float64).reshape(done)
    except (OSError, LookupError, TypeError, ValueError):
        return np.full(done, np.nan)


def periods_of(games: GameTable) -> list[GameTable]:
    """The games of each period, in order."""
    assert games.period is not None
    return [games.take(np.flatnonzero(games.period == period)) for period in np.unique(games.period)]


def _kept_array(
    saved: Mapping[str, npt.NDArray[np.generic]], name: str, shape: tuple[int, ...], checkpoint: str | Path
) -> Floats:
    """Array of a checkpoint; an error recommends deleting a file with another shape."""
    value = saved.get(name)
    if value is None or value.shape != shape or value.dtype.kind not in "fiu":
        actual = "none" if value is None else f"{value.dtype} of shape {value.shape}"
        raise EvaluationError(str(checkpoint), f"{name}, numbers of shape {shape}", actual, "Delete the file.")
    return np.asarray(value, dtype=np.float64)


def _half_width(margin: Floats) -> float:
    """1/2 if all known margins are whole numbers, and so rounded values, else 0."""
    finite = margin[np.isfinite(margin)]
    return 0.5 if finite.size and bool((finite == np.rint(finite)).all()) else 0.0


def _saved_under(checkpoint: str | Path, mark: str) -> dict[str, npt.NDArray[np.generic]] | None:
    """Content of a checkpoint, None if it is missing or of other games or settings."""
    saved = read_arrays(checkpoint) if Path(checkpoint).exists() else {}
    return saved if str(saved.get("fingerprint", "")) == mark and "margin" in saved else None


def _periods_done(saved: Mapping[str, npt.NDArray[np.generic]], periods: int, checkpoint: str | Path) -> int:
    """Number of periods in a checkpoint."""
    done = float(_kept_array(saved, "done", (), checkpoint))
    if done not in range(periods + 1):
        raise EvaluationError(str(checkpoint), f"done, a number from 0 to {periods}", f"{done:g}", "Delete the file.")
    return int(done)


def _restore(forecaster: RatingSystem, saved: Mapping[str, npt.NDArray[np.generic]], checkpoint: str | Path) -> None:
    """Restore the state of a forecaster from a checkpoint."""
    state = {key.removeprefix(_STATE): value for key, value in saved.items() if key.startswith(_STATE)}
    try:
        forecaster.load(state)
    except (LookupError, TypeError, ValueError) as error:
        raise EvaluationError(str(checkpoint), "the state of this system", str(error), "Delete the file.") from error
