"""Instructions on inactive players, spreadsheets and traces in R."""

import h5py
import numpy as np
import pandas as pd
import pytest

import halfpoint as hp
from halfpoint.apps.fields.office import official_list
from halfpoint.evaluation.day_ratings import ratings_by_period


@pytest.fixture(scope="module")
def club():
    """Games of a club whose first player stops after half of them."""
    games = hp.load("club")
    early = games.date < np.sort(games.date)[len(games) // 2]
    absent = (games.white_names != "Ash, Nora") & (games.black_names != "Ash, Nora")
    return games.take(np.flatnonzero(early | absent))


def test_inactive_players_are_those_without_a_game_in_the_last_periods(club):
    listed = official_list(club, every="month", active_periods=2).frame.set_index("player")
    months = club.date.astype("datetime64[M]")
    played = {name: months[(club.white_names == name) | (club.black_names == name)].max() for name in listed.index}
    active = {name for name, last in played.items() if months.max() - last < np.timedelta64(2, "M")}
    assert set(listed.index[listed["active"]]) == active
    assert "Ash, Nora" not in active


@pytest.mark.slow
def test_intervals_of_a_walk_widen_after_the_last_game(club, tmp_path):
    rated = hp.rate(club, tmp_path / "run", model="davidson-walk", method="normal", draws=1000, chains=2)
    spread = ratings_by_period(rated.trace)["rating_elo_by_month"].sel(player="Ash, Nora").std(("chain", "draw"))
    after = spread.to_numpy()[spread.size // 2 :]
    assert after[-1] > 1.02 * after[0]
    with h5py.File(tmp_path / "run" / "trace.nc") as file:
        sizes = rated.trace["posterior"].sizes
        assert file["posterior/rating_elo"].shape == (sizes["chain"], sizes["draw"], sizes["player"])
    rated.frame.to_csv(tmp_path / "list.csv", index=False, encoding="utf-8-sig")
    assert (tmp_path / "list.csv").read_bytes().startswith("\N{ZERO WIDTH NO-BREAK SPACE}".encode())
    assert pd.read_csv(tmp_path / "list.csv")["player"].tolist() == rated.frame["player"].tolist()
