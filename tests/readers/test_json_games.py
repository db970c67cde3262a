"""Games in JSON in the formats of servers: simulated games in the documented forms."""

import json

import pytest
from strangers.tally import tally

from halfpoint.readers.read import detect, read

# White (at home), Black, goals; Adler wins three, Brandt and Cole draw
GAMES = [("Adler", "Brandt", (2, 1)), ("Brandt", "Cole", (1, 1)), ("Cole", "Adler", (0, 3)), ("Adler", "Cole", (2, 0))]
TRUTH = {"Adler": [3, 0, 0], "Brandt": [0, 1, 1], "Cole": [0, 1, 2]}
DECIDED = {"Adler": [3, 0, 0], "Brandt": [0, 0, 1], "Cole": [0, 0, 2]}
IDS = {"Adler": 101, "Brandt": 102, "Cole": 103}


def _side(goals, win, draw, loss):
    """Word for the result of White's side: win, draw or loss."""
    return win if goals[0] > goals[1] else loss if goals[0] < goals[1] else draw


def _lichess(k, white, black, goals):
    game = {"id": str(k), "status": _side(goals, "mate", "stalemate", "outoftime"), "createdAt": 1705000000000 + k}
    winner = _side(goals, "white", None, "black")
    sides = {side: {"user": {"name": one, "id": one.lower()}, "rating": 1500} for side, one in
             (("white", white), ("black", black))}  # fmt: skip
    return game | {"players": sides} | ({"winner": winner} if winner else {})


def _chess_com(k, white, black, goals):
    codes = _side(goals, ("win", "checkmated"), ("agreed", "agreed"), ("resigned", "win"))
    return {
        "url": f"https://example.org/{k}", "end_time": 1700000000 + k, "rules": "chess", "time_class": "blitz",
        "white": {"username": white, "rating": 1500, "result": codes[0]},
        "black": {"username": black, "rating": 1490, "result": codes[1]},
    }  # fmt: skip


def _football_data(k, home, away, goals):
    return {
        "utcDate": f"2024-01-0{k + 1}T15:00:00Z", "status": "FINISHED", "matchday": k + 1,
        "homeTeam": {"id": k, "name": home, "tla": home[:3].upper()},
        "awayTeam": {"id": 9, "name": away, "tla": away[:3].upper()},
        "score": {"winner": _side(goals, "HOME_TEAM", "DRAW", "AWAY_TEAM"),
                  "fullTime": {"home": goals[0], "away": goals[1]}, "halfTime": {"home": 0, "away": 0}},
    }  # fmt: skip


def _api_football(k, home, away, goals):
    won = _side(goals, (True, False), (None, None), (False, True))
    return {
        "fixture": {"id": k, "date": f"2024-01-0{k + 1}T15:00:00+00:00", "status": {"long": "Finished", "short": "FT"}},
        "league": {"name": "League", "round": "Regular Season - 1"},
        "teams": {"home": {"id": 1, "name": home, "winner": won[0]}, "away": {"id": 2, "name": away, "winner": won[1]}},
        "goals": {"home": goals[0], "away": goals[1]},
        "score": {"halftime": {"home": 0, "away": 0}, "penalty": {"home": None, "away": None}},
    }  # fmt: skip


def _espn(k, home, away, goals):
    sides = [
        {
            "homeAway": side,
            "score": str(one),
            "winner": one > other,
            "team": {"displayName": name, "abbreviation": name[:3]},
        }
        for side, name, one, other in (("away", away, goals[1], goals[0]), ("home", home, *goals))
    ]
    return {"id": str(k), "date": f"2024-01-0{k + 1}T15:00Z", "competitions": [{"competitors": sides}]}


def _challonge(k, one, other, goals):
    won = _side(goals, (one, other), (None, None), (other, one))
    ids = dict(zip(("winner_id", "loser_id"), map(IDS.get, won), strict=True))
    return {"match": {"id": 900 + k, "player1_id": IDS[one], "player2_id": IDS[other], "state": "complete", "round": 1,
                      "scores_csv": f"{goals[0]}-{goals[1]}", "forfeited": None, **ids}}  # fmt: skip


def _open_football(k, home, away, goals):
    teams = {
        f"team{n}": {"key": name.lower(), "name": name, "code": name[:3].upper()} for n, name in ((1, home), (2, away))
    }
    return {"name": f"Matchday {k + 1}",
            "matches": [{"date": f"2015-08-0{k + 1}", **teams, "score1": goals[0], "score2": goals[1]}]}  # fmt: skip


