"""Simulated games of players with known strengths, as a file for trials."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from halfpoint.apps.workflows.answer import as_csv
from halfpoint.apps.workflows.options import World, records_of
from halfpoint.apps.workflows.write_pgn import pgn_games
from halfpoint.models.games.errors import GameTableError, printable
from halfpoint.models.games.keywords import suggests_keywords
from halfpoint.models.games.memory import require_room
from halfpoint.models.games.simulate import Schedule, Truth, numbered_names, truth_beside
from halfpoint.models.games.simulate import simulate as simulate_games
from halfpoint.models.games.simulate_sides import (
    MarginTruth,
    elo_per_unit,
    meetings,
    simulate_margins,
    simulate_sides,
)
from halfpoint.models.games.single_files import files
from halfpoint.models.games.table import GameTable
from halfpoint.models.games.units import to_natural
from halfpoint.readers.words import SIMULATED

_DAY_ONE = np.datetime64("2024-01-01")
_GAME_BYTES = 700  # of a simulated game on its way to the file, names of thirteen letters included


@suggests_keywords
def simulate(
    out: str | Path | None = None, force: bool = False, *, games: int = 5000, players: int = 60,
    spread_elo: float = 150.0, advantage_elo: float = 60.0, log_draw: float = 0.5, seed: int = 1, people: int = 1,
    steady: bool = False, margins: float | None = None, tails: str = "normal",
) -> tuple[GameTable, pd.DataFrame]:  # fmt: skip
    """Simulate games from a Davidson model or with margins, as PGN or CSV, with a second file of the true values.

    Between equals 400 Elo points are odds of 10 to 1 in expected score, for any draw parameter.

    Parameters
    ----------
    out : str or Path, optional
        PGN or CSV file; the truth is written to FILE.truth.csv. By default no file is written.
    force : bool
        Replace a file that halfpoint did not write.
    games, players, spread_elo, advantage_elo, log_draw, seed, people, steady, margins, tails
        Settings of the simulation (`World`).

    Returns
    -------
    games : GameTable
        The games, marked as simulated.
    truth : DataFrame
        player, rating_elo; with margins also margin, the player's lead over the average in the unit of the margin.

    Raises
    ------
    HalfpointError
        If a number is out of its range, the games would not fit in memory, or the file cannot be written.

    Examples
    --------
    >>> from halfpoint.apps import workflows
    >>> table, truth = workflows.simulate(games=100, players=8)
    >>> len(table), truth.shape
    (100, (8, 2))
    """
    [settings] = records_of(locals(), World)
    return run_simulation(out, settings, force)


def run_simulation(out: str | Path | None, world: World, force: bool = False) -> tuple[GameTable, pd.DataFrame]:
    """Games and truth; arguments as in `simulate`, options as a record."""
    file = Path("games.csv" if out is None else out)
    if world.people > 1 and file.suffix != ".csv":
        raise GameTableError("--people", "a CSV file (PGN has one player a side)", repr(file.name))
    if world.margins is not None and file.suffix != ".csv":
        raise GameTableError("--margins", "a CSV file (PGN has no margins)", repr(file.name))
    as_text = pgn_games if file.suffix != ".csv" else lambda games: [as_csv(_in_columns(games))]
    name = "games" if out is None else printable(file.name)
    return with_truth(out, force, lambda: _draw_games(name, world), as_text)


def with_truth[T](
    out: str | Path | None, force: bool, make: Callable[[], tuple[T, pd.DataFrame]], text: Callable[[T], Iterable[str]]
) -> tuple[T, pd.DataFrame]:
    """Simulated games and true values; written to a file and to FILE.truth.csv if a file is named."""
    truth_file = None if out is None else truth_beside(Path(out))
    with files({"OUT": out, "OUT (the truth)": truth_file}, force=force) as places:
        simulated, truth = make()
        if out is not None:
            with places.aside("OUT").open("w", encoding="utf-8") as stream:
                stream.writelines(text(simulated))
            places.text("OUT (the truth)", as_csv(truth))
    return simulated, truth


def _in_columns(games: GameTable) -> pd.DataFrame:
    """Games as columns of a CSV: white and black, or a column for each person on a side, and the score."""
    columns: dict[str, object] = {}
    for side, codes in (("white", games.white), ("black", games.black)):
        members = games.members(codes)
        for seat in range(members.shape[1]):
            key = side if games.sides is None else f"{side}_{seat + 1}"
            columns[key] = np.where(members[:, seat] >= 0, games.people[members[:, seat]], "")
    dated: dict[str, object] = {} if games.date is None else {"date": games.date.astype(str)}
    if np.isfinite(games.margin).all():
        dated["margin"] = games.margin.astype(np.int64)
    return pd.DataFrame(columns | {"score": games.score} | dated | {SIMULATED: 1})


def _draw_games(name: str, world: World) -> tuple[GameTable, pd.DataFrame]:
    """Simulated games and true ratings."""
    players = world.players
    needed = float(_GAME_BYTES * (world.games + players))
    require_room(f"{world.games:,} games of {players:,} players", needed, "Take fewer games.")
    chance = np.random.default_rng(world.seed)
    rating_elo = 1500.0 + world.spread_elo * chance.normal(size=players)
    names = numbered_names("Player", players)
    if world.margins is not None:
        unit = elo_per_unit(world.margins, world.tails)
        strength = (rating_elo - rating_elo.mean()) / unit
        seats = meetings(players, world.games, chance, world.people, world.steady)
        margins = MarginTruth(names, strength, world.margins, world.advantage_elo / unit, tails=world.tails)
        played = simulate_margins(margins, *seats, chance, f"{name} SIMULATED")
        truth_of = pd.DataFrame({"player": names, "rating_elo": rating_elo, "margin": strength})
        return replace(played, date=_DAY_ONE + np.sort(chance.integers(0, 366, world.games))), truth_of
    # a point of Davidson's, which half points for draws make flatter than Elo's
    wider = 1.0 + np.exp(world.log_draw) / 2.0
    truth = Truth(names, to_natural(rating_elo) * wider, to_natural(world.advantage_elo) * wider, world.log_draw)
    frame = pd.DataFrame({"player": names, "rating_elo": rating_elo})
    if world.people > 1:
        seats = meetings(players, world.games, chance, world.people, world.steady)
        return simulate_sides(truth, *seats, chance, f"{name} SIMULATED"), frame
    white = chance.integers(0, players, world.games)
    black = (white + chance.integers(1, players, world.games)) % players
    days = _DAY_ONE + np.sort(chance.integers(0, 366, world.games))
    schedule = Schedule(white.astype(np.int32), black.astype(np.int32), date=days)
    return simulate_games(truth, schedule, chance, f"{name} SIMULATED"), frame
