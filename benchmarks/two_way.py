"""How often the 95% interval of a mean of paired differences holds what is true: python FILE [REPEATS].

A difference is an effect of its event, effects of its two players and a game's own luck, all normal. Who meets whom is
drawn anew 50 times, differences REPEATS / 50 times each (2,000 in all by default, error 0.5 points). `before` is 1.96
times the same sums without correction, as this library had it until `differences.paired_errors` allowed for few
clusters.
"""

import sys

import numpy as np
import records

from halfpoint.evaluation.differences import cluster_sums, paired_errors, shared_sums

DESIGNS = 50
SIZES = ((10, 90, 10), (10, 450, 20), (20, 400, 20), (60, 1200, 20), (60, 1200, 60))  # players, games, events
TRUTHS = {"games alone": (0.0, 0.0), "players, weak": (0.2, 0.0), "players": (1.0, 0.0), "events": (0.0, 0.5),
          "both, weak": (0.2, 0.2), "both": (0.5, 0.5)}  # sd of players, of events; a game's own is 1  # fmt: skip


def meetings(rng, players, games, skewed):
    """White and Black of games at random; skewed: the r-th player plays in proportion to r ** -0.7."""
    share = np.arange(1, players + 1) ** (-0.7 if skewed else 0.0)
    white, black = rng.choice(players, (2, games), p=share / share.sum())
    while (same := white == black).any():
        black[same] = rng.choice(players, same.sum(), p=share / share.sum())
    return white, black


def before(gap, event, white, black):
    """1.96 two-way errors as they were: the largest of the sums, times C / (C - 1) for C events."""
    own, everyone = (gap - gap.mean())[:, None], np.column_stack([white, black])
    sums = cluster_sums(event, own), shared_sums(everyone, own), -shared_sums(everyone, own, event)
    events = np.unique(event).size
    one, other, both = (float((own * part).sum()) for part in sums)
    one *= events / (events - 1)
    return 1.96 * np.sqrt(max(one + other + both, one, other, 0.0)) / gap.size


repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
print(records.mark("python benchmarks/two_way.py"))
print("| players | games | events | who plays |", " | ".join(TRUTHS), "| before, players |")
print("|---:|---:|---:|---|", "---:|" * (len(TRUTHS) + 1), sep="")
for players, games, events in SIZES:
    for skewed in (False, True):
        cells = []
        for of_players, of_events in TRUTHS.values():
            held = np.zeros(2)
            for design in range(DESIGNS):
                rng = np.random.default_rng(design)
                white, black = meetings(rng, players, games, skewed)
                event = rng.integers(0, events, games)
                for _ in range(repeats // DESIGNS):
                    effect = rng.normal(0.0, of_players, players)
                    gap = effect[white] + effect[black] + rng.normal(0.0, of_events, events)[event]
                    gap += rng.normal(size=games)
                    found = paired_errors(gap, event, white, black)
                    held += found.low <= 0.0 <= found.high, abs(found.mean) <= before(gap, event, white, black)
            cells.append(100.0 * held / (DESIGNS * (repeats // DESIGNS)))
        shown = " | ".join(f"{one:.1f}%" for one, _ in cells)
        line = f"| {players} | {games:,} | {events} | {'a few most' if skewed else 'all alike'} | {shown} |"
        print(line, f"{cells[2][1]:.1f}% |", flush=True)
