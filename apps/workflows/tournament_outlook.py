"""Forecast of a tournament from a trace: players, rules, games already played; pairing of the next round."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import xarray as xr

from halfpoint.apps.pages.cells import Look
from halfpoint.apps.pages.listing import PLACE
from halfpoint.apps.pages.page import Page
from halfpoint.apps.workflows.answer import Answer, about_trace, answer_page, places_section
from halfpoint.apps.workflows.answers import Trace, enter_newcomers, require_size, trace_from
from halfpoint.apps.workflows.at_columns import At, at_columns, filled, split_at
from halfpoint.apps.workflows.beside.columns import notes_of_file
from halfpoint.apps.workflows.executor import each
from halfpoint.apps.workflows.forecasts import games_to_come
from halfpoint.apps.workflows.intake import games_from, reader_options_keeping
from halfpoint.apps.workflows.options import Games, records_of
from halfpoint.apps.workflows.trace_list import noun_of
from halfpoint.evaluation.digits import decimals
from halfpoint.evaluation.first_sentences.leaders import next_round as next_round_in_words
from halfpoint.evaluation.first_sentences.leaders import title_decided
from halfpoint.evaluation.next_round import next_round
from halfpoint.evaluation.seasons import season as season_of
from halfpoint.evaluation.tournament_options import (
    ROUNDS,
    Aim,
    Calendar,
    Decider,
    PointScoring,
    Rules,
    Seeding,
    TieBreak,
    TournamentFormat,
)
from halfpoint.evaluation.tournaments import tournament as outlook_of
from halfpoint.models.declaration.trace_attributes import reads_in
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.keywords import suggests_keywords
from halfpoint.models.games.sides import seats_named
from halfpoint.models.games.table import GameTable
from halfpoint.readers.read import read as read_games

_LOOK = Look(digits=2)


@dataclass(frozen=True, eq=False, repr=False)
class TournamentOutlook(Answer):
    """Forecast of a tournament, one row a player."""

    places: Answer  #: the chance of every place (knockout: of winning each round), percent

    def page(self) -> Page:
        """Page: the table, and the chance of every place, shaded."""
        chances = self.places.frame
        numbered = all(PLACE.fullmatch(str(name)) for name in chances.columns[1:])
        further = (places_section(chances.set_index(chances.columns[0]).loc[self.frame.iloc[:, 0]].reset_index()),)
        return answer_page(self.frame, self.about, further=further if numbered else (), look=self.look)


@suggests_keywords
def tournament(
    trace: Trace, players: str | Path | Sequence[str], double: bool = False, seed: int = 1, simulations: int = 20_000,
    results: str | Path | None = None, new: str | Sequence[str] = (), at: At = None,
    reader: Mapping[str, object] | None = None, executor: Executor | None = None, *,
    format: TournamentFormat = "round-robin", cycles: int | None = None, rounds: int = 9, games: int = 2,
    tie_break: TieBreak = "share", decider: Decider = "replay", seeding: Seeding = "rating",
) -> TournamentOutlook:  # fmt: skip
    """Forecast a tournament: title probabilities, ties, points and places.

    Parameters
    ----------
    trace : str, Path or DataTree
        A trace of a model with three outcomes.
    players : str, Path or sequence of str
        A text file with one player a line, or names.
    double : bool
        In a round robin each pair meets twice, once with each colour.
    seed : int
        Seed of the simulated tournaments.
    simulations : int
        Number of tournaments.
    results : str or Path, optional
        File of the finished games; their results are kept.
    new : str or sequence of str
        Players who are not in the trace, or "all": drawn from its population. Other unknown names are refused.
    at : mapping, str or sequence of str, optional
        Values of columns that the model reads, {"rapid": 1} or "rapid=1"; by default their means in the fit.
    reader : mapping, optional
        Options of the reader of tables: columns, outcomes, date_format, ignore, sides.
    executor : concurrent.futures.Executor, optional
        Executor of the simulations, about 20,000 a task; by default this process.
    format, cycles, rounds, games, tie_break, decider, seeding
        Settings of `halfpoint.evaluation.tournament_options.Rules`; by default `cycles` is 2 if `double`, else 1.

    Returns
    -------
    Outlook
        player, title_percent, mc_error_percent (one standard deviation) and, by format, tie_first_percent, points and
        points_sd, or final_percent and semi_final_percent; the note has the probability that the strongest player wins.

    Raises
    ------
    HalfpointError
        If a name fits no player or several, or a rule or a result is invalid.
    """
    cycles = (2 if double else 1) if cycles is None else cycles
    [chosen] = records_of(locals(), Rules)
    chosen.require_read()
    tree, columns_note = _at(trace_from(trace), at)
    tree, names, newcomers = enter_newcomers(tree, players, new)
    require_size(tree, 1, names[0])
    options: dict[str, Any] = dict(reader or {})
    over = None if results is None else read_games(results, **options)
    outlook = outlook_of(tree, names, chosen, seed, simulations, over, partial(each, executor=executor))
    table = outlook.table.reset_index()
    frame = pd.DataFrame({noun_of(tree): table["player"]})
    for column in table.columns[1:]:
        points = column in ("points", "points_sd")
        frame[column if points else f"{column}_percent"] = table[column] * (1 if points else 100)
    digits = max(1, decimals(400.0 * outlook.best_wins_error))
    note = (
        f"The strongest player wins with probability {100 * outlook.best_wins:.{digits}f}% "
        f"(error {100 * outlook.best_wins_error:.{digits}f}). "
        "A shared title counts in equal parts; the Monte Carlo error is one standard deviation."
        f"{newcomers}{columns_note}{_notes_on((results, over))}"
    )
    live = "" if over is None else f", {len(over)} games over"
    count = "computed from the draws" if chosen.format == "knockout" else f"{simulations:,} simulations"
    title = f"{_in_words(chosen)} of {len(names)} {noun_of(tree)}s{live}, {count}"
    about = about_trace(tree, title) | {"note": note}
    if chosen.format == "round-robin" and over is not None and 2 * len(over) >= cycles * len(names) * (len(names) - 1):
        about["answer"] = title_decided({str(name): float(chance) for name, chance in outlook.table["title"].items()})
    chances = (100 * outlook.places).rename(columns=lambda name: f"place_{name}" if isinstance(name, int) else name)
    return TournamentOutlook(frame, about, Answer(_of_noun(chances, tree), about), look=_LOOK)


def season(
    trace: Trace, players: str | Path | Sequence[str], results: Games | None = None, fixtures: Games | None = None,
    seed: int = 1, simulations: int = 20_000, new: str | Sequence[str] = (), at: At = None,
    reader: Mapping[str, object] | None = None, executor: Executor | None = None, *, scoring: PointScoring = "3-1-0",
    first: int = 0, last: int = 0, months: int = 1, zones: Mapping[str, tuple[int, int]] | None = None,
) -> TournamentOutlook:  # fmt: skip
    """Forecast a season's table: points with their interval, title, top and bottom places.

    Parameters
    ----------
    trace : str, Path or DataTree
        A trace of a model with three outcomes; random walks of strengths are continued.
    players : str, Path or sequence of str
        A text file with one player a line, or names.
    results : str, Path, GameTable or DataFrame, optional
        The finished games; their results are kept.
    fixtures : str, Path, GameTable or DataFrame, optional
        The season's games with their dates; by default each pair plays once in each seat order.
    seed, simulations : int
        Seed and number of the simulated seasons.
    new : str or sequence of str
        Players who are not in the trace, or "all": drawn from its population. Other unknown names are refused.
    at : mapping, str or sequence of str, optional
        Values of columns that the model reads, {"rapid": 1} or "rapid=1"; by default their means in the fit.
    reader : mapping, optional
        Options of the reader of tables: columns, outcomes, date_format, ignore, sides.
    executor : concurrent.futures.Executor, optional
        Executor of the simulations, about 20,000 a task; by default this process.
    scoring, first, last, months, zones
        Settings of `halfpoint.evaluation.tournament_options.Calendar`.

    Returns
    -------
    Outlook
        player (club), games and points_so_far with results, points with points_low and points_high (95%),
        title_percent, on request first_N_percent, last_N_percent and zone_NAME_percent, mc_error_percent.

    Raises
    ------
    HalfpointError
        If a name fits no player or several, or a setting or a game is invalid.
    """
    [chosen] = records_of(locals(), Calendar)
    tree, columns_note = _at(trace_from(trace), at)
    tree, names, newcomers = enter_newcomers(tree, players, new)
    require_size(tree, 1, names[0])
    over = None if results is None else games_from(results, reader)
    coming = None
    if fixtures is not None:
        columns = reads_in(tree.attrs).effects.requested_columns
        coming, columns_note = filled(tree, games_to_come(fixtures, reader_options_keeping(fixtures, reader, columns)))
    outlook = season_of(tree, names, chosen, coming, over, seed, simulations, partial(each, executor=executor))
    table = outlook.table.reset_index()
    chances = [
        name for name in table.columns if name in ("title", "mc_error") or name.startswith(("first_", "last_", "zone_"))
    ]
    table[chances] *= 100.0
    note = "Points with their 95% interval; equal points share places in equal parts."
    if chosen.zones:
        note += f" Places: {', '.join(f'{name} {_from_to(*ends)}' for name, ends in chosen.zones.items())}."
    note += newcomers + columns_note
    note += _notes_on((results, over), (fixtures, coming))
    title = f"Season of {len(names)} {noun_of(tree)}s, {outlook.left:,} games to come, {simulations:,} simulations"
    about = about_trace(tree, title) | {"note": note}
    if not outlook.left:
        about["answer"] = title_decided({str(name): float(chance) for name, chance in outlook.table["title"].items()})
    places = (100 * outlook.places).rename(columns=lambda name: f"place_{name}")
    frame = table.rename(columns={name: f"{name}_percent" for name in chances} | {"player": noun_of(tree)})
    frame.insert(len(frame.columns) - 1, "mc_error_percent", frame.pop("mc_error_percent"))
    frame = frame if over is not None else frame.drop(columns=["games", "points_so_far"])
    return TournamentOutlook(frame, about, Answer(_of_noun(places, tree), about), look=_LOOK)


def _at(tree: xr.DataTree, at: At) -> tuple[xr.DataTree, str]:
    """Trace at values of a model's own columns, and a sentence on them."""
    day, columns = split_at(at)
    if day is not None:
        raise GameTableError("--at", "NAME=NUMBER of a column that the model reads", repr(day))
    return at_columns(tree, columns)


