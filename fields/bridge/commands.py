"""`halfpoint bridge`: scores of duplicate bridge, ratings of its players, and forecasts."""

from pathlib import Path
from typing import Annotated, Any

import typer

from halfpoint.cli.options import Chains, Draws, Force, Quiet, Seed, Tune, numbers_of, one_of, ranged, reader_options
from halfpoint.cli.output import AsJson, Out, end, put, show
from halfpoint.cli.terminal import say, timed_lines
from halfpoint.fields.bridge.graph import write_graph
from halfpoint.fields.bridge.list import CLOSED, ELO, MODELS, bridge_abilities
from halfpoint.fields.bridge.ratings import NUMBERS, bridge_forecast, bridge_rate
from halfpoint.fields.bridge.scores import bridge_score
from halfpoint.fields.bridge.seating import bridge_seating
from halfpoint.fields.bridge.simulation import bridge_simulate
from halfpoint.games.errors import GameTableError
from halfpoint.games.ranges import SEED, Range
from halfpoint.games.results import files
from halfpoint.inference.limits import SAMPLING_SEED

bridge_app = typer.Typer(help="Duplicate bridge: scores, ratings, forecasts.", no_args_is_help=True)

TRIM = Range(0, 1000)
PERIODS = Range(0, 1_000_000)
RESULTS = Range(1, 1_000_000_000)
PLAYERS = Range(8, 10_000)
SESSIONS = Range(1, 10_000)
BOARDS = Range(1, 1000)
CHANGE = Range(0.0, 1.0)
SCORED = {  # what the terminal has room for
    "matchpoints": ("rank", "pair", "results", "matchpoints", "percent", "cross_imps_per_board"),
    "imps": ("rank", "pair", "results", "cross_imps", "cross_imps_per_board", "butler_imps", "percent"),
}
ABILITIES = ("rank", "player", "rating_imps", "sd_imps", "low_imps", "high_imps", "results", "told")
RULES: dict[str, Any] = {  # options of Elo alone, and what they are when nobody gives them
    "--edition": "printed", "--method": "gamma", "--unit": "player", "--k-rule": "constant", "--every": "3",
    "--total": "sum", "--scoring": "imps", "--set": None, "--train": 1, "--graph": None,
}  # fmt: skip
Edition = Annotated[str, typer.Option(help="Constant of gamma: printed (2.5) | corrected (1).")]
Method = Annotated[str, typer.Option(help="gamma of favourable lines | matches (artificial matches of four).")]
Unit_ = Annotated[str, typer.Option("--unit", help="Whom a rating belongs to: player | pair.")]
KRule_ = Annotated[str, typer.Option("--k-rule", help='constant | margin | "normal score" | "tanh score".')]
Every_ = Annotated[str, typer.Option("--every", help="Rating period: N (days) | event | deal.")]
Total = Annotated[str, typer.Option(help="What of a period's changes is added: sum | mean.")]
Scoring = Annotated[str, typer.Option(help="What wins a result: imps (cross-IMPs) | matchpoints (percentage).")]
Settings = Annotated[
    str | None, typer.Option("--set", help=f"Numbers of the rules, such as k=20: {', '.join(NUMBERS)}.")
]
ResultsFile = Annotated[Path, typer.Argument(help="A file of results: CSV, LIN (vugraph), PBN.")]
BridgeColumns = Annotated[
    str | None, typer.Option("--columns", help="CSV: which column holds what, such as score=points,event=session.")
]
Folder = Annotated[Path | None, typer.Option("--out", help="Folder for the tables as CSV.")]


