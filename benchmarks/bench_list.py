"""The printed list corrected: seconds of the listed models' backtest and NUTS fit; writes benchmarks/list.md.

Run: HALFPOINT_DATA_DIR=... python benchmarks/bench_list.py, on two processors.
"""

import os
import subprocess
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from halfpoint.games.datasets.study import training_file
from halfpoint.games.select import select
from halfpoint.inference.limits import Effort
from halfpoint.inference.sample import sample
from halfpoint.models.catalogue import declare
from halfpoint.study.beat_the_list import select_models

REPORT = Path(__file__).with_name("list.md")


def main() -> None:
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    start, cpu = time.perf_counter(), time.process_time()
    with TemporaryDirectory() as folder:
        select_models(None, Path(folder), parts=False, say=print)
    wall, used = time.perf_counter() - start, time.process_time() - cpu
    print(f"backtest {wall:.0f} s, {used:.0f} CPU s", flush=True)
    games = training_file()
    start, cpu = time.perf_counter(), time.process_time()
    trace = sample(declare("listed-full", select(games, games.players, "both")), Effort(1000, 500, cores=2))
    fit_wall, fit_cpu = time.perf_counter() - start, time.process_time() - cpu
    found = trace.attrs
    size = sum(int(value[0, 0].size) for value in trace["posterior"].data_vars.values())
    lines = [
        "# The printed list corrected",
        "",
        f"`HALFPOINT_DATA_DIR=... python benchmarks/bench_list.py` wrote this file at commit {commit}, on",
        f"{os.cpu_count()} processors.",
        "",
        "- Backtest of `listed`, `listed-draws` and `listed-full`, each month of 2011 and 2012, all games:",
        f"  {wall:.0f} s, {used:.0f} CPU seconds.",
        f"- NUTS fit of `listed-full` to the {len(games)} games of 2010 to 2012, 4 x (500 + 1000):",
        f"  {size} numbers a draw, {fit_wall:.0f} s, {fit_cpu:.0f} CPU seconds; {found['verdict']};",
        f"  R-hat {found['max_rhat']:.4f}, smallest bulk ESS {found['min_ess_bulk']:.0f},",
        f"  {found['min_ess_bulk'] / fit_cpu:.1f} effective draws a CPU second,",
        f"  {found['divergences']} divergences.",
    ]
    REPORT.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
