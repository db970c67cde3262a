# ruff: noqa
"""Forty more forms from public descriptions, written after the first forty were mended: how far the rules reach."""

from datetime import timedelta

from strangers.own_forms import CLUBS, D, N, iso, lost, low, top, truth_of, won

FORMS = {}  # name: (file's ending, bytes, truth)


def form(name, lines, games, encoding="utf-8", who=None):
    """Keep a form."""
    truth = {(who or {}).get(club, club): wins for club, wins in truth_of(games).items()}
    FORMS[name] = ("csv", ("\n".join(lines) + "\n").encode(encoding), truth)


ids = {club: str(1610612737 + k) for k, club in enumerate(CLUBS)}
form(
    "nba-kaggle",
    [
        "GAME_DATE_EST,GAME_ID,GAME_STATUS_TEXT,HOME_TEAM_ID,VISITOR_TEAM_ID,SEASON,TEAM_ID_home,PTS_home,"
        "FG_PCT_home,TEAM_ID_away,PTS_away,FG_PCT_away,HOME_TEAM_WINS",
        *(
            f"{iso(g)},2200{k},Final,{ids[g[2]]},{ids[g[3]]},2023,{ids[g[2]]},{90 + g[4]},0.4,{ids[g[3]]},{90 + g[5]},0.5,"
            f"{int(g[4] > g[5])}"
            for k, g in enumerate(N)
        ),
    ],
    N,
    who=ids,
)
form(
    "nba-elo",
    [
        "date,season,neutral,playoff,team1,team2,elo1_pre,elo2_pre,elo_prob1,elo1_post,elo2_post,score1,score2",
        *(f"{iso(g)},2024,0,,{g[2]},{g[3]},1500,1510,0.5,1510,1500,{90 + g[4]},{90 + g[5]}" for g in N),
    ],
    N,
)
form(
    "spi",
    [
        "season,date,league_id,league,team1,team2,spi1,spi2,prob1,prob2,probtie,score1,score2,xg1,xg2",
        *(f"2023,{iso(g)},1843,Ligue,{g[2]},{g[3]},50.1,60.2,.3,.4,.3,{g[4]},{g[5]},1.2,0.8" for g in D),
        *(f"2023,2024-06-01,1843,Ligue,{D[k][2]},{D[k][3]},50,60,.3,.4,.3,,,," for k in range(5)),
    ],
    D,
)
form(
    "mlb",
    [
        "game_id,game_date,status,home_name,away_name,home_score,away_score,winning_team,losing_team,winning_pitcher",
        *(f"{k},{iso(g)},Final,{g[2]},{g[3]},{g[4]},{g[5]},{won(g)},{lost(g)},P" for k, g in enumerate(N)),
        *(f"9{k},2024-06-01,Postponed,{N[k][2]},{N[k][3]},0,0,,," for k in range(3)),
    ],
    N,
)
form(
    "nhl",
    [
        "game_id,season,date_time,away_team,home_team,away_goals,home_goals,outcome,venue",
        *(
            f"{k},20232024,{iso(g)}T00:00:00Z,{g[3]},{g[2]},{g[5]},{g[4]},"
            f"{'home' if g[4] > g[5] else 'away'} win {'OT' if k % 5 == 0 else 'REG'},Rink"
            for k, g in enumerate(N)
        ),
    ],
    N,
)
form(
    "afl",
    [
        "Game,Date,Round,Home.Team,Home.Goals,Home.Behinds,Home.Points,Away.Team,Away.Goals,Away.Behinds,Away.Points,"
        "Venue,Margin,Season",
        *(
            f"{k},{iso(g)},R{g[0]},{g[2]},{g[4] + 5},8,{6 * (g[4] + 5) + 8},{g[3]},{g[5] + 5},8,{6 * (g[5] + 5) + 8},Oval,"
            f"{6 * (g[4] - g[5])},2024"
            for k, g in enumerate(D)
        ),
    ],
    D,
)
form(
    "sumo",
    [
        "basho,day,rikishi1_id,rikishi1_shikona,rikishi1_rank,rikishi1_win,kimarite,rikishi2_id,rikishi2_shikona,"
        "rikishi2_rank,rikishi2_win",
        *(
            line
            for g in N
            for line in (
                f"2024.01,{g[0]},{CLUBS.index(g[2])},{g[2]},M1,{int(g[4] > g[5])},yorikiri,{CLUBS.index(g[3])},{g[3]},M2,{int(g[5] > g[4])}",
                f"2024.01,{g[0]},{CLUBS.index(g[3])},{g[3]},M2,{int(g[5] > g[4])},yorikiri,{CLUBS.index(g[2])},{g[2]},M1,{int(g[4] > g[5])}",
            )
        ),
    ],
    N,
)
form(
    "challenger",
    ["Date,Challenger,Opponent,Challenger Score,Opponent Score", *(f"{iso(g)},{g[2]},{g[3]},{g[4]},{g[5]}" for g in N)],
    N,
)
form(
    "google-form",
    [
        "Timestamp,Winner's name,Loser's name,Score",
        *(f"{g[1].month}/{g[1].day}/{g[1].year} 19:45:12,{won(g)},{lost(g)},11-{low(g)}" for g in N),
    ],
    N,
)
form(
    "debate",
    [
        "Round,Proposition,Opposition,Winner",
        *(f"{g[0]},{g[2]},{g[3]},{'Proposition' if g[4] > g[5] else 'Opposition'}" for g in N),
    ],
    N,
)
form(
    "ids-only",
    [
        "player1_id,player2_id,winner_id,played_at",
        *(f"{ids[g[2]]},{ids[g[3]]},{ids[won(g)]},{iso(g)} 20:00:00" for g in N),
    ],
    N,
    who=ids,
)
form(
    "trueskill-log",
    ["winner_name,loser_name,winner_mu,loser_mu,drawn", *(f"{won(g)},{lost(g)},25.0,24.0,{g[4] == g[5]!s}" for g in D)],
    D,
)
form("squash", ["Player 1,Player 2,Winner,Games", *(f"{g[2]},{g[3]},{won(g)},11-9 11-8 11-7" for g in N)], N)
form(
    "preferred", ["item_1,item_2,preferred,rater", *(f"{g[2]},{g[3]},{1 if g[4] > g[5] else 2},r{g[0]}" for g in N)], N
)
form(
    "user-ab",
    ["user_a,user_b,result", *(f"{g[2]},{g[3]},{'draw' if g[4] == g[5] else 'a' if g[4] > g[5] else 'b'}" for g in D)],
    D,
)
form(
    "response",
    ["left_item,right_item,response,rt", *(f"{g[2]},{g[3]},{(g[4] > g[5]) - (g[4] < g[5])},900" for g in D)],
    D,
)
form("choice-ab", ["ItemA,ItemB,Choice", *(f"{g[2]},{g[3]},{'A' if g[4] > g[5] else 'B'}" for g in N)], N)
form(
    "hattrick",
    [
        "MatchID,MatchDate,HomeTeamID,HomeTeamName,AwayTeamID,AwayTeamName,HomeGoals,AwayGoals,Status",
        *(
            f"{k},{iso(g)} 14:00:00,{ids[g[2]]},{g[2]},{ids[g[3]]},{g[3]},{g[4]},{g[5]},FINISHED"
            for k, g in enumerate(D)
        ),
    ],
    D,
)
form(
    "openligadb",
    [
        "matchID,matchDateTime,group.groupOrderID,team1.teamName,team2.teamName,pointsTeam1,pointsTeam2,matchIsFinished",
        *(f"{k},{iso(g)}T15:30:00,{g[0]},{g[2]},{g[3]},{g[4]},{g[5]},true" for k, g in enumerate(D)),
        *(f"9{k},2024-06-01T15:30:00,20,{D[k][2]},{D[k][3]},0,0,false" for k in range(3)),
    ],
    D,
)
form(
    "transfermarkt",
    [
        "game_id,competition_id,season,round,date,home_club_id,away_club_id,home_club_goals,away_club_goals,"
        "home_club_position,away_club_position,stadium,home_club_name,away_club_name,aggregate",
        *(
            f"{k},GB1,2023,{g[0]}. Matchday,{iso(g)},{ids[g[2]]},{ids[g[3]]},{g[4]},{g[5]},1,2,Park,{g[2]},{g[3]},{g[4]}:{g[5]}"
            for k, g in enumerate(D)
        ),
    ],
    D,
)
form(
    "worldfootball",
    [
        "Competition_Name,Season_End_Year,Round,Date,Home,HomeGoals,Home_xG,Away,AwayGoals,Away_xG",
        *(f"Liga,2024,{g[0]},{iso(g)},{g[2]},{g[4]},1.2,{g[3]},{g[5]},0.9" for g in D),
    ],
    D,
)
form(
    "fbref",
    [
        "Wk,Day,Date,Time,Home,xG,Score,xG,Away,Attendance,Venue,Notes",
        *(f'{g[0]},Sat,{iso(g)},15:00,{g[2]},1.2,{g[4]}–{g[5]},0.8,{g[3]},"12,345",Park,' for g in D),
        *(f"20,Sat,2024-06-01,15:00,{D[k][2]},,,,{D[k][3]},,Park," for k in range(4)),
    ],
    D,
)
form(
    "cricinfo",
    [
        "Team 1,Team 2,Winner,Margin,Ground,Match Date,Scorecard",
        *(
            f"{g[2]},{g[3]},{'drawn' if g[4] == g[5] else won(g)},{'' if g[4] == g[5] else '5 wickets'},Oval,"
            f'"{g[1]:%b} {g[1].day}, {g[1].year}",ODI # {k}'
            for k, g in enumerate(D)
        ),
        *(f'{D[k][2]},{D[k][3]},no result,,Oval,"Jun 1, 2024",ODI # 9{k}' for k in range(3)),
    ],
    D,
)
form(
    "darts",
    ["Datum;Spieler 1;Spieler 2;Legs 1;Legs 2", *(f"{g[1]:%d.%m.%Y};{g[2]};{g[3]};{g[4]};{g[5]}" for g in N)],
    N,
)
form("pool-frames", ["Date,Home,Frames,Away,Frames", *(f"{iso(g)},{g[2]},{g[4]},{g[3]},{g[5]}" for g in N)], N)
form(
    "snooker",
    ["Round,Player1,Score,Player2", *(f"{g[0]},{g[2]},{g[4]}–{g[5]},{g[3]}" for g in N), f"15,{N[0][2]},w/o,{N[0][3]}"],
    N,
)
form(
    "serie-a",
    [
        "Giornata;Data;Casa;Ospite;Risultato",
        *(f"{g[0]};{g[1]:%d/%m/%Y};{g[2]};{g[3]};{g[4]}-{g[5]}" for g in D),
        *(f"15;01/06/2024;{D[k][2]};{D[k][3]};rinviata" for k in range(2)),
    ],
    D,
)
form(
    "brasil",
    ["Rodada,Data,Mandante,Visitante,Placar", *(f"{g[0]},{g[1]:%d/%m/%Y},{g[2]},{g[3]},{g[4]} x {g[5]}" for g in D)],
    D,
)
form("polska", ["Kolejka;Gospodarz;Gość;Wynik", *(f"{g[0]};{g[2]};{g[3]};{g[4]}:{g[5]}" for g in D)], D)
form(
    "turkiye",
    ["Hafta;Tarih;Ev Sahibi;Deplasman;Skor", *(f"{g[0]};{g[1]:%d.%m.%Y};{g[2]};{g[3]};{g[4]}-{g[5]}" for g in D)],
    D,
)
_KR = dict(zip(CLUBS, ("서울", "수원", "울산", "전북", "포항", "인천", "대구", "광주"), strict=True))
form(
    "korea",
    ["날짜,홈팀,원정팀,점수", *(f"{iso(g)},{_KR[g[2]]},{_KR[g[3]]},{g[4]}-{g[5]}" for g in D)],
    D,
    "euc_kr",
    _KR,
)
_CN = dict(zip(CLUBS, ("北京", "上海", "广州", "深圳", "天津", "武汉", "成都", "大连"), strict=True))
form(
    "china", ["日期,主队,客队,比分", *(f"{iso(g)},{_CN[g[2]]},{_CN[g[3]]},{g[4]}:{g[5]}" for g in D)], D, "gb18030", _CN
)
form(
    "nederland",
    [
        "Datum;Thuis;Uit;Uitslag",
        *(f"{g[1]:%d-%m-%Y};{g[2]};{g[3]};{g[4]}-{g[5]}" for g in D),
        *(f"01-06-2024;{D[k][2]};{D[k][3]};afg." for k in range(3)),
    ],
    D,
)
form(
    "sverige",
    ["Omgång;Datum;Hemmalag;Bortalag;Resultat", *(f"{g[0]};{iso(g)};{g[2]};{g[3]};{g[4]} - {g[5]}" for g in D)],
    D,
)
form(
    "hema",
    [
        "Fencer 1;Fencer 1 result;Fencer 2;Fencer 2 result",
        *(
            f"{g[2]};{'DRAW' if g[4] == g[5] else 'WIN' if g[4] > g[5] else 'LOSS'};{g[3]};"
            f"{'DRAW' if g[4] == g[5] else 'WIN' if g[5] > g[4] else 'LOSS'}"
            for g in D
        ),
    ],
    D,
)
form(
    "judo",
    [
        "id_competition,person_white,person_blue,winner,date",
        *(f"{k},{g[2]},{g[3]},{'white' if g[4] > g[5] else 'blue'},{iso(g)}" for k, g in enumerate(N)),
    ],
    N,
)
form(
    "ladder",
    [
        "Date,Challenger,Defender,Result",
        *(f"{iso(g)},{g[2]},{g[3]},{'Challenger' if g[4] > g[5] else 'Defender'} wins" for g in N),
    ],
    N,
)
form(
    "opp-score",
    [
        "Week,Team,Opp,Score",
        *(
            line
            for g in N
            for line in (
                f"{g[0]},{g[2]},{g[3]},{'W' if g[4] > g[5] else 'L'} {top(g)}-{low(g)}",
                f"{g[0]},{g[3]},{g[2]},{'W' if g[5] > g[4] else 'L'} {top(g)}-{low(g)}",
            )
        ),
    ],
    N,
)
form(
    "result-text", ["date,home,away,result", *(f"{iso(g)},{g[2]},{g[3]},{won(g)} won {top(g)}-{low(g)}" for g in N)], N
)
form(
    "excel-week",
    ["Saison;Woche;Tag;Heim;Gast;H;A", *(f"23/24;{g[0]};{45304 + 7 * g[0]};{g[2]};{g[3]};{g[4]};{g[5]}" for g in D)],
    D,
)
form(
    "next-day",
    [
        "when,who,against,for,conceded",
        *(f"{(g[1] + timedelta(days=1)).isoformat()},{g[2]},{g[3]},{g[4]},{g[5]}" for g in N),
    ],
    N,
)
