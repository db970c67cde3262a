"""Comparisons of research: simulated files in the documented forms of packages."""

import json

import pytest
from strangers.tally import tally

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.read import detect, read


def _written(tmp_path, text, name="file.csv"):
    path = tmp_path / name
    path.write_text(text)
    return path


def _notes(games):
    """Notes of a table in one text."""
    return " / ".join(games.notes)


ALPACA = [
    {"instruction": "i", "generator_1": "a", "generator_2": "b", "preference": told, "output_1": "x", "output_2": "y"}
    for told in (1, 1.0000048, 1.9998, 2, 1.5, 0, None)
]


@pytest.mark.parametrize("suffix", ["json", "csv"])
def test_preferences_from_1_to_2(tmp_path, suffix):
    text = json.dumps(ALPACA)
    if suffix == "csv":
        rows = [
            "generator_1,generator_2,preference",
            *(f"a,b,{'' if one['preference'] is None else one['preference']}" for one in ALPACA),
        ]
        text = "\n".join(rows)
    games = read(_written(tmp_path, text, f"annotations.{suffix}"))
    assert tally(games) == {"a": [2, 2, 2], "b": [2, 2, 2]}
    assert "below 1.5 is a win of generator_1" in _notes(games)


def test_a_preference_outside_1_to_2_is_an_error(tmp_path):
    with pytest.raises(GameTableError, match="'7'"):
        read(_written(tmp_path, "generator_1,generator_2,preference\na,b,1\na,b,7\n"))


def test_both_orders_of_a_question(tmp_path):
    lines = [
        {"question_id": 81, "model_1": "a", "model_2": "b", "g1_winner": one, "g2_winner": two, "judge": ["j", "v2"]}
        for one, two in (("model_1", "model_1"), ("tie", "model_2"), ("model_2", "error"))
    ]
    games = read(_written(tmp_path, "\n".join(map(json.dumps, lines)), "pair.jsonl"))
    assert tally(games) == {"a": [2, 1, 2], "b": [2, 1, 2]}
    assert games.white_names.tolist() == ["a", "b", "a", "b", "a"]  # the answers change places
    assert "set apart: 1 game, without a result" in _notes(games)


@pytest.mark.parametrize("baseline", [{"baseline": "base"}, {}])
def test_a_model_beside_a_baseline(tmp_path, baseline):
    games = [{"score": "A>>B", "judgment": "."}, {"score": "A=B", "judgment": "."}], [{"score": "B>A"}, {"score": None}]
    lines = [
        {"question_id": k, "model": f"m{k}", "judge": "j", "games": two, **baseline} for k, two in enumerate(games)
    ]
    table = read(_written(tmp_path, "\n".join(map(json.dumps, lines)), "m.jsonl"))
    base = baseline.get("baseline", "baseline")
    assert tally(table) == {base: [1, 1, 1], "m0": [0, 1, 1], "m1": [1, 0, 0]}
    assert table.white_names.tolist() == [base, "m0", base]


@pytest.mark.parametrize("header", ["chosen_model,rejected_model", "chosen-model,rejected-model", "chosen,notChosen"])
def test_chosen_and_not_chosen(tmp_path, header):
    assert tally(read(_written(tmp_path, f"{header}\na,b\na,c\n"))) == {"a": [2, 0, 0], "b": [0, 0, 1], "c": [0, 0, 1]}


def test_scores_of_several_answers(tmp_path):
    record = {"instruction": "q", "completions": [{"model": one, "overall_score": score} for one, score in
                                                  (("a", 8.0), ("b", 8), ("c", 5), ("d", None))]}  # fmt: skip
    games = read(_written(tmp_path, json.dumps(record) + "\n" + json.dumps(record), "u.jsonl"))
    assert tally(games) == {"a": [2, 2, 0], "b": [2, 2, 0], "c": [0, 0, 4]}
    assert "not independent within one; 2 without a number" in _notes(games)


@pytest.mark.parametrize(
    ("header", "seats"),
    [
        ("home.team,away.team,home.wins,away.wins", "home"),
        ("player1,player2,win1,win2", "first"),
        ("school1,school2,win1,win2", "white"),
        ("team,opponent,wins,losses", "white"),
        ("item_a,item_b,wins_a,wins_b", "first"),
    ],
)
def test_counts_of_wins(tmp_path, header, seats):
    games = read(_written(tmp_path, f"{header}\nA,B,4,2\nB,C,0,3\nA,C,0,0\n"))
    assert tally(games) == {"A": [4, 0, 2], "B": [2, 0, 7], "C": [3, 0, 0]}
    assert "3 rows are 9 games" in _notes(games)


