"""Cases of a test for the fast suite: a few, evenly spread, always with the first.

`@pytest.mark.cases(4)` above a test function leaves four of its cases to `make test`; the others get the mark `further`
and run in CI (`make cases`). `few` is for lists whose cases take minutes: all but a few are marked `slow`.
"""

import pytest


def spread(count, number):
    """Indices of `number` cases among `count`, evenly spread and including the first and the last; the first if only
    one.
    """
    number = min(number, count)
    return {round(place * (count - 1) / max(1, number - 1)) for place in range(number)}


def mark_further(items):
    """Mark `further` the cases that the mark `cases` of their test function leaves to CI; slow cases do not count."""
    functions = {}
    for item in items:
        if item.get_closest_marker("cases") and not item.get_closest_marker("slow"):
            functions.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for name, cases in functions.items():
        number = cases[0].get_closest_marker("cases").args[0]
        if number < 1:
            raise pytest.UsageError(f"{name}: cases({number}) leaves no case to the fast suite, expected 1 or more")
        fast = spread(len(cases), number)
        for place, item in enumerate(cases):
            if place not in fast:
                item.add_marker("further")


def few(cases, count=3):
    """Parameters, all but a number of evenly spread cases marked slow; with 1 the first case stays."""
    cases = list(cases)
    fast = spread(len(cases), count)
    return [as_slow(case) if place not in fast else case for place, case in enumerate(cases)]


def as_slow(case):
    """A case of the slow suite; a tuple has a value for each argument."""
    plain = isinstance(case, type(pytest.param(1)))
    values, marks, name = (case.values, case.marks, case.id) if plain else (case, (), None)
    values = values if isinstance(values, tuple) else (values,)
    return pytest.param(*values, marks=[*marks, pytest.mark.slow], id=name)
