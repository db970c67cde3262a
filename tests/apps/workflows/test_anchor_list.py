"""Lists of anchors: formats, matching of names, and refusals."""

import numpy as np
import pandas as pd
import pytest

from halfpoint.apps.workflows.beside.anchor_list import HELD_ELO, read_anchors
from halfpoint.models.games.errors import GameTableError

ROWS = {"Fritz": [2850.0, 12.0], "Crafty, Bob": [2700.5, HELD_ELO]}
WRITTEN = {
    "as Ordo takes it": '"Fritz", 2850, 12\n"Crafty, Bob", 2700.5\n',
    "a header": "player,rating,error\nFritz,2850,12\n\n'Crafty',0\n".replace("'Crafty',0", '"Crafty, Bob",2700.5,'),
    "a rating list of ours": (
        'rank,player,rating_elo,sd_elo,low_elo\n1,Fritz,2850,12,2827\n2,"Crafty, Bob",2700.5,0,2700\n'
    ),
    "tabs and other words": "Name\tElo\tSE\nFritz\t2850\t12\nCrafty, Bob\t2700.5\t\n",
    "semicolons": "engine;rating;uncertainty\nFritz;2850;12\nCrafty, Bob;2700.5;\n",
    "half of an interval": 'Name,Elo,+/-\nFritz,2850,23.52\n"Crafty, Bob",2700.5,0\n',
}


@pytest.mark.parametrize("text", WRITTEN.values(), ids=WRITTEN)
def test_a_list_is_read_as_people_write_it(tmp_path, text):
    path = tmp_path / "list.csv"
    path.write_text(text, encoding="utf-8")
    found = read_anchors(path)
    assert found.names == tuple(ROWS)
    np.testing.assert_allclose(found.prior_elo, list(ROWS.values()))


def test_frames_and_mappings_say_the_same():
    frame = pd.DataFrame({"player": list(ROWS), "rating_elo": [2850, 2700.5], "sd_elo": [12.0, np.nan]})
    for given in (frame, {"Fritz": (2850, 12), "Crafty, Bob": 2700.5}):
        found = read_anchors(given)
        assert found.names == tuple(ROWS)
        np.testing.assert_allclose(found.prior_elo, list(ROWS.values()))
    assert found.words(5) == (
        "anchors, anchors: 1 known and 1 with a standard error of 12 Elo; 3 others of the list are not in these games"
    )


def test_players_are_those_of_the_games():
    found = read_anchors({"fritz": 2850, "CRAFTY  bob": (2700, 20), "Rybka": 3000}).among(
        ["Zappa", "Crafty, Bob", "Fritz"]
    )
    assert found.names == ("Fritz", "Crafty, Bob")
    expected = [[np.nan, np.nan], [2700.0, 20.0], [2850.0, HELD_ELO]]
    np.testing.assert_array_equal(found.of(np.array(["Zappa", "Crafty, Bob", "Fritz"])), expected)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a row a player"),
        ("player,rating\n", "expected a row a player"),
        ("name,points\nA,3\n", "line 1: expected columns player and rating"),
        ("A,2500\nB,28x\n", r"line 2, rating: expected a number from -10,000 to 20,000, found '28x'"),
        ("A,2500,-3\n", "line 1, error: expected a number from 0 to 5,000, found '-3'"),
        ("A,2500,nearly\n", "line 1, error: expected a number"),
        ("A,2500,3\nA,2600,3\n", "line 2: expected every player once, found 'A' again"),
        ("A,2500,3,7\n", "line 1: expected a name, a rating and if known its standard error"),
        ("A\n", "line 1: expected a name, a rating"),
        ('"A,2500\n', "expected one row a line"),
        ("A,inf\n", "rating: expected a number"),
    ],
)
def test_what_is_no_list_is_refused_in_one_line(tmp_path, text, message):
    path = tmp_path / "list.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(GameTableError, match=message) as found:
        read_anchors(path)
    assert "\n" not in str(found.value)
    assert str(path) in str(found.value)


def test_nobody_and_two_names_of_one_player_are_refused():
    with pytest.raises(GameTableError, match=r"expected players of the games, found none of its 1, such as 'Rybka'"):
        read_anchors({"Rybka": 3000}).among(["Fritz", "Zappa"])
    with pytest.raises(GameTableError, match="every player once, found 'Fritz' and 'fritz', the same player"):
        read_anchors({"Fritz": 3000, "fritz": 2900}).among(["Fritz", "Zappa"])


@pytest.mark.parametrize("row", ["Fritz,2850,12,4", "Fritz,2,850,12"])
def test_a_row_with_more_cells_than_the_header_stops(tmp_path, row):
    path = tmp_path / "list.csv"
    path.write_text(f"player,rating,error\nCrafty,2700,20\n{row}\n")
    with pytest.raises(GameTableError, match=r"list\.csv, line 3: expected 3 cells, as the header has, found 4"):
        read_anchors(path)
