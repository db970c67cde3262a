"""Ratings through time: every period in history.csv, and answers as of a past day."""

import numpy as np
import pandas as pd
import pytest

import halfpoint as hp
from halfpoint.models.games.errors import HalfpointError


@pytest.fixture(scope="module")
def risen(tmp_path_factory):
    """Player who loses every game of the first year and wins every game of the second, with three others."""
    rng, rows = np.random.default_rng(1), []
    others = ["Bob", "Cem", "Dora"]
    for month in range(24):
        day = f"{2022 + month // 12}-{month % 12 + 1:02d}-10"
        for name in others:
            rows += [("Ann", name, float(month >= 12), day)] * 2
            rows.append((name, others[rng.integers(3)], 0.5, day))
    rows = [row for row in rows if row[0] != row[1]]
    folder = tmp_path_factory.mktemp("risen") / "run"
    return hp.rate(rows, folder, model="davidson-walk", method="normal"), folder


def test_history_has_each_period_and_ends_with_the_list(risen):
    rated, folder = risen
    table = pd.read_csv(folder / "history.csv")
    assert table.columns.tolist() == ["player", "period", "rating_elo", "low_elo", "high_elo"]
    assert sorted(table["period"].unique())[:2] == ["2022-01", "2022-02"]
    assert (table.groupby("player").size() == 24).all()
    last = table[table["period"] == "2023-12"].set_index("player")["rating_elo"]
    listed = rated.frame.set_index("player")["rating_elo"]
    assert last[listed.index].to_numpy() == pytest.approx(listed.to_numpy(), abs=0.01)
    assert ((table["low_elo"] < table["rating_elo"]) & (table["rating_elo"] < table["high_elo"])).all()


def test_lists_and_matches_of_a_past_day_are_of_then(risen):
    rated, folder = risen
    then, now = hp.rank(folder, at="2022-06"), hp.rank(folder)
    assert then.frame["player"].iloc[-1] == "Ann" == now.frame["player"].iloc[0]
    assert "As of 2022-06" in then.note
    table = pd.read_csv(folder / "history.csv").query("period == '2022-06'").set_index("player")["rating_elo"]
    listed = then.frame.set_index("player")["rating_elo"]
    assert listed.to_numpy() == pytest.approx(table[listed.index].to_numpy(), abs=0.01)
    assert then.frame["games"].sum() < now.frame["games"].sum()
    chance = [
        hp.match(rated.trace, "Ann", "Bob", at=at).frame["probability_percent"].iloc[-1]
        for at in ("2022-06-30", "2023-12-31")
    ]
    assert chance[0] < 20 < 80 < chance[1]


def test_a_match_in_the_first_period_is_a_game_of_then(risen):
    rated, _ = risen
    then = hp.match(rated.trace, "Ann", "Bob", at="2022-01", colours="white").frame["probability_percent"]
    dated = pd.DataFrame({"white": ["Ann"], "black": ["Bob"], "date": ["2022-01-20"]})
    game = hp.forecast(rated.trace, dated).frame.iloc[0]
    assert then.to_numpy() == pytest.approx([game[f"{name}_percent"] for name in ("loss", "draw", "win")], abs=1e-9)
    early = hp.rank(rated.trace, at="2022-01")
    assert "As of 2022-01" in early.note


@pytest.mark.parametrize(("at", "said"), [("2021-12", "a day from 2022-01 to 2023-12"), ("June", "YYYY-MM-DD")])
def test_a_day_without_ratings_is_refused(risen, at, said):
    with pytest.raises(HalfpointError, match=f"--at: expected .*{said}"):
        hp.rank(risen[1], at=at)


def test_strengths_that_stand_still_have_one_period_and_no_past(tmp_path):
    rated = hp.rate([("Ann", "Bob", 1), ("Bob", "Ann", 1), ("Ann", "Bob", 0.5)] * 4, tmp_path / "run", method="normal")
    assert set(pd.read_csv(tmp_path / "run" / "history.csv")["period"]) == {"all"}
    with pytest.raises(HalfpointError, match=r"strengths move in time.*davidson-population-walk"):
        hp.rank(rated.trace, at="2024-01")
