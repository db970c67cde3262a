"""CPU seconds of `halfpoint site`: a league of 20 clubs in two editions, a list of 500 players, five first tries.

All games are made up. Run `.venv/bin/python benchmarks/site.py`; it prints the figures of door.md as JSON.
"""

import csv
import json
import random
import resource
import subprocess
import sys
import tempfile
from datetime import date, timedelta
from pathlib import Path

HERE = Path(__file__).parent
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


def main():
    """Measure and write."""
    found = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        games = write_league(folder)
        last = max(row[0] for row in games)
        put(
            folder / "games.csv",
            ("date", "home", "away", "home_goals", "away_goals"),
            [g for g in games if g[0] < last],
        )
        found["league of 20 clubs, first edition"], text = seconds_of(folder, "league.toml")
        put(folder / "games.csv", HEADER, games)
        found["league of 20 clubs, second edition"], text = seconds_of(folder, "league.toml")
        print(text)
        edition = json.loads((folder / "public/data/edition.json").read_text())
        found["changes named by the second edition"] = len(edition["changes"])
        found["kB of pages, league"] = sum(p.stat().st_size for p in (folder / "public").rglob("*.html")) // 1024
        found["kB of cards, league"] = sum(p.stat().st_size for p in (folder / "public").rglob("*.png")) // 1024
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_list(folder)
        found["list of 500 players"], text = seconds_of(folder, "list.toml")
        print(text)
        found["kB of pages, list"] = sum(p.stat().st_size for p in (folder / "public").rglob("*.html")) // 1024
        found["kB of cards, list"] = sum(p.stat().st_size for p in (folder / "public").rglob("*.png")) // 1024
    found["first tries"] = first_tries()
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
