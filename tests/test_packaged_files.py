"""Every data file of the library is part of an installation."""

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def test_files_beside_the_code_match_the_patterns_of_the_packages():
    setup = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    patterns, folders = setup["package-data"]["*"], sorted(set(setup["package-dir"].values()))
    listed = subprocess.run(["git", "ls-files", "-z", *folders], cwd=ROOT, capture_output=True, text=True, check=True)
    files = {ROOT / name for name in listed.stdout.split("\0") if name and not name.endswith(".py")}
    assert len(files) > 100
    packages = {path.parent for path in ROOT.glob("*/**/__init__.py") if path.relative_to(ROOT).parts[0] in folders}
    packages |= {ROOT / folder for folder in folders}
    packaged = {path for package in packages for pattern in patterns for path in package.glob(pattern)}
    assert sorted(str(path.relative_to(ROOT)) for path in files - packaged) == []


def test_an_older_python_is_named_before_anything_is_imported():
    code = "import sys; sys.version_info = (3, 11, 7); exec(open('setup.py').read())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 1
    assert done.stderr.startswith("halfpoint needs Python 3.12 or newer, found 3.11.")
    assert done.stderr.count("\n") == 1
