"""Curves against the rating difference: winning, scoring and drawing (thesis figures 1 and 4, paper figure 5).

The performances behind Elo's curves, and the scale, are figures 4.2 to 4.4 of Krajowski-Kukiel (2011).
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.stats import norm

from halfpoint.apps.study.printed.formulas import davidson_shares
from halfpoint.evaluation.figures.style import BLACK, BLUE, COLOURS, DASHES, GREY, ORANGE, house_style, new_figure
from halfpoint.evaluation.scores import Floats
from halfpoint.models.games.table import Codes
from halfpoint.systems.curves import expected_score

_FEWEST = 10  # games of a bin
_DIFFERENCE = "White's rating minus Black's (Elo points)"


@house_style()
def win_probability_against_difference() -> Figure:
    """Elo's normal curve and the logistic one, and their difference (thesis figure 1)."""
    gap = np.linspace(-800.0, 800.0, 401)
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


_PLAYERS_ELO, _PERFORMANCE_SD_ELO = (1300.0, 1500.0), 200.0


@house_style()
def performances() -> Figure:
    """Performances of players of 1300 and 1500 Elo, their difference, and the curve at three scales.

    Performances are normal with a standard deviation of 200 Elo; if the difference is below 0 the weaker player wins
    (Krajowski-Kukiel 2011, figures 4.3, 4.4 and 4.2; eq. 4.6).
    """
    figure, (player_axes, difference_axes, curves) = new_figure(6.4, 7.6, rows=3)
    grid = np.linspace(500.0, 2300.0, 401)
    for rating, colour, dash in zip(_PLAYERS_ELO, (BLUE, ORANGE), DASHES, strict=False):
        density = norm.pdf(grid, rating, _PERFORMANCE_SD_ELO)
        player_axes.plot(grid, density, color=colour, linestyle=dash, label=f"{rating:.0f} Elo")
    player_axes.set(xlabel="performance (Elo points)", title="Performances of two players", yticks=[])
    lead, width = _PLAYERS_ELO[1] - _PLAYERS_ELO[0], _PERFORMANCE_SD_ELO * 2**0.5
    grid, weaker = np.linspace(-800.0, 1200.0, 401), norm.cdf(0.0, lead, width)
    difference_axes.plot(grid, norm.pdf(grid, lead, width), color=BLACK)
    below = grid[grid <= 0.0]
    difference_axes.fill_between(
        below, norm.pdf(below, lead, width), color=GREY, label=f"the weaker is better: {weaker:.2f}"
    )
    difference_axes.set(
        xlabel="stronger minus weaker (Elo points)", title="Difference of their performances", yticks=[]
    )
    grid = np.linspace(-800.0, 800.0, 401)
    for number, scale in enumerate((200.0, 400.0, 600.0)):
        style: dict[str, Any] = {"color": COLOURS[number], "linestyle": DASHES[number]}
        curves.plot(grid, expected_score(400.0 * grid / scale), label=f"10 to 1 at {scale:.0f} Elo", **style)
    curves.set(xlabel="rating difference (Elo points)", ylabel="expected score", title="The logistic curve's scale")
    for axes in (player_axes, difference_axes, curves):
        axes.legend(loc="upper left")
    return figure


def observed_by_difference(gap_elo: Floats, value: Floats, width_elo: float) -> Floats:
    """Bin centres, means, standard errors and games of a value by rating difference, shape (4, bin)."""
    frame = pd.DataFrame({"gap": gap_elo, "value": value})
    bins = frame.groupby(np.floor(gap_elo / width_elo)).agg(
        centre=("gap", "mean"), mean=("value", "mean"), error=("value", "sem"), games=("value", "size")
    )
    return bins[bins["games"] >= _FEWEST].to_numpy(np.float64).T


def _observed(gap_elo: Floats, value: Floats, label: str, width_elo: float) -> tuple[Figure, Axes, Floats, Floats]:
    """Figure of means of a value with 95% intervals by rating difference, with the grid and the means."""
    centres, means, errors, games = observed_by_difference(gap_elo, value, width_elo)
    figure, (axes,) = new_figure(6.4, 4.2)
    axes.errorbar(centres, means, 1.96 * errors, fmt="none", ecolor="#bbbbbb", elinewidth=1, zorder=1)
    axes.scatter(centres, means, s=6 + 60 * games / games.max(), color=GREY, zorder=2, label=label)
    return figure, axes, np.linspace(centres.min() - width_elo, centres.max() + width_elo, 300), means


@house_style()
def expected_score_over_observed(
    gap_elo: Floats, score: Floats, advantages_elo: Mapping[str, float], width_elo: float = 25.0
) -> Figure:
    """Expected score curves over the observed scores by White's lead (thesis figure 4, paper figure 5)."""
    figure, axes, grid, _ = _observed(gap_elo, score, "observed, with 95% interval", width_elo)
    for number, (label, advantage) in enumerate(advantages_elo.items()):
        text = label if advantage == 0 else f"{label}: White +{advantage:.1f} Elo"
        style: dict[str, Any] = {"color": COLOURS[number], "linestyle": DASHES[number % 4], "zorder": 3}
        axes.plot(grid, expected_score(grid + advantage), label=text, **style)
    axes.set(xlabel=_DIFFERENCE, ylabel="White's score", title="Expected and observed score of White", ylim=(0, 1))
    axes.legend(loc="upper left")
    return figure


@house_style()
def draw_share_by_difference(
    gap_elo: Floats, outcome: Codes, log_draws: Mapping[str, float], advantage_elo: float = 0.0, width_elo: float = 25.0
) -> Figure:
    """Observed share of draws by rating difference, with Davidson's curves."""
    figure, axes, grid, percent = _observed(gap_elo, 100.0 * (outcome == 1), "observed, 95%", width_elo)
    for number, (label, log_draw) in enumerate(log_draws.items()):
        share = [100 * davidson_shares(gap + advantage_elo, log_draw)[1] for gap in grid.tolist()]
        style: dict[str, Any] = {"color": COLOURS[number], "linestyle": DASHES[number % 4], "zorder": 3}
        axes.plot(grid, share, label=f"{label}: draw parameter {log_draw:.2f}", **style)
    axes.set(xlabel=_DIFFERENCE, ylabel="draws (%)", title="Share of draws against rating difference")
    axes.set_ylim(0, max(80.0, float(percent.max()) + 10))
    axes.legend(loc="lower left")
    return figure
