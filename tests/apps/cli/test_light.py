"""Plain installation without extras: rate, rank, match, help, version and completion."""

import os
import resource
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from few_cases import few

import halfpoint as hp
from halfpoint.models.games.lazy_import import EXTRAS

ROOT = Path(__file__).parents[3]
COMMAND = Path(sys.executable).with_name("halfpoint")
EXTRA = (
    "chess",
    "matplotlib",
    "openskill",
    "pooch",
    "hypothesis",
    "playwright",
    "dask",
    "distributed",
    "jax",
    "numpyro",
)
WITHOUT = f"""
import sys
from importlib.machinery import PathFinder

found = PathFinder.find_spec


def without(name, path=None, target=None):
    return None if name.partition(".")[0] in {EXTRA!r} else found(name, path, target)


PathFinder.find_spec = without  # neither imported nor found, as where it is not installed
sys.argv = ["halfpoint", *sys.argv[1:]]
from halfpoint.apps.cli import main
main()
"""


def without_extras(*words):
    """Run a command in an environment without extras."""
    return subprocess.run([sys.executable, "-c", WITHOUT, *map(str, words)], capture_output=True, text=True)


@pytest.fixture(scope="module")
def rated(tmp_path_factory):
    folder = tmp_path_factory.mktemp("light")
    rows = [f"{a},{b},{(a * 7 + b * 3) % 3 / 2}" for a in range(5) for b in range(5) if a != b]
    (folder / "games.csv").write_text("white,black,score\n" + "\n".join(rows) + "\n", encoding="utf-8")
    dated = [f"{row},2024-01-{1 + k:02d}" for k, row in enumerate(rows)]
    (folder / "dated.csv").write_text("white,black,score,date\n" + "\n".join(dated) + "\n", encoding="utf-8")
    pairs = [f"a{k % 3}+b{k % 4},c{k % 3}+d{k % 5},{k % 2},2024-01-{1 + k:02d}" for k in range(20)]
    (folder / "doubles.csv").write_text("white,black,score,date\n" + "\n".join(pairs) + "\n", encoding="utf-8")
    words = ("rate", folder / "games.csv", "--out", folder / "run", "--draws", 200, "--tune", 300, "--quiet")
    return folder, without_extras(*words)


@pytest.mark.parametrize("words", few([["match", "0", "1"], ["rank"]], 1))
def test_rate_and_its_questions_need_no_extra(rated, words):
    folder, answer = rated
    assert answer.returncode == 0, answer.stderr
    assert {one.name for one in (folder / "run").iterdir()} >= {"ratings.csv", "report.html", "trace.nc"}
    asked = without_extras(words[0], folder / "run" / "trace.nc", *words[1:])
    assert asked.returncode == 0, asked.stderr


@pytest.mark.further
def test_a_process_of_its_own_samples_by_nuts(rated, tmp_path):
    """A library that commands leave out may be one that a sampler needs; servers of commands have imported all."""
    words = (rated[0] / "games.csv", "--out", tmp_path / "run", "--method", "nuts", "--draws", "200", "--tune", "300")
    answer = subprocess.run([COMMAND, "rate", *map(str, words)], capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    assert hp.open(tmp_path / "run" / "trace.nc").attrs["sampler"] == "nutpie"


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("words", "library"),
    [
        (("calibrate", "bt-common", "--simulations", "20"), "matplotlib"),
        (("list", "doubles.csv", "--sides", "+", "--system", "weng-lin-full"), "openskill"),
        (("backtest", "doubles.csv", "--sides", "+", "--every", "week", "--systems", "elo,weng-lin-full"), "openskill"),
    ],
)
def test_what_an_extra_is_needed_for_is_told_with_the_command_that_installs_it(rated, tmp_path, words, library):
    folder, _ = rated
    words = [folder / word if word == "doubles.csv" else word for word in words]
    answer = without_extras(*words, "--out", tmp_path / "out.csv")
    assert answer.returncode == 2
    assert "tuned in" not in answer.stderr  # nothing ran before
    assert f"expected the library {library}, found none" in " ".join(answer.stderr.split())
    assert f"pip install 'halfpoint[{EXTRAS[library]}]'" in " ".join(answer.stderr.split())


