"""Figures of sampling: chains, prior against posterior (paper figures 1 to 4), ranks of a calibration."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from arviz_stats.base import array_stats
from matplotlib.figure import Figure
from scipy.stats import norm

from halfpoint.evaluation.figures.style import BLUE, COLOURS, DASHES, GREY, ORANGE, house_style, new_figure, panels
from halfpoint.evaluation.scores import Floats


@house_style()
def chain_traces(parameters: Mapping[str, Floats], title: str = "Traces of the chains") -> Figure:
    """Trace and density of some parameters, one colour and dash per chain.

    Draws (chain, draw) by label; the label has the unit, for example "Carlsen, rating (Elo points)".
    """
    count = len(parameters)
    figure, axes = new_figure(7.2, 0.8 + 1.6 * count, count, 2)
    for row, (label, draws) in enumerate(parameters.items()):
        density, trace = axes[2 * row], axes[2 * row + 1]
        for chain, values in enumerate(draws):
            style: dict[str, Any] = {"color": COLOURS[chain % 7], "linestyle": DASHES[chain % 4]}
            grid, height, _ = array_stats.kde(values)
            density.plot(grid, height, linewidth=1.2, **style)
            trace.plot(values, linewidth=0.4, color=COLOURS[chain % 7], alpha=0.8)
        density.set(xlabel=label, ylabel="density")
        density.set_yticks([])
        trace.set(xlabel="draw", ylabel=label[label.rfind("(") :].strip("()"))
    figure.suptitle(title, fontsize=11)
    return figure


@house_style()
def prior_and_posterior(
    parameters: Mapping[str, tuple[Floats, tuple[float, float]]], title: str = "Prior and posterior"
) -> Figure:
    """Posterior densities over normal priors: draws (chain, draw), (mean, sd) by a label with its unit."""
    figure, axes = panels(len(parameters), 2, (3.4, 2.2))
    for panel, (label, (draws, (mean, sd))) in zip(axes, parameters.items(), strict=True):
        grid, height, _ = array_stats.kde(draws.ravel())
        spread = max(float(draws.std()), 1e-12)
        low, high = float(draws.mean()) - 8 * spread, float(draws.mean()) + 8 * spread
        if sd < 8 * spread:
            low, high = min(low, mean - sd), max(high, mean + sd)
        wide = np.linspace(low, high, 400)
        panel.plot(wide, norm.pdf(wide, mean, sd), color=GREY, linestyle="--", label=f"prior N({mean:g}, {sd:g}²)")
        panel.fill_between(grid, height, color=BLUE, alpha=0.35)
        panel.plot(grid, height, color=BLUE, label="posterior")
        panel.set(xlabel=label, ylabel="density", ylim=(0, 1.45 * float(height.max())))
        panel.legend(loc="upper left")
    figure.suptitle(title, fontsize=11)
    return figure


COLUMNS = 4


@house_style()
def figure_ranks(curves: Mapping[str, npt.NDArray[np.float64]], title: str) -> Figure:
    """Plot ranks, one panel per parameter; a curve outside its band has another colour and a label.

    Shapes: curves (4, point).
    """
    figure, axes = panels(len(curves), COLUMNS, (2.4, 1.9))
    for panel, (name, (points, share, lower, upper)) in zip(axes, curves.items(), strict=True):
        out = bool(np.any((share > upper) | (share < lower)))
        panel.fill_between(points, lower - points, upper - points, color=GREY, alpha=0.25, linewidth=0, step="mid")
        panel.plot(points, share - points, color=ORANGE if out else BLUE, linewidth=1.2)
        panel.axhline(0.0, color=GREY, linewidth=0.7)
        panel.set(xlim=(0, 1), title=f"{name}: OUTSIDE" if out else name)
    figure.supxlabel("rank of the truth among the draws, as a share", fontsize=9)
    figure.supylabel("share of simulations, less uniform", fontsize=9)
    figure.suptitle(title, fontsize=11)
    return figure
