"""Files of losers first, of records of pairs, of forfeits in words and of rows behind a #."""

from collections import Counter

import pytest

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.read import read

#: winner and loser
ROUNDS = [("Ann", "Bob"), ("Bob", "Cid"), ("Cid", "Ann"), ("Dee", "Bob"), ("Dee", "Ann"), ("Cid", "Dee")]
HEADERS = ["Perdants;Gagnants", "Perdedor;Ganador", "Sconfitti;Vincitori", "Verlierer;Gewinner", "敗者;勝者"]
REMARKS = ["Incomparecencia del visitante", "Gast nicht angetreten", "Forfait de l'équipe visiteuse", "Walkover Heim",
           "kampflos für Heim", "Walkover para visitante"]  # fmt: skip


def written(folder, *lines):
    """The path of a file of lines."""
    (folder / "games.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder / "games.csv"


def results(games):
    """The number of games by winner and loser, or by the names of a draw in their order."""
    rows = zip(games.white_names.tolist(), games.black_names.tolist(), games.score.tolist(), strict=True)
    return Counter(
        (a, b, "won") if s == 1 else (b, a, "won") if s == 0 else (*sorted((a, b)), "drawn") for a, b, s in rows
    )


@pytest.mark.parametrize("header", HEADERS)
def test_losers_in_the_first_column_lose(tmp_path, header):
    games = read(written(tmp_path, f"{header};Score", *(f"{b};{a};6-4 6-2" for a, b in ROUNDS)))
    assert results(games) == Counter((a, b, "won") for a, b in ROUNDS)


def test_scores_that_one_unknown_column_always_wins_have_two_readings(tmp_path):
    rows = ROUNDS * 4
    path = written(tmp_path, "Alfa,Omega,Score", *(f"{b},{a},6-4 6-2" for a, b in rows))
    with pytest.raises(GameTableError, match="winner=Alfa,loser=Omega or --columns winner=Omega,loser=Alfa"):
        read(path)
    games = read(path, columns={"winner": "Omega", "loser": "Alfa"})
    assert results(games) == Counter((a, b, "won") for a, b in rows)


@pytest.mark.parametrize("names", ["W D L GF GA", "Wins Draws Losses PF PA", "W D L Goals_for Goals_against"])
@pytest.mark.parametrize("both", [False, True])
def test_records_of_pairs_beside_all_their_goals_are_counts(tmp_path, names, both):
    records = {("Ann", "Bob"): (3, 1, 0, 9, 4), ("Bob", "Cid"): (1, 2, 2, 8, 9), ("Cid", "Ann"): (0, 0, 2, 1, 5)}
    rows = [(*pair, *record) for pair, record in records.items()]
    rows += [(b, a, lost, drawn, won, *goals[::-1]) for a, b, won, drawn, lost, *goals in rows] if both else []
    path = written(tmp_path, f"Team,Opponent,{names.replace(' ', ',')}", *(",".join(map(str, row)) for row in rows))
    expected = Counter()
    for (a, b), (won, drawn, lost, *_) in records.items():
        expected += Counter({(a, b, "won"): won, (b, a, "won"): lost, (*sorted((a, b)), "drawn"): drawn})
    assert results(read(path)) == expected


def test_goals_of_a_day_beside_the_record_so_far_are_the_result(tmp_path):
    rows = ["2024-03-01,Ann,Bob,2,1,5,0,2", "2024-03-02,Bob,Cid,0,3,4,1,2", "2024-03-03,Cid,Ann,1,1,3,3,3"]
    games = read(written(tmp_path, "Date,Team,Opponent,GF,GA,W,D,L", *rows))
    assert results(games) == Counter([("Ann", "Bob", "won"), ("Cid", "Bob", "won"), ("Ann", "Cid", "drawn")])


@pytest.mark.parametrize("remark", REMARKS)
def test_a_forfeit_of_a_side_in_words_is_no_game(tmp_path, remark):
    rows = [f"{a},20-0,{b},{remark if k == 2 else ''}" for k, (a, b) in enumerate(ROUNDS)]
    games = read(written(tmp_path, "Local,Resultado,Visitante,Observaciones", *rows))
    assert results(games) == Counter((a, b, "won") for k, (a, b) in enumerate(ROUNDS) if k != 2)


def test_a_row_behind_a_sign_is_no_row_in_a_file_with_comments(tmp_path):
    rows = [f"{a},{b},1-0" for a, b in ROUNDS]
    games = read(written(tmp_path, "# a test", "first,second,result", *rows[:3], f"#{rows[3]}", *rows[4:]))
    assert results(games) == Counter((a, b, "won") for k, (a, b) in enumerate(ROUNDS) if k != 3)
    assert "left out: 2 lines of comments, #" in games.notes


def test_a_rank_behind_a_sign_is_part_of_a_name(tmp_path):
    rows = [f"{a},{b},1-0" for a, b in (*ROUNDS, ("#5 Eve", "Ann"), ("#5 Eve", "Bob"))]
    games = read(written(tmp_path, "# a test", "home,away,result", *rows))
    assert len(games) == len(rows)


@pytest.mark.parametrize("mark", ["#", "//", ";", "% "])
def test_a_row_behind_a_sign_without_comments_is_an_open_question(tmp_path, mark):
    rows = [f"{a},{b},1-0" for a, b in ROUNDS]
    path = written(tmp_path, "first,second,result", *rows[:3], f"{mark}{rows[3]}", *rows[4:])
    with pytest.raises(GameTableError, match="'Dee'; delete rows that are commented out"):
        read(path)
    assert len(read(path, trust=True)) == len(rows)


@pytest.mark.parametrize("word", ["Total", "Subtotal", "Gesamt", "Average"])
def test_sums_of_counts_are_no_games(tmp_path, word):
    rows = ["Ann,Bob,5,3,2", "Ann,Cid,4,4,4", f"Ann,{word},9,7,6", "Cid,Bob,3,3,3", f"{word},,12,10,9"]
    games = read(written(tmp_path, "White,Black,Wins,Draws,Losses", *rows))
    assert set(games.players.tolist()) == {"Ann", "Bob", "Cid"}
    assert len(games) == 10 + 12 + 9


def test_stages_of_a_cup_beside_times_are_no_results(tmp_path):
    rows = [f"{stage},{a},{6.5 + k / 100:.2f},{b},{'FALL' if k == 2 else 7.1}"
            for stage in ("1/8", "1/4", "1/2", "1/16") for k, (a, b) in enumerate(ROUNDS)]  # fmt: skip
    with pytest.raises(GameTableError, match="expected a column for score"):
        read(written(tmp_path, "Stage,Lane A,Time A,Lane B,Time B", *rows))
