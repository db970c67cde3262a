"""What stands in the file is what is computed: formulas and priors edited in a copy of the package."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent.parent
FOLDERS = ("games", "models", "systems", "inference", "evaluation")
# row or block -> file, text, what stands there instead
OUTCOMES = {
    "bt-common": ("bradley_terry.py", "return black, (white + black) / 2", "return black, 0.4 * white + 0.6 * black"),
    "davidson-common": ("davidson.py", "log_draw + (white + black)", "log_draw - 1.0 + 1.0 * (white + black)"),
    "rao-kupper": ("rao_kupper.py", "-far - over - lib.log1p", "-far - over - 1.1 * lib.log1p"),
    "listed": ("draw_curve.py", "ahead = half + lib.arcsinh", "ahead = half + 0.9 * lib.arcsinh"),
    "margin-normal": ("margin.py", "return -0.5 * z * z", "return -0.6 * z * z"),
    "margin-t": ("margin.py", "return -0.5 * (DEGREES + 1.0)", "return -0.6 * (DEGREES + 1.0)"),
}
LATENT = 'pm.Normal(f"{self.name}{LATENT}", '
BLOCKS = {
    "Normal": ("blocks.py", "pm.Normal(self.name, *doubles(self.prior)", "pm.Laplace(self.name, *doubles(self.prior)"),
    "Following": ("blocks.py", LATENT + "mean - shift, sd", LATENT + "mean - shift, 0.01 * sd"),
    "Scale": ("blocks.py", "pt.exp(p[logarithm.name])", "pt.exp(0.9 * p[logarithm.name])"),
    "Spread": ("blocks.py", "doubles((self.scale,))", "doubles((0.02 * self.scale,))"),
    "Pooled": ("populations.py", "pm.Normal(self.name, mean, sd", "pm.Laplace(self.name, mean, sd"),
    "Horseshoe": ("populations.py", "pm.HalfCauchy(", "pm.HalfNormal("),
    "Known": ("blocks.py", "pt.as_tensor_variable(np.float64(self", "pt.as_tensor_variable(np.float64(0.1 + self"),
    "Gathered": ("populations.py", "value = pt.concatenate(", "value = 1.01 * pt.concatenate("),
    "Steps": ("populations.py", "moved = p[law.spread] * walks", "moved = 3.0 * p[law.spread] * walks"),
    "OfFamily": (
        "blocks.py",
        "distribution(self.name, **given, dims=dims, transform=units)",
        "distribution(self.name, **given | {'nu': 9}, dims=dims, transform=units)",
    ),
    "Mixed": ("correlated.py", "self.centre + self.matrix @ apart", "self.centre + 1.1 * (self.matrix @ apart)"),
    "Fading": ("two_speeds.py", "p[self.law.spread] * (z @", "p[self.law.spread] * 1.5 * (z @"),
}
# parameters that are named where the normal approximation refuses an edited block; no statement, no approximation
NAMED = {
    "Normal": "strength", "Following": "strength", "Scale": "anchor_scale", "Spread": "strength_spread",
    "Pooled": "advantage", "Horseshoe": "draw_tendency", "Known": "anchor_level", "Gathered": "strength",
    "Steps": "strength", "OfFamily": "strength", "Mixed": "strength", "Fading": "strength",
}  # fmt: skip
MOVING = {"Steps": "strength", "Fading": "strength"}  # whose walks do not go on as stated
ROWS = {  # that show a block
    "Normal": "bt",
    "Following": "davidson-scaled-level",
    "Scale": "bt-scaled",
    "Spread": "bt-population",
    "Pooled": "bt-pooled",
    "Horseshoe": "own-shoe",
    "Known": "bt-rated",
    "Gathered": "bt-rated",
    "Steps": "bt-walk",
    "OfFamily": "own-family",
    "Mixed": "own-mixed",
    "Fading": "margin-walk",
}
PROGRAM = """
import json, sys
from dataclasses import replace
import numpy as np
from graph_density import own_density
from composed import DrawParameter, Free

