"""Results as sites, federations and programs publish them, of small made-up tournaments with typed games."""

import csv
import io
import json

import pytest
from strangers.tally import tally

from halfpoint.apps.fields.races.read import read_races
from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.read import read

RING = [("Ann", "Bob", 1), ("Bob", "Cid", 0), ("Cid", "Ann", 0), ("Ann", "Cid", 1)]  # no draws


def games_of(path, **options):
    """The games of a file as (first, second, score)."""
    games = read(path, **options)
    return list(zip(games.white_names.tolist(), games.black_names.tolist(), games.score.tolist(), strict=True))


def written(folder, name, text):
    """The path of a file with a text, or with a value as JSON."""
    path = folder / name
    path.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
    return path


def snooker(a, b, won, **further):
    """A match of api.snooker.org, whose players are numbers; `won` is 1, 0 or None."""
    ids = {"Ann": 11, "Bob": 12, "Cid": 13}
    match = {"ID": 1, "Player1ID": ids[a], "Score1": 4 if won else 1, "Walkover1": False, "Player2ID": ids[b]}
    match |= {"Score2": 1 if won else 4, "Walkover2": False, "Unfinished": False}
    return match | {"WinnerID": 0 if won is None else ids[a if won else b]} | further


def test_walkovers_and_matches_to_come_of_snooker(tmp_path):
    matches = [snooker(*game) for game in RING]
    matches += [snooker("Bob", "Ann", 1, Walkover1=True), snooker("Bob", "Cid", 0, Walkover2=True)]
    matches += [snooker("Cid", "Bob", None, Score1=0, Score2=0), snooker("Cid", "Bob", None, Unfinished=True)]
    number = {"Ann": "11", "Bob": "12", "Cid": "13"}
    path = written(tmp_path, "matches.json", matches)
    assert games_of(path) == [(number[a], number[b], won) for a, b, won in RING]


def test_a_walk_over_and_a_running_match_of_cuescore(tmp_path):
    matches = [(a, b, 7 if won else 2, 3 if won else 7, "finished") for a, b, won in RING]
    matches += [("Bob", "Walk Over", 0, 0, "finished"), ("Walk Over", "Cid", 0, 0, "finished")]
    matches += [("Bob", "Ann", 2, 4, "playing"), ("Cid", "Bob", 0, 0, "waiting")]
    rows = [{"matchno": k, "playerA": {"name": a}, "playerB": {"name": b}, "scoreA": x, "scoreB": y, "raceTo": 7,
             "matchstatus": status} for k, (a, b, x, y, status) in enumerate(matches)]  # fmt: skip
    assert games_of(written(tmp_path, "cup.json", {"name": "Cup", "matches": rows})) == RING


def contest(white, blue, won, **further):
    """A contest of data.ijf.org, in which all values are texts."""
    row = {"id_fight": "1", "id_person_white": white[:1], "id_person_blue": blue[:1], "person_white": white}
    row |= {"person_blue": blue, "id_winner": (white if won else blue)[:1], "is_finished": "1", "bye": "0"}
    return row | {"weight": "-60", "date_raw": "2024/03/01", "ippon_w": "0", "ippon_b": "1"} | further


def test_byes_and_weight_classes_of_judo(tmp_path):
    rows = [contest(*game) for game in RING]
    rows += [contest("Bob", "", 1, bye="1"), contest("Cid", "Bob", 1, id_winner=None, is_finished="0")]
    path = written(tmp_path, "contests.json", {"contests": rows, "found": 6})
    assert games_of(path) == RING
    assert read(path).weight is None  # -60 is a class in kilograms


def liquipedia(a, b, score, winner, **further):
    """A match of Liquipedia's API."""
    opponents = [{"name": name, "score": points} for name, points in zip((a, b), score, strict=True)]
    return {"match2id": a + b, "winner": winner, "walkover": "", "resulttype": "", "finished": 1} | {
        "match2opponents": opponents} | further  # fmt: skip


def test_draws_and_forfeits_of_liquipedia(tmp_path):
    rows = [liquipedia(a, b, (2, 0) if won else (1, 2), "1" if won else "2") for a, b, won in RING]
    rows += [liquipedia("Bob", "Ann", (1, 1), "0", resulttype="draw")]
    rows += [liquipedia("Bob", "Ann", (-1, -1), "1", resulttype="default", walkover="ff")]
    rows += [liquipedia("Bob", "TBD", (-1, -1), "", resulttype="np", finished=0)]
    assert games_of(written(tmp_path, "cup.json", {"result": rows})) == [*RING, ("Bob", "Ann", 0.5)]


