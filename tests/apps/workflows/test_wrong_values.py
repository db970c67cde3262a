"""Functions refuse values outside the ranges of the options of their commands, in one line."""

import numpy as np
import pytest

from halfpoint.apps import workflows
from halfpoint.apps.fields import arena, football, office
from halfpoint.apps.fields.arena.asked import BoardOptions, JudgementOptions
from halfpoint.models.games.errors import HalfpointError
from halfpoint.models.games.ranges import Range

GAMES = [("Ann", "Bob", 1), ("Bob", "Cid", 0.5), ("Cid", "Ann", 0), ("Bob", "Ann", 0.5), ("Ann", "Cid", 1)] * 4
GOALS = "home,away,home_goals,away_goals,date\nA,B,2,1,2024-01-01\nB,A,0,0,2024-01-08\n"


@pytest.fixture(scope="module")
def trace():
    return workflows.rate(GAMES, model="davidson-common", method="normal", draws=100, chains=2).trace


OF_TRACE = {
    "a threshold that is no number": (lambda trace: workflows.rank(trace, above=np.nan), "--above: expected a number"),
    "a threshold as a text": (lambda trace: workflows.rank(trace, above="2000"), "to 4,000, found '2000'"),
    "no games of a match": (
        lambda trace: workflows.pair(trace, ["Ann", "Bob"], aim="knockout", games=0), "--games: expected a whole number"
    ),
    "games of an even round": (
        lambda trace: workflows.pair(trace, ["Ann", "Bob"], aim="even", games=4), "--games: expected --aim knockout"
    ),
    "places as texts": (
        lambda trace: workflows.season(trace, ["Ann", "Bob"], zones={"up": "12"}), "--zones: expected NAME=BEST-WORST"
    ),
    "a single place": (
        lambda trace: workflows.season(trace, ["Ann", "Bob"], zones={"up": 1}), "--zones: expected NAME=BEST-WORST"
    ),
    "rounds of a knockout": (
        lambda trace: workflows.tournament(trace, ["Ann", "Bob"], format="knockout", rounds=4),
        "rounds: expected format swiss, found knockout",
    ),
    "twice in a knockout": (
        lambda trace: workflows.tournament(trace, ["Ann", "Bob"], True, format="knockout"),
        "cycles: expected format round-robin, found knockout",
    ),
    "no players": (lambda trace: workflows.tournament(trace, []), "players: expected at least one player, found none"),
    "no clubs": (lambda trace: workflows.season(trace, []), "players: expected at least one player, found none"),
}  # fmt: skip


@pytest.mark.parametrize("case", OF_TRACE)
def test_values_for_a_trace(case, trace):
    ask, message = OF_TRACE[case]
    with pytest.raises(HalfpointError) as error:
        ask(trace)
    assert message in str(error.value)


OTHERS = {
    "no games": (lambda: workflows.rate([]), "games: expected a file, a data frame or rows of games, found an empty"),
    "no files": (lambda: workflows.backtest([], "elo"), "games: expected a file, a data frame or rows of games, found"),
    "no chains": (lambda: workflows.rate(GAMES, chains=0), "chains: expected a whole number from 1 to 1,000, found 0"),
    "draws below 0": (lambda: workflows.rate(GAMES, draws=-3), "draws: expected a whole number from 1 to"),
    "a width": (lambda: arena.sequential_test([1, 2, 3], width_elo=np.nan), "--width: expected a number from 0.1 to"),
    "periods": (lambda: office.official_list(GAMES, active_periods=-1), "--active: expected a whole number from 1 to"),
    "a start": (lambda: office.official_list(GAMES, "elo", start_elo=np.nan), "--start: expected a number from 0 to"),
}


@pytest.mark.parametrize("case", OTHERS)
def test_values_for_games(case):
    ask, message = OTHERS[case]
    with pytest.raises(HalfpointError) as error:
        ask()
    assert message in str(error.value)


def test_a_number_of_new_sides_is_finite(tmp_path):
    (tmp_path / "goals.csv").write_text(GOALS)
    with pytest.raises(HalfpointError, match=r"newcomer a number, found 0.25, 0.45, nan"):
        football.football_markets(tmp_path / "goals.csv", tmp_path / "goals.csv", numbers={"newcomer": np.nan})


def test_a_text_names_style_criteria_and_effects_as_a_list_does():
    assert JudgementOptions(style="length,bold") == JudgementOptions(style=["length", "bold"])
    assert JudgementOptions(criteria="helpful") == JudgementOptions(criteria=["helpful"])
    assert BoardOptions(effects="log_draw ~ 1 | site") == BoardOptions(effects=["log_draw ~ 1 | site"])


def test_a_text_is_no_number():
    assert "5" not in Range(0.0, 10.0)
    assert 5 in Range(0.0, 10.0)
