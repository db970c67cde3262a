"""Cards of a site for social networks, PNG of 1200 x 630 pixels, drawn by matplotlib from the numbers of its pages."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from textwrap import wrap
from typing import Literal

from halfpoint.evaluation.figures.style import BLUE, GREY, ORANGE, house_style

_WIDE, _HIGH, _DPI = 1200, 630, 100
_LINE, _MOST_LINES = 40, 3  # letters of a line of the sentence, and lines
_PURPLE = "#6a3d9a"
_TONES = {"win": BLUE, "loss": ORANGE, "rating": _PURPLE}
_MOST_BARS, _LONGEST = 7, 18


@dataclass(frozen=True)
class Bars:
    """Bars of a card: names, shares in percent, and their printed form."""

    title: str
    names: Sequence[str]
    shares: Sequence[float]
    texts: Sequence[str]
    tone: str = "rating"


@dataclass(frozen=True)
class Card:
    """Content of a card: a line above, a sentence, and bars or facts below."""

    above: str
    sentence: str
    bars: Sequence[Bars] = ()
    facts: Sequence[tuple[str, str]] = ()
    simulated: bool = False


@contextmanager
def drawing() -> Iterator["Artist"]:
    """An artist for any number of cards."""
    with house_style():
        yield Artist()


class Artist:
    """Draws cards on one canvas, which is emptied between them."""

    def __init__(self) -> None:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        self.figure = Figure(figsize=(_WIDE / _DPI, _HIGH / _DPI), dpi=_DPI, facecolor="white")
        self.canvas = FigureCanvasAgg(self.figure)

    def png(self, card: Card) -> bytes:
        """Picture of a card: 32 colours with bars, else greys, which makes files small."""
        from PIL import Image

        self.figure.clear()
        self._write(56, 52, _clipped(card.above, 80), 15, GREY)
        if card.simulated:
            self._write(_WIDE - 56, 52, "SIMULATED", 15, ORANGE, ha="right", weight="bold")
        lines = wrap(card.sentence, _LINE)
        lines = lines if len(lines) <= _MOST_LINES else [*lines[: _MOST_LINES - 1], f"{lines[_MOST_LINES - 1]} …"]
        for row, line in enumerate(lines):
            self._write(56, 112 + 54 * row, line, 31, "#1b1b1b", weight="bold")
        top = 112 + 54 * len(lines) + 10
        for column, bars in enumerate(card.bars):
            self._bars(bars, column, len(card.bars), top)
        for place, (name, value) in enumerate(card.facts[:4]):
            across = 56 + place * (_WIDE - 112) / min(4, max(2, len(card.facts)))
            self._write(across, top + 60, _clipped(name, 24), 16, GREY)
            self._write(across, top + 112, _clipped(value, 16), 27, "#1b1b1b", weight="bold")
        self._write(_WIDE - 56, _HIGH - 30, "halfpoint", 13, GREY, ha="right")
        self.canvas.draw()  # type: ignore[no-untyped-call]
        target = BytesIO()
        pixels = self.canvas.buffer_rgba()  # type: ignore[no-untyped-call]
        picture = Image.frombuffer("RGBA", self.canvas.get_width_height(), pixels)
        if card.bars:
            palette = picture.convert("RGB").quantize(32, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        else:
            palette = picture.convert("L")
        palette.save(target, "PNG", compress_level=3)
        return target.getvalue()

    def _write(
        self, x: float, y: float, text: str, size: float, colour: str, ha: Literal["left", "right"] = "left",
        weight: Literal["normal", "bold"] = "normal",
    ) -> None:  # fmt: skip
        """Text at a place in pixels from the top left."""
        plain, x, y = text.replace("$", r"\$"), x / _WIDE, 1.0 - y / _HIGH
        self.figure.text(x, y, plain, fontsize=size, color=colour, va="baseline", ha=ha, weight=weight)

    def _bars(self, bars: Bars, column: int, columns: int, top: float) -> None:
        """Bars of a column."""
        from matplotlib.patches import Rectangle

        left, width = 56 + column * (_WIDE - 112 + 50) / columns, (_WIDE - 112 - 50 * (columns - 1)) / columns
        self._write(left, top + 18, _clipped(bars.title, 40), 15, GREY)
        rows = list(zip(bars.names, bars.shares, bars.texts, strict=True))[:_MOST_BARS]
        step = min(46.0, (_HIGH - 60 - top - 30) / max(len(rows), 1))
        for row, (name, share, text) in enumerate(rows):
            middle = top + 40 + step * (row + 0.6)
            self._write(left, middle + 7, _clipped(name, _LONGEST), 17, "#1b1b1b")
            start, room = left + 0.46 * width, 0.34 * width
            size = max(room * share / 100.0, 1.5)
            corner = (start / _WIDE, 1.0 - (middle + 11) / _HIGH)
            patch = Rectangle(
                corner, size / _WIDE, 22 / _HIGH, color=_TONES[bars.tone], transform=self.figure.transFigure, lw=0
            )
            self.figure.add_artist(patch)
            self._write(left + width, middle + 7, text, 17, "#1b1b1b", ha="right", weight="bold")


def _clipped(text: str, most: int) -> str:
    """Text of at most some letters."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
