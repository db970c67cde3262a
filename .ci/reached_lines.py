"""Record which tests run the line of a mutant, and their CPU seconds.

Lines that run while a module is imported, in compiled code or in another process are not detected. Lines that a shared
fixture runs count for all its tests. Of tests that share a cached value, the first one executes the line.
"""

import json
import os
import sys
from collections import defaultdict
from collections.abc import Collection, Generator
from pathlib import Path
from types import CodeType

import pytest

TOOL = 4  # number of the monitor
Lines = dict[str, dict[str, float]]  # "file:line" -> name of a test -> its CPU seconds


class Watch:
    """Plugin of pytest: notes for each watched line the tests that run it, and their CPU seconds."""

    def __init__(self, lines: Collection[tuple[Path, int]]) -> None:
        self.lines: dict[str, list[int]] = defaultdict(list)
        for file, line in lines:
            self.lines[os.path.realpath(file)].append(line)
        self.real: dict[str, str] = {}  # path of a code object -> path of its file without links
        self.reached: set[str] = set()  # in the test that runs
        self.fixtures: dict[object, set[str]] = {}  # definition of a fixture -> lines that its latest value has run
        self.tests: Lines = defaultdict(dict)
        monitor = sys.monitoring
        monitor.use_tool_id(TOOL, "reached lines")
        monitor.register_callback(TOOL, monitor.events.PY_START, self.on_start)
        monitor.register_callback(TOOL, monitor.events.LINE, self.on_line)
        monitor.set_events(TOOL, monitor.events.PY_START)

    def on_start(self, code: CodeType, offset: int) -> object:
        """Watch the lines of a function that has a mutant; other functions are not watched."""
        name = code.co_filename
        if name not in self.real:
            self.real[name] = os.path.realpath(name)
        watched = self.lines.get(self.real[name])
        if watched and code.co_name != "<module>" and any(line in watched for *_, line in code.co_lines() if line):
            sys.monitoring.set_local_events(TOOL, code, sys.monitoring.events.LINE)
        return sys.monitoring.DISABLE

    def on_line(self, code: CodeType, line: int) -> object:
        """Record a watched line, which is reported at most once in each test and fixture."""
        file = self.real[code.co_filename]
        if line in self.lines[file]:
            self.reached.add(f"{file}:{line}")
        return sys.monitoring.DISABLE

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[object]) -> Generator[None, object, object]:
        """Record the lines of a fixture."""
        before, self.reached = self.reached, set()
        sys.monitoring.restart_events()
        try:
            return (yield)
        finally:
            self.fixtures[fixturedef] = self.reached
            self.reached |= before
            sys.monitoring.restart_events()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Record the lines of a test, and its CPU seconds."""
        self.reached, begin = set(), sum(os.times()[:4])
        sys.monitoring.restart_events()
        result = yield
        for definitions in item._fixtureinfo.name2fixturedefs.values():  # type: ignore[attr-defined]
            self.reached |= self.fixtures.get(definitions[-1], set())
        for line in self.reached:
            self.tests[line][item.nodeid] = round(sum(os.times()[:4]) - begin, 3)
        return result


def write(file: Path, lines: Collection[tuple[Path, int]], arguments: list[str]) -> int:
    """Run tests and write the map of lines to a file; the exit code of pytest."""
    watch = Watch(lines)
    code = pytest.main(["-q", "-p", "no:xdist", *arguments], plugins=[watch])
    file.write_text(json.dumps(watch.tests, indent=0), encoding="utf-8")
    return int(code)
