# ruff: noqa
"""Forty forms written from public descriptions after the reader was frozen: header, cells, truth."""

import random
from datetime import date, timedelta

CLUBS = ("Kettleby", "Barton", "Dunmere", "Ilkwood", "Hexton", "Elswick", "Fallow", "Gorsley")


def season(draws=True, cycles=2):
    """Games of a season: round, day, home, away, goals of both."""
    chance, games, day = random.Random(7), [], date(2024, 1, 13)
    ring = list(CLUBS)
    for cycle in range(cycles):
        for number in range(7):
            for k in range(4):
                one, other = ring[k], ring[7 - k]
                home, away = (one, other) if (number + cycle + k) % 2 else (other, one)
                h, a = chance.randint(0, 4), chance.randint(0, 4)
                if h == a and not draws:
                    h += 1
                games.append((cycle * 7 + number + 1, day, home, away, h, a))
            ring = [ring[0], ring[-1], *ring[1:-1]]
            day += timedelta(days=7)
    return games


def truth_of(games):
    """Wins, draws and losses of each club."""
    found = {}
    for _, _, home, away, h, a in games:
        for who, place in ((home, 0 if h > a else 1 if h == a else 2), (away, 2 if h > a else 1 if h == a else 0)):
            found.setdefault(who, [0, 0, 0])[place] += 1
    return found


D, N = season(), season(draws=False)
FORMS = {}  # name: (file's ending, bytes, truth)


def form(name, lines, games, ending="csv", encoding="utf-8", who=None):
    """Keep a form."""
    truth = truth_of(games)
    FORMS[name] = (
        ending,
        ("\n".join(lines) + "\n").encode(encoding),
        {(who or {}).get(k, k): v for k, v in truth.items()},
    )


def won(g):
    return g[2] if g[4] > g[5] else g[3]


def lost(g):
    return g[3] if g[4] > g[5] else g[2]


