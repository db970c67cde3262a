"""Figure of a pool of ratings over time: its mean, its spread, and its drift."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from halfpoint.evaluation.figures.style import COLOURS, DASHES, new_figure, styled

PANELS = {
    "mean_elo": "mean of the active players, Elo",
    "sd_elo": "standard deviation, Elo",
    "less_printed_elo": "less the printed rating, Elo",
    "less_reference_elo": "less the model, Elo",
}


@styled()
def pool_over_time(histories: Mapping[str, pd.DataFrame], title: str = "") -> Figure:
    """Draw mean, spread and drift of a pool by period, a line a rating system; empty panels are left out."""
    shown = [key for key in PANELS if any(one[key].notna().any() for one in histories.values())]
    figure, axes = new_figure(7.2, 2.1 * len(shown), rows=len(shown))
    for axis, key in zip(axes, shown, strict=True):
        for number, (name, history) in enumerate(histories.items()):
            dash = DASHES[number // len(COLOURS) % len(DASHES)]
            axis.plot(history["period"], history[key], dash, color=COLOURS[number % len(COLOURS)], label=name)
        axis.set_ylabel(PANELS[key])
        if key.startswith("less"):
            axis.axhline(0.0, color="#6b6b6b", linewidth=0.8)
    axes[-1].set_xlabel("period")
    axes[0].legend(ncols=3, loc="best")
    figure.suptitle(title)
    return figure
