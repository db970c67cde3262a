"""Statements from a trace, compared with closed forms and counts of games."""

import itertools

import numpy as np
import pytest
import xarray as xr
from composed import attributes_of_row

from halfpoint.evaluation import matches, statements, tournaments
from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.statements import first_move_and_draws, first_move_and_draws_in_words
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.units import to_elo

PLAYERS = ["Ada", "Bea", "Cyd"]


def trace_of(
    strength: list[list[float]], advantage: float = 0.0, log_draw: float = 1.0, model: str = "davidson-common"
):
    """Trace of one chain with these strengths (draw, player), natural units."""
    g = np.asarray(strength)[None]
    shape = g.shape[:2]
    posterior = xr.Dataset(
        {
            "strength": (("chain", "draw", "player"), g),
            "rating_elo": (("chain", "draw", "player"), to_elo(g)),
            "advantage": (("chain", "draw"), np.full(shape, advantage)),
            "log_draw": (("chain", "draw"), np.full(shape, log_draw)),
        },
        coords={"player": PLAYERS[: g.shape[2]]},
    )
    tree = xr.DataTree.from_dict({"posterior": posterior})
    tree.attrs = attributes_of_row(model)
    return tree


def davidson(d: float, log_draw: float) -> np.ndarray:
    odds = np.array([np.exp(-d / 2), np.exp(log_draw), np.exp(d / 2)])
    return odds / odds.sum()


def test_stronger_rank_and_best_count_draws() -> None:
    rating = trace_of([[3, 2, 1], [1, 2, 3], [3, 1, 2], [3, 2, 1]])["posterior"]["rating_elo"]
    assert statements.stronger(rating, "Ada", "Bea") == 0.75
    assert statements.best(rating).to_dict() == {"Ada": 0.75, "Cyd": 0.25, "Bea": 0.0}
    ranks = statements.rank_distribution(rating)
    np.testing.assert_allclose(ranks.sum("rank"), 1)
    np.testing.assert_allclose(ranks.sum("player"), 1)
    assert ranks.sel(player="Bea").to_numpy().tolist() == [0, 0.75, 0.25]
    table = statements.stronger_table(rating)
    np.testing.assert_allclose(table + table.to_numpy().T, 1)
    assert float(table.sel(player="Ada", other="Bea")) == 0.75


def test_one_game_is_the_formula() -> None:
    trace = trace_of([[1.2, 0.4, 0]], advantage=0.5, log_draw=0.9)
    np.testing.assert_allclose(matches.game(trace, "Ada", "Bea"), davidson(0.8 + 0.5, 0.9), rtol=1e-12)
    np.testing.assert_allclose(matches.game(trace, "Bea", "Ada"), davidson(-0.8 + 0.5, 0.9), rtol=1e-12)


def test_half_points_have_an_expected_score_and_no_draws() -> None:
    trace = trace_of([[1.2, 0.4, 0]], advantage=0.5, model="bt-common")
    assert matches.expected_score(trace, "Ada", "Bea") == pytest.approx(1 / (1 + np.exp(-1.3)), rel=1e-9)
    with pytest.raises(EvaluationError, match="three outcomes"):
        matches.match(trace, "Ada", "Bea", "WB")


def test_a_match_is_every_way_its_games_can_go() -> None:
    trace = trace_of([[0.7, 0.2, 0], [0.1, 0.5, 0]], advantage=0.4, log_draw=0.6)
    found = matches.match(trace, "Ada", "Bea", "WBW")
    expected = np.zeros(7)
    for d in (0.5, -0.4):
        games = [davidson(d + 0.4, 0.6), davidson(-d + 0.4, 0.6)[::-1], davidson(d + 0.4, 0.6)]
        for way in itertools.product(range(3), repeat=3):
            expected[sum(way)] += np.prod([p[o] for p, o in zip(games, way, strict=True)]) / 2
    np.testing.assert_allclose(found.to_numpy(), expected, rtol=1e-12)
    assert found.index.tolist() == [0, 0.5, 1, 1.5, 2, 2.5, 3]


def test_equals_share_the_title_chances_and_the_points() -> None:
    trace = trace_of([[1.0, 1.0, 1.0]], advantage=0.4)
    table = tournaments.round_robin(trace, PLAYERS, cycles=2, seed=3, tournaments=20_000)
    assert table["title"].sum() == pytest.approx(1)
    assert np.all(np.abs(table["title"] - 1 / 3) < 4 * table["mc_error"])
    assert table["points"].sum() == pytest.approx(6)


