"""Shared by all tests: what a machine lacks is told in one line, with the number of tests that were left out for it.

Sampled under other seeds (`make seeds`) every seed of NUTS is moved by the number in HALFPOINT_TESTS_SEEDS: a test that
holds for one set of draws alone is found. Tests of the study's games run wherever the games can be had, tests of pages
wherever there is a browser. Where the variable CI is set, nothing is left out for want of a browser: those tests fail.
"""

import os

import pytest
from browser import executable

from halfpoint.games.datasets.fetch import DATASETS, FOLDER_VARIABLE, fetch
from halfpoint.games.errors import DownloadError

SEEDS = "HALFPOINT_TESTS_SEEDS"  # a number that every seed of NUTS is moved by
WITHOUT_GAMES = "HALFPOINT_TESTS_WITHOUT_GAMES"  # why, set for the worker processes too
WITHOUT_BROWSER = "HALFPOINT_TESTS_WITHOUT_BROWSER"


def pytest_configure(config):
    """Find out once whether there is a browser, and the study's games in a folder, in the cache or for download."""
    if hasattr(config, "workerinput"):
        return
    if os.environ.get("CI", "").lower() not in ("true", "1") and executable() is None:
        os.environ[WITHOUT_BROWSER] = "no chromium and none of Playwright's, .ci/browser gets one"
    if os.environ.get(FOLDER_VARIABLE):
        return
    try:
        for name in DATASETS:
            fetch(name)
    except DownloadError as error:
        os.environ[WITHOUT_GAMES] = str(error)


def pytest_collection_modifyitems(config, items):
    """Leave out the tests whose mark says that they need what this machine lacks."""
    for variable, mark in ((WITHOUT_GAMES, "real"), (WITHOUT_BROWSER, "browser")):
        if variable in os.environ:
            left_out = [item for item in items if item.get_closest_marker(mark)]
            config.hook.pytest_deselected(items=left_out)
            items[:] = [item for item in items if item not in left_out]


def pytest_report_header(config):
    """Say before the first test what runs."""
    which = config.getoption("markexpr") or "all tests"
    moved = f", seeds of NUTS moved by {os.environ[SEEDS]}" if SEEDS in os.environ else ""
    return f"halfpoint: {which}{moved}; a dot is a test, the share that is done stands at the end of a line"


def pytest_terminal_summary(terminalreporter):
    """Say at the end which tests were left out, and why: a line for each reason."""
    if terminalreporter.config.getoption("markexpr") == "not slow":
        terminalreporter.write_line("Left out, they take minutes: the tests marked slow. make slow runs them")
    if WITHOUT_GAMES in os.environ:
        terminalreporter.write_line(
            f"Left out, the study's games cannot be had: tests marked real. {os.environ[WITHOUT_GAMES]}"
        )
    if WITHOUT_BROWSER in os.environ:
        terminalreporter.write_line(
            "Left out for want of a browser: the tests marked browser, of tests/cli/test_report.py and "
            f"tests/evaluation/test_page.py ({os.environ[WITHOUT_BROWSER]})"
        )


@pytest.fixture(autouse=True, scope="session")
def moved_seeds():
    """Sample under other seeds than those that the tests name, where `make seeds` asks for it."""
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
