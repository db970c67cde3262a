"""Calibration curves: observed share against forecast, with intervals and the number of games."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from halfpoint.evaluation.figures.style import COLOURS, GREY, new_figure, styled

MARKERS = ("o", "s", "^", "D", "v", "P")
TITLES = {"loss": "White loses", "draw": "draw", "win": "White wins", "expected_score": "White's score"}


@styled
def calibration_curves(tables: Mapping[str, pd.DataFrame], title: str = "Calibration") -> Figure:
    """Return calibration curves of loss, draw, win and expected score for one or more forecasts."""
    events = [event for event in TITLES if any((table["event"] == event).any() for table in tables.values())]
    columns = min(2, len(events))
    rows = -(-len(events) // columns)
    figure, axes = new_figure(3.5 * columns, 1.0 + 3.0 * rows, rows, columns)
    for panel, event in zip(axes, events, strict=False):
        panel.plot([0, 1], [0, 1], color=GREY, linewidth=0.9, linestyle="--")
        ends = [0.0, 0.1]
        for number, (name, table) in enumerate(tables.items()):
            part = table[table["event"] == event]
            if part.empty:
                continue
            shift = 0.004 * number
            error = [part["observed_share"] - part["low"], part["high"] - part["observed_share"]]
            style: dict[str, Any] = {"color": COLOURS[number], "marker": MARKERS[number % 6], "markersize": 4}
            panel.errorbar(
                part["mean_forecast"] + shift,
                part["observed_share"],
                error,
                linewidth=1,
                capsize=2,
                label=name,
                **style,
            )
            ends += [float(part["mean_forecast"].max()), float(part["high"].max())]
        top = min(1.0, max(ends) + 0.05)
        panel.set(xlim=(0, top), ylim=(0, top), xlabel="forecast", ylabel="observed share", title=TITLES[event])
        panel.set_aspect("equal")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2)
    for panel in axes[len(events) :]:
        panel.set_visible(False)
    figure.suptitle(f"{title}: bars are 95% intervals, dashed is perfect", fontsize=11)
    return figure
