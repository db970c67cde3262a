# ruff: noqa
"""Forty more forms from public descriptions: name, ending, lines or JSON, games of the truth, other names."""

import json

from strangers.own_forms import CLUBS, D, N, low, lost, top, truth_of, won

FORMS = {}
iso = lambda g: g[1].isoformat()
res = lambda g: "1-0" if g[4] > g[5] else "0-1" if g[4] < g[5] else "1/2-1/2"
IDS = {club: 7000 + k for k, club in enumerate(CLUBS)}


def form(name, content, games, ending="csv", who=None, encoding="utf-8"):
    """Keep a form."""
    text = content if isinstance(content, str) else "\n".join(content) + "\n"
    truth = {(who or {}).get(k, k): v for k, v in truth_of(games).items()}
    FORMS[name] = (ending, text.encode(encoding), truth)


def both(games):
    return [(g, own, other, mine, theirs, at) for g in games for own, other, mine, theirs, at in ((g[2], g[3], g[4], g[5], "home"), (g[3], g[2], g[5], g[4], "away"))]  # fmt: skip


URL = {c: f"https://img.example/{c.lower()}.jpg" for c in CLUBS}
form(
    "imdb-wiki-sbs",
    ["left,right,label,performer", *(f"{URL[g[2]]},{URL[g[3]]},{URL[won(g)]},p{g[0]}" for g in N)],
    N,
    who=URL,
)
form(
    "image-pairs",
    [
        "query,image_left,image_right,judgement",
        *(
            f"q{g[0]},{g[2]},{g[3]},{-2 if g[4] - g[5] > 1 else -1 if g[4] > g[5] else 0 if g[4] == g[5] else 1 if g[5] - g[4] == 1 else 2}"
            for g in D
        ),
    ],
    D,
)
form(
    "remypereira-ufc",
    [
        "event_id,referee,f_1,f_2,winner,num_rounds,title_fight,weight_class,gender,result,finish_round,finish_time",
        *(
            f"e{g[0]},Dean,{g[2]},{g[3]},{'' if g[4] == g[5] else won(g)},3,F,Light,M,{'Draw' if g[4] == g[5] else 'Decision'},3,5:00"
            for g in D
        ),
    ],
    D,
)
form(
    "mma-math",
    [
        ",Fighter,Opponent,Result,Event_date",
        *(
            f"{k},{own},{other},{'win' if a > b else 'loss' if a < b else 'draw'},{iso(g)}"
            for k, (g, own, other, a, b, _) in enumerate(both(D))
        ),
    ],
    D,
)
form(
    "catboost-pairs",
    [f"{IDS[won(g)]}\t{IDS[lost(g)]}\t1" for g in N],
    N,
    "tsv",
    who={c: str(i) for c, i in IDS.items()},
)
form(
    "violence-wins",
    [
        "row,image1,image2,win1,win2,tie",
        *(f"{k},{g[2]},{g[3]},{int(g[4] > g[5])},{int(g[4] < g[5])},{int(g[4] == g[5])}" for k, g in enumerate(D)),
    ],
    D,
)
form(
    "football-data-v4",
    json.dumps(
        {
            "filters": {},
            "resultSet": {"count": 56},
            "competition": {"id": 1, "name": "X"},
            "matches": [
                {
                    "area": {"id": 1, "name": "E"},
                    "season": {"id": 9, "startDate": "2023-08-11", "winner": None},
                    "id": k,
                    "utcDate": f"{iso(g)}T15:00:00Z",
                    "status": "FINISHED",
                    "matchday": g[0],
                    "stage": "REGULAR_SEASON",
                    "homeTeam": {"id": IDS[g[2]], "name": g[2], "shortName": g[2][:4], "tla": g[2][:3]},
                    "awayTeam": {"id": IDS[g[3]], "name": g[3], "shortName": g[3][:4], "tla": g[3][:3]},
                    "score": {
                        "winner": "HOME_TEAM" if g[4] > g[5] else "AWAY_TEAM" if g[4] < g[5] else "DRAW",
                        "duration": "REGULAR",
                        "fullTime": {"home": g[4], "away": g[5]},
                        "halfTime": {"home": 0, "away": 0},
                    },
                    "referees": [],
                }
                for k, g in enumerate(D)
            ],
        }
    ),
    D,
    "json",
)
form(
    "statsbomb",
    json.dumps(
        [
            {
                "match_id": k,
                "match_date": iso(g),
                "kick_off": "15:00:00.000",
                "competition": {"competition_id": 2, "competition_name": "X"},
                "season": {"season_id": 4, "season_name": "2023/2024"},
                "home_team": {"home_team_id": IDS[g[2]], "home_team_name": g[2]},
                "away_team": {"away_team_id": IDS[g[3]], "away_team_name": g[3]},
                "home_score": g[4],
                "away_score": g[5],
                "match_status": "available",
                "match_week": g[0],
            }
            for k, g in enumerate(D)
        ]
    ),
    D,
    "json",
)
form(
    "score-home-away",
    json.dumps(
        [
            {
                "id": k,
                "date": iso(g),
                "homeTeam": {"id": IDS[g[2]], "name": g[2]},
                "awayTeam": {"id": IDS[g[3]], "name": g[3]},
                "scoreHome": g[4],
                "scoreAway": g[5],
                "venue": None,
            }
            for k, g in enumerate(D)
        ]
    ),
    D,
    "json",
)
form(
    "teams-array",
    json.dumps(
        {
            "content": [
                {
                    "id": k,
                    "kickoff": {"label": iso(g)},
                    "teams": [{"team": {"name": g[2]}, "score": g[4]}, {"team": {"name": g[3]}, "score": g[5]}],
                    "status": "C",
                }
                for k, g in enumerate(D)
            ]
        }
    ),
    D,
    "json",
)
form(
    "challonge",
    json.dumps(
        {
            "tournament": {
                "name": "X",
                "participants": [{"participant": {"id": i, "name": c, "seed": 1}} for c, i in IDS.items()],
                "matches": [
                    {
                        "match": {
                            "id": k,
                            "state": "complete",
                            "round": g[0],
                            "player1_id": IDS[g[2]],
                            "player2_id": IDS[g[3]],
                            "winner_id": IDS[won(g)],
                            "loser_id": IDS[lost(g)],
                            "scores_csv": f"{g[4]}-{g[5]}",
                        }
                    }
                    for k, g in enumerate(N)
                ],
            }
        }
    ),
    N,
    "json",
)
form(
    "rollbetter",
    json.dumps(
        {
            "players": [{"id": str(i), "name": c, "score": 4} for c, i in IDS.items()],
            "rounds": [
                {
                    "round-type": "swiss",
                    "round-number": r,
                    "matches": [
                        {
                            "player1": g[2],
                            "player1Id": str(IDS[g[2]]),
                            "player1points": g[4],
                            "player2": g[3],
                            "player2Id": str(IDS[g[3]]),
                            "player2points": g[5],
                            "result": "win",
                        }
                        for g in N
                        if g[0] == r
                    ],
                }
                for r in range(1, 15)
            ],
        }
    ),
    N,
    "json",
)
form(
    "trueskill-py",
    ["winner_name\tloser_name\tdraw", *(f"{won(g)}\t{lost(g)}\t{'true' if g[4] == g[5] else 'false'}" for g in D)],
    D,
    "tsv",
)
form("elote", ["a,b,outcome", *(f"{g[2]},{g[3]},{1.0 if g[4] > g[5] else 0.0 if g[4] < g[5] else 0.5}" for g in D)], D)
form(
    "goratings",
    [
        "Date,White,Black,Winner,Result",
        *(
            f"{iso(g)},{g[2]},{g[3]},{'White' if g[4] > g[5] else 'Black'},{'W' if g[4] > g[5] else 'B'}+{'R' if k % 2 else '3.5'}"
            for k, g in enumerate(N)
        ),
    ],
    N,
)
form(
    "bga-csv",
    [
        "table_id;end;game;player_1;rank_1;player_2;rank_2",
        *(
            f"{k};{iso(g)};azul;{g[2]};{1 if g[4] >= g[5] else 2};{g[3]};{1 if g[5] >= g[4] else 2}"
            for k, g in enumerate(D)
        ),
    ],
    D,
)
form(
    "vlr",
    [
        "match,date,team1,team2,score1,score2,map,winner",
        *(f"{k},{iso(g)},{g[2]},{g[3]},{g[4]},{g[5]},Bind,{won(g)}" for k, g in enumerate(N)),
    ],
    N,
)
form(
    "lol-oracle",
    [
        "gameid,date,side,teamname,result",
        *(
            f"G{k},{iso(g)} 18:00:00,{s},{t},{r}"
            for k, g in enumerate(N)
            for s, t, r in (("Blue", g[2], int(g[4] > g[5])), ("Red", g[3], int(g[5] > g[4])))
        ),
    ],
    N,
)
form(
    "leaguepedia",
    [
        "DateTime_UTC,Team1,Team2,WinTeam,LossTeam,Team1Score,Team2Score,Winner",
        *(f"{iso(g)} 17:00:00,{g[2]},{g[3]},{won(g)},{lost(g)},{g[4]},{g[5]},{1 if g[4] > g[5] else 2}" for g in N),
    ],
    N,
)
form(
    "smash-elo",
    [
        "tournament,bracket,p1,p2,p1_score,p2_score,winner,best_of",
        *(f"T1,W{g[0]},{g[2]},{g[3]},{g[4]},{g[5]},{won(g)},5" for g in N),
    ],
    N,
)
form(
    "pingpong-slack",
    [
        "timestamp,reporter,winner,loser,score",
        *(
            f"2024-{g[1].month:02d}-{g[1].day:02d}T12:30:{k % 60:02d}.123Z,bob,{won(g)},{lost(g)},{top(g)}-{low(g)}"
            for k, g in enumerate(N)
        ),
    ],
    N,
)
form(
    "foosball",
    [
        "Datum;Spieler A;Spieler B;Tore A;Tore B",
        *(f"{g[1].day}.{g[1].month}.{g[1].year};{g[2]};{g[3]};{g[4]};{g[5]}" for g in D),
    ],
    D,
)
form(
    "dwz-report",
    [
        "Runde;Tisch;Weiß;Schwarz;Ergebnis",
        *(
            f"{g[0]};{k % 4 + 1};{g[2]};{g[3]};{res(g).replace('1/2-1/2', '½ - ½').replace('-', ' - ') if g[4] != g[5] else '½ - ½'}"
            for k, g in enumerate(D)
        ),
    ],
    D,
)
form(
    "swisschess-en",
    [
        "Rd,Bo,White,RtgW,Result,Black,RtgB",
        *(
            f"{g[0]},{k % 4 + 1},{g[2]},1800,{res(g).replace('-', ':').replace('1/2:1/2', '½:½')},{g[3]},1750"
            for k, g in enumerate(D)
        ),
    ],
    D,
)
form(
    "cutechess-log",
    [
        "Game,Engine1,Engine2,Result,Reason",
        *(
            f"{k},{g[2]},{g[3]},{res(g)},{'3-fold repetition' if g[4] == g[5] else 'White mates' if g[4] > g[5] else 'Black mates'}"
            for k, g in enumerate(D, 1)
        ),
    ],
    D,
)
form("katago-matches", ["bot_black,bot_white,winner", *(f"{g[2]},{g[3]},{'B' if g[4] > g[5] else 'W'}" for g in N)], N)
form(
    "leela-net",
    [
        "net_a,net_b,wins,losses,draws",
        *(f"{g[2]},{g[3]},{int(g[4] > g[5])},{int(g[4] < g[5])},{int(g[4] == g[5])}" for g in D),
    ],
    D,
)
form(
    "cycling-duels",
    [
        "race,year,rider_1,rider_2,rank_1,rank_2",
        *(f"Tour {g[0]},2024,{g[2]},{g[3]},{5 if g[4] > g[5] else 9},{9 if g[4] > g[5] else 5}" for g in N),
    ],
    N,
)
form(
    "primate",
    [
        "Date\tTime\tActor\tRecipient\tBehaviour",
        *(
            f"{g[1].day:02d}/{g[1].month:02d}/{g[1].year}\t10:{k % 60:02d}\t{won(g)}\t{lost(g)}\tdisplace"
            for k, g in enumerate(N)
        ),
    ],
    N,
    "tsv",
)
form("domarchive", ["initiator,receiver,outcome", *(f"{g[2]},{g[3]},{'won' if g[4] > g[5] else 'lost'}" for g in N)], N)
form(
    "eurovision-duel",
    [
        "judge,first,second,better",
        *(f"j{g[0]},{g[2]},{g[3]},{'first' if g[4] > g[5] else 'second' if g[4] < g[5] else 'same'}" for g in D),
    ],
    D,
)
form(
    "label-studio",
    json.dumps(
        [
            {
                "id": k,
                "data": {"text1": g[2], "text2": g[3]},
                "annotations": [
                    {
                        "id": k,
                        "completed_by": 1,
                        "result": [
                            {
                                "from_name": "pw",
                                "type": "pairwise",
                                "value": {"selected": "left" if g[4] > g[5] else "right"},
                            }
                        ],
                    }
                ],
            }
            for k, g in enumerate(N)
        ]
    ),
    N,
    "json",
)
form(
    "argilla",
    "\n".join(
        json.dumps(
            {
                "prompt": f"q{k}",
                "response_a_model": g[2],
                "response_b_model": g[3],
                "preference": "A" if g[4] > g[5] else "B" if g[4] < g[5] else "tie",
            }
        )
        for k, g in enumerate(D)
    )
    + "\n",
    D,
    "jsonl",
)
form(
    "chatbot-arena-kaggle",
    [
        "id,model_a,model_b,winner_model_a,winner_model_b,winner_tie",
        *(f"{k},{g[2]},{g[3]},{int(g[4] > g[5])},{int(g[4] < g[5])},{int(g[4] == g[5])}" for k, g in enumerate(D)),
    ],
    D,
)
form(
    "rewardbench",
    "\n".join(
        json.dumps(
            {
                "prompt": f"q{k}",
                "chosen": "text",
                "rejected": "other",
                "chosen_model": won(g),
                "rejected_model": lost(g),
                "subset": "chat",
            }
        )
        for k, g in enumerate(N)
    )
    + "\n",
    N,
    "jsonl",
)
form(
    "wmt-pairs",
    [
        "segmentId,judgeId,system1Id,system1rank,system2Id,system2rank",
        *(f"{k},j1,{g[2]},{1 if g[4] >= g[5] else 2},{g[3]},{1 if g[5] >= g[4] else 2}" for k, g in enumerate(D)),
    ],
    D,
)
form(
    "icehockey-fi",
    ["Päivä,Koti,Vieras,Tulos", *(f"{g[1].day}.{g[1].month}.{g[1].year},{g[2]},{g[3]},{g[4]}–{g[5]}" for g in D)],
    D,
)
form(
    "handball-dk",
    [
        "Dato;Hjemmehold;Udehold;Mål hjemme;Mål ude",
        *(f"{g[1].day:02d}-{g[1].month:02d}-{g[1].year};{g[2]};{g[3]};{g[4]};{g[5]}" for g in D),
    ],
    D,
)
form(
    "liga-ro",
    [
        "Data,Gazde,Oaspeți,Scor",
        *(f"{g[1].day:02d}.{g[1].month:02d}.{g[1].year},{g[2]},{g[3]},{g[4]}-{g[5]}" for g in D),
    ],
    D,
)
form("ekstraklasa", ["Data;Gospodarz;Gość;Wynik", *(f"{iso(g)};{g[2]};{g[3]};{g[4]}:{g[5]}" for g in D)], D)
