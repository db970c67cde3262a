"""Repeated calls of `hp.rate` in one process: memory, open handles and temporary files.

    python benchmarks/bench_process.py [CALLS]   prints the rows of durability.md; 200 calls by default, some minutes

Each call rates the same file of 300 games of 12 players with its page, without writing files. The first calls import,
compile and fill caches; growth is measured from the tenth call on.
"""

import gc
import sys
import tempfile
from pathlib import Path

import records

import halfpoint as hp

WARM = 10


def state():
    """Resident memory in MB, open handles, threads, and temporary files of this process."""
    gc.collect()
    lines = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    files = sum(1 for path in Path(tempfile.gettempdir()).rglob("*") if path.is_file())
    return (
        int(lines["VmRSS"].split()[0]) / 1024.0,
        len(list(Path("/proc/self/fd").iterdir())),
        int(lines["Threads"]),
        files,
    )


def calls(count, path, say=print):
    """State after every tenth call of `hp.rate` on a file, the first after WARM calls."""
    found = []
    for number in range(1, count + 1):
        rated = hp.rate(path, model="davidson-common", method="normal", seed=number)
        assert rated.page().title
        if number >= WARM and number % 10 == 0:
            found.append(state())
            say(f"| {number} | {found[-1][0]:.1f} | {found[-1][1]} | {found[-1][2]} | {found[-1][3]} |")
    return found


def main(count=200):
    """Print the rows of the page."""
    with tempfile.TemporaryDirectory() as folder:
        tempfile.tempdir = folder  # of this process alone
        path = Path(folder, "games.csv")
        hp.simulate(path, games=300, players=12)
        print(records.mark(" ".join(["python benchmarks/bench_process.py", *sys.argv[1:]])) + "\n")
        print("| calls | resident memory, MB | open handles | threads | temporary files |\n|--:|--:|--:|--:|--:|")
        calls(count, path)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
