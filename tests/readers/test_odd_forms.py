"""Realistic files in unusual forms are read as a person would read them."""

import json
import time
import zipfile
from contextlib import suppress

import pytest
from strangers.tally import tally

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.read import detect, read
from halfpoint.readers.words import verdict_of

# White, Black, White's score
GAMES = (
    ("Ann Adler", "Bo Brandt", 1.0),
    ("Carla Conti", "Dan Diaz", 0.5),
    ("Bo Brandt", "Carla Conti", 0.0),
    ("Dan Diaz", "Ann Adler", 0.0),
    ("Ann Adler", "Carla Conti", 0.5),
    ("Bo Brandt", "Dan Diaz", 1.0),
    ("Carla Conti", "Ann Adler", 0.0),
    ("Dan Diaz", "Bo Brandt", 0.5),
)
TRUTH = {"Ann Adler": [3, 1, 0], "Bo Brandt": [1, 1, 2], "Carla Conti": [1, 2, 1], "Dan Diaz": [0, 2, 2]}


def read_text(folder, text, name="games.csv"):
    (folder / name).write_text(text, encoding="utf-8")
    return read(folder / name)


def rows_of(words):
    return [(one, other, words[score]) for one, other, score in GAMES]


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ("White,Black,Outcome",
         {1.0: "White wins by resignation", 0.0: "Black wins on time", 0.5: "Draw by agreement"}),
        ("model_a,model_b,preference_strength",
         {1.0: "A is much better", 0.0: "B is slightly better", 0.5: "About the same"}),
        ("model_a,model_b,preference", {1.0: "I prefer response A", 0.0: "Strongly prefer B", 0.5: "No preference"}),
        ("Player 1,Player 2,Who won?", {1.0: "Player 1", 0.0: "Player 2", 0.5: "It was a draw"}),
    ],
)  # fmt: skip
def test_results_in_whole_sentences(tmp_path, header, words):
    games = read_text(tmp_path, "\n".join([header, *map(",".join, rows_of(words))]))
    assert tally(games) == TRUTH


@pytest.mark.parametrize(
    "text", ["A better answer is needed", "Ann is better", "the same as before", "much", "draw lots"]
)
def test_other_sentences_are_no_verdicts(text):
    assert verdict_of(text) == ""


def test_a_verdict_on_players_called_as_sides_is_not_guessed(tmp_path):
    rows = "A,B,A is better\nB,A,A is better\nB,C,tie\nC,A,tie\n"
    with pytest.raises(GameTableError, match="--outcomes 'A is better'=first"):
        read_text(tmp_path, f"model_a,model_b,preference\n{rows}")


def test_how_much_better_is_a_grade(tmp_path):
    rows = "x,y,A is much better\ny,z,B is slightly better\nz,x,A is significantly better\n"
    games = read_text(tmp_path, f"model_a,model_b,preference\n{rows}")
    assert games.score.tolist() == [1.0, 0.0, 1.0]
    assert games.grade.tolist() == [2.0, 1.0, 2.0]


def test_a_header_of_two_rows(tmp_path):
    rows = [",,Home,,Away,", "Round,Date,Team,Goals,Team,Goals"]
    goals = {1.0: (2, 1), 0.5: (1, 1), 0.0: (0, 3)}
    rows += [f"{k},{k + 13}/04/2024,{a},{goals[s][0]},{b},{goals[s][1]}" for k, (a, b, s) in enumerate(GAMES)]
    text = "\n".join(rows) + "\n"
    games = read_text(tmp_path, "Spring league,,,,,\n" + text)
    assert tally(games) == TRUTH
    assert any(note.startswith("header of two rows: columns 'Round', 'Date', 'Home Team'") for note in games.notes)
    filled = text.replace(",,Home,,Away,", "No,Day,Home,,Away,").replace("Round,Date,Team", ",,Team")
    assert tally(read_text(tmp_path, filled)) == TRUTH
    assert read_text(tmp_path, filled).line.tolist() == [*range(3, 11)]


