"""FIDE's tournament report: games, ratings, days and rounds; byes and forfeits set apart; agreement of both players."""

import pytest

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.read import detect, read

REPORT = [
    "012 Club Championship 2024",
    "042 2024/03/01",
    "132" + 88 * " " + "24/03/01  24/03/02  24/03/08",
    f"001    1 m FM {'Großmann, Jörg':<33} 1800 GER     1300001 1980/00/00  2.0    1     2 w 1     3 b +  0000 - U",
    f"001    2 w    {'Bauer, Ben':<33}    0 SUI     1300002 1980/00/00  0.5    3     1 b 0  0000 - H     3 w =",
    f"001    3 m    {'Conti, Cem':<33} 1680 SUI     1300003 1980/00/00  0.5    2  0000 - Z     1 w -     2 b =",
]


def report(tmp_path, lines, name="club.trf", encoding="utf-8", end="\n"):
    path = tmp_path / name
    path.write_text(end.join(lines) + end, encoding=encoding, newline="")
    return path


@pytest.mark.parametrize(("encoding", "end"), [("utf-8", "\n"), ("cp1252", "\r\n"), ("utf-8-sig", "\r")])
def test_games_have_ratings_days_and_rounds(tmp_path, encoding, end):
    path = report(tmp_path, REPORT, "club.txt", encoding, end)  # told from its first line
    games = read(path)
    assert detect(path) == "trf"
    assert games.white_names.tolist() == ["Großmann, Jörg", "Bauer, Ben"]
    assert (games.score.tolist(), games.covariates["Round"].tolist()) == ([1.0, 0.5], [1.0, 3.0])
    assert games.date.astype(str).tolist() == ["2024-03-01", "2024-03-08"]
    assert games.white_rating_elo[0] == 1800.0
    assert set(games.event) == {"Club Championship 2024"}
    assert any("3 games, bye (line 4, 5, 6)" in note for note in games.notes)
    assert any("1 game, forfeit (line 6)" in note for note in games.notes)


def test_without_days_rounds_are_the_periods(tmp_path):
    lines = [line for line in REPORT if not line.startswith(("042", "132"))]
    assert read(report(tmp_path, lines)).period.tolist() == [1, 3]


def test_what_the_two_players_do_not_agree_on_is_refused(tmp_path):
    other = [line.replace("1 b 0", "1 b =") for line in REPORT]
    with pytest.raises(GameTableError, match=r"line 4, round 1: expected the same result in both rows, found '1'"):
        read(report(tmp_path, other))
    with pytest.raises(GameTableError, match=r"line 4, round 1: expected a player's number, found '9'"):
        read(report(tmp_path, [*REPORT[:3], REPORT[3].replace("2 w 1", "9 w 1"), *REPORT[4:]]))
    with pytest.raises(GameTableError, match="line 7: expected a player with a name and a number"):
        read(report(tmp_path, [*REPORT, REPORT[5]]))
