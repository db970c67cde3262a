"""Performances by event, intervals compared with a closed form, and title norms with FIDE's table."""

import numpy as np
import pymc as pm
import pytest
from rating_games import simulated, table
from scipy.stats import beta

from halfpoint.apps.fields.office.event_interval import EventModel, event_model, event_rating
from halfpoint.apps.fields.office.performances import performances, read_titles
from halfpoint.apps.fields.office.title_norms import NORMS, norm_of
from halfpoint.inference.fit import fit
from halfpoint.models import davidson
from halfpoint.models.declaration.catalogue import declare, find
from halfpoint.models.declaration.posterior_reader import Reading
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.select import select
from halfpoint.models.games.units import ELO_PER_NATURAL, to_natural
from halfpoint.models.reading.reads import Reads
from halfpoint.models.reading.traits import Traits

GM, IM, WGM, WIM = NORMS


def scores(points, games=9):
    """Scores with a number of points in a number of games."""
    whole = int(points)
    return np.array([1.0] * whole + [0.5] * round(2 * (points - whole)) + [0.0] * games)[:games]


@pytest.mark.parametrize(("points", "mean"), [
    (7, 2380), (6.5, 2434), (6, 2475), (5.5, 2520), (5, 2557), (4.5, 2600), (4, 2643),
])  # fmt: skip
def test_fides_table_of_points_for_a_nine_game_grandmaster_norm(points, mean):
    """Least mean of the opponents for each score, from the table of the Title Regulations (1.7)."""
    assert norm_of(GM, np.full(9, float(mean)), scores(points)).holds
    assert not norm_of(GM, np.full(9, mean - 1.0), scores(points)).holds


@pytest.mark.parametrize(("points", "mean"), [(7, 2230), (6, 2325), (5, 2407), (4.5, 2450)])
def test_fides_table_of_points_for_an_international_masters_norm(points, mean):
    assert norm_of(IM, np.full(9, float(mean)), scores(points)).holds
    assert not norm_of(IM, np.full(9, mean - 1.0), scores(points)).holds


def test_what_else_a_norm_asks_for():
    strong, score = np.full(9, 2500.0), scores(6)
    assert norm_of(GM, strong[:8], scores(6, 8)).missed == ("9 games",)
    low = np.array([1500.0, 1600.0, *[2600.0] * 7])
    # the lowest of 1500 and 1600 counts 2200, the other one as it is: 22000 / 9 = 2444
    assert norm_of(GM, low, score).opponents_elo == 2444.0
    assert norm_of(GM, np.array([np.nan] * 2 + [2600.0] * 7), score).opponents_elo == np.floor(21800 / 9 + 0.5)
    titles = ["GM", "GM", "GM", "IM", "FM", "", "", "", ""]
    assert norm_of(GM, strong, score, titles).holds
    assert norm_of(GM, strong, score, ["GM", "GM", "IM", "IM", "FM", "", "", "", ""]).missed == (
        "3 opponents with the title GM",
    )
    assert "half of the opponents titled" in norm_of(GM, strong, score, ["GM"] * 3 + ["CM"] * 6).missed
    mixed = ["ESP", "ESP", "ESP", "ESP", "BRA", "FRA", "FRA", "ITA", "GER"]
    assert norm_of(GM, strong, score, titles, mixed, "BRA").holds
    assert norm_of(GM, strong, score, titles, ["BRA"] * 6 + mixed[:3], "BRA").missed == (
        "opponents of two other federations", "a mix of federations",
    )  # fmt: skip


@pytest.mark.parametrize(("won", "lost"), [(3, 2), (6, 1), (1, 8)])
def test_an_interval_against_equal_opponents_is_a_beta(won, lost):
    """Flat in R, won and lost: the expected score p has the density p^(w-1) (1-p)^(l-1), so that p is Beta(w, l)."""
    names = ["player", "opponent"]
    draws = 3
    reading = Reading(
        "bt-population-even", Traits(pooled=True), Reads(), "bradley_terry",
        {"strength": np.tile(to_natural(np.array([9999.0, 1500.0])), (draws, 1)), "strength_mean": np.zeros(draws),
         "strength_spread": np.ones(draws)},
        np.array(names), given=find("bt-population-even"),
    )  # fmt: skip
    model = EventModel(reading, np.zeros(draws), np.full(draws, ELO_PER_NATURAL), reading.p["strength"])
    count = won + lost
    whites = [names[game % 2] for game in range(count)]
    score = np.array([1.0] * won + [0.0] * lost)
    games = table(whites, [names[1 - game % 2] for game in range(count)],
                  [s if white == "player" else 1.0 - s for s, white in zip(score, whites, strict=True)])  # fmt: skip
    found = event_rating(model, games, "player")
    ends = beta(won, lost).ppf([0.025, 0.975])
    expected = 1500.0 + 400.0 * np.log10(ends / (1.0 - ends))
    inside = np.abs(expected - 1500.0) < 700.0  # the prior ends at 1,000
    np.testing.assert_allclose(np.array([found["low_elo"], found["high_elo"]])[inside], expected[inside], atol=2.0)
    assert found["low_elo"] < found["model_elo"] < found["high_elo"]


