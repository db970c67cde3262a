"""Read and rate in other processes and threads: `python tests/apps/workflows/in_processes.py fork|spawn|...`, one line.

The first process has already read, rated and answered; each of the others does the same.
"""

import asyncio
import multiprocessing
import sys
import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

warnings.simplefilter("ignore", DeprecationWarning)  # of a fork beside threads, which is what is tried

import halfpoint as hp  # noqa: E402
from halfpoint.models.games.errors import HalfpointError  # noqa: E402

GUARD = 200  # seconds, of which a busy machine uses 70; who waits for threads that are gone waits for ever
NORMAL = {"model": "davidson-common", "method": "normal"}


def rated_file(path):
    """Read a file, rate it, and query the trace; or the line of the refusal."""
    try:
        found = hp.rate(path, **NORMAL)
        return len(hp.read(path)), len(hp.rank(found.trace).frame)
    except HalfpointError as error:
        return str(error)


def rated_table(games):
    """The same for games in memory, by both methods."""
    found = [
        hp.rate(games, **NORMAL),
        hp.rate(games, model="davidson-common", method="nuts", draws=50, tune=50, chains=2),
    ]
    return [len(hp.rank(one.trace).frame) for one in found]


def main(how, folder):
    """Do the same in several processes or threads simultaneously."""
    path = Path(folder, "games.csv")
    hp.simulate(path, games=200, players=8, force=True)
    table = hp.read(path)
    rated_file(path), rated_table(table)
    if how == "threads":
        with ThreadPoolExecutor(2) as pool:
            print([*pool.map(rated_file, [path] * 2)], [*pool.map(rated_table, [table])])
    elif how == "asyncio":

        async def both():
            return await asyncio.gather(*(asyncio.to_thread(rated_file, path) for _ in range(2)))

        print(asyncio.run(both()), [rated_table(table)])
    else:
        with ProcessPoolExecutor(2, multiprocessing.get_context(how)) as pool:
            several = pool.map(rated_file, [path] * 2, timeout=GUARD), pool.map(rated_table, [table], timeout=GUARD)
            print(*map(list, several))
    print(sorted(one.name for one in Path(folder).iterdir()))


if __name__ == "__main__":
    main(*sys.argv[1:])