def test_counts_of_wins_and_ties(tmp_path):
    text = "student,school1,school2,win1,win2,tied,win1.adj\n1,A,B,2,1,3,2\n2,B,C,0,1,0,2\n"
    assert tally(read(_written(tmp_path, text))) == {"A": [2, 3, 1], "B": [1, 3, 3], "C": [1, 0, 0]}


def test_counts_of_a_pair_from_both_sides_are_counted_once(tmp_path):
    games = read(_written(tmp_path, "team,opponent,won,lost\nA,B,4,2\nB,A,2,4\nB,C,1,3\nC,B,3,1\n"))
    assert tally(games) == {"A": [4, 0, 2], "B": [3, 0, 7], "C": [3, 0, 1]}


def test_wins_of_a_season_beside_a_result_are_no_counts_of_wins(tmp_path):
    text = "home_team,away_team,home_score,away_score,home_wins,away_wins\nA,B,3,1,10,4\nB,A,0,2,4,11\n"
    assert tally(read(_written(tmp_path, text))) == {"A": [2, 0, 0], "B": [0, 0, 2]}


def test_games_of_sets_are_no_counts_of_wins(tmp_path):
    text = "Winner,Loser,W1,L1,W2,L2,Comment\nA,B,6,3,6,4,Completed\nB,C,7,5,6,1,Completed\n"
    assert tally(read(_written(tmp_path, text))) == {"A": [1, 0, 0], "B": [1, 0, 1], "C": [0, 0, 1]}


@pytest.mark.parametrize("diagonal", ["40", "0", "-", ""])
def test_a_square_of_counts(tmp_path, diagonal):
    rows = [("A", diagonal, "3", "2"), ("B", "1", diagonal, "4"), ("C", "5", "0", diagonal)]
    games = read(_written(tmp_path, "\n".join([",A,B,C", *(",".join(row) for row in rows)]) + "\n"))
    assert tally(games) == {"A": [5, 0, 6], "B": [5, 0, 3], "C": [5, 0, 6]}
    assert ("3 numbers of the diagonal" in _notes(games)) == (diagonal == "40")


def test_a_square_of_tabs_without_a_corner(tmp_path):
    text = "A\tB\tC\nC\t5\t0\t0\nA\t0\t3\t2\nB\t1\t0\t4\n"
    assert tally(read(_written(tmp_path, text, "counts.tsv"))) == {"A": [5, 0, 6], "B": [5, 0, 3], "C": [5, 0, 6]}


def test_a_symmetric_square_is_refused(tmp_path):
    with pytest.raises(GameTableError, match="symmetric"):
        read(_written(tmp_path, ",A,B,C\nA,0,3,2\nB,3,0,4\nC,2,4,0\n"))


def test_a_cross_table_is_no_square_of_counts(tmp_path):
    path = _written(tmp_path, "Name,A,B,C\nA,,1,½\nB,0,,1\nC,½,0,\n")
    assert detect(path) == "csv"
    assert tally(read(path)) == {"A": [1, 1, 0], "B": [1, 0, 1], "C": [0, 1, 1]}


BEST_WORST = {
    "names": "Item1,Item2,Item3,Item4,BestItem,WorstItem\ngood,bad,fine,awful,good,awful\n",
    "places": "item1,item2,item3,item4,best,worst\ngood,bad,fine,awful,1,4\n",
    "columns": "item1,item2,item3,item4,best,worst\ngood,bad,fine,awful,item1,item4\n",
    "a row an item": "id,block,label,value\n1,1,good,1\n1,1,bad,0\n1,1,fine,0\n1,1,awful,-1\n",
}


@pytest.mark.parametrize("form", BEST_WORST)
def test_best_and_worst(tmp_path, form):
    games = read(_written(tmp_path, BEST_WORST[form] + BEST_WORST[form].partition("\n")[2].replace("1,1,", "2,1,")))
    assert tally(games) == {"good": [6, 0, 0], "bad": [2, 0, 2], "fine": [2, 0, 2], "awful": [0, 0, 6]}
    assert "not independent within a set" in _notes(games)


def test_a_best_that_is_not_in_the_set_is_an_error(tmp_path):
    with pytest.raises(GameTableError, match="line 3, best: expected one of 'A', 'B', 'C', found 'Z'"):
        read(_written(tmp_path, "item1,item2,item3,best,worst\nA,B,C,A,C\nA,B,C,Z,C\n"))


