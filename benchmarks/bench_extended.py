"""Sample every model of the catalogue on the study's games; write benchmarks/extended.md.

Run: HALFPOINT_DATA_DIR=... python benchmarks/bench_extended.py. One process, one model after the other, on
two processors; a first pass is 4 x (500 + 1000) and gives the effective draws a CPU second, a second one 4 x (1000 +
1000) and gives R-hat. What is measured is kept in runs/extended/results.json with the commit.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import records
import xarray as xr

from halfpoint.evaluation.criteria import leave_one_out, lpd_per_game
from halfpoint.games.datasets.study import monitored, set_a, set_b, training
from halfpoint.games.select import Selection, select
from halfpoint.games.table import GameTable
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.forecast import forecast
from halfpoint.inference.loops.engine import density, numbers_of
from halfpoint.inference.sample import sample
from halfpoint.inference.traces.netcdf import write
from halfpoint.models.catalogue import FURTHER, TWELVE, declare
from halfpoint.models.declared import Declared

OUT = Path("runs/extended")
REPORT = Path(__file__).parent / "extended.md"
BEFORE = {  # effective draws a CPU second before the engine, same games and settings, and what was asked of it
    "davidson-scaled": (36, 500),
    "davidson-population": (57, 600),
    "davidson-pooled": (41, 400),
    "davidson-strength-draws": (31, 400),
    "davidson-player-draws": (27, 250),
    "davidson-all-draws": (25, 200),
    "rao-kupper": (152, 800),
    "davidson-walk": (15, 60),
    "davidson-walk-scaled": (15, 60),
}
NAMES = (*TWELVE, *(name for name in FURTHER if "rapid" not in name))
OWN = """
import sys, time
import pytensor.tensor as pt
from halfpoint.games.datasets.replica import replica
from halfpoint.games.select import select
from halfpoint.inference.nutpie_model import compile_declared
from halfpoint.models import Model, Outcome, declare

def scores(white, black, lam):
    loss, win = (pt.log(pt.erfc(sign * (white - black) / SPREAD) / 2) for sign in (1, -1))
    return loss, (loss + win) / 2, win

copy = replica()
games = select(copy.training, copy.monitored)
start = time.perf_counter()
made = compile_declared(declare(Model("own", Outcome("own", scores, over=(0, 2))), games))
print(made.route, time.perf_counter() - start)
"""
SHOWN = (
    "anchor_scale",
    "advantage_spread",
    "draw_slope",
    "draw_tendency_spread",
    "innovation_spread",
    "strength_spread",
)


def rapid_is_unknown(games: GameTable) -> GameTable:
    """The games with the covariate `rapid`: the World Rapid and Blitz Championship of 2013."""
    event = games.event
    rapid = np.zeros(len(games)) if event is None else np.char.find(event, "WRBC") >= 0
    return replace(games, covariates={**games.covariates, "rapid": rapid.astype(float)})


def measured(name: str, selection: Selection, cores: int) -> dict[str, object]:
    """What one model costs and says."""
    start, began = time.process_time(), time.perf_counter()
    declared = declare(name, selection, "described")
    trace = sample(declared, Effort(1000, 500, cores=cores))
    seconds, wall = time.process_time() - start, time.perf_counter() - began
    attributes, posterior = trace.attrs, trace["posterior"].to_dataset()
    total = trace["sample_stats"]["log_likelihood_total"]
    longer = sample(declared, Effort(1000, 1000, cores=cores), pointwise_draws=0).attrs
    row: dict[str, object] = {
        "name": name,
        "route": attributes["route"],
        "ready": attributes["seconds_compile"],
        "wall": wall,
        "cpu": seconds,
        "steps": float(trace["sample_stats"]["n_steps"].mean()),
        "ess": attributes["min_ess_bulk"],
        "rhat": longer["max_rhat"],
        "tail": longer["min_ess_tail"],
        "divergences": int(attributes["divergences"]) + int(longer["divergences"]),
        "gradient_us": gradient_microseconds(declared),
        "loglik": float(-total.mean()),
    }
    pointwise = trace["log_likelihood"]["score"].transpose("chain", "draw", "game").to_numpy()
    estimate = leave_one_out(pointwise)
    row |= {"elpd_loo": estimate.elpd, "max_k": float(estimate.pareto_k.max())}
    row["said"] = {
        label: [float(posterior[label].mean()), float(posterior[label].std())] for label in SHOWN if label in posterior
    }
    best = posterior["rating_elo"].mean(("chain", "draw")).to_series().sort_values(ascending=False)
    row["best"] = [str(best.index[0]), float(best.iloc[0])]
    row |= {} if "month" in posterior.dims else on_test_sets(trace)  # walks by number know no dates
    write(trace, OUT / f"{name}.nc")
    return row


def gradient_microseconds(declared: Declared) -> float:
    """The median microseconds of one log density with its gradient."""
    compute, point = density(numbers_of(declared)), 0.1 * np.ones(declared.layout.count)
    times = []
    for _ in range(300):
        start = time.perf_counter()
        compute(point)
        times.append(time.perf_counter() - start)
    return float(1e6 * np.median(times))


def own_formula() -> dict[str, float]:
    """Seconds until a formula of one's own is ready, new and from the cache, each in a process of its own."""
    spread = 1.6 + np.random.default_rng().integers(1, 10**6) * 1e-9  # never seen before
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "own.py"
        file.write_text(OWN.replace("SPREAD", repr(float(spread))))
        found = []
        for _ in range(2):
            done = subprocess.run([sys.executable, str(file)], check=True, capture_output=True, text=True)
            found.append(float(done.stdout.split()[-1]))
    return {"new": found[0], "cached": found[1]}