@pytest.mark.parametrize(("status", "games"), [("cancelled", RING), ("finished", [*RING, ("Bob", "Ann", 1)])])
def test_factions_of_faceit(tmp_path, status, games):
    def match(a, b, won, state="finished"):
        sides = {"faction1": {"team_id": "t1", "nickname": a}, "faction2": {"team_id": "t2", "nickname": b}}
        score = {"faction1": int(won), "faction2": 1 - int(won)}
        return {"match_id": a + b, "teams": sides, "status": state,
                "results": {"winner": "faction1" if won else "faction2", "score": score}}  # fmt: skip

    rows = [*(match(*game) for game in RING), match("Bob", "Ann", 1, status)]
    assert games_of(written(tmp_path, "history.json", {"items": rows})) == games


def test_bouts_of_sumo_and_one_that_was_not_fought(tmp_path):
    def bout(east, west, won, how="yorikiri"):
        numbers = {name: 10 * ord(name[0]) for name in (east, west)}
        winner = {1: east, 0: west}.get(won, "")
        return {"day": 1, "eastId": numbers[east], "eastShikona": east, "eastRank": "M1e", "westId": numbers[west],
                "westShikona": west, "westRank": "M1w", "kimarite": how, "winnerId": numbers.get(winner, 0),
                "winnerEn": winner}  # fmt: skip

    rows = [*(bout(*game) for game in RING), bout("Bob", "Ann", 1, "fusen"), bout("Cid", "Bob", None, "")]
    assert games_of(written(tmp_path, "basho.json", {"bashoId": "202401", "torikumi": rows})) == RING


@pytest.mark.parametrize("state", ["running", "playing", "pending"])
def test_a_running_match_has_no_result(tmp_path, state):
    def match(a, b, won, status):
        points = (13, 7) if won else (9, 13)
        names = [{"participant": {"id": name, "name": name}, "forfeit": False, "score": score}
                 for name, score in zip((a, b), points, strict=True)]  # fmt: skip
        return {"id": a + b, "type": "duel", "status": status, "opponents": names}

    rows = [*(match(*game, "completed") for game in RING), match("Bob", "Ann", 1, state)]
    assert games_of(written(tmp_path, "matches.json", rows)) == RING


@pytest.mark.parametrize("first", [0, 1, 2])
def test_a_winner_by_id_is_a_player_of_this_id_and_no_side(tmp_path, first):
    number = {"Ann": first, "Bob": first + 1, "Cid": first + 2}
    rows = [{"players": [{"name": a, "id": number[a]}, {"name": b, "id": number[b]}], "status": "complete",
             "winner_id": number[a if won else b]} for a, b, won in RING]  # fmt: skip
    assert games_of(written(tmp_path, "matches.json", rows)) == RING


def test_winners_of_plays_of_board_games(tmp_path):
    def play(number, *scores):
        return {"uuid": f"p{number}", "playDate": f"2024-01-0{number} 20:00:00", "gameRefId": 9, "playerScores": [
            {"playerRefId": who, "score": points, "winner": won} for who, points, won in scores]}  # fmt: skip

    plays = [play(1, (1, "5", True), (2, "9", False)), play(2, (2, "4", True), (3, "4", True), (1, "1", False))]
    people = [{"id": k, "name": name} for k, name in enumerate(("Ann", "Bob", "Cid"), 1)]
    races = read_races(written(tmp_path, "plays.json", {"players": people, "plays": plays}))
    assert tally(races) == {"Ann": [1, 0, 2], "Bob": [1, 1, 1], "Cid": [1, 1, 0]}  # the lowest score may win


def test_games_of_a_match_of_french_table_tennis(tmp_path):
    games = "".join(f"<partie><ja>{a}</ja><scorea>{1 if won else '-'}</scorea><jb>{b}</jb>"
                    f"<scoreb>{'-' if won else 1}</scoreb></partie>" for a, b, won in RING)  # fmt: skip
    games += "<partie><ja>Absent Absent</ja><scorea>-</scorea><jb>Bob</jb><scoreb>1</scoreb></partie>"
    match = "<resultat><equa>X</equa><equb>Y</equb><resa>3</resa><resb>2</resb></resultat>"
    assert games_of(written(tmp_path, "match.xml", f"<liste>{match}{games}</liste>")) == RING


