"""What an installation costs: the wheel in an empty environment on each Python here, and a list made with it.

`python benchmarks/bench_install.py` writes benchmarks/install.md. Sizes are of the installed files; seconds are of this
machine and of wherever its packages come from. At the end stands a stranger's walk (tests/outside/walk.py) with the
last of these environments.
"""

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import records

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))

from outside.walk import table_of, walk  # noqa: E402

PYTHONS = ("3.12", "3.13", "3.14")
MIB = 2**20
IMPORTED = """
import json, resource, sys
from halfpoint import workflows
workflows.rate(sys.argv[1], draws=100, tune=200)
tops = {name.partition(".")[0] for name in sys.modules}
from importlib.metadata import packages_distributions
owners = sorted({owner for top in tops for owner in packages_distributions().get(top, ())})
print(json.dumps(owners))
"""


def main() -> None:
    """Measure and write the page."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        call(sys.executable, "-m", "build", "-q", "-w", "--no-isolation", "-o", folder / "dist", HERE.parent)
        wheel = next((folder / "dist").glob("*.whl"))
        call(Path(sys.executable).with_name("halfpoint"), "simulate", folder / "games.pgn", "--games", "2000")
        rows, missing = [], []
        for version in PYTHONS:
            found = python_of(version)
            if found is None:
                missing.append(version)
            else:
                rows.append(measured(found, version, wheel, folder))
                last = folder / version / "bin" / "halfpoint"
        (folder / "walk").mkdir()
        walked = table_of(walk(str(last), folder / "walk"))
        records.page(HERE / "install.md", page(rows, missing, wheel, walked), "python benchmarks/bench_install.py")


def python_of(version: str) -> str | None:
    """An interpreter of a version, pyenv's or the system's."""
    home = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    known = sorted(home.glob(f"{version}*/bin/python"))
    return str(known[-1]) if known else shutil.which(f"python{version}")


def call(*words: object) -> str:
    """Run a program and return what it prints."""
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True).stdout


def seconds(*words: object) -> float:
    """How long a program takes."""
    begun = time.perf_counter()
    call(*words)
    return time.perf_counter() - begun


def measured(python: str, version: str, wheel: Path, folder: Path) -> dict[str, object]:
    """Sizes and seconds of one Python."""
    place = folder / version
    call(python, "-m", "venv", place)
    before = size_of(place)
    own = place / "bin" / "python"
    row: dict[str, object] = {"python": call(own, "-V").split()[1]}
    row["install"] = seconds(own, "-m", "pip", "install", "-q", "--disable-pip-version-check", wheel)
    row["size"] = (size_of(place) - before) / MIB
    row["packages"] = len(json.loads(call(own, "-m", "pip", "list", "--format", "json"))) - 1
    row["check"] = call(own, "-m", "pip", "check").strip()
    command = place / "bin" / "halfpoint"
    games = folder / "games.pgn"
    row["help"], row["memory"] = best_help(command)
    row["import"] = min(seconds(own, "-c", "import halfpoint.workflows as w; w.rate") for _ in range(3))
    row["first"] = seconds(command, "rate", games, "--out", place / "run", "--quiet")
    row["second"] = seconds(command, "rate", games, "--out", place / "again", "--quiet")
    row["imports"] = json.loads(call(own, "-c", IMPORTED, games).splitlines()[-1])
    sizes = {one.name: size_of(one) / MIB for one in next(place.glob("lib/python*/site-packages")).iterdir()}
    row["largest"] = sorted(sizes.items(), key=lambda one: -one[1])[:12]
    return row


def best_help(command: Path) -> tuple[float, float]:
    """Seconds and MiB of `halfpoint --help`, the best of five."""
    script = (
        "import resource, subprocess, sys, time\n"
        "begun = time.perf_counter(); subprocess.run([sys.argv[1], '--help'], capture_output=True, check=True)\n"
        "print(time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    found = [[float(word) for word in call(sys.executable, "-c", script, command).split()] for _ in range(5)]
    return min(one[0] for one in found), min(one[1] for one in found) / 1024


def size_of(place: Path) -> int:
    """The bytes of the files under a folder, or of a file."""
    files = [place] if place.is_file() else [one for one in place.rglob("*") if one.is_file() and not one.is_symlink()]
    return sum(one.stat().st_size for one in files)


def page(rows: list[dict[str, object]], missing: list[str], wheel: Path, walked: str) -> str:
    """Install.md."""
    lines = [
        "# What an installation costs",
        "",
        f"Written by `python benchmarks/bench_install.py` on {platform.system()} {platform.machine()}, "
        f"{os.cpu_count()} cores that other work shared. The wheel, {wheel.stat().st_size / MIB:.1f} MiB, went with "
        "`pip install` into an empty environment; `pip check` said what stands in the table. The games are 2,000 "
        "simulated ones in a PGN, rated with the defaults; import is that of `workflows.rate`.",
        "",
        "| Python | packages | MiB | seconds to install | first list, s | second list, s | import, s | `--help`, s "
        "| `--help`, MiB | `pip check` |",
        "| --- | --: | --: | --: | --: | --: | --: | --: | --: | --- |",
    ]
    for row in rows:
        numbers = " | ".join(f"{row[key]:.0f}" for key in ("size", "install", "first", "second"))
        called = f"{row['import']:.1f} | {row['help']:.2f} | {row['memory']:.0f} | {row['check']}"
        lines.append(f"| {row['python']} | {row['packages']} | {numbers} | {called} |")
    if missing:
        lines += ["", f"Not on this machine, and so not tried: Python {', '.join(missing)}."]
    largest = rows[-1]["largest"]
    lines += ["", "The largest folders, MiB:", "", "| folder | MiB |", "| --- | --: |"]
    lines += [f"| {name} | {size:.0f} |" for name, size in largest]  # type: ignore[attr-defined]
    imports = rows[-1]["imports"]
    lines += ["", f"What a list imports: {', '.join(imports)}.", ""]  # type: ignore[arg-type]
    lines += [(HERE / "install_why.md").read_text(encoding="utf-8").strip(), ""]
    lines += [
        "## A stranger's walk",
        "",
        "An empty folder, the wheel above, and four files as people keep them (`tests/outside/warts.py`). Only what "
        "the README, `--help` and the messages say was typed (`tests/outside/walk.py`; `make slow` walks it again). "
        "Exit code 2 is a line that stopped the way; it has the words to type next.",
        "",
        walked.strip(),
        "",
    ]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines))


if __name__ == "__main__":
    main()
