"""Matches of teams over boards: closed forms, enumeration, simulated truth, any colours, leagues."""

import json
from itertools import product
from math import comb

import numpy as np
import pytest
import xarray as xr
from composed import attributes_of_row

from halfpoint.apps.workflows.beside.line_ups import LineUp, read_line_ups
from halfpoint.apps.workflows.rating_list import rate
from halfpoint.apps.workflows.simulation import simulate
from halfpoint.apps.workflows.team_matches import team_league, team_match
from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.matches import scores_of
from halfpoint.evaluation.team_matches import TeamMatch, team_match_of
from halfpoint.inference.traces.netcdf import write
from halfpoint.models.declaration.posterior_reader import reading_of
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.units import to_elo

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
    about = attributes_of_row("davidson-common") | {
        "data_name": "made",
        "data_simulated": 1,
        "verdict": "converged",
        "converged": 1,
        "edition": "own",
    }
    tree = xr.DataTree.from_dict({"/posterior": posterior})
    tree.attrs = about
    return tree


def teams(count, boards):
    """Teams of the first players, in the order of their numbers."""
    return [LineUp(f"T{team}", tuple(f"P{team * boards + board}" for board in range(boards))) for team in range(count)]


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
    reading = reading_of(four)
    strength = reading.p["strength"]
    for colours in ("WBWB", "BWBW", "WWBB"):
        expected = np.zeros((40, 9))
        for ways in product(range(3), repeat=4):
            chance = np.ones(40)
            for board, result in enumerate(ways):
                sign = 1 if colours[board] == "W" else -1
                x = strength[:, board] - strength[:, 4 + board] + sign * reading.p["advantage"]
                scores = np.stack([np.exp(-x / 2), np.exp(reading.p["log_draw"]), np.exp(x / 2)])
                chance = chance * scores[result] / scores.sum(axis=0)
            expected[:, sum(ways)] += chance
        match = team_match_of(reading, range(4), range(4, 8), np.array(list(colours)) == "W")
        assert scores_of(match.score) == pytest.approx(expected, abs=1e-13)
        ways = [expected[:, :4].sum(axis=1), expected[:, 4], expected[:, 5:].sum(axis=1)]
        assert match.results == pytest.approx(np.stack(ways, axis=1), abs=1e-13)
        assert match.board_points == pytest.approx(expected @ np.arange(9) / 2)
        found = team_match(four, teams(2, 4), colours=colours)
        assert found.about["win_percent"] == pytest.approx(100 * ways[2].mean())
        low, high = np.quantile(expected @ np.arange(9) / 2, [0.025, 0.975])
        assert (found.about["board_points_low"], found.about["board_points_high"]) == pytest.approx((low, high))


def test_turned_round_the_match_is_the_same(four):
    one, two = teams(2, 4)
    there, back = team_match(four, [one, two]), team_match(four, [two, one], colours="BWBW")
    assert there.about["win_percent"] == pytest.approx(back.about["loss_percent"])
    assert there.about["board_points"] == pytest.approx(4 - back.about["board_points"])


@pytest.mark.further
def test_chances_hold_where_the_truth_is_known():
    rng = np.random.default_rng(11)
    inside, chances, seen = 0, [], []
    for _ in range(120):
        middle, spread = rng.normal(scale=0.5, size=8), rng.uniform(0.2, 1.0, 8)
        draws = middle + spread * rng.standard_normal((200, 8))
        truth = middle + spread * rng.standard_normal(8)
        about = team_match(trace_of(draws, 0.2, 0.5), teams(2, 4)).about
        of_truth = reading_of(trace_of(truth, 0.2, 0.5, 1))
        known: TeamMatch = team_match_of(of_truth, range(4), range(4, 8), np.arange(4) % 2 == 0)
        inside += about["board_points_low"] <= known.board_points[0] <= about["board_points_high"]
        points = sum(rng.choice(DRAWS, p=one) for one in known.chances[0])
        chances.append([about[f"{name}_percent"] / 100 for name in ("loss", "draw", "win")])
        seen.append(int(np.sign(points - 2)) + 1)
    assert abs(inside / 120 - 0.95) < 3 * np.sqrt(0.95 * 0.05 / 120) + 0.01  # ends of 200 draws: narrower
    chances, hits = np.array(chances), np.eye(3)[seen]
    apart = (hits - chances).sum(axis=0) / np.sqrt((chances * (1 - chances)).sum(axis=0))
    assert np.abs(apart).max() < 3.0
    slope = ((hits - chances) * (chances - chances.mean(axis=0))).sum()
    error = np.sqrt((chances * (1 - chances) * (chances - chances.mean(axis=0)) ** 2).sum())
    assert abs(slope) < 3.0 * error  # neither too bold nor too shy


