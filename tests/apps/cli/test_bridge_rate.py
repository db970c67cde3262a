"""`halfpoint bridge rate`, `forecast` and `simulate` and their functions, on clubs with known truth."""

import json
from collections import Counter
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from halfpoint.apps.fields import bridge
from halfpoint.apps.fields.bridge.comparison import cross_imps
from halfpoint.apps.fields.bridge.read import read_results
from halfpoint.apps.fields.bridge.simulate import simulate_club
from halfpoint.models.games.errors import GameTableError, RatingSystemError


@pytest.fixture(scope="module")
def club():
    """Results and truth of a year of a club."""
    return simulate_club(players=48, sessions=40, boards=24, seed=5)


def test_the_club_is_what_it_says(club):
    table, truth = club
    assert len(table) == 40 * 24 * 12
    assert table.can_be_rated.all()
    assert table.deals.results.tolist() == [12] * 960
    x = cross_imps(table.score_ns, table.deals)
    names, ns, ew = table.pairs()
    assert names.tolist() == truth.pairs.tolist()
    d = truth.pair_imps[ns] - truth.pair_imps[ew]
    # A pair that is better by an IMP a board wins an IMP a board more, nearly: x is y less the mean of the others.
    total = np.bincount(table.deal, d)[table.deal]
    expected = d - (total - d) / 11
    slope = float(expected @ x / (expected @ expected))
    assert slope == pytest.approx(1.0, abs=4 * x.std() / np.sqrt(expected @ expected) + 0.1)
    assert 4.0 < x.std() < 6.5  # a real tournament has 5.06
    same, other = simulate_club(seed=3)[0], simulate_club(seed=3)[0]
    assert np.array_equal(same.score_ns, other.score_ns)
    steady = simulate_club(players=8, sessions=5, change=0.0)[1]
    assert steady.pairs.size == 4


@pytest.mark.parametrize(
    "settings", [{"method": "gamma"}, {"method": "matches", "k": 16.0}, {"k_rule": "margin", "k": 4.0}]
)
def test_ratings_find_the_truth_and_beat_a_coin(club, settings):
    table, truth = club
    rated = bridge.bridge_rate(table, settings={"k": 8.0} | settings, training_periods=5)
    skill = truth.skill_imps[np.searchsorted(truth.players, rated.ratings.names)]
    assert np.corrcoef(rated.ratings.rating_elo, skill)[0, 1] > 0.8
    last = rated.periods.iloc[-1]
    assert last["period"] == "all judged"
    assert last["accuracy_percent"] > last["coin_accuracy_percent"] + 1.0
    assert last["rmse"] < last["coin_rmse"]
    assert last["right_winner_percent"] > 58.0
    assert last["coin_accuracy_percent"] == pytest.approx(50.0)  # whatever the results


def test_accuracy_is_ten_to_the_minus_deviance(club):
    rated = bridge.bridge_rate(club[0], training_periods=3)
    judged = rated.log[rated.ratings.period > 3]
    e = judged["expected_ns"].clip(0.01, 0.99)
    s = judged["outcome_ns"]
    deviance = -(s * np.log10(e) + (1 - s) * np.log10(1 - e)).mean()
    last = rated.periods.iloc[-1]
    assert last["accuracy_percent"] == pytest.approx(100 * 10**-deviance)
    assert last["rmse"] == pytest.approx(np.sqrt(((judged["expected_ns"] - s) ** 2).mean()))
    assert last["results"] == len(judged)
    drawn = (judged["cross_imps_ns"].abs() <= 1.0) == (s == 0.5)
    assert drawn.all()


def test_every_method_is_judged_by_the_same_outcomes(club):
    one = bridge.bridge_rate(club[0], settings={"method": "matches"}).log["outcome_ns"]
    other = bridge.bridge_rate(club[0], settings={"k_rule": "tanh score"}).log["outcome_ns"]
    assert np.array_equal(one, other)


