"""Each reader refuses each fault with the file, the line, the expected and the found value."""

from functools import partial

import pandas
import pytest
from pgn_by_chess_library import read_pgn

from halfpoint.models.games.errors import GameTableError, HalfpointError
from halfpoint.readers.pgn import read_pgn_headers
from halfpoint.readers.read import detect, read
from halfpoint.readers.study_format import read_study

read_csv = partial(read, kind="csv")
CSV_HEADER = "white,black,score,date,white_rating_elo,event"
STUDY_HEADER = "Site Data WR W B BR y"
PGN = {
    "Event": "Club",
    "Date": "2012.11.30",
    "White": "Ann",
    "Black": "Bob",
    "Result": "1-0",
    "WhiteElo": "2000",
    "BlackElo": "1900",
}


def csv_file(row: str, header: str = CSV_HEADER) -> bytes:
    return f"{header}\nAnn,Bob,1,2012-11-30,2000,Club\n{row}\n".encode()


def study_file(row: str, header: str = STUDY_HEADER) -> bytes:
    return f"{header}\nClub 3 2000 Ann Bob 1900 1\n{row}\n".encode()


def pgn_file(**changed: str) -> bytes:
    games = [PGN, PGN | changed]
    return "\n".join("\n".join(f'[{k} "{v}"]' for k, v in tags.items()) + "\n\n1. e4 *\n" for tags in games).encode()


FAULTS = [
    (read_csv, csv_file("x", "white,black,date,white_rating_elo,event"), "columns", "a column for score", "'white'"),
    (read_csv, csv_file("x", CSV_HEADER + ",event"), "columns", "every column once", "'event'"),
    (read_csv, csv_file("Ann,Bob,0.7,2012-11-30,2000,Club"), "line 3, column score", "0, 0.5 or 1", "'0.7'"),
    (read_csv, csv_file("Ann,Ann,1,2012-11-30,2000,Club"), "line 3, column black", "two different", "'Ann'"),
    (read_csv, csv_file(",Bob,1,2012-11-30,2000,Club"), "line 3, column white", "a player's name", "''"),
    (read_csv, csv_file("Ann,Bob,1,2013-02-29,2000,Club"), "line 3, column date", "a day of the cal", "'2013-02-29'"),
    (read_csv, csv_file("Ann,Bob,1,2012-11-30,strong,Club"), "line 3, column white_r", "0 to 4000", "'strong'"),
    (read_csv, csv_file("Ann,Bob,1,2012-11-30,4001,Club"), "line 3, column white_r", "0 to 4000", "'4001'"),
    (read_csv, csv_file("Ann,Bob,1"), "line 3", "6 cells", "3"),
    (read_csv, csv_file('Ann,"Bob,1,2012-11-30,2000,Club'), "line 3", "CSV", "unexpected end"),
    (
        read_csv,
        csv_file('"Ann,Bob,1\n' + "x" * 200_000),
        "lines 3 to 4",
        "CSV",
        "a cell of more than 131,072 letters",
    ),
    (read_csv, b"white,black,score\n", "games", "at least one game", "no rows"),
    (read_csv, b"", "games", "a header line", "no rows"),
    (read_csv, b"white,black,score\nA,\x00,1\n", "line 2", "a text file", "0x00"),
    (read_study, study_file("x", "Site Data WR W B BR z"), "line 1", "the header", "'z'"),
    (read_study, study_file("x", "Site Data WR W B y"), "line 1", "the header", "'Site Data WR W B y'"),
    (read_study, study_file("Club 3 2000 Ann Bob 1900 0.7"), "line 3, column y", "0, 0.5 or 1", "'0.7'"),
    (read_study, study_file("Club 3 2000 Ann Ann 1900 1"), "line 3, column black", "two different", "'Ann'"),
    (read_study, study_file("Club 3 2000 Ann 1900 1"), "line 3", "7 cells", "6"),
    (read_study, study_file("Club 3.5 2000 Ann Bob 1900 1"), "line 3, column Data", "a period", "'3.5'"),
    (read_study, f"{STUDY_HEADER}\nX 2013.02.29 1 Ann Bob 1 1\n".encode(), "line 2", "a day", "'2013.02.29'"),
    (read_study, study_file("Club 3 high Ann Bob 1900 1"), "line 3, column WR", "0 to 4000", "'high'"),
    (read_study, study_file("Club 3 -1 Ann Bob 1900 1"), "line 3, column WR", "0 to 4000", "'-1'"),
    (read_study, f"{STUDY_HEADER}\n".encode(), "games", "at least one game", "no rows"),
    (read_study, b"", "games", "at least one game", "no rows"),
    (read_study, b"\x89PNG\r\n\x1a\n\x00", "line 3", "a text file", "0x00"),
    (read_pgn, pgn_file(Result="2-0"), "line 11, column Result", "0, 0.5 or 1", "'2-0'"),
    (read_pgn, pgn_file(Black="Ann"), "line 11, column black", "two different", "'Ann'"),
    (read_pgn, pgn_file(White="?"), "line 11, column White", "a player's name", "'?'"),
    (read_pgn, pgn_file(Date="2013.02.29"), "line 11, column Date", "a day of the cal", "'2013.02.29'"),
    (read_pgn, pgn_file(WhiteElo="master"), "line 11, column WhiteElo", "0 to 4000", "'master'"),
    (read_pgn, pgn_file(BlackElo="9000"), "line 11, column BlackElo", "0 to 4000", "'9000'"),
    (read_pgn, b'[White "A"]\n[Black "B"]\n[Result "*"]\n\n*\n', "games", "finished game", "1 games"),
    (read_pgn, b"", "games", "finished game", "0 games"),
    (read_pgn, b"[White \x01]", "line 1", "a text file", "0x01"),
    (read_pgn, b"\x1f\x8b\x08\x00", "games", "a complete file", "EOFError"),
]