def test_a_set_without_a_worst_is_set_apart(tmp_path):
    games = read(_written(tmp_path, "item1,item2,item3,best,worst\nA,B,C,A,C\nA,B,C,A,\n"))
    assert len(games) == 3
    assert "set apart: 1 set without one best and one worst (line 3)" in _notes(games)


CHOICES = {
    "a row an alternative": "id,obsID,alt,choice,price\n1,1,car,1,3\n1,1,bus,0,2\n1,1,bike,0,1\n1,2,car,0,3\n"
    "1,2,bus,1,2\n1,2,bike,0,1\n",
    "sets anew with each person": "id,obsID,alt,choice\n1,1,car,TRUE\n1,1,bus,FALSE\n1,1,bike,FALSE\n2,1,car,FALSE\n"
    "2,1,bus,TRUE\n2,1,bike,FALSE\n",
    "a row a set, by name": "alt1,alt2,alt3,choice\ncar,bus,bike,car\ncar,bus,bike,bus\n",
    "a row a set, by place": "alt1,alt2,alt3,choice\ncar,bus,bike,1\ncar,bus,bike,2\n",
}


@pytest.mark.parametrize("form", CHOICES)
def test_a_choice_of_one(tmp_path, form):
    games = read(_written(tmp_path, CHOICES[form]))
    assert tally(games) == {"car": [2, 0, 1], "bus": [2, 0, 1], "bike": [0, 0, 2]}
    assert ("not used: 'price'" in _notes(games)) == ("price" in CHOICES[form])


@pytest.mark.parametrize(
    ("header", "rows", "truth"),
    [
        ("A:B,A:C,B:C,SEX", "1,-1,0,1\n1,1,-1,2\n", {"A": [3, 0, 1], "B": [0, 1, 3], "C": [2, 1, 1]}),
        ("A vs B,A vs C,B vs C", "1,-1,0\n1,1,-1\n", {"A": [3, 0, 1], "B": [0, 1, 3], "C": [2, 1, 1]}),
        ("A.B,A.C,B.C", "0,2,1\n0,0,2\n", {"A": [3, 0, 1], "B": [0, 1, 3], "C": [2, 1, 1]}),
        ("comp12,comp13,comp23", "1,-1,0\n1,1,-1\n", {"item 1": [3, 0, 1], "item 2": [0, 1, 3], "item 3": [2, 1, 1]}),
        ("comp1,comp2,comp3", "1,-1,NA\n1,1,-1\n", {"item 1": [3, 0, 1], "item 2": [0, 0, 3], "item 3": [2, 0, 1]}),
    ],
)
def test_a_column_a_pair(tmp_path, header, rows, truth):
    """prefmod: 1 is the first of a pair, -1 the second; with 0, 1, 2 it is 0 the first; pairs are 12, 13, 23."""
    games = read(_written(tmp_path, f"{header}\n{rows}"))
    assert tally(games) == truth
    assert ("items have no names" in _notes(games)) == header.startswith("comp")
    assert ("not used: 'SEX'" in _notes(games)) == ("SEX" in header)


SETS = {
    "a cell": ("user,options,choice\n1,A|B|C,B\n2,A|C|D,A\n3,B|C|D,\n", "csv"),
    "a list": (json.dumps([{"user": k, "options": [*items], "choice": one} for k, (items, one) in
                           enumerate([("ABC", "B"), ("ACD", "A"), ("BCD", None)])]), "json"),
}  # fmt: skip


@pytest.mark.parametrize("form", SETS)
def test_sets_in_cells(tmp_path, form):
    text, suffix = SETS[form]
    games = read(_written(tmp_path, text, f"choices.{suffix}"))
    assert tally(games) == {"A": [2, 0, 1], "B": [2, 0, 0], "C": [0, 0, 2], "D": [0, 0, 1]}
    assert "set apart: 1 set without a choice of its items" in _notes(games)
    assert "not used: 'user'" in _notes(games)


def test_best_and_worst_of_lists(tmp_path):
    lines = [{"items": [*"ABCD"], "best": "A", "worst": "D"}, {"items": [*"ABC"], "best": "B", "worst": "A"}]
    games = read(_written(tmp_path, "\n".join(map(json.dumps, lines)), "bw.jsonl"))
    assert tally(games) == {"A": [3, 0, 2], "B": [3, 0, 1], "C": [2, 0, 2], "D": [0, 0, 3]}


