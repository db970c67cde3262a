"""Models of a printed list: frozen densities, rating histories, effect of each part on a game."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import make_listed_logp as outside
import numpy as np
import pytest
from composed import game_rows
from natural_density import NaturalDensity

from halfpoint.models.declaration.catalogue import LISTED, declare
from halfpoint.models.declaration.elo_scale import reader_of
from halfpoint.models.errors import ModelError
from halfpoint.models.games.rating_history import RatingHistory, running_ratings
from halfpoint.models.games.select import select
from halfpoint.models.games.table import GameTable, code_players
from halfpoint.models.games.units import to_natural
from halfpoint.readers.read import read

REFERENCE = Path(__file__).parent.parent / "reference"
FROZEN = json.loads((REFERENCE / "listed_logp.json").read_text(encoding="utf-8"))


@cache
def played():
    """Invented games of the frozen densities."""
    games, rows = read(REFERENCE / "beyond_games.csv"), outside.rows()
    names = ("white_rating_elo", "black_rating_elo")
    columns = {name: np.array([row[name] for row in rows]) for name in names}
    event, fast = np.array([row["event"] for row in rows]), np.array([row["fast"] for row in rows])
    return replace(games, **columns, event=event, covariates={"fast": fast})


@cache
def chosen(data):
    """Selection of a data set of the frozen densities."""
    return select(played(), outside.DATA[data], "any" if data == "anchored" else "both")


def table(white, black, score, **columns):
    """Table of games."""
    players, white, black = code_players(white, black)
    return GameTable(players, white, black, np.asarray(score, dtype=np.float64), **columns)


@pytest.mark.cases(3)
@pytest.mark.parametrize("data", outside.DATA)
@pytest.mark.parametrize("name", LISTED)
def test_frozen_densities(name, data):
    points = [outside.point(name, data, number) for number in range(outside.POINTS)]
    positive = [key for key in points[0] if key.endswith("_spread") or key == "anchor_scale"]
    density = NaturalDensity(declare(name, chosen(data)).model, tuple(points[0]), positive)
    found = np.array([density(point) for point in points])
    frozen = np.array(FROZEN[f"{name}--{data}"])
    assert found - found[0] == pytest.approx(frozen - frozen[0], abs=1e-6, rel=1e-9)


def test_a_mean_counts_each_month_once_and_looks_at_no_later_one():
    white = np.array([2500.0, 2540.0, 2540.0, 2600.0])
    games = table(
        ["Ada"] * 4, ["Bo", "Cy", "Bo", "Cy"], [1, 1, 0, 0.5],
        period=np.array([1, 2, 2, 5]), white_rating_elo=white, black_rating_elo=np.array([2400.0, 2300, 2410, np.nan]),
    )  # fmt: skip
    (rating, mean), (players, last, whole, months) = running_ratings(games)
    assert rating[0].tolist() == white.tolist()
    assert rating[1].tolist() == [2400, 2300, 2410, 2300]  # the last rating known stands in for one that is missing
    assert mean[0] == pytest.approx([2500, 2520, 2520, 2546.6667], abs=1e-3)
    assert mean[1].tolist() == [2400, 2300, 2405, 2300]
    assert players.tolist() == ["Ada", "Bo", "Cy"]
    assert (last.tolist(), months.tolist()) == ([2600, 2410, 2300], [3, 2, 1])
    assert whole == pytest.approx([2546.6667, 2405, 2300], abs=1e-3)
    backwards, _ = running_ratings(games.take(np.array([3, 2, 1, 0])))
    assert backwards[1][0].tolist() == mean[0][::-1].tolist()


def test_a_history_goes_on_where_the_games_end():
    games = table(["Ada"], ["Bo"], [1], white_rating_elo=np.array([2500.0]), black_rating_elo=np.array([np.nan]))
    rating, mean = RatingHistory.of(games).at(np.array(["Ada", "Bo", "Nobody"]))
    assert np.array_equal(rating, [2500.0, np.nan, np.nan], equal_nan=True)
    assert np.array_equal(mean, rating, equal_nan=True)
    today, mean = RatingHistory.of(games).at(np.array(["Ada", "Nobody"]), np.array([2520.0, 1800.0]))
    assert today.tolist() == [2520.0, 1800.0]
    assert mean.tolist() == [2510.0, 1800.0]  # a further month


def expected(name, games, **values):
    """White's expected score and draw rate of each game by a model with these parameters."""
    model = LISTED[name]
    declared = declare(name, select(games, games.players, "both"))
    p = {key: np.zeros(shape) for key, (_, shape) in declared.layout.slots.items()} | {"anchor_scale": np.ones(())}
    p |= {key: np.asarray(value, dtype=np.float64) for key, value in values.items()}
    rows, drawn = game_rows(model, declared.selection), {key: value[None] for key, value in p.items()}
    found = np.exp(reader_of(declared).at(drawn, rows).under(drawn).log_probability()[0])
    return found @ [0.0, 0.5, 1.0], found[:, 1]


