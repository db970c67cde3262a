"""No regular expression of the package takes more than the power 1.5 of the length of a text."""

import re
import signal
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "helpers"))
from pattern_growth import growth, on_time_up, patterns_of_module

ROOT = Path(__file__).parent.parent.parent
FOLDERS = ("models", "inference", "evaluation", "readers", "systems", "apps")
POWER = 1.5


@pytest.fixture(scope="module")
def patterns():
    """Patterns of all modules, with the place of each."""
    places = {}
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            parts = parts[2:] if parts[:2] == ("apps", "face") else parts  # which is the package itself
            module = ".".join(("halfpoint", *parts)).removesuffix(".__init__")
            places |= patterns_of_module(path, module)
    assert len(places) > 200
    return places


@pytest.fixture(autouse=True)
def time_limit():
    before = signal.signal(signal.SIGVTALRM, on_time_up)
    yield
    signal.signal(signal.SIGVTALRM, before)


def steep(patterns, thorough=False):
    """Lines on patterns whose time grows too fast in each of three measurements, since a time may err."""
    lines = []
    for pattern, place in patterns.items():
        power, how, parts = growth(pattern, thorough)
        for _ in range(2):
            if power > POWER:
                power, how, parts = min((power, how, parts), growth(pattern, thorough), key=lambda times: times[0])
        if power > POWER:
            lines.append(f"{place}: power {power:.2f}, {how} of {parts}: {pattern.pattern!r:.160}")
    return lines


@pytest.mark.further
def test_no_pattern_grows_fast(patterns):
    assert steep(patterns) == []


@pytest.mark.slow
def test_no_pattern_grows_fast_over_more_texts(patterns):
    assert steep(patterns, thorough=True) == []


@pytest.mark.cases(1)
@pytest.mark.parametrize("text", [r"(a+)+b", r"(?:x|x)*y", r"\d+x", r"(.*\S)\s+!", r"<!--.*?-->", r"\s+$"])
def test_the_measure_detects_patterns_of_squares_and_above(text):
    assert any(growth(re.compile(text))[0] > POWER for _ in range(3))  # a time may err, as in steep


@pytest.mark.parametrize("text", [r"a+", r"(?<!\d)\d++x", r"\d{1,3}x", r"(?>\s+)\S"])
def test_the_measure_passes_patterns_that_are_linear(text):
    assert any(growth(re.compile(text))[0] < POWER for _ in range(3))
