"""More games than memory: cells of a simulated site, its list from shards in worker processes, and in one process.

    python benchmarks/bench_cells.py      a million players, then fewer in one process too; cells.md beside this file

SIMULATED games (`lichess_like.py`). Files of games are reduced by `halfpoint cells` to shards, which stay in worker
processes while the list is fitted.
"""

import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import records

HERE = Path(__file__).resolve().parent
WEEKS, FILES, WORKERS = 3, 8, 2
LARGE, SMALL = (1_000_000, 3_000_000), (20_000, 200_000)  # players, games
ONE_THREAD = {
    name: "1" for name in ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS")
}
_INTERVAL = 1.6449  # of 90%


def simulate(folder, players, games):
    """Write the games of some weeks as Parquet files, and who is how strong."""
    import lichess_like
    import numpy as np
    import polars

    lichess_like.WEEKS, lichess_like.AFTER = WEEKS, 0  # everybody plays in the first week
    site = lichess_like.simulated(players, games, 1)
    np.save(f"{folder}/strength.npy", site.strength)
    width, kept = len(str(players - 1)), np.flatnonzero(site.week <= WEEKS)
    for k, rows in enumerate(np.array_split(kept, FILES)):
        columns = {side: site.white[rows] if side == "white" else site.black[rows] for side in ("white", "black")}
        frame = polars.DataFrame({
            **{side: polars.Series(codes).cast(polars.String).str.zfill(width) for side, codes in columns.items()},
            "result": polars.Series(["0-1", "1/2-1/2", "1-0"]).gather(site.outcome[rows]),
            **{f"{side}_rating_elo": site.rating[codes] for side, codes in columns.items()},
        })  # fmt: skip
        frame.write_parquet(f"{folder}/games-{k}.parquet")


def reduce(folder):
    """Reduce the files to shards."""
    from halfpoint.workflows.cell_files import cells

    files = sorted(Path(folder).glob("games-*.parquet"))
    found = cells(files, f"{folder}/cells", shards=FILES, say=lambda line: print(" ", line, flush=True))
    return {"games": found.about["games"], "cells": found.about["cells"],
            "bytes_of_games": sum(one.stat().st_size for one in files),
            "bytes_of_cells": sum(one.stat().st_size for one in Path(folder, "cells").glob("*.parquet"))}  # fmt: skip


def fit(folder, workers):
    """List the players of the shards, and compare with the truth."""
    import numpy as np

    from halfpoint.games.units import to_elo
    from halfpoint.workflows.cell_list import rate_cells

    began = time.perf_counter()
    found = rate_cells(f"{folder}/cells", workers=workers, say=lambda line: print(" ", line, flush=True))
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
    """The result of a part in a process of its own, with CPU seconds and peak memory, its workers' apart."""
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


def run(players, games, processes):
    """Results of simulating, reducing, and listing in so many processes, each by its name."""
    import numpy as np

    with TemporaryDirectory() as folder:
        measured(folder, "simulate", players, games)
        found = {"made": measured(folder, "reduce")}
        found |= {f"list_{count}": measured(folder, "fit", count) for count in processes}
        lists = [np.load(f"{folder}/list-{count}.npz") for count in processes]
    if len(lists) > 1:
        found["apart"] = float(np.max(np.abs(lists[0]["rating"] - lists[1]["rating"]) / lists[1]["sd"]))
        found["widths"] = float(np.max(np.abs(lists[0]["sd"] / lists[1]["sd"] - 1.0)))
    return found