@pytest.mark.parametrize("row", ["1,,2,,3,4", ",,Home,Guest,Away,Team"])
def test_a_row_above_that_names_no_groups_is_no_header(tmp_path, row):
    text = f"{row}\nRound,Date,Team,Goals,Team,Goals\n1,2024-04-01,Ann,1,Bob,0\n2,2024-04-02,Bob,1,Ann,0\n"
    with pytest.raises(GameTableError):
        read_text(tmp_path, text)


def test_counts_of_a_pair_in_one_cell(tmp_path):
    games = read_text(
        tmp_path, "pair,won first,won second,tied\nAnn vs Bob,3,1,2\nBob vs Cem,0,2,1\nCem vs Ann,1,0,0\n"
    )
    assert tally(games) == {"Ann": [3, 2, 2], "Bob": [1, 3, 5], "Cem": [3, 1, 0]}
    assert games.covariates["neutral"].all()


@pytest.mark.parametrize("won", ["**{}**", "__{}__", "*{}*", "`{}`", "[{}](https://example.org/{})"])
def test_marks_of_markdown_are_no_part_of_names(tmp_path, won):
    words = {1.0: "1–0", 0.5: "½–½", 0.0: "0–1"}
    rows = ["| Round | White | Result | Black |", "|---|---|:-:|---|"]
    rows += [
        f"| 1 | {won.format(a, a[:2]) if s == 1 else a} | {words[s]} | {won.format(b, b[:2]) if s == 0 else b} |"
        for a, b, s in GAMES
    ]
    games = read_text(tmp_path, "# Results\n\n" + "\n".join(rows) + "\n", "games.md")
    assert tally(games) == TRUTH


def test_the_option_that_is_named_can_be_typed(tmp_path):
    rows = "White,Black,Result\nAnn,Bob,1-0\nBob,Ann,the cat won\n"
    with pytest.raises(GameTableError, match=r"--outcomes 'the cat won'=first\|second"):
        read_text(tmp_path, rows)
    assert len(read(tmp_path / "games.csv", outcomes="the cat won=first")) == 2
    with pytest.raises(GameTableError, match=r'--table FILE.toml with outcomes = \{"lost, badly" = "first'):
        read_text(tmp_path, rows.replace("the cat won", '"lost, badly"'))


def test_a_name_of_a_column_without_end_leaves_the_message_short(tmp_path):
    name = "sc" + "A" * 50_000
    with pytest.raises(GameTableError) as stopped:
        read_text(tmp_path, f"white,black,{name},date\nAnn,Bob,1-0,2024-01-01\nBob,Ann,0-1,2024-01-02\n")
    assert len(str(stopped.value)) < 1500


def test_an_archive_of_a_version_to_come_is_refused(tmp_path):
    path = tmp_path / "games.zip"
    for names in (["games.pgn"], ["one.sgf", "two.sgf"]):
        with zipfile.ZipFile(path, "w") as archive:
            for name in names:
                archive.writestr(name, "(;PB[a]PW[b]RE[B+1])")
        content = bytearray(path.read_bytes())
        at = content.find(b"PK\x01\x02")
        content[at + 6 : at + 8] = b"\xa8\x00"  # version needed to unpack
        path.write_bytes(content)
        with pytest.raises(GameTableError):
            read(path, kind="pgn" if len(names) == 1 else "sgf")
        with pytest.raises(GameTableError):
            detect(path)


