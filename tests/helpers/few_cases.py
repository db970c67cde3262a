"""Cases of a test for the fast suite: a few, evenly spread; the slow suite runs them all."""

import pytest


def few(cases, count=3):
    """Parameters of which all but so many, from the first to the last, are marked slow; a count 1 is the first."""
    cases = list(cases)
    fast = {round(place * (len(cases) - 1) / max(1, count - 1)) for place in range(min(count, len(cases)))}
    return [as_slow(case) if place not in fast else case for place, case in enumerate(cases)]


def as_slow(case):
    """A case of the slow suite."""
    plain = isinstance(case, type(pytest.param(1)))
    values, marks, name = (case.values, case.marks, case.id) if plain else (case, (), None)
    values = values if isinstance(values, tuple) else (values,)
    return pytest.param(*values, marks=[*marks, pytest.mark.slow], id=name)
