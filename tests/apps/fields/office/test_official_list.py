"""Lists of any system at any date: their content, live lists, ages, and files with goals."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from rating_games import periods_of, simulated, table

from halfpoint.apps.fields.office.list import official_list
from halfpoint.apps.fields.office.read import read_births, with_births
from halfpoint.models.games.errors import GameTableError, RatingSystemError
from halfpoint.models.games.periods import with_periods
from halfpoint.models.games.rating_system import KeepsRatings
from halfpoint.readers.datasets.study import training_file
from halfpoint.readers.read import read
from halfpoint.systems.catalogue import SYSTEMS
from halfpoint.systems.fide_table import score_by_steps

GAMES, _ = simulated(91, players=20, games=500, periods=8)
KEEPING = [name for name in SYSTEMS if isinstance(SYSTEMS[name].build(SYSTEMS[name].start), KeepsRatings)]


@pytest.mark.cases(12)
@pytest.mark.parametrize("name", KEEPING)
def test_a_list_is_the_system_rolled_to_its_date(name):
    found = official_list(GAMES, name, at="6")
    system, before = SYSTEMS[name].build(SYSTEMS[name].start), {}
    for period in periods_of(GAMES.take(GAMES.period <= 6)):
        before = dict(zip(system.ledger.names, system.ledger["rating"].tolist(), strict=True))
        system.learn(period)
    listed = found.frame.set_index("player")
    for player, row in listed.iterrows():
        np.testing.assert_equal(row["rating_elo"], system.ledger.rating(player))
        np.testing.assert_equal(row["change_elo"], row["rating_elo"] - before[player])
    assert found.frame["rating_elo"].dropna().is_monotonic_decreasing
    played = np.concatenate([GAMES.white_names[GAMES.period <= 6], GAMES.black_names[GAMES.period <= 6]])
    assert listed["games"].to_dict() == pd.Series(played).value_counts().to_dict()
    assert len(found.log) == (GAMES.period <= 6).sum()


@pytest.mark.parametrize("name", ["elo", "elo-game", "elo-fide", "kappa-elo", "icc", "world-football", "sonas"])
def test_the_changes_of_the_log_sum_to_the_list(name):
    found = official_list(GAMES, name)
    total = found.log.groupby("white")["white_change_elo"].sum().add(
        found.log.groupby("black")["black_change_elo"].sum(), fill_value=0.0
    )  # fmt: skip
    first = {}
    for row in found.log.itertuples():
        first.setdefault(row.white, row.white_rating_elo)
        first.setdefault(row.black, row.black_rating_elo)
    for player, rating in zip(found.frame["player"], found.frame["rating_elo"], strict=True):
        assert rating == pytest.approx(first[player] + total[player], abs=1e-8)


def test_a_fide_list_moves_by_rounded_sums_of_k_times_surprise():
    found = official_list(GAMES, "fide")
    last = found.log[found.log["period"] == 8]
    for row in found.frame[found.frame["recent"] > 0].itertuples():
        mine = pd.concat([
            last.loc[last["white"] == row.player, "white_change_elo"],
            last.loc[last["black"] == row.player, "black_change_elo"],
        ]).sum()  # fmt: skip
        assert abs(row.change_elo - mine) <= 0.5 + 1e-9
        assert row.rating_elo == round(row.rating_elo)
    difference = (last["white_rating_elo"] - last["black_rating_elo"]).clip(-400, 400)
    np.testing.assert_allclose(last["expected_score"], score_by_steps(difference.to_numpy()))


def test_a_live_list_is_printed_ratings_and_one_period():
    late = replace(GAMES, white_rating_elo=np.round(GAMES.white_rating_elo), black_rating_elo=GAMES.black_rating_elo)
    found = official_list(late, "elo", at="5", live=True)
    now = late.take(late.period == 5)
    assert set(found.frame["player"]) == set(now.players)
    changes = found.log.groupby("white")["white_change_elo"].sum().add(
        found.log.groupby("black")["black_change_elo"].sum(), fill_value=0.0
    )  # fmt: skip
    listed = found.frame.set_index("player")
    np.testing.assert_allclose(listed["less_printed_elo"], changes[listed.index], atol=1e-9)
    np.testing.assert_allclose(listed["change_elo"], listed["less_printed_elo"], atol=1e-9)
    bare = replace(GAMES, white_rating_elo=None, black_rating_elo=None)
    with pytest.raises(GameTableError, match="printed ratings"):
        official_list(bare, "elo", live=True)


def test_dates_months_and_stretches_of_days():
    days = np.datetime64("2024-01-01") + np.arange(len(GAMES))
    games = replace(GAMES, date=days, period=None)
    assert official_list(games, "elo", at="2024-02").log["date"].max() == "2024-02-29"
    assert official_list(games, "elo", at="2024-02-10", every=10).log["period"].max() == 5
    assert np.unique(with_periods(games, 3).period).size == -(-len(GAMES) // 3)
    assert official_list(games, "fide").about["rules"].startswith("regulations in force from 2024-03-01 (")
    assert (
        official_list(games, "fide", at="2024-02").about["rules"].startswith("regulations in force from 2022-01-01 (")
    )
    numbered = official_list(GAMES, "fide", first_month="2012-01")
    assert numbered.about["rules"].startswith("regulations in force from 2012-07-01 (")
    assert numbered.log["date"].min() == "2012-01-01"


def test_mistakes_are_named():
    for at, expected in (("2024-13", "YYYY-MM-DD"), ("soon", "YYYY-MM-DD"), ("0", "after the first game")):
        with pytest.raises(GameTableError, match=expected):
            official_list(GAMES, "elo", at=at)
    with pytest.raises(GameTableError, match="--first-month"):
        official_list(GAMES, "elo", at="2024-01")
    with pytest.raises(RatingSystemError, match="a setting of elo \\(k, advantage, scale\\)"):
        official_list(GAMES, "elo", settings={"kappa": 1.0})
    with pytest.raises(RatingSystemError, match="its rules are fixed"):
        official_list(GAMES, "fide", settings={"k": 1.0})
    with pytest.raises(RatingSystemError, match="a system that keeps ratings"):
        official_list(GAMES, "base-rates")
    with pytest.raises(GameTableError, match="a number of days"):
        with_periods(replace(GAMES, period=None, date=np.full(len(GAMES), "2024-01-01", "M8[D]")), 0)


def test_a_start_of_ones_own_and_a_pool_without_a_rating():
    bare = replace(GAMES, white_rating_elo=None, black_rating_elo=None)
    listed = official_list(bare, "elo", start_elo=1500.0, settings={"k": 10.0, "advantage": 0.0}).frame
    assert listed["rating_elo"].mean() == pytest.approx(1500.0)
    with pytest.raises(RatingSystemError, match="a system with initial ratings"):
        official_list(GAMES, "dixon-coles", start_elo=1500.0)  # whose newcomers start from a margin
    with pytest.raises(GameTableError, match="a player with a rating, from which fide rates opponents"):
        official_list(bare, "fide")


def test_years_of_birth_make_juniors(tmp_path):
    file = tmp_path / "births.csv"
    file.write_text("player,born\njunior,2009\n", encoding="utf-8")
    games = table(["junior"], ["adult"], [1.0], date=np.array(["2024-06-01"], "M8[D]"),
                  white_rating_elo=2000.0, black_rating_elo=2000.0)  # fmt: skip
    born = read_births(file, games).values
    assert born == {"junior": 2009}
    log = official_list(games, "fide", births=born).log
    assert (log["white_k"][0], log["black_k"][0]) == (40.0, 20.0)
    log = official_list(games, "elo-fide", births=born, settings={"advantage": 0.0}).log
    assert (log["white_k"][0], log["black_k"][0]) == (40.0, 20.0)
    assert with_births(games, {}) is games
    file.write_text("junior,young\n", encoding="utf-8")
    with pytest.raises(GameTableError, match="line 1: expected a player and a year of birth"):
        read_births(file, games)


@pytest.mark.parametrize("system", ["fide", "elo-fide"])
def test_ages_of_a_file_make_juniors_in_every_system_with_fides_k(tmp_path, system):
    """A K of 40 until the end of the year of the 18th birthday, 20 of an adult (regulations of 2014, 8.56)."""
    file = tmp_path / "games.csv"
    file.write_text(
        "date,white,black,result,white_elo,black_elo,white_age,black_age\n"
        "2024-06-01,junior,adult,1-0,2000,2000,15,40\n2024-06-01,other,adult,1-0,2000,2000,,40\n",
        encoding="utf-8",
    )
    settings = {"advantage": 0.0} if system == "elo-fide" else None
    log = official_list(file, system, settings=settings).log
    assert log[["white_k", "black_k"]].to_numpy().tolist() == [[40.0, 20.0], [20.0, 20.0]]


def test_provisional_and_active():
    games = table(["a", "a", "b"], ["b", "b", "a"], [1, 0, 0.5], period=[1, 1, 20])
    listed = official_list(games, "icc").frame.set_index("player")
    assert listed["provisional"].all()
    later = table(["c", "a"], ["d", "b"], [1, 0], period=[1, 20], white_rating_elo=2500, black_rating_elo=2400)
    listed = official_list(later, "uscf").frame.set_index("player")
    assert not listed["provisional"].any()
    assert listed["active"].to_dict() == {"a": True, "b": True, "c": False, "d": False}


@pytest.mark.parametrize("content", ["home,away,score\nA,B,3-1\nB,A,2-2\n", "home,away,FTHG,FTAG\nA,B,3,1\nB,A,2,2\n"])
def test_goals_are_kept_as_a_difference(tmp_path, content):
    file = tmp_path / "league.csv"
    file.write_text(content, encoding="utf-8")
    games = read(file)
    assert games.covariates["goal_difference"].tolist() == [2.0, 0.0]
    assert games.score.tolist() == [1.0, 0.5]
    log = official_list(replace(games, period=np.array([1, 1])), "world-football").log
    assert log["white_k"].tolist() == [30.0, 20.0]


@pytest.mark.real
def test_a_live_list_of_a_month_of_the_studys_games():
    """January 2012: 13 games of Carlsen and Aronian in Wijk aan Zee, where FIDE's list of March 2012 had them."""
    found = official_list(training_file(), "fide", at="2012-01", first_month="2010-01", live=True)
    live = found.frame.set_index("player")
    # FIDE, March 2012: Carlsen 2835 with 0 for January and February, Aronian 2820 (+15), Radjabov 2784 (+11)
    assert live.loc["AronianLevon", "rating_elo"] == 2820.0
    assert live.loc["RadjabovTeimour", "rating_elo"] == 2784.0
    assert abs(live.loc["CarlsenMagnus", "rating_elo"] - 2835.0) <= 1.0


