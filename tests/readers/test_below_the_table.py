"""Tables with text or another table below, counts with a total, letters of mats, and forms of sports with teams."""

import json
from collections import Counter

import pytest

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.read import read

ROUNDS = [("Ann", "Bob", 2, 1), ("Bob", "Cid", 0, 3), ("Cid", "Ann", 1, 1), ("Dee", "Bob", 4, 0), ("Dee", "Ann", 1, 2)]
TRUTH = Counter(
    [("Ann", "Bob", 1.0), ("Bob", "Cid", 0.0), ("Cid", "Ann", 0.5), ("Dee", "Bob", 1.0), ("Dee", "Ann", 0.0)]
)
TABLE = ["Date,Home,Result,Away", *(f"2024-03-0{k},{a},{x}-{y},{b}" for k, (a, b, x, y) in enumerate(ROUNDS, 1))]


def written(folder, name, *lines, encoding="utf-8"):
    """The path of a file of lines."""
    (folder / name).write_text("\n".join(lines) + "\n", encoding=encoding)
    return folder / name


def results(games):
    """The number of games by first side, second side and score."""
    return Counter(zip(games.white_names.tolist(), games.black_names.tolist(), games.score.tolist(), strict=True))


@pytest.mark.parametrize(
    "notes", [["Source: minutes, by hand"], ["* after extra time", "Typed by Eve, 12 May", "One, two"]]
)
def test_text_below_a_table_is_left_out_and_reported(tmp_path, notes):
    games = read(written(tmp_path, "games.csv", *TABLE, "", *notes))
    assert results(games) == TRUTH
    assert any("below the table" in note for note in games.notes)


def test_text_at_once_below_a_row_is_an_odd_row(tmp_path):
    with pytest.raises(GameTableError, match="line 7: expected 4 cells, found 2"):
        read(written(tmp_path, "games.csv", *TABLE, "2024-03-06,Ann"))


@pytest.mark.parametrize("title", [[], ["Second Division"]])
@pytest.mark.parametrize(
    "second", [["Date,Referee,Home,Result,Away", "2024-03-07,Poe,Eve,1-0,Fay"], ["Home,Away,Result"]]
)
def test_another_table_below_a_table_is_an_error_with_advice(tmp_path, title, second):
    row = second[-1].replace("Home,Away,Result", "Eve,Fay,1-0")
    with pytest.raises(GameTableError, match="If another table begins here, write each to a file of its own"):
        read(written(tmp_path, "games.csv", *TABLE, "", *title, *second, row, row, row))


@pytest.mark.parametrize("share", ["{:.1f}%", "{:.0f} %", "{:.0f}"])
@pytest.mark.parametrize("total", ["Total", "Gesamt"])
def test_counts_of_a_gauntlet_with_shares_of_the_points_and_a_total(tmp_path, share, total):
    counts = {"Bishop": (5, 3, 4), "Kestrel": (2, 6, 4), "Onyx": (7, 1, 4), total: (14, 10, 12)}
    rows = [
        f"Drake,{name},{w + lost},{w},{lost},{d},{share.format(100 * w / (w + lost + d))}"
        for name, (w, lost, d) in counts.items()
    ]
    games = read(written(tmp_path, "games.csv", "Engine,Opponent,Games,Win,Loss,Draw,Score", *rows))
    assert results(games) == Counter(
        {
            ("Drake", name, score): counts[name][k]
            for name in ("Bishop", "Kestrel", "Onyx")
            for k, score in enumerate((1, 0, 0.5))
        }
    )


def test_letters_of_mats_beside_points_are_no_results(tmp_path):
    rows = [f"{'AB'[k % 2]},{a},{b},{x},{y},{3 * (x > y)},{3 * (y > x)}" for k, (a, b, x, y) in enumerate(ROUNDS)]
    path = written(tmp_path, "games.csv", "Mat,Red,Blue,TP Red,TP Blue,CP Red,CP Blue", *rows)
    with pytest.raises(GameTableError, match="white_goals=CP Red,black_goals=CP Blue") as error:
        read(path)
    assert "score=Mat" not in str(error.value)
    assert results(read(path, columns={"white_goals": "CP Red", "black_goals": "CP Blue"})) == TRUTH


def test_digits_of_full_width_in_shift_jis(tmp_path):
    names = dict(zip(("Ann", "Bob", "Cid", "Dee"), ("ぎんが", "みなと", "やまと", "ほしの"), strict=True))
    wide = {ord(str(digit)): chr(0xFF10 + digit) for digit in range(10)}
    rows = [f"{names[a]},{f'{x}-{y}'.translate(wide)},{names[b]}" for a, b, x, y in ROUNDS]
    games = read(written(tmp_path, "games.csv", "ホーム,スコア,アウェイ", *rows, encoding="cp932"))
    assert results(games) == Counter({(names[a], names[b], score): n for (a, b, score), n in TRUTH.items()})


def test_winners_and_losers_of_beach_volleyball(tmp_path):
    header = "date,tournament,w_player1,w_player2,w_rank,l_player1,l_player2,l_rank,score"
    rows = ['2024-03-01,Cup,Ann,Bob,1,Cid,Dee,4,"21-18, 21-12"', "2024-03-02,Cup,Cid,Dee,1,Ann,Bob,4,Forfeit or other"]
    games = read(written(tmp_path, "vb_matches.csv", header, *rows))
    assert results(games) == Counter([("Ann + Bob", "Cid + Dee", 1.0)])


def test_hoops_of_croquet_are_no_part_of_names(tmp_path):
    lines = ["Block A", "", "A. Day bt B. Eve +17", "B. Eve bt C. Fox +26TP", "C. Fox bt A. Day +3T"]
    games = read(written(tmp_path, "croquet.txt", *lines))
    assert results(games) == Counter([("A. Day", "B. Eve", 1.0), ("B. Eve", "C. Fox", 1.0), ("C. Fox", "A. Day", 1.0)])


def test_alliances_of_robots(tmp_path):
    teams = {"red": ["frc1", "frc2", "frc3"], "blue": ["frc4", "frc5", "frc6"]}
    matches = [
        {
            "key": f"x_qm{number}", "comp_level": "qm", "event_key": "x", "winning_alliance": "",
            "alliances": {side: {"score": pair[k], "team_keys": teams[side]} for k, side in enumerate(teams)},
        }
        for number, pair in enumerate([(50, 40), (30, 60), (20, 20), (-1, -1)])
    ]  # fmt: skip
    games = read(written(tmp_path, "matches.json", json.dumps(matches)))
    red, blue = (" + ".join(names) for names in teams.values())
    assert results(games) == Counter([(red, blue, 1.0), (red, blue, 0.0), (red, blue, 0.5)])


def test_lines_with_the_half_time_and_a_result_at_the_green_table(tmp_path):
    lines = ["Girone A", "", "1ª giornata", *(f"{a} - {b} {x}-{y} (0-0)" for a, b, x, y in ROUNDS[:3])]
    lines += [
        "",
        "2ª giornata",
        "Eva - Ann 3-0 (a tavolino)",
        *(f"{a} - {b} {x}-{y} (0-0)" for a, b, x, y in ROUNDS[3:]),
    ]
    assert results(read(written(tmp_path, "girone.txt", *lines))) == TRUTH
