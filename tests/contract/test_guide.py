"""CONTRIBUTING.md to the letter: formula, part and row added to a copy of the package, used in other processes."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

PACKAGE = Path(__file__).parents[2]
FOLDERS = ("games", "models", "systems", "inference", "evaluation")
FORMULA = '''"""Davidson's formula with fewer draws the further two sides are apart."""

from halfpoint.models.outcome import Outcome


def scores(white, black, log_draw):
    return black, log_draw + (white + black) / 2 - 0.2 * (white - black) ** 2, white


FEWER = Outcome("fewer_draws", scores)
'''
PART = '''"""What the first seat is worth, half of it given to White and half taken from Black."""

from dataclasses import dataclass

from halfpoint.models.blocks import parameter
from halfpoint.models.part import Advantage
from halfpoint.models.rows import each


@dataclass(frozen=True)
class Split(Advantage):
    prior: tuple[float, float] = (0.0, 0.5)

    def blocks(self, site):
        return [parameter("advantage", "White's advantage, natural units", prior=self.prior, unit=0.1)]

    def at(self, p, rows):
        return each(p["advantage"]) / 2, each(p["advantage"]) / 2
'''
IMPORTS = "from halfpoint.models.fewer_draws import FEWER\nfrom halfpoint.models.split import Split\n"
LAST = '        Model("davidson-rated", DAVIDSON, Rated(), draws=DRAWS, anchors=SCALED),\n'
ROWS = {
    "own-formula": 'Model("own-formula", FEWER, Population(), draws=DRAWS)',
    "own-part": 'Model("own-part", DAVIDSON, Population(), Split(), DRAWS)',
    "own-row": 'Model("own-row", FEWER, Free(("student_t", 4.0, 15.0, 2.0)), Split(), DRAWS)',
}
START = "import sys, json\nimport numpy as np\nsys.path[:0] = {paths!r}\n"
FIT = """
from halfpoint.games.readers.read import read
from halfpoint.games.select import select
from halfpoint.inference.sample import sample
from halfpoint.inference.traces import write
from halfpoint.models.catalogue import CATALOGUE, declare

games = read(sys.argv[1])
for name in sys.argv[2:]:
    assert name in CATALOGUE
    trace = sample(declare(name, select(games, games.players, "any")), 100, 100, 2, seed=4)
    assert trace.attrs["route"] == "compiled", trace.attrs["route_reason"]
    write(trace, name + ".nc")
"""
FORECAST = """
from halfpoint.games.readers.read import read
from halfpoint.inference.forecast import forecast
from halfpoint.inference.traces import read as trace_of

games, found = read(sys.argv[1]), {}
for name in sys.argv[2:]:
    trace = trace_of(name + ".nc")
    p = {key: value.to_numpy().reshape(-1, *value.shape[2:]) for key, value in trace["posterior"].data_vars.items()}
    place = [np.searchsorted(trace["posterior"]["player"].to_numpy().astype(str), side)
             for side in (games.white_names, games.black_names)]
    gap = p["strength"][:, place[0]] - p["strength"][:, place[1]] + p["advantage"][:, None]
    drawn = p["log_draw"][:, None] - (0.0 if name == "own-part" else 0.2) * gap**2
    weights = np.exp(np.stack([-gap / 2, drawn, gap / 2]))
    expected = (weights / weights.sum(axis=0)).mean(axis=1).T
    found[name] = float(np.abs(forecast(trace, games).mean_probability - expected).max())
print(json.dumps(found))
"""


def run(folder, program, *arguments):
    """Return what a program prints that uses the copy of the package, in a process of its own."""
    text = START.format(paths=[str(folder)]) + program
    done = subprocess.run(
        [sys.executable, "-c", text, *arguments], capture_output=True, text=True, cwd=folder, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_a_formula_a_part_and_a_row_are_added_by_the_guide(tmp_path):
    home = tmp_path / "halfpoint"
    home.mkdir()
    (home / "__init__.py").touch()
    for one in FOLDERS:
        shutil.copytree(PACKAGE / one, home / one, ignore=shutil.ignore_patterns("__pycache__"))
    (home / "models" / "fewer_draws.py").write_text(FORMULA, encoding="utf-8")
    (home / "models" / "split.py").write_text(PART, encoding="utf-8")
    catalogue = home / "models" / "catalogue.py"
    text = catalogue.read_text(encoding="utf-8")
    assert text.count(LAST) == 1
    text = text.replace(LAST, LAST + "".join(f"        {row},\n" for row in ROWS.values()))
    catalogue.write_text(text.replace("\nEdition = ", f"\n{IMPORTS}\nEdition = ", 1), encoding="utf-8")
    games = str(PACKAGE / "tests" / "reference" / "beyond_games.csv")
    run(tmp_path, FIT, games, *ROWS)
    apart = json.loads(run(tmp_path, FORECAST, games, *ROWS))
    assert apart == pytest.approx(dict.fromkeys(ROWS, 0.0), abs=1e-9)
    assert np.all([Path(tmp_path / f"{name}.nc").is_file() for name in ROWS])
