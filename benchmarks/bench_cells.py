"""More games than memory: cells of a simulated site, and their list from shards in worker processes and in one process.

    python benchmarks/bench_cells.py [GAMES]   a million players; writes large.md, with GAMES prints only

SIMULATED games of the site below, written file by file. `halfpoint cells` reduces the files to shards,
which stay in worker processes of limited memory while the list is fitted; one such worker also gets all shards alone. A
tenth of the games are fitted by workers and by one process.

Simulated games of a site of online chess and of a federation of clubs, with opponents of similar strength.

Site: strengths are normal and constant; the site's ratings have constant errors. Numbers of games are log-normal: half
of the players have fewer than twenty games a year, the most active ten thousands. Each week the seats are sorted by
rating plus noise, and neighbours meet, with random colours. Draws are rare. A year is learned, the four weeks after it
are forecast.

Federation: strengths are normal. Numbers of games are log-normal: the most active tenth has nearly half of them. Seven
evenings in ten are for one club, the others are open to all. On each evening the players who come are sorted by form,
strength plus noise, and neighbours meet, roughly as in a Swiss pairing; colours are random.
"""

import json
import multiprocessing
import os
import resource
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import records

from halfpoint.models.games.simulate import Schedule, Truth, outcome_probabilities, scores_drawn
from halfpoint.models.games.table import GameTable
from halfpoint.models.games.units import to_elo, to_natural

HERE = Path(__file__).resolve().parent
FILE, SHARDS, WORKERS = 2_000_000, 16, 2  # games of a file
LARGE, SMALL = (1_000_000, 100_000_000), (200_000, 2_000_000)  # players, games
LIMIT = 2.4e9  # bytes of a worker, above which it is ended
ONE_THREAD = {
    name: "1" for name in ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS")
}
_INTERVAL = 1.6449  # of 90%
LEVEL, SPREAD = 1500.0, 350.0  # Elo: of the players
ERROR, SEARCH = 75.0, 50.0  # Elo: how far ratings are off, and how far off one's own an opponent's is looked for
ADVANTAGE, LOG_DRAW = 0.12, float(np.log(2.0 / 24.0))  # natural units: White's, 21 Elo; 4 in 100 between equals
ACTIVITY = 1.6  # sd of the logarithm of how much players play
WEEKS, AFTER = 52, 4
CLUB_STRENGTH = (15.571, 1.2)  # natural units: 2705 Elo and 208 Elo
CLUB_ADVANTAGE = 0.19  # White's, natural units: 33 Elo
CLUB_LOG_DRAW = 0.3
FORM = 0.6  # sd of form on the day, natural units


@dataclass(frozen=True, eq=False)
class Site:
    """Games of a year and of the following weeks, and their players."""

    strength: np.ndarray  # (player,): natural units
    rating: np.ndarray  # (player,): of the site, Elo
    white: np.ndarray  # (game,)
    black: np.ndarray
    outcome: np.ndarray  # (game,): 0, 1, 2
    week: np.ndarray  # (game,): 1 to WEEKS, and those after


def simulated(players: int, games: int, seed: int) -> Site:
    """Simulated games of a year and the following weeks; each player plays in the first week."""
    chance = np.random.default_rng(seed)
    strength = chance.normal(LEVEL, SPREAD, players)
    rating = np.clip(np.rint(strength + chance.normal(0.0, ERROR, players)), 0.0, 4000.0)
    strength = to_natural(strength)
    share = chance.lognormal(0.0, ACTIVITY, players)
    share /= share.sum()
    columns = [], [], [], []
    for week in range(1, WEEKS + AFTER + 1):
        want = games * week // WEEKS - games * (week - 1) // WEEKS
        come = np.repeat(np.arange(players, dtype=np.int32), chance.multinomial(2 * want, share))
        if week == 1:  # everybody plays at least once
            come = np.concatenate([chance.permutation(come)[players:], np.arange(players, dtype=np.int32)])
        come = come[np.argsort(rating[come] + chance.normal(0.0, SEARCH, come.size))]
        turned = chance.random(want) < 0.5
        white, black = np.where(turned, come[1::2], come[::2]), np.where(turned, come[::2], come[1::2])
        kept = white != black
        white, black = white[kept], black[kept]
        chances = outcome_probabilities(strength[white] - strength[black] + ADVANTAGE, LOG_DRAW)
        outcome = (2.0 * scores_drawn(chances, chance)).astype(np.int8)
        for column, one in zip(columns, (white, black, outcome, np.full(white.size, week, np.int8)), strict=True):
            column.append(one)
    return Site(strength, rating, *(np.concatenate(one) for one in columns))