def page(large, small):
    """The page of both runs, and what they come to at 10^10 games of 10^7 players on 50 workers."""
    made, many, one = large["made"], large[f"list_{WORKERS}"], small["list_1"]
    step = (many["bytes_sent"] + many["bytes_received"]) / many["steps"] / many["shards"]
    own = (many["worker_gb"] - _IMPORTS_GB) * many["shards"] / many["cells"]  # GB a cell
    paper_step = 50 * step / many["players"] * 1e7 / 1e9
    numbers = {
        "step_mb": step / 1e6, "step_seconds": many["seconds"] / many["steps"], "paper_cells": 1e10 / 50,
        "paper_gb": 1e10 / 50 * own, "paper_own": (many["gb"] - _IMPORTS_GB) * 1e7 / many["players"],
        "paper_reduce": 1e10 * made["cpu"] / made["games"] / 50 / 3600.0,
        "paper_hours": 1e10 / 50 * many["workers_cpu"] / many["cells"] / 3600.0, "paper_step": paper_step,
        "paper_network": many["steps"] * paper_step / 1.25 / 3600.0, "workers": WORKERS, "files": FILES,
        "small_players": one["players"], "small_cells": one["cells"], "small_coverage": one["coverage"],
        "games_mb": made["bytes_of_games"] / 1e6, "cells_mb": made["bytes_of_cells"] / 1e6,
        "apart": small["apart"], "widths": small["widths"],
    }  # fmt: skip
    for name, each in (("made", made), ("many", many)):
        numbers |= {f"{name}_{key}": value for key, value in each.items()}
    return PAGE.format(**numbers)


def main(words):
    """Run a part, or all and write the page."""
    if words[:1] == ["part"]:
        part(*words[1:])
        return
    text = page(run(*LARGE, (WORKERS,)), run(*SMALL, (WORKERS, 1)))
    records.page(HERE / "cells.md", text, "python benchmarks/bench_cells.py")


_IMPORTS_GB = 0.3  # of a worker without cells
PAGE = """# More games than memory, measured

    python benchmarks/bench_cells.py

SIMULATED (`benchmarks/lichess_like.py`): a site of online chess, {made_games:,} games of {many_players:,} players whose
printed ratings are off by 75 Elo, in {files} Parquet files. `halfpoint cells` reduces them to {made_cells:,} cells in
{files} shards; `halfpoint rate --workers {workers}` fits `{many_model}` with the shards in {workers} worker processes,
one thread each.

| | CPU s | wall s | peak of a process, GB |
|---|---:|---:|---:|
| cells, in one process | {made_cpu:.0f} | {made_wall:.0f} | {made_gb:.2f} |
| list: the workers, together and the largest | {many_workers_cpu:.0f} | {many_seconds:.0f} | {many_worker_gb:.2f} |
| list: the process that asks | {many_cpu:.0f} | | {many_gb:.2f} |

The truth lies in the 90% interval of **{many_coverage:.2%}** of the players; ratings are {many_error_elo:.1f} Elo from
it (root mean square), printed ratings {many_printed_error_elo:.1f}. The fit takes {many_steps} steps; a step sends and
receives {step_mb:.1f} MB a worker and takes {step_seconds:.2f} s of wall time. As Parquet games
take {games_mb:.1f} MB, cells {cells_mb:.1f} MB.

## Workers and one process

{small_cells:,} cells of {small_players:,} players, coverage {small_coverage:.2%}: ratings by {workers} workers and by
one process differ by at most {apart:.1e} standard deviations, standard deviations by a share of at most {widths:.1e}.

## On paper: 10^10 games of 10^7 players on 50 workers

In proportion to the first run, if every game were a cell of its own, which is the worst case:

| | |
|---|---:|
| cells of a worker | {paper_cells:,.0f} |
| memory of a worker | {paper_gb:.0f} GB |
| memory of the process that asks, by players | {paper_own:.0f} GB |
| reduction to cells, hours | {paper_reduce:.1f} |
| computing of a worker, one thread, hours | {paper_hours:.1f} |
| a step, all workers | {paper_step:.1f} GB |
| all steps through one link of 10 Gbit/s, hours | {paper_network:.1f} |

Games of the same two players in the same seats are one cell: where pairs meet again, less is needed. Wall times are
of a machine with other work, as the mark above says.
"""

if __name__ == "__main__":
    main(sys.argv[1:])
