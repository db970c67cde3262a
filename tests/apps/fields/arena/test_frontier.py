"""Frontier of rating and cost compared with an independent count, and a board of two criteria."""

import json

import numpy as np
import pandas as pd
import pytest
import xarray as xr

from halfpoint.apps.fields.arena import leaderboard
from halfpoint.apps.fields.arena.frontier import chances, line, read_costs
from halfpoint.models.games.errors import GameTableError

NAMES = np.array(["a", "b", "c", "d", "e"])
COSTS = {"a": 1.0, "b": 2.0, "c": 2.0, "d": 9.0}


@pytest.fixture(scope="module")
def drawn():
    values = np.random.default_rng(3).normal([0.0, 1.0, 1.2, 1.5, 3.0], 1.0, (2, 400, 5))
    return xr.DataArray(values, dims=("chain", "draw", "player"), coords={"player": NAMES})


def test_chances_are_shares_of_draws_in_which_nobody_as_cheap_is_stronger(drawn):
    found = chances(drawn, read_costs(COSTS, NAMES)[0])
    for name, cost in COSTS.items():
        as_cheap = [other for other, price in COSTS.items() if other != name and price <= cost]
        best = np.ones((2, 400), dtype=bool)
        for other in as_cheap:
            best &= drawn.sel(player=name).to_numpy() > drawn.sel(player=other).to_numpy()
        assert found.loc[name, "frontier_percent"] == pytest.approx(100.0 * best.mean())
    assert found.loc["a", "frontier_percent"] == 100.0  # nobody is as cheap
    assert found.loc["e"].isna().all()  # of unknown cost: neither on it nor in anybody's way


def test_nobody_off_the_line_is_better_than_all_as_cheap():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"model": range(60), "cost": rng.integers(1, 12, 60), "rating_elo": rng.normal(size=60)})
    frame["cost"] = frame["cost"].where(frame["model"] > 2)
    on = set(line(frame)["model"])
    for row in frame.itertuples():
        rivals = frame[(frame["cost"] <= row.cost) & (frame["model"] != row.model)]
        assert (row.model in on) == bool(row.cost > 0 and (rivals["rating_elo"] < row.rating_elo).all())
    assert line(frame)["cost"].is_monotonic_increasing


@pytest.fixture(scope="module")
def battles():
    """Three models; the dear one is best in one criterion and worst in the other."""
    rng, rows = np.random.default_rng(5), []
    strength = {
        "useful": {"cheap": 0.0, "middle": 0.6, "dear": 1.2},
        "brief": {"cheap": 0.0, "middle": 1.2, "dear": -1.2},
    }
    for _ in range(300):
        one, two = rng.choice(["cheap", "middle", "dear"], 2, replace=False)
        won = {name: rng.random() < 1.0 / (1.0 + np.exp(s[two] - s[one])) for name, s in strength.items()}
        rows.append({"model_a": one, "model_b": two} | {k: "model_a" if v else "model_b" for k, v in won.items()})
    return pd.DataFrame(rows)


@pytest.mark.further
def test_a_board_says_by_criterion_who_is_worth_the_cost(battles, tmp_path):
    path = tmp_path / "costs.csv"
    path.write_text("model,cost\ncheap,0.1\nmiddle,1\ndear,20\n", encoding="utf-8")
    asked = {"criteria": ["useful", "brief"], "costs": path, "method": "normal", "checks": False, "draws": 250}
    found = leaderboard(battles, tmp_path / "board", **asked)
    assert found.frontiers["useful"]["model"].tolist() == ["cheap", "middle", "dear"]
    assert found.frontiers["brief"]["model"].tolist() == ["cheap", "middle"]
    assert found.categories["brief"].set_index("model").loc["dear", "frontier_percent"] < 1.0
    written = json.loads((tmp_path / "board" / "leaderboard.json").read_text(encoding="utf-8"))
    assert written["frontier"]["brief"] == ["cheap", "middle"]
    page = (tmp_path / "board" / "leaderboard.html").read_text(encoding="utf-8")
    assert "Worth the cost" in page
    assert "by useful, cheap, middle, dear" in page


def test_costs_that_cannot_be_read_are_refused_in_one_line(tmp_path):
    path = tmp_path / "costs.csv"
    path.write_text("a,1\nb,free\n", encoding="utf-8")
    with pytest.raises(GameTableError, match=r"costs\.csv, line 2: expected a name and a cost above 0, found 'b,free'"):
        read_costs(path, NAMES)
    with pytest.raises(GameTableError, match="--costs: expected costs of two or more entries of the board, found 1"):
        read_costs({"a": 1.0}, NAMES)
