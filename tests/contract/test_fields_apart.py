"""A field is one folder and one paragraph of pyproject.toml: everything else works without it."""

import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FIELDS = sorted(path.name for path in (ROOT / "apps" / "fields").iterdir() if (path / "__init__.py").is_file())
TESTS = ("readers/test_readers_read.py", "systems/test_elo.py", "models/test_record.py")
IMPORT_ALL = """
import pkgutil, sys
from importlib import import_module

import halfpoint
assert halfpoint.__file__.startswith(sys.argv[1]), halfpoint.__file__
names = [one.name for one in pkgutil.walk_packages(halfpoint.__path__, "halfpoint.")]
for name in names:
    name.endswith("__main__") or import_module(name)
print(*names)
"""


def without(field, folder):
    """Folder of a copy of the package without a field, linked together, with its metadata."""
    copy, site = folder / "copy", folder / "site"
    ignored = shutil.ignore_patterns(
        ".*", "build", "runs", "tests", "notebooks", "benchmarks", "*.egg-info", "__pycache__"
    )
    shutil.copytree(ROOT, copy, ignore=ignored)
    shutil.copytree(ROOT / ".ci", copy / ".ci")
    shutil.rmtree(copy / "apps" / "fields" / field)
    project = copy / "pyproject.toml"
    text, count = re.subn(rf"\n# {field}\n[^#\[]*(?=\n)", "", project.read_text(encoding="utf-8"))
    assert count == 1
    assert f"fields.{field}" not in text
    project.write_text(text, encoding="utf-8")
    site.mkdir()
    runpy.run_path(str(copy / ".ci" / "link.py"))["linked"](site)
    write = f"from setuptools.build_meta import prepare_metadata_for_build_wheel as write; write({str(site)!r})"
    subprocess.run([sys.executable, "-c", write], cwd=copy, check=True, capture_output=True)
    return site


@pytest.mark.slow
@pytest.mark.parametrize("field", FIELDS)
def test_without_a_field_all_else_imports_is_listed_and_passes_tests(field, tmp_path):
    site = without(field, tmp_path)

    environment = os.environ | {"PYTHONPATH": str(site)}

    def run(*words, env=environment):
        words = [sys.executable, *map(str, words)]
        done = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, env=env, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    modules = run("-c", IMPORT_ALL, site).split()
    assert {f"halfpoint.apps.fields.{one}" for one in FIELDS} - set(modules) == {f"halfpoint.apps.fields.{field}"}
    lists = "from halfpoint.apps.cli.app import COMMANDS; print(*(COMMANDS.entry(one).value for one in COMMANDS))"
    gone = set(run("-c", lists, env=os.environ).split()) - set(run("-c", lists).split())
    assert gone
    assert all(one.startswith(f"halfpoint.apps.fields.{field}.") for one in gone)
    assert "Rate the players of a file of games." in run("-m", "halfpoint", "--help")
    tests = [ROOT / "tests" / one for one in TESTS]
    run("-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", ROOT, "-c", ROOT / "pyproject.toml", *tests)
