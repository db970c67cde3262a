"""Options that several commands share, and the checks typer does not make."""

from pathlib import Path
from typing import Annotated, Any

import typer

from halfpoint.games.errors import GameTableError
from halfpoint.games.ranges import SEED, Range, shown
from halfpoint.inference.limits import CHAINS, DRAWS, TUNE
from halfpoint.models.catalogue import WITH, effect_of, find


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
    typer.Option("--columns", help="Tables: which column holds what, such as white=home,black=away,score=result."),
]
Ignored = Annotated[
    str | None, typer.Option("--ignore", help="Tables: columns to leave out (commas), or * for all others.")
]
DateFormat = Annotated[
    str | None, typer.Option("--date-format", help="Tables: how dates are written, such as %d/%m/%Y.")
]
Sides = Annotated[
    str | None,
    typer.Option(
        "--sides",
        help="Tables: what stands between the people of a side in a cell, such as '+'; whole: names as they are.",
    ),
]
Outcomes = Annotated[
    str | None, typer.Option("--outcomes", help="Tables: what words of results mean, such as tie=0.5,skip=drop.")
]
Effects = Annotated[
    list[str] | None,
    typer.Option(
        "--effects", help='What columns change, such as "advantage ~ 0 + rapid" or "log_draw ~ 1 | site"; repeat it.'
    ),
]
OwnModel = Annotated[
    str | None,
    typer.Option("--model", help="FILE.py:NAME, where the trace was made with a model of your own; runs the file."),
]
Force = Annotated[bool, typer.Option("--force", help="Replace files that halfpoint did not write.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress bar.")]


def named(model: str, effects: list[str] | None) -> str:
    """Return the name of a model with its effects, as `halfpoint.models.catalogue.find` reads it."""
    for text in effects or ():
        effect_of(text)
    return f"{model}{WITH}{'; '.join(effects)}" if effects else model


def know(own: str | None) -> None:
    """Take note of a model of somebody's own, so that traces made with it can be read."""
    if own is not None:
        find(own)


def reader_options(
    columns: str | None,
    ignore: str | None,
    date_format: str | None,
    sides: str | None = None,
    outcomes: str | None = None,
) -> dict[str, Any]:
    """Return the options of the reader of tables that the command line gives; those not given are left out.

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
        options["ignore"] = words_of(ignore)
    if date_format is not None:
        options["date_format"] = date_format
    if sides is not None:
        options["sides"] = sides
    if outcomes is not None:
        options["outcomes"] = outcomes
    return options


def monitored_of(option: str | None) -> int | Path | None:
    """Return the monitored players an option asks for: a file of names, or the number of most active; None: all."""
    if option is None or not option.isdecimal():
        return None if option is None else Path(option)
    if len(option) > MONITORED_DIGITS:
        raise GameTableError("--monitor", "a file of names or a number of players", f"{len(option):,} digits")
    return int(option)


def words_of(option: str | None) -> list[str] | None:
    """Return the words of an option that are separated by commas; None if it is not given."""
    return None if option is None else [word.strip() for word in option.split(",") if word.strip()]


def numbers_of(text: str | None) -> dict[str, float]:
    """Return the settings of `--set name=number,...`."""
    found: dict[str, float] = {}
    for part in (text or "").split(",") if text else []:
        key, _, value = part.partition("=")
        try:
            found[key.strip()] = float(value)
        except ValueError as error:
            raise GameTableError("--set", "NAME=NUMBER,...", repr(text)) from error
    return found


def one_of[W: str](option: str, text: str, words: tuple[W, ...]) -> W:
    """Return the word that an option says.

    Raises
    ------
    GameTableError
        If it is none of them.
    """
    for word in words:
        if text == word:
            return word
    raise GameTableError(option, " | ".join(words), repr(text))
