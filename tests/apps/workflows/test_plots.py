"""Figures of a list: given and returned axes, numbers equal to the list, all kinds."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

import halfpoint as hp
from halfpoint.apps.workflows.plots import results_in_print, surprises
from halfpoint.inference.forecast import forecast
from halfpoint.models.games.errors import HalfpointError


@pytest.fixture(scope="module")
def club():
    return hp.rate(hp.load("club"), method="normal", draws=500, chains=2)


@pytest.fixture(scope="module")
def moving():
    return hp.rate(hp.load("football"), model="davidson-walk", method="normal", draws=300, chains=2)


@pytest.mark.cases(2)
@pytest.mark.parametrize("kind", ["list", "pairs", "places", "games"])
def test_axes_are_taken_and_given_back(club, kind):
    axes = Figure().add_subplot()
    assert club.plot(kind, ax=axes) is axes
    assert "SIMULATED" in axes.get_title()
    assert axes.get_xlabel()
    assert club.plot(kind)._repr_png_()[:4] == b"\x89PNG"
    assert hp.plot(club.trace, kind, players="Ash, Nora", games=club.selection.games).get_title()


def test_the_list_is_drawn_where_it_says(club):
    axes = club.plot("list", most=5)
    assert [label.get_text() for label in axes.get_yticklabels()] == club.frame["player"].tolist()[:5]
    drawn = axes.lines[0].get_xdata()
    assert np.asarray(drawn) == pytest.approx(club.frame["rating_elo"].to_numpy()[:5])


def test_cells_are_the_shares_of_draws(club):
    best = club.frame["player"].tolist()
    ratings = club.trace["posterior"].to_dataset()["rating_elo"]
    places = club.plot("places").images[0].get_array()
    assert places[0, 0] == pytest.approx(club.frame["best_percent"].iloc[0])
    assert np.asarray(places).sum(axis=1) == pytest.approx(100.0)
    pairs = club.plot("pairs").images[0].get_array()
    stronger = float((ratings.sel(player=best[0]) > ratings.sel(player=best[1])).mean())
    assert pairs[0, 1] == pytest.approx(100.0 * stronger)


def test_time_is_drawn_of_all_and_in_colour_of_some(moving):
    axes = moving.plot("time", players=["Dunmere", "harrowick"])
    named = [line.get_label() for line in axes.lines if not line.get_label().startswith("_")]
    assert named == ["Dunmere", "Harrowick"]
    assert len(axes.lines) == 10
    assert len(axes.collections) == 2


def test_a_players_games_are_theirs_and_sum_to_what_is_said(club):
    axes = club.plot("games", players="Pine, Karl")
    games = hp.load("club")
    mine = (games.white_names == "Pine, Karl") | (games.black_names == "Pine, Karl")
    assert f"Pine, Karl: {mine.sum()} games" in axes.get_title()
    gained = float(axes.get_title().partition("games, ")[2].partition(" ")[0])
    assert abs(gained) < 3.0  # the list has learned from these games


@pytest.mark.parametrize(
    ("words", "message"),
    [(("time",), "strengths that walk"), (("pie",), "kind: expected list"), (("games", None, "Nobody"), "'Nobody'")],
)
def test_what_cannot_be_drawn_is_said(club, words, message):
    with pytest.raises(HalfpointError, match=message):
        club.plot(*words)


def test_a_surprise_is_a_result_or_a_worse_one_for_the_side_that_scored_less(club):
    games = club.selection.games
    frame = surprises(club.trace, games, len(games))
    loss, draw, win = forecast(club.trace, games).probability.mean(axis=(1, 2))
    favoured = loss + draw / 2 < 0.5
    by_game = {}
    for k in range(len(games)):
        chance = (loss[k], (loss[k] if favoured[k] else win[k]) + draw[k], win[k])[games.outcome[k]]
        by_game.setdefault(f"{games.white_names[k]} – {games.black_names[k]}", []).append(100 * chance)
    listed = {game: sorted(rows["chance_percent"]) for game, rows in frame.groupby("game")}
    assert {*listed} == {*by_game}
    for game, chances in by_game.items():
        assert listed[game] == pytest.approx(sorted(chances), abs=2.0)  # fewer draws of the posterior in the list
    assert frame["chance_percent"].is_monotonic_increasing


def test_surprises_have_the_goals_of_the_file(moving):
    games = hp.load("football")
    frame = surprises(moving.trace, games, len(games))
    goals = {
        (f"{games.white_names[k]} – {games.black_names[k]}", str(games.date[k])): tuple(
            int(games.covariates[name][k]) for name in ("white_goals", "black_goals")
        )
        for k in range(len(games))
    }
    for game, day, result in frame[["game", "day", "result"]].to_numpy().tolist():
        assert tuple(map(int, result.split(" – "))) == goals[game, day]


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ({"White": ["A", "B", "A"], "Black": ["B", "A", "B"], "Result": ["1-0", "0-1", "1/2-1/2"]},
         ["1 – 0", "0 – 1", "½ – ½"]),
        ({"home": ["A", "B", "A"], "away": ["B", "A", "B"], "result": ["H", "A", "D"]},
         ["Home wins", "Away wins", "draw"]),
        ({"winner": ["A", "B"], "loser": ["B", "A"]}, ["First wins", "First wins"]),
        ({"home": ["A", "B"], "away": ["B", "A"], "home_goals": [1, 3], "away_goals": [2, 3], "result": ["A", "D"]},
         ["1 – 2", "3 – 3"]),
    ],
)  # fmt: skip
def test_results_are_printed_as_their_sport_does(columns, expected):
    assert results_in_print(hp.read(pd.DataFrame(columns))) == expected


def test_goals_that_do_not_decide_have_the_result_beside(moving):
    games = hp.load("football").take([0, 1, 2])
    level = dict(games.covariates) | {name: np.array([1.0, 2.0, np.nan]) for name in ("white_goals", "black_goals")}
    won = replace(games, covariates=level, score=np.array([1.0, 0.5, 0.0]))
    assert results_in_print(won) == ["1 – 1, Home wins", "2 – 2", "Away wins"]
