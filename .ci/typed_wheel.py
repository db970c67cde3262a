"""Check the types of the wheel a user installs, not of the checkout.

The folders are mapped to halfpoint, halfpoint.models.games and so on when the wheel is built, so only the installed
wheel has the import names that a type checker resolves.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

root = Path(__file__).resolve().parent.parent
target = root / "build" / "typed"
for old in ("typed", "empty", "lib"):  # notebooks and pages that were made stand beside them
    shutil.rmtree(root / "build" / old, ignore_errors=True)
pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
subprocess.run(
    [*pip, "install", "--no-deps", "--no-build-isolation", "--target", str(target), str(root)], check=True, cwd=root
)
shutil.rmtree(root / "build" / "lib", ignore_errors=True)
shutil.rmtree(root / "build" / "bdist.linux-x86_64", ignore_errors=True)
shutil.rmtree(root / "halfpoint.egg-info", ignore_errors=True)  # whose entry points would grow old here
command = [sys.executable, "-m", "mypy", "--config-file", str(root / "pyproject.toml"), "-p", "halfpoint"]
empty = root / "build" / "empty"
empty.mkdir(parents=True, exist_ok=True)
checks = [command, [*command[:-2], str(root / "tests" / "contract" / "typed_doors.py")]]  # typos are named
sys.exit(max(subprocess.run(one, cwd=empty, env={**os.environ, "MYPYPATH": str(target)}).returncode for one in checks))