@pytest.mark.further
def test_a_backtest_of_two_players_a_game_needs_no_extra(rated, tmp_path):
    words = (
        "backtest",
        rated[0] / "dated.csv",
        "--every",
        "day",
        "--systems",
        "elo,weng-lin-full",
        "--out",
        tmp_path / "run",
    )
    answer = without_extras(*words)
    assert answer.returncode == 0, answer.stderr
    assert "weng-lin-full" in (tmp_path / "run" / "scores.csv").read_text(encoding="utf-8")


def test_every_library_that_is_asked_for_stands_in_its_extra():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    core = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    for library, extra in EXTRAS.items():
        assert any(one.startswith(library) for one in extras[extra])
        assert not any(one.startswith(library) for one in core)


def test_the_help_comes_at_once():
    seconds = []
    for _ in range(2):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([COMMAND, "--help"], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert min(seconds) < 1.0
    loaded = "import sys; from halfpoint.apps.cli.app import application; application([]); print(*sys.modules)"
    modules = set(
        subprocess.run([sys.executable, "-c", loaded], check=True, capture_output=True, text=True).stdout.split()
    )
    assert not modules & {"numpy", "pandas", "polars", "pymc", "numba", "matplotlib"}
    assert not any(name.startswith("halfpoint.apps.workflows.schemas") for name in modules)


def test_the_version_is_the_installed_one():
    answer = subprocess.run([COMMAND, "--version"], check=True, capture_output=True, text=True)
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert answer.stdout == f"halfpoint {declared}\n"
    assert hp.__version__ == declared


@pytest.mark.cases(1)
@pytest.mark.parametrize(("typed", "offered"), [("halfpoint ra", "rate"), ("halfpoint rate --mon", "--monitor")])
def test_the_shell_completes_commands_and_their_options(typed, offered):
    place = str(len(typed.split()) - 1)
    asked = os.environ | {"_HALFPOINT_COMPLETE": "complete_bash", "COMP_WORDS": typed, "COMP_CWORD": place}
    answer = subprocess.run([COMMAND], env=asked, capture_output=True, text=True)
    assert offered in answer.stdout.split()


def test_names_complete_and_functions_are_not_hidden_by_modules_of_their_name():
    code = (
        "import halfpoint\n"
        "from halfpoint import games, models, workflows, evaluation, inference\n"
        "import halfpoint.models.games.select, halfpoint.models.games.weights, halfpoint.models.games.simulate\n"
        "assert callable(games.select) and callable(games.weights) and callable(games.simulate)\n"
        "for package in (halfpoint, games, models, workflows, evaluation, inference):\n"
        "    assert set(package.__all__) <= set(dir(package)), package\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_face_costs_nothing_until_it_is_used_and_every_name_of_it_is_there():
    code = "import sys; before = set(sys.modules); import halfpoint; print(*(set(sys.modules) - before))"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert {one for one in loaded if one.startswith("halfpoint")} == {"halfpoint"}
    assert not {"numpy", "importlib.metadata"} & set(loaded)
    assert {"read", "rate", "forecast", "compare", "backtest", "leaderboard", "declare", "sample"} <= set(dir(hp))
    for name in dir(hp):
        assert getattr(hp, name).__name__ == name if callable(getattr(hp, name)) else getattr(hp, name), name


def test_python_runs_the_package_as_the_command():
    words = [sys.executable, "-m", "halfpoint", "rate"]
    answer = subprocess.run(words, capture_output=True, text=True)
    assert answer.returncode == 2
    assert "See python -m halfpoint rate --help" in answer.stderr