def test_partnerships(club):
    table, _ = club
    found = bridge.bridge_rate(table).partnerships
    assert found["results"].sum() == 2 * len(table)
    weighted = (found["results"] * found["cross_imps_per_result"]).sum()
    assert weighted == pytest.approx(0.0, abs=1e-6)  # what one pair wins another loses
    assert found["results"].is_monotonic_decreasing


def test_the_commands(halfpoint, tmp_path):
    file = tmp_path / "club.csv"
    code, out, _ = halfpoint("bridge", "simulate", file, "--players", 16, "--sessions", 8, "--seed", 2)
    assert code == 0
    assert "SIMULATED" in out
    truth = pd.read_csv(tmp_path / "club.csv.truth.csv")
    assert truth.columns.tolist() == ["player", "skill_imps"]
    code, out, _ = halfpoint(
        "bridge", "rate", file, "--set", "k=8", "--edition", "corrected", "--out", tmp_path / "rated"
    )
    assert code == 0
    assert "Forecasts of" in out
    players = pd.read_csv(tmp_path / "rated" / "players.csv")
    again = bridge.bridge_rate(file, rules="corrected", settings={"k": 8.0})
    np.testing.assert_allclose(players["rating_elo"], again.frame["rating_elo"])
    assert players["last"].unique().tolist() == [again.periods["period"].iloc[-2]]
    for name in ("partnerships", "log", "periods"):
        assert len(pd.read_csv(tmp_path / "rated" / f"{name}.csv")) > 0
    code, out, _ = halfpoint("bridge", "rate", file, "--unit", "pair", "--every", "event", "--json")
    assert json.loads(out)["rows"][0]["pair"].count(" & ") == 1


def test_the_forecast_of_deals_to_come(halfpoint, tmp_path):
    file, coming = tmp_path / "club.csv", tmp_path / "next.csv"
    halfpoint("bridge", "simulate", file, "--players", 16, "--sessions", 8)
    coming.write_text(
        "board,north,south,east,west\n1,Player 01,Player 02,Player 03,Player 04\n1,Player 05,Player 06,Ann,Bob\n"
        "2,Ann,Bob,Cid,\n"
    )
    code, out, _ = halfpoint("bridge", "forecast", file, coming, "--edition", "corrected", "--json")
    assert code == 0
    answer = json.loads(out)
    assert "Ann" in answer["note"]
    rating = bridge.bridge_rate(file, rules="corrected").ratings
    elo = dict(zip(rating.names.tolist(), rating.rating_elo.tolist(), strict=True))
    ns = [(elo["Player 01"] + elo["Player 02"]) / 2, (elo["Player 05"] + elo["Player 06"]) / 2]
    ew = [(elo["Player 03"] + elo["Player 04"]) / 2, 1500.0]
    gamma = (ew[1] - ns[1]) / 2  # the other table's difference over c N, c = 1
    row = answer["rows"][0]
    assert row["gamma_elo"] == pytest.approx(gamma)
    assert row["expected_ns"] == pytest.approx(1 / (1 + 10 ** (-(ns[0] - ew[0] + gamma) / 400)))
    assert answer["rows"][2]["expected_ns"] is None  # a seat without a name


def test_mistakes_are_one_line(halfpoint, tmp_path):
    file = tmp_path / "club.csv"
    halfpoint("bridge", "simulate", file, "--players", 8, "--sessions", 2)
    for words in (
        ("--set", "k=-1"), ("--set", "colour=2"), ("--set", "k"), ("--every", "week"), ("--every", "0"),
        ("--method", "x"), ("--edition", "x"), ("--unit", "team"), ("--k-rule", "x"), ("--total", "x"),
        ("--scoring", "x"), ("--train", "-1"),
    ):  # fmt: skip
        code, out, error = halfpoint("bridge", "rate", file, *words, "--out", tmp_path / "rated")
        assert (code, out, error.count("\n")) == (2, "", 1), words
        assert words[0] in error
    assert not (tmp_path / "rated").exists()
    undated = tmp_path / "undated.csv"
    undated.write_text("deal,north,south,east,west,score\n1,A,B,C,D,50\n1,E,F,G,H,-50\n")
    code, out, _ = halfpoint("bridge", "rate", undated)
    assert code == 0
    assert "No dates: rated by deal." in out
    code, out, _ = halfpoint("bridge", "rate", undated, "--every", "deal")
    assert code == 0
    assert "nothing was forecast" in out
    code, _, error = halfpoint("bridge", "simulate", tmp_path / "x.csv", "--players", 10)
    assert (code, error.count("\n")) == (2, 1)
    with pytest.raises(RatingSystemError, match="colour"):
        bridge.bridge_rate(undated, settings={"colour": 2})
    with pytest.raises(GameTableError, match="simulated club"):
        simulate_club(change=2.0)


