"""Readers use and report further words next to a result, a season, a name or a count."""

from datetime import date, timedelta

import numpy as np
import polars
import pytest

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.csv_files import CsvColumns, plain_columns
from halfpoint.readers.read import read

CLUBS = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay")
# (first, second, outcome): every pair once, a third of them tied
PAIRS = [(a, b, (k + j) % 3 / 2) for k, a in enumerate(CLUBS) for j, b in enumerate(CLUBS) if k < j]
WON = [(a, b, s) if s else (b, a, 1.0) for a, b, s in PAIRS]  # the winner, or the first of a tie, stands first
TIES = sum(s == 0.5 for _, _, s in PAIRS)


def games_of(tmp_path, header, rows, encoding="utf-8", **options):
    """The table of rows."""
    lines = [header, *(",".join(map(str, row)) for row in rows)]
    (tmp_path / "games.csv").write_bytes(("\n".join(lines) + "\n").encode(encoding))
    return read(tmp_path / "games.csv", **options)


@pytest.mark.parametrize("column", ["Draw", "result", "outcome", "Notes", "status"])
@pytest.mark.parametrize(("tie", "other"), [("tie", ""), ("Draw", "Decisive"), ("Match drawn", ""), ("tied", "won")])
def test_a_word_beside_winner_and_loser_says_tie(tmp_path, column, tie, other):
    games = games_of(tmp_path, f"winner,loser,{column}", [(a, b, tie if s == 0.5 else other) for a, b, s in WON])
    assert len(games) == len(WON)
    assert np.count_nonzero(games.score == 0.5) == TIES
    assert any(note.startswith(f"ties: {TIES} games") for note in games.notes)


@pytest.mark.parametrize(
    ("tie", "other", "ties"), [("1-1", "3-1", TIES), ("1-1 (4-3 pens)", "2-0", 0), ("0.5", "1", TIES)]
)
def test_a_level_score_beside_winner_and_loser_is_a_tie(tmp_path, tie, other, ties):
    games = games_of(tmp_path, "winner,loser,score", [(a, b, tie if s == 0.5 else other) for a, b, s in WON])
    assert len(games) == len(WON)
    assert np.count_nonzero(games.score == 0.5) == ties


def test_scores_that_contradict_winners_are_counted(tmp_path):
    games = games_of(
        tmp_path, "winner,loser,score", [(a, b, "1-3" if k < 2 else "3-1") for k, (a, b, _) in enumerate(WON)]
    )
    assert any("fewer points than losers: 2 games" in note for note in games.notes)


def test_a_list_of_sets_counts_the_sets_that_each_side_won(tmp_path):
    sets = ["6-4 3-6 7-6(4)", "4-6 6-3 6-2", "21-15 14-21 21-19", "7-5 6-1", "6-4 4-6 [10-7]"]
    won = games_of(tmp_path, "winner,loser,score", [(a, b, sets[k % 5]) for k, (a, b, _) in enumerate(WON)])
    assert not [note for note in won.notes if "fewer points" in note]
    one_lost = [(a, b, "6-4 3-6 2-6" if k == 1 else sets[k % 5]) for k, (a, b, _) in enumerate(WON)]
    notes = games_of(tmp_path, "winner,loser,score", one_lost).notes
    assert "winners with fewer points than losers: 1 game by 'score', kept as wins" in notes
    beside = games_of(tmp_path, "white,black,score", [(a, b, "4-6 6-3 6-2") for a, b, _ in WON])
    assert beside.score.tolist() == [1.0] * len(WON)  # the first set was lost
    halves = games_of(tmp_path, "white,black,score", [(a, b, "2-1 (0-1)") for a, b, _ in WON])
    assert halves.score.tolist() == [1.0] * len(WON)