def test_games_of_a_server_that_has_scores_within_objects(tmp_path):
    code = {1.0: 1, 0.5: 3, 0.0: 2}
    goals = {1.0: (2, 1), 0.5: (1, 1), 0.0: (0, 3)}
    events = [
        {"id": k, "homeTeam": {"name": a, "id": 7}, "awayTeam": {"name": b, "id": 8}, "winnerCode": code[s],
         "homeScore": {"current": goals[s][0], "period1": 0}, "awayScore": {"current": goals[s][1], "period1": 0},
         "status": {"code": 100, "type": "finished"}, "startTimestamp": 1_705_000_000 + 86_400 * k}
        for k, (a, b, s) in enumerate(GAMES)
    ]  # fmt: skip
    soon = {**events[0], "status": {"code": 0, "type": "notstarted"}, "homeScore": {}, "awayScore": {}}
    del soon["winnerCode"]
    games = read_text(tmp_path, json.dumps({"events": [*events, soon]}), "events.json")
    assert tally(games) == TRUTH
    assert any(note.startswith("set apart: 1 game, without a result") for note in games.notes)


@pytest.mark.parametrize(
    "words",
    [
        {1.0: "{} beat {}", 0.5: "{} drew with {}", 0.0: "{} lost to {}"},
        {1.0: "2024-01-13: {} def. {} 3-1", 0.5: "2024-01-14: {} tied with {} 2-2",
         0.0: "2024-01-15: {} lost to {} 0-2"},
        {1.0: "1. {} > {}", 0.5: "2. {} = {}", 0.0: "3. {} < {}"},
        {1.0: "{} vs {}: 2-1", 0.5: "{} vs {}: 0-0", 0.0: "{} vs. {}: 1-3"},
        {1.0: "- {} 2-1 {}", 0.5: "- {} 1-1 {}", 0.0: "- {} 0 - 3 {}"},
        {1.0: "{} - {} 1-0", 0.5: "{} - {} 1/2-1/2", 0.0: "{} - {} 0-1"},
    ],
)  # fmt: skip
def test_games_in_sentences(tmp_path, words):
    lines = "\n".join(words[score].format(one, other) for one, other, score in GAMES)
    games = read_text(tmp_path, f"# our ladder\n\n{lines}\n", "ladder.txt")
    assert tally(games) == TRUTH
    by_verb = "vs" not in lines and " - " not in lines and "- " not in lines
    assert ("neutral" in games.covariates) == by_verb
    assert any("not used: scores" in note for note in games.notes) == ("def." in lines)


@pytest.mark.parametrize(
    "text",
    [
        "Ann beat Bob\nBob beat Ann\nthe rest was rained off\n",
        "J1,Ann > Bob = Cem\nJ2,Cem > Ann > Bob\nJ3,Bob > Ann > Cem\n",
        "Ann - Bob\nBob - Ann\nAnn - Bob\n",
        "shopping: milk\nbread\neggs\n",
    ],
)
def test_other_sentences_are_no_games(tmp_path, text):
    (tmp_path / "notes.txt").write_text(text)
    with pytest.raises(GameTableError):
        read(tmp_path / "notes.txt")


def test_objects_by_key_are_a_list(tmp_path):
    games = {f"g{k}": {"white": a, "black": b, "result": s} for k, (a, b, s) in enumerate(GAMES)}
    assert tally(read_text(tmp_path, json.dumps(games), "games.json")) == TRUTH
    assert tally(read_text(tmp_path, json.dumps({"season": 2024, "games": games}), "games.json")) == TRUTH


def test_votes_for_either_side_are_comparisons(tmp_path):
    games = read_text(tmp_path, "left,right,votes_left,votes_right\na,b,3,1\nb,c,2,2\nc,a,0,4\n")
    assert tally(games) == {"a": [7, 0, 1], "b": [3, 0, 5], "c": [2, 0, 6]}


def test_a_diary_of_one_player_is_named_as_such(tmp_path):
    rows = "Date,Opponent,Color,Result\n2024-01-01,Ann,White,Win\n2024-01-02,Bob,Black,Loss\n"
    with pytest.raises(GameTableError, match="only the opponent: add a column player"):
        read_text(tmp_path, rows)


