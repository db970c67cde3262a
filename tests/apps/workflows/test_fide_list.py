"""FIDE lists of three decades are read, and fill missing ratings on the day."""

import zipfile

import numpy as np
import pandas
import pytest

from halfpoint.apps.workflows.beside.duplicates import normalise_name
from halfpoint.apps.workflows.beside.rating_lists import fill_ratings, read_fide_list, read_lists
from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.read import read

# Layouts as published: January 2001, March 2011, January 2023, and the combined list of 2026; invented players.
LIST_2001 = """\
ID_NUMBER NAME                             TITLE COUNTRY JAN01 GAMES FLAG

 1701991  Aaberg, Anton                          SWE     2300    0   i
 1401815  Aagard, Jakob                    m     DEN     2374   18
"""
LIST_2011 = """\
ID number Name                              TitlFed  Mar11 GamesBorn  Flag
 5080444  A, Sohita                             IND  1447    0  1995  wi
 1401815  Aagard, Jakob                     m   SCO  2502   11  1973
"""
HEADER = (
    "ID Number      Name                                                         Fed Sex Tit  WTit OTit           FOA "
)
ROW_2023 = "{:<15}{:<61}SCO M   {:<29}{:<6}{:<4}{:<3}{:<6}\n"
LIST_2023 = f"{HEADER}JAN23 Gms K  B-day Flag\n" + "".join(
    ROW_2023.format(*player)
    for player in (
        (1401815, "Aagard, Jakob", "GM        FST", 2460, 0, 10, 1973),
        (99, "New, Player", "", "", "", "", 1999),
    )
)


def combined(*players):
    header = f"{HEADER}SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag"
    row = "{:<15}{:<61}NOR M   GM                           {:<6}5   10 {:<6}2   10 {:<6}4   10 1990\n"
    return header + "\r\n" + "".join(row.format(*player) for player in players).replace("\n", "\r\n")


@pytest.mark.parametrize(
    ("text", "month", "rating"),
    [(LIST_2001, "2001-01", 2374), (LIST_2011, "2011-03", 2502), (LIST_2023, "2023-01", 2460)],
)
def test_lists_of_every_layout_are_read(tmp_path, text, month, rating):
    (tmp_path / "list.txt").write_text(text)
    listed = read_fide_list(tmp_path / "list.txt")
    assert listed.month == np.datetime64(month, "M")
    assert listed.rating_elo[1401815] == rating
    assert listed.ids[normalise_name("Aagard, Jakob")] == [1401815]
    assert len(listed.ids) == 2


def test_of_three_ratings_of_combined_lists_the_standard_one_is_read(tmp_path):
    content = combined((1503014, "Carlsén, Magnus", 2823, 2810, 2880), (7, "None, At All", 0, 0, 0)).encode()
    (tmp_path / "players_list_2026-10.txt").write_bytes(content)
    with zipfile.ZipFile(tmp_path / "players_list_oct26.zip", "w") as archive:
        archive.writestr("players_list_foa.txt", content)
    for file in ("players_list_2026-10.txt", "players_list_oct26.zip"):
        listed = read_fide_list(tmp_path / file)
        assert listed.month == np.datetime64("2026-10", "M")
        assert listed.rating_elo == {1503014: 2823}
        assert len(listed.ids) == 2


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"no list\n", "line 1: expected the header of a FIDE list"),
        (b"", "line 1: expected the header of a FIDE list"),
        (LIST_2011.replace("2502", "25o2").encode(), "line 3: expected a FIDE id, a name and a rating"),
        (LIST_2011.replace(" 1401815", " x401815").encode(), "line 3: expected a FIDE id"),
        (b"\x00\x01", "line 1: expected a text file"),
        (combined((7, "None, At All", 0, 0, 0)).encode(), "a month in the header or the file's name"),
        (b"<?xml version='1.0'?>\n<playerslist></playerslist>", "line 1: expected the header of a FIDE list"),
    ],
)
def test_what_is_no_list_is_told(tmp_path, content, expected):
    (tmp_path / "list").write_bytes(content)
    with pytest.raises(GameTableError, match=expected):
        read_fide_list(tmp_path / "list")


def test_ratings_are_filled_by_month_by_id_and_by_name(tmp_path):
    for month, rating in (("2012-01", 2700), ("2012-03", 2710)):
        text = combined(
            (1, "Ann, Given", rating, 0, 0),
            (2, "Twin, Same", 2000, 0, 0),
            (3, "Twin, Same", 2100, 0, 0),
            (4, "Bob, B", 2500, 0, 0),
        )
        (tmp_path / f"list_{month}.txt").write_text(text)
    frame = pandas.DataFrame(
        {
            "white": ["Ann,Given", "Ann,Given", "Ann,Given", "Ann,Given", "Robert"],
            "black": ["Twin, Same", "Twin, Same", "Nobody, X", "Bob, B", "Ann,Given"],
            "score": 0.5,
            "date": ["2011-12-31", "2012-02-10", "2012-03-01", "", "2012-05-05"],
            "black_rating_elo": [np.nan, np.nan, 1999.0, np.nan, np.nan],
            "WhiteFideId": ["", "", "", "", "4"],
            "BlackFideId": ["", "3", "", "", ""],
        }
    )
    games = read(frame, covariates=["WhiteFideId", "BlackFideId"])
    lists = read_lists(games, sorted(tmp_path.iterdir()))
    assert sorted(lists[0].rating_elo) == [1, 2, 3, 4]
    filled = fill_ratings(games, lists[::-1])
    np.testing.assert_array_equal(filled.games.white_rating_elo, [np.nan, 2700, 2710, np.nan, 2500])
    np.testing.assert_array_equal(filled.games.black_rating_elo, [np.nan, 2100, 1999, np.nan, 2710])
    assert (filled.filled, filled.by_name) == (5, 3)
    assert filled.missing == ("Ann,Given", "Bob, B", "Twin, Same")
    without_id = read(frame.drop(columns=["WhiteFideId", "BlackFideId"]))
    assert fill_ratings(without_id, lists).ambiguous == ("Twin, Same",)


def test_filling_needs_dates_and_lists_of_different_months(tmp_path):
    (tmp_path / "list.txt").write_text(LIST_2011)
    listed = read_fide_list(tmp_path / "list.txt")
    games = read(pandas.DataFrame({"white": ["A"], "black": ["B"], "score": [1]}))
    with pytest.raises(GameTableError, match="expected dates"):
        fill_ratings(games, [listed])
    dated = read(pandas.DataFrame({"white": ["A"], "black": ["B"], "score": [1], "date": ["2012-01-01"]}))
    for lists in ([], [listed, listed]):
        with pytest.raises(GameTableError, match="each of its own month"):
            fill_ratings(dated, lists)
