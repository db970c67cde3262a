"""A seed gives the same numbers for any number of cores, hash seed, time zone and caches.

Other kernels of linear algebra sum in another order, so their numbers are close but not equal.
"""

import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import halfpoint as hp

COMMAND = [sys.executable, "-c", "import sys; sys.argv[0] = 'halfpoint'; from halfpoint.apps.cli import main; main()"]
ON_ONE = "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}); "
NEAR_ELO = (0.005, 0.25, 0.25)  # rating and ends of other kernels; measured: up to .0001 and .13
METHODS = ("normal", "nuts")


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    folder = tmp_path_factory.mktemp("seeds")
    hp.simulate(folder / "games.pgn", games=400, players=12)
    return folder / "games.pgn"


def listed(games, place, method, one_core=False, **environment):
    """List and draws of one run in an environment."""
    words = ["rate", games, "--model", "davidson-common", "--method", method, "--out", place / "run", "--quiet"]
    words += ["--draws", "300", "--tune", "300", "--chains", "2", "--seed", "5"]
    command = [*COMMAND[:2], ON_ONE * one_core + COMMAND[2]]
    done = subprocess.run([*command, *words], cwd=place, env=os.environ | environment, capture_output=True, text=True)
    assert done.returncode in (0, 3), done.stderr
    return (place / "run" / "ratings.csv").read_bytes()


def cold(place):
    """Environment with empty caches."""
    names = {"XDG_CACHE_HOME": "cache", "NUMBA_CACHE_DIR": "numba", "PYTENSOR_BASE_COMPILEDIR": "pytensor"}
    folders = {name: str(place / folder) for name, folder in names.items()}
    return folders | {"PYTENSOR_FLAGS": f"base_compiledir={place / 'pytensor'}"}


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_a_seed_gives_the_same_numbers_everywhere(method, games, tmp_path):
    settings = {
        "plain": {},
        "hashes": {"PYTHONHASHSEED": "1"},
        "other hashes": {"PYTHONHASHSEED": "2"},
        "zone": {"TZ": "Pacific/Kiritimati"},
        "words": {"LC_ALL": "C"},
        "threads": {"OMP_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1", "NUMBA_NUM_THREADS": "1"},
        "one core": {"one_core": hasattr(os, "sched_setaffinity")},
        "cold": cold(tmp_path),
    }
    found = {}
    for name, setting in settings.items():
        (tmp_path / name).mkdir()
        found[name] = listed(games, tmp_path / name, method, **setting)
    assert [name for name in found if found[name] != found["plain"]] == []


@pytest.mark.slow
def test_other_kernels_of_linear_algebra_give_near_numbers(games, tmp_path):
    lists = []
    for kernel in ("Haswell", "Prescott"):
        (tmp_path / kernel).mkdir()
        listed(games, tmp_path / kernel, "normal", OPENBLAS_CORETYPE=kernel)
        lists.append(pd.read_csv(tmp_path / kernel / "run" / "ratings.csv").sort_values("player"))
    one, other = (frame[["rating_elo", "low_elo", "high_elo"]].to_numpy() for frame in lists)
    assert np.all(np.abs(one - other) < NEAR_ELO)