@pytest.mark.parametrize("none", ["", "-"])
def test_rows_without_a_winner_may_be_draws(tmp_path, none):
    rows = "".join(f"{a},{b},{a if s == 1 else b if s == 0 else none}\n" for a, b, s in GAMES)
    games = read_text(tmp_path, f"Player1,Player2,Winner\n{rows}")
    assert len(games) == 5
    flag = f"--outcomes {none or 'empty'}=tie"
    assert any(note.endswith(f"counts as not played; if it was drawn, {flag}") for note in games.notes)
    assert tally(read(tmp_path / "games.csv", outcomes=flag.split()[1])) == TRUTH


def test_notes_on_games_that_are_none(tmp_path):
    notes = {1: "Home team forfeited", 4: "void - wrong players", 6: "nice game"}
    rows = "".join(f"{a},{b},{s},{notes.get(k, '')}\n" for k, (a, b, s) in enumerate(GAMES))
    games = read_text(tmp_path, f"white,black,result,notes\n{rows}")
    assert len(games) == 7
    assert "counted as played: 1 row with words such as 'void - wrong players' in column 'notes'" in games.notes
    assert "set apart: 1 game, forfeit (line 3)" in games.notes


def test_verdicts_of_judges_in_columns(tmp_path):
    games = read_text(tmp_path, "item_a,item_b,judge1,judge2,judge 3\nx,y,A,B,A\ny,z,tie,B,\nz,x,A,A,B\n")
    assert tally(games) == {"x": [3, 0, 3], "y": [1, 1, 3], "z": [3, 1, 1]}
    assert any(note == "judges: columns 'judge1' to 'judge 3', 8 verdicts on 3 rows" for note in games.notes)
    assert games.line.tolist() == [2, 2, 2, 3, 3, 4, 4, 4]


def test_days_with_a_fraction_and_days_that_are_missing(tmp_path):
    rows = "".join(f"{45304 + k // 2}.75,{a},{b},{s}\n" for k, (a, b, s) in enumerate(GAMES))
    assert str(read_text(tmp_path, f"When,white,black,result\n{rows}").date.max()) == "2024-01-16"
    rows = "".join(f"{'2024-01-13' if k < 3 else ''},{a},{b},{s}\n" for k, (a, b, s) in enumerate(GAMES))
    assert "dates: 5 games without a date" in read_text(tmp_path, f"date,white,black,result\n{rows}").notes


def test_ranks_of_go_behind_names_are_no_names(tmp_path):
    rows = "".join(f"{a} {k + 1}k,{b} {k + 2}k,{s}\n" for k, (a, b, s) in enumerate(GAMES))
    assert tally(read_text(tmp_path, f"white,black,result\n{rows}")) == TRUTH


@pytest.mark.parametrize("long", ["A" * 100_000 + " 12", "A " * 50_000, "1" * 100_000, "a beat " * 20_000])
def test_a_cell_without_end_costs_no_time(tmp_path, long):
    rows = "".join(f"{a},{b},{s}\n" for a, b, s in GAMES)
    texts = (
        f"white,black,result\n{rows}{long},Bob,1\n",
        f"white,black,winner\nAnn,Bob,Ann\nBob,Ann,{long}\n",
        f"match,score\nAnn vs {long},1-0\nBob vs Ann,0-1\n",
        f"Ann beat Bob\nBob beat Ann\n{long}\n",
    )
    for text in texts:
        start = time.process_time()
        with suppress(GameTableError):
            read_text(tmp_path, text)
        assert time.process_time() - start < 5.0


@pytest.mark.parametrize("judge", ["annotator_{}", "rater {}", "Evaluator{}", "label_{}", "vote{}", "judge_{}_vote"])
@pytest.mark.parametrize("numbers", [(1, 2, 3), ("A", "B", "C")])
def test_all_numbered_judges_are_read(tmp_path, judge, numbers):
    header = ",".join(judge.format(number) for number in numbers)
    games = read_text(tmp_path, f"item_a,item_b,{header}\nx,y,A,B,A\ny,z,tie,B,\nz,x,A,A,B\n")
    assert games.score.tolist() == [1, 0, 1, 0.5, 0, 1, 1, 0]
    assert len({*games.white_names.tolist()}) == 3
