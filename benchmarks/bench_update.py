"""A game more: CPU seconds of `update`, and how far what it makes lies from the fit of all games.

python benchmarks/bench_update.py [PLAYERS[:DRAWS] ...] [live] > benchmarks/update.md

SIMULATED games, davidson-population by as many normal draws as `rate` takes, or by four chains of DRAWS. "Game" is a
game more, the smaller of two; "20" and "1,000" so many at once; "anew" the fit of all games. Then games come one by
one, so many as stand there: how often all were fitted anew, and how far ratings' means, in standard deviations, and
these, in %, are from those of a fit of all games at another seed: the root mean square over the players, in brackets
what it would be by chance for two sets of so many independent draws. It holds the Monte Carlo error, so that what an
update is off by itself is less. Where there are many players games do not come one by one. "live": ten players of a
list meet once; after each round of five games the list goes on and the tournament is forecast anew.
"""

import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

import numpy as np
import records

from halfpoint import workflows

GAMES_EACH, FURTHER, ONE_BY_ONE, FEW, MANY = 20, 1000, (1, 100), 500, 10_000
ROW = {"model": "davidson-population", "method": "normal"}


def timed(make):
    """What is made and CPU seconds."""
    start = time.process_time()
    return make(), time.process_time() - start


def independent(draws):
    """So many independent draws stand in (draw, player): those that were resampled stand more than once."""
    times = np.unique(draws[:, :2], axis=0, return_counts=True)[1]
    return times.sum() ** 2 / (times**2).sum()


def apart(one, other):
    """The root mean squares of differences of means and standard deviations of ratings, and by chance, in words."""
    x, y = (tree["posterior"]["rating_elo"].transpose("chain", "draw", "player") for tree in (one, other))
    x, y = (value.to_numpy().reshape(-1, value.shape[-1]) for value in (x, y))
    chance, sd = np.sqrt(sum(1.0 / independent(draws) for draws in (x, y))), y.std(axis=0)
    mean, wide = (x - y.mean(axis=0)).mean(axis=0) / sd, 100.0 * (x.std(axis=0) / sd - 1.0)
    mean, wide = (np.sqrt(np.square(off).mean()) for off in (mean, wide))
    return f"{mean:.3f} ({chance:.3f}) | {wide:.1f} ({100 * chance / np.sqrt(2):.1f})"


def line(players, draws="1000"):
    """The lines of a number of players, by four chains of so many draws."""
    first, how = GAMES_EACH * players, ROW | {"draws": int(draws)}
    table = workflows.simulate(games=first + FURTHER, players=players, seed=3)[0]

    def part(start, stop):
        return table.take(np.arange(start, stop))

    rated, anew = timed(lambda: workflows.rate(part(0, first), **how))
    tree = rated.trace
    game = min(timed(lambda: workflows.update(tree, part(first, first + 1), method="normal"))[1] for _ in range(2))
    some = [
        timed(lambda n=n: workflows.update(tree, part(first, first + n), method="normal", draws=int(draws)))
        for n in (20, FURTHER)
    ]
    seconds = f"{players:,} | {game:.3f} | {some[0][1]:.2f} | {some[1][1]:.2f} | {anew:.2f}"
    counts = ONE_BY_ONE if players <= FEW else ONE_BY_ONE[:1] if players <= MANY else ()
    for count in (*counts, FURTHER):
        found, refits = tree, 0
        for game_number in range(count) if count < FURTHER else ():
            found = workflows.update(found, part(first + game_number, first + game_number + 1), method="normal")
            refits += found.attrs["updated"].startswith("fitted")
        if count == FURTHER:
            found = some[1][0]
            refits = int(found.attrs["updated"].startswith("fitted"))
        whole = workflows.rate(part(0, first + count), seed=9, **how).trace
        shown = f"{count:,}" if count < FURTHER else f"{count:,} at once"
        print(f"| {seconds} | {shown} | {refits} | {apart(found, whole)} |", flush=True)
        seconds = " | " * 4


def live():
    """The table of a tournament that is forecast after each round."""
    table = workflows.simulate(games=400, players=10, seed=5)[0]
    first = table.take(np.arange(300))
    later = {}  # the first game of each pair from there on
    for game in range(300, 400):
        later.setdefault(frozenset((table.white[game], table.black[game])), game)
    games, names = np.array(sorted(later.values())), table.players.tolist()
    tree = workflows.rate(first, **ROW).trace
    heads = "round", "games over", "update, CPU s", "how", "forecast, CPU s", "largest title chance off, points"
    print(f"\n| {' | '.join(heads)} |\n|{'--:|' * 6}")
    with tempfile.TemporaryDirectory() as folder:
        over = Path(folder) / "over.csv"
        for number, (start, stop) in enumerate(pairwise((*range(0, games.size, 5), games.size)), 1):
            tree, seconds = timed(
                lambda s=start, e=stop, t=tree: workflows.update(t, table.take(games[s:e]), method="normal")
            )
            played = table.take(games[:stop])
            lines = [
                f"{names[w]},{names[b]},{x}" for w, b, x in zip(played.white, played.black, played.score, strict=True)
            ]
            over.write_text("\n".join(["white,black,score", *lines]))
            outlook, forecast = timed(lambda t=tree: workflows.tournament(t, names, results=over))
            if number in (1, 5, 9):
                whole = workflows.rate(table.take(np.concatenate([np.arange(300), games[:stop]])), seed=9, **ROW).trace
                other = workflows.tournament(whole, names, results=over, seed=2)
                one, two = (each.frame.set_index("player") for each in (outlook, other))
                gap = (one["title_percent"] - two["title_percent"]).abs()
                error = np.hypot(one["mc_error_percent"], two["mc_error_percent"])[gap.idxmax()]
                away = f"{gap.max():.2f} ({error:.2f})"
            else:
                away = ""
            how = "fitted" if tree.attrs["updated"].startswith("fitted") else "weighed"
            print(f"| {number} | {stop} | {seconds:.3f} | {how} | {forecast:.2f} | {away} |", flush=True)


def main(sizes):
    """Print the table."""
    columns = "players", "game", "20", "1,000", "anew", "games", "fitted anew", "means, sd", "sds, %"
    print(records.mark("python benchmarks/bench_update.py"))
    print(f"{__doc__}\n| {' | '.join(columns)} |\n|{'--:|' * len(columns)}")
    for players in sizes:
        if players == "live":
            live()
        else:
            count, *draws = players.split(":")
            line(int(count), *draws)


if __name__ == "__main__":
    main(sys.argv[1:] or ["20", "100", "1000:4000", "10000", "live"])
