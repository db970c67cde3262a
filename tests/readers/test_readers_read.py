"""Readers return the same games from every format."""

import hashlib

import numpy as np
import pandas
import polars
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from halfpoint.readers.column_values import UNKNOWN
from halfpoint.readers.read import detect, read
from halfpoint.readers.set_apart import is_bye

FRAME = pandas.DataFrame(
    {
        "white": ["Ann", "Bob", "Cid"],
        "black": ["Bob", "Cid", "Ann"],
        "score": [1.0, 0.5, 0.0],
        "date": ["2012-11-30", "2013.01.02", ""],
        "white_rating_elo": [2000.0, 1900.5, np.nan],
        "black_rating_elo": [1900, 2100, 2000],
        "event": ["Club", "Club", "Open"],
    }
)
PGN = """\
[Event "Club"]
[Date "2012.11.30"]
[White "Ann"]
[Black "Bob"]
[Result "1-0"]
[WhiteElo "2000"]
[BlackElo "1900"]

1. e4 {[not a header]} e5 1-0

[Event "Club"]
[Date "2013.01.02"]
[White "Bob"]
[Black "Cid"]
[Result "1/2-1/2"]
[WhiteElo "1900.5"]
[BlackElo "2100"]

1/2-1/2

[Event "Adjourned"]
[White "Bob"]
[Black "Cid"]
[Result "*"]

*

[Event "Open"]
[Date "2013.??.??"]
[White "Cid"]
[Black "Ann"]
[Result "0-1"]
[WhiteElo "?"]
[BlackElo "2000"]

1. d4 0-1
"""


def same_games(one, other):
    assert one.players.tolist() == other.players.tolist()
    for column in ("white", "black", "score", "white_rating_elo", "black_rating_elo", "date", "event"):
        np.testing.assert_array_equal(getattr(one, column), getattr(other, column), err_msg=column)


def test_csv_tsv_pgn_and_frame_give_the_same_games(tmp_path):
    frame = read(FRAME)
    assert frame.white_names.tolist() == ["Ann", "Bob", "Cid"]
    assert frame.score.tolist() == [1.0, 0.5, 0.0]
    assert np.isnat(frame.date).tolist() == [False, False, True]
    assert frame.date[0] == np.datetime64("2012-11-30")
    FRAME.to_csv(tmp_path / "games.csv", index=False)
    FRAME.to_csv(tmp_path / "games.tsv", index=False, sep="\t")
    (tmp_path / "games.pgn").write_text(PGN)
    for file, lines in (("games.csv", [2, 3, 4]), ("games.tsv", [2, 3, 4]), ("games.pgn", [1, 11, 28])):
        games = read(tmp_path / file)
        same_games(games, frame)
        assert games.line.tolist() == lines
        assert games.name == file
        assert len(games.sha256) == 64


@pytest.mark.parametrize("suffix", ["csv", "tsv", "parquet", "arrow", "jsonl", "json"])
def test_every_file_has_its_hash(tmp_path, suffix):
    """SHA-256 of the bytes, as by hashlib; it names the data of a trace."""
    frame = polars.DataFrame({"white": ["Ann", "Bob"], "black": ["Bob", "Cy"], "score": [1.0, 0.5]})
    path = tmp_path / f"games.{suffix}"
    write = {"csv": frame.write_csv, "parquet": frame.write_parquet, "arrow": frame.write_ipc,
             "jsonl": frame.write_ndjson, "json": frame.write_json}  # fmt: skip
    frame.write_csv(path, separator="\t") if suffix == "tsv" else write[suffix](path)
    assert read(path).sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_format_is_told_from_the_first_line(tmp_path):
    for kind, text in (
        ("csv", "white,black,score\n"),
        ("tsv", "white\tblack\tscore\n"),
        ("pgn", "\n" + PGN),
        ("study", "Site\tData\tWR\tW\tB\tBR\ty\n"),
    ):
        (tmp_path / "games.txt").write_text(text)
        assert detect(tmp_path / "games.txt") == kind


def test_columns_are_mapped_kept_and_ignored(tmp_path):
    text = "W;B;y;round;note\nAnn;Bob;1-0;1;x\n\nBob;Ann;1/2-1/2;2;y\n"
    (tmp_path / "games.csv").write_text(text)
    columns = {"white": "W", "black": "B", "score": "y"}
    games = read(tmp_path / "games.csv", columns=columns, covariates=["round"], ignore=["note"], delimiter=";")
    assert games.score.tolist() == [1.0, 0.5]
    assert games.covariates["round"].tolist() == [1.0, 2.0]
    assert games.line.tolist() == [2, 4]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_told_from_the_header(tmp_path, delimiter):
    text = "white,black,score\nAnn,Bob,0.5\nBob,Ann,1\n".replace(",", delimiter)
    (tmp_path / "games.csv").write_text(text.replace("0.5", "0,5") if delimiter == ";" else text)
    assert read(tmp_path / "games.csv").score.tolist() == [0.5, 1.0]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_names_survive_their_encoding(tmp_path, encoding):
    (tmp_path / "games.csv").write_bytes("white,black,score\nMüller,Vallejo Pónç,1\n".encode(encoding))
    assert read(tmp_path / "games.csv").players.tolist() == ["Müller", "Vallejo Pónç"]


def test_study_format_with_months_and_with_dates(tmp_path):
    header = "Site\tData\tWR\tW\tB\tBR\ty\n"
    (tmp_path / "months.txt").write_text(header + "Wijk 1 2700 Ann Bob 2600 0.5\n\n")
    (tmp_path / "dates.txt").write_text(header + "Wijk 2013.01.12 2700 Ann Bob 2600 0\n")
    months, dates = read(tmp_path / "months.txt"), read(tmp_path / "dates.txt")
    assert months.period.tolist() == [1]
    assert months.date is None
    assert dates.date.tolist() == [np.datetime64("2013-01-12").item()]
    assert (months.white_rating_elo[0], months.black_rating_elo[0], months.score[0]) == (2700.0, 2600.0, 0.5)


names = st.text(st.characters(categories=["L", "Zs"], max_codepoint=0x24F), min_size=1, max_size=8).map(
    lambda name: " ".join(name.split())
)
rows = st.lists(
    st.tuples(names, names, st.sampled_from([0.0, 0.5, 1.0]), st.none() | st.integers(1, 4000)).filter(
        lambda row: (
            row[0]
            and row[1]
            and row[0] != row[1]
            and not {row[0], row[1]} & set(UNKNOWN)
            and not any(map(is_bye, row[:2]))
        )
    ),
    min_size=1,
    max_size=20,
)


@settings(deadline=None)  # the first reading imports the forms
@given(rows)
def test_a_csv_gives_back_what_was_written(tmp_path_factory, rows):
    names = {name for row in rows for name in row[:2]}
    assume(len({"".join(sorted(name.casefold())) for name in names}) == len(names))  # case alone makes no player
    frame = pandas.DataFrame(rows, columns=["white", "black", "score", "white_rating_elo"]).astype(
        {"white_rating_elo": "float64"}
    )
    path = tmp_path_factory.mktemp("round") / "games.csv"
    frame.to_csv(path, index=False)
    games = read(path)
    assert games.white_names.tolist() == frame["white"].tolist()
    assert games.black_names.tolist() == frame["black"].tolist()
    assert games.score.tolist() == frame["score"].tolist()
    np.testing.assert_array_equal(games.white_rating_elo, frame["white_rating_elo"])
