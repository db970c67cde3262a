"""Forty forms typed from public descriptions after the readers; the second half is aimed at questions of the trial.

Each has a name, an ending, the content of a file, and the truth: wins, draws and losses by player. All games are made up.
"""

import datetime
import json
import random

TEAMS = ("Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Gorse", "Hazel")
FORMS = {}


def _season(draws, seed):
    """Home and away games of eight teams: number, day, home, away, goals of both."""
    chance = random.Random(seed)
    pairs = [(one, other) for one in TEAMS for other in TEAMS if one != other]
    chance.shuffle(pairs)
    games = []
    for k, (home, away) in enumerate(pairs):
        strength = 7 - TEAMS.index(home) - (7 - TEAMS.index(away))
        goals = [
            max(0, round(chance.gauss(2 + strength / 4, 1.2))),
            max(0, round(chance.gauss(1.6 - strength / 4, 1.2))),
        ]
        if not draws and goals[0] == goals[1]:
            goals[chance.randrange(2)] += 1
        games.append((k, datetime.date(2024, 1, 6) + datetime.timedelta(days=7 * (k // 4)), home, away, *goals))
    return games


D, N = _season(True, 11), _season(False, 12)


def truth_of(games, names=None):
    """Wins, draws and losses by team."""
    truth = {(names or {}).get(team, team): [0, 0, 0] for team in TEAMS}
    for _, _, home, away, first, second in games:
        place = 1 + (first < second) - (first > second)
        truth[(names or {}).get(home, home)][place] += 1
        truth[(names or {}).get(away, away)][2 - place] += 1
    return {team: counts for team, counts in truth.items() if any(counts)}


def form(name, ending, lines, games, names=None, encoding="utf-8"):
    """Keep a form."""
    text = lines if isinstance(lines, str) else "\n".join(lines) + "\n"
    FORMS[name] = (ending, text.encode(encoding), truth_of(games, names))


def won(g):
    return g[2] if g[4] > g[5] else g[3]


def lost(g):
    return g[3] if g[4] > g[5] else g[2]


def letter(g, words="HDA"):
    return words[0] if g[4] > g[5] else words[1] if g[4] == g[5] else words[2]


def score(g):
    return "1-0" if g[4] > g[5] else "0-1" if g[4] < g[5] else "1/2-1/2"


# twenty forms of public programs and sites
form("football-data-fixtures", "csv", ["Div,Date,HomeTeam,AwayTeam,FTHG,FTAG,FTR,HTHG,HTAG,HTR,B365H,B365D,B365A",
     *(f"E0,{g[1]:%d/%m/%Y},{g[2]},{g[3]},{g[4]},{g[5]},{letter(g)},0,0,D,1.9,3.4,4.2" for g in D)], D)  # fmt: skip
form("retrosheet-log", "csv", ["date,visteam,hometeam,vruns,hruns,innings",
     *(f"{g[1]:%Y%m%d},{g[3]},{g[2]},{g[5]},{g[4]},9" for g in N)], N)  # fmt: skip
form("tennis-abstract", "csv", ["tourney_id,tourney_name,surface,tourney_date,match_num,winner_id,winner_name,loser_id,loser_name,score,round",
     *(f"2024-{g[0] // 4},Open,Hard,{g[1]:%Y%m%d},{g[0]},{TEAMS.index(won(g)) + 500},{won(g)},{TEAMS.index(lost(g)) + 500},{lost(g)},6-4 6-3,R32" for g in N)], N)  # fmt: skip
form("fivethirtyeight-nfl", "csv", ["date,season,neutral,playoff,team1,team2,elo1_pre,elo2_pre,elo_prob1,score1,score2",
     *(f"{g[1]},2024,0,,{g[2]},{g[3]},1500,1490,0.55,{g[4]},{g[5]}" for g in D)], D)  # fmt: skip
form("lichess-csv-export", "csv", ["id,rated,created_at,last_move_at,turns,victory_status,winner,increment_code,white_id,white_rating,black_id,black_rating,moves,opening_eco",
     *(f"g{g[0]},TRUE,1504210000000,1504210000000,40,{'draw' if g[4] == g[5] else 'mate'},{'white' if g[4] > g[5] else 'black' if g[4] < g[5] else 'draw'},10+0,{g[2].lower()},1500,{g[3].lower()},1510,e4 e5,C40" for g in D)], D, {t: t.lower() for t in TEAMS})  # fmt: skip
form("chess-results-pairs", "csv", ["Rd.;No.;White;Rtg;Result;Black;Rtg",
     *(f"{g[0] // 4 + 1};{g[0] % 4 + 1};{g[2]};1800;{score(g).replace('1/2', '½').replace('-', ' - ')};{g[3]};1790" for g in D)], D)  # fmt: skip
form("cricsheet-info", "csv", ["match_id,season,date,team1,team2,toss_winner,winner,winner_runs,winner_wickets,outcome",
     *(f"{g[0]},2024,{g[1]},{g[2]},{g[3]},{g[2]},{'' if g[4] == g[5] else won(g)},{10 if g[4] != g[5] else ''},,{'tie' if g[4] == g[5] else ''}" for g in D)], D)  # fmt: skip
form("vlr-maps", "csv", ["Tournament,Stage,Match Name,Team A,Team A Score,Team B,Team B Score,Match Result",
     *(f"Masters,Group,{g[2]} vs {g[3]},{g[2]},{g[4]},{g[3]},{g[5]},{won(g)} won" for g in N)], N)  # fmt: skip
form("lol-gol-gg", "csv", ["Game,Date,Blue,Red,Winner,Length",
     *(f"{g[0]},{g[1]},{g[2]},{g[3]},{'Blue' if g[4] > g[5] else 'Red'},31:02" for g in N)], N)  # fmt: skip
form("rugby-int", "csv", ["date,home_team,away_team,home_score,away_score,competition,stadium,neutral,world_cup",
     *(f"{g[1]},{g[2]},{g[3]},{g[4] * 7},{g[5] * 7},Test,Field,False,False" for g in D)], D)  # fmt: skip
form("arena-battles", "jsonl", [json.dumps({"question_id": f"q{g[0]}", "model_a": g[2], "model_b": g[3],
     "winner": "model_a" if g[4] > g[5] else "model_b" if g[4] < g[5] else "tie", "judge": "u1", "turn": 1,
     "anony": True, "language": "English", "tstamp": 1.68e9 + g[0]}) for g in D], D)  # fmt: skip
form("judge-pairs-json", "json", json.dumps([{"prompt": f"p{g[0]}", "left": {"model": g[2], "text": "x"},
     "right": {"model": g[3], "text": "y"}, "winner": "left" if g[4] > g[5] else "right"} for g in N]), N)  # fmt: skip
form("challonge-csv", "csv", ["Match ID,State,Round,Player 1,Player 2,Winner,Loser,Scores",
     *(f"{g[0]},complete,1,{g[2]},{g[3]},{won(g)},{lost(g)},{g[4]}-{g[5]}" for g in N)], N)  # fmt: skip
form("aoe2-records", "csv", ["match,winner,winner_civ,loser,loser_civ,map,duration",
     *(f"{g[0]},{won(g)},Franks,{lost(g)},Mayans,Arabia,1800" for g in N)], N)  # fmt: skip
form("handball-de", "csv", ["Datum;Uhrzeit;Heim;Gast;Tore Heim;Tore Gast;Zuschauer",
     *(f"{g[1]:%d.%m.%Y};19:00;{g[2]};{g[3]};{g[4] + 20};{g[5] + 20};120" for g in D)], D, encoding="cp1252")  # fmt: skip
form("futbol-es", "csv", ["Jornada,Fecha,Local,Visitante,Goles Local,Goles Visitante",
     *(f"{g[0] // 4 + 1},{g[1]:%d/%m/%Y},{g[2]},{g[3]},{g[4]},{g[5]}" for g in D)], D)  # fmt: skip
form("text-results", "txt", [f"{g[2]} {g[4]}-{g[5]} {g[3]}" for g in D], D)
form("pgn-engines", "pgn", [f'[Event "Gauntlet"]\n[Site "?"]\n[Date "{g[1]:%Y.%m.%d}"]\n[Round "{g[0] + 1}"]\n[White "{g[2]}"]\n[Black "{g[3]}"]\n[Result "{score(g)}"]\n\n1. e4 e5 {score(g)}\n' for g in D], D)  # fmt: skip
form("fastchess-log", "log", [f"Finished game {g[0] + 1} ({g[2]} vs {g[3]}): {score(g)} {{Draw by adjudication}}" for g in D], D)  # fmt: skip
form("choix-pairs", "json", json.dumps([[TEAMS.index(won(g)), TEAMS.index(lost(g))] for g in N]), N, {t: str(k) for k, t in enumerate(TEAMS)})  # fmt: skip
# twenty forms aimed at questions of the trial
form(
    "italian-letters",
    "csv",
    ["Data;Casa;Ospite;Esito", *(f"{g[1]:%d/%m/%Y};{g[2]};{g[3]};{letter(g, 'VNP')}" for g in D)],
    D,
)
form("spanish-letters", "csv", ["Fecha;Local;Visitante;Resultado", *(f"{g[1]:%d/%m/%Y};{g[2]};{g[3]};{letter(g, 'VED')}" for g in D)], D)  # fmt: skip
form("winner-index-from-zero", "csv", ["response_0,response_1,preferred", *(f"{g[2]},{g[3]},{int(g[4] < g[5])}" for g in N)], N)  # fmt: skip
form("winner-flag-a", "csv", ["model_a,model_b,label", *(f"{g[2]},{g[3]},{int(g[4] > g[5])}" for g in N)], N)
form("winner-none-zero", "csv", ["player_1,player_2,winner", *(f"{g[2]},{g[3]},{1 if g[4] > g[5] else 2}" for g in N[1:]), f"{N[0][2]},{N[0][3]},0"], N[1:])  # fmt: skip
form("seeds-in-front", "csv", ["winner,loser", *(f"[{g[0] % 7 + 1}] {won(g)},{lost(g)}" for g in N)], N)
form("qualifier-marks", "csv", ["date,winner,loser", *(f"{g[1]},{won(g)}{[' (1)', ' (Q)', '', ' (LL)', ' (12)'][g[0] % 5]},{lost(g)}{['', ' (WC)', ' (3)'][g[0] % 3]}" for g in N)], N)  # fmt: skip
form("upper-and-lower", "csv", ["white,black,result", *(f"{g[2].upper() if g[0] % 2 else g[2]},{g[3] if g[0] % 3 else g[3].lower()},{score(g)}" for g in D)], D)  # fmt: skip
form("byes-in-csv", "csv", ["round,white,black,result", *(f"{g[0] // 4 + 1},{g[2]},{g[3]},{score(g)}" for g in D), "15,Alder,BYE,1-0", "15,Birch,Bye (requested),1/2-1/2", "15,Cedar,---,1-0", "16,Elm,Dummy,1-0"], D)  # fmt: skip
form("ghost-player", "csv", ["date,winner,loser", *(f"{g[1]},{won(g)},{lost(g)}" for g in N), "2024-06-01,Fir,Ghost", "2024-06-01,Elm,Ghost"], N)  # fmt: skip
form("mirrored-dated", "csv", ["date,home,away,home_goals,away_goals", *(line for g in D for line in (f"{g[1]},{g[2]},{g[3]},{g[4]},{g[5]}", f"{g[1]},{g[3]},{g[2]},{g[5]},{g[4]}"))], D)  # fmt: skip
form("ladder-undated", "csv", ["player,opponent,result", *(f"{g[2]},{g[3]},{letter(g, 'WDL')}" if g[0] % 2 else f"{g[3]},{g[2]},{letter(g, 'LDW')}" for g in D)], D)  # fmt: skip
form("team-logs-dated", "csv", ["date,team,opponent,result", *(line for g in D for line in (f"{g[1]},{g[2]},{g[3]},{letter(g, 'WDL')}", f"{g[1]},{g[3]},{g[2]},{letter(g, 'LDW')}"))], D)  # fmt: skip
form("forfeit-column", "csv", ["date,home,away,hg,ag,remarks", *(f"{g[1]},{g[2]},{g[3]},{g[4]},{g[5]},{'Forfeit' if g[0] == 9 else ''}" for g in D)], [g for g in D if g[0] != 9])  # fmt: skip
form("minus-one", "csv", ["id,p1,p2,p1_score,p2_score", *(f"{g[0]},{g[2]},{g[3]},{g[4]},{g[5]}" for g in N), "90,Alder,Birch,0,-1"], N)  # fmt: skip
form("technical-loss", "csv", ["date,status,home,away,home_goals,away_goals", *(f"{g[1]},{'AWD' if g[0] in (3, 30) else 'FT'},{g[2]},{g[3]},{g[4]},{g[5]}" for g in D)], [g for g in D if g[0] not in (3, 30)])  # fmt: skip
form("fixtures-as-nil-nil", "csv", ["date,home,away,home_goals,away_goals", *(f"{g[1]},{g[2]},{g[3]},{g[4]},{g[5]}" if g[0] < 40 else f"{g[1]},{g[2]},{g[3]},0,0" for g in D)], D[:40])  # fmt: skip
form("result-of-the-visitor", "csv", ["date,home,away,home_goals,away_goals,result", *(f"{g[1]},{g[2]},{g[3]},{g[4]},{g[5]},{letter(g, 'LDW')}" for g in D)], D)  # fmt: skip
form("rows-of-vote-ids", "csv", ["vote_id,winner_id,winner,loser_id,loser", *(f"{g[0]},{9000 + 2 * g[0]},{won(g)},{9001 + 2 * g[0]},{lost(g)}" for g in N)], N)  # fmt: skip
form("winners-first-as-white", "csv", ["white,black,result", *(f"{won(g)},{lost(g)},1-0" for g in N)], N)
