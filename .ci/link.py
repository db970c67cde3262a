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
    shutil.rmtree(package, ignore_errors=True)  # links of an earlier call
    package.mkdir(parents=True)
    for name, place in mapped.items():
        if name == "halfpoint":
            for file in (root / place).iterdir():
                if file.is_file():
                    link(package / file.name, file)
        elif not (root / mapped["halfpoint"]).is_relative_to(root / place):
            link(package / name.partition(".")[2], root / place)
        else:  # without the face, which is the package itself
            folder = package / name.partition(".")[2]
            folder.mkdir()
            for path in (root / place).iterdir():
                if path != root / mapped["halfpoint"] and path.name != "__pycache__":
                    link(folder / path.name, path)
    return tree


def link(place: Path, target: Path) -> None:
    """Link a file or a folder."""
    place.symlink_to(target, target_is_directory=target.is_dir())


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
