"""Lists of tuples and of dicts are games."""

import pytest

from halfpoint.apps.workflows.intake import games_from
from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.read import read


@pytest.mark.parametrize(
    "rows",
    [
        [("Ann", "Bob", 1), ("Bob", "Cem", 0.5), ("Cem", "Ann", 0)],
        [["Ann", "Bob", "1-0"], ["Bob", "Cem", "1/2-1/2"], ["Cem", "Ann", "0-1"]],
        [{"white": "Ann", "black": "Bob", "score": 1.0}, {"white": "Bob", "black": "Cem", "score": 0.5},
         {"white": "Cem", "black": "Ann", "score": 0.0}],
        ({"home": "Ann", "away": "Bob", "FTR": "H"}, {"home": "Bob", "away": "Cem", "FTR": "D"},
         {"home": "Cem", "away": "Ann", "FTR": "A"}),
    ],
)  # fmt: skip
def test_rows_are_read_as_a_file_is(rows):
    for games in (read(rows), games_from(rows)):
        assert games.white_names.tolist() == ["Ann", "Bob", "Cem"]
        assert games.score.tolist() == [1.0, 0.5, 0.0]


def test_a_fourth_value_is_the_day():
    assert read([("Ann", "Bob", 1, "2024-05-01")]).date.astype(str).tolist() == ["2024-05-01"]


@pytest.mark.parametrize(
    ("rows", "row"), [([("Ann", "Bob", 1), ("Bob", "Ann")], 2), ([("Ann", "Bob")], 1), ([{"white": "Ann"}, ("A",)], 2)]
)
def test_a_row_of_another_kind_is_named(rows, row):
    with pytest.raises(GameTableError, match=f"games, row {row}: expected"):
        read(rows)
