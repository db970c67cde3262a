"""`halfpoint summary`, `rank`, `match`, `tournament`, `pair` and `compare`: answers from traces."""

import re
from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from halfpoint.apps.cli.options import GameTables, Newcomers, command, options_of, range_option, word_option
from halfpoint.apps.cli.output import Traced, answer_file, end, escape_text, write_answer
from halfpoint.apps.cli.scripting import AsJson, put_json
from halfpoint.apps.cli.terminal import put_table, say, table_of
from halfpoint.apps.cli.workers import Workers
from halfpoint.apps.workflows.options import silent
from halfpoint.evaluation.tournament_options import (
    BAND,
    GAMES,
    MONTHS,
    READ_BY,
    ROUNDS,
    SIMULATIONS,
    Aim,
    Calendar,
    Decider,
    Rules,
)
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.ranges import RATING_ELO, SEED, require_word

At = Annotated[
    list[str] | None,
    typer.Option(
        "--at", help="A past day or period of a model whose strengths change, or NAME=NUMBER of a column; repeatable."
    ),
]
TraceFile = Annotated[Path, typer.Argument(help="NetCDF trace.")]


_RULES = options_of(Rules(), without=("format", "cycles"), rounds=ROUNDS, games=ROUNDS)
_TEAMS_LACK = ("results", "fixtures", "places", "new", "at")
# formats of a tournament that read an option; all formats but teams read the others
_FORMATS_OF = {
    "double": ("round-robin", "teams"), **READ_BY,
    **dict.fromkeys(("fixtures", "scoring", "first", "last", "months", "zones"), ("season",)),
}  # fmt: skip


def _require_read(format: str, changed: Mapping[str, bool]) -> None:
    """Raise `GameTableError` if the format of a tournament does not read an option that was changed."""
    require_word("--format", format, ("round-robin", "knockout", "swiss", "season", "teams"), GameTableError)
    for name in (name for name, is_changed in changed.items() if is_changed):
        option = f"--{name.replace('_', '-')}"
        if format == "teams" and name in _TEAMS_LACK:
            raise GameTableError(option, "another --format than teams, which does not read it", "--format teams")
        if format not in _FORMATS_OF.get(name, (format,)):
            raise GameTableError(option, f"--format {' or '.join(_FORMATS_OF[name])}", f"--format {format}")
    if changed["months"] and changed["fixtures"]:
        raise GameTableError("--months", "no --fixtures, whose dates set the length of the season", "both options")


def _zones_of(text: str) -> dict[str, tuple[int, int]]:
    """Named places of the option --zones: NAME=PLACE or NAME=BEST-WORST, between commas."""
    zones = {}
    for part in filter(str.strip, text.split(",")):
        zone = re.fullmatch(r"\A([^=\s][^=]*)=\s*(\d{1,4})(?:\s*-\s*(\d{1,4}))?", part.strip())
        if zone is None or zone[1].rstrip() in zones:
            raise GameTableError("--zones", "NAME=BEST-WORST,..., each name once", repr(text))
        zones[zone[1].rstrip()] = int(zone[2]), int(zone[3] or zone[2])
    return zones


_LEAGUE = options_of(
    Calendar(), first=BAND, last=BAND, months=MONTHS, zones=Annotated[Any, word_option(parser=_zones_of)]
)


@command("Ask")
def summary(trace: TraceFile, as_json: AsJson = False) -> None:
    """Print the description, convergence and rating list of a trace."""
    from halfpoint.apps.workflows import answers
    from halfpoint.evaluation.digits import digits_of

    answer = answers.summary(trace)
    if as_json:
        put_json(answer.record())
        end(answer.about["verdict"])
        return
    for line in (str(answer.about["answer"]), *answer.note.split("\n")):
        say(line)
    digits = digits_of(answer.frame)["rating_elo"]
    noun = str(answer.frame.columns[1])  # a player or a club
    table = table_of(None, ("rank", noun), ("rating", "sd", "95%"))
    listed = answer.frame[[noun, "rating_elo", "sd_elo", "low_elo", "high_elo"]]
    for rank, (player, mean, sd, low, high) in enumerate(listed.to_numpy().tolist(), 1):
        texts = [f"{value:.{digits}f}" for value in (mean, sd, low, high)]
        table.add_row(str(rank), escape_text(player), *texts[:2], " to ".join(texts[2:]))
    put_table(table)
    end(answer.about["verdict"])


@command("Ask", 1)
def rank(
    trace: TraceFile,
    above: Annotated[
        float | None, range_option(RATING_ELO, help="Also the probability of this rating or more.")
    ] = None,
    at: At = None,
    answer: Traced = Traced(),
) -> None:
    """Rank the players: rating and rank with 95% intervals, and the probability of being the best."""
    from halfpoint.apps.workflows import answers

    answer.give(lambda _: answers.rank(trace, above, at), trace)


