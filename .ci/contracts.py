"""Check that imports go one way: import-linter over the package as it installs, linked together from the checkout.

The folders of the checkout are mapped to `halfpoint`, `halfpoint.games` and so on when it is installed; import-linter
looks for modules in the folder of their package.
"""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from tomllib import loads

ROOT = Path(__file__).resolve().parent.parent


def linked(folder: str) -> str:
    """Link the package together in a folder, and return the folder."""
    mapped = loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["package-dir"]
    package = Path(folder) / "halfpoint"
    package.mkdir()
    for name, place in mapped.items():
        if name == "halfpoint":
            for file in (ROOT / place).glob("*.py*"):
                (package / file.name).symlink_to(file)
        elif name.count(".") == 1:
            (package / name.partition(".")[2]).symlink_to(ROOT / place)
    return folder


def main() -> int:
    """Run import-linter there."""
    with TemporaryDirectory() as folder:
        command = [Path(sys.executable).with_name("lint-imports"), "--no-cache"]
        return subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": linked(folder)}).returncode


if __name__ == "__main__":
    sys.exit(main())
