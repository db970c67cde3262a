"""Football markets and odds without margin, compared with penaltyblog 1.13.1 and enumeration, and the command."""

import json

import numpy as np
import pandas as pd
import pytest

from halfpoint.apps import workflows
from halfpoint.apps.fields import football
from halfpoint.models.games.errors import GameTableError, RatingSystemError
from halfpoint.readers.read import read
from halfpoint.systems.catalogue import system
from halfpoint.systems.dixon_coles import score_chances
from halfpoint.systems.odds import WITHOUT_MARGIN
from halfpoint.systems.score_markets import (
    both_score,
    clean_sheets,
    handicap,
    likeliest_scores,
    result_chances,
    totals,
)

# penaltyblog 1.13.1, calculate_implied: its own example and two others
IMPLIED = {
    (2.7, 2.3, 4.4): {
        "proportional": (0.35873804, 0.42112726, 0.22013470), "additive": (0.35956180, 0.42397404, 0.21646416),
        "power": (0.35917110, 0.42373075, 0.21709815), "shin": (0.35934392, 0.42324385, 0.21741223),
        "odds-ratio": (0.35881036, 0.42256142, 0.21862822),
    },
    (1.2, 7.0, 15.0): {
        "proportional": (0.79908676, 0.13698630, 0.06392694), "additive": (0.81904762, 0.12857143, 0.05238095),
        "power": (0.82204735, 0.12350871, 0.05444394), "shin": (0.81394968, 0.13049264, 0.05555768),
        "odds-ratio": (0.81392979, 0.12725535, 0.05881487),
    },
    (4.2, 3.7, 1.95): {
        "proportional": (0.23315560, 0.26466311, 0.50218129), "additive": (0.23103323, 0.26320826, 0.50575851),
        "power": (0.23114098, 0.26306409, 0.50579493), "shin": (0.23157196, 0.26357450, 0.50485354),
        "odds-ratio": (0.23200453, 0.26364130, 0.50435418),
    },
}  # fmt: skip
RATE, LOW = np.array([[1.6, 1.1]]), 0.0  # create_dixon_coles_grid(1.6, 1.1) of penaltyblog


@pytest.mark.parametrize("odds", IMPLIED)
def test_margins_are_taken_out_as_penaltyblog_does(odds):
    for method, expected in IMPLIED[odds].items():
        np.testing.assert_allclose(football.odds_chances(odds, method), expected, atol=2e-7)
    both = football.odds_chances([odds, odds[::-1]], "power")
    np.testing.assert_allclose(both[0], both[1][::-1], atol=1e-12)


@pytest.mark.parametrize("method", WITHOUT_MARGIN)
def test_fair_odds_stay_as_they_are_and_all_sum_to_one(method):
    fair = np.array([0.5, 0.3, 0.2])
    np.testing.assert_allclose(football.odds_chances(1 / fair, method), fair, atol=1e-9)
    generous = football.odds_chances(1.1 / fair, method)
    np.testing.assert_allclose(generous.sum(), 1.0)
    np.testing.assert_allclose(generous, fair, atol=1e-9)


def test_markets_of_a_grid_are_penaltyblogs():
    grid = score_chances(RATE, LOW)
    np.testing.assert_allclose(result_chances(grid)[0, ::-1], [0.4895735371, 0.2489109806, 0.2615154822], atol=1e-9)
    assert both_score(grid)[0] == pytest.approx(0.532437911, abs=1e-9)
    for line, expected in {  # under, returned, over
        2.5: (0.4936244911, 0.0, 0.5063755089), 2.0: (0.2486603971, 0.2449640939, 0.5063755089),
        2.75: (0.4936244911, 0.1102338423, 0.3961416666), 2.25: (0.3711424441, 0.1224820470, 0.5063755089),
    }.items():  # fmt: skip
        np.testing.assert_allclose(totals(grid, line)[0], expected, atol=1e-9)
    for line, expected in {  # lost, returned, won
        -0.5: (0.5104264629, 0.0, 0.4895735371), 0.0: (0.2615154822, 0.2489109806, 0.4895735371),
        -0.75: (0.5104264629, 0.1171810611, 0.3723924760), -1.0: (0.5104264629, 0.2343621222, 0.2552114149),
        0.25: (0.2615154822, 0.1244554903, 0.6140290274),
    }.items():  # fmt: skip
        np.testing.assert_allclose(handicap(grid, line)[0], expected, atol=1e-9)
    best, chance = likeliest_scores(grid, 2)
    assert best[0].tolist() == [[1, 1], [1, 0]]
    np.testing.assert_allclose(chance[0], [0.1182817024, 0.1075288204], atol=1e-9)
    np.testing.assert_allclose(clean_sheets(grid)[0], [0.2656655710, 0.1346910053], atol=1e-9)


def test_a_bet_is_settled_in_all_its_parts():
    grid = score_chances(np.array([[1.2, 2.1], [0.4, 0.4]]), 0.05)
    for line in np.arange(-3.0, 3.25, 0.25):
        for of in (totals, handicap):
            np.testing.assert_allclose(of(grid, float(line)).sum(axis=1), 1.0)
        np.testing.assert_allclose(handicap(grid, line), handicap(grid.transpose(0, 2, 1), -line)[:, ::-1])
    with pytest.raises(RatingSystemError, match=r"expected a multiple of a quarter goal, found 0\.3"):
        totals(grid, 0.3)


