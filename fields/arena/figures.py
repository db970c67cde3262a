"""The figure of a match: how its log likelihood ratio drifts between the bounds."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from halfpoint.evaluation.figures.style import BLUE, GREEN, GREY, ORANGE, new_figure, styled


@styled()
def drift_figure(drift: pd.DataFrame, title: str, bounds: tuple[float, float]) -> Figure:
    """How the log likelihood ratio (columns games, llr) drifts between the bounds of H0 and of H1."""
    figure, (axes,) = new_figure(6.4, 3.4)
    for bound, colour, name in zip(bounds, (ORANGE, GREEN), ("H0", "H1"), strict=True):
        axes.axhline(bound, color=colour, linestyle="--", linewidth=1.0, label=f"{name} accepted at {bound:.2f}")
    axes.axhline(0.0, color=GREY, linewidth=0.6)
    axes.plot(drift["games"], drift["llr"], color=BLUE, linewidth=1.0)
    out = np.flatnonzero((drift["llr"] <= bounds[0]) | (drift["llr"] >= bounds[1]))
    if out.size:
        axes.plot(drift["games"].iloc[out[0]], drift["llr"].iloc[out[0]], "o", color=BLUE, markersize=5)
    axes.set(xlabel="games", ylabel="log likelihood ratio")
    axes.set_title(title)
    axes.legend(loc="best")
    return figure