def tails_of_seeds(selection: Selection, cores: int) -> list[float]:
    """The smallest tail ESS of bt-population on four seeds, 4 x (1000 + 1000)."""
    declared = declare("bt-population", selection, "described")
    return [
        float(sample(declared, Effort(1000, 1000, 4, seed, cores=cores), pointwise_draws=0).attrs["min_ess_tail"])
        for seed in (1, 2, 3, 4)
    ]


def on_test_sets(trace: xr.DataTree) -> dict[str, float]:
    """Lpd on A and B, all games and classical ones."""
    found = {}
    for label, games in (("A", rapid_is_unknown(set_a())), ("B", rapid_is_unknown(set_b()))):
        made = forecast(trace, games, thin=4)
        each = lpd_per_game(made.log_predictive)
        classical = games.covariates["rapid"] == 0
        found |= {f"lpd_{label}": float(each.sum()), f"lpd_{label}_classical": float(each[classical].sum())}
    return found


def table(rows: list[dict[str, object]]) -> str:
    """The results as Markdown."""
    lines = [
        "| model | route | ready s | whole call s | CPU s | steps | worst bulk ESS | ESS / CPU s | before | asked "
        "| gradient us | R-hat, 4 x (1000 + 1000) | divergences | -mean log L | elpd LOO | max k | lpd A | lpd B "
        "| best player | learned |",
        "|" + "---|" * 20,
    ]
    for row in rows:
        said, best = row["said"], row["best"]
        assert isinstance(said, dict)
        assert isinstance(best, list)
        learned = "; ".join(f"{label} {mean:.3f} ({sd:.3f})" for label, (mean, sd) in said.items())
        ess, cpu = float(str(row["ess"])), float(str(row["cpu"]))
        before, asked = BEFORE.get(str(row["name"]), ("", ""))
        cells = [
            str(row["name"]),
            str(row["route"]),
            f"{row['ready']:.2f}",
            f"{row['wall']:.1f}",
            f"{cpu:.1f}",
            f"{row['steps']:.0f}",
            f"{ess:.0f}",
            f"{ess / cpu:.0f}",
            str(before),
            str(asked),
            f"{row['gradient_us']:.0f}",
            f"{row['rhat']:.4f}",
            str(row["divergences"]),
            f"{row['loglik']:.1f}",
            f"{row['elpd_loo']:.1f}",
            f"{row['max_k']:.2f}",
            f"{row['lpd_A']:.2f}" if "lpd_A" in row else "",
            f"{row['lpd_B']:.2f}" if "lpd_B" in row else "",
            f"{best[0]} {best[1]:.0f}",
            learned,
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cores", type=int, default=2)
    settings = parser.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    selection = select(rapid_is_unknown(training()), monitored())
    sample(declare("davidson-common", selection, "described"), Effort(100, 100, 2))  # what is compiled once is warm
    sample(declare("davidson-walk", selection, "described"), Effort(20, 20, 2))
    sample(declare("rao-kupper", selection, "described"), Effort(20, 20, 2))
    found: dict[str, object] = {"commit": commit(), "processors": os.cpu_count()}
    rows = []
    for name in NAMES:
        rows.append(measured(name, selection, settings.cores))
        print(table(rows[-1:]).splitlines()[-1], flush=True)
    found |= {"rows": rows, "own": own_formula(), "tails": tails_of_seeds(selection, settings.cores)}
    (OUT / "results.json").write_text(json.dumps(found, indent=1))
    report(found)


def commit() -> str:
    """The commit that is measured."""
    said = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    return said.stdout.strip() or "unknown"


def report(found: dict[str, object]) -> None:
    """Write benchmarks/extended.md."""
    rows, own, tails = found["rows"], found["own"], found["tails"]
    assert isinstance(rows, list)
    assert isinstance(own, dict)
    assert isinstance(tails, list)
    cpu = sum(float(row["cpu"]) for row in rows)
    text = f"""# Every model on the study's games

`HALFPOINT_DATA_DIR=... python benchmarks/bench_extended.py` wrote this file at commit {found["commit"]}: 6,807 games of
46 players, equal weights or by age, priors as described, 4 chains x (500 + 1000), two at a time on
{found["processors"]} processors. CPU seconds are of the whole `sample` call with its declaration: making ready,
sampling, diagnosis and pointwise log likelihoods. ESS is the worst bulk ESS of what is reported; *before* is its rate
before there was one engine, *asked* what that engine was to reach. R-hat and divergences are of 4 x (1000 + 1000),
divergences of both runs. lpd is the sum over all games of set A (411) and B (732), players without an estimate at their
rating on the day. Half-point models (bt) and three-outcome models have likelihoods of different kinds: their columns
log L, LOO and lpd are not comparable. The two models with the column rapid are not here, since the training games do
not say which of them were rapid.

All {len(rows)} one after the other: {cpu:.0f} CPU seconds. A formula of one's own is ready in {own["new"]:.1f} s the
first time and in {own["cached"]:.1f} s from the cache, in a new process each. Smallest tail ESS of bt-population on
four seeds, 4 x (1000 + 1000): {", ".join(f"{tail:.0f}" for tail in tails)}.

{table(rows)}
"""
    records.page(REPORT, text, "python benchmarks/bench_extended.py")


if __name__ == "__main__":
    main()