def test_a_league_of_two_is_its_match(four):
    found = team_league(four, teams(2, 4)).frame.set_index("team")
    once = team_match(four, teams(2, 4)).about
    other = team_match(four, teams(2, 4), colours="BWBW").about
    assert found["board_points"].sum() == pytest.approx(4.0)
    ends = {round(once["match_points"], 9), round(other["match_points"], 9)}
    assert round(found.loc["T0", "match_points"], 9) in ends
    both = team_league(four, teams(2, 4), double=True).frame.set_index("team")
    assert both.loc["T0", "match_points"] == pytest.approx(once["match_points"] + other["match_points"])
    assert both.loc["T0", "board_points"] == pytest.approx(once["board_points"] + other["board_points"])
    three = team_league(four, [LineUp(f"T{k}", (f"P{2 * k}", f"P{2 * k + 1}")) for k in range(4)], simulations=2000)
    assert three.frame["match_points"].sum() == pytest.approx(2 * 6)
    assert three.frame["title_percent"].sum() == pytest.approx(100.0)
    assert (three.frame["table_low"] <= three.frame["match_points"]).all()


def test_a_file_of_line_ups_and_the_commands_that_read_it(tmp_path, halfpoint):
    file, trace = tmp_path / "teams.csv", tmp_path / "trace.nc"
    file.write_text("team;board;player\nEast;2;player 2\nEast;1;Player 1\nWest;1;Player 3\nWest;2;Player 4\n")
    teams_of_file, _ = read_line_ups(file)
    assert teams_of_file == [LineUp("East", ("Player 1", "player 2")), LineUp("West", ("Player 3", "Player 4"))]
    table, _ = simulate(games=400, players=6, seed=3)
    tree = rate(table, model="davidson-common", method="normal", draws=200).trace
    write(tree, trace)
    code, out, error = halfpoint("match", trace, "west", "east", "--boards", file, "--json")
    assert (code, error) == (0, "")
    assert json.loads(out)["win_percent"] == pytest.approx(team_match(tree, teams_of_file[::-1]).about["win_percent"])
    code, out, error = halfpoint("tournament", trace, file, "--format", "teams", "--double", "--json")
    assert (code, error) == (0, "")
    once, other = (team_match(tree, teams_of_file, colours=word).about for word in ("WB", "BW"))
    points = {row["team"]: row["match_points"] for row in json.loads(out)["rows"]}
    assert points["East"] == pytest.approx(once["match_points"] + other["match_points"])
    for words, found in (
        (("match", trace, "--boards", file, "--games", "2"), "--boards: expected no --games"),
        (("match", trace, "P0"), "match: expected two players, found fewer"),
        (("match", trace, "--boards", file, "--colours", "WBW"), "expected 2 letters, one a board"),
        (("tournament", trace, file, "--format", "teams", "--results", file), "--format teams"),
    ):
        code, _, error = halfpoint(*words)
        assert (code, error.count("\n"), found in error) == (2, 1, True), error


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", "header: expected columns team and player"),
        ("team,player\nA,Ann\n", "expected two teams or more, found A"),
        ("team,player\nA,Ann\nB,\n", "line 3: expected a team and a player, found an empty cell"),
        ("team,player\nA,Ann\nA,Bo\nB,Di\n", "team B: expected 2 boards, as A has, found 1. Leave reserves out."),
        ("team,player,board\nA,Ann,1\nA,Bo,one\n", "line 3, column board: expected a whole number, found 'one'"),
        ("team,player,board\nA,Ann,1\nA,Bo,1\nB,Di,1\n", "team A: expected each board once"),
    ],
)
def test_a_wrong_file_of_line_ups_is_refused_in_one_line(text, message, tmp_path):
    file = tmp_path / "teams.csv"
    file.write_text(text)
    with pytest.raises(GameTableError, match=message.replace(".", r"\.")) as fault:
        read_line_ups(file)
    assert "\n" not in str(fault.value)


def test_teams_that_cannot_be_matched_are_refused(four):
    with pytest.raises(GameTableError, match="teams: expected the names of two teams, found 4 teams"):
        team_match(four, teams(4, 2))
    with pytest.raises(GameTableError, match=r"team: expected a team with a line-up, found 'Oslo'\. .*Teams are "):
        team_match(four, teams(4, 2), "T1", "Oslo")
    with pytest.raises(GameTableError, match="teams: expected two different teams"):
        team_match(four, teams(4, 2), "T1", "T1")
    with pytest.raises(GameTableError, match="expected a player who is rated, found 'Anton'"):
        team_match(four, [LineUp("A", ("P1",)), LineUp("B", ("Anton",))])
    tree = four.copy()
    tree.attrs = tree.attrs | attributes_of_row("bt-common")
    with pytest.raises(EvaluationError, match="three outcomes"):
        team_match(tree, teams(2, 4))


def test_a_teams_rating_is_the_mean_of_its_players(four):
    found = team_league(four, teams(2, 4)).frame.set_index("team")
    rating = four["posterior"]["rating_elo"].mean(("chain", "draw")).to_numpy()
    assert found.loc["T0", "rating_elo"] == pytest.approx(rating[:4].mean())
    assert found.loc["T0", "low_elo"] < found.loc["T0", "rating_elo"] < found.loc["T0", "high_elo"]
