"""Matches of teams over boards: closed forms, enumeration, simulated truth, orders one by one."""

import json
from itertools import product
from math import comb

import numpy as np
import pytest
import xarray as xr

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.matches import scores_of
from halfpoint.fields.lineups.boards import Meeting, chances_of, results_of, white_boards
from halfpoint.fields.lineups.read_teams import Team, read_teams
from halfpoint.fields.lineups.team_match import team_match
from halfpoint.games.errors import GameTableError
from halfpoint.games.units import to_elo
from halfpoint.models.catalogue import find
from halfpoint.models.posterior_reader import reading_of
from halfpoint.models.record import record_of

NO_DRAWS = -40.0
DRAWS = np.array([0.0, 0.5, 1.0])


def trace_of(strength, advantage=0.0, log_draw=0.0, chains=2):
    """A trace of the Davidson model with given draws of strengths, shape (draw, player)."""
    strength = np.atleast_2d(strength).astype(float)
    strength = strength.reshape(chains, -1, strength.shape[-1])
    one = np.ones(strength.shape[:2])
    people = [f"P{number}" for number in range(strength.shape[-1])]
    draws = ("chain", "draw")
    posterior = xr.Dataset(
        {
            "strength": ((*draws, "player"), strength),
            "advantage": (draws, advantage * one),
            "log_draw": (draws, log_draw * one),
            "rating_elo": ((*draws, "player"), to_elo(strength)),
        },
        coords={"player": people},
    )
    about = {"model": "davidson-common", "model_record": json.dumps(record_of(find("davidson-common")))}
    about |= {"data_name": "made", "data_simulated": 1, "verdict": "converged", "converged": 1, "edition": "own"}
    tree = xr.DataTree.from_dict({"/posterior": posterior})
    tree.attrs = about
    return tree


def teams(count, boards):
    """Teams of the first players, in the order of their numbers."""
    return [Team(f"T{team}", tuple(f"P{team * boards + board}" for board in range(boards))) for team in range(count)]


@pytest.fixture(scope="module")
def four():
    """A trace of eight players under 40 draws, White ahead."""
    rng = np.random.default_rng(5)
    return trace_of(rng.normal(scale=0.8, size=(40, 8)), advantage=0.3, log_draw=0.4)


def test_equal_players_without_draws_are_a_coin_a_board():
    boards = 6
    found = team_match(trace_of(np.zeros((4, 12)), log_draw=NO_DRAWS), teams(2, boards))
    chance = found.scores.frame.set_index("score")["probability_percent"] / 100.0
    for score in range(boards + 1):
        assert chance[score] == pytest.approx(comb(boards, score) / 2**boards, abs=1e-12)
    assert chance[[k + 0.5 for k in range(boards)]].sum() == pytest.approx(0.0, abs=1e-12)
    assert found.about["draw_percent"] == pytest.approx(100 * comb(6, 3) / 64)
    assert (found.about["board_points"], found.about["match_points"]) == pytest.approx((3.0, 1.0))


