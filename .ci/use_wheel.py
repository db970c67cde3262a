"""Install the wheel of a folder into an empty environment and use it as a new user would, on any system.

`python .ci/use_wheel.py dist` needs the standard library only. With `--locked` the dependencies of the wheel are
installed from .ci/requirements/lock.txt, by hash.
"""

import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path


def main(folder: Path, locked: bool = False) -> None:
    """Install, check, simulate, rate, and query the trace."""
    wheel = next(folder.glob("*.whl")).resolve()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        place = Path(name)
        venv.create(place / "empty", with_pip=True)
        scripts = place / "empty" / ("Scripts" if sys.platform == "win32" else "bin")
        python, halfpoint = scripts / "python", scripts / "halfpoint"

        def call(*words: object) -> None:
            print("+", *words, flush=True)  # noqa: T201
            subprocess.run([str(word) for word in words], check=True, cwd=place)

        if locked:
            lock = Path(__file__).resolve().parent / "requirements" / "lock.txt"
            call(python, "-m", "pip", "install", "-q", "--require-hashes", "-r", lock)
        call(python, "-m", "pip", "install", "-q", *(["--no-deps"] * locked), wheel)
        call(python, "-m", "pip", "check")
        call(halfpoint, "--version")
        schema = 'files("halfpoint.apps.workflows").joinpath("schemas", "rank.v1.json").read_bytes()'
        call(python, "-c", f"from importlib.resources import files; {schema}")
        call(halfpoint, "simulate", "games.pgn", "--games", 500)
        call(halfpoint, "rate", "games.pgn", "--out", "ratings", "--quiet")
        call(halfpoint, "rank", Path("ratings", "trace.nc"))
        rows = "home,away,goals", "Ash,Elm,2:1", "Elm,Oak,0:0", "Oak,Ash,1:3", "Elm,Ash,1:1", ""
        (place / "club.csv").write_text("\n".join(rows), encoding="utf-8")
        call(halfpoint, "rate", "club.csv", "--quiet")
        shutil.copy(Path(__file__).parents[1] / "docs" / "extending" / "own_model.py", place)
        for name in ("split", "fewer"):
            own = "--model", f"own_model.py:{name}"
            call(halfpoint, "fit", "games.pgn", "--out", f"{name}.nc", *own, "--quiet", "--draws", 200, "--tune", 200)
            call(halfpoint, "forecast", f"{name}.nc", "games.pgn", *own)
        page = (place / "ratings" / "report.html").read_text(encoding="utf-8")
        assert 'id="data"' in page, "a page without its data"


if __name__ == "__main__":
    main(Path(sys.argv[1]), "--locked" in sys.argv)
