"""Instructions of CONTRIBUTING.md, followed literally in a copy or from outside, and used elsewhere."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from few_cases import few

PACKAGE = Path(__file__).parents[2]
FOLDERS = ("models", "inference", "evaluation", "readers", "systems", "apps")
FORMULA = '''"""Davidson's formula with fewer draws the further two sides are apart."""


def scores(white, black, lam):
    return black, lam + (white + black) / 2 - 0.2 * (white - black) ** 2, white
'''
FUNCTIONS = '''"""Rows of a catalogue: fewer draws, and half of the advantage on either side."""

import pymc as pm

from halfpoint.models.formulas.davidson import davidson
from halfpoint.models.formulas.fewer_draws import scores
from halfpoint.models.formulas.own import outcome
from halfpoint.models.language.model import Model
from halfpoint.models.language.populations import population


def row(games, fewer=True, halves=False):
    """Fewer draws, and half of the advantage on either side."""
    with pm.Model(coords=games.coords) as model:
        strength, gain = population(games), pm.Normal("advantage", 0.0, 0.5)
        half = gain / 2 if halves else 0.0
        sides = games.white(strength) + gain - half, games.black(strength) - half
        log_draw = pm.Normal("log_draw", 1.0, 5.0)
        if fewer:
            outcome(games, scores, *sides, log_draw)
        else:
            davidson(games, *sides, log_draw)
    return model


ROWS = [
    Model("own-formula", row),
    Model("own-part", row, {"fewer": False, "halves": True}),
    Model("own-row", row, {"halves": True}),
]
'''
ROWS = ("own-formula", "own-part", "own-row")
LAST = "\n    **FURTHER,\n"
START = "import sys, json\nimport numpy as np\nsys.path[:0] = {paths!r}\n"
FIT = """
from halfpoint.readers.read import read
from halfpoint.models.games.select import select
from halfpoint.inference.sample import sample
from halfpoint.inference.traces.netcdf import write
from halfpoint.models.declaration.catalogue import CATALOGUE, declare

games = read(sys.argv[1])
for name in sys.argv[2:]:
    assert name in CATALOGUE
    trace = sample(declare(name, select(games, games.players, "any")), draws=100, tune=100, chains=2, adapt=False)
    assert trace.attrs["route"] == "compiled", trace.attrs["route_reason"]
    write(trace, name + ".nc")
"""
FORECAST = """
from halfpoint.readers.read import read
from halfpoint.inference.forecast import forecast
from halfpoint.inference.traces.netcdf import read as trace_of

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
    """Output of a program that uses the copy of the package, in another process."""
    text = START.format(paths=[str(folder)]) + program
    done = subprocess.run(
        [sys.executable, "-c", text, *arguments], capture_output=True, text=True, cwd=folder, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def copy(tmp_path):
    """Folder of a copy of the package."""
    home = tmp_path / "halfpoint"
    home.mkdir()
    (home / "__init__.py").touch()
    for one in FOLDERS:
        shutil.copytree(PACKAGE / one, home / one, ignore=shutil.ignore_patterns("__pycache__"))
    return home


def put(file, before, after):
    """Insert lines into a file, in place of lines that occur once."""
    text = file.read_text(encoding="utf-8")
    assert text.count(before) == 1
    file.write_text(text.replace(before, after), encoding="utf-8")


@pytest.mark.slow
def test_a_formula_and_rows_are_added_by_the_guide(copy, tmp_path):
    (copy / "models" / "formulas" / "fewer_draws.py").write_text(FORMULA, encoding="utf-8")
    (copy / "models" / "fewer_models.py").write_text(FUNCTIONS, encoding="utf-8")
    catalogue = copy / "models" / "declaration" / "catalogue.py"
    put(catalogue, LAST, f"\n    **{{row.name: row for row in fewer_models.ROWS}},{LAST}")
    put(catalogue, "\nfrom halfpoint.models import ", "\nfrom halfpoint.models import fewer_models, ")
    games = str(PACKAGE / "tests" / "reference" / "beyond_games.csv")
    run(tmp_path, FIT, games, *ROWS)
    apart = json.loads(run(tmp_path, FORECAST, games, *ROWS))
    assert apart == pytest.approx(dict.fromkeys(ROWS, 0.0), abs=1e-9)
    assert np.all([Path(tmp_path / f"{name}.nc").is_file() for name in ROWS])


SYSTEM = '''"""Ratings that halve their distance to the last result; a system for a test."""

import numpy as np

