"""Ratings and advantages of players (thesis figures 2, 3 and 5 to 9)."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from halfpoint.apps.study.estimates import posterior_mean
from halfpoint.apps.study.posterior_draws import ModelDraws
from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.figures.style import BLUE, GREY, ORANGE, house_style, new_figure
from halfpoint.evaluation.scores import Floats


def intervals(draws: Floats, names: Sequence[str]) -> pd.DataFrame:
    """Mean and 95% highest density interval of draws (chain, draw, player), smallest mean first."""
    estimates = [posterior_mean(draws[..., place]) for place in range(draws.shape[2])]
    rows = [
        (name, estimate.value, estimate.low, estimate.high) for name, estimate in zip(names, estimates, strict=True)
    ]
    return pd.DataFrame(rows, columns=["name", "mean", "low", "high"]).sort_values("mean", ignore_index=True)


@house_style()
def caterpillar(table: pd.DataFrame, label: str, title: str, best_line: bool) -> Figure:
    """Means with their intervals, one line a player, and the lower end of the best player's interval."""
    count = len(table)
    figure, (axes,) = new_figure(6.4, 1.2 + 0.19 * count)
    rows = np.arange(count)
    below = table["high"].to_numpy() < float(table["low"].iloc[-1]) if best_line else np.zeros(count, dtype=bool)
    for mask, colour, marker in ((~below, BLUE, "o"), (below, GREY, "s")):
        part = table[mask]
        axes.hlines(rows[mask], part["low"], part["high"], color=colour, linewidth=1.6)
        axes.plot(part["mean"], rows[mask], marker, color=colour, markersize=4)
    if best_line:
        axes.axvline(float(table["low"].iloc[-1]), color=ORANGE, linestyle="--", linewidth=1.2)
        reach = int((~below).sum()) - 1
        label += f"\n{reach} players' intervals reach that of {table['name'].iloc[-1]} (dashed line)"
    axes.set_yticks(rows, table["name"].tolist())
    axes.set(xlabel=label, title=title, ylim=(-1, count))
    axes.grid(axis="y", visible=False)
    return figure


def _shown(draws: ModelDraws, names: Mapping[str, str] | None) -> list[str]:
    """Names of players for display."""
    return [names.get(name, name) if names else name for name in draws.players.tolist()]


@house_style()
def rating_intervals(draws: ModelDraws, names: Mapping[str, str] | None = None) -> Figure:
    """Ratings with 95% highest density intervals (thesis figures 2, 3, 5 and 6)."""
    table = intervals(draws.study_rating_elo, _shown(draws, names))
    title = f"Ratings with 95% HDI: {draws.name}, {draws.edition}"
    return caterpillar(table, "rating (Elo points of the study)", title, best_line=True)


@house_style()
def advantage_intervals(draws: ModelDraws, names: Mapping[str, str] | None = None) -> Figure:
    """Each player's share of White's advantage with 95% intervals (thesis figures 7 and 8)."""
    if draws.study_advantage_elo is None or draws.study_advantage_elo.ndim != 3:
        raise EvaluationError(f"advantages of {draws.name}", "one per player", "none or a common one")
    table = intervals(draws.study_advantage_elo, _shown(draws, names))
    title = f"Advantages with 95% HDI: {draws.name}, {draws.edition}"
    figure = caterpillar(table, "half advantage (Elo points of the study)", title, best_line=True)
    figure.axes[0].axvline(0, color="#333333", linewidth=0.8)
    return figure


@house_style()
def rating_scatter_matrix(ratings: pd.DataFrame) -> Figure:
    """The scatter matrix of ratings by different models and lists, with correlations (thesis figure 9)."""
    columns = ratings.columns.tolist()
    count = len(columns)
    size = max(6.4, 0.95 * count)
    figure, axes = new_figure(size, size, count, count)
    matrix, middle = ratings.corr().to_numpy(), dict[str, Any](ha="center", va="center")
    for panel, (row, column) in zip(axes, product(range(count), repeat=2), strict=True):
        panel.grid(visible=False)
        panel.set_xticks([])
        panel.set_yticks([])
        if row == column:
            label = columns[row].replace("-", "-\n").replace(" ", "\n")
            panel.text(0.5, 0.5, label, fontsize=8, transform=panel.transAxes, **middle)
        elif row < column:
            value = matrix[row, column]
            panel.set_facecolor((0, 0.447, 0.698, float(np.clip((value - 0.6) / 0.4, 0, 1)) * 0.55))
            panel.text(0.5, 0.5, f"{value:.2f}", fontsize=9, transform=panel.transAxes, **middle)
        else:
            panel.plot(ratings[columns[column]], ratings[columns[row]], ".", color=BLUE, markersize=2.5)
    figure.suptitle("Ratings of the players by model and list: scatter and correlation", fontsize=11)
    return figure
