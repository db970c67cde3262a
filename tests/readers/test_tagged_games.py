"""Draughts and bughouse games, read by their tags."""

from strangers.tally import tally

from halfpoint.readers.read import read


def test_a_game_of_four_players_has_two_sides(tmp_path):
    seats = (
        '[Event "x"]\n[WhiteA "{0}"][BlackA "{1}"]\n[WhiteB "{2}"][BlackB "{3}"]\n[Result "{4}"]\n\n1A. e4 {{5}}\n\n'
    )
    games = [("Ann", "Bob", "Cem", "Dan", "1-0"), ("Bob", "Ann", "Dan", "Cem", "0-1"), ("Ann", "Cem", "", "Dan", "1-0")]
    path = tmp_path / "games.bpgn"
    path.write_text("".join(seats.format(*game) for game in games), encoding="utf-8")
    table = read(path)
    assert table.people.tolist() == ["Ann", "Bob", "Cem", "Dan"]
    assert table.score.tolist() == [1.0, 0.0]
    assert any("1 game without all names" in note for note in table.notes)


def test_results_of_draughts_are_of_two_points(tmp_path):
    text = "".join(f'[White "Ann"]\n[Black "Bob"]\n[Result "{result}"]\n\n1. 32-28 19-23\n\n'
                   for result in ("2-0", "1-1", "0-2", "0-0"))  # fmt: skip
    path = tmp_path / "games.pdn"
    path.write_text(text, encoding="utf-8")
    assert tally(read(path)) == {"Ann": [1, 1, 1], "Bob": [1, 1, 1]}