def test_goals_are_the_result_where_no_winner_is_named(tmp_path):
    rows = [(a, b, int(2 * s), 1, "" if s == 0.5 else a if s else b) for a, b, s in PAIRS]
    games = games_of(tmp_path, "home,away,home_goals,away_goals,winner", rows)
    assert games.score.tolist() == [s for _, _, s in PAIRS]
    fixtures = [(a, b, 0, 0, "") if k > 9 else (a, b, 2, 1, a) for k, (a, b, _) in enumerate(PAIRS)]
    assert len(games_of(tmp_path, "home,away,home_goals,away_goals,winner", fixtures)) == 10  # 0-0 may be to come


def test_a_zero_among_names_of_winners_is_no_seat(tmp_path):
    rows = [(a, b, 0 if s == 0.5 else a if s else b) for a, b, s in PAIRS]
    with pytest.raises(GameTableError, match="--outcomes 0="):
        games_of(tmp_path, "home,away,winner", rows)
    games = games_of(tmp_path, "home,away,winner", rows, outcomes="0=tie")
    assert games.score.tolist() == [s for _, _, s in PAIRS]


def test_a_result_without_losses_is_none_where_goals_say_otherwise(tmp_path):
    rows = [(a, b, int(2 * s), 1, "win") for a, b, s in PAIRS]
    games = games_of(tmp_path, "player1,player2,score1,score2,result", rows)
    assert games.score.tolist() == [s for _, _, s in PAIRS]
    assert any("'result' has no loss" in note for note in games.notes)


def test_ranks_of_both_sides_are_the_result(tmp_path):
    rows = [(a, 1 if s >= 0.5 else 2, b, 1 if s <= 0.5 else 2) for a, b, s in PAIRS]
    assert games_of(tmp_path, "player_1,rank_1,player_2,rank_2", rows).score.tolist() == [s for _, _, s in PAIRS]
    with pytest.raises(GameTableError, match="expected a column for score"):  # these may be ranks of the world
        games_of(tmp_path, "player_1,rank_1,player_2,rank_2", [(a, 3, b, 17) for a, b, _ in PAIRS])


def test_seasons_alone_are_the_periods(tmp_path):
    rows = [(f"{year}/{year - 1999}", a, b, s) for year in (2022, 2023) for a, b, s in PAIRS]
    assert np.unique(games_of(tmp_path, "season,home,away,result", rows).period).tolist() == [2022, 2023]


