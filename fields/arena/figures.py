"""Figures of a leaderboard: ratings with intervals and tiers, what style is worth, who is stronger than whom."""

import numpy as np
import pandas as pd
import xarray as xr
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from halfpoint.evaluation.figures.style import BLUE, COLOURS, GREEN, GREY, ORANGE, new_figure, styled

MOST_NAMED = 80
RATING = "#6a3d9a"  # ratings and who is the stronger, as on the page of a list


@styled()
def board_figure(frame: pd.DataFrame, noun: str, interval: float) -> Figure:
    """Return the list, of columns rating_elo, low_elo, high_elo, tier and a noun, best on top, a colour a tier."""
    count = len(frame)
    figure, (axes,) = new_figure(6.8, 1.1 + 0.17 * max(count, 4))
    rows = np.arange(count)[::-1]
    tiers = frame["tier"].to_numpy()
    colours = [COLOURS[(tier - 1) % 6] for tier in tiers]
    axes.hlines(rows, frame["low_elo"], frame["high_elo"], color=colours, linewidth=1.8)
    axes.scatter(frame["rating_elo"], rows, c=colours, s=14, zorder=3)
    for place in np.flatnonzero(np.diff(tiers)):
        axes.axhline(rows[place] - 0.5, color=GREY, linewidth=0.7, linestyle=":")
    names = frame[noun].astype(str).str.slice(0, 32)
    if count <= MOST_NAMED:
        axes.set_yticks(rows, names.tolist())
    else:
        axes.set_yticks([])
    axes.set(xlabel=f"Elo points, {interval:.0%} intervals", ylim=(-1, count))
    axes.set_title("Ratings; a colour and a dotted line for each tier")
    axes.grid(axis="y", visible=False)
    return figure


@styled()
def style_figure(style: pd.DataFrame) -> Figure:
    """Return what position and style are worth, Elo points; columns what, effect_elo, low_elo, high_elo."""
    count = len(style)
    figure, (axes,) = new_figure(6.4, 1.1 + 0.32 * count)
    rows = np.arange(count)[::-1]
    axes.axvline(0.0, color=GREY, linewidth=0.9)
    axes.hlines(rows, style["low_elo"], style["high_elo"], color=BLUE, linewidth=2.0)
    axes.plot(style["effect_elo"], rows, "o", color=BLUE, markersize=5)
    axes.set_yticks(rows, style["what"].astype(str).tolist())
    axes.set(xlabel="Elo points: being shown first, or a standard deviation more of a style", ylim=(-0.7, count - 0.3))
    axes.set_title("What is no strength")
    axes.grid(axis="y", visible=False)
    return figure


@styled()
def stronger_figure(stronger: xr.DataArray, order: list[str], noun: str) -> Figure:
    """Return P(row stronger than column), dims player and other, as colours in an order of names, best first."""
    table = stronger.sel(player=order, other=order).to_numpy().copy()
    np.fill_diagonal(table, np.nan)
    count = len(order)
    side = float(np.clip(2.2 + 0.13 * count, 4.2, 9.0))
    figure, (axes,) = new_figure(side + 0.8, side)
    colours = LinearSegmentedColormap.from_list("stronger", ["#ffffff", RATING])
    picture = axes.imshow(table, cmap=colours, vmin=0.0, vmax=1.0, interpolation="nearest")
    names = [name[:24] for name in order]
    if count <= MOST_NAMED:
        size = 7 if count <= 40 else 5
        axes.set_yticks(np.arange(count), names, fontsize=size)
        axes.set_xticks(np.arange(count), names, fontsize=size, rotation=90)
    axes.grid(visible=False)
    axes.set_title(f"P(row's {noun} stronger than column's)")
    figure.colorbar(picture, ax=axes, shrink=0.7)
    return figure


@styled()
def drift_figure(drift: pd.DataFrame, title: str, bounds: tuple[float, float]) -> Figure:
    """Return how the log likelihood ratio (columns games, llr) drifts between the bounds of H0 and of H1."""
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
