"""Forecast, match, season, tournament and markets of one trace give the same probability of a game."""

import numpy as np
import pandas as pd
import pytest

from halfpoint.apps import workflows
from halfpoint.apps.fields import football
from halfpoint.models.games.errors import GameTableError, HalfpointError

CLUBS = [f"Club {k}" for k in range(6)]
HOME, AWAY = CLUBS[1], CLUBS[4]
SIMULATIONS = 20_000


def league():
    """Two seasons of goals of six clubs, the last game on 2 June 2024."""
    rng = np.random.default_rng(5)
    pairs = [(home, away) for home in CLUBS for away in CLUBS if home != away] * 4
    apart = 0.4 + np.array([0.3 * (CLUBS.index(away) - CLUBS.index(home)) for home, away in pairs])
    goals = rng.poisson(1.25 * np.exp(np.stack([apart, -apart]) / 2.0))
    days = pd.Timestamp("2024-06-02") - pd.to_timedelta(5 * np.arange(len(pairs))[::-1], unit="D")
    home, away = zip(*pairs, strict=True)
    columns = {"date": days, "home": home, "away": away, "home_goals": goals[0], "away_goals": goals[1]}
    return pd.DataFrame(columns)


@pytest.fixture(scope="module", params=["goals-matched-walk", "davidson-matched-walk"])
def trace(request):
    return workflows.rate(league(), model=request.param, method="normal", draws=200, chains=2).trace


@pytest.mark.cases(1)
def test_five_commands_give_one_probability_of_one_game(trace):
    game = pd.DataFrame({"home": [HOME], "away": [AWAY], "date": ["2024-06-02"]})
    told = workflows.forecast(trace, game).frame.iloc[0]
    win, draw, loss = (told[f"{name}_percent"] for name in ("win", "draw", "loss"))
    assert win + draw + loss == pytest.approx(100.0)
    markets = football.football_markets(trace, game, handicaps=(-0.5, 0)).frame.iloc[0]
    shown = [markets[f"{name}_percent"] for name in ("home_win", "draw", "away_win")]
    assert shown == pytest.approx([win, draw, loss], abs=1e-9)
    assert markets["handicap_-0.5_percent"] == pytest.approx(win, abs=1e-9)
    assert markets["handicap_0_returned_percent"] == pytest.approx(draw, abs=1e-9)
    alone = workflows.forecast(trace, white=HOME, black=AWAY).frame.iloc[0]
    assert alone["win_percent"] == pytest.approx(win, abs=1e-9)
    match = workflows.match(trace, HOME, AWAY, colours="home").frame["probability_percent"]
    assert match.tolist() == pytest.approx([loss, draw, win], abs=1e-9)
    # simulated: within four standard errors of a mean
    season = workflows.season(trace, [HOME, AWAY], fixtures=game, simulations=SIMULATIONS).frame
    points = season.set_index("club")["points"]
    for club, won in {HOME: win, AWAY: loss}.items():
        mean = (3.0 * won + draw) / 100.0
        error = np.sqrt((9.0 * won + draw) / 100.0 - mean**2) / np.sqrt(SIMULATIONS)
        assert abs(points[club] - mean) < 4.0 * error
    table = workflows.tournament(trace, [HOME, AWAY], double=True, simulations=SIMULATIONS).frame
    back = workflows.match(trace, AWAY, HOME, colours="home").frame["probability_percent"].to_numpy()
    both = (win + draw / 2.0 + back[0] + back[1] / 2.0) / 100.0  # at home and away
    assert abs(table.set_index("club")["points"][HOME] - both) < 4.0 * np.sqrt(2.0 * 0.25 / SIMULATIONS)


def test_games_that_a_side_wins_every_second_time_are_not_even(trace):
    pairs = [(home, away) for home in CLUBS for away in CLUBS if home != away]
    games = pd.DataFrame(pairs, columns=["home", "away"])
    frame = football.football_markets(trace, games).frame
    from_half = (frame[["home_win_percent", "away_win_percent"]] - 50.0).abs().to_numpy()
    nearest, seat = divmod(int(from_half.argmin()), 2)
    answer = football.football_markets(trace, games.iloc[[nearest, nearest]]).about["answer"]
    team, opponent = pairs[nearest][:: -1 if seat else 1]
    assert from_half.min() < 2.0
    assert answer.startswith(f"2 games. The surest is {team} against {opponent}")


