"""Bridge results as games between pairs: margins by hand, excluded results, separate deals."""

from dataclasses import replace

import numpy as np
import pytest

from halfpoint.apps.fields.bridge.as_games import as_games
from halfpoint.apps.fields.bridge.comparison import cross_imps
from halfpoint.apps.fields.bridge.read import read_results
from halfpoint.apps.fields.bridge.simulate import simulate_club
from halfpoint.models.games.errors import GameTableError

HEAD = "board,north,east,south,west,score\n"


def table_of(tmp_path, text):
    file = tmp_path / "session.csv"
    file.write_text(HEAD + text, encoding="utf-8")
    return read_results(file)


def test_the_example_of_the_thesis(tmp_path):
    """Section 3.2.2, five tables: cross-IMPs divided by all results, North and South's."""
    scores = (-100, 600, -50, 620, -100)
    lines = [f"1,N{k},E{k},S{k},W{k},{score}\n" for k, score in enumerate(scores)]
    games = as_games(table_of(tmp_path, "".join(lines)))
    np.testing.assert_allclose(games.covariates["margin"], [-5.2, 7.0, -4.0, 7.4, -5.2])
    assert games.score.tolist() == [0.0, 1.0, 0.0, 1.0, 0.0]
    assert games.white_names.tolist() == [f"N{k} + S{k}" for k in range(5)]
    assert games.black_names.tolist() == [f"E{k} + W{k}" for k in range(5)]
    assert np.unique(games.covariates["deal"]).size == 1


def test_a_result_that_is_not_rated_is_compared(tmp_path):
    text = "1,Ann,Bob,Cid,Dan,420\n1,GIB,Eve,Fay,Gus,-50\n1,Hal,Ida,Jon,Kit,420\n2,Ann,Bob,Cid,Dan,50\n"
    games = as_games(table_of(tmp_path, text))
    assert games.white_names.tolist() == ["Ann + Cid", "Hal + Jon"]
    np.testing.assert_allclose(games.covariates["margin"], [10.0 / 3.0, 10.0 / 3.0])  # 420 against -50 is 10 IMPs


def test_deals_of_one_name_stay_apart():
    club, _ = simulate_club(players=8, sessions=2, boards=4, seed=1)
    games = as_games(replace(club, deal_names=np.full(club.deal_names.size, "board")))
    kept = as_games(club).covariates["deal"]
    deal = games.covariates["deal"]
    assert np.unique(deal).size == np.unique(kept).size
    assert all(np.unique(deal[kept == one]).size == 1 for one in np.unique(kept))


def test_margins_of_a_deal_sum_to_nothing_and_their_differences_are_cross_imps():
    club, _ = simulate_club(players=16, sessions=3, boards=8, seed=2)
    games = as_games(club)
    _, deal = np.unique(games.covariates["deal"], return_inverse=True)
    np.testing.assert_allclose(np.bincount(deal, games.covariates["margin"]), 0.0, atol=1e-9)
    tables = np.bincount(deal)[deal]
    expected = cross_imps(club.score_ns, club.deals) * (tables - 1) / tables
    np.testing.assert_allclose(games.covariates["margin"], expected, atol=1e-12)


def test_nothing_to_rate_is_one_line(tmp_path):
    with pytest.raises(GameTableError, match="a deal with two results or more") as error:
        as_games(table_of(tmp_path, "1,Ann,Bob,Cid,Dan,420\n2,Ann,Bob,Cid,Dan,50\n"))
    assert "\n" not in str(error.value)
