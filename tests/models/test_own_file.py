"""Models of a user's file, with the modules beside it."""

import os
import sys

import pytest

from halfpoint.models.declaration.own_file import load, run_file

FILE = "from prior_of_this_study import SPREAD\n\ndef mine(games):\n    return SPREAD\n"


def put(folder, spread, second):
    """Write a file of models and a module beside it, at a second of their own."""
    folder.mkdir(exist_ok=True)
    for name, text in (("prior_of_this_study.py", f"SPREAD = {spread}\n"), ("models.py", FILE)):
        (folder / name).write_text(text, encoding="utf-8")
        os.utime(folder / name, (second, second))
    return folder / "models.py"


@pytest.fixture(autouse=True)
def places(monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield
    sys.modules.pop("prior_of_this_study", None)


def test_each_folder_has_its_own_module_of_one_name(tmp_path):
    first, second = put(tmp_path / "first", 1.0, 1000), put(tmp_path / "second", 2.0, 1000)
    spreads = [run_file(path, 0)["SPREAD"] for path in (first, second)]
    assert spreads == [1.0, 2.0]


def test_a_changed_module_beside_the_file_is_imported_anew(tmp_path):
    path = put(tmp_path / "study", 1.0, 1000)
    before = load(f"{path}:mine").function(None)
    (path.parent / "prior_of_this_study.py").write_text("SPREAD = 3.0\n", encoding="utf-8")
    os.utime(path.parent / "prior_of_this_study.py", (2000, 2000))
    assert (before, load(f"{path}:mine").function(None)) == (1.0, 3.0)


def test_a_folder_that_python_already_searches_keeps_its_place_and_modules(tmp_path):
    path = put(tmp_path / "near", 1.0, 1000)
    sys.path.insert(0, str(path.parent))
    import prior_of_this_study

    run_file(path, 0)
    assert sys.path[0] == str(path.parent)
    assert sys.path.count(str(path.parent)) == 1
    assert sys.modules["prior_of_this_study"] is prior_of_this_study