def test_rounds_of_events_that_follow_one_another_are_numbered_on(tmp_path):
    rows = [(f"Open {k}", 1 + n // 3, a, b, s) for k in (2, 1) for n, (a, b, s) in enumerate(PAIRS)]
    games = games_of(tmp_path, "event,round,white,black,result", rows)
    assert games.period.tolist() == [1 + n // 3 for n in range(30)]
    assert any("in the order of events" in note for note in games.notes)
    apart = [(f"Open {k}", 1 + n // 3, f"{a}{k}", f"{b}{k}", s) for k in (2, 1) for n, (a, b, s) in enumerate(PAIRS)]
    side_by_side = games_of(tmp_path, "event,round,white,black,result", apart)
    assert side_by_side.period.tolist() == 2 * [1 + n // 3 for n in range(15)]


@pytest.mark.parametrize(("column", "form"), [
    ("time", "%Y-%m-%d"), ("day_of_game", "%d.%m.%y"), ("date", "%Y年%m月%d日"), ("created_at", "%Y-%m-%dT10:00:00Z")
])  # fmt: skip
def test_days_are_dates_by_their_cells(tmp_path, column, form):
    days = [date(2024, 1, 13) + timedelta(days=7 * k) for k in range(len(PAIRS))]
    rows = [(day.strftime(form), a, b, s) for day, (a, b, s) in zip(days, PAIRS, strict=True)]
    assert games_of(tmp_path, f"{column},home,away,result", rows).date.astype(object).tolist() == days


@pytest.mark.parametrize(
    ("text", "first"), [("2024-03", "2024-03-01"), ("Mar 2024", "2024-03-01"), ("2024", "2024-01-01")]
)
def test_a_month_is_its_first_day_and_this_is_reported(tmp_path, text, first):
    games = games_of(tmp_path, "date,home,away,result", [(text, a, b, s) for a, b, s in PAIRS])
    assert (games.date == np.datetime64(first)).all()
    assert any("has no days" in note for note in games.notes)


def test_a_form_of_dates_without_a_year_is_refused(tmp_path):
    with pytest.raises(GameTableError, match="a form with the year"):
        games_of(tmp_path, "date,home,away,result", [("13/01", a, b, s) for a, b, s in PAIRS], date_format="%d/%m")


@pytest.mark.parametrize(
    "spelt", ["{name} {number}", "#{rank} {name}", "({rank}) {name}", "{name} (#{rank})", "{rank}. {name}"]
)
def test_ranks_and_ratings_beside_names_are_no_part_of_them(tmp_path, spelt):
    def called(name, k):
        return spelt.format(name=name, number=1500 + k, rank=k + 1)

    rows = [(called(a, k), called(b, k + 1), s) for k, (a, b, s) in enumerate(PAIRS)]
    games = games_of(tmp_path, "white,black,result", rows)
    assert sorted(games.players.tolist()) == sorted(CLUBS)
    assert any(note.startswith("names: ") for note in games.notes)


def test_a_title_is_no_part_of_a_name_that_is_there_without_it(tmp_path):
    rows = [(f"GM {a} Lee" if k % 3 == 0 else f"{a} Lee", f"{b} Lee", s) for k, (a, b, s) in enumerate(PAIRS)]
    assert games_of(tmp_path, "white,black,result", rows).players.size == len(CLUBS)


@pytest.mark.parametrize(("encoding", "names"), [
    ("cp866", ("Иванов", "Смирнов", "Кузнецов", "Попов", "Соколов", "Лебедев")),
    ("iso8859-5", ("Иванов", "Смирнов", "Кузнецов", "Попов", "Соколов", "Лебедев")),
    ("euc_jp", ("浦和レッズ", "鹿島", "川崎", "横浜マリノス", "名古屋", "大阪ガンバ")),
    ("cp1250", ("Łukasz", "Žižek", "Dvořák", "Novák", "Kovács", "Şerban")),
    ("mac_roman", ("Müller", "Jäger", "Größ", "Ørsted", "Ångström", "Peña")),
    ("cp1253", ("Παπαδόπουλος", "Γεωργίου", "Νίκος", "Ελένη", "Σοφία", "Δημήτρης")),
    ("cp1252", ("Müller", "Jäger", "Größ", "Ørsted", "Ångström", "Peña")),
])  # fmt: skip
def test_encodings_are_found_by_letters_and_reported(tmp_path, encoding, names):
    called = dict(zip(CLUBS, names, strict=True))
    rows = [(called[a], called[b], s) for a, b, s in PAIRS]
    games = games_of(tmp_path, "white,black,result", rows, encoding=encoding)
    assert sorted(games.players.tolist()) == sorted(names)
    assert any(note.startswith("text in ") for note in games.notes)


@pytest.mark.parametrize("column", ["games", "num", "reps", "total"])
def test_a_number_of_games_is_a_count_where_no_row_is_repeated(tmp_path, column):
    games = games_of(tmp_path, f"white,black,result,{column}", [(a, b, s, 3) for a, b, s in PAIRS])
    assert len(games) == 3 * len(PAIRS)
    twice = games_of(tmp_path, f"white,black,result,{column}", [(a, b, s, 3) for a, b, s in 2 * PAIRS])
    assert len(twice) == 2 * len(PAIRS)


@pytest.mark.parametrize("header", ["white,black,W,D,L", "net_a,net_b,wins,draws,losses", "A,B,win1,tie,win2"])
def test_wins_ties_and_losses_of_a_pair_are_games(tmp_path, header):
    rows = [(a, b, int(s == 1), int(s == 0.5), int(s == 0)) for a, b, s in PAIRS]
    games = games_of(tmp_path, header, rows)
    assert sorted(games.score.tolist()) == sorted(s for _, _, s in PAIRS)


@pytest.mark.parametrize("text", [
    "a,b\n1,2\n3,4\n", "a,b,c,d\n1, 2 ,3,\n,,x,y\n", "a;b\nÄ;ß\n", "a,b\n1,2\n3,4", "a,b\n 1,2\n", "a,b,c\n,,\n1,2,3\n",
    'a,b\n"1",2\n', "a,b\n1,2\n\n3,4\n", "a,b\n1,2,3\n", "a,b\n1\n2,3\n", "a,b,c,d\n,x,,\n1,2,3,4\n", "a,b\n1,2\na,b\n",
])  # fmt: skip
def test_a_plain_text_has_the_columns_that_the_csv_reader_finds(text):
    delimiter = ";" if ";" in text else ","
    found = plain_columns(text, delimiter)
    table = CsvColumns(text, delimiter, "text", remarks=True)
    if found is not None:
        assert found[0] == table.header
        assert [column.to_list() for column in found[1]] == [[cell.strip() for cell in one] for one in table.columns]
        assert table.odd is None
        assert table.lines.tolist() == list(range(2, len(found[1][0]) + 2))
    else:
        odd = '"' in text or "\n\n" in text or table.odd or table.remarks or len(table.lines) != text.count("\n") - 1
        assert odd


def test_a_large_plain_file_is_read_as_a_small_one(tmp_path, monkeypatch):
    rows = [(a, b, s) for _ in range(40) for a, b, s in PAIRS]
    small = games_of(tmp_path, "white,black,result", rows)
    monkeypatch.setattr("halfpoint.readers.csv_files._LARGE", 10)
    monkeypatch.setattr("halfpoint.models.games.table._MANY", 10)
    large = games_of(tmp_path, "white,black,result", rows)
    assert large.players.tolist() == small.players.tolist()
    for name in ("white", "black", "score", "line"):
        assert getattr(large, name).tolist() == getattr(small, name).tolist()
    assert isinstance(CsvColumns("a,b\n1,2\n3,4\n5,6\n", ",", "text", remarks=True).columns[0], polars.Series)


def test_errors_of_anchors_are_known_by_many_names(tmp_path):
    from halfpoint.apps.workflows.beside.anchor_list import read_anchors

    for header in ("err", "SE (Elo)", "stderr_elo", "rating error", "sigma"):
        (tmp_path / "anchors.csv").write_text(f"name,rating,{header}\nAnn,1500,20\n")
        assert read_anchors(tmp_path / "anchors.csv").prior_elo.tolist() == [[1500.0, 20.0]]
    for header in ("± (95%)", "95% CI", "+/-"):
        (tmp_path / "anchors.csv").write_text(f"name,rating,{header}\nAnn,1500,39.2\n")
        assert read_anchors(tmp_path / "anchors.csv").prior_elo[0, 1] == pytest.approx(20.0)
    (tmp_path / "anchors.csv").write_text("name,rating,plus,minus\nAnn,1500,40,38.4\n")
    assert read_anchors(tmp_path / "anchors.csv").prior_elo[0, 1] == pytest.approx(20.0)


PLAYERS = [(a, b) for a in ("Ann", "Bob", "Cem", "Dov", "Eva") for b in ("Fay", "Gil", "Hal")]


@pytest.mark.parametrize("tail", ["pp", " pp", "sn", " sn"])
def test_overtime_behind_a_decided_score_was_played_and_a_level_game_postponed(tmp_path, tail):
    scores = [(k % 4 + (k % 4 == k % 3), k % 3) for k in range(len(PLAYERS))]
    rows = [(*pair, f"{x}:{y}{tail if y == 0 else ''}") for pair, (x, y) in zip(PLAYERS, scores, strict=True)]
    games = games_of(tmp_path, "home,away,result", [*rows, *([("Ann", "Fay", "0:0 pp")] if "pp" in tail else [])])
    assert games.score.tolist() == [float(x > y) for x, y in scores]


def test_a_score_that_the_user_defines_leaves_the_others_goals(tmp_path):
    rows = [(*pair, f"{k % 4}-{k % 3}") for k, pair in enumerate(PLAYERS)]
    rows[1:4] = [(*pair, f"3-2 {word}") for pair, word in zip(PLAYERS[1:4], ("zz", "yy", "xx"), strict=True)]
    outcomes = {"3-2 zz": "second", "3-2 yy": "tie", "3-2 xx": "first"}
    games = games_of(tmp_path, "home,away,result", rows, outcomes=outcomes)
    expected = [(1 + (k % 4 > k % 3) - (k % 4 < k % 3)) / 2 for k in range(len(PLAYERS))]
    assert games.score.tolist() == [expected[0], 0.0, 0.5, 1.0, *expected[4:]]


@pytest.mark.parametrize("columns", [
    ("For", "Against", {}), ("Mine", "Yours", {"white_goals": "Mine", "black_goals": "Yours"}),
    ("A", "B", {"white_goals": "A", "black_goals": "B"}),
])  # fmt: skip
def test_goals_that_the_user_names_beside_a_team_and_its_opponent(tmp_path, columns):
    first, second, chosen = columns
    rows = [(*pair, k % 4, k % 3) for k, pair in enumerate(PLAYERS)]
    games = games_of(tmp_path, f"team,opponent,{first},{second}", rows, columns=chosen)
    assert games.score.tolist() == [(1 + (k % 4 > k % 3) - (k % 4 < k % 3)) / 2 for k in range(len(PLAYERS))]


@pytest.mark.parametrize("mark", ["/", "：", "－", "—", " : "])
def test_signs_between_goals(tmp_path, mark):
    rows = [(*pair, f"{k % 4}{mark}{k % 3}") for k, pair in enumerate([*PLAYERS, ("Ann", "Eva"), ("Bob", "Eva")])]
    rows += [("Cem", "Eva", f"1{mark}2")]
    games = games_of(tmp_path, "home,away,result", rows)
    expected = [(1 + (k % 4 > k % 3) - (k % 4 < k % 3)) / 2 for k in range(len(rows) - 1)]
    assert games.score.tolist() == [*expected, 0.0]


def test_half_points_with_a_slash_are_draws(tmp_path):
    rows = [(*pair, ("1", "1/2", "0")[k % 3]) for k, pair in enumerate(PLAYERS)]
    assert games_of(tmp_path, "home,away,result", rows).score.tolist() == [(1.0, 0.5, 0.0)[k % 3] for k in range(15)]


@pytest.mark.parametrize(("header", "words"), [
    ("Koti,Vieras,Tulos", ("Kotivoitto", "Tasapeli", "Vierasvoitto")),
    ("Gracz,Przeciwnik,Wynik", ("wygrana", "remis", "przegrana")),
    ("Spelare,Motståndare,Resultat", ("vinst", "oavgjort", "förlust")),
    ("Spiller,Modstander,Resultat", ("sejr", "uafgjort", "nederlag")),
    ("Spiller,Motstander,Resultat", ("seier", "uavgjort", "tap")),
    ("Игрок,Противник,Результат", ("победа", "ничья", "поражение")),
    ("主隊,客隊,比分", ("2－1", "1－1", "0－1")),
])  # fmt: skip
def test_headers_and_results_in_words_of_a_language(tmp_path, header, words):
    games = games_of(tmp_path, header, [(*pair, words[k % 3]) for k, pair in enumerate(PLAYERS)])
    assert games.score.tolist() == [(1.0, 0.5, 0.0)[k % 3] for k in range(15)]
    assert [*zip(games.white_names.tolist(), games.black_names.tolist(), strict=True)] == PLAYERS
