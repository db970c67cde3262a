"""CPU seconds of whole commands, compared with another commit: door.md.

    python benchmarks/door.py commands [COMMIT [SIZE ...]]

Each command runs in a separate process with filled caches; CPU seconds are of all its threads, the smallest of two
runs, of four below 3 seconds, of one above half a minute. "First run" is one run with empty caches, as after
installing. Games are SIMULATED, the same for both commits. Extras are hidden, as in a plain installation: with JAX or
Dask installed, ArviZ and xarray import them too.

CPU seconds of one command by part, which add up to the total: door.md.

    python benchmarks/door.py parts rate games.csv --out out --force

Seconds of a part exclude those of its inner parts; an import counts wherever it happens. Extras are hidden, as in a
plain installation. If Python may not write bytecode, imports compile each source again.

Repeated calls of `hp.rate` in one process: memory, open handles and temporary files.

    python benchmarks/door.py calls [CALLS]   prints the rows of tests.md; 200 calls by default, some minutes

Each call rates the same file of 300 games of 12 players with its page, without writing files. The first calls import,
compile and fill caches; growth is measured from the tenth call on.

CPU seconds of `halfpoint site`: a league of 20 clubs in two editions, a list of 500 players, five first tries.

    python benchmarks/door.py site            prints the figures of door.md as JSON; all games are made up
"""

import csv
import gc
import importlib._bootstrap as imports
import json
import os
import random
import resource
import runpy
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date, timedelta
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

import records

import halfpoint as hp

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


ROOT = Path(__file__).resolve().parent.parent


def package(commit: str, home: Path) -> Path:
    """Folder with the package of a commit, or of the current files, linked as installed."""
    source = home / "source" if commit else ROOT
    if commit:
        source.mkdir(parents=True)
        packed = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True)
        subprocess.run(["tar", "-x", "-C", str(source)], input=packed.stdout, check=True)
    runpy.run_path(str(source / ".ci" / "link.py"))["linked"](home, source)
    return home


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


def main_of_commands() -> None:
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
            f"# The door\n\n{records.mark('python benchmarks/door.py commands')}\n"
            f"`python benchmarks/door.py commands` at {here.strip()} and at {commit}, "
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


def run_commands():
    """Run the command `commands`."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    main_of_commands()


EXTRAS = ("chess", "coverage", "dask", "distributed", "jax", "jaxlib", "matplotlib", "numpyro", "openskill", "pooch")
PARTS = {
    "reading": ("apps.workflows.rating_list:take_in", "apps.workflows.rating_list:are_cells"),
    "choice of the model": ("apps.workflows.rating_list:suggest", "apps.workflows.rating_list:in_time"),
    "declaring": ("apps.workflows.trace_of_games:declare",),
    "normal approximation": ("inference.fit:gaussian_draws",),
    "trace, made": ("inference.fit:_with_normal",),
    "diagnosis": ("inference.sample:diagnose",),
    "checks": ("apps.workflows.trace_of_games:_unlike_the_model",),
    "trace, written": ("apps.workflows.trace_of_games:write",),
    "list": ("apps.workflows.rating_list:_list_players",),
    "page": (
        "apps.workflows.rating_list:rated_page",
        "apps.workflows.rating_list:people_of",
        "apps.workflows.rating_list:put_page",
    ),
}


class Clock:
    """CPU seconds by part, with a stack of active parts."""

    def __init__(self) -> None:
        self.stack, self.seconds, self.last = ["rest"], dict[str, float](), time.process_time()

    def charge(self) -> None:
        """Add the seconds since the last call to the current part."""
        now = time.process_time()
        self.seconds[self.stack[-1]] = self.seconds.get(self.stack[-1], 0.0) + now - self.last
        self.last = now

    def of(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Function whose seconds are added to a part."""

        def call(*args: Any, **keywords: Any) -> Any:
            self.charge()
            self.stack.append(part)
            try:
                return function(*args, **keywords)
            finally:
                self.charge()
                self.stack.pop()

        return call


