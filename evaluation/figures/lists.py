"""Five figures of a rating list: matplotlib axes in and out, units and numbers of games on each.

Figures use at most six colours, which colour-blind readers can distinguish, and never colour alone.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.dates import AutoDateLocator, ConciseDateFormatter

from halfpoint.evaluation.digits import in_percent
from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.figures.style import BLUE, COLOURS, DASHES, GREY, ORANGE, house_style, shown_axes

_MOST_ROWS, _MOST_PAIRS, _RIBBONS = 40, 16, 4
_SHADES = LinearSegmentedColormap.from_list("chances", ["#ffffff", "#b7a3d6", "#6a3d9a"])
_DARK = 0.55  # share of a cell from which on its number is white


def _rows(axes: Axes, names: Sequence[str]) -> npt.NDArray[np.int64]:
    """Places of rows from the top on, with their names on the axis."""
    places = np.arange(len(names))[::-1]
    axes.set_yticks(places, list(names))
    axes.set_ylim(-0.7, len(names) - 0.3)
    axes.grid(axis="y", visible=False)
    axes.tick_params(axis="y", length=0)
    return places


def _concise(axes: Axes, when: pd.Series) -> None:
    """Set few ticks and short labels if the axis has days."""
    if pd.api.types.is_datetime64_any_dtype(when):
        locator = AutoDateLocator(minticks=3, maxticks=7)  # type: ignore[no-untyped-call]
        axes.xaxis.set_major_locator(locator)
        axes.xaxis.set_major_formatter(ConciseDateFormatter(locator))  # type: ignore[no-untyped-call]


@house_style()
def plot_list(frame: pd.DataFrame, noun: str, ax: Axes | None = None, title: str = "", most: int = _MOST_ROWS) -> Axes:
    """Plot the first rows of a rating list with their intervals; a line between rows begins a tier.

    Parameters
    ----------
    frame : DataFrame
        noun, rating_elo, low_elo, high_elo and perhaps tier, best first.
    noun : str
        Column of the names.
    ax : Axes, optional
        Where to draw; new axes by default.
    title : str
        Title.
    most : int
        Largest number of rows.

    Returns
    -------
    Axes
    """
    shown = frame.head(most)
    axes = shown_axes(6.4, 1.1 + 0.22 * len(shown)) if ax is None else ax
    places = _rows(axes, shown[noun].tolist())
    axes.hlines(places, shown["low_elo"], shown["high_elo"], color=BLUE, linewidth=1.8)
    axes.plot(shown["rating_elo"], places, "o", color=BLUE, markersize=4.5)
    if "tier" in shown:
        for row in np.flatnonzero(np.diff(shown["tier"].to_numpy())):
            axes.axhline(places[row] - 0.5, color="#999999", linewidth=0.8)
    cut = f", the first {len(shown)} of {len(frame)}" if len(shown) < len(frame) else ""
    axes.set(xlabel="rating (Elo points) with 95% interval", title=f"{title}{cut}")
    return axes


@house_style()
def plot_time(
    months: pd.DataFrame, ax: Axes | None = None, title: str = "", players: Sequence[str] = (), label: str = "month"
) -> Axes:
    """Plot ratings through time: the named players as coloured ribbons, all others as grey lines.

    Parameters
    ----------
    months : DataFrame
        player, time (days or numbers), mean, low, high, in Elo points.
    ax : Axes, optional
        Where to draw; new axes by default.
    title : str
        Title.
    players : sequence of str
        Players in colour, at most six; the four best at the end by default.
    label : str
        Label of the time axis.

    Returns
    -------
    Axes
    """
    last = months.sort_values("time").groupby("player")["mean"].last().sort_values(ascending=False)
    chosen = list(players or last.index[:_RIBBONS])[: len(COLOURS) - 2]
    missing = next((name for name in chosen if name not in last.index), None)
    if missing is not None:
        raise EvaluationError("players", "players of the list", repr(missing))
    axes = shown_axes(7.2, 4.2) if ax is None else ax
    for name, part in months.groupby("player"):
        if name not in chosen:
            axes.plot(part["time"], part["mean"], color="#bbbbbb", linewidth=0.7, zorder=1)
    for place, name in enumerate(chosen):
        part = months[months["player"] == name]
        axes.fill_between(part["time"], part["low"], part["high"], color=COLOURS[place], alpha=0.18, linewidth=0)
        style = DASHES[place % len(DASHES)]
        axes.plot(part["time"], part["mean"], color=COLOURS[place], linestyle=style, label=name, zorder=3)
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    axes.set(xlabel=label, ylabel="rating (Elo points), 95% interval", title=title)
    _concise(axes, months["time"])
    return axes


@house_style()
def plot_pairs(
    stronger: npt.NDArray[np.float64], names: Sequence[str], ax: Axes | None = None, title: str = "",
    most: int = _MOST_PAIRS,
) -> Axes:  # fmt: skip
    """Plot the probability that each player is stronger than each other one.

    Parameters
    ----------
    stronger : array of float, shape (player, player)
        Probability that the row is stronger than the column.
    names : sequence of str
        The players, best first.
    ax : Axes, optional
        Where to draw; new axes by default.
    title : str
        Title.
    most : int
        Largest number of players.

    Returns
    -------
    Axes
    """
    count = min(most, len(names))
    cells = 100.0 * np.asarray(stronger, dtype=np.float64)[:count, :count].copy()
    np.fill_diagonal(cells, np.nan)
    heads = [str(rank) for rank in range(1, count + 1)]
    labels = [f"{name}  {number}" for number, name in enumerate(names[:count], 1)]
    axes = _shaded(cells, labels, heads, ax)
    axes.set(xlabel="probability in percent that the row is stronger than the column", title=title)
    return axes


@house_style()
def plot_places(
    chances: npt.NDArray[np.float64], names: Sequence[str], heads: Sequence[str], ax: Axes | None = None,
    title: str = "", label: str = "place",
) -> Axes:  # fmt: skip
    """Plot the probability of each place.

    Parameters
    ----------
    chances : array of float, shape (player, place)
        Percent.
    names : sequence of str
        The players, one row each.
    heads : sequence of str
        The places.
    ax : Axes, optional
        Where to draw; new axes by default.
    title : str
        Title.
    label : str
        Label of the columns.

    Returns
    -------
    Axes
    """
    axes = _shaded(np.asarray(chances, dtype=np.float64), names, heads, ax)
    axes.set(xlabel=f"{label}, probability in percent", title=title)
    return axes


def _shaded(cells: npt.NDArray[np.float64], names: Sequence[str], heads: Sequence[str], ax: Axes | None) -> Axes:
    """Percentages as shaded cells with their numbers."""
    rows, columns = cells.shape
    axes = shown_axes(1.9 + 0.34 * max(columns, 8), 1.2 + 0.24 * rows) if ax is None else ax
    axes.imshow(cells, cmap=_SHADES, vmin=0.0, vmax=100.0, aspect="auto")
    axes.set_yticks(range(rows), list(names))
    axes.set_xticks(range(columns), list(heads))
    axes.tick_params(length=0)
    axes.grid(visible=False)
    for row in range(rows):
        for column in range(columns):
            value = cells[row, column]
            if np.isfinite(value):
                text = in_percent(value / 100.0).removesuffix("%")
                hue = "white" if value > 100.0 * _DARK else "black"
                axes.text(column, row, text, ha="center", va="center", fontsize=7.5, color=hue)
    return axes


@house_style()
def plot_games(games: pd.DataFrame, ax: Axes | None = None, title: str = "", label: str = "game") -> Axes:
    """Plot a player's results against their expected scores; the three greatest surprises are labelled.

    Parameters
    ----------
    games : DataFrame
        when (days or numbers), opponent, expected (score from 0 to 1), score, one row per game in order.
    ax : Axes, optional
        Where to draw; new axes by default.
    title : str
        Title.
    label : str
        Label of the horizontal axis.

    Returns
    -------
    Axes
    """
    axes = shown_axes(7.2, 3.8) if ax is None else ax
    residual = games["score"] - games["expected"]
    axes.vlines(games["when"], games["expected"], games["score"], color="#bbbbbb", linewidth=0.8)
    axes.plot(games["when"], games["expected"], "_", color=GREY, markersize=7, label="expected score")
    better = residual >= 0.0
    for mask, hue, marker, words in (
        (better, BLUE, "^", "result at or above the expected score"),
        (~better, ORANGE, "v", "result below the expected score"),
    ):
        axes.plot(games["when"][mask], games["score"][mask], marker, color=hue, markersize=4.5, label=words)
    for place, row in enumerate(residual.abs().nlargest(3).index.sort_values()):
        above = games.loc[row, "score"] < 0.5
        axes.annotate(
            games.loc[row, "opponent"], (games.loc[row, "when"], games.loc[row, "score"]), fontsize=7.5,
            xytext=(0, (6 + 10 * place) * (1 if above else -1)), textcoords="offset points", ha="center",
            va="bottom" if above else "top",
        )  # fmt: skip
    axes.set(xlabel=label, ylabel="result: win 1, draw 0.5, loss 0", ylim=(-0.12, 1.12), title=title)
    axes.set_yticks([0.0, 0.25, 0.5, 0.75, 1.0])
    _concise(axes, games["when"])
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return axes