from halfpoint.games.readers.read import read
from halfpoint.games.select import select
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.gaussian import gaussian_draws
from halfpoint.inference.diagnostics.prior_statements import mismatched_transitions
from halfpoint.inference.loops.engine import density, numbers_of
from halfpoint.models.catalogue import declare, find
from halfpoint.models.parts.correlated import Correlated

games = read(GAMES, covariates=("rapid", "neutral", "deal", "context"))
half = replace(games, white_rating_elo=np.where(games.white_names == "Ada", np.nan, games.white_rating_elo),
               black_rating_elo=np.where(games.black_names == "Ada", np.nan, games.black_rating_elo))
names = ("Ada", "Boris", "Chen", "Dora")
alike = {one: {other: 4.0 if one == other else 1.0 for other in names} for one in names}
OWN = {
    "own-family": replace(find("bt"), name="own-family", strength=Free(("student_t", 4.0, 15.0, 2.0))),
    "own-shoe": replace(find("davidson"), name="own-shoe", draws=DrawParameter(tendency=("horseshoe", 0.3))),
    "own-mixed": replace(find("bt"), name="own-mixed", strength=Correlated(covariance=alike)),
}
found = {}
for name in sys.argv[1:]:
    played = half if name == "bt-rated" else games
    declared = declare(OWN.get(name) or find(name), select(played, names, "any"))
    points = 0.7 * np.random.default_rng(3).standard_normal((2, declared.layout.count))
    found[name] = [[float(function(point)[0]) for point in points]
                   for function in (density(numbers_of(declared)), own_density(declared.model))]
    try:
        gaussian_draws(declared, 8, 1)
        said = ""
    except InferenceError as error:
        said = str(error)
    found[name] += [said, mismatched_transitions(declared)]
print(json.dumps(found))
"""


def densities(folder, names, edits=()):
    """The compiled and the graph's log density at two points by row, of a copy of the package with edits."""
    home = folder / "halfpoint"
    home.mkdir()
    (home / "__init__.py").touch()
    for one in FOLDERS:
        shutil.copytree(PACKAGE / one, home / one, ignore=shutil.ignore_patterns("__pycache__"))
    for file, line, instead in edits:
        [path] = (home / "models").rglob(file)
        text = path.read_text(encoding="utf-8")
        assert text.count(line) == 1, line
        path.write_text(text.replace(line, instead), encoding="utf-8")
    reference = PACKAGE / "tests" / "reference"
    program = f"GAMES = {str(reference / 'beyond_games.csv')!r}\n{PROGRAM}"
    run = [sys.executable, "-c", f"import sys; sys.path[:0] = {[str(folder), str(reference)]!r}\n{program}", *names]
    done = subprocess.run(run, capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def unedited(tmp_path_factory):
    return densities(tmp_path_factory.mktemp("unedited"), sorted({*OUTCOMES, *ROWS.values()}))


def check(name, found, unedited):
    """Compiled and graph differ between two points by the same, and by something else than without the edit."""
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
@pytest.mark.parametrize("block", BLOCKS)
def test_every_block_edited_in_its_file_is_what_every_route_takes(block, tmp_path, unedited):
    """NUTS samples the edit; the normal approximation refuses it by name; a walk says that it goes on otherwise."""
    row = ROWS[block]
    found = densities(tmp_path, [row], [BLOCKS[block]])
    check(row, found, unedited)
    *_, said, moving = found[row]
    assert f"{NAMED[block]!r}" in said or f"{NAMED[block]} states of itself" in said
    assert "Use method nuts" in said
    assert MOVING.get(block, "") == moving
    *_, said, moving = unedited[row]
    assert not moving
    assert "states of itself" not in said


@pytest.mark.slow
def test_how_scores_are_weighed_is_what_is_sampled(tmp_path):
    """Halved, it is no longer what the written code means: compiled by its own lines, or sampled through the graph."""
    edit = (
        "outcome.py",
        "return weight[0] * lost + weight[1] * drawn",
        "return weight[0] * lost + 0.5 * weight[1] * drawn",
    )
    compiled, graph, *_ = densities(tmp_path, ["rao-kupper"], [edit])["rao-kupper"]
    assert compiled[0] - compiled[1] == pytest.approx(graph[0] - graph[1], rel=1e-9)
