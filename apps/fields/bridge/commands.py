"""`halfpoint bridge`: scores of duplicate bridge, ratings of its players, and forecasts."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from halfpoint.apps.cli.options import (
    IN_BRIEF,
    Force,
    Quiet,
    fields_as_options,
    numbers_of,
    options_of,
    period_of,
    range_option,
    record_options,
    word_option,
)
from halfpoint.apps.cli.output import Answering, Folder, end, show
from halfpoint.apps.cli.scripting import AsJson
from halfpoint.apps.cli.terminal import say, timed_lines
from halfpoint.apps.fields.bridge.options import ELO, MODELS, Club, Scoring
from halfpoint.apps.fields.bridge.rules import NUMBERS, WORDS, BridgeRules
from halfpoint.apps.workflows.options import Run
from halfpoint.inference.effort_limits import Effort
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.lists_in_text import columns_in
from halfpoint.models.games.ranges import SEED, Range

bridge_app = typer.Typer(
    help="Duplicate bridge: scores, ratings, forecasts.", no_args_is_help=True, rich_help_panel="Rate and list"
)

_TRIM = Range(0, 1000)
_PERIODS = Range(0, 1_000_000)
_CLUB = record_options(Club(), players=Range(8, 10_000), sessions=Range(1, 10_000), boards=Range(1, 1000), seed=SEED)
_SCORED = {  # columns that fit the terminal
    "matchpoints": ("rank", "pair", "results", "matchpoints", "percent", "cross_imps_per_board"),
    "imps": ("rank", "pair", "results", "cross_imps", "cross_imps_per_board", "butler_imps", "percent"),
}
_ABILITIES = ("rank", "player", "rating_imps", "sd_imps", "low_imps", "high_imps", "results", "told")
_ResultsFile = Annotated[Path, typer.Argument(help="A file of results: CSV, LIN (vugraph), PBN.")]
_BridgeColumns = Annotated[
    Any,
    word_option("--columns", help="CSV: names of columns, such as score=points,event=session.", parser=columns_in),
]


_Numbers = Annotated[
    Any, word_option("--set", help=f"Numbers of the rules, such as k=20: {', '.join(NUMBERS)}.", parser=numbers_of)
]


_Edition = Annotated[str, typer.Option(help="Constant of gamma: printed (2.5) | corrected (1).")]
_RULES = options_of(BridgeRules(), without=NUMBERS, every=Annotated[Any, word_option(parser=period_of)])


def _settings(rules: BridgeRules, numbers: dict[str, float] | None) -> dict[str, object]:
    """Settings that differ from the rules of an edition, by name."""
    return {name: getattr(rules, name) for name in (*WORDS, "every")} | (numbers or {})


def _refuse_beside(model: str, usual: dict[str, object], options: dict[str, object]) -> None:
    """Refuse options of Elo together with a model; the message names the first option."""
    for name, value in options.items():
        if value != usual.get(name):
            option = "--set" if name in NUMBERS else f"--{name.replace('_', '-')}"
            raise GameTableError(option, f"no rule of Elo together with --model {model}", repr(value), "Leave it out.")


_SCORING = options_of(Scoring(), trim=_TRIM)


@bridge_app.command("score")
@fields_as_options
def score_command(
    results: _ResultsFile,
    how: Scoring = _SCORING,
    columns: _BridgeColumns = None,
    answer: Folder = Folder(),
) -> None:
    """Score results: IMPs, matchpoints and Butler a result, totals of pairs, matches of teams with victory points."""
    from halfpoint.apps.fields.bridge.scores import bridge_score
    from halfpoint.apps.pages.cells import Look

    scores = bridge_score(results, columns, answer.out, answer.force, **asdict(how))
    if len(scores.matches) and not answer.as_json:
        show(scores.matches, {"title": "Matches"}, look=Look(digits=2))
    if answer.as_json:
        show(scores.frame, scores.about, answer)
        return
    *before, last = scores.lists().items()
    about = scores.about | {"title": f"{last[0]} of the same" if before else scores.title}
    if before:
        say(about.pop("answer", ""))
    look = Look(digits=2, short=_SCORED[scores.about["scoring"]])
    for direction, frame in before:
        show(frame, {"title": f"{scores.title}: {direction}"}, look=look)
    show(last[1], about, look=look)
    if answer.out is not None:
        say(f"Written to {answer.out}")


@bridge_app.command("rate")
@fields_as_options
def rate_command(
    results: _ResultsFile,
    edition: _Edition = "printed",
    rules: BridgeRules = _RULES,
    numbers: _Numbers = None,
    train: Annotated[int, range_option(_PERIODS, help="First periods used for training only.")] = 1,
    model: Annotated[
        str, typer.Option(help=f"elo (by the options above), or abilities with intervals: {' | '.join(MODELS)}.")
    ] = ELO,
    columns: _BridgeColumns = None,
    graph: Annotated[
        bool, typer.Option("--graph", help="Elo: also write graph.graphml of deals, seats and players to --out.")
    ] = False,
    groups: Annotated[
        str, typer.Option(help="Unconnected groups, for models of abilities: refuse | largest.")
    ] = "refuse",
    sampling: Effort = IN_BRIEF,
    quiet: Quiet = False,
    answer: Folder = Folder(),
) -> None:
    """Rate players or pairs by Elo for bridge (Krajowski-Kukiel 2011), or by a model of abilities in IMPs a board."""
    from halfpoint.apps.fields.bridge.list import bridge_abilities
    from halfpoint.apps.fields.bridge.ratings import bridge_rate
    from halfpoint.apps.pages.cells import Look

    if model != ELO:
        usual = {"edition": "printed", **_settings(BridgeRules(), None), "train": 1, "graph": False}
        _refuse_beside(model, usual, {"edition": edition, **_settings(rules, numbers), "train": train, "graph": graph})
        run = Run(force=answer.force, say=timed_lines(answer.as_json), progress=not (quiet or answer.as_json))
        abilities = bridge_abilities(results, model, answer.out, columns, groups, **vars(sampling), **vars(run))
        show(abilities.frame, abilities.about, Answering(answer.as_json), look=Look(digits=2, short=_ABILITIES))
        if answer.out is not None and not answer.as_json:
            say(f"players.csv, pairs.csv, partnerships.csv, report.html, trace.nc in {answer.out}")
        end(abilities.about["verdict"])
        return
    ratings = bridge_rate(results, columns, edition, _settings(rules, numbers), train)
    if graph and answer.out is None:
        raise GameTableError("--graph", "a folder for the graph", "none", "Add --out FOLDER.")
    if answer.out is not None:
        ratings.write_results(answer.out, (results,), answer.force, graph)
    show(ratings.frame, ratings.about, answer)


@bridge_app.command("forecast")
@fields_as_options
def forecast_command(
    results: _ResultsFile,
    coming: Annotated[Path, typer.Argument(help="CSV of future deals: deal or board, north, east, south, west.")],
    edition: _Edition = "printed",
    rules: BridgeRules = _RULES,
    numbers: _Numbers = None,
    columns: _BridgeColumns = None,
    answer: Answering = Answering(),
) -> None:
    """Forecast the expected score at every table of future deals."""
    from halfpoint.apps.fields.bridge.ratings import bridge_forecast

    answer.give(
        lambda _: bridge_forecast(results, coming, columns, edition, _settings(rules, numbers)),
        results,
        coming,
    )


@bridge_app.command("seat")
@fields_as_options
def seat_command(
    results: _ResultsFile,
    pairs: Annotated[Path, typer.Argument(help='Text file, one pair a line: "Ann & Bob".')],
    numbers: _Numbers = None,
    answer: Answering = Answering(),
) -> None:
    """Seat pairs at even tables, by ratings from the results so far."""
    from halfpoint.apps.fields.bridge.seating import bridge_seating
    from halfpoint.apps.pages.cells import Look

    settings = _settings(BridgeRules(), numbers)
    look = Look(digits=3)
    answer.give(lambda _: replace(bridge_seating(results, pairs, settings), look=look), results, pairs)


@bridge_app.command("simulate")
@fields_as_options
def simulate_command(
    out: Annotated[
        Path, typer.Argument(help="CSV file, or - (standard output); the true values are written to FILE.truth.csv.")
    ],
    club: Club = _CLUB,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Simulate the results of a bridge club as CSV, with a second file of the true skills."""
    from halfpoint.apps.cli.simulate import simulate_and_write
    from halfpoint.apps.fields.bridge.simulate import bridge_simulate

    title = f"{{count:,}} SIMULATED results of {club.players} players"
    simulate_and_write(out, lambda place: bridge_simulate(place, force, **asdict(club)), as_json, title)
