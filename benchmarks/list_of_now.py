"""Lists of long histories: the default of `rate`, a row whose strengths stand still, and an Elo of ten lines.

    .venv/bin/python benchmarks/list_of_now.py FOLDER > benchmarks/list_of_now.md

FOLDER holds football-data's files of one league, E0_0001.csv to E0_2122.csv. Each rates all games to a day, and
forecasts those of the year after it among those whom the default rates, frozen on that day. Internationals are
SIMULATED: 120 nations, 400 games a year over 50 years, a third of them on neutral ground, walks of 20 Elo a quarter.
"""

import sys
import time
from pathlib import Path

import numpy as np

from halfpoint import workflows
from halfpoint.evaluation.differences import paired_errors
from halfpoint.games.periods import united
from halfpoint.games.readers.read import read
from halfpoint.games.table import GameTable
from halfpoint.games.units import to_natural

STILL, YEAR = "davidson-population", np.timedelta64(365, "D")
K, HOME = 20.0, 60.0


def internationals(seed: int, nations: int = 120, years: int = 50, a_year: int = 400) -> GameTable:
    """A table of simulated games of nations."""
    rng, games = np.random.default_rng([seed, 42]), years * a_year
    way = rng.normal(0.0, to_natural(20.0) * 1.6, (nations, 4 * years)).cumsum(axis=1)
    strength = rng.normal(0.0, to_natural(150.0) * 1.6, (nations, 1)) + way - way.mean(axis=0)
    day = np.sort(rng.integers(0, int(365.25 * years), games))
    white = rng.integers(0, nations, games)
    black = (white + rng.integers(1, nations, games)) % nations
    neutral = (rng.random(games) < 0.33).astype(float)
    quarter = (day / 365.25 * 4).astype(int)
    x = strength[white, quarter] - strength[black, quarter] + 0.6 * (1.0 - neutral)
    share = np.exp(np.stack([-x / 2, np.full(games, 0.2), x / 2], axis=-1))
    below = rng.random(games)[:, None] >= (share / share.sum(axis=-1, keepdims=True)).cumsum(axis=-1)[:, :2]
    names = np.array([f"Nation {number:03d}" for number in range(nations)])
    date, seats = np.datetime64("1974-01-01") + day, (white.astype(np.int32), black.astype(np.int32))
    known = {"covariates": {"neutral": neutral}, "name": "internationals", "simulated": True}
    return GameTable(names, *seats, below.sum(axis=-1) / 2.0, date=date, **known)


def elo(past: GameTable, coming: GameTable) -> np.ndarray:
    """Loss, draw and win by Elo and Davidson's formula with the share of draws so far, shape (game, 3)."""
    rating: dict[str, float] = {}
    drawn = np.mean(past.score == 0.5)

    def gap(games: GameTable, game: int) -> float:
        here = HOME * (1.0 - float(games.covariates.get("neutral", np.zeros(len(games)))[game]))
        one, two = games.white_names[game], games.black_names[game]
        return rating.setdefault(one, 1500.0) - rating.setdefault(two, 1500.0) + here

    for game in range(len(past)):
        change = K * (past.score[game] - 1.0 / (1.0 + 10.0 ** (-gap(past, game) / 400.0)))
        rating[past.white_names[game]] += change
        rating[past.black_names[game]] -= change
    x = to_natural(np.array([gap(coming, game) for game in range(len(coming))])) / (1.0 - drawn)
    share = np.stack([np.exp(-x / 2), np.full(x.size, 2.0 * drawn / (1.0 - drawn)), np.exp(x / 2)], axis=-1)
    return share / share.sum(axis=-1, keepdims=True)


def judged(games: GameTable, day: np.datetime64) -> tuple[dict[str, np.ndarray], GameTable, str]:
    """Minus log scores of the games of a year, shape (game,), by forecaster, these games, and the default's row."""
    past, coming = games.take(games.date < day), games.take((games.date >= day) & (games.date < day + YEAR))
    rated = workflows.rate(past, draws=250)
    names = rated.trace["posterior"]["player"].to_numpy()
    coming = coming.take(np.isin(coming.white_names, names) & np.isin(coming.black_names, names))
    still = STILL + ("-neutral" if "neutral" in games.covariates else "")
    share = {"default": rated, "still": workflows.rate(past, model=still, draws=250)}
    share = {name: workflows.forecast(one.trace, coming).frame for name, one in share.items()}
    share = {
        name: one[[f"{k}_percent" for k in ("loss", "draw", "win")]].to_numpy() / 100.0 for name, one in share.items()
    }
    share["elo"] = elo(past, coming)
    lost = {name: -np.log(one[np.arange(len(coming)), coming.outcome]) for name, one in share.items()}
    return lost, coming, f"{rated.about['model']} of {len(rated.selection):,} games"


def main(folder: str) -> None:
    """Print the table."""
    files = sorted(Path(folder).glob("E0_*.csv"), key=lambda path: path.stem)
    files = [path for path in files if int(path.stem[-4:-2]) < 22]
    england = united([read(path) for path in files])
    days = [np.datetime64(f"{year}-08-01") for year in (2011, 2013, 2015, 2017, 2019, 2021)]
    sets = {"England's first league, six seasons": [(england, day) for day in days]}
    sets["internationals, SIMULATED, three histories"] = [
        (internationals(seed), np.datetime64("2023-01-01")) for seed in range(3)
    ]
    print(f"# Lists of now\n\n{__doc__}")
    print("| games | default | n | log score | less still | less Elo | CPU s, mean |\n|---|---|--:|--:|--:|--:|--:|")
    for name, cases in sets.items():
        began = time.process_time()
        found = [judged(games, day) for games, day in cases]
        spent = (time.process_time() - began) / len(cases)
        lost = {one: np.concatenate([part[0][one] for part in found]) for one in found[0][0]}
        who = [np.concatenate([np.char.add(f"{k} ", getattr(part[1], side)) for k, part in enumerate(found)])
               for side in ("white_names", "black_names")]  # fmt: skip
        event = np.concatenate(
            [part[1].date.astype("datetime64[M]").astype(int) + 10_000 * k for k, part in enumerate(found)]
        )
        cells = []
        for other in ("still", "elo"):
            one = paired_errors(lost["default"] - lost[other], event, *who)
            cells.append(f"{one.mean:+.4f} ± {one.two_way:.4f}")
        rows = "; ".join(dict.fromkeys(part[2] for part in found))
        own = lost["default"]
        print(f"| {name} | {rows} | {own.size:,} | {own.mean():.4f} | {' | '.join(cells)} | {spent:.0f} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