@bridge_app.command("score")
def score_command(
    results: ResultsFile,
    datum: Annotated[str, typer.Option(help="Datum of Butler scoring: mean | median | trimmed.")] = "mean",
    rounding: Annotated[
        str, typer.Option(help='Rounding of the datum to tens: none | "half up" | "toward zero".')
    ] = "none",
    trim: Annotated[int, ranged(TRIM, help="Results that a trimmed mean leaves off each end.")] = 1,
    divide: Annotated[
        str, typer.Option(help="Cross-IMPs over the other results or over all: others | all.")
    ] = "others",
    official: Annotated[
        str, typer.Option(help="Printed scores that no reckoning gives are refused: check | ignore.")
    ] = "check",
    scoring: Annotated[
        str, typer.Option(help="Rank pairs by: auto (as the file says) | matchpoints (percent) | imps (cross-IMPs).")
    ] = "auto",
    columns: BridgeColumns = None,
    as_json: AsJson = False,
    out: Folder = None,
    force: Force = False,
) -> None:
    """Score results: IMPs, matchpoints and Butler a result, totals of pairs, matches of teams with victory points."""
    chosen = reader_options(columns, None, None).get("columns")
    found = bridge_score(
        results, chosen, one_of("--datum", datum, ("mean", "median", "trimmed")),
        one_of("--rounding", rounding, ("none", "half up", "toward zero")), trim,
        one_of("--divide", divide, ("others", "all")), official, out, force, scoring,
    )  # fmt: skip
    if len(found.matches) and not as_json:
        show(found.matches, {"title": "Matches"}, False, None, digits=2)
    if as_json:
        show(found.frame, found.about, True, None)
        return
    *before, last = found.lists().items()
    for direction, frame in before:
        show(
            frame, {"title": f"{found.title}: {direction}"}, False, None, digits=2, short=SCORED[found.about["scoring"]]
        )
    title = f"{last[0]} of the same" if before else found.title
    show(last[1], found.about | {"title": title}, False, None, digits=2, short=SCORED[found.about["scoring"]])
    if out is not None:
        say(f"Written to {out}")


@bridge_app.command("rate")
def rate_command(
    results: ResultsFile,
    edition: Edition = "printed",
    method: Method = "gamma",
    unit: Unit_ = "player",
    k_rule: KRule_ = "constant",
    every: Every_ = "3",
    total: Total = "sum",
    scoring: Scoring = "imps",
    settings: Settings = None,
    train: Annotated[int, ranged(PERIODS, "--train", help="First periods that are learned and not judged.")] = 1,
    least: Annotated[int, ranged(RESULTS, "--least", help="Rated results that a player in the list has.")] = 1,
    model: Annotated[
        str, typer.Option(help=f"elo (by the options above), or abilities with intervals: {' | '.join(MODELS)}.")
    ] = ELO,
    graph: Annotated[
        Path | None, typer.Option("--graph", help="GraphML of deals, seats and players, for NetworkX or Gephi.")
    ] = None,
    groups: Annotated[str, typer.Option(help="Abilities, where groups never meet: refuse | largest.")] = "refuse",
    draws: Draws = 1000,
    tune: Tune = 200,
    chains: Chains = 4,
    seed: Seed = SAMPLING_SEED,
    quiet: Quiet = False,
    columns: BridgeColumns = None,
    as_json: AsJson = False,
    out: Folder = None,
    force: Force = False,
) -> None:
    """Rate players or pairs by Elo for bridge (Krajowski-Kukiel 2011), or by a model of abilities in IMPs a board."""
    chosen = reader_options(columns, None, None).get("columns")
    if model != ELO:
        refuse_rules(model, edition, method, unit, k_rule, every, total, scoring, settings, train, graph and str(graph))
        abilities = bridge_abilities(
            results, model, out, chosen, least_results=least, draws=draws, tune=tune, chains=chains, seed=seed,
            progress=not (quiet or as_json), force=force, groups=groups,
            say=timed_lines(as_json),
        )  # fmt: skip
        show(abilities.frame, abilities.about, as_json, None, digits=2, short=ABILITIES)
        if out is not None and not as_json:
            trace = "" if model == CLOSED else ", trace.nc"
            say(f"players.csv, pairs.csv, partnerships.csv, report.html{trace} in {out}")
        end(abilities.about["verdict"])
        return
    changed = settings_of(method, unit, k_rule, every, total, scoring, settings)
    with files({"--graph": graph}, reads=(results,), force=force) as places:
        found = bridge_rate(results, chosen, edition, changed, train, least, out, force)
        if graph is not None:
            write_graph(found.table, found.ratings, places.aside("--graph"))
    show(found.frame, found.about, as_json, graph)
    if out is not None and not as_json:
        say(f"Written to {out}")


