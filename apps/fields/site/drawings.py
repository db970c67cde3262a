"""Drawings of a site as SVG in the page: ratings through time, chances of places."""

from collections.abc import Mapping, Sequence
from datetime import date

from markupsafe import Markup

from halfpoint.evaluation.digits import decimals, fixed_decimals, in_percent

_WIDE, _HIGH, _LEFT, _TOP, _BOTTOM = 960, 250, 50, 10, 34
_OTHERS = 25  # thin lines
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)

type Course = Sequence[tuple[float, float, float, float]]  # day as a number, rating, low, high


def day_number(text: str) -> float:
    """Days of a date as text, YYYY-MM-DD or YYYY-MM; a number of a period is itself."""
    parts = text.split("-")
    if len(parts) == 1:
        return float(text)
    return float(date(int(parts[0]), int(parts[1]), int(parts[2]) if len(parts) > 2 else 1).toordinal())


def through_time(
    course: Course,
    other_courses: Sequence[Course],
    name: str,
    unit: str,
    marks: Sequence[tuple[float, float, str]],
    dated: bool,
) -> Markup:
    """Rating through time with its band, others as thin lines, and games as marks: day, score, words."""
    if len(course) < 2:
        return Markup("")
    span = [point[0] for point in course] + [point[0] for point in marks]
    start, end = min(span), max(span)
    shown = other_courses[:_OTHERS]
    values = [v for point in course for v in point[2:]] + [point[1] for course in shown for point in course]
    low, high = min(values), max(values)

    def x(day: float) -> float:
        return _LEFT + (day - start) / ((end - start) or 1.0) * (_WIDE - _LEFT - 8)

    def y(value: float) -> float:
        return _TOP + (high - value) / ((high - low) or 1.0) * (_HIGH - _TOP - _BOTTOM)

    def line(points: Sequence[tuple[float, float]]) -> str:
        return " ".join(f"{x(day):.1f},{y(value):.1f}" for day, value in points)

    parts = [_grid(low, high, y)]
    parts += [Markup(f'<polyline class="thin" points="{line([(a, b) for a, b, *_ in point])}"/>') for point in shown]
    band = line([(day, up) for day, _, _, up in course] + [(day, down) for day, _, down, _ in reversed(course)])
    parts.append(Markup('<polygon class="band" points="{}"/>').format(band))
    parts.append(Markup('<polyline class="mine" points="{}"/>').format(line([(a, b) for a, b, *_ in course])))
    kinds = {1.0: ("win", 8, 8), 0.5: ("draw", 4, 4), 0.0: ("loss", 0, 8)}
    for day, score, words in marks:
        kind, up, size = kinds.get(score, kinds[0.5])
        place = (x(day) - 1.5, _HIGH - _BOTTOM + 6 - up + 4, size)
        parts.append(
            Markup('<rect class="{}" x="{:.1f}" y="{:.0f}" width="3" height="{}"><title>{}</title></rect>').format(
                kind, *place, words
            )
        )
    ticks = [(start, "start"), ((start + end) / 2, "middle"), (end, "end")]
    for day, anchor in ticks:
        text = f"{date.fromordinal(round(day)):%b %Y}" if dated else f"{day:g}"
        parts.append(
            Markup('<text x="{:.0f}" y="{}" text-anchor="{}">{}</text>').format(x(day), _HIGH - 4, anchor, text)
        )
    last = course[-1]
    digits = 0 if unit == "Elo" else 1
    label = ", ".join(fixed_decimals(value, digits) for value in last[1:])
    return Markup('<svg class="time" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>').format(
        _WIDE, _HIGH, f"Rating of {name} through time; now {label} (mean, low, high)", Markup("").join(parts)
    )


def _grid(low: float, high: float, y: object) -> Markup:
    """Lines across, with their values."""
    rough = max(high - low, 1e-9) / 6
    size = 10.0 ** int(f"{rough:e}".partition("e")[2])
    step = next(point * size for point in _STEPS if point * size >= 0.999 * rough)
    first, parts = int(low // step) + 1, []
    while first * step <= high:
        value = first * step
        height = y(value)  # type: ignore[operator]
        text = fixed_decimals(value, decimals(2.0 * step)).replace("-", "−")
        parts.append(
            Markup('<line x1="{}" x2="{}" y1="{:.1f}" y2="{:.1f}"/><text x="2" y="{:.1f}">{}</text>').format(
                _LEFT, _WIDE, height, height, height + 4, text
            )
        )
        first += 1
    return Markup("").join(parts)


def places(chances: Sequence[float], zones: Mapping[str, Sequence[int]], name: str) -> Markup:
    """Chance of each final place in percent as columns, coloured by the zone."""
    count, most = len(chances), max(max(chances), 1e-9)
    width, high, parts = 480 / count, 96.0, []
    for place, chance in enumerate(chances, 1):
        left, tall = (place - 1) * width, chance / most * 78.0
        tone = tone_of(place, count, zones)
        parts.append(
            Markup('<rect class="{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>').format(
                tone or "rating", left + 1, high - tall, max(width - 2, 1), tall
            )
        )
        if chance >= 1.5:
            parts.append(_centred(left + width / 2, high - tall - 4, in_percent(chance / 100.0).removesuffix("%")))
        if count <= 24 or place == 1 or place % 5 == 0:
            parts.append(_centred(left + width / 2, high + 16, str(place)))
    best = max(range(count), key=lambda k: chances[k])
    label = f"Final place of {name}: most likely {best + 1} ({in_percent(chances[best] / 100.0)})"
    return Markup('<svg class="places" viewBox="0 0 480 116" role="img" aria-label="{}">{}</svg>').format(
        label, Markup("").join(parts)
    )


def _centred(x: float, y: float, text: str) -> Markup:
    """Text around a point."""
    return Markup('<text x="{:.1f}" y="{:.1f}" text-anchor="middle">{}</text>').format(x, y, text)


def tone_of(place: int, count: int, zones: Mapping[str, Sequence[int]]) -> str:
    """Colour of a place: of zones at the top, at the foot, or between; empty outside all."""
    for best, worst in zones.values():
        if best <= place <= worst:
            return "win" if best == 1 else "loss" if worst >= count else "draw"
    return ""
