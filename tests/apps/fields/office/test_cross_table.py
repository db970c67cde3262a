"""Cross-table of an event, and reasons for missing ratings in a list, by hand."""

import numpy as np
import pandas as pd
import pytest

from halfpoint.apps.fields.office.cross_table import cross_table
from halfpoint.apps.fields.office.list import official_list
from halfpoint.apps.fields.office.performances import performances
from halfpoint.apps.pages.cells import cells_of
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.table import GameTable, code_players
from halfpoint.readers.pgn import read_pgn_headers


def played(rows, **columns):
    white, black, score = zip(*rows, strict=True)
    players, one, two = code_players(np.array(white), np.array(black))
    return GameTable(players, one, two, np.array(score, float), **columns)


ROWS = [
    ("Ann", "Bob", 1.0),
    ("Bob", "Cy", 1.0),
    ("Cy", "Ann", 1.0),
    ("Ann", "Dee", 0.5),
    ("Dee", "Bob", 0.0),
    ("Cy", "Dee", 0.5),
]


def test_results_stand_against_the_places_of_the_others():
    """Bob has 2 of 3; Ann and Cy 1.5: Cy beat Ann (1.5) and drew with Dee (0.5 of 1), Ann beat Bob (2) and drew."""
    found = cross_table(played(ROWS, event=np.array(["Cup"] * 6)))
    frame = found.frame.set_index("player")
    assert found.title == "Cup"
    assert found.frame["player"].tolist() == ["Bob", "Ann", "Cy", "Dee"]
    assert frame["points"].to_dict() == {"Bob": 2.0, "Ann": 1.5, "Cy": 1.5, "Dee": 1.0}
    assert frame.loc["Ann", ["1", "2", "3", "4"]].tolist() == ["1", "·", "0", "½"]
    assert frame.loc["Cy", ["wins", "draws", "losses"]].tolist() == [1, 1, 1]


def test_several_events_are_told():
    with pytest.raises(GameTableError, match="found 2 \\(A, B\\)"):
        cross_table(played(ROWS, event=np.array(["A"] * 4 + ["B"] * 2)))


def test_a_list_says_why_somebody_has_no_rating_and_by_which_rules():
    """Dee has no printed rating and three games against rated players, of the five that rules of 2023 ask for."""
    rating = {"Ann": 2000.0, "Bob": 1900.0, "Cy": 1800.0, "Dee": np.nan}
    days = np.array(["2023-05-01"] * 5 + ["NaT"], "datetime64[D]")
    games = played(
        ROWS, date=days,
        white_rating_elo=np.array([rating[row[0]] for row in ROWS]),
        black_rating_elo=np.array([rating[row[1]] for row in ROWS]),
    )  # fmt: skip
    found = official_list(games, "fide")
    frame = found.frame.set_index("player")
    assert frame.loc["Dee", "why"] == "2 of 5 games against rated players"
    assert "regulations in force from 2022-01-01" in found.note
    assert "1 player without a rating: 1 with 2 of 5" in found.note
    assert "left out: 1 game without a day" in found.note
    assert (frame["wins"] + frame["draws"] + frame["losses"]).tolist() == frame["games"].tolist()
    shown = pd.DataFrame({one.heading: one.texts for one in cells_of(found.frame, found.look)}).set_index("player")
    assert shown.loc["Dee", ["rating", "new", "active"]].tolist() == ["", "yes", "yes"]
    assert shown.loc["Ann", "W-D-L"] == "1-1-1"
    assert shown.loc["Ann", "printed"] == "2000"


def swiss(tmp_path, event="Round {r}: {a} - {b}", name="swiss.pgn", site="?", rated=True):
    """Five rounds of twelve players: in round r player k meets k + r, without a date."""
    games = []
    for r in range(1, 6):
        free = list(range(12))
        while free:
            a = free.pop(0)
            b = free.pop(min(r - 1, len(free) - 1))
            told = event.format(r=r, a=f"P{a:02}", b=f"P{b:02}") if event or games else ""
            elo = f'[WhiteElo "{2000 - 10 * a}"]\n[BlackElo "{2000 - 10 * b}"]\n' if rated else ""
            result = ("1-0", "1/2-1/2", "0-1")[(a + b + r) % 3]
            games.append(
                f'[Event "{told}"]\n[Site "{site}"]\n[Date "????.??.??"]\n[Round "{r}.{a}"]\n[White "P{a:02}"]\n'
                f'[Black "P{b:02}"]\n[Result "{result}"]\n{elo}[StudyName "Spring Open"]\n\n1. e4 {result}\n\n'
            )
    path = tmp_path / name
    path.write_text("".join(games))
    return path


def test_by_rounds_a_cell_is_the_result_and_the_place_of_the_other(tmp_path):
    path = swiss(tmp_path)
    found, games = cross_table(path), read_pgn_headers(path, tags=("Round",)).games
    assert found.title == "Spring Open"
    frame = found.frame.set_index("player")
    assert [one for one in frame if one.startswith("R")] == ["R1", "R2", "R3", "R4", "R5"]
    for white, black, score, told in zip(
        games.white_names, games.black_names, games.score, games.covariates["Round"], strict=True
    ):
        column = frame[f"R{told.partition('.')[0]}"]
        assert column[white] == f"{'-=+'[round(2 * score)]}{frame['place'][black]}"
        assert column[black] == f"{'+=-'[round(2 * score)]}{frame['place'][white]}"
    won = frame[["R1", "R2", "R3", "R4", "R5"]].map(lambda one: "-=+".index(one[0]) / 2)
    assert frame["points"].tolist() == won.sum(axis=1).tolist()


@pytest.mark.parametrize(
    ("event", "site", "study", "expected"),
    [
        ("{a} vs {b}", "Bern SUI", False, "Bern SUI"),
        ("{a} vs {b}", "?", False, "swiss"),
        ("Club Open", "?", False, "Club Open"),
        ("Round {r}: {a} - {b}", "?", True, "Spring Open"),
    ],
)
def test_an_event_is_told_from_the_study_the_site_or_the_file(tmp_path, event, site, study, expected):
    path = swiss(tmp_path, event, site=site)
    text = path.read_text()
    text = text if study else text.replace('[StudyName "Spring Open"]\n', "")
    path.write_text(text.replace('[Event "Club Open"]', '[Event ""]', 1))  # the first has none
    assert performances(path).frame["event"].unique().tolist() == [expected]


def test_games_without_a_day_are_one_period_in_the_order_of_rounds(tmp_path):
    found = official_list(swiss(tmp_path))
    assert "no game has a date: all games form one period, in the order of rounds" in found.note
    assert (found.about["system"], found.log["period"].unique().tolist()) == ("fide", [1])
    without = official_list(swiss(tmp_path, rated=False))
    assert "the file has no ratings, so the system is Glicko, which needs none" in without.note
    assert without.frame["rating_elo"].between(1000, 2000).all()
    assert without.frame["rating_elo"].mean() == pytest.approx(1500, abs=40)  # where Glickman starts everybody