@pytest.fixture(scope="module")
def season(tmp_path_factory):
    """Simulated season in football-data's format, two games to come, and a trace of the season."""
    folder = tmp_path_factory.mktemp("season")
    rng = np.random.default_rng(3)
    names = [f"Club {k}" for k in range(8)]
    attack = dict(zip(names, np.linspace(0.5, -0.4, 8), strict=True))
    rows = []
    for turn, (home, away) in enumerate([(a, b) for a in names for b in names if a != b] * 2):
        day = np.datetime64("2023-08-01") + np.timedelta64(3 * turn, "D")
        goals = rng.poisson(1.4 * np.exp(attack[home])), rng.poisson(1.1 * np.exp(attack[away]))
        result = "H" if goals[0] > goals[1] else "A" if goals[0] < goals[1] else "D"
        rows.append((str(day), home, away, *goals, result))
    games, coming = folder / "season.csv", folder / "coming.csv"
    pd.DataFrame(rows, columns=["Date", "HomeTeam", "AwayTeam", "FTHG", "FTAG", "FTR"]).to_csv(games, index=False)
    ahead = [("2024-08-10", "Club 0", "Club 7"), ("2024-08-10", "Club 7", "Club 0")]
    pd.DataFrame(ahead, columns=["Date", "HomeTeam", "AwayTeam"]).to_csv(coming, index=False)
    workflows.rate(games, folder / "rated", "goals-matched", method="normal", draws=100, chains=2)
    return games, coming, folder / "rated" / "trace.nc"


def test_the_command_and_the_function(season, halfpoint):
    _, coming, trace = season
    found = football.football_markets(trace, coming, (2.5, 3), (-1, -0.75), 3)
    one, two = found.frame.iloc[0], found.frame.iloc[1]
    assert one["home_win_percent"] + one["draw_percent"] + one["away_win_percent"] == pytest.approx(100.0)
    assert one["home_goals"] > two["home_goals"]
    assert one["home_win_percent"] > two["home_win_percent"]
    assert one["handicap_-1_percent"] < one["handicap_-0.75_percent"] < one["home_win_percent"]
    assert one["over_3_percent"] < one["over_2.5_percent"]
    assert one["score_1_percent"] >= one["score_2_percent"] >= one["score_3_percent"]
    words = ("--lines", "2.5,3", "--handicaps=-1,-0.75", "--scores", "3")
    code, out, error = halfpoint("markets", trace, coming, *words, "--json")
    assert (code, error) == (0, "")
    assert json.loads(out)["rows"][0]["over_3_percent"] == pytest.approx(one["over_3_percent"])
    for words, message in (
        (("--lines", "2.3"), "--lines: expected quarters of a goal from 0 to 1,000, found 2.3"),
        (("--lines=-1",), "--lines: expected quarters of a goal from 0 to 1,000, found -1.0"),
        (("--lines", "1.5,nan"), "--lines: expected quarters of a goal from 0 to 1,000, found nan"),
        (("--handicaps", "0.3"), "--handicaps: expected quarters of a goal from -1,000 to 1,000, found 0.3"),
        (("--handicaps=-1e300",), "--handicaps: expected quarters of a goal from -1,000 to 1,000, found -1e+300"),
        (("--lines", "many"), "--lines, --handicaps: expected numbers"),
        (("--set", "spread=0.5"), "--set: expected a file of games"),
    ):
        code, _, error = halfpoint("markets", trace, coming, *words)
        assert (code, error.count("\n")) == (2, 1)
        assert message in error


def test_games_are_fitted_by_dixon_and_coles_at_given_numbers(season):
    games, coming, _ = season
    model = system("dixon-coles").build(system("dixon-coles").start | {"spread": 0.5})
    model.learn(read(games))
    chances = model.scores(read(coming, scored=False))
    found = football.football_markets(games, coming, numbers={"spread": 0.5}).frame
    wanted = 100.0 * result_chances(chances)[:, ::-1]
    shown = found[["home_win_percent", "draw_percent", "away_win_percent"]]
    np.testing.assert_allclose(shown, wanted, rtol=1e-9)
    assert "Dixon" in football.football_markets(games, coming, numbers={}).about["note"]
    with pytest.raises(RatingSystemError, match=r"--set forget: expected a setting of dixon-coles \(spread, forgets"):
        football.football_markets(games, coming, numbers={"forget": 0.5})


def test_the_stake_returned_and_the_day_stand_beside_each_bet(season, halfpoint, tmp_path):
    _, coming, trace = season
    found = football.football_markets(trace, coming, (3,), (0, -0.75))
    assert found.frame["day"].tolist() == ["2024-08-10"] * 2
    page = tmp_path / "markets.html"
    code, out, _ = halfpoint("markets", trace, coming, "--lines", "3", "--handicaps=0,-0.75", "--out", page)
    assert code == 0
    for row in found.frame.to_dict("records"):
        for bet in ("over_3", "handicap_0", "handicap_-0.75"):
            both = f"{row[f'{bet}_percent']:.1f}% (returned {row[f'{bet}_returned_percent']:.1f}%)"
            assert both in out
            assert both in page.read_text(encoding="utf-8")
        assert row["handicap_0_returned_percent"] == pytest.approx(row["draw_percent"])
    assert "10 Aug" in out
    assert "2024-08-10" in page.read_text(encoding="utf-8")


def test_games_without_goals_are_refused():
    games = pd.DataFrame({"home": ["A", "B"], "away": ["B", "A"], "result": ["H", "A"]})
    with pytest.raises(GameTableError, match="expected columns of the goals of both sides, found none"):
        football.football_markets(games, games, numbers={})
    with pytest.raises(GameTableError, match="odds: expected decimal odds above 1"):
        football.odds_chances([1.0, 3.0])