def _ogs(k, white, black, goals):
    players = {"black": {"id": 1, "username": black}, "white": {"id": 2, "username": white}}
    lost = {"black_lost": goals[0] > goals[1], "white_lost": goals[0] < goals[1]}
    return {"id": k, "players": players, **lost, "outcome": "Resignation", "ended": "2024-01-01T00:00:00Z"}


def _open_dota(k, one, other, goals):
    return {"match_id": k, "radiant_name": one, "dire_name": other, "radiant_win": goals[0] > goals[1],
            "radiant_score": 20, "dire_score": 30, "start_time": 1700000000}  # fmt: skip


def _start_gg(k, one, other, goals):
    slots = [
        {"entrant": {"id": IDS[name], "name": name}, "standing": {"stats": {"score": {"value": value}}}}
        for name, value in ((one, goals[0]), (other, goals[1]))
    ]
    return {
        "id": k,
        "winnerId": IDS[one if goals[0] > goals[1] else other],
        "completedAt": 1700000000 + k,
        "slots": slots,
    }


def _each(made, games=GAMES):
    """Objects of games."""
    return [made(k, *game) for k, game in enumerate(games)]


DECISIVE = [game for game in GAMES if game[2][0] != game[2][1]]
TIMED = {
    "utcDate": "2024-03-01T15:00:00Z",
    "status": "TIMED",
    "matchday": 9,
    "homeTeam": {"name": "Adler", "tla": "ADL"},
    "awayTeam": {"name": "Cole", "tla": "COL"},
    "score": {"winner": None, "fullTime": {"home": None, "away": None}},
}
OPEN = {
    "match": {"id": 999, "player1_id": 101, "player2_id": 103, "winner_id": None, "loser_id": None, "state": "open"}
}
ENTRANTS = [{"participant": {"id": key, "name": name}} for name, key in IDS.items()]
DOCUMENTS = {
    "lichess, an array": (_each(_lichess), TRUTH),
    "chess.com, a month": ({"games": _each(_chess_com)}, TRUTH),
    "football-data.org": (
        {"count": 5, "competition": {"name": "L"}, "matches": [*_each(_football_data), TIMED]},
        TRUTH,
    ),
    "api-football": ({"response": _each(_api_football)}, TRUTH),
    "ESPN's scoreboard, the visitor first": ({"events": _each(_espn)}, TRUTH),
    "Challonge": (
        {"tournament": {"name": "C", "participants": ENTRANTS, "matches": [*_each(_challonge), OPEN]}},
        TRUTH,
    ),
    "openfootball by rounds": ({"name": "League", "rounds": _each(_open_football)}, TRUTH),
    "OGS": ({"count": 3, "results": _each(_ogs, DECISIVE)}, DECIDED),
    "OpenDota, where kills are no score": (_each(_open_dota, DECISIVE), DECIDED),
    "start.gg": ({"data": {"event": {"sets": {"nodes": _each(_start_gg, DECISIVE)}}}}, DECIDED),
}


@pytest.mark.parametrize("form", DOCUMENTS)
def test_the_answer_of_a_server_is_read(tmp_path, form):
    document, truth = DOCUMENTS[form]
    path = tmp_path / "answer.json"
    path.write_text(json.dumps(document))
    assert detect(path) == ("known-forms" if form.startswith("OpenDota") else "json-games")
    assert tally(read(path)) == truth


def test_events_of_the_sports_db_have_points_in_keys_that_begin_with_int(tmp_path):
    events = [
        {"idEvent": str(k), "strHomeTeam": home, "strAwayTeam": away, "intHomeScore": str(goals[0]),
         "intAwayScore": str(goals[1]), "intRound": str(k + 1), "dateEvent": "2024-03-01", "strStatus": "FT"}
        for k, (home, away, goals) in enumerate(GAMES)
    ]  # fmt: skip
    to_come = {**events[0], "intHomeScore": None, "intAwayScore": None, "strStatus": "Not Started"}
    path = tmp_path / "answer.json"
    path.write_text(json.dumps({"events": [*events, to_come]}))
    assert tally(read(path)) == TRUTH


def _opponents(k, status, won, one, other):
    """Match in PandaScore's form, with results in another order than its opponents."""
    teams = [{"opponent": {"id": key, "name": name}} for key, name in ((5, "Ann"), (6, "Bob"))]
    results = [{"team_id": one, "score": 2}, {"team_id": other, "score": 1}]
    return {"id": k, "status": status, "winner_id": won, "results": results, "opponents": teams}


