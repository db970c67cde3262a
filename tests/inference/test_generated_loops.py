"""Generated loops in the user's cache folder: used if intact and owned by the user, otherwise written again."""

import importlib.util
import json
import marshal
import shutil
import struct
import sys
from pathlib import Path

import pytest
from few_cases import few

PROGRAM = """
import json, sys
import platformdirs
platformdirs.user_cache_dir = lambda name: sys.argv[1]
import numpy as np
from halfpoint.inference.loops import formula_loops, written_modules
from halfpoint.models.formulas.davidson import DAVIDSON
written_modules.platformdirs.user_cache_dir = platformdirs.user_cache_dir
address = formula_loops.compiled_formula(DAVIDSON).address
print(json.dumps({"address": address, "ran": "planted" in sys.modules}))
"""


@pytest.fixture(scope="module")
def run(zygote):
    """Function that compiles Davidson's loop in another process with a cache folder and returns the output."""

    def result(folder):
        code, printed, errors, _ = zygote.run([folder], folder, program=PROGRAM)
        assert code == 0, errors
        return json.loads(printed)

    return result


@pytest.fixture(scope="module")
def once(tmp_path_factory, run):
    """Cache folder in which a process wrote a loop."""
    folder = tmp_path_factory.mktemp("once")
    run(folder)
    return folder


@pytest.fixture
def written(once, tmp_path):
    """Copy of the cache folder with a loop, and the loop's file."""
    folder = shutil.copytree(once, tmp_path / "cache")
    [file] = (folder / "formulas").glob("halfpoint_formula_*.py")
    return folder, file


def test_a_line_appended_to_a_written_loop_never_runs(run, written):
    folder, file = written
    before = file.read_text()
    file.write_text(before + "\nimport sys, types\nsys.modules['planted'] = types.ModuleType('planted')\n")
    assert not run(folder)["ran"]
    assert file.read_text() == before


def test_python_compiled_by_somebody_beside_a_written_loop_never_runs(run, written):
    folder, file = written
    planted = compile("import sys, types\nsys.modules['planted'] = types.ModuleType('planted')\n", str(file), "exec")
    beside, status = Path(importlib.util.cache_from_source(file)), file.stat()
    head = importlib.util.MAGIC_NUMBER + struct.pack("<III", 0, int(status.st_mtime), status.st_size)
    beside.parent.mkdir(exist_ok=True)
    beside.write_bytes(head + marshal.dumps(planted))
    assert not run(folder)["ran"]


DAMAGES = [lambda whole: b"", lambda whole: whole[:200], lambda whole: whole + b"\xff"]


@pytest.mark.cases(1)
@pytest.mark.parametrize("damaged", few(DAMAGES, 2))
def test_an_empty_cut_or_damaged_loop_is_written_anew(run, written, damaged):
    folder, file = written
    before = file.read_text()
    file.write_bytes(damaged(file.read_bytes()))
    assert run(folder)["address"]
    assert file.read_text() == before


@pytest.mark.skipif(sys.platform == "win32", reason="no modes")
def test_a_loop_that_others_can_write_is_written_anew(run, written):
    folder, file = written
    file.chmod(0o666)
    assert run(folder)["address"]
    assert file.stat().st_mode & 0o777 == 0o600
    assert (folder / "formulas").stat().st_mode & 0o777 == 0o700
