"""`halfpoint list` on doubles: a list of people by systems that rate people."""

import numpy as np
import pandas as pd
import pytest

from halfpoint.apps.fields import office
from halfpoint.models.games.simulate import Truth
from halfpoint.models.games.simulate_sides import meetings, simulate_sides

NAMES = np.array([f"p{k:02d}" for k in range(16)])


def season(seed=1, games=1500, periods=10):
    """Doubles with changing partners in numbered periods, and the strengths in Elo points."""
    rng = np.random.default_rng(seed)
    elo = rng.normal(1500.0, 150.0, NAMES.size)
    truth = Truth(NAMES, elo * np.log(10) / 400.0, 0.0, -1.0)
    table = simulate_sides(truth, *meetings(NAMES.size, games, seed), seed)
    period = np.sort(rng.integers(1, periods + 1, games))
    return type(table)(
        table.players, table.white, table.black, table.score, period=period, sides=table.sides, simulated=True
    ), elo  # fmt: skip


def test_a_list_of_doubles_from_the_command_line(halfpoint, tmp_path):
    table, elo = season(3)
    names = table.players
    rows = pd.DataFrame(
        {"white": names[table.white], "black": names[table.black], "score": table.score, "period": table.period}
    )
    file = tmp_path / "doubles.csv"
    rows.to_csv(file, index=False)
    words = ("--system", "trueskill", "--sides", "+", "--out", tmp_path / "list.csv", "--log", tmp_path / "log.csv")
    code, out, _ = halfpoint("list", file, *words)
    assert code == 0
    assert "p01" in out
    listed = pd.read_csv(tmp_path / "list.csv")
    assert sorted(listed["player"]) == NAMES.tolist()
    assert listed["games"].sum() == 4 * len(table)
    assert listed["recent"].sum() == 4 * (table.period == 10).sum()
    assert listed["active"].all()
    assert np.corrcoef(listed["rating_elo"], elo[np.searchsorted(NAMES, listed["player"])])[0, 1] > 0.8
    log = pd.read_csv(tmp_path / "log.csv")
    assert len(log) == len(table)
    same = office.official_list(file, "elo", reader={"sides": "+"})
    ratings = dict(zip(same.frame["player"], same.frame["rating_elo"], strict=True))
    change = same.log.groupby("white")["white_change_elo"].sum()
    assert change.notna().all()
    assert sum(ratings.values()) / len(ratings) == pytest.approx(2200.0)