def main_of_parts() -> None:
    """Run the command and print the parts, the largest first."""
    clock, find = Clock(), PathFinder.find_spec
    PathFinder.find_spec = lambda name, *rest: None if name.partition(".")[0] in EXTRAS else find(name, *rest)
    places = [(part, *place.split(":")) for part, several in PARTS.items() for place in several]
    load = clock.of("imports", imports._find_and_load)

    def with_clocks(name: str, import_: Callable[..., Any]) -> Any:
        """Module by name, with its parts timed once it is loaded."""
        module = load(name, import_)
        for part, owner, function in places:
            if name == f"halfpoint.{owner}" and name not in timed:
                setattr(module, function, clock.of(part, getattr(module, function)))
        timed.add(name)
        return module

    timed = set[str]()
    imports._find_and_load = with_clocks
    import numba.core.ccallback as functions
    import numba.core.dispatcher as loops

    for owner in (loops.Dispatcher, functions.CFunc):
        owner.compile = clock.of("compiled code", owner.compile)
    sys.argv[0] = "halfpoint"
    try:
        runpy.run_module("halfpoint", run_name="__main__")
    except SystemExit:
        clock.charge()
    for part, seconds in sorted(clock.seconds.items(), key=lambda one: -one[1]):
        print(f"{part:22s} {seconds:6.2f}", file=sys.stderr)
    print(f"{'total':22s} {sum(clock.seconds.values()):6.2f}", file=sys.stderr)


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


def main_of_calls(count=200):
    """Print the rows of the page."""
    with tempfile.TemporaryDirectory() as folder:
        tempfile.tempdir = folder  # of this process alone
        path = Path(folder, "games.csv")
        hp.simulate(path, games=300, players=12)
        print(records.mark(" ".join(["python benchmarks/door.py calls", *sys.argv[1:]])) + "\n")
        print("| calls | resident memory, MB | open handles | threads | temporary files |\n|--:|--:|--:|--:|--:|")
        calls(count, path)


def run_calls():
    """Run the command `calls`."""
    main_of_calls(*map(int, sys.argv[1:]))


HEADER = ("date", "home", "away", "home_goals", "away_goals")
COMMAND = Path(sys.executable).with_name("halfpoint")


def play(rng, strength, home, away):
    """Goals of a simulated game."""
    apart = strength[home] - strength[away]
    return tuple(sum(rng.random() < p for _ in range(20)) for p in (0.075 + 0.02 * apart, 0.06 - 0.02 * apart))