@command("Ask", 2)
def match_command(
    trace: TraceFile,
    first: Annotated[str | None, typer.Argument(help="First player; with --boards the first team.")] = None,
    second: Annotated[str | None, typer.Argument(help="Second player; with --boards the second team.")] = None,
    games: Annotated[int, range_option(GAMES, "--games", help="Number of games.")] = 1,
    colours: Annotated[
        str, typer.Option(help="alternate (first player begins as White), white, black, or WBBW; home, away, HAAH.")
    ] = "alternate",
    first_rating: Annotated[
        float | None,
        range_option(
            RATING_ELO, help="Rating of the first player on the day, Elo points; for models of a printed list."
        ),
    ] = None,
    second_rating: Annotated[
        float | None,
        range_option(
            RATING_ELO, help="Rating of the second player on the day, Elo points; for models of a printed list."
        ),
    ] = None,
    boards: Annotated[
        Path | None,
        typer.Option(help="CSV of line-ups (team, player, board) for a match of teams; colours are by board."),
    ] = None,
    new: Newcomers = None,
    at: At = None,
    answer: Traced = Traced(),
) -> None:
    """Forecast a game, a match, or teams over boards: the winner and the probability of each score."""
    from halfpoint.apps.workflows import answers
    from halfpoint.apps.workflows.team_matches import team_match

    day = first_rating, second_rating
    if boards is not None:
        if games != 1 or day != (None, None) or new or at:
            expected = "no --games, --new, --at and no ratings on the day"
            raise GameTableError("--boards", expected, "such options", "Leave them out.")
        answer.give(lambda _: team_match(trace, boards, first, second, colours), trace, boards)
        return
    if first is None or second is None:
        raise GameTableError("match", "two players", "fewer", "Name both, or give line-ups of teams (--boards FILE).")
    answer.give(lambda _: answers.match(trace, first, second, games, colours, *day, new or (), at), trace)


@dataclass(frozen=True)
class _Outlook(Traced):
    """Output and simulation options of a tournament."""

    places: Annotated[
        Path | None, typer.Option(callback=answer_file, help="Also write the probability of every place (.csv, .json).")
    ] = None
    seed: Annotated[int, range_option(SEED, "--seed", help="Seed of the simulated tournaments.")] = 1
    simulations: Annotated[int, range_option(SIMULATIONS, help="Simulated tournaments.")] = 20_000


@command("Ask", 4)
def tournament(
    trace: TraceFile,
    players: Annotated[Path, typer.Argument(help="Text file, one player a line, in seeding order; teams: CSV.")],
    format: Annotated[
        str, typer.Option(help="round-robin | knockout | swiss | season (a league's table) | teams (over boards).")
    ] = "round-robin",
    double: Annotated[
        bool, typer.Option("--double", help="Round robin, teams: each pair meets twice, once with each colour.")
    ] = False,
    rules: Rules = _RULES,
    results: Annotated[Path | None, typer.Option(help="Games already played in the tournament.")] = None,
    fixtures: Annotated[
        Path | None, typer.Option(help="Games of the season, with dates; default: a double round robin.")
    ] = None,
    season: Calendar = _LEAGUE,
    new: Newcomers = None,
    at: At = None,
    tables: GameTables = GameTables(),
    machines: Workers = Workers(),
    answer: _Outlook = _Outlook(),
) -> None:
    """Forecast a tournament or a season: title chances, points, places; live with --results."""
    from halfpoint.apps.workflows.answer import Answer
    from halfpoint.apps.workflows.team_matches import team_league
    from halfpoint.apps.workflows.tournament_outlook import season as season_outlook
    from halfpoint.apps.workflows.tournament_outlook import tournament as tournament_outlook
    from halfpoint.models.games.single_files import Files

    simulated: dict[str, Any] = {
        "results": results,
        "seed": answer.seed,
        "simulations": answer.simulations,
        "new": new or (),
        "at": at,
        "reader": tables.reader,
    }

    def make_answer(places: Files) -> Answer:
        with machines.executor(silent) as executor:
            return forecast(places, executor)

    changed = {name: value != asdict(Rules())[name] for name, value in asdict(rules).items()}
    changed |= {name: value != asdict(Calendar())[name] for name, value in asdict(season).items()}
    others = {"double": double, "results": results, "fixtures": fixtures, "places": answer.places, "new": new, "at": at}
    _require_read(format, changed | {name: bool(value) for name, value in others.items()})

    def forecast(places: Files, executor: Executor | None) -> Answer:
        if format == "teams":
            return team_league(trace, players, double, answer.seed, answer.simulations, executor)
        if format == "season":
            outlook = season_outlook(
                trace, players, fixtures=fixtures, executor=executor, **simulated, **asdict(season)
            )
        else:
            played = asdict(rules) | {"format": format, "cycles": 2 if double else 1}
            outlook = tournament_outlook(trace, players, executor=executor, **simulated, **played)
        write_answer(places, "--places", outlook.places)
        return outlook

    answer.give(make_answer, trace, players, results, fixtures, side_files={"places": answer.places})


@command("Plan", 2)
def pair(
    trace: TraceFile,
    players: Annotated[Path, typer.Argument(help="Text file of the players present, one per line.")],
    aim: Annotated[
        Aim,
        typer.Option(
            help="Pairing goal: top (find the best player), all (all strengths), even (even games) or knockout."
        ),
    ] = "top",
    results: Annotated[Path | None, typer.Option(help="Games so far, for rematches, colours and byes.")] = None,
    games: Annotated[int, range_option(ROUNDS, help="Games of a match of a knockout.")] = 2,
    decider: Annotated[Decider, typer.Option(help="How a drawn match of a knockout is decided.")] = "replay",
    new: Newcomers = None,
    tables: GameTables = GameTables(),
    answer: Traced = Traced(),
) -> None:
    """Pair the next round: the most informative, the most even, or best for a knockout."""
    from halfpoint.apps.workflows.tournament_outlook import pair as round_to_come

    answer.give(
        lambda _: round_to_come(trace, players, aim, results, games, decider, new or (), tables.reader),
        trace, players, results,
    )  # fmt: skip


@command("Judge", 2)
def compare(
    traces: Annotated[list[Path], typer.Argument(help="NetCDF traces.")],
    by: Annotated[
        str | None,
        typer.Option(help="elpd_loo (if every trace has it) | aicm | aicm_printed | neg_mean_loglik."),
    ] = None,
    answer: Traced = Traced(),
) -> None:
    """Compare models by their traces; likelihoods of different observations are never ranked together."""
    from halfpoint.apps.workflows.compare_traces import compare as compare_traces

    answer.give(lambda _: compare_traces(traces, by), *traces)