def test_two_players_and_one_cycle_are_one_game() -> None:
    trace = trace_of([[1.5, 0.0, 0]], advantage=0.3, log_draw=0.5)
    table = tournaments.round_robin(trace, ["Ada", "Bea"], cycles=1, seed=4, tournaments=40_000)
    white_first = davidson(1.5 + 0.3, 0.5)  # colours of a single game are settled by the places: Bea has White
    white_second = davidson(1.5 - 0.3, 0.5)
    chance = table.loc["Ada", "title"]
    nearest = min((white_first, white_second), key=lambda p: abs(chance - p[2] - p[1] / 2))
    assert abs(chance - nearest[2] - nearest[1] / 2) < 4 * table.loc["Ada", "mc_error"]


def test_a_title_is_reached_in_a_share_of_the_draws() -> None:
    rating = trace_of([[3, 2, 1], [1, 2, 3], [3, 1, 2], [3, 2, 1]])["posterior"]["rating_elo"]
    found = statements.above(rating, to_elo(2.0))
    assert found.to_dict() == {"Ada": 0.75, "Bea": 0.75, "Cyd": 0.5}
    assert statements.above(rating, 0.0).tolist() == [1.0] * 3


@pytest.mark.parametrize("colours", ["", "WX", "w"])
def test_colours_must_be_white_or_black(colours: str) -> None:
    with pytest.raises(EvaluationError, match="W and B"):
        matches.match(trace_of([[1.0, 0.0, 0.0]]), "Ada", "Bea", colours)


def test_unknown_players_are_named() -> None:
    trace = trace_of([[1.0, 0.0, 0.0]])
    with pytest.raises(GameTableError, match="Zoe"):
        matches.game(trace, "Zoe", "Ada")
    with pytest.raises(GameTableError, match="Zoe"):
        statements.stronger(trace["posterior"]["rating_elo"], "Zoe", "Ada")


def test_ratings_by_month_need_a_walk() -> None:
    with pytest.raises(EvaluationError, match="walk"):
        statements.ratings_by_month(trace_of([[1.0, 0.0, 0.0]])["posterior"].to_dataset())


def test_ratings_by_month_are_means_and_intervals_of_the_draws() -> None:
    rng = np.random.default_rng(5)
    truth = np.array([[2700.0, 2710, 2720], [2600, 2600, 2600]])
    draws = truth + 10 * rng.standard_normal((2, 4000, 2, 3))
    posterior = xr.Dataset(
        {"rating_elo_by_month": (("chain", "draw", "player", "month"), draws)},
        coords={"player": ["Ada", "Bea"], "month": [1, 2, 3]},
    )
    table = statements.ratings_by_month(posterior)
    np.testing.assert_allclose(table["mean"], truth.ravel(), atol=5 * 10 / np.sqrt(8000))
    np.testing.assert_allclose(table["high"] - table["low"], 2 * 1.96 * 10, rtol=0.06)


def test_the_first_move_and_the_draw_rate_are_said_with_their_intervals():
    rng = np.random.default_rng(1)
    common, share = rng.normal(40.0, 5.0, (4, 5000)), rng.normal(0.6, 0.01, (4, 5000))
    dims = ("chain", "draw")
    posterior = xr.Dataset({"advantage_elo": (dims, common), "draw_rate": (dims, share)})
    found = first_move_and_draws(posterior)
    error = 5.0 / np.sqrt(20_000)
    assert found["advantage_elo"]["mean"] == pytest.approx(40, abs=4 * error)
    assert found["advantage_elo"]["low"] == pytest.approx(40 - 1.96 * 5, abs=15 * error)  # the ends of an HDI are flat
    assert found["draw_rate"]["high"] == pytest.approx(0.6196, abs=0.002)
    sentence = first_move_and_draws_in_words(found)
    assert sentence.startswith("White's first move is worth 40 Elo (30 to 50); two equals draw 60% of")
    each = common[..., None] + np.array([-20.0, 20.0])
    per_player = xr.Dataset({"advantage_elo": ((*dims, "player"), each)})
    assert first_move_and_draws(per_player)["advantage_elo"] == pytest.approx(found["advantage_elo"])
    assert first_move_and_draws(per_player)["draw_rate"] is None
    drawn = first_move_and_draws_in_words(found | {"advantage_elo": None})
    assert drawn.startswith("Two equals draw 60% of")
    assert first_move_and_draws_in_words(first_move_and_draws(xr.Dataset())) == ""