def event_games():
    """Two events: a double round robin of three rated players, and a game with an unrated player."""
    ratings = {"A": 2600.0, "B": 2500.0, "C": 2400.0, "D": np.nan}
    pairs = [
        ("A", "B", 1),
        ("B", "C", 0.5),
        ("C", "A", 0.5),
        ("B", "A", 0),
        ("C", "B", 0),
        ("A", "C", 1),
        ("A", "D", 1),
    ]
    white, black, score = zip(*pairs, strict=True)
    sides = {"white_rating_elo": [ratings[n] for n in white], "black_rating_elo": [ratings[n] for n in black]}
    return table(white, black, score, event=np.array(["Round robin"] * 6 + ["Match"]), **sides)


def test_performances_by_hand():
    answer = performances(event_games())
    found = answer.frame
    rows = found.set_index(["event", "player"])
    mine = rows.loc[("Round robin", "A")]
    assert (mine["games"], mine["points"], mine["opponents_mean_elo"]) == (4, 3.5, 2450.0)
    assert mine["performance_fide_elo"] == 2450.0 + 336.0  # 3.5 of 4 is .875, rounded to .88
    assert mine["performance_400_elo"] == 2450.0 + 800.0 * (0.875 - 0.5)
    assert mine["performance_quantile_elo"] == pytest.approx(2450.0 + 400.0 * np.log10(7.0))
    assert rows.loc[("Match", "A"), "rated_games"] == 0
    assert np.isnan(rows.loc[("Match", "A"), "performance_fide_elo"])
    assert rows.loc[("Match", "D"), "opponents_mean_elo"] == 2600.0
    assert found[found["event"] == "Round robin"]["points"].sum() == 6.0
    assert "1 January 2024" in answer.note


@pytest.mark.further
def test_intervals_from_a_trace_narrow_with_games_and_agree_with_the_model():
    games, _ = simulated(47, players=12, games=1500, periods=3, draw=0.6)
    chosen = select(games, games.players)
    trace = fit(declare("davidson-rated", chosen), "normal", draws=300, chains=2, seed=1)
    model = event_model(trace, trace["posterior"]["rating_elo"])
    np.testing.assert_allclose(
        model.start[:, None] + model.slope[:, None] * model.reading.p["strength"],
        trace["posterior"]["rating_elo"].to_numpy().reshape(-1, 12)[:: 600 // len(model.start)],
        rtol=1e-6,
    )
    mine = games.take((games.white == 4) | (games.black == 4))
    few = event_rating(model, mine.take(np.arange(9)), games.players[4])
    many = event_rating(model, mine, games.players[4])
    assert 150 < few["high_elo"] - few["low_elo"] < 700
    assert many["high_elo"] - many["low_elo"] < 0.35 * (few["high_elo"] - few["low_elo"])
    table_ = performances(games, trace=trace, player=str(games.players[4])).frame
    assert (table_["low_elo"] < table_["model_elo"]).all()
    assert (table_["model_elo"] < table_["high_elo"]).all()
    rating = float(trace["posterior"]["rating_elo"].sel(player=games.players[4]).mean())
    assert many["low_elo"] < rating < many["high_elo"]


def skills(games, name="strength", shown=""):
    """Davidson's model with other names of strengths; a further variable has no effect on games."""
    with pm.Model(coords=games.coords) as model:
        skill = pm.Normal(name, 0.0, 0.7, dims="player")
        if shown:
            pm.Deterministic(shown, 1.0 * skill, dims="player")
        gain, draw = pm.Normal("gain", 0.0, 0.5), pm.Normal("draws", 0.0, 1.0)
        davidson(games, games.white(skill) + gain, games.black(skill), draw)
    return model


def skills_called_theta(games):
    """The same model under another name."""
    return skills(games, "theta")


def skills_shown(games):
    """Davidson's model with a variable `strength` that no side reads."""
    return skills(games, "theta", "strength")


def test_intervals_do_not_depend_on_the_names_of_variables():
    games, _ = simulated(47, players=5, games=200, periods=1, draw=0.4)
    mine, found = games.take((games.white == 2) | (games.black == 2)).take(np.arange(9)), []
    for function in (skills, skills_called_theta, skills_shown):
        trace = fit(declare(function, select(games, games.players)), "normal", draws=100, chains=2, seed=1)
        found.append(event_rating(event_model(trace, trace["posterior"]["rating_elo"]), mine, games.players[2]))
    assert 100 < found[0]["high_elo"] - found[0]["low_elo"] < 900
    assert found[1] == pytest.approx(found[0], abs=0.01)
    assert found[2] == pytest.approx(found[0], abs=0.01)


def test_mistakes_are_named(tmp_path):
    bare = table(["A"], ["B"], [1], white_rating_elo=np.nan, black_rating_elo=np.nan)
    with pytest.raises(GameTableError, match="ratings printed with the games"):
        performances(bare)
    with pytest.raises(GameTableError, match="ratings printed with the games"):
        performances(table(["A"], ["B"], [1]))
    with pytest.raises(GameTableError, match="--event: expected an event of the file"):
        performances(event_games(), event="Linares")
    file = tmp_path / "titles.csv"
    file.write_text("player,title,federation\nA,gm,BRA\nB\n", encoding="utf-8")
    with pytest.raises(GameTableError, match="line 3: expected player,title,federation"):
        read_titles(file, event_games())
