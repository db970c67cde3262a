"""Figures of the models beyond the study: learned parameters, memory, months, and checks against the games."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from halfpoint.evaluation.digits import in_percent
from halfpoint.evaluation.figures.style import BLUE, COLOURS, GREY, ORANGE, new_figure, styled
from halfpoint.evaluation.scores import Floats


@styled()
def density(draws: Mapping[str, Floats], label: str, title: str, marked: Mapping[str, float] | None = None) -> Figure:
    """Return histograms of posterior draws by name, with marked values by name; `label` has the unit."""
    figure, (axes,) = new_figure(6.4, 3.4)
    every = np.concatenate([np.ravel(value) for value in draws.values()])
    edges = np.linspace(every.min(), every.max(), 61)
    for (name, value), colour in zip(draws.items(), COLOURS, strict=False):
        style: dict[str, Any] = {"density": True, "histtype": "step", "color": colour, "linewidth": 1.4}
        axes.hist(np.ravel(value), bins=list(edges), label=name, **style)
    for number, (name, place) in enumerate((marked or {}).items()):
        axes.axvline(place, color=GREY, linestyle="--", linewidth=1.0)
        axes.annotate(name, (place, 0.97 - 0.08 * number), xycoords=("data", "axes fraction"), color=GREY, fontsize=8)
    axes.set(xlabel=label, ylabel="posterior density", title=title)
    axes.set_yticks([])
    axes.legend(loc="upper right")
    return figure


@styled()
def two_densities(first: Floats, second: Floats, names: tuple[str, str], simulated: bool = False) -> Figure:
    """Return the densities of two ratings, and that of their difference with the chance that it is above 0.

    Ratings in Elo points, draw by draw, any shape, so that what they share is no part of the difference.
    Krajowski-Kukiel (2011), figures 4.3 and 4.4, of posteriors.
    """
    figure, (both, apart) = new_figure(8.4, 3.4, 1, 2)
    one, other = np.ravel(first), np.ravel(second)
    edges = np.linspace(min(one.min(), other.min()), max(one.max(), other.max()), 61)
    for name, values, colour in zip(names, (one, other), (BLUE, ORANGE), strict=True):
        both.hist(values, bins=list(edges), density=True, histtype="stepfilled", color=colour, alpha=0.25)
        both.hist(values, bins=list(edges), density=True, histtype="step", color=colour, label=name)
    both.set(xlabel="rating (Elo points)", ylabel="posterior density", title=f"{names[0]} and {names[1]}")
    gap = one - other
    above = float((gap > 0).mean())
    width = float(np.ptp(gap)) / 60 or 1.0
    zero = max(int(np.ceil(-gap.min() / width)), 0)  # bins to its left, so that one of them ends at 0
    marks = width * np.arange(-zero, int(np.ceil(gap.max() / width)) + 1)
    for name, part, colour, chance in (
        (names[0], gap[gap > 0], BLUE, above), (names[1], gap[gap <= 0], ORANGE, 1.0 - above),
    ):  # fmt: skip
        label = f"{name} is the stronger: {in_percent(chance)}"
        weights = np.full(part.size, 1.0 / (gap.size * width))
        apart.hist(part, bins=list(marks), weights=list(weights), color=colour, alpha=0.6, label=label)
    apart.axvline(0.0, ymax=1.0 / 1.3, color=GREY, linewidth=1.0)
    apart.set(xlabel=f"{names[0]} less {names[1]} (Elo points)", title="The difference, draw by draw")
    for axes in (both, apart):
        axes.set_yticks([])
        axes.set_ylim(0.0, 1.3 * axes.get_ylim()[1])
        axes.legend(loc="upper left")
    if simulated:
        figure.suptitle("SIMULATED games", color=GREY, fontsize=9)
    return figure
