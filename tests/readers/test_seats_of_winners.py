"""Files of winners and losers with sets: leads, columns of winners as columns of seats, surfaces that are asked for."""

import numpy as np
import pandas as pd

from halfpoint.models.games.winners_first import seats_drawn
from halfpoint.readers.read import read

FRAME = pd.DataFrame({
    "tourney_date": ["20130101", "20130102", "20130103", "20130104", "20130105"],
    "winner_name": ["Ada", "Bea", "Ada", "Cem", "Cem"],
    "loser_name": ["Bea", "Cem", "Cem", "Bea", "Ada"],
    "score": ["6-4 6-1", "7-6(5) 3-6 7-5", "6-0 2-0 RET", "6-7(3) 6-4 10-8", "RET"],
    "winner_age": [20.5, 30.0, 20.6, 25.0, 25.1],
    "loser_age": [29.5, 25.0, 25.0, 30.1, 20.7],
    "winner_rank": [4, 90, 4, 33, 33],
    "loser_rank": [88, 35, 33, 90, 4],
    "surface": ["Hard", "Clay", "Hard", "Hard", "Grass"],
})  # fmt: skip


def test_leads_are_percent_of_the_games_of_all_sets():
    games = read(FRAME)
    expected = [700 / 17, 0.0, 800 / 12, 300 / 41, 0.0]  # 12-5, 17-17, 8-0 of at least 12, 22-19, no set
    np.testing.assert_allclose(games.covariates["lead_percent"], expected, atol=0.05)
    assert not games.has_margins
    assert "surface" not in games.covariates
    assert "'surface'" in " ".join(games.notes)
    assert "'score'" not in " ".join(games.notes)  # it is read


def test_columns_of_winners_follow_the_seats():
    games = seats_drawn(read(FRAME, about=("surface",)))
    won = games.score == 1.0
    assert 0 < won.sum() < 5
    for column, winner, loser in (("age", "winner_age", "loser_age"), ("ranking", "winner_rank", "loser_rank")):
        first, second = (games.covariates[f"{side}_{column}"] for side in ("white", "black"))
        np.testing.assert_array_equal(np.where(won, first, second), FRAME[winner])
        np.testing.assert_array_equal(np.where(won, second, first), FRAME[loser])
    lead = games.covariates["lead_percent"]
    assert (np.sign(lead[[0, 2, 3]]) == np.where(won, 1.0, -1.0)[[0, 2, 3]]).all()
    assert games.covariates["surface"].tolist() == FRAME["surface"].tolist()


def test_a_column_of_seats_is_read_from_that_of_winners():
    games = read(FRAME.drop(columns=["winner_rank", "loser_rank"]), covariates=("white_age", "black_age"))
    np.testing.assert_array_equal(games.covariates["white_age"], FRAME["winner_age"])
    np.testing.assert_array_equal(games.covariates["black_age"], FRAME["loser_age"])
    assert "white_ranking" not in games.covariates


def test_scores_without_sets_are_no_leads():
    games = read(FRAME.assign(score=["21-19", "25-13", "21-2", "30-29", "14-12"]))
    assert "lead_percent" not in games.covariates
    assert games.margin.tolist() == [2.0, 12.0, 19.0, 1.0, 2.0]


def test_points_of_winners_are_margins_that_follow_the_seats():
    frame = pd.DataFrame({
        "winner": ["Ada", "Bea", "Ada", "Cem"], "loser": ["Bea", "Cem", "Cem", "Ada"],
        "WScore": [90, 71, 88, 60], "LScore": [80, 70, None, 66],
    })  # fmt: skip
    games = read(frame)  # winners of fewer points than losers, or of unknown ones, have no margin
    np.testing.assert_array_equal(games.margin, [10.0, 1.0, np.nan, np.nan])
    seated = seats_drawn(games.take(np.array([0, 1])))
    assert (np.sign(seated.margin) == np.where(seated.score == 1.0, 1.0, -1.0)).all()
    away = read(frame.assign(WLoc=["H", "A", "H", "H"]))
    assert away.white_names.tolist() == ["Ada", "Cem", "Ada", "Cem"]
    assert away.margin[:2].tolist() == [10.0, -1.0]
