"""A list of a page as HTML, whole without a script: cells as the script writes them, intervals as bars, chances shaded.

The script of the page (`page.js`) replaces these tables and adds search, sorting, a choice of columns and panels.
"""

from math import ceil, floor, log10
from typing import Any

from markupsafe import Markup, escape

from halfpoint.apps.pages.listing import Column, Listing
from halfpoint.evaluation.digits import decimals, fixed_decimals, in_percent

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_TICKS = 5  # of an axis, about


def cell_text(column: Column, value: Any) -> str:
    """Text of a cell in printed form."""
    if value is None:
        return ""
    digits = column.digits or 0
    match column.kind:
        case "number":
            text = fixed_decimals(value, digits)
            return "+" * (column.signed and float(text) > 0.0) + _minus(text)
        case "percent":
            return f"{_minus(fixed_decimals(value, digits))}%" if column.digits else in_percent(value / 100.0)
        case "heat":
            return in_percent(value / 100.0).removesuffix("%")
        case "span":
            return " to ".join(_minus(fixed_decimals(end, digits)) for end in value)
        case "ranks":
            return "–".join(dict.fromkeys(map(str, value)))
        case "thirds":
            return " / ".join(in_percent(share / 100.0) for share in value)
        case "change":
            text = fixed_decimals(abs(value), digits)
            return f"{'▲' if value > 0.0 else '▼'} {text}" if float(text) else "="
        case "bar":
            mean, low, high = (_minus(fixed_decimals(number, digits)) for number in value[:3])
            return f"{mean} ({low} to {high})"
        case _:
            return str(value)


def _minus(text: str) -> str:
    """Number with a typographic minus sign."""
    return text.replace("-", "−")


def _axis(listed: Listing, place: int) -> tuple[float, float, list[float], int]:
    """Ends of the axis of a column of bars, its ticks, and their decimals."""
    intervals = [row[place] for row in listed.rows if row[place] is not None]
    low = min(end for interval in intervals for end in interval[1:] if end is not None)
    high = max(end for interval in intervals for end in interval[1:] if end is not None)
    rough = max(high - low, 1e-9) / _TICKS
    size = 10.0 ** floor(log10(rough))
    step = next(factor * size for factor in _STEPS if factor * size >= 0.999 * rough)
    ticks = [k * step for k in range(ceil(low / step), floor(high / step) + 1)]
    return low, high, ticks, decimals(2.0 * step)


def table_html(listed: Listing, most: int | None = None) -> Markup:
    """The table of a list: all columns, and all rows or the first rows."""
    axes = {
        place: _axis(listed, place)
        for place, column in enumerate(listed.columns)
        if column.kind == "bar" and any(row[place] is not None for row in listed.rows)
    }
    head = Markup("").join(
        _head(column, column.name == listed.noun, axes.get(place)) for place, column in enumerate(listed.columns)
    )
    grids = {place: _grid(*axis) for place, axis in axes.items()}
    body = Markup("".join(_row(listed, number, axes, grids) for number in range(len(listed.rows[:most]))))
    return Markup('<table class="plain"><thead><tr>{}</tr></thead><tbody>{}</tbody></table>').format(head, body)


def _head(column: Column, head: bool, axis: tuple[float, float, list[float], int] | None) -> Markup:
    """Heading of a column; for bars the axis."""
    if column.kind == "bar":
        ticks = []
        if axis is not None:
            low, high, positions, digits = axis
            shown = positions[:: ceil(len(positions) / 3) or 1]
            ticks = [
                Markup('<small style="left:{}%">{}</small>').format(
                    _at(position, low, high), _minus(f"{position:.{digits}f}")
                )
                for position in shown
            ]
        heading = Markup('<span class="above">{}</span>').format(column.title) if column.title else ""
        return Markup('<th scope="col" class="drawn{}">{}<div class="bar">{}</div></th>').format(
            _more(column), heading, Markup("").join(ticks)
        )
    kind = "text" if head else column.kind
    return Markup('<th scope="col" class="{}{}">{}</th>').format(kind, _more(column), column.title)


def _more(column: Column) -> str:
    """Further classes of a column's cells."""
    return f" {column.style}" if column.style else ""


def _at(value: float, low: float, high: float) -> str:
    """Position on an axis in percent."""
    return f"{100.0 * (value - low) / ((high - low) or 1.0):.2f}"


def _row(
    listed: Listing, number: int, axes: dict[int, tuple[float, float, list[float], int]], grids: dict[int, str]
) -> str:
    """A row of the table as HTML, every text escaped."""
    cells = []
    for place, (column, value) in enumerate(zip(listed.columns, listed.rows[number], strict=True)):
        style = escape(_more(column))
        if column.kind == "bar":
            drawn = "" if value is None or place not in axes else _bar(value, axes[place], grids[place])
            cells.append(f'<td class="drawn{style}">{drawn}</td>')
            continue
        if column.kind == "thirds":
            cells.append(f'<td class="thirds">{thirds_html(value)}</td>')
            continue
        text = escape(cell_text(column, value))
        if column.name == listed.noun:
            mark = listed.marks.get(number, "")
            mark_html = f' <span class="mark">{escape(mark)}</span>' if mark else ""
            linked = f'<a href="{escape(listed.links[number])}">{text}</a>' if number in listed.links else text
            cells.append(f'<th scope="row" class="text">{linked}{mark_html}</th>')
        elif column.kind == "heat":
            cells.append(f'<td class="heat{style}" style="--share:{0.0 if value is None else value:.0f}%">{text}</td>')
        elif column.kind == "change":
            moved = "" if value is None or text == "=" else " up" if value > 0.0 else " down"
            cells.append(f'<td class="change{moved}{style}">{text}</td>')
        else:
            cells.append(f'<td class="{escape(column.kind)}{style}">{text}</td>')
    tier = ' class="tier"' if number in listed.tiers else ""
    return f"<tr{tier}>{''.join(cells)}</tr>"


def _grid(low: float, high: float, ticks: list[float], _: int) -> str:
    """Lines of an axis behind each of its bars, as HTML."""
    return "".join(f'<u style="left:{_at(tick, low, high)}%"></u>' for tick in ticks)


def _bar(value: list[float], axis: tuple[float, float, list[float], int], grid: str) -> str:
    """An interval on the axis, as HTML; a fourth number is marked."""
    mean, low, high = value[:3]
    start, end, *_ = axis
    left, width = _at(low, start, end), f"{100.0 * (high - low) / ((end - start) or 1.0):.2f}"
    mark = "" if value[3:] in ([], [None]) else f'<s style="left:{_at(value[3], start, end)}%"></s>'
    drawn = f'<i style="left:{left}%;width:{width}%"></i>{mark}<b style="left:{_at(mean, start, end)}%"></b>'
    return f'<div class="bar">{grid}{drawn}</div>'


def thirds_html(shares: list[float]) -> Markup:
    """Shares of win, draw and loss in percent as a bar of three colours, with numbers that fit."""
    parts = zip(("win", "draw", "loss"), shares, strict=True)
    return Markup('<div class="shares">{}</div>').format(
        Markup("").join(
            Markup('<span class="{}" style="flex-grow:{:.1f}">{}</span>').format(
                name, share, f"{share:.0f}" * (share >= 8)
            )
            for name, share in parts
        )
    )
