"""Rows and lines around the games of a match: totals, replays, standing points, rounds in sheets, sentences."""

import pytest

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.read import read

GAMES = [
    ("Ann", "Bob", 1),
    ("Cid", "Dee", 0),
    ("Bob", "Cid", 1),
    ("Dee", "Ann", 0.5),
    ("Ann", "Cid", 1),
    ("Bob", "Dee", 0),
]
RESULTS = {1: "1-0", 0.5: "½-½", 0: "0-1"}


def games_of(path):
    """The games of a file as (first, second, score)."""
    games = read(path)
    return list(zip(games.white_names.tolist(), games.black_names.tolist(), games.score.tolist(), strict=True))


@pytest.mark.parametrize(
    ("label", "total"), [("Spiel", "Gesamt"), ("Board", "Total"), ("Partie", "total"), ("No", "Suma")]
)
def test_a_row_of_the_totals_of_two_teams_is_no_game(tmp_path, label, total):
    rows = [f"{k},{a},{b},{2 * s + 1:g}-1" for k, (a, b, s) in enumerate([*GAMES, ("Ann", "Bob", 1)])]
    text = "\n".join(
        [f"{label},Home,Away,Score", *rows[:3], f"{total},Castle,Rooks,2-1", *rows[3:], f"{total},Rooks,Kings,2-1"]
    )
    (tmp_path / "match.csv").write_text(text)
    assert len(games_of(tmp_path / "match.csv")) == 7
    assert "set apart: 2 games, a total (line 5, 10)" in read(tmp_path / "match.csv").notes


@pytest.mark.parametrize("label", ["Total", "Media"])
def test_a_stage_or_a_source_called_so_is_a_game(tmp_path, label):
    rows = [f"{label if k > 3 else 'Group'},{a},{b},{2 * s + 1:g}-1" for k, (a, b, s) in enumerate(GAMES)]
    (tmp_path / "match.csv").write_text("\n".join(["Stage,Home,Away,Score", *rows]))
    assert len(games_of(tmp_path / "match.csv")) == len(GAMES)


@pytest.mark.parametrize("remark", ["replayed on 2023-09-20", "to be replayed", "à rejouer", "rejoué"])
def test_a_game_that_was_replayed_is_set_apart(tmp_path, remark):
    column = "Remarque" if "rejou" in remark else "remarks"
    rows = [f"{a},{b},{2 * s + 1:g},2,{remark if k == 1 else ''}" for k, (a, b, s) in enumerate(GAMES)]
    (tmp_path / "games.csv").write_text("\n".join([f"home,away,hg,ag,{column}", *rows]))
    assert len(games_of(tmp_path / "games.csv")) == len(GAMES) - 1
    assert "set apart: 1 game, not played (line 3)" in read(tmp_path / "games.csv").notes


def test_points_before_the_round_are_no_result(tmp_path):
    rows = [
        f"1;{k};{a};2015;{k};{RESULTS[s].replace('-', ' - ')};{5 - k};{b};1840" for k, (a, b, s) in enumerate(GAMES)
    ]
    (tmp_path / "pairs.csv").write_text("\n".join(["Rd;Bo.;White;Rtg;Pts.;Result;Pts.;Black;Rtg", *rows]))
    assert games_of(tmp_path / "pairs.csv") == GAMES


@pytest.mark.parametrize("title", ["", "Box 2, results in October\n"])
def test_words_on_the_end_of_a_game_are_no_part_of_a_name(tmp_path, title):
    lines = ["Ann beat Bob in overtime 3-2", "Bob beat Cid (after extra time)", "Cid beat Ann on penalties 4-3",
             "Ann bt Cid by 3 points", "Bob lost to Ann"]  # fmt: skip
    (tmp_path / "games.txt").write_text(title + "\n".join(lines) + "\n")
    assert games_of(tmp_path / "games.txt") == [
        ("Ann", "Bob", 1), ("Bob", "Cid", 1), ("Cid", "Ann", 1), ("Ann", "Cid", 1), ("Bob", "Ann", 0),
    ]  # fmt: skip


def test_a_name_with_a_place_is_kept(tmp_path):
    lines = ["Jan in t Veld beat Bob", "Bob beat Cid", "Cid beat Jan in t Veld", "Bob beat Jan in t Veld"]
    (tmp_path / "games.txt").write_text("\n".join(lines) + "\n")
    assert ("Cid", "Jan in t Veld", 1) in games_of(tmp_path / "games.txt")


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ("先手,後手,勝敗", ("○", "持将棋", "●")),
        ("Proposition,Opposition,Winner", ("Prop", "tie", "Opp")),
        ("Vin A,Vin B,Préféré", ("A", "égalité", "B")),
        ("Local,Visitante,Signo", ("1", "X", "2")),
        ("Хозяева,Гости,Счёт", ("3:2 ОТ", "1:1", "2:3 Б")),
        ("Hjemmehold,Udehold,Slut", ("30-28", "25-25", "27-28")),
    ],
)
def test_words_of_results_in_further_languages(tmp_path, header, words):
    of_score = dict(zip((1, 0.5, 0), words, strict=True))
    (tmp_path / "games.csv").write_text("\n".join([header, *(f"{a},{b},{of_score[s]}" for a, b, s in GAMES)]))
    assert games_of(tmp_path / "games.csv") == GAMES


def test_a_toss_beside_scores_is_no_game_result(tmp_path):
    rows = [f"{a},{b},{(b, a)[k % 2]}" for k, (a, b, _) in enumerate(GAMES)]
    (tmp_path / "games.csv").write_text("\n".join(["team1,team2,toss_winner", *rows]))
    with pytest.raises(GameTableError):
        read(tmp_path / "games.csv")


def test_a_sentence_on_a_forfeit_is_no_name(tmp_path):
    lines = ["Ann beat Bob", "Bob beat Cid by forfeit", "Cid beat Ann", "Ann beat Cid"]
    (tmp_path / "games.txt").write_text("\n".join(lines) + "\n")
    with pytest.raises(GameTableError):
        read(tmp_path / "games.txt")
