"""Public forms of trackers, databases and votes: made-up results, typed with their truth, and neighbours of each."""

import json

import pytest
from strangers.tally import tally

from halfpoint.apps.fields.races.read import read_races
from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.known_documents import filled
from halfpoint.readers.read import read

TRUTH = {"Ann": [2, 0, 0], "Bob": [0, 1, 1], "Cem": [0, 1, 1]}  # Ann beats Bob and Cem, who draw


def games_of(tmp_path, name, text):
    (tmp_path / name).write_text(text, encoding="utf-8")
    return read(tmp_path / name)


def match(first, second, goals, bye=False):
    """A match of melee.gg."""
    sides = [(first, goals[0])] if bye else [(first, goals[0]), (second, goals[1])]
    people = [{"Team": {"Name": None, "Players": [{"DisplayName": who}]}, "GameWins": won, "GameByes": 0}
              for who, won in sides]  # fmt: skip
    return {"RoundNumber": 1, "HasResult": True, "Competitors": people, "ResultString": ""}


def lishogi(first, second, **end):
    """A game of lishogi.org, a line of JSON."""
    seats = {seat: {"user": {"name": who, "id": who.lower()}} for seat, who in (("sente", first), ("gote", second))}
    return json.dumps({"id": "x", "players": seats, "createdAt": 1704067200000} | end)


def team(name, points=None):
    """A team's part of a match of quizbowl."""
    return {"team": {"$ref": f"T_{name}"}} | ({"forfeit_loss": True} if points is None else {"points": points})


def record(name, number, touchdowns):
    """A coach's part of a game of Blood Bowl; as many are hurt as the coach has touchdowns less."""
    return (
        f"<playerRecord><name>{name}</name><number>{number}</number><touchDowns>{touchdowns}</touchDowns>"
        f"<badlyHurt>{9 - touchdowns}</badlyHurt></playerRecord>"
    )