top = lambda g: max(g[4], g[5])
low = lambda g: min(g[4], g[5])
iso = lambda g: g[1].isoformat()
form(
    "ipl",
    [
        "id,season,city,date,team1,team2,toss_winner,toss_decision,result,dl_applied,winner,win_by_runs,venue",
        *(
            f"{k},2024,Town,{iso(g)},{g[2]},{g[3]},{g[2]},field,normal,0,{won(g)},{top(g)},Ground"
            for k, g in enumerate(N)
        ),
        *(f"9{k},2024,Town,2024-06-01,{N[k][2]},{N[k][3]},{N[k][2]},bat,no result,0,,0,Ground" for k in range(4)),
    ],
    N,
)
form(
    "cricket",
    [
        "Match ID,Team 1,Team 2,Team 1 Score,Team 2 Score,Winner,Win Margin",
        *(f"{k},{g[2]},{g[3]},311/8,207/10,{won(g)},{top(g)} runs" for k, g in enumerate(N)),
        f"90,{N[0][2]},{N[0][3]},NULL,NULL,NULL,NULL",
        f"91,{N[1][2]},{N[1][3]},NULL,NULL,NULL,NULL",
    ],
    N,
)
form(
    "ufc",
    [
        "R_fighter,B_fighter,R_odds,B_odds,date,location,Winner,title_bout,B_draw,R_draw",
        *(
            f"{g[2]},{g[3]},-150,130,{iso(g)},Town,{'Draw' if g[4] == g[5] else 'Red' if g[4] > g[5] else 'Blue'},False,0,0"
            for g in D
        ),
    ],
    D,
)
form(
    "ufcstats",
    [
        "event,fighter_1,fighter_2,result,method,round",
        *(f"E,{g[2]},{g[3]},{'draw' if g[4] == g[5] else 'win' if g[4] > g[5] else 'loss'},KO/TKO,2" for g in D),
        *(f"E,{D[k][2]},{D[k][3]},nc,Overturned,1" for k in range(3)),
    ],
    D,
)
form(
    "pfr",
    [
        "Week,Day,Date,Time,Winner/tie,,Loser/tie,,PtsW,PtsL,YdsW,TOW",
        *(
            f"{g[0]},Sun,{iso(g)},1:00PM,{won(g)},{'@' if won(g) == g[3] else ''},{lost(g)},boxscore,{top(g)},{low(g)},300,1"
            for g in D
        ),
    ],
    D,
)
form(
    "pfr-scraped",
    [
        "Date, Winner, Winning Score, Loser, Losing Score",
        *(f"{g[1]:%B %d| %Y},{won(g)},{top(g)},{lost(g)},{low(g)}" for g in D),
    ],
    D,
)
form(
    "ncaa",
    [
        "Season,DayNum,WTeamID,WScore,LTeamID,LScore,WLoc,NumOT",
        *(
            f"2015,{g[0] * 7},{1101 + CLUBS.index(won(g))},{60 + top(g)},{1101 + CLUBS.index(lost(g))},{60 + low(g)},"
            f"{'H' if won(g) == g[2] else 'A'},0"
            for g in N
        ),
    ],
    N,
    who={c: str(1101 + k) for k, c in enumerate(CLUBS)},
)
form(
    "kenpom",
    [
        "date,away,ascore,home,hscore,notes,location",
        *(f"{iso(g)},{g[3]},{60 + g[5]},{g[2]},{60 + g[4]},{'N' if k % 9 == 0 else ''},Hall" for k, g in enumerate(N)),
    ],
    N,
)
form(
    "retrosheet",
    [
        "Date,DoubleHeader,DayOfWeek,VisitingTeam,VisitingTeamLeague,VisitingTeamGameNumber,HomeTeam,"
        "HomeTeamLeague,HomeTeamGameNumber,VisitorRunsScored,HomeRunsScore,LengthInOuts,DayNight",
        *(f"{g[1]:%Y%m%d},0,Sat,{g[3]},AL,{g[0]},{g[2]},AL,{g[0]},{g[5]},{g[4]},54,D" for g in N),
    ],
    N,
)
form(
    "nfl-bdb",
    [
        "gameId,gameDate,gameTimeEastern,homeTeamAbbr,visitorTeamAbbr,week,homeFinalScore,visitorFinalScore",
        *(f"20{k},{g[1]:%m/%d/%Y},13:00:00,{g[2]},{g[3]},{g[0]},{g[4]},{g[5]}" for k, g in enumerate(D)),
    ],
    D,
)
form(
    "csgo-tm",
    ["date,tm1,tm2,map,tm1pts,tm2pts", *(f"{g[1]:%d.%m.%Y},{g[2]},{g[3]},nuke,{g[4] + 8},{g[5] + 8}" for g in N)],
    N,
)
form(
    "csgo-hltv",
    [
        "date,team_1,team_2,_map,result_1,result_2,map_winner,starting_ct",
        *(f"{iso(g)},{g[2]},{g[3]},Nuke,{g[4] + 8},{g[5] + 8},{1 if g[4] > g[5] else 2},1" for g in N),
    ],
    N,
)
form("pairwise-llm", ["ID1,ID2,better_id", *(f"{g[2]},{g[3]},{won(g)}" for g in N)], N)
form("comchoice", ["voter,option_a,option_b,selected", *(f"{g[0]},{g[2]},{g[3]},{won(g)}" for g in N)], N)
form("diff", ["teamA,teamB,diff", *(f"{g[2]},{g[3]},{g[4] - g[5]}" for g in D)], D)
form("ts", ["ts_a,ts_b,winner", *(f"{g[2]},{g[3]},{0 if g[4] == g[5] else 1 if g[4] > g[5] else 2}" for g in D)], D)
form(
    "left-right",
    [
        "left,right,winner,timestamp",
        *(
            f"{g[2]},{g[3]},{'equal' if g[4] == g[5] else 'left' if g[4] > g[5] else 'right'},{1705000000 + k}"
            for k, g in enumerate(D)
        ),
    ],
    D,
)
form(
    "football-data-org",
    [
        "id,utcDate,status,matchday,homeTeam.name,awayTeam.name,score.fullTime.home,score.fullTime.away",
        *(f"{k},{iso(g)}T15:00:00Z,FINISHED,{g[0]},{g[2]},{g[3]},{g[4]},{g[5]}" for k, g in enumerate(D)),
        *(f"8{k},2024-06-0{k + 1}T15:00:00Z,SCHEDULED,20,{D[k][2]},{D[k][3]},," for k in range(4)),
    ],
    D,
)
form(
    "api-football",
    [
        "fixture.id,fixture.date,fixture.status.short,teams.home.name,teams.away.name,goals.home,goals.away",
        *(f"{k},{iso(g)}T15:00:00+00:00,FT,{g[2]},{g[3]},{g[4]},{g[5]}" for k, g in enumerate(D)),
        *(f"8{k},2024-06-0{k + 1}T15:00:00+00:00,PST,{D[k][2]},{D[k][3]},," for k in range(3)),
        f"99,2024-06-09T15:00:00+00:00,WO,{D[5][2]},{D[5][3]},3,0",
    ],
    D,
)
form(
    "odds-api",
    [
        "id,sport_key,commence_time,completed,home_team,away_team,home_score,away_score,last_update",
        *(f"{k},s,{iso(g)}T15:00:00Z,True,{g[2]},{g[3]},{g[4]},{g[5]},{iso(g)}T17:00:00Z" for k, g in enumerate(D)),
        *(f"8{k},s,2024-06-01T15:00:00Z,False,{D[k][2]},{D[k][3]},0,0,2024-06-01T15:10:00Z" for k in range(3)),
    ],
    D,
)
form(
    "engsoccerdata",
    [
        "Date,Season,home,visitor,FT,hgoal,vgoal,division,tier,totgoal,goaldif,result",
        *(
            f"{iso(g)},2023,{g[2]},{g[3]},{g[4]}-{g[5]},{g[4]},{g[5]},1,1,{g[4] + g[5]},{g[4] - g[5]},"
            f"{'D' if g[4] == g[5] else 'H' if g[4] > g[5] else 'A'}"
            for g in D
        ),
    ],
    D,
)
form(
    "internationals",
    [
        "date,home_team,away_team,home_score,away_score,tournament,city,country,neutral",
        *(
            f"{iso(g)},{g[2]},{g[3]},{g[4]},{g[5]},Friendly,Town,Land,{str(k % 5 == 0).upper()}"
            for k, g in enumerate(D)
        ),
        *(f"2024-06-01,{D[k][2]},{D[k][3]},NA,NA,Friendly,Town,Land,FALSE" for k in range(4)),
    ],
    D,
)
form(
    "club-forfeits",
    [
        "Rd,Bd,White,Rtg,Black,Rtg,Result",
        *(f"{g[0]},1,{g[2]},1500,{g[3]},1600,{'½-½' if g[4] == g[5] else '1-0' if g[4] > g[5] else '0-1'}" for g in D),
        f"15,1,{D[0][2]},1500,{D[0][3]},1600,+ - -",
        f"15,2,{D[1][2]},1500,{D[1][3]},1600,- - -",
    ],
    D,
)
form(
    "lichess-kaggle",
    [
        "id,rated,created_at,last_move_at,turns,victory_status,winner,increment_code,white_id,white_rating,"
        "black_id,black_rating,moves",
        *(
            f"x{k},TRUE,1.50421E+12,1.50421E+12,{30 + k},{'draw' if g[4] == g[5] else 'resign'},"
            f"{'draw' if g[4] == g[5] else 'white' if g[4] > g[5] else 'black'},15+2,{g[2]},1500,{g[3]},1400,e4 e5"
            for k, g in enumerate(D)
        ),
    ],
    D,
)
form(
    "tennis-atp",
    [
        "tourney_id,tourney_name,surface,tourney_date,match_num,winner_id,winner_name,loser_id,loser_name,score,"
        "best_of,round",
        *(
            f"2024-1,Open,Hard,{g[1]:%Y%m%d},{k},{CLUBS.index(won(g))},{won(g)},{CLUBS.index(lost(g))},{lost(g)},"
            f"{'6-4 3-0 RET' if k % 7 == 0 else '6-3 6-4'},3,R32"
            for k, g in enumerate(N)
        ),
        f"2024-1,Open,Hard,20240601,90,0,{CLUBS[0]},1,{CLUBS[1]},W/O,3,R32",
    ],
    N,
)
form(
    "hockey-log",
    [
        "game_date,team,opponent,home_or_away,result,goals_for,goals_against",
        *(
            line
            for g in N
            for line in (
                f"{iso(g)},{g[2]},{g[3]},home,{'W' if g[4] > g[5] else 'L'},{g[4]},{g[5]}",
                f"{iso(g)},{g[3]},{g[2]},away,{'W' if g[5] > g[4] else 'OTL'},{g[5]},{g[4]}",
            )
        ),
    ],
    N,
)
form(
    "sports-reference",
    [
        "Rk,Date,Tm,,Opp,Rslt,PF,PA",
        *(
            line
            for k, g in enumerate(N)
            for line in (
                f"{k},{iso(g)},{g[2]},,{g[3]},{'W' if g[4] > g[5] else 'L'},{g[4]},{g[5]}",
                f"{k},{iso(g)},{g[3]},@,{g[2]},{'W' if g[5] > g[4] else 'L'},{g[5]},{g[4]}",
            )
        ),
    ],
    N,
)
form(
    "fencing",
    ["Bout,Fencer A,Fencer B,Score A,Score B", *(f"{k},{g[2]},{g[3]},{g[4]},{g[5]}" for k, g in enumerate(N))],
    N,
)
form(
    "rugby-kickoff",
    [
        "Home Team,Away Team,Home Score,Away Score,Kick-Off",
        *(f"{g[2]},{g[3]},{g[4]},{g[5]},{g[1]:%d/%m/%Y} 15:00" for g in D),
    ],
    D,
)
form(
    "volleyball",
    [
        "Nr;Datum;Heimmannschaft;Gastmannschaft;Ergebnis;Satzpunkte",
        *(f"{k};Sa., {g[1]:%d.%m.%Y};{g[2]};{g[3]};{g[4]}:{g[5]};75:60" for k, g in enumerate(N)),
        *(f"9{k};Sa., 01.06.2024;{N[k][2]};{N[k][3]};-:-;" for k in range(4)),
    ],
    N,
)
form(
    "liga",
    [
        "Jornada,Fecha,Local,Visitante,Marcador",
        *(f"{g[0]},{g[1]:%d/%m/%Y},{g[2]},{g[3]},{g[4]}-{g[5]}" for g in D),
        *(f"15,01/06/2024,{D[k][2]},{D[k][3]},Aplazado" for k in range(3)),
    ],
    D,
)
form(
    "ligue",
    [
        "Journée;Date;Domicile;Extérieur;Score",
        *(f"{g[0]};{g[1]:%d/%m/%Y};{g[2]};{g[3]};{g[4]} - {g[5]}" for g in D),
        *(f"15;01/06/2024;{D[k][2]};{D[k][3]};Reporté" for k in range(3)),
    ],
    D,
)
_JP = dict(zip(CLUBS, ("鹿島", "浦和", "川崎", "横浜", "清水", "磐田", "名古屋", "広島"), strict=True))
form(
    "j-league",
    ["節,日付,ホーム,アウェイ,スコア", *(f"{g[0]},{iso(g)},{_JP[g[2]]},{_JP[g[3]]},{g[4]}-{g[5]}" for g in D)],
    D,
    encoding="shift_jis",
    who=_JP,
)
_RU = dict(zip(CLUBS, ("Иванов", "Петров", "Сидоров", "Жуков", "Чернов", "Юдин", "Яшин", "Эрнст"), strict=True))
form(
    "shashki",
    [
        "Дата;Тур;Белые;Черные;Результат",
        *(
            f"{g[1]:%d.%m.%Y};{g[0]};{_RU[g[2]]};{_RU[g[3]]};{'1/2-1/2' if g[4] == g[5] else '1-0' if g[4] > g[5] else '0-1'}"
            for g in D
        ),
    ],
    D,
    encoding="cp1251",
    who=_RU,
)
form("one-cell", ["Date,Match", *(f"{iso(g)},{g[2]} {g[4]}-{g[5]} {g[3]}" for g in D)], D)
form("fixture-cell", ["Date,Fixture,Result", *(f"{iso(g)},{g[2]} v {g[3]},{g[4]}-{g[5]}" for g in D)], D)
form(
    "win-flag",
    [
        "match_id,date,player_name,opponent_name,win",
        *(
            line
            for k, g in enumerate(N)
            for line in (
                f"{k},{iso(g)},{g[2]},{g[3]},{int(g[4] > g[5])}",
                f"{k},{iso(g)},{g[3]},{g[2]},{int(g[5] > g[4])}",
            )
        ),
    ],
    N,
)
form(
    "dota",
    [
        "match_id,start_time,radiant_name,dire_name,radiant_win,duration",
        *(f"{k},{1705000000 + k * 86400},{g[2]},{g[3]},{g[4] > g[5]},2400" for k, g in enumerate(N)),
    ],
    N,
)
form("backgammon", ["Date,Winner,Loser,Score", *(f'"{g[1]:%B %d, %Y}",{won(g)},{lost(g)},7-{low(g)}' for g in N)], N)
form(
    "scrabble",
    [
        "round,player,playerscore,opponent,oppscore",
        *(
            line
            for g in D
            for line in (
                f"{g[0]},{g[2]},{300 + g[4]},{g[3]},{300 + g[5]}",
                f"{g[0]},{g[3]},{300 + g[5]},{g[2]},{300 + g[4]}",
            )
        ),
    ],
    D,
)
form(
    "saison",
    [
        "Saison;Spieltag;Heim;Gast;Tore Heim;Tore Gast",
        *(f"{'2022/23' if g[0] < 8 else '2023/24'};{(g[0] - 1) % 7 + 1};{g[2]};{g[3]};{g[4]};{g[5]}" for g in D),
    ],
    D,
)

if __name__ == "__main__":
    import sys
    from collections import Counter
    from pathlib import Path
    from tempfile import mkdtemp

    sys.path.insert(0, str(Path(__file__).parent))
    from tally import status

    folder, total = Path(mkdtemp()), Counter()
    for name, (ending, content, truth) in FORMS.items():
        if len(sys.argv) > 1 and name not in sys.argv[1:]:
            continue
        (folder / f"{name}.{ending}").write_bytes(content)
        try:
            kind, what = status(
                {"file": f"{name}.{ending}", "first_command": f"halfpoint list {name}", "truth": truth}, folder
            )
        except Exception as error:
            kind, what = "CRASH", repr(error)
        total[kind] += 1
        print(f"{kind:10} {name}: {what.replace(str(folder), '')[: 160 if kind == 'understood' else 600]}")
    print(dict(total))