def table_of(site: Site, here: np.ndarray, rated: bool = True) -> GameTable:
    """Games of the site as a table, with or without printed ratings; only players with games."""
    width, white, black = len(str(site.strength.size - 1)), site.white[here], site.black[here]
    seen = np.zeros(site.strength.size, np.bool_)
    seen[white] = seen[black] = True
    names = np.char.zfill(np.flatnonzero(seen).astype(f"U{width}"), width)
    ratings = {"white_rating_elo": site.rating[white], "black_rating_elo": site.rating[black]} if rated else {}
    code = np.cumsum(seen, dtype=np.int32) - 1
    white, black = code[white], code[black]
    return GameTable(names, white, black, site.outcome[here] / 2.0, name="site", simulated=True, **ratings)


@dataclass(frozen=True)
class Federation:
    """Size of a federation and the activity of its players.

    Parameters
    ----------
    players, games : int
        Size.
    club : int
        Members of a club.
    spread : float
        Standard deviation of the logarithm of the numbers of games.
    """

    players: int
    games: int
    club: int = 100
    spread: float = 1.2


def truth_of(federation: Federation, seed: int) -> Truth:
    """Strengths, White's advantage and the draw parameter."""
    chance = np.random.default_rng([seed, 1])
    width = len(str(federation.players - 1))
    names = np.char.zfill(np.arange(federation.players).astype(f"U{width}"), width)
    return Truth(names, chance.normal(*CLUB_STRENGTH, federation.players), CLUB_ADVANTAGE, CLUB_LOG_DRAW)


