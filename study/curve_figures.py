"""Curves against the rating difference: winning, scoring and drawing (thesis figures 1 and 4, paper figure 5)."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from halfpoint.evaluation.figures.style import BLACK, BLUE, COLOURS, DASHES, GREY, ORANGE, new_figure, styled
from halfpoint.evaluation.scores import Floats
from halfpoint.games.table import Codes
from halfpoint.study.printed.formulas import davidson_shares
from halfpoint.systems.curves import expected_score

FEWEST = 10  # games of a bin
DIFFERENCE = "White's rating minus Black's (Elo points)"


@styled
def win_probability_against_difference(limit_elo: float = 800.0) -> Figure:
    """Return Elo's normal curve and the logistic one, and their difference (thesis figure 1)."""
    gap = np.linspace(-limit_elo, limit_elo, 401)
    normal, logistic = expected_score(gap, "normal"), expected_score(gap)
    figure, (above, below) = new_figure(6.4, 4.6, rows=2)
    figure.set_size_inches(6.4, 5.2)
    above.plot(gap, normal, color=BLUE, label="normal, sd 200 Elo a player")
    above.plot(gap, logistic, color=ORANGE, linestyle="--", label="logistic, 400 Elo = 10 to 1")
    above.set(ylabel="expected score", title="Expected score against rating difference", ylim=(0, 1))
    above.legend(loc="upper left")
    below.plot(gap, 100 * (logistic - normal), color=BLACK)
    below.axhline(0, color=GREY, linewidth=0.8)
    below.set(xlabel="rating difference (Elo points)", ylabel="logistic minus normal\n(percentage points)")
    return figure


def observed_by_difference(gap_elo: Floats, value: Floats, width_elo: float) -> tuple[Floats, Floats, Floats, Codes]:
    """Return bin centres, means, standard errors and games of a value by rating difference."""
    frame = pd.DataFrame({"gap": gap_elo, "value": value})
    found = frame.groupby(np.floor(gap_elo / width_elo)).agg(
        centre=("gap", "mean"), mean=("value", "mean"), error=("value", "sem"), games=("value", "size")
    )
    kept = found[found["games"] >= FEWEST]
    centre, mean, error = (kept[name].to_numpy() for name in ("centre", "mean", "error"))
    return centre, mean, error, kept["games"].to_numpy(np.int32)


@styled
def expected_score_over_observed(
    gap_elo: Floats, score: Floats, advantages_elo: Mapping[str, float], width_elo: float = 25.0
) -> Figure:
    """Return expected score curves over the observed scores by White's lead (thesis figure 4, paper figure 5)."""
    centres, means, errors, games = observed_by_difference(gap_elo, score, width_elo)
    figure, (axes,) = new_figure(6.4, 4.2)
    axes.errorbar(centres, means, 1.96 * errors, fmt="none", ecolor="#bbbbbb", elinewidth=1, zorder=1)
    sizes = 6 + 60 * games / games.max()
    axes.scatter(centres, means, s=sizes, color=GREY, zorder=2, label="observed, with 95% interval")
    grid = np.linspace(centres.min() - width_elo, centres.max() + width_elo, 300)
    for number, (label, advantage) in enumerate(advantages_elo.items()):
        curve = expected_score(grid + advantage)
        text = label if advantage == 0 else f"{label}: White +{advantage:.1f} Elo"
        axes.plot(grid, curve, color=COLOURS[number], linestyle=DASHES[number % 4], label=text, zorder=3)
    axes.set(xlabel=DIFFERENCE, ylabel="White's score", title="Expected and observed score of White", ylim=(0, 1))
    axes.legend(loc="upper left")
    return figure


@styled
def draw_share_by_difference(
    gap_elo: Floats, outcome: Codes, log_draws: Mapping[str, float], advantage_elo: float = 0.0, width_elo: float = 25.0
) -> Figure:
    """Return the observed share of draws against the rating difference, with Davidson's curves."""
    centres, means, errors, games = observed_by_difference(gap_elo, (outcome == 1).astype(np.float64), width_elo)
    figure, (axes,) = new_figure(6.4, 4.2)
    axes.errorbar(centres, 100 * means, 196 * errors, fmt="none", ecolor="#bbbbbb", elinewidth=1, zorder=1)
    axes.scatter(centres, 100 * means, s=6 + 60 * games / games.max(), color=GREY, zorder=2, label="observed, 95%")
    grid = np.linspace(centres.min() - width_elo, centres.max() + width_elo, 200)
    for number, (label, log_draw) in enumerate(log_draws.items()):
        share = [100 * davidson_shares(gap + advantage_elo, log_draw)[1] for gap in grid.tolist()]
        style: dict[str, Any] = {"color": COLOURS[number], "linestyle": DASHES[number % 4], "zorder": 3}
        axes.plot(grid, share, label=f"{label}: draw parameter {log_draw:.2f}", **style)
    axes.set(xlabel=DIFFERENCE, ylabel="draws (%)", title="Share of draws against rating difference")
    axes.set_ylim(0, max(80.0, float(100 * means.max()) + 10))
    axes.legend(loc="lower left")
    return figure