from halfpoint.systems.catalogue import SystemSpec
from halfpoint.models.games.rating_system import Forecast


class Last:
    """White's expected score is 1/4, 1/2 or 3/4 by White's last result less Black's."""

    def __init__(self):
        self.last = {}

    def learn(self, games):
        for white, black, score in zip(games.white_names, games.black_names, games.score, strict=True):
            self.last[str(white)], self.last[str(black)] = float(score), 1.0 - float(score)

    def forecast(self, games):
        apart = [self.last.get(str(one), 0.5) - self.last.get(str(other), 0.5)
                 for one, other in zip(games.white_names, games.black_names, strict=True)]
        return Forecast(0.5 + np.sign(apart) / 4)

    def state(self):
        return {"names": np.array(list(self.last), dtype=str), "last": np.array(list(self.last.values()))}

    def load(self, state):
        self.last = dict(zip(state["names"].tolist(), state["last"].tolist(), strict=True))


LAST = SystemSpec("last", "Last results", lambda numbers: Last())
'''
FORMAT = '''"""Games as lines of White, result and Black: `Ann 1-0 Bob`."""

import polars

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.build_table import build_table
from halfpoint.readers.column_names import Assignment
from halfpoint.readers.options import ReaderOptions
from halfpoint.readers.sources import Source
from halfpoint.models.games.compressed import read_text

NAMES = ("white", "score", "black")


def read_lines(path):
    text, sha256 = read_text(path)
    rows = [line.split() for line in text.splitlines() if line.strip()]
    for number, row in enumerate(rows, start=1):
        if len(row) != 3:
            raise GameTableError(f"{path}, line {number}", "White, result and Black", repr(" ".join(row)))
    cells = polars.DataFrame(rows, dict.fromkeys(NAMES, polars.String), orient="row")
    source = Source(str(path), "lines", NAMES, lambda wanted, count: {one: cells[one] for one in wanted}, "lines",
                    sha256=sha256)
    return build_table(source, Assignment({one: one for one in NAMES}), ReaderOptions())
'''
SCORE = '''"""The spherical score, higher is better, Roby (1965)."""

import numpy as np

from halfpoint.evaluation.backtest_tables import Score


def spherical(probability, expected, outcome, score):
    return probability[np.arange(len(probability)), outcome] / np.sqrt((probability**2).sum(axis=1))


SPHERICAL = Score("spherical", "spherical", spherical)
'''
GO_LIST = '''"""Go with handicaps: White is ahead by their strengths and, for each stone that Black begins with, by b.

    P(White wins) = 1 / (1 + exp(-(s_W - s_B + b n)))     n: stones of the handicap, b: natural units, expected below 0
"""

import pandas as pd

from halfpoint.readers.read import read
from halfpoint.models.games.select import select
from halfpoint.inference.fit import fit
from halfpoint.models.declaration.catalogue import declare
from halfpoint.apps.workflows.answer import Answer


def go(file):
    """Return players by strength, best first, and what a stone is worth."""
    games = read(file, covariates=("stones",))
    trace = fit(declare("go-handicap", select(games, games.players, "any")), "auto", seed=1)
    drawn = trace["posterior"]
    strength, stone = drawn["strength"].mean(("chain", "draw")), drawn["advantage_effect"].to_numpy()
    frame = pd.DataFrame({"player": strength["player"].to_numpy(), "strength": strength.to_numpy()})
    frame = frame.sort_values("strength", ascending=False, ignore_index=True)
    about = {"title": "Go with handicaps", "stone": float(stone.mean()), "stone_sd": float(stone.std())}
    return Answer(frame, about | {"verdict": trace.attrs["verdict"]})
'''
GO_COMMANDS = '''"""`halfpoint go`: players rated by games with handicaps."""

from pathlib import Path
from typing import Annotated

import typer

from halfpoint.apps.cli.options import command
from halfpoint.apps.cli.output import Answering
from halfpoint_go.list import go


@command("Rate and list")
def go_command(
    games: Annotated[Path, typer.Argument(help="CSV: white, black, winner, stones.")],
    answer: Answering = Answering(),
) -> None:
    """Rate players by games with handicaps."""
    answer.give(lambda _: go(games), games)
