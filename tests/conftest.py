"""Shared by all tests: what runs is said before them, what was left out and why after them, in five lines at most.

With other seeds (`make seeds`) every seed of NUTS is shifted by the number in HALFPOINT_TESTS_SEEDS, which detects
tests that pass for one set of draws only. Tests of the study's games run if the games are available, tests of pages if
a browser is. If the variable CI is set, tests that need a browser fail without one instead of being skipped.
"""

import gc
import os
import re
import time
from collections import Counter
from datetime import date
from pathlib import Path

import pytest
from browser import executable
from few_cases import mark_further
from hypothesis import settings
from shared_work import GroupsOfFiles, rewrite_share
from unpacked_traces import Unpacked
from zygote import Zygote, shim

from halfpoint.apps.workflows.schemas.make import write_schemas
from halfpoint.models.games.errors import DownloadError, HalfpointError
from halfpoint.readers.datasets.fetch import DATASETS, FOLDER_VARIABLE, fetch

os.environ.setdefault("OMP_NUM_THREADS", "1")  # a worker keeps one processor busy, threads of BLAS would wait
# a stack kept with each node is a quarter of the time; a C compiler takes half a second for each operation of a graph
os.environ.setdefault("PYTENSOR_FLAGS", "traceback__limit=0,cxx=")
settings.register_profile("few", max_examples=25, derandomize=True)
settings.load_profile("few")
SEEDS = "HALFPOINT_TESTS_SEEDS"  # a number that every seed of NUTS is moved by
WITHOUT_GAMES = "HALFPOINT_TESTS_WITHOUT_GAMES"  # why, set for the worker processes too
WITHOUT_BROWSER = "HALFPOINT_TESTS_WITHOUT_BROWSER"
SECONDS = "HALFPOINT_TESTS_SECONDS"  # after so many seconds no further test begins; the first file moves by the day
UNTIL = "HALFPOINT_TESTS_UNTIL"  # when that is, by the clock of the machine, set for the worker processes
CPU = "HALFPOINT_TESTS_CPU"  # a file that gets the processor seconds of every test, its ended processes included
SLOW = "they take minutes; make slow runs them"
FURTHER = "further cases and longer tests; make cases runs them"
LEFT_OUT = pytest.StashKey()  # reason -> how many tests of it were left out


def pytest_configure(config):
    """Find out once whether a browser and the study's games are available; imports of tests leave no garbage."""
    gc.disable()  # until all tests are collected
    config.stash[LEFT_OUT] = Counter()
    if hasattr(config, "workerinput"):
        number = int(config.workerinput["workerid"].removeprefix("gw"))
        rewrite_share(config, Path(__file__).parent, number, config.workerinput["workercount"])
        return
    write_schemas()  # of the present types, also after a change of branch
    if os.environ.get(SECONDS):
        os.environ[UNTIL] = str(time.time() + float(os.environ[SECONDS]))
    if os.environ.get("CI", "").lower() not in ("true", "1") and executable() is None:
        os.environ[WITHOUT_BROWSER] = "no chromium and none of Playwright's, .ci/browser gets one"
    if os.environ.get(FOLDER_VARIABLE):
        return
    try:
        for name in DATASETS:
            fetch(name)
    except DownloadError as error:
        os.environ[WITHOUT_GAMES] = str(error)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Mark further cases, skip tests whose requirements are missing, and count further and slow ones."""
    mark_further(items)
    for variable, mark, what in (
        (WITHOUT_GAMES, "real", "the study's games cannot be had"),
        (WITHOUT_BROWSER, "browser", "there is no browser"),
    ):
        if variable in os.environ:
            left_out = [item for item in items if item.get_closest_marker(mark)]
            config.hook.pytest_deselected(items=left_out)
            items[:] = [item for item in items if not item.get_closest_marker(mark)]
            config.stash[LEFT_OUT][f"{what} ({os.environ[variable]})"] += len(left_out)
    if UNTIL in os.environ:
        files = list(dict.fromkeys(item.path for item in items))
        first = 97 * date.today().toordinal() % max(1, len(files))
        place = {file: (number - first) % len(files) for number, file in enumerate(files)}
        items.sort(key=lambda item: place[item.path])
    for mark, why in (("slow", SLOW), ("further", FURTHER)):
        if f"not {mark}" in config.getoption("markexpr"):
            config.stash[LEFT_OUT][why] += sum(1 for item in items if item.get_closest_marker(mark))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Distribute files, and groups of files that share a fixture."""
    return GroupsOfFiles(config, log) if config.getoption("dist") == "loadfile" else None


