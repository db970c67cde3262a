"""Names of the version before lead to what they are now, with a warning that says so; everything in a fresh process."""

import subprocess
import sys

import pytest

from halfpoint.games.former_names import MOVED, RENAMED


def run(code):
    return subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True)


@pytest.mark.parametrize("old", ["halfpoint.models.blocks", "halfpoint.inference.normal.refit"])
def test_a_moved_module_is_the_new_one_and_warns(old):
    new = MOVED[old]
    code = "import importlib, sys, warnings\nwith warnings.catch_warnings(record=True) as heard:\n"
    code += "    warnings.simplefilter('always')\n"
    code += f"    found = importlib.import_module({old!r})\nassert found is importlib.import_module({new!r})\n"
    code += f"assert any({new!r} in str(one.message) for one in heard)"
    done = run(code)
    assert done.returncode == 0, done.stderr
    assert "DeprecationWarning" in run(f"import {old}").stderr


def test_every_former_name_leads_somewhere():
    code = "import importlib, warnings\nwarnings.simplefilter('ignore')\n"
    code += "from halfpoint.games.former_names import MOVED, RENAMED\n"
    code += (
        "for old, new in MOVED.items():\n    assert importlib.import_module(old) is importlib.import_module(new), old\n"
    )
    code += "for module, names in RENAMED.items():\n    there = importlib.import_module(module)\n"
    code += "    assert all(getattr(there, old) is getattr(there, new) for old, new in names.items())"
    done = run(code)
    assert done.returncode == 0, done.stderr
    assert RENAMED
