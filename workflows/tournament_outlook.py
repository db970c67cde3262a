"""A tournament forecast from a trace: its players, its rules, and the games that are over."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from halfpoint.evaluation.digits import decimals
from halfpoint.evaluation.seasons import Calendar
from halfpoint.evaluation.seasons import season as season_of
from halfpoint.evaluation.tournaments import Rules
from halfpoint.evaluation.tournaments import tournament as outlook_of
from halfpoint.games.readers.read import read as read_games
from halfpoint.models.reading import model_in
from halfpoint.workflows.answer import Answer, about_trace
from halfpoint.workflows.answers import Trace, players_asked, trace_from
from halfpoint.workflows.forecasts import games_to_come


@dataclass(frozen=True, eq=False, repr=False)
class Outlook(Answer):
    """A tournament to come.

    Parameters
    ----------
    frame : DataFrame
        One row a player, as `tournament` says.
    about : dict
        What it is about.
    places : Answer
        The chance of every place (knockout: of winning each round), percent.
    """

    places: Answer


def tournament(
    trace: Trace,
    players: str | Path | Sequence[str],
    double: bool = False,
    seed: int = 1,
    simulations: int = 20_000,
    results: str | Path | None = None,
    **rules: Any,
) -> Outlook:
    """Forecast a tournament: title chances, ties, points and places.

    Parameters
    ----------
    trace : str, Path or DataTree
        A trace of a model with three outcomes.
    players : str, Path or sequence of str
        A text file with one player a line, or names.
    double : bool
        In a round robin everybody meets twice, once with each colour.
    seed : int
        Seed of the simulated tournaments.
    simulations : int
        How many.
    results : str or Path, optional
        File of the games that are over; they stay as they are.
    **rules
        Settings of `halfpoint.evaluation.tournaments.Rules`: format, rounds, games, tie_break, decider, seeding.

    Returns
    -------
    Outlook
        player, title_percent, mc_error_percent (one standard deviation) and, by format, tie_first_percent, points and
        points_sd, or final_percent and semi_final_percent; how often the strongest wins in the note.

    Raises
    ------
    HalfpointError
        If a name is nobody's or several players', or a rule or a result cannot be used.
    """
    chosen = Rules(**({"cycles": 2 if double else 1} | rules))
    tree = trace_from(trace)
    names = players_asked(tree, players)
    over = None if results is None else read_games(results)
    found = outlook_of(tree, names, chosen, seed, simulations, over)
    table = found.table.reset_index()
    frame = pd.DataFrame({"player": table["player"]})
    for column in table.columns[1:]:
        points = column in ("points", "points_sd")
        frame[column if points else f"{column}_percent"] = table[column] * (1 if points else 100)
    digits = max(1, decimals(400.0 * found.best_wins_error))
    note = (
        f"The strongest of the draw wins {100 * found.best_wins:.{digits}f}% "
        f"(error {100 * found.best_wins_error:.{digits}f}). "
        "A shared title counts in equal parts; the Monte Carlo error is one standard deviation."
    )
    live = "" if over is None else f", {len(over)} games over"
    count = "reckoned from the draws" if chosen.format == "knockout" else f"{simulations} simulations"
    title = f"{in_words(chosen)} of {len(names)} players{live}, {count}"
    about = about_trace(tree, title) | {"note": note}
    chances = (100 * found.places).rename(columns=lambda name: f"place_{name}" if isinstance(name, int) else name)
    return Outlook(frame, about, Answer(chances.reset_index(), about))


def season(
    trace: Trace,
    players: str | Path | Sequence[str],
    results: str | Path | None = None,
    fixtures: str | Path | None = None,
    seed: int = 1,
    simulations: int = 20_000,
    **calendar: Any,
) -> Outlook:
    """Forecast a season's table: points with their interval, title, places at the head and at the foot.

    Parameters
    ----------
    trace : str, Path or DataTree
        A trace of a model with three outcomes; strengths that walk go on walking.
    players : str, Path or sequence of str
        A text file with one player a line, or names.
    results : str or Path, optional
        File of the games that are over; they stay as they are.
    fixtures : str or Path, optional
        File of the season's games with their dates; everybody meets everybody in each seat without it.
    seed, simulations : int
        Seed of the simulated seasons, and how many.
    **calendar
        Settings of `halfpoint.evaluation.seasons.Calendar`: scoring, first, last, months.

    Returns
    -------
    Outlook
        player, games and points_so_far, points with points_low and points_high (90%), title_percent,
        mc_error_percent, and where wanted first_N_percent and last_N_percent.

    Raises
    ------
    HalfpointError
        If a name is nobody's or several players', or a setting or a game cannot be used.
    """
    chosen = Calendar(**calendar)
    tree = trace_from(trace)
    names = players_asked(tree, players, new=model_in(tree.attrs).strength.enters)
    new = [name for name in names if name not in set(tree["posterior"]["player"].to_numpy().tolist())]
    over = None if results is None else read_games(results)
    coming = None if fixtures is None else games_to_come(fixtures, {})
    found = season_of(tree, names, chosen, coming, over, seed, simulations)
    table = found.table.reset_index()
    chances = [name for name in table.columns if name in ("title", "mc_error") or name.startswith(("first_", "last_"))]
    table[chances] *= 100.0
    note = "Points with their 90% interval; equal points share places in equal parts."
    note += f" Entered now, as newcomers have been: {', '.join(new)}." if new else ""
    title = f"Season of {len(names)} players, {found.left} games to come, {simulations} simulations"
    about = about_trace(tree, title) | {"note": note}
    places = (100 * found.places).rename(columns=lambda name: f"place_{name}")
    frame = table.rename(columns={name: f"{name}_percent" for name in chances})
    return Outlook(frame, about, Answer(places.reset_index(), about))


def in_words(rules: Rules) -> str:
    """Return a format as a title has it."""
    if rules.format == "knockout":
        return f"Knockout by matches of {rules.games} games"
    if rules.format == "round-robin":
        return {1: "Single round robin", 2: "Double round robin"}.get(rules.cycles, f"{rules.cycles}-fold round robin")
    return f"{'Swiss' if rules.format == 'swiss' else 'Arena'} in {rules.rounds} rounds"
