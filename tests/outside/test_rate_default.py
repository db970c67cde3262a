"""`halfpoint rate FILE --out DIR` without options: files, separate groups, and coverage over many files of a kind."""

import csv
import json

import numpy as np
import pytest
from outside.kinds import KINDS, MODEL, club_evening, club_with_ratings, football_season

from halfpoint.apps import workflows

ONCE = ("winners and losers", "two groups")  # the others: `test_rating`
MANY = {"club with ratings": club_with_ratings, "club evening": club_evening, "football season": football_season}
FILES = (None, *range(8))  # the one file of its kind of the tables, and eight more


def name_in(row):
    """Noun of a row of a list: games at home and away are between clubs."""
    return row["club"] if "club" in row else row["player"]


@pytest.mark.cases(1)
@pytest.mark.parametrize("kind", ONCE)
def test_the_default_is_green_where_it_is_right(kind, tmp_path):
    path, truth = KINDS[kind].make(tmp_path)
    said = []
    groups = "apart" if truth.groups > 1 else "refuse"
    rated = list(workflows.rate_groups(path, tmp_path / "run", groups=groups, say=said.append))
    assert sum(line.startswith("model ") for line in said) == len(rated) == truth.groups  # which, and why
    lists = sorted((tmp_path / "run").rglob("ratings.csv"))
    assert len(lists) == truth.groups
    for listed in lists:
        about = json.loads(listed.with_suffix(".json").read_text(encoding="utf-8"))
        assert about["verdict"].startswith("converged"), about["verdict"]
        assert about["model"] == MODEL.get(kind, "davidson-matched")
        with listed.open(encoding="utf-8", newline="") as stream:
            rows = [row for row in csv.DictReader(stream) if name_in(row) in truth.rating_elo]
        known = np.array([truth.rating_elo[name_in(row)] for row in rows])
        mean, sd, low, high = (
            np.array([float(row[f"{name}_elo"]) for row in rows]) for name in ("rating", "sd", "low", "high")
        )
        finite = np.isfinite(known)
        assert np.abs(mean[~finite] - 1500.0).max(initial=0.0) < 1500.0  # all won or all lost: far out, and a number
        shift = 0.0 if truth.rated else (mean - known)[finite].mean()
        inside = (low <= known + shift) & (known + shift <= high)
        error = (mean - known)[finite] - shift
        assert np.sqrt((error**2).mean()) < 1.6 * np.sqrt((sd[finite] ** 2).mean()), (error, sd)
        assert inside[finite].mean() > 0.95 - 4 * np.sqrt(0.05 * 0.95 / finite.sum())


@pytest.mark.slow
@pytest.mark.parametrize("kind", MANY)
def test_the_intervals_of_many_files_hold_the_truth(kind, tmp_path):
    shares = []
    for seed in FILES:
        folder = tmp_path / str(seed)
        folder.mkdir()
        path, truth = MANY[kind](folder) if seed is None else MANY[kind](folder, seed)
        answer = json.loads(workflows.rate(path, folder / "run").json())
        rows = [row for row in answer["rows"] if np.isfinite(truth.rating_elo.get(name_in(row), np.nan))]
        known = np.array([truth.rating_elo[name_in(row)] for row in rows])
        mean, low, high = (np.array([row[f"{name}_elo"] for row in rows]) for name in ("rating", "low", "high"))
        shift = 0.0 if truth.rated else (mean - known).mean()
        shares.append(np.mean((low <= known + shift) & (known + shift <= high)))
    error = np.std(shares, ddof=1) / np.sqrt(len(FILES))
    assert abs(np.mean(shares) - 0.95) < 4 * error + 0.01
    assert np.mean(shares) > 0.88
