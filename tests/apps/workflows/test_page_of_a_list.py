"""Content of the page of a rating list, from games with known counts."""

import numpy as np
import pandas as pd
import pytest

from halfpoint import readers
from halfpoint.apps import workflows
from halfpoint.apps.workflows.answer import as_csv
from halfpoint.apps.workflows.rating_page import days_of, meetings_in, people_of, rated_page
from halfpoint.apps.workflows.trace_list import seats_in
from halfpoint.evaluation.digits import decimals
from halfpoint.evaluation.first_sentences.leaders import strongest


def sentence(**chances):
    return strongest(chances)


def test_the_answer_is_as_sure_as_the_draws():
    assert sentence(Ann=0.999, Bob=0.001) == "Ann is the strongest (>99%)."
    assert sentence(Ann=0.7, Bob=0.28, Eve=0.02) == "Ann is probably the strongest (70%); else Bob (28%)."
    assert sentence(A=0.4, B=0.3, C=0.2, D=0.1) == ("No clear leader: A (40%), B (30%) or C (20%).")
    assert sentence(**{f"P{k}": 0.04 for k in range(25)}).startswith("No clear leader: 25 are equally likely")


@pytest.mark.parametrize(
    ("width", "digits"), [(200.0, 0), (2.0, 0), (1.9, 1), (0.2, 1), (0.19, 2), (1e-9, 3), (0.0, 0)]
)
def test_no_more_digits_than_the_interval_allows(width, digits):
    assert decimals(width) == digits


def test_months_of_a_walk_are_days_of_the_calendar():
    assert days_of(np.array([1, 12, 13, 191])) == ["2010-01-01", "2010-12-01", "2011-01-01", "2025-11-01"]


@pytest.fixture(scope="module")
def season():
    """List of four teams who met twice each, with its games."""
    teams = ["Ajax", "Feyenoord", "PSV", "Twente"]
    rows = [
        (one, two, str((3 * i + 5 * j) % 4), str((i + 2 * j) % 3))
        for i, one in enumerate(teams)
        for j, two in enumerate(teams)
        if i != j
    ]
    frame = pd.DataFrame(rows, columns=["HomeTeam", "AwayTeam", "FTHG", "FTAG"])
    frame["Date"] = pd.date_range("2024-08-10", periods=len(frame)).strftime("%d/%m/%Y")
    return frame, workflows.rate(frame, draws=200, tune=300, chains=2)


def test_the_record_counts_every_game(season):
    frame, rated = season
    made = rated_page(rated.trace)
    record = made.people
    margin = frame["FTHG"].astype(int) - frame["FTAG"].astype(int)
    for player in record["players"]:
        at_home = margin[frame["HomeTeam"] == player["name"]]
        away = -margin[frame["AwayTeam"] == player["name"]]
        for seat, mine in (("white", at_home), ("black", away)):
            assert player[seat] == [int((mine < 0).sum()), int((mine == 0).sum()), int((mine > 0).sum())]
        counts = np.array([row[2:] for row in player["met"]]).sum(axis=0).tolist()
        assert counts == player["white"] + player["black"]
        others = [other["mean"] for other in record["players"] if other is not player]
        assert player["opponents"] == pytest.approx(np.mean(others)), "each of the others twice"
    assert sum(player["best"] for player in record["players"]) == pytest.approx(1.0)
    assert record["seats"]["first"] == "Home"
    facts = made.facts
    assert facts["Games"] == "12 among 4 clubs"
    assert facts["Played"] == "2024-08-10 to 2024-08-21"
    assert "Playing at home is worth" in facts


def test_the_list_speaks_of_home_where_the_file_does(season):
    rated = season[1]
    assert rated.trace.attrs["seats"] == "home"
    assert rated.about["shared"].startswith("Playing at home is worth")
    assert "White" not in rated.note
    one, two = rated.frame["club"][:2]
    told = workflows.match(rated.trace, one, two, games=2)
    assert "at home" in told.note
    assert "away" in told.note
    assert told.title.endswith(f"{one} at home and away")
    assert not {"White", "Black"} & set(f"{told.note} {told.title}".split())
    home, white = (workflows.match(rated.trace, one, two, colours=word).note for word in ("HH", "WW"))
    assert home == white != told.note
    assert "One game (win, draw, loss for" in told.note
    assert as_csv(rated.frame).startswith("rank,player,rating_elo")  # one name in files, the field's word on pages
    assert rated.record()["rows"][0]["player"] == one


def test_a_match_of_players_who_never_draw_speaks_of_no_draws():
    wins = [("Quell", "Tonn")] * 6 + [("Tonn", "Quell")] * 5 + [("Tonn", "Zorn")] * 5 + [("Zorn", "Quell")] * 4
    rated = workflows.rate(pd.DataFrame(wins, columns=["winner_name", "loser_name"]), draws=400)
    one, three = (workflows.match(rated.trace, "Quell", "Tonn", games=games) for games in (1, 3))
    assert one.frame["score"].tolist() == [0.0, 1.0]
    assert three.frame["score"].tolist() == [0.0, 1.0, 2.0, 3.0]
    assert one.frame["probability_percent"].sum() == pytest.approx(100.0)
    assert "drawn" not in one.note + three.note
    assert not {"White", "seats", "named"} & set(f"{one.title} {one.note}".replace(",", "").split())


def test_anchored_opponents_count_with_their_ratings_on_the_day():
    frame = pd.DataFrame(
        [("Ann", "Bob", 1.0, 1900.0, 2100.0), ("Cy", "Ann", 0.5, 2300.0, 1900.0)] * 6,
        columns=["white", "black", "score", "white_rating_elo", "black_rating_elo"],
    )
    rated = workflows.rate(readers.read(frame), model="bt-common", monitor=["Ann"], draws=200, tune=300, chains=2)
    white, black = (seats_in(rated.trace, side, None) for side in ("white", "black"))
    met = meetings_in(rated.trace, white, black, np.array([0.0]))
    assert met[["opponent", "rating_elo", "win_0", "draw_1"]].to_numpy().tolist() == [
        ["Bob", 2100, 6, 0],
        ["Cy", 2300, 0, 6],
    ]
    assert people_of(rated.trace)["players"][0]["opponents"] == pytest.approx(2200.0)


@pytest.mark.parametrize(
    ("columns", "seats"),
    [
        (("white", "black", "score"), "white"),
        (("HomeTeam", "AwayTeam", "FTR"), "home"),
        (("model_a", "model_b", "winner"), "first"),
        (("player1", "player2", "result"), "first"),
        (("winner", "loser", "day"), "first"),
    ],
)
def test_seats_are_called_as_the_file_calls_them(columns, seats):
    words = {
        "score": [1, 0],
        "FTR": ["H", "A"],
        "winner": ["model_a", "model_b"],
        "result": ["1-0", "0-1"],
        "day": ["2024-01-01"] * 2,
    }
    frame = pd.DataFrame({columns[0]: ["A", "B"], columns[1]: ["B", "A"], columns[2]: words[columns[2]]})
    assert readers.read(frame).seats == seats
