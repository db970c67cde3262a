"""Write the section of large.md of a measurement of bench_large.py."""

from collections.abc import Callable
from pathlib import Path

LICHESS = """## A site of online chess: a list with its errors

{mark}
    python benchmarks/bench_large.py lichess

SIMULATED (`benchmarks/bench_cells.py`): {games:,} games of {players:,} players in a year, constant strengths N(1500,
350^2) Elo; the site's ratings have errors of 75 Elo; numbers of games are heavy-tailed (half of them fewer than twenty
games, the most active ten thousands); opponents meet by rating, within some 50 Elo; 4 games in 100 between equals are
drawn. `davidson-rated`, the row that `rate` takes of games with printed ratings, at the estimates of its scale and
spread (`ReweightedFits`, without a factor); {cells:,} cells. A list with means and errors and no draws. Games are in
memory when the clock starts; imports are within "cells" and "rows", and so is compiling where nothing was compiled
before. Players are asked for in the order of their ratings, so that those who meet stand near each other in memory,
which every pass over the games is quicker for.

| stage | CPU s | peak of the process, GB |
|---|---:|---:|
{stages}
| **all** | **{cpu_seconds:.0f}** | **{peak_gb:.2f}** |

The truth lies in the 90% interval of **{percent:.1f}%** of the players; the list is {error_elo:.1f} Elo from it (root
mean square), the site's ratings 75.

| games of a player | players | in the 90% interval | median sd, Elo |
|---|---:|---:|---:|
{bands}

Shared parameters: advantage {shared[advantage][0]:.4f} +- {shared[advantage][1]:.4f} (truth {truth[advantage]}),
log_draw {shared[log_draw][0]:.4f} +- {shared[log_draw][1]:.4f} (truth {truth[log_draw]:.4f}), scale of ratings
{shared[anchor_scale][0]:.4f} +- {shared[anchor_scale][1]:.4f} (350^2 / (350^2 + 75^2) is 0.9561), spread around them
{shared[rated_spread][0]:.4f} (0.4222 by the same rule).

The four weeks after the year, {later:,} games, White's expected score compared with the results: reduction of the log
loss (nats a game) and of the squared loss by halfpoint, with standard errors clustered by players. Glicko-2 has rating
periods of four weeks; "from the site's ratings" it gets their error, White's advantage and constant strengths
(volatility 0.001).

| forecasts by | CPU s | log loss | halfpoint's is less by | squared error less by |
|---|---:|---:|---:|---:|
{after}

"""

MATCHED = """## Opponents of about one's strength, with ratings printed and without

{mark}
    python benchmarks/bench_large.py matched

SIMULATED (`benchmarks/bench_cells.py`): 12,000 games of {players} players of a site of online chess, strengths with a
standard deviation of 350 Elo, ratings with errors of 75 Elo, opponents paired by rating within some 50 Elo. Pairings
carry information on strengths, but the models take them as given. This is correct given the ratings by which opponents
were paired. Without these ratings a common population shrinks all players towards its mean: if opponents differ little,
only long chains of games show that the first player is 1,500 Elo above the last, against the common prior. Checks of
the draws do not detect this.

| | row | verdict | truth in the 90% interval | Elo of the list an Elo of the truth |
|---|---|---|---:|---:|
{rows}

"""

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

GRADIENT = """## One gradient, 10^4 to 10^7 games

{mark}
    python benchmarks/bench_large.py gradient

One core, one player for 500 games; the best of many calls, other work on the machine (load {load:.0f} on four cores).
A gradient reads 28 bytes a cell once; the last column is what that takes at {bandwidth_gb_s:.1f} GB/s, the rate of
copying here.

| games | players | cells | ms a gradient | ns a cell | ms at memory bandwidth |
|---:|---:|---:|---:|---:|---:|
{rows}
"""


def write_section(what: str, found: dict[str, dict], where: Path) -> None:
    """Replace the section of a measurement in large.md, found by its command."""
    page = where / "large.md"
    head, *sections = page.read_text(encoding="utf-8").split("\n## ")
    new = SECTIONS[what](*found.values()).strip().removeprefix("## ") + "\n"
    command = f"    python benchmarks/bench_large.py {what}\n"
    [place] = (k for k, section in enumerate(sections) if command in section)
    sections[place] = new
    page.write_text("\n## ".join([head, *sections]), encoding="utf-8")


def lines_of_bands(bands: list[dict]) -> str:
    """The lines of a table of coverage by number of games."""
    return "\n".join(
        f"| {band['low']} {'to ' + str(band['high'] - 1) if band['high'] < 10**9 else 'and more'} "
        f"| {band['players']:,} | {100 * band['coverage']:.1f}% | {band['sd_elo']:.0f} |"
        for band in bands
    )


def lichess_section(lichess: dict, after: dict) -> str:
    """The section on a site of a million players."""
    stages = "\n".join(f"| {name} | {cpu:.1f} | {peak:.2f} |" for name, (cpu, peak) in lichess["costs"].items())
    rows = []
    for name, row in after["rows"].items():
        less = [f"{mean:+.6f} ± {error:.6f}" for mean, error in row["less"]] or ["", ""]
        cpu = "" if row["cpu_seconds"] is None else f"{row['cpu_seconds']:.0f}"
        rows.append(f"| {name} | {cpu} | {row['log_score']:.5f} | {less[0]} | {less[1]} |")
    extra = {"percent": 100 * lichess["coverage"], "stages": stages, "bands": lines_of_bands(lichess["bands"])}
    return LICHESS.format(**(lichess | extra | {"later": after["games"], "after": "\n".join(rows)}))


def matched_section(matched: dict) -> str:
    """The section on opponents of about one's strength."""
    rows = "\n".join(
        f"| {name} | `{row['model']}` | {row['verdict']} | {100 * row['coverage']:.1f}% | {row['slope']:.2f} |"
        for name, row in matched["rows"].items()
    )
    return MATCHED.format(mark=matched["mark"], rows=rows, players=400)


def huge_section(huge: dict) -> str:
    """The section on 22 million games."""
    from math import exp

    bands = lines_of_bands(huge["bands"])
    stages = "\n".join(f"| {name} | {seconds:.1f} |" for name, seconds in huge["stages"].items())
    truth, estimate, sd = huge["log_draw"]
    share = [exp(value) / (2 + exp(value)) for value in (truth, estimate)]
    extra = {"percent": 100 * huge["coverage"], "off": abs(estimate - truth) / sd, "shift": abs(share[1] - share[0])}
    return HUGE.format(**(huge | extra | {"bands": bands, "stages": stages}))


def gradient_section(gradient: dict) -> str:
    """The section on gradients."""
    rows = "\n".join(
        f"| {row['games']:,} | {row['players']:,} | {row['cells']:,} | {row['ms']:.3f} "
        f"| {1e6 * row['ms'] / row['cells']:.1f} | {row['bandwidth_ms']:.3f} |"
        for row in gradient["rows"]
    )
    return GRADIENT.format(**(gradient | {"rows": rows}))


SECTIONS: dict[str, Callable[..., str]] = {
    "lichess": lichess_section,
    "matched": matched_section,
    "huge": huge_section,
    "gradient": gradient_section,
}