@bridge_app.command("forecast")
def forecast_command(
    results: ResultsFile,
    coming: Annotated[Path, typer.Argument(help="CSV of deals to come: deal or board, north, east, south, west.")],
    edition: Edition = "printed",
    method: Method = "gamma",
    unit: Unit_ = "player",
    k_rule: KRule_ = "constant",
    every: Every_ = "3",
    total: Total = "sum",
    scoring: Scoring = "imps",
    settings: Settings = None,
    columns: BridgeColumns = None,
    as_json: AsJson = False,
    out: Out = None,
    force: Force = False,
) -> None:
    """Print the expected score of every table of deals to come, from ratings by the results so far."""
    chosen = reader_options(columns, None, None).get("columns")
    changed = settings_of(method, unit, k_rule, every, total, scoring, settings)
    with files({"--out": out}, reads=(results, coming), force=force) as places:
        found = bridge_forecast(results, coming, chosen, edition, changed)
        put(places, "--out", found)
    show(found.frame, found.about, as_json, out, digits=3)


@bridge_app.command("seat")
def seat_command(
    results: ResultsFile,
    pairs: Annotated[Path, typer.Argument(help='Text file, one pair a line: "Ann & Bob".')],
    settings: Settings = None,
    as_json: AsJson = False,
    out: Out = None,
    force: Force = False,
) -> None:
    """Seat pairs so that tables are even, by ratings from the results so far."""
    with files({"--out": out}, reads=(results, pairs), force=force) as places:
        changed = settings_of("gamma", "player", "constant", "3", "sum", "imps", settings)
        found = bridge_seating(results, pairs, changed)
        put(places, "--out", found)
    show(found.frame, found.about, as_json, out, digits=3)


@bridge_app.command("simulate")
def simulate_command(
    out: Annotated[Path, typer.Argument(help="CSV file for the results; the truth goes beside it as .truth.csv.")],
    players: Annotated[int, ranged(PLAYERS, help="Number of players, a multiple of 4.")] = 48,
    sessions: Annotated[int, ranged(SESSIONS, help="Sessions, one a week.")] = 20,
    boards: Annotated[int, ranged(BOARDS, help="Boards of a session.")] = 24,
    change: Annotated[float, ranged(CHANGE, help="Share who draw a new partner before a session.")] = 0.5,
    seed: Annotated[int, ranged(SEED, help="Seed; the same seed gives the same results.")] = 1,
    force: Force = False,
) -> None:
    """Simulate the results of a bridge club and write them as CSV, with every player's skill beside them."""
    table, _ = bridge_simulate(out, force, players=players, sessions=sessions, boards=boards, change=change, seed=seed)
    say(f"{len(table):,} SIMULATED results of {players} players in {out}, the truth in {out.with_suffix('.truth.csv')}")


def refuse_rules(model: str, *given: Any) -> None:
    """Refuse rules of Elo beside a model, which has none of them.

    Raises
    ------
    GameTableError
        Naming the first option that a model does not read.
    """
    for option, value, usual in zip(RULES, given, RULES.values(), strict=True):
        if value != usual:
            raise GameTableError(option, f"no rule of Elo beside --model {model}", repr(value), "Leave it out.")


def settings_of(
    method: str, unit: str, k_rule: str, every: str, total: str, scoring: str, numbers: str | None
) -> dict[str, Any]:
    """Return the rules that options say.

    Raises
    ------
    GameTableError
        If `--set` has a name that is none, or `--every` is no period.
    """
    if not (every in ("event", "deal") or (every.isdecimal() and len(every) < 7)):
        raise GameTableError("--every", "a number of days, event or deal", repr(every))
    found = numbers_of(numbers)
    for name in found:
        if name not in NUMBERS:
            raise GameTableError("--set", f"numbers of {', '.join(NUMBERS)}", repr(name))
    words = {"method": method, "unit": unit, "k_rule": k_rule, "total": total, "scoring": scoring}
    return {**words, "every": int(every) if every.isdecimal() else every, **found}
