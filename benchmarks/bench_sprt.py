"""10,000 simulated sequential tests at three true differences: errors and lengths, beside Wald's; writes sprt.md."""

from pathlib import Path

import numpy as np
import records

from halfpoint.apps.fields.arena.likelihood_ratio import points_of, shares_at
from halfpoint.apps.fields.arena.sprt import Sprt, simulate_tests, spread

TESTS = 10_000
# LL, LD, DD, WL, WD, WW of pairs from openings that favour one side: the games of a pair tend to cancel.
KINDS = np.array([0.02, 0.20, 0.22, 0.34, 0.20, 0.02])
AS_PAIRS = np.array(
    [[1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1]]
)
AS_GAMES = np.array([[2, 0, 0], [1, 1, 0], [0, 2, 0], [1, 0, 1], [0, 1, 1], [0, 0, 2]])
HEAD = """# Sequential tests

By `benchmarks/bench_sprt.py`: {tests} simulated tests of each row, alpha = beta = 0.05. Pairs from openings that favour
a side: LL, LD, DD, WL, WD, WW in shares {kinds} where the engines are equal; a pair's points vary {ratio} times
as much as those of two games that have nothing to do with each other. Standard errors in brackets; "Wald" is his
approximation, which leaves out what passes over a bound.

| test | looked at | true difference | H1 accepted | games | Wald |
|---|---|---|---|---|---|
"""


def kinds_at(test: Sprt, difference: float) -> np.ndarray:
    """The shares of six kinds of pairs that have a difference; DD and WL as they are to each other."""
    five = KINDS @ AS_PAIRS
    found = shares_at(five, difference, test.normalized)
    return (AS_PAIRS @ (found / five)) * KINDS


def rows(name: str, test: Sprt, counted: np.ndarray, look: int, seed: int) -> str:
    """Three lines: the difference is elo0, between the two, elo1."""
    made = ""
    for place, difference in enumerate((test.elo0, 0.5 * (test.elo0 + test.elo1), test.elo1)):
        share = kinds_at(test, difference)
        accepted, games = simulate_tests(test, share, TESTS, np.random.default_rng([seed, place]), look, counted)
        wald = float(test.outlook(difference, share @ counted)[1])
        rate, error = accepted.mean(), np.sqrt(accepted.var() / TESTS)
        made += f"| {name} | {'every pair' if look == 1 else f'every {look} pairs'} | {difference:g} | "
        made += f"{100 * rate:.2f}% ({100 * error:.2f}%) | {games.mean():,.0f} ({games.std() / TESTS**0.5:,.0f}) | "
        made += f"{wald:,.0f} |\n"
    print(made, flush=True)
    return made


def main() -> None:
    """Write sprt.md beside this file."""
    pairs, games = KINDS @ AS_PAIRS, KINDS @ AS_GAMES
    ratio = spread(pairs) ** 2 / (spread(games) ** 2 / 2)
    assert abs(pairs @ points_of(5) - 0.5) < 1e-12
    text = HEAD.format(tests=f"{TESTS:,}", kinds=", ".join(f"{one:g}" for one in KINDS), ratio=f"{ratio:.2f}")
    elo, normal = Sprt(0.0, 15.0), Sprt(0.0, 30.0, normalized=True)
    text += rows("Elo 0 and 15, by pairs", elo, AS_PAIRS, 1, 1)
    text += rows("Elo 0 and 15, by pairs", elo, AS_PAIRS, 4, 4)
    text += rows("Elo 0 and 15, by games", elo, AS_GAMES, 4, 2)
    text += rows("normalised Elo 0 and 30, by pairs", normal, AS_PAIRS, 4, 3)
    records.page(Path(__file__).with_name("sprt.md"), text, "python benchmarks/bench_sprt.py")


if __name__ == "__main__":
    main()
