"""Options as records, made once by a command or a caller of a workflow and passed as a whole.

The command line makes its help of them, so this module imports no library of numbers.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from halfpoint.inference.effort_limits import METHODS
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.ranges import GAMES_NEEDED, PEOPLE, SEED, TAILS, Every, Range, require_word
from halfpoint.models.games.settings import setting
from halfpoint.readers.options import FAULTY

if TYPE_CHECKING:
    import pandas as pd

    from halfpoint.apps.workflows.beside.anchor_list import Anchored
    from halfpoint.models.declaration.catalogue import AnyModel
    from halfpoint.models.games.table import GameTable
    from halfpoint.models.language.model import Model

type Row = tuple[object, ...] | Mapping[str, object]
# several files are one table; rows are tuples (white, black, score[, date]) or dicts
type Games = str | Path | GameTable | pd.DataFrame | Sequence[str | Path] | Sequence[Row]
type Models = str | Callable[..., object] | Model | Sequence[AnyModel] | None
type Say = Callable[[str], None]
type Wanted = int | str | Path | Sequence[str] | None
_RARE = ("auto", "anchor", "pool")
_GROUPS = ("refuse", "apart", "largest")
FACTS = ("auto", "none")
Progress = Callable[[int, int], None]
USUAL_GAMES = 5
EVERY: dict[str, Every] = {"month": "month", "week": "week", "day": "day"}
RANGES = {
    "games": Range(1, 10_000_000), "players": Range(2, 1_000_000), "spread_elo": Range(0.0, 10_000.0),
    "advantage_elo": Range(-10_000.0, 10_000.0), "log_draw": Range(-100.0, 100.0), "seed": SEED,
    "people": PEOPLE, "margins": Range(0.01, 10_000.0),
}  # fmt: skip
SHARDS = Range(1, 10_000)  # files of a folder of cells
WORKERS = Range(1, 1_000)  # processes


def silent(line: str) -> None:
    """Ignore a line: the default reporter."""


type ReadingContext = Callable[[str], AbstractContextManager[Progress | None]]


def no_progress(name: str) -> AbstractContextManager[Progress | None]:
    """A context without progress reports."""
    return nullcontext()


@dataclass(frozen=True)
class Run:
    """Settings of a run: method, reuse of finished results, reporting."""

    #: independent draws of a normal approximation with exact weights if they are reliable, else NUTS; or one of the
    #: two
    method: str = "auto"
    #: sample even if the finished trace is there, and replace files that are not of an earlier run
    force: bool = False
    say: Say = silent  #: gets a line on every step; silent by default
    #: of a file's name: a context in which it is read, that gives a callable of the bytes read and its size, or None
    reading: ReadingContext = no_progress
    progress: bool = False  #: show the sampler's progress bar
    verbose: bool = False  #: also report how the draws were made and judged, as `summary` does
    #: where independent fits run (`halfpoint.apps.workflows.executor`); one after the other in this process without one
    executor: Executor | None = None

    def draws_text(self, text: str) -> str:
        """Short text about draws and their verdict, or the whole text with `verbose`."""
        plain, separator, separated = text.partition("; separated: ")
        short = re.split(r" \(|[:,;] ", plain, maxsplit=1)[0] + separator + separated
        return text if self.verbose or text.startswith("NOT") else short

    def require(self, methods: Sequence[str] = METHODS) -> None:
        """Raise `GameTableError` if the method is invalid."""
        require_word("--method", self.method, methods, GameTableError)


def records_of(values: Mapping[str, object], *kinds: type) -> list[Any]:
    """Records of several kinds from the `locals()` of a function whose keywords are their fields."""
    return [kind(**{option.name: values[option.name] for option in fields(kind)}) for kind in kinds]


def words(names: str | Sequence[str]) -> list[str]:
    """Names from a comma-separated text or a sequence."""
    return [name.strip() for name in (names.split(",") if isinstance(names, str) else names) if name.strip()]


@dataclass(frozen=True)
class Intake:
    """Preparation of games and choice of rated players; a `GameTableError` if an option is invalid."""

    monitor: Wanted = setting(
        None, "rated players: the N most active, a file of names, names; by default players with `min_games` games"
    )
    min_games: int | None = setting(
        None,
        "fewest games of a player with a rating; default 5, or as the model requires. By default all players "
        "have enough if strengths are of a population or set around ratings",
    )
    rare: str = setting(
        "auto", "players with fewer games: auto | anchor (to their ratings on the day) | pool (one common player)"
    )
    groups: str = setting(
        "refuse",
        "unconnected groups of players: refuse (unless the largest has nine in ten games) | apart (a list for "
        "each) | largest",
    )
    names: str | Path | None = setting(None, "accepted spellings: names.csv of an earlier run with `yes` in it")
    drop_duplicates: bool = setting(False, "drop certain duplicates (identical moves)")
    faulty: str = setting("error", "invalid games, such as an impossible date: error | apart (set apart and counted)")
    time_control: Sequence[str] | None = setting(
        None, "keep classical, rapid, blitz, bullet, online, unknown (PGN only)"
    )
    fide_lists: Sequence[str | Path] = setting((), "FIDE lists that fill missing ratings")
    anchors: "Anchored | None" = setting(
        None, "CSV of name, rating and standard error from an earlier list. Players are anchored to it"
    )
    facts: str = setting(
        "auto",
        "facts beside results: auto (goals, margins, sets, where they forecast the file's own games better) | none",
    )
    reader: Mapping[str, object] | None = setting(
        None, "options of the reader of CSV, Parquet and frames: columns, ignore, date_format, sides"
    )

    def __post_init__(self) -> None:
        require_word("--groups", self.groups, _GROUPS, GameTableError)
        require_word("--facts", self.facts, FACTS, GameTableError)
        require_word("--rare", self.rare, _RARE, GameTableError)
        require_word("--faulty", self.faulty, FAULTY, GameTableError)
        GAMES_NEEDED.require("--min-games", self.fewest, GameTableError)
        flags = {"--fide-list": bool(self.fide_lists), "--rare anchor": self.rare == "anchor"}
        flags |= {"--groups apart or largest": self.groups != "refuse"}  # anchors join groups
        flag = next((name for name, is_given in flags.items() if is_given), None)
        if self.anchors is not None and flag:
            raise GameTableError("--anchors", f"anchors without {flag}", "both")

    @property
    def fewest(self) -> int:
        """Fewest games of a player who is not pooled."""
        return USUAL_GAMES if self.min_games is None else self.min_games

    def takes_all(self, pooled: bool) -> bool:
        """True if players with few games are rated as well, because the model pools strengths."""
        return pooled and self.monitor is None and self.min_games is None and self.rare == "auto"


@dataclass(frozen=True)
class Dates:
    """Games that are forecast, and their periods."""

    begin: int | str | None = setting(
        None,
        "first scored period, or a month (YYYY-MM) or day (YYYY-MM-DD) of it; earlier periods are for tuning. By "
        "default after 12, or a third of them",
    )
    every: str = setting("month", "period made from dates: month, week or day")
    first_month: str | None = setting(None, "month that is period 1, YYYY-MM")
    monitor: Wanted = setting(
        None, "players with parameters in Bayesian models: the N most active, a file of names, names"
    )
    time_control: Sequence[str] | None = setting(
        None, "keep games of these classes only (PGN): classical, rapid, blitz, bullet, online, unknown"
    )
    data_dir: str | Path | None = setting(None, "folder with the study's games")
    reader: Mapping[str, object] | None = setting(
        None, "options of the reader of CSV, Parquet and frames: columns, ignore, date_format, sides"
    )

    def __post_init__(self) -> None:
        require_word("--every", self.every, EVERY, GameTableError)


@dataclass(frozen=True)
class Entrants:
    """Forecasters and their reference."""

    systems: str | Sequence[str] = setting(
        "all", "rating systems, separated by commas or in a sequence, or all. The reference is always there"
    )
    models: Models = setting(
        None,
        "Bayesian models: names with commas between them, or FILE.py:NAME (runs the file). In Python also functions",
    )
    reference: str | None = setting(
        None,
        "reference of all differences; default: the first of --odds or --forecasts, fide-rating if most games "
        "have ratings, else elo. A system, or one of the models or competitors; of margins it is margin-rates",
    )
    odds: str | Sequence[str] = setting(
        (),
        "columns of decimal odds, with commas: B365 for B365H, B365D and B365A (home, draw, away), or three with "
        "slashes. Each is two competitors: the margin taken out in proportion, and by Shin's method",
    )
    forecasts: Games | Sequence[Games] = setting(
        (), "files of external forecasts: columns loss, draw and win, players, and date or period"
    )
    edition: str = setting("corrected", "edition of the study's models: computed | described | corrected")

    @property
    def models_by_name(self) -> list[str]:
        """Models by name."""
        from halfpoint.models.declaration.catalogue import names_of_models

        return names_of_models(self.models)


@dataclass(frozen=True)
class Trial:
    """Settings of a calibration."""

    simulations: int = setting(200, "simulated data sets")
    seed: int = setting(7, "seed; the same seed gives the same ranks")
    wrong_sign: bool = setting(False, "plant a wrong sign of the advantage, which must be detected")
    design: str | Path | None = setting(
        None,
        "games or judgements whose pairs and judges are simulated; with NAME leaderboard, its model. Results are "
        "not used. A field may name a model that it makes of such a file",
    )
    posterior: str | Path | None = setting(
        None, "calibrate on the posterior of these games: simulate as many further games and refit"
    )
    force: bool = setting(False, "replace files that are not of an earlier run")
    method: str = setting("nuts", "method to calibrate: nuts | auto (as rate fits) | normal")
    say: Say = setting(silent, "gets a line on the time left")
    executor: Executor | None = setting(None, "where simulations run, 25 a task; in this process without one")

    @property
    def path(self) -> str | None:
        """File of the design, or of the posterior, unchanged."""
        return None if (file := self.posterior or self.design) is None else str(file)

    def folder_name(self, name: str) -> str:
        """Name of a model's folder."""
        from halfpoint.models.games.atomic_write import file_word

        on = f"-{'after' if self.posterior else 'on'}-{Path(self.path).name}" if self.path else ""
        how = "" if self.method == "nuts" else f"-{self.method}"
        return file_word(f"{name}{on}{how}{'-wrong-sign' if self.wrong_sign else ''}")