SCANNED = [(read_pgn_headers, *fault[1:]) for fault in FAULTS if fault[0] is read_pgn and "finished" not in fault[3]]
SCANNED = [fault for fault in SCANNED if "name" not in fault[3]]  # the scan sets games without a name apart


@pytest.mark.parametrize(("reader", "content", "where", "expected", "found"), FAULTS + SCANNED)
def test_a_fault_is_told_with_its_place(tmp_path, reader, content, where, expected, found):
    path = tmp_path / "games"
    path.write_bytes(content)
    with pytest.raises(GameTableError) as caught:
        reader(path)
    message = str(caught.value)
    assert str(path) in message
    assert where in caught.value.where
    assert expected in caught.value.expected or "a result" in caught.value.expected
    assert found in caught.value.found
    assert "\n" not in message


FRAME = {"white": ["Ann", "Bob"], "black": ["Bob", "Cid"], "score": [1.0, 0.5]}


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"score": [1.0, 0.7]}, "row 2, column score: expected White's score: 0, 0.5 or 1, found '0.7'"),
        ({"black": ["Bob", "Bob"]}, "expected two different players, found 'Bob'"),
        ({"white": ["Ann", None]}, "row 2, column white: expected a player's name, found ''"),
        ({"date": ["2012-11-30", "2013-02-29"]}, "row 2, column date: expected a day of the calendar"),
        ({"white_rating_elo": [2000, 4001]}, "row 2, column white_rating_elo: expected a rating"),
        ({"black_rating_elo": ["high", 1]}, "row 1, column black_rating_elo: expected a rating"),
        ({"weight": [1.0, -1.0]}, "row 2, column weight: expected a weight"),
        ({"weight": [1.0, 1e300]}, "row 2, column weight: expected a weight, a number from 0 to 1e+09, found '1e+300'"),
        ({"period": [1, 2.5]}, "row 2, column period: expected a period"),
    ],
)
def test_a_frame_with_a_fault_is_refused(changed, expected):
    with pytest.raises(GameTableError) as caught:
        read(pandas.DataFrame(FRAME | changed))
    assert expected in str(caught.value)


def test_a_frame_has_the_name_that_it_is_given_in_messages():
    with pytest.raises(GameTableError, match="--white and --black, row 1, column black: expected two different"):
        read(pandas.DataFrame(FRAME | {"black": ["Ann", "Cid"]}), source="--white and --black")


