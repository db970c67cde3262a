"""Goals of a file in its list: used if they improve forecasts, reported in one line, and left out on request."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from halfpoint.apps import workflows
from halfpoint.apps.workflows.facts import _BY_GOALS, with_facts
from halfpoint.evaluation.worth_of_goals import MOST
from halfpoint.models.declaration.catalogue import declare, find
from halfpoint.models.declaration.outline import outline_of
from halfpoint.models.formulas.by_name import formula_named
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.select import select
from halfpoint.models.games.winners_first import seats_drawn
from halfpoint.readers.read import read

PLAYERS = [f"Player {k:02d}" for k in range(30)]
CLUBS = [f"Club {k:02d}" for k in range(12)]


def season(rounds=3, shuffled=False, seed=4):
    """Goals of clubs of very different strength, a game every second day; `shuffled` among games of the same result."""
    rng = np.random.default_rng(seed)
    pairs = [(one, other) for one in range(12) for other in range(12) if one != other]
    white, black = rng.permutation(np.array(pairs * rounds)).T
    strength = np.linspace(-1.2, 1.2, 12)
    apart = 0.3 + strength[white] - strength[black]
    home, away = rng.poisson(1.25 * np.exp(np.stack([apart, -apart]) / 2.0))
    if shuffled:
        for result in (-1, 1):
            games = np.flatnonzero(np.sign(home - away) == result)
            order = rng.permutation(games)
            home[games], away[games] = home[order], away[order]
    days = pd.Timestamp("2022-08-01") + pd.to_timedelta(2 * np.arange(white.size), unit="D")
    names = np.array(CLUBS)
    columns = {"date": days, "home": names[white], "away": names[black], "home_goals": home, "away_goals": away}
    return pd.DataFrame(columns)


def chosen(frame, name="davidson-matched-walk"):
    games = read(frame)
    row, _, line = with_facts(name, select(games, games.people))
    return row, line


def test_goals_are_used_where_they_forecast_the_files_own_games_better():
    row, line = chosen(season())
    assert row == "goals-matched-walk"
    assert line.startswith("facts: goals are used: on 346 held-out games of the file they improve forecasts by +0.")
    assert "--facts none leaves them out" in line
    assert chosen(season(), "davidson-matched")[0] == "goals-matched"
    assert chosen(season(), "davidson-matched-yearly-walk")[0] == "goals-matched-yearly-walk"


def test_goals_that_say_nothing_are_not_used_and_the_line_says_so():
    row, line = chosen(season(shuffled=True))
    assert row == "davidson-matched-walk"
    assert line.startswith("facts: goals are not used: ")
    assert "--model goals-matched-walk uses them" in line


def test_files_that_have_no_trial():
    whole = season()
    assert chosen(whole.head(299)) == ("davidson-matched-walk", "")
    assert chosen(whole, "davidson-rated-matched") == ("davidson-rated-matched", "")
    result = np.array(["0-1", "1/2-1/2", "1-0"])[1 + np.sign(whole["home_goals"] - whole["away_goals"])]
    plain = whole.drop(columns=["home_goals", "away_goals"]).assign(result=result)
    assert chosen(plain) == ("davidson-matched-walk", "")


@pytest.mark.further
def test_shots_that_cannot_be_tried_are_reported_and_constant_shots_are_no_shots():
    whole = season()
    shots = {"home_shots": 10 + whole["home_goals"], "away_shots": 10 + whole["away_goals"]}
    assert "shots are" in chosen(whole.assign(**shots))[1]
    assert "shots" not in chosen(whole.assign(home_shots=10, away_shots=10))[1]
    decided = whole[whole["home_goals"] != whole["away_goals"]].assign(**shots)
    assert chosen(decided, "bt-matched-walk")[1].endswith("; shots are not tried, since no game is drawn")
    assert "shots" not in chosen(decided.drop(columns=[*shots]), "bt-matched-walk")[1]


def test_margins_that_some_games_lack_are_not_tried_and_the_line_says_so():
    whole = season()
    result = np.array(["0-1", "1/2-1/2", "1-0"])[1 + np.sign(whole["home_goals"] - whole["away_goals"])]
    some = whole.astype({"home_goals": object}).assign(result=result)
    some.loc[3:5, "home_goals"] = ""
    line = "facts: goals or margins are not tried, since 3 games lack them"
    assert chosen(some) == ("davidson-matched-walk", line)


def test_draws_that_all_latest_games_or_none_are():
    level = season()
    level["away_goals"] = level["home_goals"]
    games = read(level, trust=True)
    row, _, line = with_facts("davidson-matched", select(games, games.people))
    assert (row, line) == ("davidson-matched", "")
    long = season(rounds=16)
    late = np.arange(len(long)) >= len(long) - MOST
    long["home_goals"] += (late & (long["home_goals"] == long["away_goals"])).astype(int)
    assert chosen(long)[1].startswith("facts: goals are ")


@pytest.mark.further
def test_the_list_of_a_file_with_goals_and_without_its_facts():
    lines = []
    rated = workflows.rate(season(), draws=100, chains=2, say=lines.append)
    assert rated.about["model"] == "goals-matched-walk"
    assert sum(line.startswith("facts: goals are used") for line in lines) == 1
    assert "goals are used" in rated.about["account"]
    assert rated.frame["club"].iloc[0] == CLUBS[-1]
    assert rated.frame["rating_elo"].mean() == pytest.approx(1500.0, abs=1.0)  # the scale of every list
    with pytest.raises(GameTableError, match=r"--facts: expected auto \| none, found 'all'"):
        workflows.rate(season(), facts="all")
    plain = workflows.rate(season(), draws=100, chains=2, facts="none")
    assert plain.about["model"] == "davidson-matched-walk"
    apart = rated.frame.set_index("club")["rating_elo"] - plain.frame.set_index("club")["rating_elo"]
    sd = np.hypot(rated.frame.set_index("club")["sd_elo"], plain.frame.set_index("club")["sd_elo"])
    assert (np.abs(apart) < 3.0 * sd).all()


def test_a_trace_of_goals_takes_further_games_and_their_goals():
    games = season()
    trace = workflows.rate(games.head(380), model="goals-matched", method="normal", draws=100, chains=2).trace
    updated = workflows.update(trace, games.tail(16))
    assert updated.attrs["games"] == 396
    products = (games["home_goals"] * games["away_goals"]).to_numpy()
    assert trace.attrs["goals_product"] == pytest.approx(products[:380].mean())
    whole = workflows.rate(games, model="goals-matched", method="normal", draws=100, chains=2).trace
    apart = updated["posterior"]["rating_elo"] - whole["posterior"]["rating_elo"].mean(("chain", "draw"))
    sd = whole["posterior"]["rating_elo"].std(("chain", "draw"))
    assert float(np.abs(apart.mean(("chain", "draw")) / sd).max()) < 0.5  # errors of 200 draws


def test_each_row_that_may_use_goals_has_its_row_of_goals():
    for name, row in _BY_GOALS.items():
        assert find(row).name.startswith("goals" if name.startswith("davidson") else "points")
        assert outline_of(find(row)).traits.walks == outline_of(find(name)).traits.walks
        assert (find(row).parameters["met"] is None) == ("-mixed" in name)


def tour(count=1_200, shuffled=False, seed=3):
    """Matches of players of known strengths on two surfaces over two seasons, with sets, ages and rankings."""
    rng = np.random.default_rng(seed)
    strength, here = np.linspace(-25.0, 25.0, 30), rng.normal(0.0, 12.0, (30, 2))
    white = rng.integers(0, 30, count)
    black, surface = (white + rng.integers(1, 30, count)) % 30, rng.integers(0, 2, count)
    apart = strength[white] - strength[black] + here[white, surface] - here[black, surface]
    lead = apart + rng.normal(0.0, 25.0, count)
    won = np.where(lead > 0.0, white, black), np.where(lead > 0.0, black, white)
    games = np.clip(np.round(12.0 - 0.24 * np.abs(lead)), 0.0, 11.0).astype(int)  # of 24 at most that losers win
    games = rng.permutation(games) if shuffled else games
    rank = np.argsort(np.argsort(-strength)) + 1
    first = np.minimum(games // 2, 4)
    return pd.DataFrame({
        "date": pd.Timestamp("2021-01-04") + pd.to_timedelta(np.arange(count) * 700 // count, unit="D"),
        "winner": np.array(PLAYERS)[won[0]], "loser": np.array(PLAYERS)[won[1]],
        "score": [f"6-{one} 6-{min(other, 4)}" for one, other in zip(first, games - first, strict=True)],
        "surface": np.array(["Clay", "Hard"])[surface],
        "winner_rank": rank[won[0]], "loser_rank": rank[won[1]], "best_of": 3,
    })  # fmt: skip


def test_leads_in_sets_are_used_where_they_forecast_the_files_own_matches_better():
    lines = []
    rated = workflows.rate(tour(), draws=200, chains=2, say=lines.append)
    assert rated.about["model"] == "sets-yearly-walk with strength ~ (1 | player:surface)"
    [line] = [line for line in lines if line.startswith("facts:")]
    assert line.startswith("facts: leads in sets, surfaces")
    assert "held-out games of the file they improve forecasts by +0." in line
    assert "strengths walk by years" in " ".join(lines)
    place = {name: number for number, name in enumerate(PLAYERS)}
    order = [place[name] for name in rated.frame["player"]]
    assert stats.spearmanr(order, np.arange(30)).statistic < -0.8  # surfaces blur it
    game = pd.DataFrame({"date": ["2023-02-01"], "white": PLAYERS[:1], "black": PLAYERS[-1:], "surface": ["Clay"]})
    forecast = workflows.forecast(rated.trace, game.assign(best_of=3.0)).frame
    assert forecast["expected_percent"].iloc[0] < 25.0


def test_a_list_of_one_season_does_not_say_that_strengths_walk():
    seasons, lines = tour(), []
    first = seasons[seasons["date"].dt.year == seasons["date"].dt.year.min()]
    rated = workflows.rate(first, say=lines.append)
    assert rated.about["model"].startswith("sets with ")
    assert "strengths are constant" in " ".join(lines)
    assert "walk" not in " ".join(line for line in lines if line.startswith("model sets"))


@pytest.mark.further
def test_leads_that_say_nothing_are_not_used_and_files_without_sets_have_no_trial():
    games = seats_drawn(read(tour(shuffled=True), about=("surface",)))
    row, _, line = with_facts("bt-matched-walk", select(games, games.people))
    assert row == "bt-matched-walk"
    assert line.startswith("facts: leads in sets are not used: ")
    assert "--model sets-yearly-walk uses them" in line
    plain = seats_drawn(read(tour().drop(columns="score")))
    assert with_facts("bt-matched-walk", select(plain, plain.people))[::2] == ("bt-matched-walk", "")
    assert workflows.rate(tour().head(400), draws=100, chains=2, facts="none").about["model"].startswith("bt-")


def points(rounds=4, seed=2):
    """Points of clubs that are far apart, a game every second day, none level."""
    frame, rng = season(rounds, seed=seed), np.random.default_rng(seed)
    place = {name: number for number, name in enumerate(CLUBS)}
    strength = np.linspace(-8.0, 8.0, 12)
    apart = strength[frame["home"].map(place)] - strength[frame["away"].map(place)]
    margin = np.rint(2.0 + apart + rng.normal(0.0, 14.0, len(frame))).astype(int)
    columns = {"home_points": 90 + np.where(margin == 0, 1, margin), "away_points": 90}
    return frame.drop(columns=["home_goals", "away_goals"]).assign(**columns)


def test_margins_of_games_without_draws_are_used_with_the_spread_of_goals():
    row, line = chosen(points(6), "bt-matched-walk")
    assert row == "points-matched-walk"
    assert line.startswith("facts: margins are used: on ")
    games = read(points(2))
    scale = 1.8 / np.sqrt(np.mean(games.margin**2))
    scaled = replace(games, covariates={**games.covariates, "margin": games.margin * scale})
    one, other = (margins_of_row(name, table) for name, table in (("points-matched", games), ("goals-matched", scaled)))
    np.testing.assert_allclose(one, other, atol=1e-9)
    trace = workflows.rate(points(2), model="points-matched", method="normal", draws=100, chains=2).trace
    assert formula_named(str(trace.attrs["family"])).draws is False
    better = workflows.forecast(trace, pd.DataFrame({"white": [CLUBS[-1]], "black": [CLUBS[0]]})).frame
    assert better["expected_percent"].iloc[0] > 70.0


def margins_of_row(name, games):
    """Margins as a row of goals sees them, in order."""
    declared = declare(name, select(games, games.people))
    return np.sort(declared.rows.margin)


@pytest.mark.parametrize("days", ["none", "one"])
def test_files_without_an_earlier_day_have_no_trial(days):
    for frame, name, row in ((season(), "davidson-matched", "goals-matched"), (tour(), "bt-matched-even", "sets")):
        timeless = frame.drop(columns="date") if days == "none" else frame.assign(date="2022-01-01")
        games = seats_drawn(read(timeless)) if row == "sets" else read(timeless)
        chosen_row, _, line = with_facts(name, select(games, games.people))
        assert chosen_row == name
        assert line.endswith(f"are not tried, since no game is later than another (--model {row} uses them)")


def test_columns_that_some_games_lack_are_reported():
    frame = tour().assign(best_of=3.0, winner_age=25.0, loser_age=27.0)
    frame.loc[::4, "surface"], frame.loc[::6, "best_of"], frame.loc[:1, "winner_age"] = "", np.nan, np.nan
    for missing, lost in ((True, "surface is not used, since 300 games lack it; best_of is not used"), (False, "")):
        games = seats_drawn(read(frame if missing else tour(), about=("surface",)))
        row, _, line = with_facts("bt-matched-walk", select(games, games.people))
        assert ("surface" in row) is not missing
        assert lost in line
        assert ("white_age is not used" in line or "black_age is not used" in line) is missing
        assert ("not used, since" in line) is missing


def test_surfaces_that_differ_in_case_are_reported():
    frame = tour()
    frame.loc[::3, "surface"] = frame.loc[::3, "surface"].str.lower()
    games = seats_drawn(read(frame, about=("surface",)))
    line = with_facts("bt-matched-walk", select(games, games.people))[2]
    assert line.endswith("; spellings of surfaces are separate: Clay, Hard, clay, hard")


def test_a_weight_that_games_do_not_determine_is_no_number():
    frame = tour(400).assign(loser="Nobody")  # who loses every match
    frame["winner"] = np.where(frame["winner"] == "Nobody", PLAYERS[0], frame["winner"])
    games = seats_drawn(read(frame))
    line = with_facts("bt-matched-walk", select(games, games.people))[2]
    assert "with an uncertain weight in a pool" in line


def test_lists_have_margins_in_points_and_leads_in_percent():
    frame = points(6)
    rated = workflows.rate(frame, model="points-matched", method="normal", draws=500, chains=2)
    strength = dict(zip(CLUBS, np.linspace(-8.0, 8.0, 12), strict=True))
    truth = rated.frame["club"].map(strength)
    assert np.polyfit(truth, rated.frame["margin"], 1)[0] == pytest.approx(1.0, abs=0.25)  # of 792 games of spread 14
    advantage, width = map(float, re.findall(r"(?<=is )\d+\.\d+", rated.about["margins"]))
    assert advantage == pytest.approx(2.0, abs=4.0 * 14.0 / np.sqrt(792))
    assert width == pytest.approx(14.0, abs=4.0 * 14.0 / np.sqrt(2 * 792))
    sets_frame = tour(400)
    lead = read(sets_frame).covariates["lead_percent"]
    of_sets = workflows.rate(sets_frame, model="sets", method="normal", draws=100, chains=2)
    assert of_sets.about["margins"].startswith("In percent of the games of all sets: ")
    width = float(re.search(r"of a game is (\d+\.\d+)", of_sets.about["margins"])[1])
    assert width == pytest.approx(np.exp(3.22) * np.sqrt(np.mean(lead**2)) / 29.9, abs=0.01)  # known in units of tennis


def test_an_update_of_margins_has_the_scale_of_all_games():
    frame = points(2)
    close = pd.DataFrame({"date": [frame["date"].max()], "home": [CLUBS[-1]], "away": [CLUBS[0]],
                          "home_points": [91], "away_points": [90]})  # by one point, against 18 expected  # fmt: skip
    settings = {"model": "points-matched", "method": "normal", "draws": 4000, "chains": 2}
    trace = workflows.rate(frame, **settings).trace
    whole = workflows.rate(pd.concat([frame, close]), **settings).trace
    updated = workflows.update(trace, close)
    assert "reweighted" in updated.attrs["updated"]

    def apart(tree):
        ratings = tree["posterior"]["rating_elo"]
        return ratings.sel(player=CLUBS[-1]) - ratings.sel(player=CLUBS[0])

    before, after, expected = (float(apart(tree).mean()) for tree in (trace, updated, whole))
    error = float(apart(whole).std()) / np.sqrt(8000.0)
    assert before - expected > 10.0 * error
    assert after == pytest.approx(expected, abs=5.0 * error)


def test_leads_that_some_games_lack_are_not_tried():
    games = seats_drawn(read(tour()))
    lead = games.covariates["lead_percent"].copy()
    lead[::100] = np.nan  # as in a file that is read beside another without scores
    games = replace(games, covariates={**games.covariates, "lead_percent": lead})
    row, _, line = with_facts("bt-matched-walk", select(games, games.people))
    assert (row, line) == ("bt-matched-walk", "facts: leads in sets are not tried, since 12 games lack them")


def test_a_row_of_shots_needs_shots_and_says_what_its_spread_is_of():
    frame, rng = season(1), np.random.default_rng(5)
    lead = np.asarray(frame["home_goals"] - frame["away_goals"])
    frame = frame.assign(home_shots=12 + lead + rng.integers(0, 3, lead.size), away_shots=12)
    how = {"model": "shots-matched", "method": "normal", "draws": 200, "chains": 2}
    rated = workflows.rate(frame, **how)
    width = float(np.exp(rated.trace["posterior"]["log_width"]).mean())
    assert f"the standard deviation of a game's index of goals and shots is {width:.2f}" in rated.about["margins"]
    frame.loc[3, "away_shots"] = np.nan
    for call in (workflows.rate, workflows.fit):
        with pytest.raises(GameTableError, match=r"1 game without\. Use --model goals-matched\."):
            call(frame, **how)