QUIZ = {
    "version": "2.1",
    "objects": [{
        "type": "Tournament",
        "registrations": [{"teams": [{"name": who, "id": f"T_{who}"}]} for who in TRUTH],
        "phases": [{"rounds": [
            {"name": "Round 1", "matches": [{"match_teams": [team("Ann", 300), team("Bob", 250)]}]},
            {"name": "Round 2", "matches": [{"match_teams": [team("Cem", 5), team("Ann", 10)]}]},
            {"name": "Round 3", "matches": [{"match_teams": [team("Bob", 80), team("Cem", 80)]}]},
            {"name": "Round 4", "matches": [{"match_teams": [team("Bob", 80), team("Cem")]}]},
        ]}],
    }],
}  # fmt: skip
FILES = {
    "games.ndjson": "\n".join([
        lishogi("Ann", "Bob", winner="sente", status="mate"), lishogi("Cem", "Ann", winner="gote", status="resign"),
        lishogi("Bob", "Cem", status="repetition"), lishogi("Bob", "Cem", status="aborted"),
    ]),
    "melee.json": json.dumps({"data": [
        match("Ann", "Bob", (2, 1)), match("Cem", "Ann", (0, 2)), match("Bob", "Cem", (1, 1)),
        match("Bob", "", (0, 0), bye=True),
    ]}),
    "cup.qbj": json.dumps(QUIZ),
    "naf.xml": "<nafReport>"
    + "".join(f"<game><timeStamp>2024-03-0{day} 10:00</timeStamp>{one}{other}</game>" for day, one, other in (
        (1, record("Ann", 7, 2), record("Bob", 8, 1)), (2, record("Cem", 9, 0), record("Ann", 7, 1)),
        (3, record("Bob", 8, 1), record("Cem", 9, 1)),
    ))
    + "</nafReport>",
    "rsssf.txt": "Land 2023/24\n\nRound 1\n[Aug 5]\nAnn               2-1 Bob\n\nRound 2\n[Aug 12]\n"
    "Cem               0-3 Ann               [Ray 3]\n\nRound 3\nBob               1-1 Cem\n"
    "Bob               awd Cem               [awarded 3-0, Cem did not appear]\n\nFinal Table:\n\n"
    " 1.Ann                 2   2  0  0   5- 1   6\n\nAbout this document\n",
    "wiki.txt": "{{#invoke:Sports results|main\n|name_Ann=[[Ann F.C.|Ann]]\n|match_Ann_Bob=2–1\n|match_Cem_Ann=0–3\n"
    "|match_Bob_Cem=1–1\n}}\n",
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_documents_of_trackers(tmp_path, name):
    assert tally(games_of(tmp_path, name, FILES[name])) == TRUTH


SUMO = "basho,day,rikishi1_id,rikishi1_shikona,rikishi1_result,rikishi1_win,kimarite,rikishi2_id,rikishi2_shikona,"
SUMO += "rikishi2_result,rikishi2_win\n"
OTHER_SIDE = ["2024.01,{0},1,Ann,{0}-0,1,yorikiri,2,Bob,0-{0},0", "2024.01,{0},2,Bob,0-{0},0,yorikiri,1,Ann,{0}-0,1"]
TABLES = {
    "SeriesPost.csv": (
        "yearID,round,teamIDwinner,lgIDwinner,teamIDloser,lgIDloser,wins,losses,ties\n2012,WS,Ann,AL,Bob,NL,4,2,1\n"
        "2013,ALCS,Bob,AL,Ann,AL,4,0,0\n",
        {"Ann": [4, 1, 6], "Bob": [6, 1, 4]},
    ),
    "sumo.csv": (
        SUMO + "".join(f"{row.format(day)}\n" for day in (1, 2, 3) for row in OTHER_SIDE),
        {"Ann": [3, 0, 0], "Bob": [0, 0, 3]},
    ),
    "lol.csv": (
        "gameid,side,position,playername,teamname,champion,result,kills\n"
        + "".join(f"G{k},{side},{seat},{who},{side[0]}x,Ahri,{won},{kills}\n" for k in range(5)
                  for side, won, kills in (("Blue", k % 2, 3), ("Red", 1 - k % 2, 9))
                  for seat, who in (("top", f"{side} P"), ("sup", f"{side} S"), ("team", ""))),
        {"Bx": [2, 0, 3], "Rx": [3, 0, 2]},
    ),
    "ties.csv": (
        "Team 1,Agg.,Team 2,1st leg,2nd leg\nAnn,3–3 (a),Bob,3–1,0–2\nCem,0–4,Ann,0–2,0–2\n",
        {"Ann": [3, 0, 1], "Bob": [1, 0, 1], "Cem": [0, 0, 2]},
    ),
    "wmt.csv": (
        "judgeId,segmentId," + ",".join(f"system{k}Number,system{k}Id" for k in range(1, 6)) + ","
        + ",".join(f"system{k}rank" for k in range(1, 6)) + "\nj1,7,1,A,2,B,3,C,4,D,5,E,1,2,2,4,5\n",
        {"A": [4, 0, 0], "B": [2, 1, 1], "C": [2, 1, 1], "D": [1, 0, 3], "E": [0, 0, 4]},
    ),
    "serie.csv": (
        "Lag;H/B;Motståndare;Gjorda;Insläppta;Utfall\nAnn;H;Bob;2;1;V\nBob;B;Ann;1;2;F\nCem;H;Ann;0;1;F\n"
        "Ann;B;Cem;1;0;V\nBob;H;Cem;1;1;O\nCem;B;Bob;1;1;O\n",
        TRUTH,
    ),
    "fights.csv": (
        "fighter1,fighter2,fighter1_result,fighter2_result,method\nAnn,Bob,win,loss,KO\nCem,Ann,loss,win,KO\n"
        "Bob,Cem,draw,draw,Decision\nBob,Cem,no contest,no contest,KO\n",
        TRUTH,
    ),
    "pool.csv": (
        "No.,Name,1,2,3,V,TD,Place\n1,Ann,,V5,V/4,2,9,1\n2,Bob,D2,,V,1,7,2\n3,Cem,D/3,D4,,0,7,3\n",
        {"Ann": [2, 0, 0], "Bob": [1, 0, 1], "Cem": [0, 0, 2]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
def test_tables_of_databases(tmp_path, name):
    text, truth = TABLES[name]
    assert tally(games_of(tmp_path, name, text)) == truth


def test_counts_of_a_version_against_its_base(tmp_path):
    test = {"args": {"new_tag": "new", "base_tag": "old"}, "results": {"wins": 3, "losses": 1, "draws": 5}}
    table = games_of(tmp_path, "tests.json", json.dumps([test, test]))
    assert (len(table), table.score.sum()) == (18, 2 * 3 + 2 * 5 / 2)


def test_the_games_of_a_match_of_doubles_are_its_sets(tmp_path):
    ids = ("DuprId", "ExternalId")
    people = [f"player{side}{k}{end}" for side in "AB" for k in (1, 2) for end in ("", *ids)]
    header = [*people, *(f"team{side}Game{k}" for k in range(1, 6) for side in "AB")]
    rows = ["Ann,,,Bob,,,Cem,,,Dan,,,2,11,11,9,11,3,,,,", "Ann,,,Cem,,,Bob,,,Dan,,,11,2,2,11,7,11,,,,"]
    table = games_of(tmp_path, "dupr.csv", "\n".join([",".join(header), *rows]) + "\n")
    assert tally(table) == {"Ann": [1, 0, 1], "Bob": [2, 0, 0], "Cem": [0, 0, 2], "Dan": [1, 0, 1]}


VOTES = [("a", "Linz", "b", "Graz"), ("b", "Graz", "c", "Linz"), ("c", "Linz", "a", "Linz"), ("a", "Linz", "d", "Wels")]


@pytest.mark.parametrize(
    "names", [("place_{}_left", "place_{}_right"), ("{}_1", "{}_2"), ("team_{}_home", "team_{}_away"), ("w{}", "l{}")]
)
def test_ids_beside_names_that_several_have(tmp_path, names):
    winners = names[0][0] == "w"
    header = [names[side].format(what) for side in (0, 1) for what in ("id", "name")]
    text = "\n".join([",".join([*header, *([] if winners else ["winner"])]),
                      *(",".join([*vote, *([] if winners else ["1"])]) for vote in VOTES * 3)])  # fmt: skip
    (tmp_path / "votes.csv").write_text(text + "\n", encoding="utf-8")
    columns = {"winner": "wname", "loser": "lname"} if winners else {}
    outcomes = None if winners else "1=first,2=second"
    table = read(tmp_path / "votes.csv", columns=columns, outcomes=outcomes, trust=True)
    assert tally(table) == {"Linz (a)": [6, 0, 3], "Graz": [3, 0, 3], "Linz (c)": [3, 0, 3], "Wels": [0, 0, 3]}


def test_one_name_and_one_id_on_both_sides_is_no_game(tmp_path):
    rows = [*VOTES * 6, ("b", "Graz", "b", "Graz")]
    text = "id_1,name_1,id_2,name_2,result\n" + "".join(",".join([*row, "1-0"]) + "\n" for row in rows)
    table = games_of(tmp_path, "games.csv", text)
    assert (len(table), "set apart: 1 game, one player on both sides (line 26)" in table.notes) == (24, True)


def test_results_between_names_of_teams_are_no_players(tmp_path):
    text = "Board,Norton,v,Easton\n1,Ann,1 - 0,Bob\n2,Cem,½ - ½,Dan\n3,Eva,0 - 1,Fay\n4,Gus,1 - 0,Hal\n"
    with pytest.raises(GameTableError, match="a column for white and black and score, found columns 'Board', 'Nor"):
        games_of(tmp_path, "match.csv", text)


def test_a_template_of_wikipedia_is_no_json(tmp_path):
    with pytest.raises(GameTableError, match="Write the names of the columns in the first line"):
        games_of(tmp_path, "boxes.txt", "{{Football box\n|team1=Ann\n|score=2–1\n|team2=Bob\n}}\n")


@pytest.mark.parametrize(
    ("text", "cells", "joined"),
    [
        ("{a}-{b} {c}-{d}", ["1", "2", "", ""], "1-2"),
        ("{a}-{b}", ["", "2"], "-2"),
        ("{a}:{b}, {c}", ["", "", "x"], "x"),
        ("{a} & {b}", ["x", ""], "x &"),
        ("{a}-{b}", ["", ""], ""),
    ],
)
def test_pairs_of_empty_cells_leave_no_mark(text, cells, joined):
    assert filled(text, cells) == joined


def test_a_form_chooses_columns_within_a_text(tmp_path):
    (tmp_path / "g.csv").write_text("Vorname;Nachname;Gegner;Erg\nAnn;Adler;Bob;1-0\nAnn;Adler;Cem;0-1\n", "utf-8")
    form = 'signature = ["Gegner", "Erg"]\n'
    form += 'columns = {white = "{First|Vorname} {Nachname|Last}", black = "Gegner", score = "Erg"}\n'
    (tmp_path / "g.toml").write_text(form, encoding="utf-8")
    assert tally(read(tmp_path / "g.csv", form=tmp_path / "g.toml"))["Ann Adler"] == [1, 0, 1]


def test_ratings_of_listeners_are_orders(tmp_path):
    header = "session_test_id,name,session_uuid,trial_id,rating_stimulus,rating_score\n"
    scores = (("C1", 71), ("C2", 30), ("C3", 30))
    rows = [f"t,Ann,u{k},trial,{who},{score}" for k in (1, 2) for who, score in scores]
    (tmp_path / "mushra.csv").write_text(header + "\n".join(rows) + "\n", encoding="utf-8")
    table = read_races(tmp_path / "mushra.csv")
    assert (table.events.tolist(), table.group.tolist()) == (["u1 trial", "u2 trial"], [0, 1, 1, 0, 1, 1])


def test_pods_have_a_winner_and_drawn_ones_are_set_apart(tmp_path):
    people = [{"name": name, "id": name} for name in "ABCD"]
    pods = [{"table": 1, "players": people, "winner": winner, "status": "Completed"} for winner in ("C", "Draw")]
    rounds = [{"round": k, "tables": [pod]} for k, pod in enumerate(pods, 1)]
    (tmp_path / "pods.json").write_text(json.dumps({"data": {}, "rounds": rounds}), encoding="utf-8")
    table = read_races(tmp_path / "pods.json")
    assert (table.events.tolist(), table.has_place.sum(), len(table.who)) == (["Round 1, table 1"], 1, 4)
    assert "set apart: 1 row, winner Draw." in table.notes


def test_a_square_of_won_and_lost_bouts(tmp_path):
    text = "Name,1,2,3\nAnn,,W5,W\nBob,L3,,L2\nCem,L4,W5,\n"
    assert tally(games_of(tmp_path, "pool.csv", text)) == {"Ann": [2, 0, 0], "Bob": [0, 0, 2], "Cem": [1, 0, 1]}


def test_game_logs_have_the_visitor_first(tmp_path):
    line = '"2022040{0}","0","Thu","{1}","AL",1,"{2}","AL",1,{3},{4},54,"{5}",,,,"ANA01",33628,191,{6}'
    games = [(7, "Bob", "Ann", 4, 5, "D"), (8, "Ann", "Cem", 3, 1, "N"), (9, "Cem", "Bob", 2, 2, "D")]
    text = "\r\n".join(line.format(*game, ",".join(["0"] * 300)) for game in games)
    table = games_of(tmp_path, "GL2022.TXT", text)
    assert (tally(table), str(table.date[0]), table.white_names[0]) == (TRUTH, "2022-04-07", "Ann")