def write_league(folder, clubs=20, seed=1):
    """A complete season and the next season up to round 26, with all its fixtures."""
    rng = random.Random(seed)
    names = [f"Club {chr(65 + k)}" for k in range(clubs)]
    strength = {name: rng.gauss(0.0, 0.8) for name in names}
    rounds = []
    ring = names[1:]
    for turn in range(clubs - 1):
        order = [names[0], *ring[turn:], *ring[:turn]]
        pairs = [(order[k], order[-1 - k]) for k in range(clubs // 2)]
        rounds.append([pair if (turn + k) % 2 else pair[::-1] for k, pair in enumerate(pairs)])
    rounds += [[pair[::-1] for pair in one] for one in rounds]
    games, fixtures = [], []
    for season in (2024, 2025):
        for turn, pairs in enumerate(rounds):
            day = date(season, 8, 9) + timedelta(days=7 * turn)
            for home, away in pairs:
                if season == 2025:
                    fixtures.append((day, home, away))
                if season == 2024 or turn < 26:
                    games.append((day, home, away, *play(rng, strength, home, away)))
    put(folder / "games.csv", HEADER, games)
    put(folder / "fixtures.csv", ("date", "home", "away"), fixtures)
    text = 'title = "Made-up league"\ngames = "games.csv"\nfixtures = "fixtures.csv"\nseason = 2025-08-01\n'
    (folder / "league.toml").write_text(text + '[places]\n"top four" = "1-4"\nrelegation = "18-20"\n')
    return games


def write_list(folder, players=500, games=5000, seed=2):
    """Games of a list."""
    rng = random.Random(seed)
    names = [f"Player {k:03d}" for k in range(players)]
    strength = {name: rng.gauss(0.0, 1.0) for name in names}
    rows = []
    for number in range(games):
        white, black = rng.sample(names, 2)
        chance = 1.0 / (1.0 + 2.718281828 ** (strength[black] - strength[white]))
        score = 0.5 if rng.random() < 0.3 else float(rng.random() < chance)
        rows.append((date(2025, 1, 1) + timedelta(days=number * 300 // games), white, black, score))
    put(folder / "games.csv", ("date", "white", "black", "score"), rows)
    (folder / "list.toml").write_text('title = "Made-up list"\ngames = "games.csv"\n')


def put(path, header, rows):
    """Write a table."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows(rows)


def first_tries():
    """Five kinds of competitions from the files that ship as examples: settings, first and second edition."""
    from halfpoint.readers.datasets.examples import example_file

    tries = {
        "league": ("football.csv", 'fixtures = "fixtures.csv"\nseason = 2025-08-01\nplaces = {relegation = "9-10"}\n'),
        "club": ("club.pgn", ""),
        "engines": ("engines.pgn", ""),
        "arena": ("arena.csv", 'kind = "arena"\n'),
        "bridge": ("bridge.csv", 'kind = "bridge"\n'),
    }
    rows = []
    for name, (file, further) in tries.items():
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            key = {"league": "football"}.get(name, name)
            text = example_file(key).read_text(encoding="utf-8")
            if name == "league":
                write_all_fixtures(folder, text, example_file("fixtures").read_text(encoding="utf-8"))
            settings = f'title = "SIMULATED {name}"\ngames = "{file}"\n{further}'
            (folder / f"{name}.toml").write_text(settings)
            (folder / file).write_text(without_the_last_part(text, file), encoding="utf-8")
            first, _ = seconds_of(folder, f"{name}.toml")
            (folder / file).write_text(text, encoding="utf-8")
            second, said = seconds_of(folder, f"{name}.toml")
            edition = json.loads((folder / "public/data/edition.json").read_text())
            rows.append({
                "try": name, "lines of settings": len(settings.splitlines()), "commands": 2, "first": first,
                "second": second, "changes": len(edition["changes"]), "answer": said.splitlines()[0],
            })  # fmt: skip
            print(rows[-1], flush=True)
    return rows


def without_the_last_part(text, file):
    """Games without the last eighth."""
    if file.endswith(".pgn"):
        games = text.split("[Event ")[1:]
        return "".join(f"[Event {game}" for game in games[: len(games) * 7 // 8])
    lines = text.splitlines(keepends=True)
    return "".join(lines[: len(lines) * 7 // 8])


def write_all_fixtures(folder, games, fixtures):
    """Fixtures of the whole season, played and to come."""
    played = [line.split(",")[:3] for line in games.splitlines()[1:] if line >= "2025-08"]
    coming = [line.split(",")[:3] for line in fixtures.splitlines()[1:]]
    put(folder / "fixtures.csv", ("date", "home", "away"), [*played, *coming])


def seconds_of(folder, settings):
    """CPU seconds of one command (user and system), and its output."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    words = [str(COMMAND), "site", settings, "--out", "public", "--quiet"]
    done = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1), done.stdout


def main_of_site():
    """Measure, and print the figures."""
    found = {}

    def measure(folder, name, settings):
        found[name], said = seconds_of(folder, settings)
        print(said)

    def weigh(folder, name):
        for what, kind in (("pages", "html"), ("cards", "png")):
            size = sum(path.stat().st_size for path in (folder / "public").rglob(f"*.{kind}"))
            found[f"kB of {what}, {name}"] = size // 1024

    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        games = write_league(folder)
        last = max(row[0] for row in games)
        put(folder / "games.csv", HEADER, [game for game in games if game[0] < last])
        measure(folder, "league of 20 clubs, first edition", "league.toml")
        put(folder / "games.csv", HEADER, games)
        measure(folder, "league of 20 clubs, second edition", "league.toml")
        edition = json.loads((folder / "public/data/edition.json").read_text())
        found["changes named by the second edition"] = len(edition["changes"])
        weigh(folder, "league")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write_list(folder)
        measure(folder, "list of 500 players", "list.toml")
        weigh(folder, "list")
    found["first tries"] = first_tries()
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    records.run(commands=run_commands, parts=main_of_parts, calls=run_calls, site=main_of_site)