LIST = """\
ID number Name                              TitlFed  Mar11 GamesBorn  Flag
 1401815  Aagard, Jakob                     m   SCO  2502   11  1973
 5080444  A, Sohita                             IND  2399    0  1995  wi
"""


def test_a_live_list_starts_from_fides_list(tmp_path):
    file = tmp_path / "players_mar11frl.txt"
    file.write_text(LIST, encoding="utf-8")
    games = table(["Aagard, Jakob", "A, Sohita"], ["A, Sohita", "Aagard, Jakob"], [0.5, 1.0],
                  date=np.array(["2011-03-05", "2011-03-06"], "M8[D]"))  # fmt: skip
    listed = official_list(games, "fide", live=True, fide_lists=[file]).frame.set_index("player")
    # 103 points: P_D .64 and .36; K = 10 for who is above 2400, 15 below; two games, 0.5 of 1.28 and 1.5 of .72
    assert listed.loc["Aagard, Jakob", "printed_elo"] == 2502.0
    assert listed.loc["Aagard, Jakob", "change_elo"] == -8.0  # 10 x (0.5 - 1.28) = -7.8
    assert listed.loc["A, Sohita", "change_elo"] == 12.0  # 15 x (1.5 - 0.72) = 11.7
    with pytest.raises(GameTableError):
        official_list(games, "fide", fide_lists=[tmp_path / "nothing.txt"])


