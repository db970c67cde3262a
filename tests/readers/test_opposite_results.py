"""Results of both sides in two columns: opposite ones are a game, others stop the reader."""

import pytest
from strangers.tally import tally

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.read import read

TRUTH = {"Ann": [2, 0, 0], "Bob": [0, 1, 1], "Cem": [0, 1, 1]}  # Ann beats Bob and Cem, who draw


def games_of(tmp_path, name, text):
    (tmp_path / name).write_text(text, encoding="utf-8")
    return read(tmp_path / name)


PAIR = "player1,player2,{0}_1,{0}_2\n"


@pytest.mark.parametrize("name", ["result", "match"])
def test_results_of_two_games_in_a_row_are_refused(tmp_path, name):
    text = PAIR.format(name) + "Ann,Bob,win,loss\nCem,Ann,win,win\nBob,Cem,loss,loss\n"
    message = f"line 3, columns {name}_1 and {name}_2: expected opposite results of both sides, found 'win' and 'win'"
    with pytest.raises(GameTableError, match=message):
        games_of(tmp_path, "legs.csv", text)


def test_the_result_of_each_side_and_a_result_written_twice_are_one_game(tmp_path):
    sides = "Ann,Bob,win,loss\nCem,Ann,loss,win\nBob,Cem,draw,draw\n"
    assert tally(games_of(tmp_path, "sides.csv", PAIR.format("result") + sides)) == TRUTH
    twice = "Ann,Bob,win,win\nCem,Ann,loss,loss\nBob,Cem,draw,draw\n"
    assert tally(games_of(tmp_path, "twice.csv", PAIR.format("result") + twice)) == TRUTH
