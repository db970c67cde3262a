"""Files of arenas, preferences and crowds: real column names with invented rows, words of outcomes, errors in one line.

Column names: LMArena's human-preference sets (model_a, model_b, winner, conv_metadata, ...), compar:IA's schema of
votes (model_a_name, chosen_model_name, both_equal, ...), evalica's and crowd-kit's examples (left, right, winner;
worker, left, right, label).
"""

import gzip
import json
import shutil

import numpy as np
import pandas as pd
import polars
import pytest

from halfpoint.apps.fields.arena.list import leaderboard
from halfpoint.apps.fields.arena.read import read_criteria, read_judgements, sum_columns
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.table import GameTable
from halfpoint.readers.read import read


def metadata(a, b):
    return {
        "sum_assistant_a_tokens": a,
        "sum_assistant_b_tokens": b,
        "header_count_a": {"h1": 1, "h2": a // 100},
        "header_count_b": {"h1": 0, "h2": b // 100},
        "list_count_a": {"ordered": 2, "unordered": 0},
        "list_count_b": {"ordered": 0, "unordered": 1},
        "bold_count_a": {"**": 3, "__": 0},
        "bold_count_b": {"**": 0, "__": 0},
        "turns": 1,
    }


LMARENA = [
    {
        "id": f"{k}",
        "model_a": "alpha" if k % 2 else "beta",
        "model_b": "gamma",
        "winner": winner,
        "evaluation_session_id": f"s{k % 3}",
        "evaluation_order": 1,
        "conversation_a": [{"role": "user", "content": "hi"}],
        "conv_metadata": metadata(100 * (k + 1), 300),
        "language": "en",
        "is_code": False,
        "timestamp": "2025-05-29T14:48:41.602925",
    }
    for k, winner in enumerate(["model_a", "model_b", "tie", "both_bad", "tie (bothbad)", "model_a"])
]
COMPARIA = [
    {
        "id": k,
        "timestamp": "2025-01-02 03:04:05",
        "model_a_name": "alpha",
        "model_b_name": "beta",
        "model_pair_name": ["alpha", "beta"],
        "chosen_model_name": chosen,
        "opening_msg": "bonjour",
        "both_equal": equal,
        "conv_turns": 1,
        "selected_category": "recipes",
        "conversation_pair_id": f"c{k}",
        "visitor_id": f"v{k}",
        "conv_useful_a": True,
    }
    for k, (chosen, equal) in enumerate([("alpha", False), ("beta", False), (None, True)])
]


def lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def outcomes(found):
    table = found.games
    return [(str(table.white_names[k]), str(table.black_names[k]), float(table.score[k])) for k in range(len(table))]


def test_lmarena_goes_through_without_an_option_from_lines_parquet_gzip_and_frame(tmp_path):
    path = lines(tmp_path / "arena.jsonl", LMARENA)
    with path.open("rb") as plain, gzip.open(tmp_path / "arena.jsonl.gz", "wb") as packed:
        shutil.copyfileobj(plain, packed)
    polars.DataFrame(LMARENA).write_parquet(tmp_path / "arena.parquet")
    sources = [path, tmp_path / "arena.jsonl.gz", tmp_path / "arena.parquet", pd.DataFrame(LMARENA)]
    expected = [
        ("beta", "gamma", 1.0),
        ("alpha", "gamma", 0.0),
        ("beta", "gamma", 0.5),
        ("alpha", "gamma", 0.5),
        ("beta", "gamma", 0.5),
        ("alpha", "gamma", 1.0),
    ]
    for source in sources:
        found = read_judgements(source)
        assert outcomes(found) == expected
        assert found.noun == "model"
        assert found.sides == ("first shown", "second shown")
        assert found.games.covariates["both_bad"].tolist() == [0, 0, 0, 1, 1, 0]
        assert found.games.covariates["judge"].tolist() == ["s0", "s1", "s2"] * 2
        assert found.games.covariates["language"].tolist() == ["en"] * 6
        assert found.games.date is not None
        assert str(found.games.date[0]) == "2025-05-29"
        assert any("both bad: 2" in line for line in found.account)
        styled = read_judgements(source, style=["length", "headers"])
        a = np.array([100.0 * (k + 1) for k in range(6)])
        share = (a - 300) / (a + 300)
        sd = np.sqrt(np.mean(share**2))
        np.testing.assert_allclose(styled.games.covariates["length"], share / sd, rtol=1e-12)
        assert styled.style["length"] == pytest.approx(sd)
        headers = 1 + np.array([1, 2, 3, 4, 5, 6])
        share = (headers - 3) / (headers + 3)
        np.testing.assert_allclose(styled.games.covariates["headers"], share / np.sqrt(np.mean(share**2)))
        assert set(read_judgements(source, style=["all"]).style) == {"length", "headers", "lists", "bold"}


def test_a_style_column_turns_its_sign_where_the_answers_are_exchanged(tmp_path):
    rows = [
        {"model_a": "x", "model_b": "y", "winner": "tie", "len_a": 3, "len_b": 1},
        {"model_a": "y", "model_b": "x", "winner": "tie", "len_a": 1, "len_b": 3},
    ]
    values = read_judgements(pd.DataFrame(rows), style=["length"]).games.covariates["length"]
    np.testing.assert_allclose(values, [1.0, -1.0])


def test_comparia_goes_through_without_an_option(tmp_path):
    found = read_judgements(lines(tmp_path / "votes.jsonl", COMPARIA))
    assert [score for *_, score in outcomes(found)] == [1.0, 0.0, 0.5]
    assert found.games.covariates["judge"].tolist() == ["v0", "v1", "v2"]
    assert found.games.covariates["category"].tolist() == ["recipes"] * 3


def test_evalica_and_crowd_kit_go_through_without_an_option(tmp_path):
    evalica = tmp_path / "food.csv"
    evalica.write_text("left,right,winner\nPizza,Sushi,left\nBurger,Pasta,right\nPizza,Pasta,tie\n", encoding="utf-8")
    found = read_judgements(evalica)
    assert [score for *_, score in outcomes(found)] == [1.0, 0.0, 0.5]
    assert found.noun == "item"
    assert found.sides == ("left", "right")
    crowd = tmp_path / "crowd.csv"
    crowd.write_text("question,worker,left,right,label\nq1,w1,a,b,a\nq1,w2,a,b,b\nq2,w1,b,a,a\n", encoding="utf-8")
    found = read_judgements(crowd)
    assert [score for *_, score in outcomes(found)] == [1.0, 0.0, 0.0]
    assert found.games.covariates["judge"].tolist() == ["w1", "w2", "w1"]
    assert found.games.covariates["prompt"].tolist() == ["q1", "q1", "q2"]


@pytest.mark.parametrize(
    ("words", "scores"),
    [
        (["1", "0.5", "0"], [1, 0.5, 0]),
        (["1", "0", "-1"], [1, 0.5, 0]),
        (["A>B", "B>>A", "A=B"], [1, 0, 0.5]),
        (["model_a", "B", "tie (bothbad)"], [1, 0, 0.5]),
        (["x", "y", "draw"], [1, 0, 0.5]),
    ],
)
def test_words_of_outcomes(words, scores):
    rows = pd.DataFrame({"competitor_1": ["p", "q", "p"], "competitor_2": ["q", "p", "q"], "outcome": words})
    assert [score for *_, score in outcomes(read_judgements(rows))] == scores


def test_numbers_of_seats_are_who_won_where_the_column_says_so_and_could_be_points_elsewhere():
    rows = pd.DataFrame({"player_1": ["p", "q", "p"], "player_2": ["q", "p", "q"], "winner": [1, 2, 1]})
    assert [score for *_, score in outcomes(read_judgements(rows))] == [1, 0, 1]
    points = rows.rename(columns={"winner": "outcome"})
    with pytest.raises(GameTableError, match=r"row 2, column outcome: .* --outcomes '1=.*,2=first"):
        read_judgements(points)
    assert [score for *_, score in outcomes(read_judgements(points, outcomes="1=first,2=second"))] == [1, 0, 1]


def test_one_column_an_outcome():
    rows = pd.DataFrame({"model_a": list("ppp"), "model_b": list("qqq")})
    for place, name in enumerate(["winner_model_a", "winner_model_b", "winner_tie"]):
        rows[name] = [int(k == place) for k in range(3)]
    assert [score for *_, score in outcomes(read_judgements(rows))] == [1.0, 0.0, 0.5]


def test_the_user_says_what_words_mean():
    rows = pd.DataFrame({"model_a": list("pqpq"), "model_b": list("qpqp"), "winner": ["ouch", "tie", "both_bad", "a"]})
    found = read_judgements(rows, outcomes="ouch=second,both_bad=drop")
    assert [score for *_, score in outcomes(found)] == [0.0, 0.5, 1.0]
    found = read_judgements(rows, outcomes={"ouch": 1, "tie": "drop", "both_bad": "tie"})
    assert [score for *_, score in outcomes(found)] == [1.0, 0.5, 1.0]


GOOD = {"model_a": ["p", "q"], "model_b": ["q", "p"], "winner": ["a", "tie"], "judge": ["j", "k"]}


@pytest.mark.parametrize(
    ("changed", "options", "words"),
    [
        ({"winner": ["a", "perhaps"]}, {}, ["row 2, column winner", "'perhaps'", "--outcomes perhaps="]),
        ({"winner": ["", None]}, {}, ["at least one game with a result", "none in 2 rows"]),
        ({"winner": ["0", "2"]}, {}, ["column winner", "--outcomes"]),
        ({"judge": ["j", ""]}, {}, ["row 2, column judge", "a judge in every row (1 rows", "--ignore judge"]),
        ({"model_b": ["q", "q"]}, {}, ["row 2, column black", "two different players", "'q'"]),
        ({"model_a": ["p", " "]}, {}, ["row 2, column model_a", "a player's name"]),
        ({}, {"outcomes": "tie"}, ["--outcomes", "WORD=MEANING", "'tie'"]),
        ({}, {"outcomes": "tie=maybe"}, ["--outcomes tie", "first | second | tie", "'maybe'"]),
        ({}, {"outcomes": "tie=0.5,tie=drop"}, ["--outcomes", "each word once"]),
        ({}, {"outcomes": "tie=drop,a=drop"}, ["at least one game", "all rows dropped"]),
        ({}, {"style": ["length"]}, ["--style length", "length_a and length_b"]),
        ({}, {"columns": {"frist": "model_a"}}, ["--columns", "'frist'"]),
        ({}, {"columns": {"first": "model_c"}}, ["a column 'model_c'", "columns 'model_a'"]),
        ({}, {"ignore": ["nothing"]}, ["a column 'nothing'", "columns 'model_a'"]),
        ({"len_a": [1, -1], "len_b": [1, 2]}, {"style": ["length"]}, ["row 2, column len_a", "'-1'"]),
        ({"len_a": [1, 1], "len_b": [1, 1]}, {"style": ["length"]}, ["--style length", "answers that differ"]),
        ({"date": ["2020-01-01", "soon"]}, {}, ["row 2, column date", "'soon'", "--date-format"]),
    ],
)
def test_a_mistake_is_one_clear_line(changed, options, words):
    with pytest.raises(GameTableError) as caught:
        read_judgements(pd.DataFrame({**GOOD, **changed}), **options)
    message = str(caught.value)
    assert "\n" not in message
    assert all(word in message for word in words), message


def test_what_the_file_lacks_is_told_with_the_option(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("who,whom,winner\np,q,1\n", encoding="utf-8")
    with pytest.raises(GameTableError, match=r"a column for white and black.*--columns for white and black\."):
        read_judgements(path)
    assert len(read_judgements(path, columns={"first": "who", "second": "whom"}).games) == 1
    path.write_text("model_a,model_b,x\np,q,1\n", encoding="utf-8")
    with pytest.raises(GameTableError, match=r"a column for score.*--columns for score, or"):
        read_judgements(path)
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"model_a":"p","model_b":"q","winner":"a"}\n{"model_a":"p"\n', encoding="utf-8")
    with pytest.raises(GameTableError, match=r"line 2: expected one JSON object a line"):
        read_judgements(broken)
    nothing = tmp_path / "nothing.jsonl"
    nothing.write_text("[1]\n", encoding="utf-8")
    with pytest.raises(GameTableError):
        read_judgements(nothing)


def test_every_command_reads_json_lines(tmp_path):
    table = read(lines(tmp_path / "arena.jsonl", LMARENA))
    assert table.score.tolist() == [1.0, 0.0, 0.5, 0.5, 0.5, 1.0]
    assert table.players.tolist() == ["alpha", "beta", "gamma"]


def test_what_is_not_parquet_is_told(tmp_path):
    (tmp_path / "games.parquet").write_bytes(b"PAR1 and then nothing")
    for name in ("games.parquet", "none.parquet"):
        with pytest.raises(GameTableError, match="a readable Parquet file"):
            read(tmp_path / name)


def test_a_board_refuses_sides_of_several_people_by_name():
    rows = pd.DataFrame({"white": [["Ann", "Bob"]], "black": [["Carl", "Dora"]], "score": [1]})
    with pytest.raises(GameTableError, match="one competitor in each seat, found sides of several people"):
        leaderboard(rows)


@pytest.mark.parametrize(("cells", "found"), [(["1", "", "3.5"], [1.0, 0.0, 3.5]), (["1", "-2", "3"], "'-2'")])
def test_counts_that_stand_as_texts_are_numbers_or_refused(cells, found):
    seats = np.zeros(3, dtype=np.int32), np.ones(3, dtype=np.int32)
    table = GameTable(np.array(["a", "b"]), *seats, np.ones(3), covariates={"bullets": np.array(cells)})
    if isinstance(found, str):
        with pytest.raises(GameTableError, match=f"bullets: expected a count of at least 0, found {found}"):
            sum_columns(table, ["bullets"])
    else:
        np.testing.assert_array_equal(sum_columns(table, ["bullets"]), found)


@pytest.mark.parametrize(
    ("words", "grades"),
    [
        (["A>B", "A>>B", "A=B", "B>A", "B>>A"], [1, 2, 0, -1, -2]),
        (["[[A>B]]", "[[A>>B]]", "[[A=B]]", "[[B>A]]", "[[B>>A]]"], [1, 2, 0, -1, -2]),
        (["a>>>b", "A < B", "a<<b", "B>>>A", "tie"], [3, -1, -2, -3, 0]),
        (["3", "-2", "0", "1", "-1"], [3, -2, 0, 1, -1]),
        (["model_a_much_better", "A much better", "same", "b", "right much better"], [2, 2, 0, -1, -2]),
    ],
)
def test_graded_verdicts(words, grades, tmp_path):
    rows = pd.DataFrame({"model_a": list("pqpqp"), "model_b": list("qpqpq"), "verdict": words})
    rows.to_csv(tmp_path / "votes.csv", index=False)
    rows.to_json(tmp_path / "votes.jsonl", orient="records", lines=True)
    for source in (rows, tmp_path / "votes.csv", tmp_path / "votes.jsonl"):
        found = read_judgements(source)
        assert found.games.grade.tolist() == np.abs(grades).tolist()
        assert found.games.score.tolist() == [(1 + np.sign(one)) / 2 for one in grades]
        assert f"much better in {np.sum(np.abs(grades) > 1)} of them" in found.account[1]


def test_a_rubric_of_five_or_seven_points_is_said_in_words_and_plain_verdicts_have_no_grade():
    rows = pd.DataFrame({"model_a": list("pqpqp"), "model_b": list("qpqpq"), "score": [1, 2, 4, 6, 7]})
    with pytest.raises(GameTableError, match=r"row 2, column score: .* --outcomes '1=.*,2="):
        read_judgements(rows)
    found = read_judgements(rows, outcomes="1=first3,2=first2,4=tie,6=second2,7=second3").games
    assert found.grade.tolist() == [3, 2, 0, 2, 3]
    assert found.score.tolist() == [1.0, 1.0, 0.5, 0.0, 0.0]
    with pytest.raises(GameTableError, match=r"--outcomes 1: expected first \| .* or by how much: first2 \|"):
        read_judgements(rows, outcomes="1=first4")
    plain = read_judgements(rows.assign(score=["a", "b", "tie", "a", "b"])).games
    assert "verdict_grade" not in plain.covariates
    assert not plain.grade.any()


def test_several_criteria_are_a_judgement_each_of_one_battle():
    rows = pd.DataFrame({
        "model_a": ["p", "q", "p"], "model_b": ["q", "p", "q"], "helpful": ["A>B", "tie", ""],
        "style": ["B>>A", "A>B", "tie"], "judge": ["i", "j", "k"],
    })  # fmt: skip
    found = read_criteria(rows, ["helpful", "style"])
    games = found.games
    assert games.covariates["criterion"].tolist() == ["helpful"] * 2 + ["style"] * 3
    assert games.covariates["battle"].tolist() == ["1", "2", "1", "2", "3"]
    assert games.covariates["judge"].tolist() == ["i", "j", "i", "j", "k"]
    assert games.score.tolist() == [1.0, 0.5, 0.0, 1.0, 0.5]
    assert games.grade.tolist() == [0, 0, 2, 1, 0]  # criteria without grades have no steps
    assert "helpful: outcomes: 1 first, 0 second, 1 ties" in found.account
    for criteria, words in ((["helpful"], "two or more columns"), (["style", "styl"], "a column 'styl'")):
        with pytest.raises(GameTableError, match=words):
            read_criteria(rows, criteria)
