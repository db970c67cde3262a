"""Equal games without moves may be two games of a day: possible duplicates, never certain ones."""

import pandas

from halfpoint.apps.workflows.beside.duplicates import drop_duplicates, find_duplicates
from halfpoint.readers.pgn import read_pgn_headers
from halfpoint.readers.read import read as read_any

HEADERS = '[Event "Club"]\n[Date "2024.05.01"]\n[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n'


def read(tmp_path, *movetexts):
    path = tmp_path / "club.pgn"
    path.write_text("".join(f"{HEADERS}{moves}1-0\n\n" for moves in movetexts))
    return read_pgn_headers(path, moves=True).games


def test_headers_alone_are_no_proof(tmp_path):
    games = read(tmp_path, "", "")
    found = find_duplicates(games)
    assert found.certain.tolist() == [False]
    assert len(drop_duplicates(games, found)) == 2


def test_the_same_moves_are_a_proof(tmp_path):
    games = read(tmp_path, "1. e4 e5 ", "1. e4 e5 ", "1. d4 d5 ")
    found = find_duplicates(games)
    assert found.certain.tolist() == [True]
    assert len(drop_duplicates(games, found)) == 2


def test_votes_of_one_day_at_different_times_are_no_duplicates():
    votes = {"model_a": ["A"] * 3, "model_b": ["B"] * 3, "winner": ["model_a"] * 3}
    for times in (["1700000000.5", "1700001000.5", "1700000000.5"], ["2024-01-02 15:30", "2024-01-02 15:31"]):
        frame = pandas.DataFrame(votes).head(len(times)).assign(tstamp=times)
        assert find_duplicates(read_any(frame)).copy.tolist() == [2][: len(times) - 2]


def test_games_of_one_row_of_counts_are_no_duplicates():
    frame = pandas.DataFrame({"player1": ["A", "B"], "player2": ["B", "C"], "wins1": [3, 1], "wins2": [1, 1]})
    games = read_any(frame.assign(date="2024-01-02"))
    assert len(games) == 6
    assert len(find_duplicates(games)) == 0
    twice = read_any(pandas.concat([frame, frame.head(1)]).assign(date="2024-01-02"))
    assert len(find_duplicates(twice)) == 4