@dataclass(frozen=True)
class Fitting:
    """Choice of the model, its edition, and the games it is fitted to."""

    edition: str = setting("corrected", "edition of a model of the study: computed | described | corrected")
    weights: str | None = setting(
        None, "weights by name instead of the edition's own (`halfpoint.models.games.weights`)"
    )
    half_life: float | None = setting(
        None, "half-life of exponential weights, in days, or in periods if games have no dates"
    )
    monitor: Wanted = setting(
        None, "players with parameters: the N most active, a file of names, names; all players by default"
    )
    rule: str = setting("any", "games with any monitored player (the opponent is anchored), or with both monitored")
    reader: Mapping[str, object] | None = setting(
        None, "options of the reader of CSV, Parquet and frames: columns, ignore, date_format, sides"
    )
    groups: Sequence[str] = setting((), "further groups of the trace, for ArviZ (`halfpoint.inference.trace_groups`)")


@dataclass(frozen=True)
class OneGame:
    """One game by the names of its players, in place of a file."""

    white: str | None = setting(None, 'one game: White; "Ann+Bob" is a side of two')
    black: str | None = setting(None, "one game: Black")
    white_rating: float | None = setting(
        None, "Elo of White if the trace lacks them; for models of the printed list, the rating on the day"
    )
    black_rating: float | None = setting(None, "Elo of Black, likewise")
    date: str | None = setting(
        None,
        "one game, for models with random-walk strengths: its day, 2014-05-01 or 2014-05, or the number of its "
        "period. By default the last one of the trace",
    )


