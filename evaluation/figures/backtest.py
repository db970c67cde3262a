"""Figures of a backtest: who led when, by how much, and whether forecasts came true at the rate they said."""

from collections.abc import Sequence
from itertools import pairwise

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from halfpoint.evaluation.figures.style import COLOURS, new_figure, panels, styled

HUES = (*COLOURS[:7], "#8C6D31")  # further lines are grey
QUIET = "#B8B8B8"
OUTCOMES, SCORE = {"loss": HUES[1], "draw": "#777777", "win": HUES[0]}, {"expected_score": HUES[2]}


def best(scores: pd.DataFrame, stretch: str, count: int, always: Sequence[str] = ()) -> list[str]:
    """Return the names of the systems with the best log score of a stretch, and those asked for, best first."""
    rows = scores[scores["set"] == stretch].sort_values("log_score", kind="stable")
    wanted = set(rows["system"].head(count)) | set(always)
    return [name for name in rows["system"] if name in wanted]


def spread_labels(heights: Sequence[float], gap: float) -> list[float]:
    """Return label heights at least `gap` apart, in the order given, each as near its own height as that allows."""
    order = np.argsort(heights, kind="stable")
    placed = np.asarray(heights, dtype=np.float64)
    for low, high in pairwise(order):
        placed[high] = max(placed[high], placed[low] + gap)
    excess = (placed[order] - np.asarray(heights)[order]).max(initial=0.0) / 2.0
    return [float(height) - excess for height in placed]


@styled()
def figure_cumulative(by_period: pd.DataFrame, names: Sequence[str], reference: str, title: str) -> Figure:
    """Draw the cumulative lead in log score over the reference, a line for each system, labelled at its end."""
    figure, (axes,) = new_figure(8.6, 4.6)
    ends = []
    for number, name in enumerate(names):
        rows = by_period[by_period["system"] == name].sort_values("period")
        hue = HUES[number] if number < len(HUES) else QUIET
        axes.plot(rows["period"], rows["cumulative_lead"], color=hue, linewidth=1.6)
        ends.append((float(rows["period"].max()), float(rows["cumulative_lead"].iloc[-1]), name, hue))
    low, high = axes.get_ylim()
    heights = spread_labels([end[1] for end in ends], (high - low) * 0.045)
    for (period, lead, name, hue), height in zip(ends, heights, strict=True):
        axes.annotate(
            f"{name} {lead:+.0f}", (period, lead), (period + 0.6, height), color=hue, va="center", fontsize=8,
            annotation_clip=False, arrowprops={"arrowstyle": "-", "color": hue, "linewidth": 0.4},
        )  # fmt: skip
    axes.axhline(0.0, color="#555555", linewidth=0.8)
    axes.set_xlabel("period")
    axes.set_ylabel(f"lead over {reference} in log score so far, nats\n(higher is better)")
    axes.set_title(title, loc="left")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.margins(x=0.01)
    return figure


@styled()
def figure_calibration(calibration: pd.DataFrame, names: Sequence[str], title: str) -> Figure:
    """Draw observed shares against their forecasts, a panel for each system: loss, draw and win, else the score."""
    drawn: dict[str, str] = {}
    figure, axes = panels(len(names), 4, (2.3, 2.45), shared=True)
    for panel, name in zip(axes, names, strict=True):
        own = calibration[calibration["system"] == name]
        events = OUTCOMES if own["event"].isin(OUTCOMES).any() else SCORE
        draw_calibration(panel, own, events)
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


def draw_calibration(panel: Axes, table: pd.DataFrame, events: dict[str, str]) -> None:
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


@styled()
def figure_margins(pit: pd.DataFrame, names: Sequence[str], title: str) -> Figure:
    """Draw how often the PIT of margins fell into each of equal bins, a panel a forecaster: flat is calibrated."""
    figure, axes = panels(len(names), 4, (2.6, 2.4), shared=True)
    for panel, name in zip(axes, names, strict=True):
        part = pit[pit["system"] == name]
        width = part["high"] - part["low"]
        error = 2.0 * np.sqrt(width * (1.0 - width) / part["games"])
        panel.bar(part["low"], part["share"], width, align="edge", color=HUES[5], edgecolor="white", linewidth=0.5)
        panel.fill_between(
            [0.0, 1.0], float((width - error).iloc[0]), float((width + error).iloc[0]), color=QUIET, alpha=0.6,
            linewidth=0.0,
        )  # fmt: skip
        panel.axhline(float(width.iloc[0]), color="#555555", linewidth=0.8)
        panel.set_title(name, fontsize=9)
        panel.set_xlim(0.0, 1.0)
    figure.supxlabel("F(margin)", fontsize=9)
    figure.supylabel("share of games", fontsize=9)
    figure.suptitle(title, fontsize=10)
    return figure


@styled()
def figure_scores(scores: pd.DataFrame, stretch: str, reference: str) -> Figure:
    """Draw each system's difference to the reference in one set of games, with the 95% interval of the table."""
    rows = scores[scores["set"] == stretch].sort_values("log_score", kind="stable")
    height = np.arange(len(rows))
    figure, (axes,) = new_figure(7.4, 0.23 * len(rows) + 1.2)
    hue = np.where(rows["high"] < 0, HUES[2], np.where(rows["low"] > 0, HUES[1], "#777777"))
    axes.hlines(height, rows["low"], rows["high"], color=hue, linewidth=1.2)
    axes.scatter(rows["difference"], height, color=hue, s=18, zorder=3)
    axes.axvline(0.0, color="#555555", linewidth=0.8)
    axes.set_yticks(height, [f"{t} ({d})" for t, d in zip(rows["title"], rows["draws"], strict=True)])
    axes.set_xlabel(f"log score less that of {reference}, 95% intervals")
    axes.set_title(f"{stretch}: {int(rows['games'].iloc[0]):,} games", loc="left")
    return figure
