"""Optional libraries are not imported until needed."""

import subprocess
import sys
from importlib import import_module

import pytest

from halfpoint.models.games.lazy_import import left_out

UNUSED = "xdrlib_of_nobody"


def test_a_library_is_not_found_while_it_is_left_out(tmp_path, monkeypatch):
    (tmp_path / f"{UNUSED}.py").write_text("value = 3")
    monkeypatch.syspath_prepend(tmp_path)
    with left_out(UNUSED), pytest.raises(ModuleNotFoundError):
        import_module(UNUSED)
    assert import_module(UNUSED).value == 3
    with left_out(UNUSED):  # what is imported already stays
        assert import_module(UNUSED).value == 3


@pytest.mark.parametrize(("file", "code"), [("own.py", 0), ("own.csv", 2)])
def test_a_file_of_code_may_import_what_commands_leave_out(tmp_path, file, code):
    pytest.importorskip("dask")
    program = f"""
import sys
from halfpoint.apps.cli import app
sys.argv = ["halfpoint", "match", {file!r}]
def run(words):
    import dask
app._run = run
try:
    app.main()
except ModuleNotFoundError:
    sys.exit(2)
"""
    assert subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=False).returncode == code