TEXTS = {
    "wrestling": """Valley Open Results for Prairie

106
Champ. Round 1 - Ann (Prairie) 12-3 received a bye () (Bye)
Quarterfinals - Ann (Prairie) 12-3 won by fall over Bob (Adair) 4-9 (Fall 1:22)
Semifinals - Cid (Boone) 10-4 won by decision over Bob (Adair) 4-9 (Dec 6-4)
1st Place Match - Ann (Prairie) 12-3 won by tech fall over Cid (Boone) 10-4 (TF-1.5 4:10 (17-2))
Cons. Semis - Ann (Prairie) 12-3 won by injury default over Cid (Boone) 10-4 (Inj. 0:45)
3rd Place Match - Bob (Adair) 4-9 won by forfeit over Cid (Boone) 10-4 (For.)
""",
    "squash": """City Open - Women's Draw
16 - 20 Feb, Test City

First round
[1] Ann (EGY) bt Bob (ENG) 3/0: 11/5, 11/7, 11/8 (32m)
Cid (FRA) bt [8] Bob (ENG) 3/2: 11/9, 6/11, 11/8, 9/11, 12/10 (71m)
[1] Ann (EGY) bt Cid (FRA) 11/4, 4/1 retired (14m)
Semi-finals
[1] Ann (EGY) bt Cid (FRA) 3/0: 11/3, 11/2, 11/6 (28m)
Bob (ENG) bt [1] Ann (EGY) w/o
Cid (FRA) v Bob (ENG)
""",
    "football.txt": """= Regionalliga 2023/24

» 1. Spieltag
Fr Jul 28
  19:30  Ann      2-1 (1-0)  Bob
         Bob      0-1        Cid
Sa Aug 5
  18:00  Ann      3-0 [awarded]  Bob
» 2. Spieltag
  17:00  Cid v Ann           0-2 (0-1)
         Ann v Cid           4-0
         Bob      -          Cid   [abgesagt]
""",
    "afl tables": """1.     8-May-1897   R1   Ann        6.13.49     Bob        2.4.16      Brunswick St
2.     8-May-1897   R1   Bob        5.2.32      Cid        4.9.33      Victoria Park
3.    15-May-1897   R2   Cid        3.6.24      Ann        7.5.47      Corio Oval
4.    15-May-1897   R2   Ann        6.8.44      Cid        6.4.40      Lake Oval
""",
    "aga": """TOURNEY Spring Open, April 5, 2025
\tstart=4/5/2025
\tfinish=4/6/2025

PLAYERS
2345  Ann        4.5  country=US club=SEAT
8123  Bob        3.2  country=US
9011  Cid       -1.8  country=CN

GAMES 1
2345 8123 w 0 7
8123 9011 b 0 7
GAMES 2
9011 2345 b 0 7
2345 9011 w 0 7
""",
    "vega": """Open
 Pos    NAME           Rtg  FED |   1     2     3     4  | Pts
   1  FM Ann          2310 ITA |  +W2   ---   +B3   +W3  | 3.0
   2     Bob          2188 ITA |  -B1   -W3   =W0   +--  | 1.5
   3     Cid          2120 AUT |  +--   +B2   -W1   -B1  | 2.0
""",
}


@pytest.mark.parametrize("form", TEXTS)
def test_results_in_text(tmp_path, form):
    path = written(tmp_path, "results.txt", TEXTS[form])
    sides = sorted(tuple(sorted([(a, won), (b, 1 - won)])) for a, b, won in RING)
    assert sorted(tuple(sorted([(a, won), (b, 1 - won)])) for a, b, won in games_of(path)) == sides
    if form in ("football.txt", "afl tables", "aga"):
        assert games_of(path) == RING  # in their seats


