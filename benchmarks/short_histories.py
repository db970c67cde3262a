"""Rating systems on short histories without printed ratings, compared with Elo; writes short_histories.md."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import records

from halfpoint.evaluation.rolling import roll
from halfpoint.models.games.simulate import Truth, round_robin, simulate
from halfpoint.systems.catalogue import SYSTEMS

FILES, PLAYERS, GAMES, PERIODS = 12, 30, 240, 6
NAMES = (
    *("elo", "elo-game", "glicko", "uscf", "icc", "performance-fide", "performance-400", "performance-quantile"),
    *("ecf", "colley", "massey", "pi-ratings", "centrality", "base-rates"),
)
HEAD = """# Short histories

By `benchmarks/short_histories.py`: {files} simulated files of {players} players and {games} games, standard deviation
of strengths 0.9 natural units, {periods} periods, no rating printed; each system with its default parameters. Log loss
of the expected score, in nats, from the second period on, and its difference from Elo's; standard errors over files in
brackets.

| system | log loss | less Elo |
|---|---|---|
"""


def losses(seed: int) -> list[float]:
    """Log loss of each system on one file."""
    rng = np.random.default_rng(seed)
    names = np.array([f"player {number:02d}" for number in range(PLAYERS)])
    every = simulate(Truth(names, rng.normal(15.0, 0.9, PLAYERS), 0.5, 0.2), round_robin(PLAYERS, 1), seed)
    games = every.take(np.sort(rng.choice(len(every), GAMES, replace=False)))
    period = np.repeat(np.arange(1, PERIODS + 1), GAMES // PERIODS)
    games = replace(games, period=period, date=None, white_rating_elo=None, black_rating_elo=None)
    found = []
    for name in NAMES:
        spec = SYSTEMS[name]
        expected = np.clip(roll(games, spec.build(spec.start)).expected_score, 1e-6, 1.0 - 1e-6)[period > 1]
        score = games.score[period > 1]
        found.append(float(-np.mean(score * np.log(expected) + (1.0 - score) * np.log1p(-expected))))
    return found


def main() -> None:
    """Write short_histories.md next to this file."""
    every = np.array([losses(seed) for seed in range(FILES)])
    gap = every - every[:, :1]
    text = HEAD.format(files=FILES, players=PLAYERS, games=GAMES, periods=PERIODS)
    for name, loss, away, error in zip(NAMES, every.mean(0), gap.mean(0), gap.std(0, ddof=1) / FILES**0.5, strict=True):
        text += f"| {name} | {loss:.3f} | {away:+.3f} ({error:.3f}) |\n"
    records.page(Path(__file__).with_name("short_histories.md"), text, "python benchmarks/short_histories.py")


if __name__ == "__main__":
    main()