def schedule_of(federation: Federation, truth: Truth, seed: int) -> Schedule:
    """Draw the sides of each game."""
    chance = np.random.default_rng([seed, 2])
    players, games = federation.players, federation.games
    share = chance.lognormal(0.0, federation.spread, players)
    share /= share.sum()
    club = chance.permutation(players) // federation.club
    evenings = max(10, min(400, games // 1000))
    white, black, left = [], [], games
    while left > 0:
        seats = 2 * max(1, min(left, -(-games // evenings)))
        come = np.repeat(np.arange(players, dtype=np.int32), chance.multinomial(seats, share))
        if left == games:  # everybody plays at least once
            come = np.concatenate([come, np.arange(players, dtype=np.int32)])
        form = truth.strength[come] + chance.normal(0.0, FORM, come.size)
        at_home = len(white) % 10 < 7
        come = come[np.lexsort((form, club[come])) if at_home else np.argsort(form)]
        come = come[: come.size // 2 * 2]
        first, second = come[0::2], come[1::2]
        keep = first != second
        first, second = first[keep][:left], second[keep][:left]
        turned = chance.random(first.size) < 0.5
        white.append(np.where(turned, second, first))
        black.append(np.where(turned, first, second))
        left -= first.size
    return Schedule(np.concatenate(white), np.concatenate(black))


def simulate(folder, players, games):
    """Write games as Parquet files, one at a time, and the true strengths; all players occur in the first file."""
    import polars

    chance = np.random.default_rng(1)
    points = chance.normal(LEVEL, SPREAD, players)
    rating = np.clip(np.rint(points + chance.normal(0.0, ERROR, players)), 0.0, 4000.0)
    strength, share = to_natural(points), chance.lognormal(0.0, ACTIVITY, players)
    np.save(f"{folder}/strength.npy", strength)
    names = polars.Series(range(players)).cast(polars.String).str.zfill(len(str(players - 1)))
    files = max(1, games // FILE)
    for k in range(files):
        want = games * (k + 1) // files - games * k // files
        come = np.repeat(np.arange(players, dtype=np.int32), chance.multinomial(2 * want, share / share.sum()))
        if k == 0:
            come = np.concatenate([chance.permutation(come)[players:], np.arange(players, dtype=np.int32)])
        come = come[np.argsort(rating[come] + chance.normal(0.0, SEARCH, come.size))]
        turned = chance.random(want) < 0.5
        white, black = np.where(turned, come[1::2], come[::2]), np.where(turned, come[::2], come[1::2])
        white, black = white[white != black], black[white != black]
        chances = outcome_probabilities(strength[white] - strength[black] + ADVANTAGE, LOG_DRAW)
        outcome = np.rint(2.0 * scores_drawn(chances, chance)).astype(np.int8)
        frame = polars.DataFrame({
            "white": names.gather(white), "black": names.gather(black),
            "result": polars.Series(["0-1", "1/2-1/2", "1-0"]).gather(outcome),
            "white_rating_elo": rating[white], "black_rating_elo": rating[black],
        })  # fmt: skip
        frame.write_parquet(f"{folder}/games-{k:03d}.parquet")


def reduce(folder):
    """Reduce the files to shards, by worker processes."""
    from halfpoint.apps.workflows.cell_files import cells
    from halfpoint.apps.workflows.executor import executor_of

    files = sorted(Path(folder).glob("games-*.parquet"))
    with executor_of(WORKERS) as executor:
        found = cells(files, f"{folder}/cells", shards=SHARDS, executor=executor)
    return {"files": len(files), "games": found.about["games"], "cells": found.about["cells"],
            "bytes_of_games": sum(one.stat().st_size for one in files),
            "bytes_of_cells": sum(one.stat().st_size for one in Path(folder, "cells").glob("*.parquet"))}  # fmt: skip


def limit_workers():
    """End a worker whose memory exceeds `LIMIT`, as the nanny of a cluster does."""
    while True:
        for process in multiprocessing.active_children():
            with suppress(OSError, IndexError, StopIteration):
                lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
                if 1000.0 * int(next(one for one in lines if one.startswith("VmRSS")).split()[1]) > LIMIT:
                    process.kill()
        time.sleep(0.1)


def fit(folder, workers, limited):
    """List the players of the shards, and compare with the truth; or return the error message."""
    from halfpoint.apps.workflows import cell_list
    from halfpoint.inference.errors import InferenceError
    from halfpoint.inference.gaussian import shard_places

    began = time.perf_counter()
    if limited:
        threading.Thread(target=limit_workers, daemon=True).start()
    if limited and workers == 1:  # in a worker too
        cell_list._shards = lambda parts, *_: shard_places.shards_in_processes(parts, 1)
    try:
        found = cell_list.rate_cells(f"{folder}/cells", workers=workers, say=lambda line: print(" ", line, flush=True))
    except (InferenceError, MemoryError) as error:
        return {"error": f"{type(error).__name__}: {error}", "seconds": time.perf_counter() - began}
    seconds, about = time.perf_counter() - began, found.about
    frame = found.frame.sort_values("player")
    strength = np.load(f"{folder}/strength.npy")[frame["player"].to_numpy().astype(np.int64)]
    truth = about["level_elo"] + (to_elo(strength) - about["level_elo"]) * (1.0 - about["draw_rate"]["mean"])
    rating, sd = frame["rating_elo"].to_numpy(), frame["sd_elo"].to_numpy()
    np.savez(f"{folder}/list-{workers}.npz", rating=rating, sd=sd)
    keys = ("model", "cells", "shards", "steps", "bytes_sent", "bytes_received")
    return {key: about[key] for key in keys} | {
        "players": len(frame), "seconds": seconds, "coverage": float((np.abs(rating - truth) < _INTERVAL * sd).mean()),
        "error_elo": float(np.sqrt(np.mean((rating - truth) ** 2))),
        "printed_error_elo": float(np.sqrt(np.mean((frame["printed_elo"].to_numpy() - to_elo(strength)) ** 2))),
    }  # fmt: skip


def measured(folder, what, *given):
    """Result of a part in another process, with CPU seconds and peak memory, separately for its workers."""
    command = [sys.executable, __file__, "part", what, folder, *map(str, given)]
    subprocess.run(command, check=True, env=os.environ | ONE_THREAD)
    return json.loads(Path(folder, f"{what}.json").read_text())


def part(what, folder, *given):
    """Run a part and write its result."""
    began = time.perf_counter()
    result = {"simulate": simulate, "reduce": reduce, "fit": fit}[what](folder, *map(int, given)) or {}
    own, workers = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    result |= {"wall": time.perf_counter() - began, "cpu": own.ru_utime + own.ru_stime, "gb": own.ru_maxrss / 1e6}
    result |= {"workers_cpu": workers.ru_utime + workers.ru_stime, "worker_gb": workers.ru_maxrss / 1e6}
    print(what, result, flush=True)
    Path(folder, f"{what}.json").write_text(json.dumps(result))


def run(players, games, fits):
    """Results of simulating, reducing and listing, by name; `fits` are the workers and whether they are limited."""
    with TemporaryDirectory() as folder:
        found = {"drawn": measured(folder, "simulate", players, games), "made": measured(folder, "reduce")}
        for workers, limited in fits:
            found[f"list_{workers}"] = measured(folder, "fit", workers, int(limited))
        print(json.dumps(found), flush=True)
        lists = [np.load(path) for path in sorted(Path(folder).glob("list-*.npz"))]
    if len(lists) > 1:
        found["apart"] = float(np.max(np.abs(lists[0]["rating"] - lists[1]["rating"]) / lists[1]["sd"]))
        found["widths"] = float(np.max(np.abs(lists[0]["sd"] / lists[1]["sd"] - 1.0)))
    return found


def page(large, small):
    """Page of both runs, and the extrapolation to 10^10 games of 10^7 players on 50 workers."""
    made, many, one = large["made"], large[f"list_{WORKERS}"], small["list_1"]
    step = (many["bytes_sent"] + many["bytes_received"]) / many["steps"] / many["shards"]
    own = (many["worker_gb"] - _IMPORTS_GB) * many["shards"] / many["cells"]  # GB a cell
    paper_step = 50 * step / many["players"] * 1e7 / 1e9
    reduced = made["cpu"] + made["workers_cpu"]
    numbers = {
        "step_mb": step / 1e6, "step_seconds": many["seconds"] / many["steps"], "paper_cells": 1e10 / 50,
        "paper_gb": 1e10 / 50 * own, "paper_own": (many["gb"] - _IMPORTS_GB) * 1e7 / many["players"],
        "paper_reduce": 1e10 * reduced / made["games"] / 50 / 3600.0,
        "paper_hours": 1e10 / 50 * many["workers_cpu"] / many["cells"] / 3600.0, "paper_step": paper_step,
        "paper_asks": many["cpu"] / many["players"] * 1e7 / 3600.0,
        "paper_network": many["steps"] * paper_step / 1.25 / 3600.0, "workers": WORKERS,
        "small_games": small["made"]["games"], "small_cells": one["cells"], "small_coverage": one["coverage"],
        "games_mb": made["bytes_of_games"] / 1e6, "cells_mb": made["bytes_of_cells"] / 1e6, "limit": LIMIT / 1e9,
        "apart": small["apart"], "widths": small["widths"], "reduced": reduced, "merged": SHARDS,
        "error": large["list_1"]["error"].partition(";")[0],
        "small_cpu": one["cpu"], "small_players": one["players"], "small_gb": one["gb"],
        "small_seconds": one["seconds"],
    }  # fmt: skip
    for name, each in (("made", made), ("many", many)):
        numbers |= {f"{name}_{key}": value for key, value in each.items()}
    return PAGE.format(**numbers)


def main(words):
    """Run a part, or all and write the page."""
    if words[:1] == ["part"]:
        part(*words[1:])
        return
    if words:
        print(run(LARGE[0], int(words[0]), [(WORKERS, True), (1, False)]))
        return
    text = page(run(*LARGE, [(WORKERS, True), (1, True)]), run(*SMALL, [(WORKERS, False), (1, False)]))
    records.section(HERE / "large.md", text, "python benchmarks/bench_cells.py")


_IMPORTS_GB = 0.3  # of a worker without cells
PAGE = """# More games than memory, measured

    python benchmarks/bench_cells.py

SIMULATED (`benchmarks/bench_cells.py`): a site of online chess, {made_games:,} games of {many_players:,} players whose
printed ratings are off by 75 Elo, in {made_files} Parquet files. `halfpoint cells --workers {workers}` reduces them to
{made_cells:,} cells in {merged} shards; `halfpoint rate --workers {workers}` fits `{many_model}` with the shards in
{workers} worker processes, one thread each, each ended above {limit:.1f} GB, as a cluster's nanny does. One worker with
all the cells and the same limit ends with an error ({error}).

| | CPU s | wall s | peak of a process, GB |
|---|---:|---:|---:|
| cells, {workers} workers, together and the largest | {reduced:.0f} | {made_wall:.0f} | {made_worker_gb:.2f} |
| list: the workers, together and the largest | {many_workers_cpu:.0f} | {many_seconds:.0f} | {many_worker_gb:.2f} |
| list: the process that asks | {many_cpu:.0f} | | {many_gb:.2f} |

The truth lies in the 90% interval of **{many_coverage:.2%}** of the players; ratings are {many_error_elo:.1f} Elo from
it (root mean square), printed ratings {many_printed_error_elo:.1f}. The fit takes {many_steps} steps; a step sends and
receives {step_mb:.1f} MB a worker and takes {step_seconds:.2f} s of wall time. As Parquet games
take {games_mb:.0f} MB, cells {cells_mb:.0f} MB.

## Workers and one process

{small_cells:,} cells of {small_games:,} games of {small_players:,} players, coverage {small_coverage:.2%}; one process
takes {small_cpu:.0f} CPU s, {small_gb:.2f} GB. Ratings by {workers} workers and by one process differ by at most
{apart:.1e} standard deviations, standard deviations by a share of at most {widths:.1e}.

## On paper: 10^10 games of 10^7 players on 50 workers

Extrapolated from the first run for the worst case, in which every game is a separate cell:

| | |
|---|---:|
| cells of a worker | {paper_cells:,.0f} |
| memory of a worker | {paper_gb:.1f} GB |
| memory of the process that asks, by players | {paper_own:.0f} GB |
| reduction to cells, hours | {paper_reduce:.2f} |
| computing of a worker, one thread, hours | {paper_hours:.2f} |
| computing of the process that asks, hours | {paper_asks:.2f} |
| a step, all workers | {paper_step:.1f} GB |
| all steps through one link of 10 Gbit/s, hours | {paper_network:.1f} |

Games of the same two players in the same seats are one cell, so repeated pairings need less. Wall times were measured
with other processes running.
"""

if __name__ == "__main__":
    main(sys.argv[1:])
