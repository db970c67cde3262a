"""`halfpoint rank`, `match`, `tournament` and `compare`: answers from traces."""

from pathlib import Path
from typing import Annotated

import typer

from halfpoint.cli.options import ranged
from halfpoint.cli.output import AsJson, Out, show
from halfpoint.cli.terminal import say
from halfpoint.evaluation.comparison import in_short
from halfpoint.evaluation.matches import GAMES, SIMULATIONS
from halfpoint.games.ranges import SEED, Range
from halfpoint.workflows import answers

DRAWN_PLAYERS = Range(1, 8)
TraceFile = Annotated[Path, typer.Argument(help="NetCDF trace.")]


def rank(
    trace: TraceFile,
    months: Annotated[
        Path | None, typer.Option("--months", help="PNG of the best players' ratings by month; walking models only.")
    ] = None,
    top: Annotated[int, ranged(DRAWN_PLAYERS, help="How many players --months draws.")] = 5,
    as_json: AsJson = False,
    out: Out = None,
) -> None:
    """Rank the players: rating with 95% interval, interval of the rank, and the chance of being the best."""
    found = answers.rank(trace, months, top)
    show(found.frame, found.about, as_json, out)


def match_command(
    trace: TraceFile,
    first: Annotated[str, typer.Argument(help="First player.")],
    second: Annotated[str, typer.Argument(help="Second player.")],
    games: Annotated[int, ranged(GAMES, "--games", help="Number of games.")] = 12,
    colours: Annotated[
        str, typer.Option(help="alternate (first player begins with White), white, black, or letters like WBBW.")
    ] = "alternate",
    as_json: AsJson = False,
    out: Out = None,
) -> None:
    """Forecast a match: the chance of each score, who wins it, and one game with each colour."""
    found = answers.match(trace, first, second, games, colours)
    show(found.frame, found.about, as_json, out)


def tournament(
    trace: TraceFile,
    players: Annotated[Path, typer.Argument(help="Text file, one player a line.")],
    double: Annotated[bool, typer.Option("--double", help="Everybody meets twice, once with each colour.")] = False,
    seed: Annotated[int, ranged(SEED, "--seed", help="Seed of the simulated tournaments.")] = 1,
    simulations: Annotated[int, ranged(SIMULATIONS, help="Simulated tournaments.")] = 20_000,
    as_json: AsJson = False,
    out: Out = None,
) -> None:
    """Simulate a round robin: title chances and points."""
    found = answers.tournament(trace, players, double, seed, simulations)
    show(found.frame, found.about, as_json, out, digits=2)


def compare(
    traces: Annotated[list[Path], typer.Argument(help="NetCDF traces.")],
    by: Annotated[str, typer.Option(help="neg_mean_loglik | aicm | aicm_printed | neg2_elpd_loo.")] = "aicm",
    as_json: AsJson = False,
    out: Out = None,
) -> None:
    """Compare traces by what can be compared; likelihoods of different kinds are never ranked in one column."""
    found = answers.compare(traces, by)
    if out is not None:
        found.write(out)
    show(found.frame if as_json else in_short(found.frame, by), found.about, as_json, None)
    if out is not None and not as_json:
        say(f"Written to {out}")
