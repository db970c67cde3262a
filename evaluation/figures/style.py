"""Style of all figures: colours for colour-blind readers, readable type, units on the axes.

Figures are made without pyplot, so calls share no state and need no screen. The colours are Okabe and Ito's (2008).
"""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442")
BLUE, ORANGE, GREEN, _PINK, _YELLOW, _SKY, BLACK = COLOURS[:7]
GREY = "#6b6b6b"
DASHES = ("-", "--", ":", "-.")
_SETTINGS = mpl.rc_params_from_file(Path(__file__).with_name("halfpoint.mplstyle"), use_default_template=False)


@contextmanager
def house_style() -> Iterator[None]:
    """Draw in the settings of halfpoint.mplstyle; a letter that the font lacks becomes a box, without a warning."""
    with mpl.rc_context(_SETTINGS), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        yield


class _ShownFigure(Figure):
    """A figure that a notebook displays without pyplot."""

    def _repr_png_(self) -> bytes:
        """Picture for Jupyter."""
        buffer = BytesIO()
        save_png(self, buffer, 100)
        return buffer.getvalue()


def new_figure(width: float = 6.4, height: float = 4.0, rows: int = 1, columns: int = 1) -> tuple[Figure, list[Axes]]:
    """An empty figure of a size in inches and the axes of its panels, row by row."""
    figure = _ShownFigure(figsize=(width, height), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False)
    return figure, list(axes.ravel())


class _ShownAxes(Axes):
    """Axes that a notebook displays without pyplot."""

    def _repr_png_(self) -> bytes:
        """Picture of the figure for Jupyter."""
        buffer = BytesIO()
        figure = self.get_figure(root=True)
        assert figure is not None
        save_png(figure, buffer, 100)
        return buffer.getvalue()


def shown_axes(width: float, height: float) -> Axes:
    """New axes of a figure of a size in inches, displayed by a notebook."""
    figure = _ShownFigure(figsize=(width, height), layout="constrained")
    return figure.add_subplot(axes_class=_ShownAxes)


def panels(count: int, most: int, size: tuple[float, float], shared: bool = False) -> tuple[Figure, list[Axes]]:
    """A figure of panels of a size in inches, with a number of panels a row, perhaps with shared axes."""
    columns = min(most, count)
    rows = -(-count // columns)
    figsize = size[0] * columns + 0.4, size[1] * rows + 0.7
    figure = _ShownFigure(figsize=figsize, layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, sharex=shared, sharey=shared).ravel().tolist()
    for panel in axes[count:]:
        panel.set_visible(False)
    for panel in axes[max(count - columns, 0) : count]:  # the space below stays empty
        panel.tick_params(labelbottom=True)
    return figure, axes[:count]


def save_png[Place: (Path, BytesIO)](figure: Figure, path: Place, dots_per_inch: int = 150) -> Place:
    """Write a figure as PNG and return the path."""
    with house_style():
        figure.savefig(path, format="png", dpi=dots_per_inch)
    return path
