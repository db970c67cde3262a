"""Level of the average player if games identify differences only: stored once in the trace for all readers."""

from dataclasses import replace

import numpy as np
import pytest
import xarray as xr

from halfpoint.apps import workflows
from halfpoint.apps.fields.arena import leaderboard
from halfpoint.inference.location import OF_OPPONENTS, OF_PLAYERS, centre_ratings, location_fixed_by
from halfpoint.inference.sample import sample
from halfpoint.inference.traces.netcdf import read, write
from halfpoint.models.declaration.catalogue import declare, find
from halfpoint.models.games.select import select
from halfpoint.models.games.simulate import Truth, round_robin, simulate
from halfpoint.models.games.table import GameTable

NAMES = np.array(["Ada", "Boris", "Chen"])


def games(white_elo, black_elo):
    """Ada plays six games, Boris and Chen three each."""
    white = np.array([0, 0, 0, 0, 0, 0], dtype=np.int32)
    black = np.array([1, 1, 1, 2, 2, 2], dtype=np.int32)
    table = GameTable(NAMES, white, black, np.full(6, 0.5), white_rating_elo=white_elo, black_rating_elo=black_elo)
    return select(table, NAMES, "both")


def posterior_of(ratings):
    draws = np.array(ratings) + np.random.default_rng(1).normal(0, 500, (2, 50, 1))  # a level that nothing fixes
    return xr.Dataset({"rating_elo": (("chain", "draw", "player"), draws)}, {"player": NAMES.astype(object)})


@pytest.mark.parametrize(
    ("black", "ratings", "listed", "words"),
    [  # players count once however much they played: the mean of their ratings is 2000, that of the games 2100
        ([2000.0] * 3 + [1600.0] * 3, [300.0, 0.0, -300.0], [2300.0, 2000.0, 1700.0], "the mean of the ratings"),
        # players without a rating do not move those with one
        ([2000.0] * 3 + [np.nan] * 3, [200.0, -200.0, -900.0], [2400.0, 2000.0, 1300.0], "2 players with ratings"),
        (None, [200.0, 0.0, -200.0], [1700.0, 1500.0, 1300.0], "a convention"),
    ],
)
def test_the_average_player_stands_where_the_rule_says(black, ratings, listed, words):
    selection = games(None if black is None else np.full(6, 2400.0), None if black is None else np.array(black))
    made, about = centre_ratings(posterior_of(ratings), selection, "")
    np.testing.assert_allclose(made["rating_elo"].mean(("chain", "draw")), listed, atol=1e-9)
    np.testing.assert_allclose(made["rating_elo"].std(("chain", "draw")), 0.0, atol=1e-9)  # the level is no part of it
    assert words in about["level_from"]


def test_ratings_by_month_stand_on_the_level_of_the_list():
    last = posterior_of([200.0, 0.0, -200.0])["rating_elo"]
    both = xr.concat([last - 30.0, last], "month").transpose("chain", "draw", "player", "month")
    made, _ = centre_ratings(last.to_dataset().assign(rating_elo_by_month=both), games(None, None), "")
    months = made["rating_elo_by_month"]
    np.testing.assert_allclose(months.isel(month=1), made["rating_elo"])
    np.testing.assert_allclose(months.isel(month=0).mean(("chain", "draw")), [1670.0, 1470.0, 1270.0], atol=1e-9)


@pytest.mark.parametrize("memory", [True, False])
def test_ratings_of_the_players_fix_the_level_with_and_without_shrinking(memory):
    rated = games(np.full(6, 2400.0), np.array([2000.0] * 3 + [1600.0] * 3))
    listed = find("listed")
    assert location_fixed_by(declare(listed.but("mine", **({} if memory else {"shrink": None})), rated)) == OF_PLAYERS


def test_anchors_fix_the_level_by_games_that_count():
    table = replace(games(None, None).games, black_rating_elo=np.full(6, 2000.0))
    met = select(table, ["Ada"])
    assert location_fixed_by(declare("davidson", met)) == OF_OPPONENTS
    assert not location_fixed_by(declare("davidson", replace(met, weight=np.zeros(6))))
    assert not location_fixed_by(declare("davidson", select(table, NAMES, "both")))


@pytest.fixture(scope="module")
def club():
    truth = Truth(NAMES, np.array([15.5, 15.2, 14.9]), np.full(3, 0.1), log_draw=0.5)
    return simulate(truth, round_robin(3, 60), 4)


@pytest.mark.draws
def test_one_file_has_one_level_whoever_lists_it(club, tmp_path):
    few = {"draws": 200, "tune": 300, "chains": 2}
    rated = workflows.rate(club, tmp_path / "rate", model="davidson-population", **few)
    board = leaderboard(club, method="nuts", checks=False, **few)
    assert rated.frame["rating_elo"].mean() == pytest.approx(1500.0)
    assert board.frame["rating_elo"].mean() == pytest.approx(1500.0)
    error = 0.2 * rated.frame.set_index("player")["sd_elo"]  # of 400 draws each
    gap = rated.frame.set_index("player")["rating_elo"] - board.frame.set_index("player")["rating_elo"]
    assert (gap.abs() < error).all()
    for columns in ("rank", "summary"):
        assert (
            getattr(workflows, columns)(rated.trace).frame["rating_elo"].tolist() == rated.frame["rating_elo"].tolist()
        )
    written = read(tmp_path / "rate" / "trace.nc")["posterior"]["rating_elo"].mean(("chain", "draw"))
    listed = rated.frame.set_index("player")["rating_elo"]
    np.testing.assert_allclose(written, listed[written["player"].to_numpy()])


@pytest.mark.draws
def test_a_trace_that_was_sampled_by_hand_is_on_the_level_of_the_list(club, tmp_path):
    tree = sample(declare("davidson", select(club, club.players, "both")), draws=100, tune=300, chains=2, adapt=False)
    write(tree, tmp_path / "trace.nc")
    rating = read(tmp_path / "trace.nc")["posterior"]["rating_elo"]
    np.testing.assert_allclose(rating.mean("player"), 1500.0)
