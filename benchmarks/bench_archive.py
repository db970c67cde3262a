"""A year's archive and more: simulated rated games, each month forecast by `listed-draws` from the months before it.

    .venv/bin/python benchmarks/bench_archive.py [GAMES PLAYERS MONTHS]

The games are simulated: ratings of a list that errs, who plays how often by a heavy tail, opponents of near strength,
draws by player. One command, `halfpoint backtest`, in a process of its own. Writes benchmarks/archive.md where it is
called without arguments.
"""

import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
import records

HERE = Path(__file__).resolve().parent
HALFPOINT = Path(sys.executable).with_name("halfpoint")
SIZES = ((20_000, 5_000, 36), (200_000, 50_000, 36))
JUDGED = 13
HEAD = """# Archives

`halfpoint backtest FILE --systems fide-rating --models listed-draws --from 13` on simulated archives of 36 months
(`benchmarks/bench_archive.py`): seconds of wall time and of processors, and the largest memory of the whole command.

| games | players | wall s | CPU s | wall s, last month | memory MB | less fide-rating, 0.0001 nats |
| ---: | ---: | ---: | ---: | ---: | ---: | ---: |
"""


def archive(games: int, players: int, months: int, seed: int = 7) -> pd.DataFrame:
    """Simulated games as a table of columns that halfpoint reads."""
    rng = np.random.default_rng(seed)
    strength = np.sort(rng.normal(2100.0, 250.0, players))
    activity = rng.pareto(1.3, players) + 0.2
    white = rng.choice(players, games, p=activity / activity.sum())
    black = np.clip(white + np.rint(rng.normal(0.0, 0.03 * players, games)).astype(int), 0, players - 1)
    black = np.where(black == white, np.where(white > 0, white - 1, white + 1), black)
    month = np.sort(rng.integers(0, months, games))
    printed = (
        strength[:, None] + rng.normal(0.0, 30.0, (players, 1)) + rng.normal(0.0, 25.0, (players, months))
    ).round()
    draws = rng.normal(0.0, 0.35, players)
    u = (strength[white] - strength[black]) * np.log(10.0) / 400.0 + 0.2
    lam = 0.3 + 0.1 * (printed[white, month] - 2100.0) / 100.0 * 0.5 + draws[white] + draws[black]
    ahead = u / 2.0 + np.arcsinh(np.exp(lam) / 2.0 * np.sinh(u / 2.0))
    shares = np.exp(np.stack([-ahead, lam, ahead], axis=1) - np.abs(ahead)[:, None])
    p = shares / shares.sum(axis=1, keepdims=True)
    outcome = (rng.random((games, 1)) > p.cumsum(axis=1)).sum(axis=1)
    return pd.DataFrame(
        {
            "white": np.char.add("P", white.astype(str)),
            "black": np.char.add("P", black.astype(str)),
            "result": np.array(["0-1", "1/2-1/2", "1-0"])[np.minimum(outcome, 2)],
            "date": np.datetime64("2013-01", "M").astype("datetime64[D]") + rng.integers(1, 28, games) + 30 * month,
            "white_rating_elo": printed[white, month],
            "black_rating_elo": printed[black, month],
        }
    ).sort_values("date")


def row(games: int, players: int, months: int) -> str:
    """The table's row of one size."""
    with tempfile.TemporaryDirectory() as folder:
        file, out = Path(folder) / "archive.csv", Path(folder) / "out"
        archive(games, players, months).to_csv(file, index=False)
        before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        words = ["backtest", str(file), "--systems", "fide-rating", "--models", "listed-draws", "--from", str(JUDGED)]
        done = subprocess.run([str(HALFPOINT), *words, "--out", str(out)], capture_output=True, text=True, check=False)
        wall, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            raise SystemExit(done.stdout[-2000:] + done.stderr[-2000:])
        print(done.stdout[-3500:], file=sys.stderr)
        scores = pd.read_csv(out / "scores.csv").set_index("system").loc["listed-draws"]
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    lines = [int(one) for one in re.findall(r"listed-draws: period .*; (\d+) s", done.stdout)]
    cells = [f"{games:,}", f"{players:,}", f"{wall:.0f}", f"{cpu:.0f}", f"{lines[-1] - lines[-2]}"]
    gain = f"{1e4 * scores['difference']:.0f} +- {1e4 * scores['se_two_way']:.0f}"
    return "| " + " | ".join([*cells, f"{after.ru_maxrss / 1024:,.0f}", gain]) + " |"


def main(arguments: list[str]) -> None:
    """Run one size, or all and write the page."""
    if arguments:
        print(row(*map(int, arguments)))
        return
    rows = [row(*size) for size in SIZES]
    records.page(HERE / "archive.md", HEAD + "\n".join(rows) + "\n", "python benchmarks/bench_archive.py")


if __name__ == "__main__":
    main(sys.argv[1:])
