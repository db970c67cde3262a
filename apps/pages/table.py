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
            return " to ".join(_minus(fixed_decimals(one, digits)) for one in value)
        case "ranks":
            return "–".join(dict.fromkeys(map(str, value)))
        case "thirds":
            return " / ".join(in_percent(one / 100.0) for one in value)
        case "change":
            text = fixed_decimals(abs(value), digits)
            return f"{'▲' if value > 0.0 else '▼'} {text}" if float(text) else "="
        case "bar":
            mean, low, high = (_minus(fixed_decimals(one, digits)) for one in value[:3])
            return f"{mean} ({low} to {high})"
        case _:
            return str(value)


def _minus(text: str) -> str:
    """Number with a typographic minus sign."""
    return text.replace("-", "−")


def _axis(listed: Listing, place: int) -> tuple[float, float, list[float], int]:
    """Ends of the axis of a column of bars, its ticks, and their decimals."""
    known = [row[place] for row in listed.rows if row[place] is not None]
    low = min(end for one in known for end in one[1:] if end is not None)
    high = max(end for one in known for end in one[1:] if end is not None)
    rough = max(high - low, 1e-9) / _TICKS
    size = 10.0 ** floor(log10(rough))
    step = next(one * size for one in _STEPS if one * size >= 0.999 * rough)
    ticks = [k * step for k in range(ceil(low / step), floor(high / step) + 1)]
    return low, high, ticks, decimals(2.0 * step)


def table_html(listed: Listing, most: int | None = None) -> Markup:
    """The table of a list: all its columns, and all rows or the first ones."""
    axes = {
        place: _axis(listed, place)
        for place, one in enumerate(listed.columns)
        if one.kind == "bar" and any(row[place] is not None for row in listed.rows)
    }
    head = Markup("").join(
        _head(column, column.name == listed.noun, axes.get(place)) for place, column in enumerate(listed.columns)
    )
    body = Markup("").join(_row(listed, number, axes) for number in range(len(listed.rows[:most])))
    return Markup('<table class="plain"><thead><tr>{}</tr></thead><tbody>{}</tbody></table>').format(head, body)


def _head(column: Column, head: bool, axis: tuple[float, float, list[float], int] | None) -> Markup:
    """Heading of a column; for bars the axis."""
    if column.kind == "bar":
        ticks = []
        if axis is not None:
            low, high, every, digits = axis
            shown = every[:: ceil(len(every) / 3) or 1]
            ticks = [
                Markup('<small style="left:{}%">{}</small>').format(_at(one, low, high), _minus(f"{one:.{digits}f}"))
                for one in shown
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


def _row(listed: Listing, number: int, axes: dict[int, tuple[float, float, list[float], int]]) -> Markup:
    """A row of the table."""
    cells: list[str] = []
    for place, (column, value) in enumerate(zip(listed.columns, listed.rows[number], strict=True)):
        text = escape(cell_text(column, value))
        if column.name == listed.noun:
            mark = listed.marks.get(number, "")
            more = Markup(' <span class="mark">{}</span>').format(mark) if mark else ""
            if number in listed.links:
                text = Markup('<a href="{}">{}</a>').format(listed.links[number], text)
            cells.append(Markup('<th scope="row" class="text">{}{}</th>').format(text, more))
        elif column.kind == "bar":
            drawn = Markup("") if value is None or place not in axes else _bar(value, axes[place])
            cells.append(Markup('<td class="drawn{}">{}</td>').format(_more(column), drawn))
        elif column.kind == "heat":
            share = 0.0 if value is None else value
            cells.append(f'<td class="heat{_more(column)}" style="--share:{share:.0f}%">{text}</td>')
        elif column.kind == "thirds":
            cells.append(Markup('<td class="thirds">{}</td>').format(thirds_html(value)))
        elif column.kind == "change":
            moved = "" if value is None or text == "=" else " up" if value > 0.0 else " down"
            cells.append(f'<td class="change{moved}{_more(column)}">{text}</td>')
        else:
            cells.append(f'<td class="{column.kind}{_more(column)}">{text}</td>')
    tier = Markup(' class="tier"') if number in listed.tiers else Markup("")
    return Markup(f"<tr{tier}>{''.join(cells)}</tr>")  # texts are escaped above


def _bar(value: list[float], axis: tuple[float, float, list[float], int]) -> Markup:
    """An interval on the axis."""
    mean, low, high = value[:3]
    mark = (
        Markup("") if value[3:] in ([], [None]) else Markup('<s style="left:{}%"></s>').format(_at(value[3], *axis[:2]))
    )
    start, end, ticks, _ = axis
    left, width = _at(low, start, end), f"{100.0 * (high - low) / ((end - start) or 1.0):.2f}"
    grid = Markup("").join(Markup('<u style="left:{}%"></u>').format(_at(one, start, end)) for one in ticks)
    return Markup(
        '<div class="bar">{}<i style="left:{}%;width:{}%"></i>{}<b style="left:{}%"></b></div>'
    ).format(grid, left, width, mark, _at(mean, start, end))  # fmt: skip


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
