"""Examples in the docstrings of every module give the printed output."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("models", "inference", "evaluation", "readers", "systems", "apps")
FILES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
WITH_EXAMPLES = [
    path
    for path in FILES
    if "\n    >>> " in path.read_text(encoding="utf-8") or "\n>>> " in path.read_text(encoding="utf-8")
]


def test_there_are_examples():
    assert len(WITH_EXAMPLES) > 15


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_examples_of_a_module_are_true(path):
    words = path.relative_to(ROOT).with_suffix("").parts
    words = words[2:] if words[:2] == ("apps", "face") else words  # which is the package itself
    module = import_module(".".join(("halfpoint", *(word for word in words if word != "__init__"))))
    done = doctest.testmod(module, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert done.attempted > 0
    assert done.failed == 0
