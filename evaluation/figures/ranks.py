"""Ranks of the truth among posterior draws, as differences to the uniform distribution with a simultaneous band."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure

from halfpoint.evaluation.figures.style import BLUE, GREY, ORANGE, new_figure, styled

COLUMNS = 4


@styled
def figure_ranks(curves: Mapping[str, npt.NDArray[np.float64]], title: str) -> Figure:
    """Return one panel a parameter; a curve that leaves its band is drawn in another colour and says so.

    Parameters
    ----------
    curves : mapping of str to array of float, shape (4, point)
        By parameter: points from 0 to 1, share of ranks below each, lower and upper end of the band.
    title : str
        Title of the figure.

    Returns
    -------
    Figure
    """
    columns = min(COLUMNS, len(curves))
    rows = -(-len(curves) // columns)
    figure, axes = new_figure(2.4 * columns + 0.4, 0.8 + 1.9 * rows, rows, columns)
    for panel, (name, (points, share, lower, upper)) in zip(axes, curves.items(), strict=False):
        out = bool(np.any((share > upper) | (share < lower)))
        panel.fill_between(points, lower - points, upper - points, color=GREY, alpha=0.25, linewidth=0, step="mid")
        panel.plot(points, share - points, color=ORANGE if out else BLUE, linewidth=1.2)
        panel.axhline(0.0, color=GREY, linewidth=0.7)
        panel.set(xlim=(0, 1), title=f"{name}: OUTSIDE" if out else name)
    for panel in axes[len(curves) :]:
        panel.set_visible(False)
    figure.supxlabel("rank of the truth among the draws, as a share", fontsize=9)
    figure.supylabel("share of simulations, less uniform", fontsize=9)
    figure.suptitle(title, fontsize=11)
    return figure
