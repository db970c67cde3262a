"""Files of winners and losers: with random seats the seat carries no information, and all other data are kept."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from halfpoint.apps.workflows.backtesting import backtest
from halfpoint.models.games.table import GameTable, code_players
from halfpoint.models.games.winners_first import randomise_seats, seats_drawn, winners_first

COUNT = 600


def decided(seed=11, players=20):
    """Games won by White, more often by stronger players, with columns of both sides."""
    rng = np.random.default_rng(seed)
    names, strength = np.array([f"P{k:02d}" for k in range(players)]), rng.normal(0.0, 1.0, players)
    one = rng.integers(0, players, COUNT)
    other = (one + rng.integers(1, players, COUNT)) % players
    first = rng.random(COUNT) < 1.0 / (1.0 + np.exp(strength[other] - strength[one]))
    winner, loser = np.where(first, one, other), np.where(first, other, one)
    coded, white, black = code_players(names[winner], names[loser])
    margin = rng.integers(1, 5, COUNT).astype(float)
    return GameTable(
        coded, white, black, np.ones(COUNT), period=np.sort(rng.integers(1, 9, COUNT)), seats="first",
        white_rating_elo=1500.0 + winner, black_rating_elo=1500.0 + loser,
        covariates={"goal_difference": margin, "white_aces": winner + 0.5, "black_aces": loser + 0.5},
    )  # fmt: skip


def test_who_won_and_what_belongs_to_whom_stays_and_the_seat_says_nothing():
    games = decided()
    found = seats_drawn(games)
    turned = found.score == 0.0
    assert abs(turned.mean() - 0.5) < 4.0 * 0.5 / np.sqrt(COUNT)
    winner = np.where(turned, found.black_names, found.white_names)
    assert np.array_equal(winner, games.white_names)
    assert np.array_equal(found.margin, np.where(turned, -1.0, 1.0) * games.margin)
    for own, first, second in (
        (games.white_rating_elo, found.white_rating_elo, found.black_rating_elo),
        (games.covariates["white_aces"], found.covariates["white_aces"], found.covariates["black_aces"]),
    ):
        assert np.array_equal(np.where(turned, second, first), own)
    assert (found.covariates["neutral"] == 1.0).all()
    assert not winners_first(found)


def test_seats_do_not_hang_on_who_won_nor_on_the_order_of_rows():
    games = decided()
    lost = replace(games, white=games.black, black=games.white)  # the same meetings, won by the other
    assert np.array_equal(seats_drawn(games).white_names, seats_drawn(lost).white_names)
    order = np.random.default_rng(2).permutation(COUNT)
    assert np.array_equal(seats_drawn(games.take(order)).white_names, seats_drawn(games).white_names[order])


@pytest.mark.parametrize(
    ("scores", "words"),
    [((1.0,), "always won"), ((0.0,), "always lost"), ((1.0, 0.5), "never lost"), ((0.0, 0.5), "never won")],
)
def test_the_line_on_seats_counts_draws(scores, words):
    said = []
    randomise_seats(replace(decided(), score=np.resize(scores, COUNT)), said.append)
    assert [line.partition(": ")[2] for line in said] == [f"the first seat {words}, so seats are drawn at random"]


def test_what_is_a_file_of_winners_and_losers():
    games = decided()
    few = games.take(np.arange(6))
    assert winners_first(games)
    assert winners_first(replace(games, score=np.zeros(COUNT)))
    assert winners_first(replace(games, score=np.where(np.arange(COUNT) % 3, 1.0, 0.5)))
    assert not winners_first(replace(games, score=np.where(np.arange(COUNT) % 3, 1.0, 0.0)))
    assert not winners_first(replace(games, score=np.full(COUNT, 0.5)))
    assert not winners_first(few)  # six wins of White's are chance
    assert winners_first(replace(few, covariates={"neutral": np.ones(6)}))


@pytest.mark.parametrize("columns", [("winner_name", "loser_name"), ("player1", "player2")])
def test_a_backtest_reads_no_result_off_the_seats(columns, tmp_path):
    games, said = decided(), []
    frame = pd.DataFrame(dict(zip(columns, (games.white_names, games.black_names), strict=True)))
    frame["period"] = games.period
    if columns[0] == "player1":
        frame["result"] = "1-0"
    (tmp_path / "a.csv").write_text(frame.to_csv(index=False))
    found = backtest(str(tmp_path / "a.csv"), "base-rates,elo", begin=4, reference="base-rates", say=said.append)
    assert "a.csv: the first seat always won, so seats are drawn at random" in said
    rows = found.stretch().set_index("system")
    assert rows.loc["base-rates", "log_score"] == pytest.approx(np.log(2.0), abs=0.05)
    assert rows.loc["elo", "log_score"] > 0.4
    assert found.about["systems"]["elo"]["settings"]["advantage"] <= 30.0