def test_a_first_round_is_one_list():
    names = np.array([f"P{one:02d}" for one in range(20)])
    seat = np.arange(0, 20, 2, dtype=np.int32)
    games = table(names[seat], names[seat + 1], np.full(10, 1.0), period=1)
    found = official_list(games, "glicko")
    assert "group" not in found.frame
    assert "never meet" not in found.about["note"]


def test_groups_that_never_meet_are_lists_of_their_own():

    def of(*tables):
        rows = [
            pd.DataFrame({"white": one.white_names, "black": one.black_names, "score": one.score, "month": one.period})
            for one in tables
        ]
        return official_list(read(pd.concat(rows), source="games"), "elo", settings={"advantage": 0.0})

    whole = of(GAMES, replace(GAMES, players=np.char.add("Z", GAMES.players.astype(str))))
    found, alone = whole.frame, of(GAMES).frame
    assert found["group"].tolist() == [1] * 20 + [2] * 20
    for _, mine in found.groupby("group"):
        assert mine["rank"].tolist() == alone["rank"].tolist()
        assert mine["rank_high"].max() <= 20
        np.testing.assert_allclose(mine["rating_elo"], alone["rating_elo"], atol=1e-9)
    assert "2 unconnected groups" in whole.about["note"]
    assert "group" not in alone