def test_what_is_written_is_what_is_read(tmp_path):
    table, _ = bridge.bridge_simulate(tmp_path / "club.csv", players=12, sessions=3)
    again = read_results(tmp_path / "club.csv")
    assert np.array_equal(again.score_ns, table.score_ns)
    assert np.array_equal(again.players[again.seats], table.players[table.seats])
    assert np.array_equal(again.deal_names[again.deal], table.deal_names[table.deal])
    assert np.array_equal(again.date, table.date)
    assert np.array_equal(again.vulnerable, table.vulnerable)


SPACE = "{http://graphml.graphdrawing.org/xmlns}"


def test_the_graph_of_deals_seats_and_players(tmp_path, halfpoint):
    file, out = tmp_path / "deal.csv", tmp_path / "rated"
    file.write_text(
        "deal,north,south,east,west,score\n1,Ann <A>,Bob,C & D,Eve,620\n1,Fay,Gil,Hal,Ida,-50\n2,Ann <A>,Bob,Hal,,50\n"
        "2,C & D,Eve,Fay,Gil,50\n"
    )
    code, _, error = halfpoint("bridge", "rate", file, "--graph", "--out", out)
    assert (code, error) == (0, "")
    graph = ElementTree.parse(out / "graph.graphml").getroot()
    nodes = {
        node.get("id"): {one.get("key"): one.text for one in node.iter(f"{SPACE}data")}
        for node in graph.iter(f"{SPACE}node")
    }
    assert Counter(node["kind"] for node in nodes.values()) == {
        "deal": 2, "player": 8, "North": 4, "East": 4, "South": 4, "West": 4,
    }  # fmt: skip
    labels = {node["label"]: name for name, node in nodes.items() if node["kind"] == "player"}
    edges = [
        (edge.get("source"), edge.get("target"), {one.get("key"): one.text for one in edge.iter(f"{SPACE}data")})
        for edge in graph.iter(f"{SPACE}edge")
    ]
    assert Counter(about["joins"] for *_, about in edges) == {"table": 4 * 6, "deal": 4 * 4, "player": 15}
    assert all(one in nodes and other in nodes for one, other, _ in edges)
    seats = [one for one, other, _ in edges if other == labels["C & D"]]
    assert [nodes[seat]["kind"] for seat in seats] == ["East", "North"]
    assert [about["points"] for one, _, about in edges if one in seats and about["joins"] == "deal"] == ["-620", "50"]
    rated = bridge.bridge_rate(file)
    elo = dict(zip(rated.frame["player"], rated.frame["rating_elo"], strict=True))
    assert float(nodes[labels["Ann <A>"]]["rating_elo"]) == pytest.approx(elo["Ann <A>"])
    code, _, error = halfpoint("bridge", "rate", file, "--graph")
    assert (code, error.count("\n")) == (2, 1)
    assert "Add --out FOLDER" in error


def test_a_rule_of_elo_is_no_part_of_a_model(tmp_path, halfpoint):
    file = tmp_path / "club.csv"
    bridge.bridge_simulate(file, players=8, sessions=2)
    code, _, error = halfpoint("bridge", "rate", file, "--model", "bridge-ability", "--train", 2)
    assert (code, error.count("\n")) == (2, 1)
    assert "--train: expected no rule of Elo" in error