def _from_to(best: int, worst: int) -> str:
    """Places in words."""
    return str(best) if best == worst else f"{best} to {worst}"


def _notes_on(*files: tuple[Games | None, GameTable | None]) -> str:
    """Sentences on the reading of files other than the trace."""
    return "".join(
        f"\n{note}."
        for file, games in files
        if games is not None and isinstance(file, str | Path)
        for note in notes_of_file(games.notes, file)
    )


def _of_noun(places: pd.DataFrame, tree: xr.DataTree) -> pd.DataFrame:
    """Chances by player as rows, with the noun of the trace as heading."""
    return places.reset_index().rename(columns={"player": noun_of(tree)})


def _in_words(rules: Rules) -> str:
    """Format of a tournament for a title."""
    if rules.format == "knockout":
        return f"Knockout by matches of {rules.games} games"
    if rules.format == "round-robin":
        return {1: "Single round robin", 2: "Double round robin"}.get(rules.cycles, f"{rules.cycles}-fold round robin")
    return f"{'Swiss' if rules.format == 'swiss' else 'Arena'} in {rules.rounds} rounds"


_SAID = {
    "top": "who is the best, bits", "all": "everybody's strength, bits", "even": "games between equals",
    "knockout": "the best player advances",
}  # fmt: skip
_NOTHING = 0.0005  # bits


