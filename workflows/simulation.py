"""Games of players whose strengths are known, as a file, to try everything on."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from halfpoint.games.atomic_write import whole_files
from halfpoint.games.claim import claim
from halfpoint.games.errors import GameTableError
from halfpoint.games.memory import require_room
from halfpoint.games.ranges import SEED, Range
from halfpoint.games.readers.write_pgn import pgn_games
from halfpoint.games.sides import MOST_PEOPLE
from halfpoint.games.simulate import Schedule, Truth
from halfpoint.games.simulate import simulate as simulate_games
from halfpoint.games.simulate_sides import meetings, simulate_sides
from halfpoint.games.table import GameTable
from halfpoint.games.units import to_natural
from halfpoint.workflows.answer_text import as_csv

GAMES = Range(1, 10_000_000)
PLAYERS = Range(2, 1_000_000)
SPREAD_ELO = Range(0.0, 10_000.0)
ADVANTAGE_ELO = Range(-10_000.0, 10_000.0)
LOG_DRAW = Range(-100.0, 100.0)
PEOPLE = Range(1, MOST_PEOPLE)
GAME_BYTES = 700  # of a simulated game on its way to the file, names of thirteen letters included


def simulate(
    out: str | Path | None = None,
    games: int = 5000,
    players: int = 60,
    spread_elo: float = 150.0,
    advantage_elo: float = 60.0,
    log_draw: float = 0.5,
    seed: int = 1,
    people: int = 1,
    steady: bool = False,
) -> tuple[GameTable, pd.DataFrame]:
    """Simulate games from a Davidson model, and write them as PGN or CSV with the truth beside them.

    Elo points are odds: 400 are 10 to 1 in expected score between equals, for any draw parameter.

    Parameters
    ----------
    out : str or Path, optional
        PGN or CSV file; the truth goes beside it as .truth.csv. Without it nothing is written.
    games, players : int
        How many.
    spread_elo : float
        Standard deviation of the ratings, Elo points.
    advantage_elo : float
        White's advantage, Elo points.
    log_draw : float
        Davidson's draw parameter; 0: two equals draw 1 in 3.
    seed : int
        The same seed gives the same games.
    people : int
        People on a side; where there are several the file is CSV, with columns white_1, white_2 and so on.
    steady : bool
        Whether the same people always play together.

    Returns
    -------
    games : GameTable
        The games, marked as simulated.
    truth : DataFrame
        player, rating_elo.

    Raises
    ------
    HalfpointError
        If a number is out of its range, the games would not fit in memory, or the file cannot be written.

    Examples
    --------
    >>> from halfpoint import workflows
    >>> table, truth = workflows.simulate(games=100, players=8)
    >>> len(table), truth.shape
    (100, (8, 2))
    """
    numbers = {"games": (GAMES, games), "players": (PLAYERS, players), "spread_elo": (SPREAD_ELO, spread_elo)}
    numbers |= {"advantage_elo": (ADVANTAGE_ELO, advantage_elo), "log_draw": (LOG_DRAW, log_draw), "seed": (SEED, seed)}
    numbers |= {"people": (PEOPLE, people)}
    for name, (allowed, value) in numbers.items():
        allowed.require(name, value, GameTableError)
    if out is None:
        return draw_games("games", games, players, spread_elo, advantage_elo, log_draw, seed, people, steady)
    file = Path(out)
    if people > 1 and file.suffix != ".csv":
        raise GameTableError("--people", "a CSV file, since PGN has one player a side", repr(file.name))
    with claim(file, folder=False):
        table, frame = draw_games(file.name, games, players, spread_elo, advantage_elo, log_draw, seed, people, steady)
        with whole_files(file, file.with_suffix(".truth.csv")) as (pgn, truth_file):
            with pgn.open("w", encoding="utf-8") as stream:
                stream.writelines(pgn_games(table) if file.suffix != ".csv" else [as_csv(in_columns(table))])
            truth_file.write_text(as_csv(frame), encoding="utf-8", newline="")
    return table, frame


def in_columns(games: GameTable) -> pd.DataFrame:
    """Return games as a CSV has them: white and black, or a column for each person on a side, and the score."""
    columns: dict[str, Any] = {}
    for side, codes in (("white", games.white), ("black", games.black)):
        members = games.members(codes)
        for seat in range(members.shape[1]):
            key = side if games.sides is None else f"{side}_{seat + 1}"
            columns[key] = np.where(members[:, seat] >= 0, games.people[members[:, seat]], "")
    dated = {} if games.date is None else {"date": games.date.astype(str)}
    return pd.DataFrame(columns | {"score": games.score} | dated)


def draw_games(
    name: str,
    games: int,
    players: int,
    spread_elo: float,
    advantage_elo: float,
    log_draw: float,
    seed: int,
    people: int = 1,
    steady: bool = False,
) -> tuple[GameTable, pd.DataFrame]:
    """Return simulated games and the ratings behind them."""
    needed = float(GAME_BYTES * (games + players))
    require_room(f"{games:,} games of {players:,} players", needed, "Take fewer games.")
    chance = np.random.default_rng(seed)
    rating_elo = 1500.0 + spread_elo * chance.normal(size=players)
    names = np.array([f"Player {number:0{len(str(players))}d}" for number in range(1, players + 1)])
    wider = 1.0 + np.exp(log_draw) / 2.0  # a point of Davidson's, which half points for draws make flatter than Elo's
    truth = Truth(names, to_natural(rating_elo) * wider, to_natural(advantage_elo) * wider, log_draw)
    if people > 1:
        table = simulate_sides(truth, *meetings(players, games, chance, people, steady), chance, f"{name} SIMULATED")
        return table, pd.DataFrame({"player": names, "rating_elo": rating_elo})
    white = chance.integers(0, players, games)
    black = (white + chance.integers(1, players, games)) % players
    days = np.datetime64("2024-01-01") + np.sort(chance.integers(0, 366, games))
    table = simulate_games(
        truth, Schedule(white.astype(np.int32), black.astype(np.int32), date=days), chance, f"{name} SIMULATED"
    )
    return table, pd.DataFrame({"player": names, "rating_elo": rating_elo})
