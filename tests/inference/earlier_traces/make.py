"""Traces of each schema, written by the last commit with that schema: `python make.py` checks out the commits and runs
them.

The games are made up: five players, forty games. A trace that exists is not made again.
"""

import gzip
import random
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROWS = ("davidson-common", "davidson-population", "bt-player")
OWN = "docs/extending/own_model.py:split"
COMMITS = {
    "5a94e214": (1, ROWS),
    "75ae906e": (2, ROWS),
    "303a7e3b": (3, ROWS),
    "e7c0c883": (4, ROWS),
    "3ac705d1": (5, (*ROWS, OWN)),
    "34c6905c": (6, ROWS),
    "63aa38cb": (6, (OWN,)),
}
DRAWS, TUNE, CHAINS = 25, 300, 2


def games() -> str:
    """Games in PGN."""
    rng, names = random.Random(7), ("Ann", "Bo", "Cy", "Dee", "Ed")
    text = ""
    for k in range(40):
        white, black = rng.sample(range(5), 2)
        result = (
            "1-0"
            if (luck := rng.gauss(0.5 * (black - white) + 0.2, 1.0)) > 0.5
            else "0-1"
            if luck < -0.5
            else "1/2-1/2"
        )
        tags = {"Event": "Made up", "Date": f"2020.{1 + k // 4:02d}.{1 + k % 4 * 7:02d}"}
        tags |= {"White": names[white], "Black": names[black], "Result": result}
        text += "".join(f'[{key} "{value}"]\n' for key, value in tags.items()) + f"\n{result}\n\n"
    return text


def make(commit: str) -> None:
    """Write the traces of a commit with the halfpoint of this interpreter."""
    from halfpoint.games.select import select
    from halfpoint.inference.sample import sample
    from halfpoint.models.catalogue import declare

    try:
        from halfpoint.games.readers.read import read
        from halfpoint.inference.traces.netcdf import write
    except ImportError:
        from halfpoint.inference.traces import write

        try:
            from halfpoint.games.readers.read import read
        except ImportError:
            from halfpoint.games.read import read
    schema, models = COMMITS[commit]
    with tempfile.TemporaryDirectory() as folder:
        file, trace = Path(folder) / "games.pgn", Path(folder) / "trace.nc"
        file.write_text(games())
        table = read(file)
        for model in models:
            path = HERE / f"{schema}-{model.rpartition(':')[2]}.nc.gz"
            if not path.exists():
                declared = declare(model, select(table, table.players))
                write(sample(declared, draws=DRAWS, tune=TUNE, chains=CHAINS), trace)
                path.write_bytes(gzip.compress(trace.read_bytes(), 9, mtime=0))


def main() -> None:
    """Check out each commit, set it up, and make its traces."""
    for commit in COMMITS:
        with tempfile.TemporaryDirectory() as folder:
            tree = Path(folder) / commit
            subprocess.run(["git", "worktree", "add", "--detach", tree, commit], cwd=HERE, check=True)
            try:
                subprocess.run(["make", "setup"], cwd=tree, check=True)
                subprocess.run([tree / ".venv/bin/python", __file__, commit], cwd=tree, check=True)
            finally:
                subprocess.run(["git", "worktree", "remove", "--force", tree], cwd=HERE, check=True)


if __name__ == "__main__":
    make(sys.argv[1]) if len(sys.argv) > 1 else main()
