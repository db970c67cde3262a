"""Notes of forms are empty without anything to report, and use singular and plural correctly."""

import pytest

from halfpoint.readers.forms import not_used, set_aside, unknown_seats, with_stones


@pytest.mark.parametrize(
    ("notes", "expected"),
    [
        ([not_used(()), set_aside(0, "bye"), unknown_seats(0), with_stones(0)], ["", "", "", ""]),
        ([not_used("ab"), set_aside(1, "bye"), set_aside(2, "bye", " of the last round")],
         ["not used: 'a', 'b'", "set apart: 1 bye", "set apart: 2 byes of the last round"]),
        ([unknown_seats(2, "who began"), with_stones(1)],
         ["who began is unknown in 2 games, which count as neutral",
          "1 game with handicap stones (column handicap), counted as even"]),
    ],
)  # fmt: skip
def test_notes_of_counts(notes, expected):
    assert notes == expected