@dataclass(frozen=True)
class World:
    """Number of games and players, and strengths."""

    games: int = setting(5000, "number of games")
    players: int = setting(60, "number of players")
    spread_elo: float = setting(150.0, "standard deviation of the ratings, Elo points")
    advantage_elo: float = setting(60.0, "White's advantage, Elo points")
    log_draw: float = setting(0.5, "Davidson's draw parameter; 0: two equals draw 1 in 3")
    seed: int = setting(1, "seed; the same seed gives the same games")
    people: int = setting(
        1, "people on a side, such as 2 for doubles; CSV. Its columns are then white_1, white_2 and so on"
    )
    steady: bool = setting(False, "the same people always play together")
    margins: float | None = setting(
        None,
        "margins (goals, points, IMPs): standard deviation of a game, about 1.6 in goals; CSV. Margins are "
        "whole, and `log_draw` is of no use: a draw is a margin of 0",
    )
    tails: str = setting("normal", "distribution of margins: normal | t (four degrees of freedom)")

    def __post_init__(self) -> None:
        for name, allowed in RANGES.items():
            if getattr(self, name) is not None:
                allowed.require(name, getattr(self, name), GameTableError)
        require_word("--tails", self.tails, TAILS, GameTableError)
        if self.tails != TAILS[0] and self.margins is None:
            raise GameTableError("--tails", "a simulation of margins", "results only", "Add --margins 1.6.")