def tour():
    """Matches of six players in sets on two surfaces, best of three and of five, in one summer."""
    rng = np.random.default_rng(8)
    count = 400
    white = rng.integers(0, 6, count)
    black, long = (white + rng.integers(1, 6, count)) % 6, rng.integers(0, 2, count)
    lead = 8.0 * (black - white) + rng.normal(0.0, 25.0, count)
    won = np.where(lead > 0.0, white, black), np.where(lead > 0.0, black, white)
    lost = np.clip(np.rint(5.0 - 0.1 * np.abs(lead)), 0, 4).astype(int)
    return pd.DataFrame({
        "date": pd.Timestamp("2024-05-02") + pd.to_timedelta(np.arange(count) // 5, unit="D"),
        "winner": np.array(CLUBS)[won[0]], "loser": np.array(CLUBS)[won[1]],
        "score": [" ".join([f"6-{games}"] * (2 + sets)) for games, sets in zip(lost, long, strict=True)],
        "surface": np.where(rng.integers(0, 2, count), "Clay", "Hard"), "best_of": 3 + 2 * long,
    })  # fmt: skip


@pytest.fixture(scope="module")
def trace_of_sets():
    model = "sets with strength ~ (1 | player:surface)"
    return workflows.rate(tour(), model=model, method="normal", draws=200, chains=2).trace


def test_columns_of_a_match_count_in_forecasts_and_in_seasons(trace_of_sets):
    first, second = CLUBS[:2]
    game = pd.DataFrame({"date": "2024-09-01", "white": [first], "black": [second], "surface": "Clay", "best_of": 5.0})
    expected = workflows.forecast(trace_of_sets, game).frame["expected_percent"].iloc[0] / 100.0
    season = workflows.season(trace_of_sets, [first, second], fixtures=game, simulations=SIMULATIONS)
    points = season.frame.set_index("player")["points"]
    assert abs(points[first] / 3.0 - expected) < 4.0 * np.sqrt(0.25 / SIMULATIONS)
    assert "best_of" not in season.about["note"]  # which the fixtures have
    bare = workflows.season(trace_of_sets, [first, second], fixtures=game.drop(columns="best_of"), simulations=100)
    assert "Games have best_of = " in bare.about["note"]
    with pytest.raises(HalfpointError, match=r"expected a column 'surface'.* Add the column"):
        workflows.season(trace_of_sets, [first, second], fixtures=game.drop(columns="surface"))


def test_players_alone_have_one_chance_in_every_command_and_means_of_columns(trace_of_sets):
    first, second = CLUBS[:2]
    alone = workflows.forecast(trace_of_sets, white=first, black=second)
    match = workflows.match(trace_of_sets, first, second)
    win = match.frame["probability_percent"].iloc[-1]
    assert alone.frame["expected_percent"].iloc[0] == pytest.approx(win, abs=1e-9)
    assert "Games have best_of = " in alone.about["note"]
    assert "Games have best_of = " in match.about["note"]
    for note in (alone.about["note"], match.about["note"]):
        assert "Strengths are overall; forecast uses those by surface for games with this column." in note
    season = workflows.season(trace_of_sets, [first, second], simulations=SIMULATIONS).frame.set_index("player")
    assert abs(season["points"][first] / 6.0 - win / 100.0) < 4.0 * np.sqrt(0.125 / SIMULATIONS)


def test_a_trace_without_its_games_names_the_command_that_rates_all(trace_of_sets):
    with pytest.raises(GameTableError, match=r"of sets .* without its games.*: halfpoint rate FILE FILE\."):
        workflows.update(trace_of_sets, tour().tail(3))


@pytest.mark.parametrize("games", [0, -1, 2.5, None, "two", 10**9])
def test_a_wrong_number_of_games_is_refused(games):
    with pytest.raises(GameTableError, match="--games: expected a whole number from 1 to 1,000, found"):
        workflows.match("trace.nc", HOME, AWAY, games=games)
