"""Options that several commands share, and the checks typer does not make."""

from pathlib import Path
from typing import Annotated, Any

import typer

from halfpoint.games.errors import GameTableError
from halfpoint.games.ranges import SEED, Range, shown
from halfpoint.games.select import most_active, read_players
from halfpoint.games.table import GameTable, Texts
from halfpoint.inference.limits import CHAINS, DRAWS, TUNE
from halfpoint.models.catalogue import EDITIONS, Edition, find
from halfpoint.models.errors import ModelError


def ranged(allowed: Range, *names: str, help: str) -> Any:
    """Return a numeric option that states its range in the help and holds every value to it.

    Parameters
    ----------
    allowed : Range
        From where the number is used.
    *names : str
        Names of the option; the argument's own if none is given.
    help : str
        What the option does, a sentence.
    """

    def number(text: Any) -> Any:
        try:
            value = int(text) if allowed.whole else float(text)
        except (ValueError, OverflowError):
            value = text
        if value not in allowed:
            raise typer.BadParameter(f"expected {allowed}, found {shown(value)}")
        return value

    stated = f"{help.removesuffix('.')} ({allowed.ends})."
    return typer.Option(*names, help=stated, parser=number, metavar="INTEGER" if allowed.whole else "NUMBER")


Draws = Annotated[int, ranged(DRAWS, "--draws", help="Draws kept, a chain.")]
Tune = Annotated[int, ranged(TUNE, "--tune", help="Tuning draws, a chain.")]
Chains = Annotated[int, ranged(CHAINS, "--chains", help="Chains.")]
Seed = Annotated[int, ranged(SEED, "--seed", help="Seed; the same seed gives the same draws.")]
MONITORED_DIGITS = 18
Columns = Annotated[
    str | None,
    typer.Option(
        "--columns", help="CSV, Parquet: which column holds what, such as white=home,black=away,score=result."
    ),
]
Ignored = Annotated[
    str | None, typer.Option("--ignore", help="CSV, Parquet: columns to leave out (commas), or * for all others.")
]
DateFormat = Annotated[
    str | None, typer.Option("--date-format", help="CSV, Parquet: how dates are written, such as %d/%m/%Y.")
]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress bar.")]


def reader_options(columns: str | None, ignore: str | None, date_format: str | None) -> dict[str, Any]:
    """Return the options of the CSV and Parquet readers that the command line gives; those not given are left out.

    Raises
    ------
    GameTableError
        If a part of `--columns` is not FIELD=COLUMN, or a field stands twice.
    """
    options: dict[str, Any] = {}
    if columns is not None:
        pairs = [part.partition("=") for part in columns.split(",")]
        chosen = {field.strip(): name.strip() for field, _, name in pairs}
        if len(chosen) < len(pairs) or not all(chosen) or not all(chosen.values()):
            raise GameTableError("--columns", "FIELD=COLUMN,... with each field once", repr(columns))
        options["columns"] = chosen
    if ignore is not None:
        options["ignore"] = [name.strip() for name in ignore.split(",") if name.strip()]
    if date_format is not None:
        options["date_format"] = date_format
    return options


def names_of(models: str | None, known: list[str]) -> list[str]:
    """Return the model names of a comma-separated list, each checked; all known ones if none is given."""
    if models is None:
        return known
    names = [name.strip() for name in models.split(",") if name.strip()]
    if not names:
        raise ModelError(f"--models: expected names separated by commas, found {models!r}")
    return [find(name).name for name in dict.fromkeys(names)]


def editions_of(edition: str) -> list[Edition]:
    """Return the editions an option stands for: one, or all."""
    found: list[Edition] = [one for one in EDITIONS if edition in (one, "all")]
    if not found:
        raise ModelError(f"--edition: expected {' | '.join(EDITIONS)} | all, found {edition!r}")
    return found


def monitored_of(option: str | None, games: GameTable) -> Texts:
    """Return the monitored players an option asks for: a file of names, or the N most active; everybody if none."""
    if option is None:
        return games.players
    if option.isdecimal():
        if len(option) > MONITORED_DIGITS:
            raise GameTableError("--monitor", "a file of names or a number of players", f"{len(option):,} digits")
        return most_active(games, count=int(option))
    return read_players(Path(option))
