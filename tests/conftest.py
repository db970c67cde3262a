"""Shared by all tests: those of the study's games run wherever the games can be had."""

import os

from halfpoint.games.errors import DownloadError
from halfpoint.games.fetch import DATASETS, FOLDER_VARIABLE, fetch

WITHOUT_GAMES = "HALFPOINT_TESTS_WITHOUT_GAMES"  # why, set for the worker processes too


def pytest_configure(config):
    """Find out once whether the study's games are in a folder, in the cache, or can be downloaded."""
    if os.environ.get(FOLDER_VARIABLE) or hasattr(config, "workerinput"):
        return
    try:
        for name in DATASETS:
            fetch(name)
    except DownloadError as error:
        os.environ[WITHOUT_GAMES] = str(error)


def pytest_collection_modifyitems(config, items):
    """Leave out the tests marked `real` only where no folder is named and nothing can be downloaded."""
    if WITHOUT_GAMES in os.environ:
        real = [item for item in items if item.get_closest_marker("real")]
        config.hook.pytest_deselected(items=real)
        items[:] = [item for item in items if item not in real]


def pytest_terminal_summary(terminalreporter):
    """Say at the end that tests were left out, and why."""
    if WITHOUT_GAMES in os.environ:
        terminalreporter.write_line(
            f"Tests of the study's games were left out, the games cannot be had: {os.environ[WITHOUT_GAMES]}"
        )
