"""Edits of formulas and functions in a copy of the package take effect."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent.parent
FOLDERS = ("models", "inference", "evaluation", "readers", "systems")
# row -> file, text, what stands there instead
OUTCOMES = {
    "bt-common": ("bradley_terry.py", "return black, (white + black) / 2", "return black, 0.4 * white + 0.6 * black"),
    "davidson-common": ("davidson.py", "log_draw + (white + black)", "log_draw - 1.0 + 1.0 * (white + black)"),
    "rao-kupper": ("rao_kupper.py", "-far - over - lib.log1p", "-far - over - 1.1 * lib.log1p"),
    "listed": ("draw_curve.py", "ahead = half + lib.arcsinh", "ahead = half + 0.9 * lib.arcsinh"),
    "margin-normal": ("margin.py", "return -0.5 * z * z", "return -0.6 * z * z"),
    "margin-t": ("margin.py", "return -0.5 * (DEGREES + 1.0)", "return -0.6 * (DEGREES + 1.0)"),
}
STRENGTH = 'pm.Normal("strength", *strength, dims="player")'
FUNCTIONS = {
    "bt": ("study.py", STRENGTH, STRENGTH.replace("Normal(", "Laplace(")),
    "davidson": ("study.py", 'pm.Normal("log_draw", *log_draw)', 'pm.Gumbel("log_draw", *log_draw)'),
    "bt-scaled": ("populations.py", "pt.exp(pm.Normal(", "pt.exp(0.9 * pm.Normal("),
    "bt-population": (
        "populations.py", 'pm.HalfNormal("strength_spread", np.float64(spread))',
        'pm.HalfNormal("strength_spread", np.float64(0.02 * spread))',
    ),
    "bt-pooled": ("further_models.py", 'pm.Normal("advantage", mean, wide,', 'pm.Laplace("advantage", mean, wide,'),
    "davidson-population": (
        "further_models.py", "white + strong if context else white,", "white + strong if context else 1.1 * white,",
    ),
    "bt-rated": ("populations.py", "around = middle + scale *", "around = middle + 0.1 + scale *"),
    "bt-walk": ("walks.py", "walks(level, spread, steps,", "walks(level, 3.0 * spread, steps,"),
    "margin-walk": ("walk_variable.py", "one + s * (z @", "one + 1.5 * s * (z @"),
}  # fmt: skip
PROGRAM = """
import json, sys
from dataclasses import replace
import numpy as np
from graph_density import own_density
from halfpoint.readers.read import read
from halfpoint.models.games.select import select
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.gaussian import gaussian_draws
from halfpoint.inference.loops.engine import density, numbers_of
from halfpoint.models.declaration.catalogue import declare

games = read(GAMES, covariates=("rapid", "neutral", "deal", "context"))
half = replace(games, white_rating_elo=np.where(games.white_names == "Ada", np.nan, games.white_rating_elo),
               black_rating_elo=np.where(games.black_names == "Ada", np.nan, games.black_rating_elo))
names = ("Ada", "Boris", "Chen", "Dora")
found = {}
for name in sys.argv[1:]:
    played = half if name == "bt-rated" else games
    declared = declare(name, select(played, names, "any"))
    points = 0.7 * np.random.default_rng(3).standard_normal((2, declared.layout.count))
    found[name] = [[float(function(point)[0]) for point in points]
                   for function in (density(numbers_of(declared)), own_density(declared.model))]
    try:
        said = []
        for draws in (gaussian_draws(declared, 400, 1),):
            p = declared.layout.named(draws.v[draws.weights.resampled(400, 1)])
            said += [float(np.mean(p[one])) for one in ("strength", "log_draw", "advantage") if one in p]
    except InferenceError as error:
        said = str(error)
    found[name].append(said)
print(json.dumps(found))
"""


def densities(folder, names, edits=()):
    """Compiled and graph log density of each model at two points, from a copy of the package with edits."""
    home = folder / "halfpoint"
    home.mkdir()
    (home / "__init__.py").touch()
    for one in FOLDERS:
        shutil.copytree(PACKAGE / one, home / one, ignore=shutil.ignore_patterns("__pycache__"))
    for file, line, instead in edits:
        [path] = (home / "models").rglob(file)
        text = path.read_text(encoding="utf-8")
        assert line in text, line
        path.write_text(text.replace(line, instead), encoding="utf-8")
    reference = PACKAGE / "tests" / "reference"
    program = f"GAMES = {str(reference / 'beyond_games.csv')!r}\n{PROGRAM}"
    run = [sys.executable, "-c", f"import sys; sys.path[:0] = {[str(folder), str(reference)]!r}\n{program}", *names]
    done = subprocess.run(run, capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def unedited(tmp_path_factory):
    return densities(tmp_path_factory.mktemp("unedited"), [*OUTCOMES, *FUNCTIONS])


def check(name, found, unedited):
    compiled, graph, *_ = found[name]
    assert compiled[0] - compiled[1] == pytest.approx(graph[0] - graph[1], rel=1e-9, abs=1e-9)
    before = unedited[name][1]
    assert graph[0] - graph[1] != pytest.approx(before[0] - before[1], abs=1e-4)


@pytest.mark.slow
def test_every_formula_edited_in_its_file_is_what_is_sampled(tmp_path, unedited):
    found = densities(tmp_path, list(OUTCOMES), OUTCOMES.values())
    for name in OUTCOMES:
        check(name, found, unedited)


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_edited_in_its_file_is_what_every_route_takes(name, tmp_path, unedited):
    found = densities(tmp_path, [name], [FUNCTIONS[name]])
    check(name, found, unedited)
    *_, said = found[name]
    *_, before = unedited[name]
    assert said != before
    if isinstance(said, str):
        assert "normal approximation" in said
        assert "Use method nuts" in said or "no closest normal" in said


@pytest.mark.slow
def test_how_scores_are_weighed_is_what_is_sampled(tmp_path):
    edit = (
        "outcome.py",
        "return weight[0] * lost + weight[1] * drawn",
        "return weight[0] * lost + 0.5 * weight[1] * drawn",
    )
    compiled, graph, *_ = densities(tmp_path, ["rao-kupper"], [edit])["rao-kupper"]
    assert compiled[0] - compiled[1] == pytest.approx(graph[0] - graph[1], rel=1e-9)
