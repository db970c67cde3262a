"""Budgets of time, memory and rows: a file within them is read unchanged, any other is refused in one line."""

import sys

import numpy as np
import polars as pl
import pytest

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers import Limits, read

AMPLE = Limits(seconds=100, memory_bytes=2 * 2**30, rows=1_000)


@pytest.fixture
def club(tmp_path):
    """A file of three games."""
    (tmp_path / "club.csv").write_text("white,black,result,date\nAnn,Bob,1-0,2024-01-03\nBob,Cy,0-1,\nCy,Ann,1-0,\n")
    return tmp_path / "club.csv"


def test_games_are_the_same_within_limits(club):
    games, bounded = read(club), read(club, limits=AMPLE)
    assert bounded.players.tolist() == games.players.tolist()
    for name in ("white", "black", "score", "date", "line"):
        np.testing.assert_array_equal(getattr(bounded, name), getattr(games, name))
    assert (bounded.notes, bounded.sha256, bounded.source) == (games.notes, games.sha256, games.source)


def test_an_error_of_the_file_is_the_same_within_limits(club):
    club.write_text(club.read_text().replace("0-1", "7-x") + "Ann,Bob,7-x,\n")
    with pytest.raises(GameTableError) as alone:
        read(club)
    with pytest.raises(GameTableError) as bounded:
        read(club, limits=AMPLE)
    assert str(bounded.value) == str(alone.value)
    assert bounded.value.places == alone.value.places != ()


@pytest.mark.parametrize("suffix", ["csv", "parquet", "pgn"])
def test_too_many_rows_are_refused(tmp_path, suffix):
    path = tmp_path / f"games.{suffix}"
    if suffix == "pgn":
        path.write_text('[White "Ann"]\n[Black "Bob"]\n[Result "1-0"]\n\n1. e4 1-0\n\n' * 11)
    else:
        frame = pl.DataFrame({"white": ["Ann", "Bob"] * 11, "black": ["Cy", "Di"] * 11, "score": [1.0, 0.0] * 11})[:11]
        frame.write_csv(path) if suffix == "csv" else frame.write_parquet(path)
    assert len(read(path, limits=Limits(rows=11))) == 11
    with pytest.raises(GameTableError, match="expected at most 10 rows, found 11"):
        read(path, limits=Limits(rows=10))


def test_a_file_that_takes_longer_than_its_time_is_refused_in_time(tmp_path):
    path = tmp_path / "games.csv"
    path.write_text("white,black,result\n" + "".join(f"p{k},q{k % 77777},1-0\n" for k in range(400_000)))
    with pytest.raises(GameTableError, match=r"found more than 0.05 seconds. Raise limits.seconds, or split it."):
        read(path, limits=Limits(seconds=0.05))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits addresses as documented")
def test_a_file_that_needs_more_memory_than_its_limit_is_refused(tmp_path):
    path = tmp_path / "games.csv"
    path.write_text("white,black,result\n" + "".join(f"p{k},q{k % 77777},1-0\n" for k in range(400_000)))
    with pytest.raises(GameTableError, match="expected at most 20,000,000 bytes of memory, found more"):
        read(path, limits=Limits(memory_bytes=20_000_000))


def test_limits_are_above_0_and_of_files(club):
    with pytest.raises(GameTableError, match="limits, seconds: expected a number above 0"):
        Limits(seconds=0)
    with pytest.raises(GameTableError, match="expected the path of a file, found DataFrame"):
        read(pl.DataFrame({"white": ["Ann"], "black": ["Bob"], "score": [1]}), limits=AMPLE)