def test_a_frame_without_rows_is_refused():
    with pytest.raises(GameTableError, match="at least one game, found no rows"):
        read(pandas.DataFrame(FRAME).iloc[:0])


def test_what_is_not_a_frame_is_refused():
    with pytest.raises(GameTableError, match="a data frame of pandas, polars or pyarrow, found list"):
        read([1, 2])


def test_a_column_map_with_an_unknown_field_or_column_is_refused():
    with pytest.raises(GameTableError, match="--columns: expected fields among"):
        read(pandas.DataFrame(FRAME), columns={"whit": "white"})
    with pytest.raises(GameTableError, match="expected a column 'W'"):
        read(pandas.DataFrame(FRAME), columns={"white": "W"})


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(GameTableError, match="a readable file, found no such file"):
        read(tmp_path / "none.csv")
    with pytest.raises(GameTableError, match="found a directory"):
        read(tmp_path)


def test_an_unknown_format_is_told(tmp_path):
    (tmp_path / "notes").write_text("no games here\n")
    with pytest.raises(GameTableError, match="'no games here'"):
        detect(tmp_path / "notes")
    with pytest.raises(GameTableError, match=r"format: expected csv \| tsv"):
        read(tmp_path / "notes", kind="xls")
    with pytest.raises(GameTableError, match="options of the pgn reader"):
        read(tmp_path / "notes", kind="pgn", columns={})


def test_a_senseless_delimiter_is_refused(tmp_path):
    (tmp_path / "a.csv").write_text("white,black,result\nA,B,1\n")
    with pytest.raises(GameTableError, match="delimiter: expected one character"):
        read(tmp_path / "a.csv", delimiter=";;")


def test_games_errors_are_halfpoint_errors():
    assert issubclass(GameTableError, HalfpointError)
    assert issubclass(HalfpointError, ValueError)


@pytest.mark.parametrize("row", ['Ann,"Bob,1\n' + "x" * 200_000, 'Ann,"Bob,1', 'Ann,"Bob"by,1'])
def test_a_quotation_mark_that_ends_the_rows_has_a_remedy(tmp_path, row):
    path = tmp_path / "games.csv"
    path.write_text(f"white,black,score\n{row}\n")
    with pytest.raises(GameTableError, match="Close each quotation mark, and write one within a cell twice"):
        read_csv(path)


def test_two_unknown_columns_of_fixtures_are_proposed_as_the_sides(tmp_path):
    file = tmp_path / "next.csv"
    file.write_text("first,second\nIda,Jonas\nMara,Ola\n", encoding="utf-8")
    with pytest.raises(GameTableError, match="--columns white=first,black=second"):
        read(file, scored=False)
    fixtures = read(file, scored=False, columns={"white": "first", "black": "second"})
    assert [fixtures.players[side[0]] for side in (fixtures.white, fixtures.black)] == ["Ida", "Jonas"]


def test_games_of_an_engine_against_itself_are_set_apart():
    frame = pandas.DataFrame({"white": list("ABA") * 10, "black": list("BAA") * 10, "score": 1.0})
    games = read(frame)
    assert "set apart: 10 games, one player on both sides (row 3, 6, 9, 12, 15, ...)" in games.notes
    assert len(games) == 20
    with pytest.raises(GameTableError, match="two different players"):  # the same column twice, perhaps
        read(frame.assign(black=frame["white"]))


@pytest.mark.parametrize(("columns", "found"), [(("home_goals", "away_goals"), "-2"), (("FTHG", "FTAG"), "-3")])
def test_negative_goals_are_refused_and_negative_points_are_not(columns, found):
    frame = pandas.DataFrame({"home": ["Ann", "Bob"], "away": ["Bob", "Cid"], columns[0]: [1, 2], columns[1]: [0, 0]})
    wrong = frame.assign(**{columns[0]: [1, int(found)]})
    with pytest.raises(GameTableError, match=f"{columns[0]}: expected goals, a number of at least 0, found '{found}'"):
        read(wrong)
    assert read(wrong.rename(columns=dict(zip(columns, ("home_points", "away_points"), strict=True)))).margin[1] < 0