@pytest.mark.parametrize("score", ["3-4 pen. 1-1 a.e.t. (1-1, 0-1)", "1-1 (0-1)", "1-1"])
def test_extra_time_and_penalties_of_football_txt(tmp_path, score):
    text = f"= Cup\n\n  20:00  Ann  {score}  Bob\n  18:00  Bob  2-1 a.e.t. (1-1)  Cid\n"
    text += f"  Cid  1-0  Ann\n  20:00  Cid v Bob  {score}\n"
    games = [("Ann", "Bob", 0.5), ("Bob", "Cid", 1), ("Cid", "Ann", 1), ("Cid", "Bob", 0.5)]
    assert games_of(written(tmp_path, "cup.txt", text)) == games


def test_lines_of_a_known_text_that_are_no_games_are_reported(tmp_path):
    notes = read(written(tmp_path, "results.txt", TEXTS["afl tables"] + "Finals to come\n")).notes
    assert "skipped: 1 line without a game, the first 'Finals to come'" in notes


def table(header, rows):
    """A table as CSV text."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([header.split(","), *rows])
    return text.getvalue()


def test_situations_of_ice_hockey_are_no_games(tmp_path):
    header = "team,season,gameId,playerTeam,opposingTeam,home_or_away,gameDate,position,situation,goalsFor,goalsAgainst"
    rows = []
    for k, (a, b, won) in enumerate(RING, 1):
        home, away = (3, 1) if won else (0, 2)
        for own, rival, place, mine, other in ((a, b, "HOME", home, away), (b, a, "AWAY", away, home)):
            about = [own, 2023, 2023020000 + k, own, rival, place, f"2023100{k}", "Team Level"]
            rows += [[*about, "other", 0, 0], [*about, "all", mine, other], [*about, "5on5", 1, 1]]
            rows += [[*about, "4on5", 0, 1], [*about, "5on4", 1, 0]]
    assert games_of(written(tmp_path, "all_teams.csv", table(header, rows))) == RING


def test_second_rows_of_games_of_basketball_are_copies(tmp_path):
    header = "gameorder,game_id,lg_id,_iscopy,date_game,team_id,fran_id,pts,opp_id,opp_fran,opp_pts,game_location"
    header += ",game_result"
    rows = []
    for k, (a, b, won) in enumerate(RING, 1):
        points = (66, 60) if won else (50, 70)
        about = [k, f"g{k}", "NBA"]
        rows.append([*about, 0, f"11/{k}/1946", a[:2], a, points[0], b[:2], b, points[1], "H", "W" if won else "L"])
        rows.append([*about, 1, f"11/{k}/1946", b[:2], b, points[1], a[:2], a, points[0], "A", "L" if won else "W"])
    games = read(path := written(tmp_path, "elo.csv", table(header, rows)))
    assert games_of(path) == RING
    assert [str(day) for day in games.date] == ["1946-11-01", "1946-11-02", "1946-11-03", "1946-11-04"]


def test_votes_for_the_left_and_the_right_model(tmp_path):
    votes = ["leftvote", "rightvote", "tievote", "bothbad_vote"]
    pairs = [("a1", "b1"), ("b1", "c1"), ("c1", "a1"), ("a1", "c1")]
    rows = [{"left_model": a, "right_model": b, "vote_type": vote} for (a, b), vote in zip(pairs, votes, strict=True)]
    path = written(tmp_path, "votes.jsonl", "\n".join(map(json.dumps, rows)))
    assert [score for *_, score in games_of(path)] == [1, 0, 0.5, 0.5]


@pytest.mark.parametrize("word", ["白弃权", "黑弃权"])
def test_a_side_that_does_not_appear_in_a_table_of_go(tmp_path, word):
    rows = [f"{a},{b},{'黑中盘胜' if won else '白胜1又3/4子'}" for a, b, won in RING] + [f"Bob,Ann,{word}", "Cid,轮空,"]
    path = written(tmp_path, "weiqi.csv", "\n".join(["黑方,白方,结果", *rows]))
    assert games_of(path) == [(b, a, 1 - won) for a, b, won in RING]


def test_a_wrong_column_of_numbered_winners_asks_for_the_unknown_number_alone(tmp_path):
    rows = ["Player1ID,Player2ID,WinnerID", "11,12,11", "12,13,13", "13,11,0", "11,13,13"]
    with pytest.raises(GameTableError) as error:
        read(written(tmp_path, "matches.csv", "\n".join(rows)))
    assert str(error.value).endswith("found '0'. Say what it means: --outcomes 0=first|second|tie|both_bad|drop.")