TURK = {
    "a word": ("Input.image_a,Input.image_b,Answer.choice", ("x,y,image_a", "y,z,image_b", "x,z,image_a")),
    "a side": ("Input.image1,Input.image2,Answer.preference", ("x,y,left", "y,z,right", "x,z,left")),
    "a name": ("Input.left,Input.right,Answer.winner", ("x,y,x", "y,z,z", "x,z,x")),
    "true and false": (
        "Input.left,Input.right,Answer.p.left,Answer.p.right",
        ("x,y,true,false", "y,z,false,true", "x,z,true,false"),
    ),
    "a letter, beside texts": (
        "Input.prompt,Input.url_a,Input.url_b,Answer.comment,Answer.label",
        ("p,x,y,ok,A", "q,y,z,,B", "r,x,z,,A"),
    ),
}


@pytest.mark.parametrize("form", TURK)
def test_assignments_of_mechanical_turk(tmp_path, form):
    header, rows = TURK[form]
    lines = [f"h{k},w1,{'Rejected' if k == 2 else 'Approved'},9,{row}" for k, row in enumerate(rows)]
    games = read(_written(tmp_path, "\n".join([f"HITId,WorkerId,AssignmentStatus,WorkTimeInSeconds,{header}", *lines])))
    assert tally(games) == {"x": [1, 0, 0], "y": [0, 0, 2], "z": [1, 0, 0]}
    assert "set apart: 1 row, AssignmentStatus Rejected" in _notes(games)


def test_a_flag_for_each_winner_and_for_ties(tmp_path):
    header, rows = "left,right,best.left.on,best.right.on", ("x,y,true,false", "y,z,false,true", "x,z,false,false")
    ties = ["best.tie.on", "false", "false", "true"]
    games = read(_written(tmp_path, "\n".join(f"{row},{tie}" for row, tie in zip((header, *rows), ties, strict=True))))
    assert tally(games) == {"x": [1, 1, 0], "y": [0, 0, 2], "z": [1, 1, 0]}
    with pytest.raises(GameTableError, match=r"line 4: expected one of best\.left\.on, best\.right\.on, found none"):
        read(_written(tmp_path, "\n".join((header, *rows))))


SCORES = "dataset,forest,svm,knn\niris,0.95,0.96,0.955\nwine,0.90,0.80,0.90\nglass,0.7,0.75,\n"


def test_scores_of_algorithms(tmp_path):
    """By hand: iris svm > knn > forest; wine forest = knn > svm; glass svm > forest."""
    games = read(_written(tmp_path, SCORES))
    assert tally(games) == {"forest": [1, 1, 3], "svm": [3, 0, 2], "knn": [2, 1, 1]}
    assert "7 comparisons on 3 data sets, the higher the better" in _notes(games)
    assert "1 score missing" in _notes(games)


def test_scores_within_the_region_of_practical_equivalence_are_ties(tmp_path):
    path = _written(tmp_path, SCORES)
    assert tally(read(path, rope=0.02)) == {"forest": [1, 3, 1], "svm": [1, 2, 2], "knn": [1, 3, 0]}
    lower = tally(read(path, better="lower"))
    assert lower == {name: found[::-1] for name, found in tally(read(path)).items()}


def test_errors_are_better_the_lower_they_are(tmp_path):
    text = "dataset,fold,algorithm,error\niris,1,forest,0.05\niris,1,svm,0.04\niris,2,forest,0.06\niris,2,svm,0.01\n"
    path = _written(tmp_path, text)
    assert tally(read(path)) == {"forest": [0, 0, 2], "svm": [2, 0, 0]}
    assert "the lower the better, as 'error' says" in _notes(read(path))
    assert tally(read(path, better="higher")) == {"forest": [2, 0, 0], "svm": [0, 0, 2]}


@pytest.mark.parametrize("options", [{"better": "lower"}, {"rope": 0.1}])
def test_options_of_scores_are_refused_for_other_tables(tmp_path, options):
    with pytest.raises(GameTableError, match=f"--{next(iter(options))}: expected a table of scores"):
        read(_written(tmp_path, "white,black,result\nA,B,1\n"), **options)


@pytest.mark.parametrize("options", [{"better": "more"}, {"rope": -1.0}])
def test_senseless_options_of_scores_are_refused(tmp_path, options):
    with pytest.raises(GameTableError, match=f"--{next(iter(options))}"):
        read(_written(tmp_path, SCORES), **options)
