"""Players of one name with different ids, and one player with two spellings, in PGN, reports and tables."""

import pytest

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.pgn import read_pgn_headers
from halfpoint.readers.read import read

GAMES = (  # name and id of White and of Black, result
    ("Smith, John", "11", "Doe, Ann", "5", "1-0"),
    ("Smith, John", "11", "Smith, John", "12", "1-0"),
    ("Doe, A.", "5", "Smith, John", "12", "1/2-1/2"),
    ("Kim, Lee", "7", "Doe, Ann", "5", "0-1"),
)


def pgn_of(games):
    return "".join(
        f'[Event "Open"]\n[Date "2024.01.02"]\n[White "{one[0]}"]\n[Black "{one[2]}"]\n[Result "{one[4]}"]\n'
        + (f'[WhiteFideId "{one[1]}"]\n' if one[1] is not None else "")
        + (f'[BlackFideId "{one[3]}"]\n' if one[3] is not None else "")
        + f"\n1. e4 e5 {one[4]}\n\n"
        for one in games
    )


def csv_of(games):
    return "White,WhiteFideId,Black,BlackFideId,Result\n" + "".join(
        ",".join(f'"{cell or ""}"' for cell in one) + "\n" for one in games
    )


def seats(games):
    return [*zip(games.white_names.tolist(), games.black_names.tolist(), strict=True)]


@pytest.mark.parametrize(("ending", "written"), [("pgn", pgn_of), ("csv", csv_of)])
def test_an_id_beside_a_name_is_the_player(tmp_path, ending, written):
    (tmp_path / f"games.{ending}").write_text(written(GAMES))
    games = read(tmp_path / f"games.{ending}")
    assert seats(games) == [
        ("Smith, John (11)", "Doe, Ann"),
        ("Smith, John (11)", "Smith, John (12)"),
        ("Doe, Ann", "Smith, John (12)"),
        ("Kim, Lee", "Doe, Ann"),
    ]
    notes = "\n".join(games.notes)
    assert "names: 'Smith, John' is several players by their ids" in notes
    assert "1 player spelt in several ways, by id, such as 'Doe, Ann' and 'Doe, A.' (5)" in notes


@pytest.mark.parametrize(("ending", "written"), [("pgn", pgn_of), ("csv", csv_of)])
def test_names_without_an_id_belong_to_the_one_id_of_their_name(tmp_path, ending, written):
    games = [*GAMES, ("Doe, A.", "", "Kim, Lee", None, "1-0"), ("Smith, John", "0", "Doe, Ann", "0", "1-0")]
    (tmp_path / f"games.{ending}").write_text(written(games))
    games = read(tmp_path / f"games.{ending}")
    assert seats(games)[4:] == [("Doe, Ann", "Kim, Lee"), ("Smith, John", "Doe, Ann")]
    assert any("'Smith, John', 1 time without an id, counted as 1 further player" in note for note in games.notes)


def test_games_without_ids_keep_their_names(tmp_path):
    (tmp_path / "games.pgn").write_text(
        pgn_of([(*one[:1], None, one[2], None, one[4]) for one in GAMES if "11" not in one])
    )
    games = read(tmp_path / "games.pgn")
    assert set(games.players.tolist()) == {"Doe, A.", "Doe, Ann", "Kim, Lee", "Smith, John"}
    assert not any("id" in note.split() for note in games.notes)


def test_unlike_names_of_one_id_are_shown_first(tmp_path):
    odd = ("Zhang, Wei", "7", "Doe, Ann", "5", "0-1")
    (tmp_path / "games.pgn").write_text(pgn_of([*GAMES, odd]))
    games = read(tmp_path / "games.pgn")
    assert any("2 players spelt" in note and "1 with unlike names, such as 'Kim, Lee'" in note for note in games.notes)


def test_two_spellings_of_one_id_play_no_game(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(pgn_of([*GAMES, ("Doe, Ann", "5", "Doe, A.", "5", "0-1")]))
    with pytest.raises(GameTableError, match=r"column Black: expected two different players, found two spellings of"):
        read_pgn_headers(path)
    found = read_pgn_headers(path, faulty="apart")
    assert found.apart == {"faulty": 1}
    assert len(found.games) == len(GAMES)


def test_an_id_of_no_sensible_length_is_refused(tmp_path):
    (tmp_path / "games.pgn").write_text(pgn_of([("Ann", "1" * 50, "Bob", "2", "1-0")]))
    with pytest.raises(GameTableError, match="an id of at most 40 characters"):
        read(tmp_path / "games.pgn")


def test_two_players_of_one_name_in_a_report(tmp_path):
    def line(number, name, fide, rounds):
        head = f"001 {number:4d} m    {name:<33} 1500 GER {fide:>11} 1990/01/01  1.0 {number:4d}"
        return head.ljust(91) + "".join(f"{other:4d} {colour} {told}  " for other, colour, told in rounds)

    report = "\n".join([
        "012 Club",
        line(1, "Smith, John", "4600011", [(2, "w", "1")]),
        line(2, "Smith, John", "", [(1, "b", "0")]),
    ])  # fmt: skip
    (tmp_path / "club.trf").write_text(report)
    games = read(tmp_path / "club.trf")
    assert seats(games) == [("Smith, John (4600011)", "Smith, John (no. 2)")]
    assert "names: 'Smith, John' is several players of the report, by id or number" in games.notes