'''
GO_ROWS = """
import pymc as pm

from halfpoint.models import Model, bernoulli, outcome
from halfpoint.models.language.populations import population
from halfpoint_go.fewer_draws import scores


def handicap(games):
    with pm.Model(coords=games.coords) as model:
        strength = population(games)
        bernoulli(games, games.white(strength) + games.effects("advantage", "0 + stones"), games.black(strength))
    return model


def fewer(games):
    with pm.Model(coords=games.coords) as model:
        strength = population(games)
        white = games.white(strength) + pm.Normal("advantage", 0.0, 1.0)
        outcome(games, scores, white, games.black(strength), pm.Normal("log_draw", 1.0, 5.0))
    return model


ROWS = (Model("go-handicap", handicap), Model("go-fewer", fewer))
"""
PROJECT = """
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "halfpoint-go"
version = "0.1"

[project.entry-points]
"halfpoint.commands".go = "halfpoint_go.commands:go_command"
"halfpoint.readers".lines = "halfpoint_go.lines:read_lines"
"halfpoint.systems".last = "halfpoint_go.last:LAST"
"halfpoint.scores".spherical = "halfpoint_go.spherical:SPHERICAL"
"halfpoint.models".go = "halfpoint_go.rows:ROWS"
"""
FILES = {
    "__init__": "", "list": GO_LIST, "commands": GO_COMMANDS, "lines": FORMAT, "last": SYSTEM, "spherical": SCORE,
    "rows": GO_ROWS, "fewer_draws": FORMULA,
}  # fmt: skip


@pytest.fixture(scope="module")
def beside(tmp_path_factory):
    """Folder of a small distribution that is installed in addition to halfpoint."""
    home, target = tmp_path_factory.mktemp("go"), tmp_path_factory.mktemp("site")
    (home / "halfpoint_go").mkdir()
    for name, text in FILES.items():
        (home / "halfpoint_go" / f"{name}.py").write_text(text, encoding="utf-8")
    (home / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q", "install", "--no-deps"]
    subprocess.run([*pip, "--no-build-isolation", "--target", target, home], check=True)
    return target


def typed(beside, folder, *words, code=0):
    """Output of a command, in another process, with the distribution installed."""
    done = subprocess.run(
        [sys.executable, "-m", "halfpoint", *map(str, words)], capture_output=True, text=True, cwd=folder,
        env={**os.environ, "PYTHONPATH": str(beside), "COLUMNS": "120"},
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    return done.stderr if code else done.stdout


@pytest.mark.slow
def test_a_field_from_outside_has_a_command_of_its_own_rows(beside, tmp_path):
    shown = typed(beside, tmp_path, "--help", "--all")
    assert re.search("Rate and list.*go +Rate players by games with handicaps.*Ask", shown, re.DOTALL)
    chance = np.random.default_rng(3)
    strength, stone = np.linspace(-1.5, 1.5, 12), -0.4
    white, black = (chance.permutation([k % 12 for k in range(1200)]) for _ in range(2))
    stones = np.clip(np.round((strength[white] - strength[black]) / 0.4 + chance.normal(0.0, 1.0, 1200)), 0, 9)
    ahead = strength[white] - strength[black] + stone * stones
    won = chance.random(1200) < 1.0 / (1.0 + np.exp(-ahead))
    games = pd.DataFrame({"white": white, "black": black, "score": won.astype(int), "stones": stones})
    games = games[white != black].map(int)
    games[["white", "black"]] = "P" + games[["white", "black"]].astype(str).apply(lambda one: one.str.zfill(2))
    games.to_csv(tmp_path / "games.csv", index=False)
    answer = json.loads(typed(beside, tmp_path, "go", "games.csv", "--json"))
    assert abs(answer["stone"] - stone) < 3.0 * answer["stone_sd"] < 0.3
    found = pd.DataFrame(answer["rows"]).set_index("player")["strength"].sort_index()
    assert np.corrcoef(found, strength)[0, 1] > 0.98


@pytest.mark.slow
def test_a_format_and_a_row_from_outside_go_through_every_command(beside, tmp_path):
    (tmp_path / "games.lines").write_text("Ann 1-0 Bob\nBob 1/2-1/2 Ann\nBob 1-0 Cid\nCid 1-0 Ann\n" * 8)
    answer = json.loads(typed(beside, tmp_path, "rate", "games.lines", "--model", "go-fewer", "--out", "r", "--json"))
    assert {row["player"]: row["games"] for row in answer["rows"]} == {"Ann": 24, "Bob": 24, "Cid": 16}
    ranked = json.loads(typed(beside, tmp_path, "rank", "r/trace.nc", "--json"))
    assert [row["player"] for row in ranked["rows"]] == [row["player"] for row in answer["rows"]]
    assert "go-fewer" in typed(beside, tmp_path, "models")
    (tmp_path / "games.lines").write_text("Ann 1-0 Bob\nBob 1/2\n", encoding="utf-8")
    fault = typed(beside, tmp_path, "rate", "games.lines", code=2)
    assert "games.lines, line 2: expected White, result and Black, found 'Bob 1/2'" in fault


@pytest.mark.slow
def test_a_system_and_a_score_from_outside_are_in_a_backtest(beside, tmp_path):
    chance = np.random.default_rng(1)
    rows = [f"{white},{black},{score},{period}"
            for period in range(1, 7) for white, black in (("a", "b"), ("b", "c"), ("c", "a"), ("a", "d"), ("d", "c"))
            for score in chance.choice([0, 0.5, 1], 4)]  # fmt: skip
    (tmp_path / "games.csv").write_text("\n".join(["white,black,score,period", *rows]) + "\n", encoding="utf-8")
    out = typed(beside, tmp_path, "backtest", "games.csv", "--systems", "last,elo", "--from", "3", "--out", "found")
    assert "spherical" in out
    table = pd.read_csv(tmp_path / "found" / "scores.csv").set_index("system")
    assert 1 / np.sqrt(3) - 0.3 < table.loc["last", "spherical"] < 1.0  # of equal chances 1 / sqrt(3)


@pytest.fixture
def metadata(tmp_path):
    """Function that writes the metadata of a distribution, with names of objects, into a folder."""

    def write(**entries):
        about = tmp_path / "site" / "odd-0.3.dist-info"
        about.mkdir(parents=True)
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: odd\nVersion: 0.3\n", encoding="utf-8")
        groups = [f"[halfpoint.{group}]\n{line}\n" for group, line in entries.items()]
        (about / "entry_points.txt").write_text("\n".join(groups), encoding="utf-8")
        (about.parent / "odd.py").write_text("NUMBER = 3\n", encoding="utf-8")
        (about.parent / "ends.py").write_text("raise SystemExit(0)\n", encoding="utf-8")
        return about.parent

    return write


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("group", "line", "words", "told"),
    few(
        [
            (
                "models",
                "rows = nowhere:ROWS",
                ["models"],
                "expected nowhere:ROWS, found ModuleNotFoundError: No module",
            ),
            ("models", "rows = odd:ROWS", ["models"], "expected odd:ROWS, found AttributeError: module 'odd' has no"),
            ("models", "rows = ends:ROWS", ["models"], "expected ends:ROWS, found SystemExit: 0"),
            ("commands", "go = ends:go", ["go"], "expected ends:go, found SystemExit: 0"),
            ("models", "rows = odd:NUMBER", ["models"], "expected rows that are a Model, found a int"),
            (
                "models",
                "rows = halfpoint.models.declaration.catalogue:FURTHER",
                ["models"],
                "unique names, found a second 'bt-scaled'",
            ),
            ("models", "rows = nowhere:ROWS", ["models", "new"], "expected nowhere:ROWS, found ModuleNotFoundError"),
            ("commands", "go = nowhere:go", ["go"], "expected nowhere:go, found ModuleNotFoundError: No module named"),
            ("commands", "rate = odd:rate", ["rate"], "expected a unique name, found that of halfpoint"),
            ("readers", "pgn = odd:read", ["rate", "a.pgn"], "expected a unique name, found that of halfpoint"),
            ("readers", "csv = odd:read", ["rate", "a.csv"], "expected a unique name, found that of halfpoint"),
        ],
        4,
    ),
)
def test_what_is_broken_or_taken_twice_is_told_in_a_line_by_its_distribution(
    metadata, tmp_path, group, line, words, told
):
    fault = typed(metadata(**{group: line}), tmp_path, *words, code=2)
    assert fault.startswith(f"halfpoint: halfpoint.{group}, {line.split()[0]} of odd 0.3: ")
    assert told in fault
    assert fault.endswith("Repair or uninstall odd.\n")
    assert fault.count("\n") == 1


def test_what_is_broken_stops_nothing_else_and_stands_in_the_help(metadata, tmp_path):
    site = metadata(models="core = nowhere:ROWS", commands="go = nowhere:go", systems="s = odd:S", readers="x = odd:x")
    assert "davidson-common" in typed(site, tmp_path, "models", "davidson-common")
    shown = " ".join(re.sub("[│\\s]+", " ", typed(site, tmp_path, "--help", "--all")).split())
    assert "Others" in shown
    assert "go halfpoint.commands, go of odd 0.3: expected nowhere:go, found ModuleNotFoundError" in shown
    assert "rate Rate the players of a file of games." in shown
