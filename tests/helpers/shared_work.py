"""Tests in several processes: files that share an expensive fixture run in one of them, none is compiled twice."""

import re
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path

from _pytest.assertion import rewrite
from xdist.scheduler import LoadFileScheduling

ROOT = Path(__file__).parents[2]
SHARED = {  # fixtures of the session that take seconds: arguments of the functions that use them, by folder
    "tests/apps/cli": re.compile(r"(?m)^def \w+\([^)]*\b(zygote|inputs|place)\b"),
    "tests/apps/fields/site": re.compile(r"(?m)^def \w+\([^)]*\b(league)\b"),
}


@cache
def group_of(file: str) -> str:
    """Name of the files that run in one process: the folder if the file uses its shared fixtures, else the file."""
    folder = file.rpartition("/")[0]
    pattern = SHARED.get(folder)
    return folder if pattern and pattern.search((ROOT / file).read_text(encoding="utf-8")) else file


class GroupsOfFiles(LoadFileScheduling):
    """Distribution of tests to processes by groups of files."""

    def _split_scope(self, nodeid: str) -> str:
        """Group of a test."""
        return group_of(nodeid.partition("::")[0])


def rewrite_share(config: object, folder: Path, number: int, count: int) -> None:
    """Compile the share of one of `count` processes of the test files that pytest has not compiled yet."""
    if sys.dont_write_bytecode:
        return
    with suppress(AttributeError, TypeError, OSError):  # of another pytest: each process compiles what it needs
        state = config.stash[rewrite.assertstate_key]
        for path in sorted(folder.rglob("test_*.py"))[number::count]:
            place = rewrite.get_cache_dir(path)
            compiled = place / (path.name[:-3] + rewrite.PYC_TAIL)
            if not compiled.exists() and rewrite.try_makedirs(place):
                source, code = rewrite._rewrite_test(path, config)
                rewrite._write_pyc(state, code, source, compiled)
