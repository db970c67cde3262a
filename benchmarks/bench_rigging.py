"""Rigged votes on simulated boards: gain of their target, with and without `--honest`.

`python benchmarks/bench_rigging.py` writes rigging.md. Attacks are those of Min et al. (2025) ICML, arXiv 2501.17858:
"target-only" votes for the target in its battles; "omnipresent" votes in every battle that can raise the target's rank,
against the stronger model if one of the two is above the target.
"""

from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import records
from bench_certificate import board_of

from halfpoint.apps.fields.arena.honest_votes import honest_votes
from halfpoint.apps.fields.arena.refits import BoardRefits
from halfpoint.apps.fields.arena.simulate import simulate_arena

REPORT = Path(__file__).with_name("rigging.md")
SEEDS, MODELS, BATTLES, JUDGES, RIGGED = 5, 30, 20_000, 300, 400
RANKS, ACCOUNTS = (2, 15), (5, 20, 100)


def rigged(strength: pd.Series, target: int, kind: str, votes: int, each: int, seed: int) -> pd.DataFrame:
    """Rigged votes for a target by accounts with `each` votes."""
    rng, names, value = np.random.default_rng([seed, 3]), strength.index.to_numpy(), strength.to_numpy()
    rows: list[tuple[str, str, str, str]] = []
    while len(rows) < votes:
        pair = rng.choice(value.size, 2, replace=False)
        if kind == "target-only" and target not in pair:
            continue
        if target in pair:
            wanted = target
        elif value[pair].max() > value[target]:
            wanted = int(pair[np.argmin(value[pair])])
        else:
            continue
        winner = "model_a" if pair[0] == wanted else "model_b"
        rows.append((*names[pair], winner, f"account-{len(rows) // each}"))
    return pd.DataFrame(rows, columns=["model_a", "model_b", "winner", "judge"])


def behind(refits: BoardRefits, leader: str, target: str) -> tuple[float, float]:
    """Distance of a target from the leader, Elo: plain, and with honesty weights."""
    players = refits.declared.selection.players.tolist()
    found = []
    for fit in (refits.whole, refits.on(honest_votes(refits).weight)):
        ratings = refits.ratings(fit)
        found.append(ratings[players.index(leader)] - ratings[players.index(target)])
    return found[0], found[1]


def moved(seed: int) -> dict[tuple[str, int, int], tuple[float, float]]:
    """Gain of the target of each attack on a simulated board, plain and weighted, Elo."""
    arena = simulate_arena(MODELS, BATTLES, JUDGES, seed, sharpness=0.3, length_elo=0.0)
    battles, strength = arena.battles[["model_a", "model_b", "winner", "judge"]], arena.strength
    order, clean = np.argsort(-strength.to_numpy()), board_of(battles)
    found = {}
    for rank in RANKS:
        leader, target = strength.index[order[0]], strength.index[order[rank - 1]]
        before = behind(clean, leader, target)
        for kind, each in product(("target-only", "omnipresent"), ACCOUNTS):
            votes = rigged(strength, int(order[rank - 1]), kind, RIGGED, each, seed)
            after = behind(board_of(pd.concat([battles, votes], ignore_index=True)), leader, target)
            found[kind, rank, each] = before[0] - after[0], before[1] - after[1]
    return found


def main() -> None:
    """Write the page."""
    runs = [moved(seed) for seed in range(SEEDS)]
    rows = []
    for kind, rank, each in product(("target-only", "omnipresent"), RANKS, ACCOUNTS):
        plain, weighed = np.array([run[kind, rank, each] for run in runs]).T
        ratio = weighed.mean() / plain.mean()
        error = np.std(weighed - ratio * plain, ddof=1) / np.sqrt(SEEDS) / plain.mean()
        rows.append(
            f"| {kind}, rank {rank}, {each} | {plain.mean():.1f} | {weighed.mean():.1f} | {ratio:.2f} ({error:.2f}) |"
        )
    clean = [
        honest_votes(board_of(simulate_arena(MODELS, BATTLES, JUDGES, seed, sharpness=0.3).battles))
        for seed in range(SEEDS)
    ]
    taken = np.array([100.0 * one.share for one in clean])
    text = f"""# Rigged votes

{SEEDS} simulated boards of {MODELS} models, {BATTLES:,} votes of {JUDGES} judges of unequal sharpness and habit;
{RIGGED} votes are rigged for the model at a rank, by accounts of so many votes each. How many Elo points the target
comes towards the leader, on the plain board and with `--honest`; their ratio with its standard error.

| attack, rank of the target, votes an account | plain | honest | ratio |
|---|---|---|---|
{chr(10).join(rows)}

Where nobody rigs, `--honest` takes away {taken.mean():.2f}% of the votes on average, at most {taken.max():.2f}%.
"""
    records.page(REPORT, text, "python benchmarks/bench_rigging.py")


if __name__ == "__main__":
    main()
