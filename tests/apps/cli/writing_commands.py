"""Every command that writes, in its shortest form: inputs, arguments and outputs.

Further outputs (a page, figures, a graph, a trace) have separate entries, named by the command, a comma and the output.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from made_races import made_trace

from halfpoint.apps.fields.arena.simulate import simulate_arena
from halfpoint.apps.fields.lineups.simulate import simulate_lineups
from halfpoint.apps.fields.races.simulate import races_simulate
from halfpoint.inference.traces.netcdf import write

FEW = ("--draws", "60", "--tune", "60", "--chains", "2", "--quiet")
WEEKS, NORMAL = ("--every", "week"), ("--method", "normal")


@dataclass(frozen=True)
class Writing:
    """A command that writes.

    Parameters
    ----------
    words : tuple of str
        The arguments; inputs are in `inputs`, results in `run`.
    old, new : tuple of str
        Different arguments of two runs, so that their files differ.
    reads : str
        A file that it reads.
    folder : bool
        True if `run` is the folder of the results (`--out run`), False if it contains single files.
    second : tuple of str
        The options of two single files, if the command writes two.
    """

    words: tuple[str, ...]
    old: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    reads: str = "inputs/trace.nc"
    folder: bool = False
    second: tuple[str, ...] = ()


def seeds():
    """Two seeds, as options of an old and of a new run."""
    return ("--seed", "1"), ("--seed", "2")


TRACE, WALK, GAMES, RESULTS = "inputs/trace.nc", "inputs/walk.nc", "inputs/games.pgn", "inputs/results.csv"
RACES = "inputs/races.csv"
TWO = ("--out", "run/x.csv")
WRITING = {
    "rate": Writing(("rate", GAMES, "--model", "bt-common", "--out", "run", *FEW), *seeds(), GAMES, True),
    "cells": Writing(
        ("cells", GAMES, "--out", "run/x.parquet"), ("inputs/match.pgn",), (GAMES,), GAMES
    ),
    "leaderboard": Writing(
        ("leaderboard", "inputs/battles.csv", *NORMAL, "--no-checks", "--out", "run", *FEW), *seeds(),
        "inputs/battles.csv", True,
    ),
    "bridge rate": Writing(
        ("bridge", "rate", RESULTS, "--out", "run"), ("--unit", "player"), ("--unit", "pair"), RESULTS, True
    ),
    "bridge rate, trace": Writing(
        ("bridge", "rate", RESULTS, "--model", "bridge-ability", "--out", "run", *FEW), *seeds(),
        RESULTS, True,
    ),
    "bridge score": Writing(
        ("bridge", "score", RESULTS, "--out", "run"), ("--datum", "mean"), ("--datum", "median"), RESULTS, True
    ),
    "backtest": Writing(
        ("backtest", GAMES, "--systems", "elo", *WEEKS, "--out", "run"), ("--from", "5"), ("--from", "7"), GAMES, True
    ),
    "calibrate": Writing(
        ("calibrate", "bt-common", "--out", "run"), ("--simulations", "30"), ("--simulations", "20"), "", True
    ),
    "study": Writing(
        ("study", "--replica", "--models", "bt-common", "--out", "run", "--draws", "20", "--tune", "20", *FEW[4:]),
        *seeds(), "", True,
    ),
    "fit": Writing(
        ("fit", GAMES, "--model", "davidson-common", *NORMAL, "--out", "run/x.nc"), *seeds(), GAMES
    ),
    "simulate": Writing(("simulate", "run/x.pgn", "--games", "4000"), *seeds(), ""),
    "bridge simulate": Writing(("bridge", "simulate", "run/x.csv", "--players", "8", "--sessions", "4"), *seeds(), ""),
    "mle": Writing(("mle", GAMES, "--out", "run/x.csv"), ("--model", "bt"), ("--model", "davidson"), GAMES),
    "rank": Writing(("rank", TRACE, "--out", "run/x.csv"), (), ("--above", "1600")),
    "rank, page": Writing(("rank", TRACE, "--out", "run/x.html"), (), ("--above", "1600")),
    "match": Writing(
        ("match", TRACE, "Player 1", "Player 2", "--out", "run/x.csv"), ("--games", "4"), ("--games", "6")
    ),
    "tournament": Writing(
        ("tournament", TRACE, "inputs/players.txt", "--simulations", "200", *TWO, "--places", "run/y.csv"),
        *seeds(), second=("--out", "--places"),
    ),
    "pair": Writing(("pair", TRACE, "inputs/players.txt", "--out", "run/x.csv"), ("--aim", "top"), ("--aim", "even")),
    "compare": Writing(("compare", TRACE, "inputs/other.nc", "--out", "run/x.csv"), (), ("--by", "neg_mean_loglik")),
    "criteria": Writing(("criteria", TRACE, "--no-evidence", "--out", "run/x.json"), (), ("inputs/other.nc",)),
    "forecast": Writing(
        ("forecast", TRACE, "--white", "Player 1", "--out", "run/x.csv"), ("--black", "Player 2"),
        ("--black", "Player 3"),
    ),
    "next": Writing(("next", TRACE, "--out", "run/x.csv"), ("--pairs", "3"), ("--pairs", "5")),
    "sprt": Writing(
        ("sprt", "inputs/match.pgn", *TWO, "--out", "run/y.html"), ("--elo1", "20"), ("--elo1", "50"),
        "inputs/match.pgn",
    ),
    "list": Writing(
        ("list", GAMES, "--system", "elo", "--out", "run/x.csv", "--log", "run/y.csv"), ("--start", "1500"),
        ("--start", "1600"), GAMES, second=("--out", "--log"),
    ),
    "performance": Writing(
        ("performance", "inputs/rated.csv", "--out", "run/x.csv"), (), ("--player", "Ann"), "inputs/rated.csv"
    ),
    "pool": Writing(
        ("pool", GAMES, "--out", "run/x.csv", *WEEKS), ("--systems", "elo"), ("--systems", "glicko"), GAMES,
    ),
    "markets": Writing(
        ("markets", "inputs/season.csv", "inputs/season.csv", "--out", "run/x.csv"), ("--lines", "1.5"),
        ("--lines", "3.5"), "inputs/season.csv",
    ),
    "claims": Writing(("claims", "inputs/rated_games.csv", "--out", "run/x.csv"), (), (), "inputs/rated_games.csv"),
    "judges": Writing(
        ("judges", "inputs/battles.csv", "--cheap", "judge-1", "--out", "run/x.csv", *FEW[:-1]), *seeds(),
        "inputs/battles.csv",
    ),
    "bridge seat": Writing(
        ("bridge", "seat", RESULTS, "inputs/pairs.txt", "--out", "run/x.csv"), ("--set", "k=4"), ("--set", "k=8"),
        RESULTS,
    ),
    "bridge forecast": Writing(
        ("bridge", "forecast", RESULTS, "inputs/coming.csv", "--out", "run/x.csv"), ("--set", "k=4"), ("--set", "k=8"),
        RESULTS,
    ),
    "lineups": Writing(
        ("lineups", "inputs/stints.csv", "--out", "run/x.csv", "--ridge", "1000"), ("--bootstrap", "20"),
        ("--bootstrap", "30"), "inputs/stints.csv",
    ),
    "races rate": Writing(("races", "rate", RACES, "--out", "run", *FEW), *seeds(), RACES, True),
    "races simulate": Writing(("races", "simulate", "run/x.csv"), *seeds(), ""),
    "races list": Writing(
        ("races", "list", RACES, "--system", "elo", "--out", "run/x.csv"), ("--set", "k=20"), ("--set", "k=30"), RACES
    ),
    "races forecast": Writing(
        ("races", "forecast", "inputs/races.nc", "--simulations", "1000", "--out", "run/x.csv"),
        ("--field", "Competitor 1,Competitor 2"), ("--field", "Competitor 1,Competitor 3"), "inputs/races.nc",
    ),
    "races backtest": Writing(
        ("races", "backtest", RACES, "--systems", "elo", "--out", "run/x.csv"), ("--blocks", "2"), ("--blocks", "3"),
        RACES,
    ),
    "site": Writing(("site", "--out", "run", "--quiet"), ("inputs/site.toml",), ("inputs/other.toml",), GAMES, True),
    "report": Writing(("report", "inputs/study", "--out", "run/x.html"), (), (), "inputs/study/summary.json"),
}  # fmt: skip
LONG = ("site", "study", "judges", "calibrate", "fit", "report", "bridge rate, trace", "races rate")
READ = {  # options that name what is read; all others that name a file or a folder are of what is written
    "--anchors", "--births", "--boards", "--costs", "--data-dir", "--design", "--fide-list", "--fixtures", "--football",
    "--forecasts", "--from", "--names", "--posterior", "--results", "--table", "--titles", "--trace",
}  # fmt: skip


def make_inputs(run, folder, names=()):
    """Make the files that commands read, slow ones only for these names; `run` runs a command in the folder."""
    inputs = folder / "inputs"
    inputs.mkdir()
    for words in (
        ("simulate", GAMES, "--games", "160", "--players", "8"),
        ("simulate", "inputs/match.pgn", "--games", "60", "--players", "2"),
        ("bridge", "simulate", RESULTS, "--players", "16", "--sessions", "4"),
        ("fit", GAMES, "--model", "davidson-common", *NORMAL, "--out", TRACE),
        ("fit", GAMES, "--model", "bt-common", *NORMAL, "--out", "inputs/other.nc"),
        *([("study", "--replica", "--models", "bt-common", "--out", "inputs/study", *FEW)] * ("report" in names)),
    ):
        run(words)
    for name in ("site", "other"):
        (inputs / f"{name}.toml").write_text(f'title = "{name}"\ngames = "games.pgn"\n')
    (inputs / "players.txt").write_text("".join(f"Player {number}\n" for number in range(1, 5)))
    (inputs / "teams.csv").write_text("team,player\n" + "".join(f"{k % 2},Player {k}\n" for k in range(1, 5)))
    (inputs / "pairs.txt").write_text("".join(f"Player {k:02d} & Player {k + 1:02d}\n" for k in range(1, 9, 2)))
    rng = np.random.default_rng(8)
    days = pd.date_range("2023-08-01", periods=60).astype(str)
    pair = np.array([rng.choice(6, 2, replace=False) for _ in days])
    goals, ratings = rng.poisson(1.3, (60, 2)), 2400 + 40 * pair
    season = pd.DataFrame({"date": days, "home": [f"C{k}" for k in pair[:, 0]], "away": [f"C{k}" for k in pair[:, 1]]})
    season.assign(FTHG=goals[:, 0], FTAG=goals[:, 1]).to_csv(inputs / "season.csv", index=False)
    rated = pd.DataFrame({"white": season["home"], "black": season["away"], "period": np.arange(60) // 10 + 1})
    rated["score"] = rng.choice([0.0, 0.5, 1.0], 60)
    rated = rated.assign(white_rating_elo=ratings[:, 0], black_rating_elo=ratings[:, 1])
    rated.to_csv(inputs / "rated_games.csv", index=False)
    (inputs / "rated.csv").write_text(
        "white,black,score,white_rating_elo,black_rating_elo\nAnn,Bob,1,2000,1900\nBob,Cem,0.5,1900,1800\n"
    )
    results = pd.read_csv(folder / RESULTS)
    results[["deal", "north", "east", "south", "west"]].head(8).to_csv(inputs / "coming.csv", index=False)
    simulate_arena(models=5, battles=1500, judges=20).battles.to_csv(inputs / "battles.csv", index=False)
    races, _ = races_simulate(folder / RACES, competitors=6, events=20, field=4)
    write(made_trace(races, np.linspace(1.0, -1.0, 6)), inputs / "races.nc")
    table, _ = simulate_lineups(teams=6, games=240, transfers=6, seed=3)
    who = {name: ["+".join(table.players[row]) for row in getattr(table, name)] for name in ("offence", "defence")}
    stints = pd.DataFrame(who | {"game": table.game, "points": table.points, "possessions": np.ones(len(table.points))})
    stints.head(4000).assign(possessions=5).to_csv(inputs / "stints.csv", index=False)
