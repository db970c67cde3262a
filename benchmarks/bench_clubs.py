"""`rate` on ten PGN files of clubs and opens, in CPU seconds and times `import pymc`, beside another commit: clubs.md.

    python benchmarks/bench_clubs.py [COMMIT] > benchmarks/clubs.md

SIMULATED games in the form in which federations and organisers publish them: headers alone, ratings where a player has
one. Swiss rounds pair neighbours by score and rating who have not met. Each file in a process of its own, what is
compiled at hand, processor seconds of all its threads, the smaller of two runs, once for the other commit. "How" says
what made the draws: weighted normal draws that were believed, or NUTS.
"""

import json
import sys
import tempfile
from itertools import combinations
from pathlib import Path

import numpy as np
import records
from bench_beside import package
from door import HALFPOINT, run

# name: players, rounds (0: a round robin), share who are rated, mean and sd of ratings, share of draws among equals
FILES = {
    "club championship, rated": (12, 0, 1.0, 1650, 220, 0.25),
    "club evening, unrated": (10, 0, 0.0, 1500, 250, 0.15),
    "club season, four tournaments, rated": (34, 18, 1.0, 1600, 250, 0.2),
    "club season, half unrated": (48, 12, 0.5, 1500, 250, 0.2),
    "open of 150, 9 rounds, rated": (150, 9, 1.0, 2050, 280, 0.3),
    "open of 150, 9 rounds, a third unrated": (150, 9, 0.67, 1850, 300, 0.25),
    "weekend open of 80, 5 rounds, rated": (80, 5, 1.0, 1750, 250, 0.2),
    "children of 60, 7 rounds, most unrated": (60, 7, 0.2, 1100, 200, 0.08),
    "children of 40, 7 rounds, unrated": (40, 7, 0.0, 1000, 200, 0.08),
    "grandmasters, ten, double round robin": (10, -2, 1.0, 2680, 50, 0.55),
}


def games_of(chance, players, rounds, strength):
    """Round, White and Black of each game, Swiss rounds or round robins; results come by `played`."""
    if rounds <= 0:
        both = list(combinations(range(players), 2))
        for turn in range(max(1, -rounds)):
            yield [(a, b) if (a + b + turn) % 2 else (b, a) for a, b in both]
        return
    met, points = set(), np.zeros(players)
    for _ in range(rounds):
        order, pairs = sorted(range(players), key=lambda k: (-points[k], -strength[k] + chance.normal(0, 60))), []
        while len(order) > 1:
            one = order.pop(0)
            other = next((k for k in order if frozenset((one, k)) not in met), order[0])
            order.remove(other)
            met.add(frozenset((one, other)))
            pairs.append((one, other) if chance.random() < 0.5 else (other, one))
        found = yield pairs
        for (white, black), score in zip(pairs, found, strict=True):
            points[white], points[black] = points[white] + score, points[black] + 1.0 - score


def write(path, seed, players, rounds, rated, mean, sd, draws):
    """Write a PGN of headers."""
    chance = np.random.default_rng(seed)
    strength = chance.normal(mean, sd, players)
    printed = np.round(strength + chance.normal(0, 70, players)).astype(int)
    printed[chance.random(players) >= rated] = 0
    both = family_names(chance, players), given_names(chance, players)
    names = [f"{family}, {given}" for family, given in zip(*both, strict=True)]
    lines, number, made = [], 0, games_of(chance, players, rounds, strength)
    pairs = next(made)
    while pairs is not None:
        number, scores = number + 1, []
        for board, (white, black) in enumerate(pairs, 1):
            gap = (strength[white] + 30.0 - strength[black]) * np.log(10) / 400.0
            chances = np.array([1.0, 2.0 * draws / (1.0 - draws) * np.exp(gap / 2.0), np.exp(gap)])
            score = chance.choice(3, p=chances / chances.sum()) / 2.0
            scores.append(score)
            result = {0.0: "0-1", 0.5: "1/2-1/2", 1.0: "1-0"}[score]
            tags = {"Event": path.stem, "Site": "?", "Date": f"2024.{1 + number // 28:02d}.{1 + number % 28:02d}"}
            tags |= {"Round": f"{number}.{board}", "White": names[white], "Black": names[black], "Result": result}
            elo = {"WhiteElo": printed[white], "BlackElo": printed[black]}
            tags |= {key: str(value) for key, value in elo.items() if value}
            lines += [f'[{key} "{value}"]' for key, value in tags.items()] + ["", result, ""]
        try:
            pairs = made.send(scores)
        except StopIteration:
            pairs = None
    path.write_text("\n".join(lines))


def family_names(chance, count):
    """So many family names, all different."""
    heads, ends = (
        ["Al", "Be", "Cor", "Da", "Er", "Fa", "Gro", "Hol", "Is", "Ja", "Kra", "Lin", "Mo", "Nie", "Or"],
        ["berg", "mann", "sen", "ko", "wicz", "ner", "dal", "lev"],
    )
    every = [head + middle + end for head in heads for middle in ("", "der", "ti") for end in ends]
    return [every[k] for k in chance.permutation(len(every))[:count]]


def given_names(chance, count):
    """So many given names."""
    every = np.array(
        ["Ada", "Bo", "Cleo", "Dag", "Eva", "Finn", "Gil", "Hana", "Ivo", "Jana", "Kim", "Lea", "Max", "Noa"]
    )
    return chance.choice(every, count)


def main(commit):
    """Print the table."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        sides = {one: package(one, place / (one or "here")) for one in ([commit] if commit else []) + [""]}
        codes = {one: HALFPOINT.format(str(folder)) for one, folder in sides.items()}
        pymc = min(run("import pymc", [], place)[0] for _ in range(3))
        print(f"{__doc__}\n{records.mark(f'python benchmarks/bench_clubs.py {commit}'.strip())}\n")
        print(f"`import pymc` takes {pymc:.2f} CPU s.\n")
        heads = ["file", "games", "players", "row", "how", "CPU s", "times `import pymc`", "trace, MB"]
        heads += [f"CPU s, {commit}", "times", "trace, MB"] if commit else []
        print(f"| {' | '.join(heads)} |\n|---|--:|--:|---|---|{'--:|' * (len(heads) - 5)}", flush=True)
        for seed, (title, shape) in enumerate(FILES.items(), 1):
            file = f"file{seed}.pgn"
            write(place / file, seed, *shape)
            row = [title]
            for one in ("", commit) if commit else ("",):
                out = f"out{seed}{one}"
                words = ["rate", file, "--out", out]
                seconds, _ = run(codes[one], words, place)
                about = json.loads((place / out / "ratings.json").read_text())
                held = (place / out / "trace.nc").stat().st_size / 1e6
                if not one:
                    how = "normal" if "independent" in about["verdict"] else "NUTS"
                    games = (place / file).read_text().count("[Result ")
                    row += [f"{games:,}", str(shape[0]), about["model"], how]
                row += [f"{seconds:.1f}", f"{seconds / pymc:.1f}", f"{held:.1f}"]
            print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