def elo(lead):
    """Expected score of a lead in Elo points."""
    return 1.0 / (1.0 + 10.0 ** (-np.asarray(lead) / 400.0))


def two_months():
    """Games in two months, in which Ada gains 100 points and Bo is unchanged."""
    ratings = {"white_rating_elo": np.array([2500.0, 2600.0]), "black_rating_elo": np.array([2450.0, 2450.0])}
    return table(["Ada", "Ada"], ["Bo", "Bo"], [1, 0.5], period=np.array([1, 2]), **ratings)


@pytest.mark.parametrize("log_draw", [-5.0, 1.0, 4.0])
def test_the_list_alone_is_elos_curve_whatever_is_drawn(log_draw):
    score, _ = expected("listed-draws", two_months(), log_draw=log_draw)
    assert score == pytest.approx(elo([50.0, 150.0]), rel=1e-9)


def test_shrinking_draws_a_rating_to_the_mean_so_far():
    score, _ = expected("listed", two_months(), shrink=0.5)
    assert score == pytest.approx(elo([50.0, 125.0]), rel=1e-9)  # the mean after two months is 2550
    scaled, _ = expected("listed", two_months(), shrink=0.5, anchor_scale=0.8)
    assert scaled == pytest.approx(elo([40.0, 100.0]), rel=1e-9)


def test_what_the_list_misses_is_in_points():
    score, _ = expected("listed", two_months(), strength=to_natural(np.array([30.0, -10.0])))
    assert score == pytest.approx(elo([90.0, 190.0]), rel=1e-9)


def test_each_slope_of_the_draw_parameter_has_its_unit():
    _, plain = expected("listed-draws", two_months(), log_draw=0.3)
    for name, step in (("draw_slope", -0.75), ("draw_gap", 1.5), ("draw_signed_gap", float(to_natural(150.0)))):
        _, moved = expected("listed-draws", two_months(), log_draw=0.3, **{name: 0.2})
        _, same = expected("listed-draws", two_months(), log_draw=0.3 + 0.2 * step)
        assert moved[1] == pytest.approx(same[1], rel=1e-9)
        assert moved[1] != pytest.approx(plain[1], rel=1e-3)


def test_an_inclination_to_draw_moves_no_expected_score():
    before, drawn = expected("listed-draws", two_months(), log_draw=0.3)
    after, more = expected("listed-draws", two_months(), log_draw=0.3, draw_tendency=[0.8, 0.4])
    assert after == pytest.approx(before, rel=1e-9)
    assert (more > drawn + 0.1).all()


def test_a_file_without_ratings_is_refused_in_one_line():
    games = table(["Ada", "Bo"], ["Bo", "Ada"], [1, 0.5])
    with pytest.raises(ModelError, match="expected games with ratings of the players, found none"):
        _ = declare("listed", select(games, games.players, "both")).blocks
