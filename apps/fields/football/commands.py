"""`halfpoint markets`: probabilities of football's markets for future games."""

from pathlib import Path
from typing import Annotated, Any

import typer

from halfpoint.apps.cli.options import GameTables, Newcomers, command, numbers_of, range_option, word_option
from halfpoint.apps.cli.output import Traced
from halfpoint.apps.fields.football.options import SCORES
from halfpoint.models.games.errors import GameTableError


def _lines(text: str) -> tuple[float, ...]:
    """Numbers between commas."""
    try:
        return tuple(float(number) for number in text.split(",") if number.strip())
    except ValueError:
        raise GameTableError("--lines, --handicaps", "numbers such as 1.5,2.5", repr(text)) from None


@command("Ask")
def markets_command(
    games: Annotated[
        Path,
        typer.Argument(help="A trace of games with goals, or games with goals, which are rated first as by `rate`."),
    ],
    coming: Annotated[Path, typer.Argument(help="Games to come: both sides, and dates.")],
    lines: Annotated[Any, word_option(help="Totals, such as 1.5,2.5,2.75.", parser=_lines)] = "2.5",
    handicaps: Annotated[
        Any, word_option(help="Goals given to the home side, such as -1,-0.75,0.", parser=_lines)
    ] = "-0.5,0",
    scores: Annotated[int, range_option(SCORES, help="Number of likeliest scores.")] = 1,
    numbers: Annotated[
        Any,
        word_option(
            "--set",
            help="Fit Dixon-Coles to the games, in place of a trace, with these numbers: spread, forgets, newcomer.",
            parser=numbers_of,
        ),
    ] = None,
    new: Newcomers = None,
    tables: GameTables = GameTables(),
    answer: Traced = Traced(),
) -> None:
    """Forecast football's markets: results, totals, handicaps, both to score, likeliest scores."""
    from halfpoint.apps.fields.football.list import football_markets

    answer.give(
        lambda _: football_markets(
            games, coming, lines, handicaps, scores, new=new or (), numbers=numbers, reader=tables.reader
        ),
        games, coming,
    )  # fmt: skip