def pytest_runtest_setup():
    """Skip tests that would start after the time limit."""
    if UNTIL in os.environ and time.time() > float(os.environ[UNTIL]):
        pytest.skip(f"the {os.environ[SECONDS]} seconds for these tests are over")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """Write the costs of a test, on request; a command in this process turns garbage collection off, for good."""
    gc.enable()
    before = sum(os.times()[:4]) + Zygote.seconds
    done = yield
    if CPU in os.environ:
        with Path(os.environ[CPU]).open("a", encoding="utf-8") as file:
            file.write(f"{sum(os.times()[:4]) + Zygote.seconds - before:.2f}\t{item.nodeid}\n")
    return done


def pytest_collection_finish():
    """Run garbage collection rarely: imported objects stay alive, and large processes would scan all of them.

    Few objects are young at a time: reading a damaged trace collects all of these.
    """
    gc.freeze()
    gc.set_threshold(50_000, 4, 100)
    gc.enable()


def pytest_sessionfinish(session):
    """Send the skipped tests of a worker to the process that prints."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = dict(session.config.stash[LEFT_OUT])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    """Receive the skipped tests of a worker; all workers skip the same."""
    node.config.stash[LEFT_OUT] |= Counter(getattr(node, "workeroutput", {}).get("left_out", {}))


def pytest_report_header(config):
    """Print before the first test which tests run."""
    which = config.getoption("markexpr") or "all tests"
    moved = f", seeds of NUTS moved by {os.environ[SEEDS]}" if SEEDS in os.environ else ""
    return f"halfpoint: {which}{moved}; a dot is a test, the share that is done stands at the end of a line"


def pytest_terminal_summary(terminalreporter):
    """Print at the end the number of skipped tests with reasons, in at most five lines."""
    left_out = terminalreporter.config.stash[LEFT_OUT].copy()
    for report in terminalreporter.stats.get("skipped", []):
        left_out[str(report.longrepr[2]).removeprefix("Skipped: ")] += 1
    lines = [f"Left out: {count:,} tests, {why}" for why, count in left_out.most_common() if count]
    further = sum(count for _, count in left_out.most_common()[4:])
    if len(lines) > 5:
        lines[4:] = [f"Left out: {further:,} tests for other reasons; pytest -rs says each"]
    for line in lines:
        terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def zygote(tmp_path_factory):
    """Server of processes that have imported everything, in place of fresh ones unless a test is about imports."""
    environment = shim(tmp_path_factory.mktemp("shim"))
    server = Zygote(**environment)
    server.fails = bool(environment)  # whether writes can be made to
    yield server
    server.close()


@pytest.fixture(autouse=True, scope="session")
def plain_messages():
    """Fail where a message shows a number or a text as NumPy writes it, such as np.str_('Ann')."""

    def checked(self, *parts):
        ValueError.__init__(self, *parts)
        assert not re.search(r"\bnp\.(?:str_|bool|int|float|datetime)\w*\(", str(self)), self

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(HalfpointError, "__init__", checked)
        yield


@pytest.fixture(autouse=True, scope="session")
def unpacked_once():
    """Unpack each trace once, by its bytes: commands that answer from one trace read it again and again."""
    from halfpoint.inference.traces import netcdf

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(netcdf, "_in_memory", Unpacked(netcdf._in_memory))
        yield


@pytest.fixture(autouse=True, scope="session")
def moved_seeds():
    """Use other seeds than those in the tests, for `make seeds`."""
    moved = int(os.environ.get(SEEDS, "0"))
    if not moved:
        yield
        return
    import nutpie

    plain = nutpie.sample
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            nutpie, "sample", lambda *given, seed=None, **more: plain(*given, seed=(seed or 0) + 7919 * moved, **more)
        )
        yield