def _coded(home, away, ids, won):
    """Match in SofaScore's form, whose winner codes may be ids."""
    teams = {
        f"{side}Team": {"name": name, "id": key}
        for side, name, key in zip(("home", "away"), (home, away), ids, strict=True)
    }
    scores = {
        f"{side}Score": {"current": goals, "period1": 6} if won else {} for side, goals in (("home", 2), ("away", 1))
    }
    return {**teams, **scores, "winnerCode": won, "status": {"type": "finished" if won else "notstarted"}}


def _odds(home, away, scores):
    """Game in the form of The Odds API, with scores in any order."""
    told = [{"name": name, "score": str(points)} for name, points in scores]
    return {"completed": bool(scores), "home_team": home, "away_team": away, "scores": told or None}


# one game that Ann wins at home, one that Bob wins at home, and one to come
ONE_EACH = {
    "names beside scores": [
        _odds("Ann", "Bob", [("Ann", 113), ("Bob", 100)]),
        _odds("Bob", "Ann", [("Ann", 100), ("Bob", 126)]),
        _odds("Bob", "Ann", []),
    ],
    "ids beside scores": [
        _opponents(1, "finished", 5, 5, 6), _opponents(2, "finished", 6, 6, 5), _opponents(3, "not_started", None, 5, 6)
    ],
    "codes of winners": {"events": [
        _coded("Ann", "Bob", (1, 2), 1), _coded("Bob", "Ann", (2, 1), 1), _coded("Bob", "Ann", (2, 1), None)
    ]},
    "numbers of players": {
        "players": [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bob"}],
        "rounds": [{"number": k, "pairings": [{"white": a, "black": b, "result": told}]} for k, (a, b, told) in
                   enumerate([(1, 2, "1-0"), (2, 1, "1-0"), (1, None, "bye")])],
    },
    "lists of two": {"matches": [{"players": ["Ann", "Bob"], "scores": one} for one in ([3, 1], [0, 3])]},
}  # fmt: skip


@pytest.mark.parametrize("form", ONE_EACH)
def test_goals_and_winners_belong_to_whom_the_file_says(tmp_path, form):
    path = tmp_path / "answer.json"
    path.write_text(json.dumps(ONE_EACH[form]))
    assert tally(read(path)) == {"Ann": [1, 0, 1], "Bob": [1, 0, 1]}


@pytest.mark.parametrize("around", [
    {"tournament": {"name": "Open"}}, {"name": "Future"}, {"state": "ongoing"}, {"event": {"status": "upcoming"}},
])  # fmt: skip
def test_names_and_states_of_a_tournament_do_not_concern_its_games(tmp_path, around):
    pairings = [{"white": {"id": f"u{a}", "name": a}, "black": {"id": f"u{b}", "name": b}, "result": result}
                for a, b, result in (("Ann", "Bob", "1-0"), ("Bob", "Ann", "1-0"), ("Ann", "Bob", "*"))]  # fmt: skip
    path = tmp_path / "pairings.json"
    path.write_text(json.dumps({**around, "rounds": [{"number": 1, "pairings": pairings}]}))
    assert tally(read(path)) == {"Ann": [1, 0, 1], "Bob": [1, 0, 1]}


def test_lines_of_lichess_have_their_lines(tmp_path):
    path = tmp_path / "games.ndjson"
    aborted = _lichess(9, "Adler", "Brandt", (1, 1)) | {"status": "aborted"}
    engine = _lichess(10, "Adler", "Cole", (1, 0)) | {
        "players": {"white": {"aiLevel": 3}, "black": {"user": {"name": "Cole"}}}
    }
    path.write_text("\n".join(json.dumps(one) for one in [*_each(_lichess), aborted, engine]))
    games = read(path)
    assert tally(games) == TRUTH
    assert games.line.tolist() == [1, 2, 3, 4]
    assert any("without a result (line 5)" in note for note in games.notes)
    assert any("1 game without the names of both sides" in note for note in games.notes)


def test_goals_are_the_margin_and_dates_and_rounds_are_kept(tmp_path):
    path = tmp_path / "answer.json"
    path.write_text(json.dumps({"matches": _each(_football_data)}))
    games = read(path)
    assert games.margin.tolist() == [1.0, 0.0, -3.0, 2.0]
    assert games.date.astype(str).tolist() == ["2024-01-01", "2024-01-02", "2024-01-03", "2024-01-04"]
    assert (games.seats, games.covariates["Round"].tolist()) == ("home", [1, 2, 3, 4])


def test_what_is_not_used_is_named(tmp_path):
    path = tmp_path / "answer.json"
    sides = [{"radiant": {"name": a, "score": 20}, "dire": {"name": b, "score": 30}} for a, b, _ in DECISIVE]
    winners = ["radiant" if goals[0] > goals[1] else "dire" for *_, goals in DECISIVE]
    games = [{"match_id": k, **game, "winner": won} for k, (game, won) in enumerate(zip(sides, winners, strict=True))]
    path.write_text(json.dumps(games))
    notes = " ".join(read(path).notes)
    assert "not used: 'match_id'" in notes
    assert "a side that has not more goals: margins are not used" in notes


def test_an_id_of_two_names_is_no_name(tmp_path):
    twice = [*ENTRANTS, {"participant": {"id": 101, "name": "Another"}}]
    path = tmp_path / "answer.json"
    path.write_text(json.dumps({"tournament": {"participants": twice, "matches": _each(_challonge)}}))
    assert set(read(path).players.tolist()) == {"101", "Brandt", "Cole"}


def test_a_broken_line_is_told(tmp_path):
    path = tmp_path / "games.ndjson"
    path.write_text("\n".join([*map(json.dumps, _each(_lichess)), '{"players": {']))
    with pytest.raises(ValueError, match="line 5: expected JSON"):
        read(path)


@pytest.mark.parametrize(
    "text", ['{"model_a": "x", "model_b": "y", "winner": "model_a"}\n', '[{"white": "A", "black": "B", "result": 1}]']
)
def test_a_flat_file_is_a_table(tmp_path, text):
    path = tmp_path / "games.json"
    path.write_text(text)
    assert detect(path) in ("json", "jsonl")


@pytest.mark.parametrize("order", [("home", "away"), ("away", "home")])
def test_forfeits_are_set_apart_whichever_side_is_first(tmp_path, order):
    pairs = [("Ayr", "Elgin"), ("Elgin", "Forfar"), ("Forfar", "Ayr"), ("Elgin", "Ayr")]
    games = []
    for k, (home, away) in enumerate(pairs):
        sides = {"home": {"team": {"name": home}, "score": 2}, "away": {"team": {"name": away}, "score": 1}}
        competitors = [{"homeAway": side, **sides[side]} for side in order]
        games.append({"date": f"2024-01-0{k + 1}", "forfeited": k == 3, "competitors": competitors})
    path = tmp_path / "games.json"
    path.write_text(json.dumps({"events": games}))
    assert tally(read(path)) == {"Ayr": [1, 0, 1], "Elgin": [1, 0, 1], "Forfar": [1, 0, 1]}
    assert any(note.startswith("set apart: 1 game, forfeit") for note in read(path).notes)


def test_tables_of_two_are_games(tmp_path):
    tables = [
        {
            "table_id": str(k),
            "game_name": "chess",
            "end": "1705003000",
            "player_names": names,
            "ranks": ranks,
            "normalend": ended,
        }
        for k, (names, ranks, ended) in enumerate(
            [("Ann,Bob", "1,2", "1"), ("Bob,Ann", "1,1", "1"), ("Bob,Ann", "1,2", "0"), ("Bob,Ann", "1", "1")]
        )
    ]
    path = tmp_path / "tables.json"
    path.write_text(json.dumps({"status": 1, "data": {"tables": tables}}))
    games = read(path)
    assert tally(games) == {"Ann": [1, 1, 0], "Bob": [0, 1, 1]}
    assert {"set apart: 1 row, normalend 0", "set apart: 1 row without as many player_names as ranks"} <= {*games.notes}


def test_races_of_ergast_are_placings(tmp_path):
    from halfpoint.readers.read import open_table

    drivers = [{"driverId": one.lower(), "givenName": one, "familyName": "X"} for one in ("Ann", "Bob")]
    results = [{"position": str(k), "positionText": text, "Driver": one, "grid": "1"} for k, (one, text) in
               enumerate(zip(drivers, ("1", "R"), strict=True), 1)]  # fmt: skip
    races = [{"season": "2024", "round": "1", "raceName": "Prix", "date": "2024-03-02", "Results": results}]
    path = tmp_path / "races.json"
    path.write_text(json.dumps({"MRData": {"series": "f1", "RaceTable": {"season": "2024", "Races": races}}}))
    opened, _ = open_table(path)
    cells = {name: column.to_list() for name, column in opened.read(opened.names).items()}
    assert cells == {
        "event": ["2024 Prix"] * 2, "competitor": ["Ann X", "Bob X"], "place": ["1", "R"], "date": ["2024-03-02"] * 2
    }  # fmt: skip
    assert "not used: 'grid'" in opened.notes
