"""Goals in place of results in the default of `rate`, beside the bookmaker: files cut in spring, and frozen seasons.

    .venv/bin/python benchmarks/goals.py cut|frozen FOLDER YEAR,YEAR,... [BACK] [FACTS]

FOLDER holds football-data's files of one league, E0_0001.csv to E0_2122.csv; a YEAR is the one in which a season
begins. `cut` rates the season before (BACK of them, 1 by default) and the season up to 28 February, and forecasts its
other games; `frozen` rates the BACK (5) seasons before, and forecasts the whole season. FACTS are those of `rate`:
auto, none, or both (by default). Prints for each year and pooled: log score in nats a game of the default, of the
default without facts, of Dixon and Coles' model (`dixon-coles`, one fit) and of Bet365 (in proportion); differences
from Bet365 with their standard errors over games; slope of the result (1, 1/2, 0) on the expected score; the mean
chance of a home win beside what came; CPU seconds of `rate`. The laws that were tried before the row was chosen are in
`goals_laws.py`.
"""

import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

from halfpoint.apps.fields.football import odds_chances
from halfpoint.apps.workflows import forecast, rate
from halfpoint.models.games.periods import concatenate_tables
from halfpoint.models.games.table import GameTable
from halfpoint.readers.read import read
from halfpoint.systems.catalogue import system

CUT = (2, 28)  # month and day of the last game that is learned


def season(folder: Path, year: int) -> tuple[GameTable, np.ndarray]:
    """Games of a season, and Bet365's chances of loss, draw and win."""
    path = folder / f"E0_{year % 100:02d}{(year + 1) % 100:02d}.csv"
    odds = pd.read_csv(path, encoding="latin-1")[["B365A", "B365D", "B365H"]].dropna(how="all")
    games = read(path)
    assert len(odds) == len(games)
    return games, odds_chances(odds.to_numpy(), "proportional")


def split(kind: str, folder: Path, year: int, back: int) -> tuple[GameTable, GameTable, np.ndarray]:
    """Games that are learned, games that are forecast, and their chances by Bet365."""
    before = [season(folder, one)[0] for one in range(year - back, year)]
    games, odds = season(folder, year)
    late = np.ones(len(games), dtype=np.bool_)
    if kind == "cut":
        late = games.date > np.datetime64(f"{year + 1}-{CUT[0]:02d}-{CUT[1]:02d}")
        before.append(games.take(np.flatnonzero(~late)))
    return concatenate_tables(before), games.take(np.flatnonzero(late)), odds[late]


def by_dixon_coles(past: GameTable, coming: GameTable) -> np.ndarray:
    """Chances by one fit of attacks and defences."""
    made = system("dixon-coles").build(system("dixon-coles").start)
    made.learn(past)
    return made.forecast(coming).outcome


def chances_of(kind: str, folder: Path, year: int, back: int, facts: list[str]):
    """Chances of each forecaster for the games of a year, their outcomes, and remarks."""
    past, coming, odds = split(kind, folder, year, back)
    found, said = {}, []
    for fact in facts:
        begun, lines = time.process_time(), []
        rated = rate(past, facts=fact, say=lines.append)
        said.append(f"{rated.about['model']} {time.process_time() - begun:.1f} CPU s")
        said += [line.partition(" (--")[0] for line in lines if line.startswith("facts:")]
        frame = forecast(rated.trace, coming, new="all").frame
        found[f"rate, facts {fact}"] = frame[["loss_percent", "draw_percent", "win_percent"]].to_numpy() / 100.0
    found["dixon-coles"] = by_dixon_coles(past, coming)
    found["Bet365"] = odds
    return found, coming.outcome.astype(np.intp), f"{len(past)} before, {len(coming)} forecast; {'; '.join(said)}"


def report(title: str, found: dict[str, np.ndarray], outcome: np.ndarray) -> None:
    """Print scores of all forecasters on some games."""
    index = np.arange(outcome.size), outcome
    reference = -np.log(found["Bet365"][index])
    for name, chances in found.items():
        logs = -np.log(chances[index])
        apart = logs - reference
        expected = chances[:, 2] + chances[:, 1] / 2.0
        slope = np.cov(expected, outcome / 2.0)[0, 1] / expected.var(ddof=1)
        spread = expected.std() * np.sqrt(outcome.size)
        error = (outcome / 2.0 - outcome.mean() / 2.0 - slope * (expected - expected.mean())).std() / spread
        home = f"home {chances[:, 2].mean():.3f} of {(outcome == 2).mean():.3f}"
        print(f"{title:8s} {name:18s} {logs.mean():.4f}  {apart.mean():+.4f} ({apart.std() / apart.size**0.5:.4f})  "
              f"slope {slope:.2f} ({error:.2f})  {home}", flush=True)  # fmt: skip


def main(kind: str, folder: str, years: str, back: str = "", facts: str = "") -> None:
    """Print scores by year and pooled."""
    every, outcomes = {}, []
    seasons = int(back or {"cut": 1, "frozen": 5}[kind])
    for year in map(int, years.split(",")):
        found, outcome, said = chances_of(kind, Path(folder), year, seasons, [facts] if facts else ["auto", "none"])
        print(f"{year}: {said}", flush=True)
        report(str(year), found, outcome)
        outcomes.append(outcome)
        for name, chances in found.items():
            every.setdefault(name, []).append(chances)
    report("pooled", {name: np.concatenate(parts) for name, parts in every.items()}, np.concatenate(outcomes))


if __name__ == "__main__":
    main(*sys.argv[1:])