def test_equal_players_with_draws_are_a_trinomial():
    """Davidson: a draw has e^lambda / (2 + e^lambda)."""
    boards, draw = 4, np.exp(0.7) / (2 + np.exp(0.7))
    found = team_match(trace_of(np.zeros((4, 8)), log_draw=0.7), teams(2, boards))
    chance = found.scores.frame["probability_percent"] / 100.0
    for half_points in range(2 * boards + 1):
        ways = sum(
            comb(boards, wins) * comb(boards - wins, half_points - 2 * wins)
            * ((1 - draw) / 2) ** (boards - half_points + 2 * wins) * draw ** (half_points - 2 * wins)
            for wins in range(half_points // 2 + 1) if half_points - 2 * wins <= boards - wins
        )  # fmt: skip
        assert chance[half_points] == pytest.approx(ways, abs=1e-12)


def test_a_match_is_the_sum_over_all_ways_it_can_go(four):
    """Enumerated under every draw by the formula of one game; White alternates, odd boards first or even ones."""
    reading = reading_of(four)
    strength = reading.p["strength"]
    for odd in (True, False):
        expected = np.zeros((40, 9))
        for ways in product(range(3), repeat=4):
            chance = np.ones(40)
            for board, result in enumerate(ways):
                sign = 1 if (board % 2 == 0) == odd else -1
                x = strength[:, board] - strength[:, 4 + board] + sign * reading.p["advantage"]
                scores = np.stack([np.exp(-x / 2), np.exp(reading.p["log_draw"]), np.exp(x / 2)])
                chance = chance * scores[result] / scores.sum(axis=0)
            expected[:, sum(ways)] += chance
        meeting = Meeting(chances_of(reading, range(4), range(4, 8), white_boards(4, odd)))
        assert scores_of(meeting.match()) == pytest.approx(expected, abs=1e-13)
        ways = [expected[:, :4].sum(axis=1), expected[:, 4], expected[:, 5:].sum(axis=1)]
        assert results_of(meeting.match()) == pytest.approx(np.stack(ways, axis=1), abs=1e-13)
        assert meeting.board_points() == pytest.approx(expected @ np.arange(9) / 2)
        found = team_match(four, teams(2, 4), "odd" if odd else "even")
        assert found.about["win_percent"] == pytest.approx(100 * ways[2].mean())
        low, high = np.quantile(expected @ np.arange(9) / 2, [0.025, 0.975])
        assert (found.about["board_points_low"], found.about["board_points_high"]) == pytest.approx((low, high))


def test_turned_round_the_match_is_the_same(four):
    one, two = teams(2, 4)
    there, back = team_match(four, [one, two]), team_match(four, [two, one], "even")
    assert there.about["win_percent"] == pytest.approx(back.about["loss_percent"])
    assert there.about["board_points"] == pytest.approx(4 - back.about["board_points"])


def test_chances_hold_where_the_truth_is_known():
    """250 matches: the truth is one more draw; intervals of board points hold 95%, chances of the match are met."""
    rng = np.random.default_rng(11)
    inside, chances, seen = 0, [], []
    for _ in range(250):
        middle, spread = rng.normal(scale=0.5, size=8), rng.uniform(0.2, 1.0, 8)
        draws = middle + spread * rng.standard_normal((200, 8))
        truth = middle + spread * rng.standard_normal(8)
        about = team_match(trace_of(draws, 0.2, 0.5), teams(2, 4)).about
        known = Meeting(
            chances_of(reading_of(trace_of(truth, 0.2, 0.5, 1)), range(4), range(4, 8), white_boards(4, True))
        )
        inside += about["board_points_low"] <= known.board_points()[0] <= about["board_points_high"]
        points = sum(rng.choice(DRAWS, p=one) for one in known.chances[0, range(4), range(4)])
        chances.append([about[f"{name}_percent"] / 100 for name in ("loss", "draw", "win")])
        seen.append(int(np.sign(points - 2)) + 1)
    assert abs(inside / 250 - 0.95) < 3 * np.sqrt(0.95 * 0.05 / 250) + 0.01  # ends of 200 draws: narrower
    chances, hits = np.array(chances), np.eye(3)[seen]
    apart = (hits - chances).sum(axis=0) / np.sqrt((chances * (1 - chances)).sum(axis=0))
    assert np.abs(apart).max() < 3.0
    slope = ((hits - chances) * (chances - chances.mean(axis=0))).sum()
    error = np.sqrt((chances * (1 - chances) * (chances - chances.mean(axis=0)) ** 2).sum())
    assert abs(slope) < 3.0 * error  # neither too bold nor too shy


def test_files_of_teams(tmp_path):
    known = ["Ann", "Bo", "Çem", "Di"]
    whole = tmp_path / "teams.csv"
    whole.write_text("team;board;player;rating\nEast;2;Cem;2100\nEast;1;ann;2000\nWest;1;Bo;\nWest;2;Di;1900\n")
    assert read_teams([whole], known) == [Team("East", ("Ann", "Çem")), Team("West", ("Bo", "Di"))]
    (tmp_path / "East.txt").write_text("# home\nAnn\nÇem\n")
    (tmp_path / "West.txt").write_text("Bo\nDi\n")
    found = read_teams([tmp_path / "East.txt", tmp_path / "West.txt"], known)
    assert [(team.name, team.players) for team in found] == [("East", ("Ann", "Çem")), ("West", ("Bo", "Di"))]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", "header: expected columns team and player"),
        ("team,player\nA,Ann\n", "expected two different teams or more, found A"),
        ("team,player\nA,Ann\nB,\n", "line 3: expected a team and a player, found an empty cell"),
        ("team,player\nA,Ann\nA,Bo\nB,Di\n", "team B: expected 2 boards, as A has, found 1. Leave reserves out."),
        ("team,player\nA,Ann\nB,Ann\n", "expected every name once, found a repeated name"),
        ("team,player\nA,Ann\nB,Anton\n", "expected a player who is rated, found 'Anton'. Did you mean 'Ann'"),
        (
            "team,player,board\nA,Ann,1\nA,Bo,one\n",
            "line 3, column board: expected a number, found 'one'",
        ),
        ("team,player,board\nA,Ann,1\nA,Bo,1\nB,Di,1\n", "team A: expected each board once"),
    ],
)
def test_what_is_wrong_with_teams_is_one_line(text, message, tmp_path):
    file = tmp_path / "teams.csv"
    file.write_text(text)
    with pytest.raises(GameTableError, match=message.replace(".", r"\.")) as fault:
        read_teams([file], ["Ann", "Bo", "Di"])
    assert "\n" not in str(fault.value)


def test_what_cannot_be_asked_of_teams(four):
    with pytest.raises(GameTableError, match="teams: expected two teams, found 4"):
        team_match(four, teams(4, 2))
    half = find("bt-common")
    tree = four.copy()
    tree.attrs = tree.attrs | {"model_record": json.dumps(record_of(half)), "model": half.name}
    with pytest.raises(EvaluationError, match="three outcomes"):
        team_match(tree, teams(2, 4))
