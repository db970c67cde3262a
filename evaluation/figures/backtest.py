"""Figure of calibration: observed frequency against forecast probability."""

from collections.abc import Sequence

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from halfpoint.evaluation.figures.style import COLOURS, house_style, panels

_HUES = (*COLOURS[:7], "#8C6D31")  # further lines are grey
_OUTCOMES, _SCORE = {"loss": _HUES[1], "draw": "#777777", "win": _HUES[0]}, {"expected_score": _HUES[2]}


@house_style()
def figure_calibration(calibration: pd.DataFrame, names: Sequence[str], title: str) -> Figure:
    """Draw observed shares against their forecasts, a panel for each system: loss, draw and win, else the score."""
    drawn: dict[str, str] = {}
    figure, axes = panels(len(names), 4, (2.3, 2.45), shared=True)
    for panel, name in zip(axes, names, strict=True):
        rows = calibration[calibration["system"] == name]
        events = _OUTCOMES if rows["event"].isin(_OUTCOMES).any() else _SCORE
        _draw_calibration(panel, rows, events)
        drawn |= events
        panel.set_title(name, fontsize=9)
    figure.supxlabel("forecast", fontsize=9)
    figure.supylabel("observed", fontsize=9)
    handles = [
        mpl.lines.Line2D([], [], color=hue, marker="o", markersize=3, label=e.replace("_", " "))
        for e, hue in drawn.items()
    ]
    figure.legend(handles=handles, loc="outside right upper", frameon=False)
    figure.suptitle(title, fontsize=10)
    return figure


def _draw_calibration(panel: Axes, table: pd.DataFrame, events: dict[str, str]) -> None:
    """Draw one system's calibration with 95 % intervals."""
    panel.plot([0, 1], [0, 1], color="#555555", linewidth=0.7)
    for event, hue in events.items():
        part = table[table["event"] == event]
        error = [part["observed_share"] - part["low"], part["high"] - part["observed_share"]]
        panel.errorbar(
            part["mean_forecast"], part["observed_share"], np.clip(np.array(error), 0.0, None), color=hue, marker="o",
            markersize=2.5, linewidth=0.9, elinewidth=0.6,
        )  # fmt: skip
    panel.set_xlim(0.0, 1.0)
    panel.set_ylim(0.0, 1.0)
