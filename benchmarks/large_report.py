"""Write large.md and gradient.png from the parts that bench_large.py measured."""

import json
from pathlib import Path

HUGE = """## 22 million games, 200,000 players: the mode

{mark}
    python benchmarks/bench_large.py huge

A simulated federation ({games:,} games, {players:,} players, {cells:,} cells after merging), Davidson with a common
advantage, strengths N(2705, 868^2) Elo (5 natural units, four times the true spread), centred on the mode.

| stage | wall s |
|---|---:|
{stages}
| **all** | **{wall_seconds:.0f}** |

{cpu_seconds:.0f} CPU seconds, peak memory {peak_gb:.1f} GB, two threads, load {load:.0f}.

The truth lies in the 90% interval of **{percent:.1f}%** of the players; truth and rating correlate {correlation:.3f}.

| games of a player | players | in the 90% interval | median sd, natural units × 173.7 |
|---|---:|---:|---:|
{bands}

Shared parameters: advantage {advantage[1]:.4f} +- {advantage[2]:.4f} (truth {advantage[0]}), log_draw
{log_draw[1]:.4f} +- {log_draw[2]:.4f} (truth {log_draw[0]}). log_draw is off by {off:.0f} of its standard deviations:
one number shared by all games has a standard deviation so small that the mode's overfit of 200,000 strengths, which the
wide prior allows, shows. In differences of probability it is {shift:.4f} for a draw between equals.

"""

NUTS = """## {games:,} games, {players:,} players: NUTS

{mark}
Davidson, common advantage, 4 x (500 + {draws}), two chains at a time, coordinates evened out by Laplace, a method
that is no more; {cells:,} cells.

| | |
|---|---:|
| verdict | {verdict} |
| largest R-hat of {parameters:,} parameters | {max_rhat:.4f} |
| smallest, median bulk ESS | {min_ess_bulk:.0f}, {median_ess_bulk:.0f} |
| smallest tail ESS | {min_ess_tail:.0f} |
| divergences | {divergences} |
| leapfrogs a draw | {steps:.1f} |
| wall s: Laplace, sampling | {laplace:.0f}, {sample:.0f} |
| CPU s, all | {cpu_seconds:.0f} |
| smallest bulk ESS a wall s, a CPU s | {per_wall:.1f}, {per_cpu:.1f} |
| peak memory, GB | {peak_gb:.2f} |
| load of the machine (four cores) | {load:.0f} |
| truth in the 90% interval | {percent:.1f}% |
| Laplace's mean from NUTS's, in sd: median, largest | {apart_sd[0]:.3f}, {apart_sd[1]:.3f} |
| Laplace's sd over NUTS's: smallest, median, largest | {sd_ratio[0]:.3f}, {sd_ratio[1]:.3f}, {sd_ratio[2]:.3f} |

"""

GRADIENT = """## One gradient, 10^4 to 10^7 games

{mark}
    python benchmarks/bench_large.py gradient

One core, one player for 500 games; the best of many calls, other work on the machine (load {load:.0f} on four cores).
A gradient reads 28 bytes a cell once; the line is what that takes at {bandwidth_gb_s:.1f} GB/s, the rate of
copying here.

| games | players | cells | ms a gradient | ns a cell | ms at memory bandwidth |
|---:|---:|---:|---:|---:|---:|
{rows}

![Milliseconds a gradient against games, with the memory-bandwidth line](gradient.png)
"""


def write_report(parts: Path, where: Path) -> None:
    """Write large.md, and gradient.png if gradients were measured."""
    found = {path.stem: json.loads(path.read_text()) for path in parts.glob("*.json")}
    text = "# Large problems, measured\n\nWritten by `python benchmarks/bench_large.py`; figures of one machine.\n\n"
    if "huge" in found:
        text += huge_section(found["huge"])
    for name in ("nuts", "longer"):
        if name in found:
            text += nuts_section(name, found[name])
    if "gradient" in found:
        text += gradient_section(found["gradient"])
        draw(found["gradient"], where / "gradient.png")
    (where / "large.md").write_text(text.rstrip() + "\n")


def huge_section(huge: dict) -> str:
    """The section on 22 million games."""
    from math import exp

    bands = "\n".join(
        f"| {band['low']} {'to ' + str(band['high'] - 1) if band['high'] < 10**9 else 'and more'} "
        f"| {band['players']:,} | {100 * band['coverage']:.1f}% | {band['sd_elo']:.0f} |"
        for band in huge["bands"]
    )
    stages = "\n".join(f"| {name} | {seconds:.1f} |" for name, seconds in huge["stages"].items())
    truth, estimate, sd = huge["log_draw"]
    share = [exp(value) / (2 + exp(value)) for value in (truth, estimate)]
    extra = {"percent": 100 * huge["coverage"], "off": abs(estimate - truth) / sd, "shift": abs(share[1] - share[0])}
    return HUGE.format(**(huge | extra | {"bands": bands, "stages": stages}))


def nuts_section(name: str, nuts: dict) -> str:
    """A section on NUTS."""
    stages = nuts["stages"]
    extra = {
        "name": name,
        "parameters": nuts["players"] + 2,
        "laplace": stages["Laplace"],
        "sample": stages["sample"],
        "per_wall": nuts["min_ess_bulk"] / nuts["wall_seconds"],
        "per_cpu": nuts["min_ess_bulk"] / nuts["cpu_seconds"],
        "percent": 100 * nuts["coverage"],
    }
    return NUTS.format(**(nuts | extra))


def gradient_section(gradient: dict) -> str:
    """The section on gradients."""
    rows = "\n".join(
        f"| {row['games']:,} | {row['players']:,} | {row['cells']:,} | {row['ms']:.3f} "
        f"| {1e6 * row['ms'] / row['cells']:.1f} | {row['bandwidth_ms']:.3f} |"
        for row in gradient["rows"]
    )
    return GRADIENT.format(**(gradient | {"rows": rows}))


def draw(gradient: dict, path: Path) -> None:
    """Draw milliseconds a gradient against games, with the memory-bandwidth line."""
    import matplotlib.pyplot as plt

    games = [row["games"] for row in gradient["rows"]]
    figure, axes = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
    axes.loglog(games, [row["ms"] for row in gradient["rows"]], "o-", color="#1b4f72", label="gradient, one core")
    line = [row["bandwidth_ms"] for row in gradient["rows"]]
    label = f"28 bytes a cell at {gradient['bandwidth_gb_s']:.1f} GB/s"
    axes.loglog(games, line, "--", color="#b03a2e", label=label)
    axes.set(xlabel="games", ylabel="milliseconds", title="Log-potential and gradient, Davidson")
    axes.grid(True, which="major", alpha=0.3)
    axes.legend(frameon=False)
    figure.savefig(path, dpi=110)
    plt.close(figure)
