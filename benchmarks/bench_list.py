"""The corrected list: seconds of backtest and NUTS fit, the normal approximation compared with NUTS; writes list.md.

The backtest uses the normal approximation, whose distance from NUTS is measured on the same games.

Run: HALFPOINT_DATA_DIR=... python benchmarks/bench_list.py, on two processors.
"""

import os
import subprocess
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import records
from beat_the_list import select_models

from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.gaussian.reweighted_fit import ReweightedFits
from halfpoint.inference.sample import sample
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select
from halfpoint.readers.datasets.study import training_file

REPORT = Path(__file__).with_name("list.md")
SHOWN = {  # numbers of the model that the page names
    "anchor_scale": "scale of the list",
    "shrink": "shrinking to the mean so far",
    "strength_spread": "spread of what the list misses",
    "advantage": "White's advantage",
    "log_draw": "draws between equals rated 2600",
    "draw_tendency_spread": "spread of inclinations to draw",
    "log_draw_event_spread": "spread of places",
    "log_draw_effect": "faster than classical chess",
}


def beside(declared, trace) -> list[str]:
    """Table of the parameters on the page, by NUTS and by the normal approximation, and the largest difference."""
    refits = ReweightedFits(declared)
    found, posterior = refits.values(refits.fit()), trace["posterior"].to_dataset()
    rows, gaps = [], []
    for name, value in found.items():
        if name not in posterior:
            continue
        drawn = posterior[name]
        mean, sd = (np.ravel(getattr(drawn, what)(("chain", "draw"))) for what in ("mean", "std"))
        away = np.abs(mean - np.ravel(value))[sd > 0] / sd[sd > 0]
        gaps += away.tolist()
        if name in SHOWN:
            rows.append(f"| {SHOWN[name]} | {mean[0]:.4f} ({sd[0]:.4f}) | {np.ravel(value)[0]:.4f} | {away[0]:.2f} |")
    far = f"Of all {len(gaps):,} parameters the largest difference is {max(gaps):.2f} standard deviations."
    return ["", "| number | NUTS | closest normal | gap in sd |", "|---|--:|--:|--:|", *rows, "", far]


def main() -> None:
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    start, cpu = time.perf_counter(), time.process_time()
    with TemporaryDirectory() as folder:
        select_models(None, Path(folder), parts=False, say=print)
    wall, used = time.perf_counter() - start, time.process_time() - cpu
    print(f"backtest {wall:.0f} s, {used:.0f} CPU s", flush=True)
    games = training_file()
    start, cpu = time.perf_counter(), time.process_time()
    declared = declare("listed-full", select(games, games.players, "both"))
    trace = sample(declared, Effort(1000, 500, cores=2))
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
        f"  {size} parameters, {fit_wall:.0f} s, {fit_cpu:.0f} CPU seconds; {found['verdict']};",
        f"  R-hat {found['max_rhat']:.4f}, smallest bulk ESS {found['min_ess_bulk']:.0f},",
        f"  {found['min_ess_bulk'] / fit_cpu:.1f} effective draws a CPU second,",
        f"  {found['divergences']} divergences.",
        *beside(declared, trace),
    ]
    records.page(REPORT, "\n".join(lines) + "\n", "python benchmarks/bench_list.py")


if __name__ == "__main__":
    main()
