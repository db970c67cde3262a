"""CPU seconds of whole commands, compared with another commit: door.md.

    python benchmarks/door.py [COMMIT [SIZE ...]] > benchmarks/door.md

Each command runs in a separate process with filled caches; CPU seconds are of all its threads, the smallest of two
runs, of four below 3 seconds, of one above half a minute. "First run" is one run with empty caches, as after
installing. Games are SIMULATED, the same for both commits. Extras are hidden, as in a plain installation: with JAX or
Dask installed, ArviZ and xarray import them too.
"""

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import records
from bench_beside import package

SIZES = {"small": (5_000, 100), "large": (100_000, 5_000), "huge": (1_000_000, 20_000)}
WORDS = {
    "`rate`, 5,000 games of 100 players": "rate small.csv --out small",
    "the same, first run after installing": "rate small.csv --out first",
    "`match` of two": "match small/trace.nc {one} {two}",
    "`rank`": "rank small/trace.nc",
    "`tournament` of eight": "tournament small/trace.nc eight.txt",
    "`compare` of two models": "compare small/trace.nc other/trace.nc",
    "`rate`, 100,000 games of 5,000 players": "rate large.csv --out large",
    "`rate`, 1,000,000 games of 20,000 players, PGN": "rate huge.pgn --out huge",
}
NEW_ONLY = ("large", "huge")  # they did not end there
HALFPOINT = """
import sys
from importlib.machinery import PathFinder
found = PathFinder.find_spec
extras = ("chess", "coverage", "dask", "distributed", "jax", "jaxlib", "matplotlib", "numpyro", "openskill", "pooch")
PathFinder.find_spec = lambda name, *rest: None if name.partition(".")[0] in extras else found(name, *rest)
sys.path.insert(0, {!r})
sys.argv[0] = "halfpoint"
from halfpoint.apps.cli import main
main()
"""


def run(code: str, words: list[str], place: Path) -> tuple[float, float]:
    """CPU seconds of a program and its peak memory in MB."""
    surroundings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    if "first" in words:
        empty = {"NUMBA_CACHE_DIR": "numba", "XDG_CACHE_HOME": "cache", "PYTENSOR_FLAGS": "pytensor"}
        surroundings |= {name: str(place / "empty" / folder) for name, folder in empty.items()}
        surroundings["PYTENSOR_FLAGS"] = f"base_compiledir={surroundings['PYTENSOR_FLAGS']}"
    with (place / "said.txt").open("w") as said:
        process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", code, *words], cwd=place, stdout=said, stderr=said, env=surroundings
        )
        _, status, used = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status):
        raise SystemExit(f"{' '.join(words)}: {(place / 'said.txt').read_text()[-500:]}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def best(code: str, words: list[str], place: Path) -> tuple[float, float]:
    """Smallest of two runs, of four short ones, or a single long one."""
    found = [run(code, words, place)]
    again = [*words, *(["--force"] if words[0] == "rate" else [])]
    while "first" not in words and found[0][0] < 30 and len(found) < (4 if min(found)[0] < 3 else 2):
        found.append(run(code, again, place))
    return min(found)


def main() -> None:
    """Write the table."""
    commit, *asked = sys.argv[1:] or ["22ce3cc"]
    sizes = {name: size for name, size in SIZES.items() if name in asked or not asked}
    here = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True).stdout
    with tempfile.TemporaryDirectory() as name:
        sides = {one: package(one, Path(name) / (one or "here")) for one in (commit, "")}
        places = {one: Path(name) / f"run{one}" for one in sides}
        for one, place in places.items():
            make(place, sizes, HALFPOINT.format(str(sides[""])))
            run(
                HALFPOINT.format(str(sides[one])), ["rate", "small.csv", "--model", "davidson", "--out", "other"], place
            )
        pymc = min(run("import pymc", [], places[""]) for _ in range(2))
        print(
            f"# The door\n\n{records.mark('python benchmarks/door.py')}\n"
            f"`python benchmarks/door.py` at {here.strip()} and at {commit}, "
            f"load {os.getloadavg()[0]:.1f}; `python -c 'import pymc'` takes {pymc[0]:.1f} CPU s.\n"
        )
        print(f"| command | CPU s, {commit} | CPU s | memory, MB |\n|---|--:|--:|--:|", flush=True)
        for title, line in WORDS.items():
            if not any(name in line for name in sizes):
                continue
            row = []
            for one, folder in sides.items():
                if one and any(f" {size}" in line for size in NEW_ONLY):
                    row.append("")
                    continue
                code, place = HALFPOINT.format(str(folder)), places[one]
                words = [word.format(one=NAMES[0], two=NAMES[1]) for word in line.split()]
                seconds, memory = best(code, words, place)
                row.append(f"{seconds:.1f}" if one else f"{seconds:.1f} | {memory:,.0f}")
            print(f"| {title} | {' | '.join(row)} |", flush=True)


NAMES: list[str] = []


def make(place: Path, sizes: dict[str, tuple[int, int]], code: str) -> None:
    """Write the games, and traces for `compare`."""
    place.mkdir()
    for name, (games, players) in sizes.items():
        ending = "pgn" if name == "huge" else "csv"
        run(code, ["simulate", f"{name}.{ending}", "--games", str(games), "--players", str(players)], place)
    with (place / "small.csv").open() as file:
        names = sorted({one for line in list(file)[1:] for one in line.split(",")[:2]})
    NAMES[:] = names[:2]
    (place / "eight.txt").write_text("\n".join(names[:8]) + "\n")


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    main()
