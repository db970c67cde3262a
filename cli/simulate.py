"""`halfpoint simulate`: games of players whose strengths are known, to try everything on."""

from functools import partial
from pathlib import Path
from typing import Annotated

import numpy as np
import pandas as pd
import typer

from halfpoint.cli.options import ranged
from halfpoint.cli.place import writes_alone
from halfpoint.cli.terminal import say
from halfpoint.games.atomic_write import whole_files
from halfpoint.games.memory import require_room
from halfpoint.games.ranges import SEED, Range
from halfpoint.games.readers.write_pgn import pgn_games
from halfpoint.games.simulate import Schedule, Truth, simulate
from halfpoint.games.units import to_natural
from halfpoint.workflows.answer_text import as_csv

GAMES = Range(1, 10_000_000)
PLAYERS = Range(2, 1_000_000)
SPREAD_ELO = Range(0.0, 10_000.0)
ADVANTAGE_ELO = Range(-10_000.0, 10_000.0)
LOG_DRAW = Range(-100.0, 100.0)
GAME_BYTES = 700  # of a simulated game on its way to the file, names of thirteen letters included


@partial(writes_alone, folder=False)
def simulate_command(
    out: Annotated[Path, typer.Argument(help="PGN file for the games; the truth goes beside it as .truth.csv.")],
    games: Annotated[int, ranged(GAMES, help="Number of games.")] = 5000,
    players: Annotated[int, ranged(PLAYERS, help="Number of players.")] = 60,
    spread_elo: Annotated[float, ranged(SPREAD_ELO, help="Standard deviation of the ratings, Elo.")] = 150.0,
    advantage_elo: Annotated[float, ranged(ADVANTAGE_ELO, help="White's advantage, Elo.")] = 60.0,
    log_draw: Annotated[float, ranged(LOG_DRAW, help="Davidson's draw parameter; 0: two equals draw 1 in 3.")] = 0.5,
    seed: Annotated[int, ranged(SEED, help="Seed; the same seed gives the same games.")] = 1,
) -> None:
    """Simulate games from a Davidson model and write them as PGN, with the truth beside them.

    Elo points are odds: 400 are 10 to 1 in expected score between equals, for any draw parameter.
    """
    needed = float(GAME_BYTES * (games + players))
    require_room(f"{games:,} games of {players:,} players", needed, "Take fewer games.")
    chance = np.random.default_rng(seed)
    rating_elo = 1500.0 + spread_elo * chance.normal(size=players)
    names = np.array([f"Player {number:0{len(str(players))}d}" for number in range(1, players + 1)])
    wider = 1.0 + np.exp(log_draw) / 2.0  # a point of Davidson's, which half points for draws make flatter than Elo's
    truth = Truth(names, to_natural(rating_elo) * wider, to_natural(advantage_elo) * wider, log_draw)
    white = chance.integers(0, players, games)
    black = (white + chance.integers(1, players, games)) % players
    days = np.datetime64("2024-01-01") + np.sort(chance.integers(0, 366, games))
    table = simulate(
        truth, Schedule(white.astype(np.int32), black.astype(np.int32), date=days), chance, f"{out.name} SIMULATED"
    )
    frame = pd.DataFrame({"player": names, "rating_elo": rating_elo})
    with whole_files(out, out.with_suffix(".truth.csv")) as (pgn, truth_file):
        with pgn.open("w", encoding="utf-8") as stream:
            stream.writelines(pgn_games(table))
        truth_file.write_text(as_csv(frame), encoding="utf-8", newline="")
    say(f"{games} SIMULATED games of {players} players in {out}, the truth in {out.with_suffix('.truth.csv')}")