def pair(
    trace: Trace,
    players: str | Path | Sequence[str],
    aim: Aim = "top",
    results: str | Path | None = None,
    games: int = 2,
    decider: Decider = "replay",
    new: str | Sequence[str] = (),
    reader: Mapping[str, object] | None = None,
) -> Answer:
    """Pair the next round: most informative about the best player or all players, most even, or best for a knockout.

    Parameters
    ----------
    trace : str, Path or DataTree
        A trace of a model with three outcomes; for "even" any trace.
    players : str, Path or sequence of str
        Players of the round: a text file with one player a line, or names.
    aim : {"top", "all", "even", "knockout"}
        Aim of the pairing (`halfpoint.evaluation.next_round`).
    results : str or Path, optional
        File of the games so far: rematches are avoided if possible, colours and byes alternate. Their results do not
        update the trace; refit it for that.
    games, decider
        Number of games of a knockout match, and the rule for drawn matches.
    new : str or sequence of str
        Players who are not in the trace, or "all": drawn from its population. Other unknown names are refused.
    reader : mapping, optional
        Options of the reader of tables: columns, outcomes, date_format, ignore, sides.

    Returns
    -------
    Answer
        board, white, black, expected_percent (of White) and the value of the pair: bits, or best_goes_on_percent; the
        note has byes and the round's total, compared with the total of the Swiss rule or of a bracket by rating.

    Raises
    ------
    HalfpointError
        If a name fits no player or several, or the aim or a result is invalid.
    """
    ROUNDS.require("--games", games, GameTableError)
    for option, is_changed in (("--games", games != 2), ("--decider", decider != "replay")):
        if is_changed and aim != "knockout":
            raise GameTableError(option, "--aim knockout", f"--aim {aim}")
    tree, names, newcomers = enter_newcomers(trace_from(trace), players, new)
    require_size(tree, 1, names[0])
    options: dict[str, Any] = dict(reader or {})
    over = None if results is None else read_games(results, **options)
    pairing = next_round(tree, names, aim, over, games, decider)
    white, black = pairing.boards.T
    worth = pairing.worth[white, black]
    frame = pd.DataFrame({
        "board": range(1, len(pairing.boards) + 1), "white": [names[place] for place in white],
        "black": [names[place] for place in black], "expected_percent": 100.0 * pairing.expected[white, black],
    })  # fmt: skip
    value, plain_value = pairing.total(pairing.boards), pairing.total(pairing.plain)
    rule = "a bracket by rating" if aim == "knockout" else "the Swiss rule"
    if aim in ("top", "all"):
        frame["bits"] = worth
        subject = _SAID[aim].partition(",")[0]
        note = f"The round gives {value:.3f} bits about {subject}; pairs by {rule} {plain_value:.3f}."
        if value < _NOTHING:
            note = f"No round is informative about {subject}: every pairing gives less than a thousandth of a bit."
    elif aim == "knockout":
        frame["best_goes_on_percent"] = 100.0 * worth
        note = f"The best player advances with probability {100 * value:.1f}%; by {rule} with {100 * plain_value:.1f}%."
    else:
        deviations = [
            (0.25 - pairing.worth[board[:, 0], board[:, 1]]).mean() ** 0.5 for board in (pairing.boards, pairing.plain)
        ]
        pairing_words, plain_words = (f"{100 * deviation:.1f}%" for deviation in deviations)
        note = f"Expected scores are {pairing_words} from equal (root mean square); pairs by {rule} {plain_words}."
    idle = [names[place] for place in pairing.byes]
    note += f" No game: {', '.join(idle)}.{newcomers}" if idle else newcomers
    note += _notes_on((results, over))
    live = "" if over is None else f", {len(over)} games over"
    title = f"The next round of {len(names)} {noun_of(tree)}s{live}: {_SAID[aim].partition(',')[0]}"
    first = frame.iloc[0]
    about = about_trace(tree, title) | {
        "answer": next_round_in_words(first["white"], first["black"], len(frame), value if "bits" in frame else None),
        "note": note,
    }
    words = seats_named(tree.attrs.get("seats"))
    shown = frame.rename(columns={"white": words.first, "black": words.second})
    return Answer(frame, about, look=Look(shown, digits=3, chances=("expected_percent",)))
