"""`halfpoint races`: competitors rated by rankings of any number, and forecasts of every place."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from halfpoint.apps.cli.options import (
    Force,
    Quiet,
    fields_as_options,
    numbers_of,
    options_of,
    range_option,
    sampling_options,
    word_option,
)
from halfpoint.apps.cli.output import Answering, Folder, end, show
from halfpoint.apps.cli.scripting import AsJson
from halfpoint.apps.cli.terminal import say, timed_lines
from halfpoint.apps.fields.races.options import RANGES, Season
from halfpoint.apps.workflows.options import Run
from halfpoint.inference.effort_limits import SAMPLING_SEED, Effort
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.lists_in_text import columns_in, words_in
from halfpoint.models.games.ranges import SEED, Range

if TYPE_CHECKING:
    from halfpoint.apps.workflows.answer import Answer

races_app = typer.Typer(
    help="Races, panels, free-for-alls: ratings from rankings, forecasts.",
    no_args_is_help=True,
    rich_help_panel="Rate and list",
)

SHORT = ("rank", "competitor", "rating_elo", "low_elo", "high_elo", "rank_low", "rank_high", "best_percent", "events",
         "wins", "ahead_percent")  # fmt: skip
_SIMULATIONS, _TRAIN, _BLOCKS = Range(100, 100_000_000), Range(0.05, 0.95), Range(1, 10_000)
_RacesFile = Annotated[
    Path, typer.Argument(help="CSV: event, competitor, place; or event, 1, 2, 3, ...; or event, order (A > B = C).")
]
_Groups = Annotated[str, typer.Option(help="Unconnected groups of competitors: refuse | largest.")]
_Numbers = Annotated[
    Any, word_option("--set", help="Parameters of the system, such as k=32, or beta=4,tau=0.1.", parser=numbers_of)
]


@dataclass(frozen=True)
class _Reading:
    """Options of the reader of races."""

    unplaced: Annotated[
        str, typer.Option(help="Competitors without a place (DNF): last (behind all placed) | out (did not take part).")
    ] = "last"
    columns: Annotated[
        Any,
        word_option("--columns", help="Names of columns, such as event=race,competitor=driver.", parser=columns_in),
    ] = None
    sides: Annotated[
        str | None, typer.Option(help="Separator of the people of a side, such as +; shares in parentheses: Bob (0.5).")
    ] = None
    date_format: Annotated[str | None, typer.Option(help="Format of dates, such as %d/%m/%Y, if ambiguous.")] = None
    form: Annotated[str | None, typer.Option(help="TOML file that describes the form of the file.")] = None
    outcomes: Annotated[str | None, typer.Option(hidden=True)] = None

    @property
    def reader(self) -> dict[str, Any]:
        """The options of the reader, by name."""
        if self.outcomes is not None:
            remedy = "Name the column with --columns place=COLUMN; games in pairs are for `halfpoint rate`."
            raise GameTableError("--outcomes", "places, as races have no outcomes", self.outcomes, remedy)
        return {name: value for name, value in asdict(self).items() if name != "outcomes"}


@races_app.command("rate")
@fields_as_options
def rate_command(
    races: _RacesFile,
    model: Annotated[
        str, typer.Option(help='plackett-luce, or "plackett-luce with strength ~ (1 | car) + (1 | player:season)".')
    ] = "plackett-luce",
    who: _Reading = _Reading(),
    groups: _Groups = "refuse",
    sampling: Effort = sampling_options(Effort(tune=300)),
    quiet: Quiet = False,
    answer: Folder = Folder(),
) -> None:
    """Rate competitors by the Plackett-Luce model, with intervals and ties."""
    from halfpoint.apps.fields.races.list import races_rate
    from halfpoint.apps.fields.races.model import Sampling
    from halfpoint.apps.pages.cells import Look

    how = Sampling(**asdict(sampling), progress=not (quiet or answer.as_json))
    ratings = races_rate(
        races, answer.out, model=model, **who.reader, groups=groups, how=how,
        run=Run(force=answer.force, say=timed_lines(answer.as_json)),
    )  # fmt: skip
    show(ratings.frame, ratings.about, Answering(answer.as_json), look=Look(short=() if answer.as_json else SHORT))
    if answer.out is not None and not answer.as_json:
        say(f"ratings.csv, report.html, trace.nc in {answer.out}")
    end(ratings.about["verdict"])


@races_app.command("list")
@fields_as_options
def list_command(
    races: _RacesFile,
    system: Annotated[str, typer.Option(help="weng-lin | trueskill | elo (all pairs).")] = "weng-lin",
    who: _Reading = _Reading(),
    numbers: _Numbers = None,
    answer: Answering = Answering(),
) -> None:
    """Rate competitors by a rating system that updates after each event."""
    from halfpoint.apps.fields.races.list import races_list

    def make_answer(_: object) -> "Answer":
        return races_list(races, system, **who.reader, numbers=numbers or {})

    answer.give(make_answer, races)


@races_app.command("forecast")
@fields_as_options
def forecast_command(
    trace: Annotated[Path, typer.Argument(help="trace.nc of `races rate`.")],
    field: Annotated[str, typer.Option("--field", help="Participants: A,B,C, or a file with a name per line.")],
    simulations: Annotated[int, range_option(_SIMULATIONS, help="Simulated events, for the places.")] = 100_000,
    seed: Annotated[int, range_option(SEED, help="Seed; the same seed gives the same places.")] = 1,
    answer: Answering = Answering(),
) -> None:
    """Forecast the probability of every place in a future event."""
    from halfpoint.apps.fields.races.forecast import races_forecast

    answer.give(lambda _: races_forecast(trace, _names_of(field), simulations, seed), trace, field)


@races_app.command("backtest")
@fields_as_options
def backtest_command(
    races: _RacesFile,
    systems: Annotated[
        str, typer.Option("--systems", help="plackett-luce (also with effects), weng-lin, trueskill, elo, uniform.")
    ] = "plackett-luce,weng-lin,trueskill,elo,uniform",
    train: Annotated[float, range_option(_TRAIN, help="Share of the events used for training only.")] = 0.5,
    blocks: Annotated[
        int, range_option(_BLOCKS, help="Number of blocks of test events, each forecast from all earlier events.")
    ] = 10,
    who: _Reading = _Reading(),
    seed: Annotated[int, range_option(SEED, help="Seed; the same seed gives the same draws.")] = SAMPLING_SEED,
    answer: Answering = Answering(),
) -> None:
    """Forecast later events from earlier ones, and score the forecasts of orders and winners."""
    from halfpoint.apps.fields.races.backtest import races_backtest

    answer.give(
        lambda _: races_backtest(
            races, words_in(systems), **who.reader, train=train, blocks=blocks, seed=seed,
            say=timed_lines(answer.as_json),
        ),
        races,
    )  # fmt: skip


_SEASON = options_of(Season(), **RANGES | {"spread_elo": range_option(RANGES["spread_elo"], "--spread")})


@races_app.command("simulate")
@fields_as_options
def simulate_command(
    out: Annotated[
        Path, typer.Argument(help="CSV file, or - (standard output); the true values are written to FILE.truth.csv.")
    ],
    season: Season = _SEASON,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Simulate events as CSV, with a second file of the true strengths."""
    from halfpoint.apps.cli.simulate import simulate_and_write
    from halfpoint.apps.fields.races.simulate import races_simulate

    title = f"{season.events:,} SIMULATED events of {season.competitors}"
    simulate_and_write(out, lambda place: races_simulate(place, force, **asdict(season)), as_json, title)


def _names_of(field: str) -> list[str]:
    """Names of an option: lines of a file, else its words between commas."""
    from halfpoint.models.games.select import read_players

    path = Path(field)
    try:
        is_file = path.is_file()
    except OSError:
        is_file = False
    if is_file:
        return [str(name) for name in read_players(path)]
    if not (names := words_in(field)):
        raise GameTableError("--field", "A,B,C, or a file with a name a line", repr(field))
    return names
