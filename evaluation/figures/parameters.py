"""Figures of the models beyond the study: learned parameters, memory, months, and checks against the games."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from halfpoint.evaluation.figures.style import COLOURS, GREY, new_figure, styled
from halfpoint.evaluation.scores import Floats


@styled()
def density(draws: Mapping[str, Floats], label: str, title: str, marked: Mapping[str, float] | None = None) -> Figure:
    """Histograms of posterior draws by name, with marked values by name; `label` has the unit."""
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
