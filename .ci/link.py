"""Link the package together as it installs, from the folders of the checkout, so that tools find its modules as files.

pyproject.toml maps the folders `apps/face`, `models`, ... to `halfpoint`, `halfpoint.models`, ... An editable install
resolves this map with an import hook, which editors, type checkers and import-linter do not run. `make setup` calls
this program: it makes `.venv/checkout/halfpoint` from links and replaces the hook by a `.pth` file. The metadata and
entry points of the editable install stay. Where a system refuses links (Windows without the right), the hook stays.
"""

import shutil
import sys
import sysconfig
from pathlib import Path
from tomllib import loads

ROOT = Path(__file__).resolve().parent.parent


def linked(tree: Path, root: Path = ROOT) -> Path:
    """Link the package of a checkout together as `tree/halfpoint`, and return `tree`."""
    mapped = loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["package-dir"]
    package = tree / "halfpoint"
    package.mkdir(parents=True, exist_ok=True)
    for old in package.iterdir():
        if old.is_symlink():
            old.unlink()
    for name, place in mapped.items():
        if name == "halfpoint":
            for file in (root / place).iterdir():
                if file.is_file():
                    (package / file.name).symlink_to(file)
        else:
            folder = package / name.partition(".")[2]
            if folder.is_dir():  # with the links of an earlier call
                shutil.rmtree(folder)
            folder.mkdir()
            for path in (root / place).iterdir():
                if path != root / mapped["halfpoint"] and path.name != "__pycache__":
                    (folder / path.name).symlink_to(path, target_is_directory=path.is_dir())
    return tree


def main() -> None:
    """Link the checkout into the running environment."""
    site = Path(sysconfig.get_path("purelib"))
    try:
        tree = linked(Path(sys.prefix) / "checkout")
    except OSError as error:
        print(f"setup: no links can be made here ({error}); the import hook of the editable install stays")  # noqa: T201
        return
    for hook in (*site.glob("__editable__.halfpoint-*.pth"), *site.glob("__editable___halfpoint_*_finder.py")):
        hook.unlink()
    (site / "halfpoint.pth").write_text(f"{tree}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
