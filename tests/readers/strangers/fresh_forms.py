"""Forty-five forms written before their author read the readers; many test weak points.

Each has an ending, the content of a file, and the truth: wins, draws and losses by player. All games are made up.
`RACES` are read as orders: the truth is the number of competitors behind, level and ahead.
"""

import datetime
import io
import json
import random
from typing import NamedTuple

FORMS, RACES = {}, {}


class Game(NamedTuple):
    """Game: number, round, day, players, points of each."""

    number: int
    round: int
    day: datetime.date
    a: str
    b: str
    x: int
    y: int

    @property
    def sign(self):
        """1 if the first player won, 0 if level, -1 otherwise."""
        return (self.x > self.y) - (self.x < self.y)


def league(players, laps, seed, draws=True, start="2023-09-02", top=4):
    """Rounds of a round robin with random seats, each meeting `laps` times."""
    chance = random.Random(seed)
    ring, games, day = list(players), [], datetime.date.fromisoformat(start)
    for lap in range(laps * (len(players) - 1)):
        for k in range(len(ring) // 2):
            pair = [ring[k], ring[-1 - k]]
            chance.shuffle(pair)
            ahead = 2 * chance.random() - 1 + (players.index(pair[1]) - players.index(pair[0])) / len(players)
            x, y = chance.randrange(top), chance.randrange(top)
            x, y = (max(x, y), min(x, y)) if ahead > 0 else (min(x, y), max(x, y))
            if x == y and not draws:
                x, y = (x + 1, y) if ahead > 0 else (x, y + 1)
            games.append(Game(len(games) + 1, lap + 1, day + datetime.timedelta(days=7 * lap + k % 2), *pair, x, y))
        ring = [ring[0], ring[-1], *ring[1:-1]]
    return games


def truth_of(games, names=None, weights=None):
    """Wins, draws and losses by player."""
    truth = {}
    for k, game in enumerate(games):
        times = weights[k] if weights else 1
        for player, sign in ((game.a, game.sign), (game.b, -game.sign)):
            counts = truth.setdefault((names or {}).get(player, player), [0, 0, 0])
            counts[1 - sign] += times
    return truth


def form(name, ending, lines, truth, encoding="utf-8", into=FORMS):
    """Add a form."""
    text = lines if isinstance(lines, str) else "\n".join(lines) + "\n"
    into[name] = (ending, text.encode(encoding), truth if isinstance(truth, dict) else truth_of(truth))


def pick(game, win, tie, loss):
    """Word of the result for the first player."""
    return (loss, tie, win)[game.sign + 1]


# that people bring
G = league(["Görlitz", "Löbau", "Zittau", "Weißwasser", "Niesky", "Bautzen"], 2, 1)
form("kreisliga-one-cell", "csv", ["Spieltag;Datum;Anstoß;Heim;Gast;Ergebnis",
    *(f"{g.round};{g.day:%d.%m.%Y};14:30;{g.a};{g.b};{g.x}:{g.y}" for g in G)], G, "latin-1")  # fmt: skip
G = league(["Иванов", "Петрова", "Сидоров", "Орлова", "Волков", "Зайцева"], 2, 2)
form("russian-words", "csv", ["Тур;Дата;Белые;Чёрные;Результат",
    *(f"{g.round};{g.day:%d.%m.%Y};{g.a};{g.b};{pick(g, 'победа белых', 'ничья', 'победа чёрных')}" for g in G)],
    G, "utf-8-sig")  # fmt: skip
G = league(["Akhisar", "Bolu", "Çorlu", "Düzce", "Ereğli", "Fatsa"], 2, 3)
form("turkish-words", "csv", ["Hafta;Tarih;Ev Sahibi;Deplasman;Sonuç",
    *(f"{g.round};{g.day:%d.%m.%Y};{g.a};{g.b};{pick(g, 'Galibiyet', 'Beraberlik', 'Mağlubiyet')}" for g in G)], G)  # fmt: skip
G = league(["Aalten", "Borne", "Cuijk", "Druten", "Elst", "Goor"], 2, 4)
form("dutch-thuis-uit", "csv", ["Datum,Thuis,Uit,Uitslag",
    *(f"{g.day:%d-%m-%Y},{g.a},{g.b},{g.x} - {g.y}" for g in G)], G)  # fmt: skip
G = league(["Ávila", "Baeza", "Cuenca", "Dénia", "Écija", "Fraga"], 2, 5)
form("spanish-words", "tsv", ["Jornada\tLocal\tVisitante\tResultado",
    *(f"{g.round}\t{g.a}\t{g.b}\t{pick(g, 'Gana local', 'Empate', 'Gana visitante')}" for g in G)], G, "latin-1")  # fmt: skip
P = ["Abel", "Bruno", "Clara", "Dora", "Emil", "Frida", "Gustav", "Helga"]
G = league(P, 1, 6)
at = {(g.a, g.b): pick(g, "1", "½", "0") for g in G} | {(g.b, g.a): pick(g, "0", "½", "1") for g in G}
worth = {"1": 1, "½": 0.5, "0": 0}
form("club-cross-table", "csv", ["Nr,Name," + ",".join(map(str, range(1, 9))) + ",Punkte",
    *(f"{k},{p}," + ",".join("X" if p == q else at[p, q] for q in P)
      + f",{sum(worth[at[p, q]] for q in P if p != q):g}" for k, p in enumerate(P, 1))], G)  # fmt: skip
P = ["Ashby", "Bexley", "Corby", "Derby", "Exeter", "Frome"]
G = [g._replace(a=a, b=b) for g, (a, b) in zip(league(P, 2, 7), [(a, b) for a in P for b in P if a != b], strict=True)]
at = {(g.a, g.b): f"{g.x}–{g.y}" for g in G}
form("home-away-grid", "csv", ["Home \\ Away," + ",".join(p[:3].upper() for p in P),
    *(p + "," + ",".join("—" if p == q else at[p, q] for q in P) for p in P)], G)  # fmt: skip
G = league(["Red Kites", "Blue Tits", "Grey Owls", "Black Caps", "Gold Finches", "White Terns"], 2, 8)
form("two-rows-a-match", "csv", ["match_id,team,side,goals",
    *(f"M{g.number:03},{p},{s},{n}" for g in G for p, s, n in ((g.a, "home", g.x), (g.b, "away", g.y)))], G)  # fmt: skip
G = league(["Thistle", "Rovers", "Albion", "United", "Athletic", "Wanderers"], 2, 9)
form("three-one-nil", "csv", ["Week,Home,Away,Home Pts,Away Pts",
    *(f"{g.round},{g.a},{g.b},{pick(g, 3, 1, 0)},{pick(g, 0, 1, 3)}" for g in G)], G)  # fmt: skip


def workbook(name, rows, merged, games):
    """Add a form in a workbook whose cells of `merged` are merged."""
    from openpyxl import Workbook

    book, content = Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    for cells in merged:
        book.active.merge_cells(cells)
    book.save(content)
    FORMS[name] = ("xlsx", content.getvalue(), truth_of(games))


G = league(["Pike", "Perch", "Roach", "Tench", "Bream", "Carp"], 2, 10)
workbook("merged-headers", [["Darts league 2023/24"], ["printed for the annual meeting"], [],
    ["Week", "Date", "Home", None, "Away", None], [None, None, "Team", "Legs", "Team", "Legs"],
    *([g.round, g.day, g.a, g.x, g.b, g.y] for g in G)], ["A1:F1", "C4:D4", "E4:F4"], G)  # fmt: skip
G = league(["gemma-x", "qwen-y", "phi-z", "olmo-w", "yi-v", "mixtral-u"], 3, 11)
form("jsonl-votes", "jsonl", [json.dumps({"prompt": f"Write {g.number}", "left": {"model": g.a, "text": "p"},
    "right": {"model": g.b, "text": "q"}, "vote": pick(g, "left", "tie", "right")}) for g in G], G)  # fmt: skip
form("arena-dump", "json", json.dumps([{"question_id": f"{g.number:032x}", "model_a": g.a, "model_b": g.b,
    "winner": pick(g, "model_a", "tie (bothbad)" if g.number % 2 else "tie", "model_b"), "judge": f"arena_user_{g.number % 9}",
    "turn": 1, "anony": True, "language": "English", "tstamp": 1.69e9 + g.number} for g in G]), G)  # fmt: skip
G = league(["Adair, Ann", "Boyle, Bob", "Craig, Cy", "Doyle, Di", "Evans, Ed", "Flynn, Flo"], 2, 12)
form("pgn-comments", "pgn", "\n".join(
    f'[Event "Casual; \\"open\\""]\n[Site "?"]\n[Date "{g.day:%Y.%m.%d}"]\n[Round "{g.round}"]\n[White "{g.a}"]\n'
    f'[Black "{g.b}"]\n[Result "{pick(g, "1-0", "1/2-1/2", "0-1")}"]\n\n'
    f'1. e4 {{[%clk 0:03:00] as in [White "Someone, Else"]\n[Result "0-1"] of 1999}} e5 $6 (1... c5 2. Nf3) 2. Nf3 ; a line\n'
    f'{pick(g, "1-0", "1/2-1/2", "0-1")}\n' for g in G), G)  # fmt: skip
G = league(["Ito", "Kato", "Mori", "Sato", "Abe", "Ueda"], 2, 13, draws=False)
form("tennis-sets", "csv", ["tourney_date,round,winner_name,loser_name,score",
    *(f"{g.day:%Y%m%d},R{g.round},{g.a if g.sign > 0 else g.b},{g.b if g.sign > 0 else g.a},"
      + ("6-4 2-1 RET" if g.number % 11 == 0 else "6-4 3-6 7-6(5)") for g in G)], G)  # fmt: skip
form("sets-in-columns", "csv", ["Date,Player 1,Player 2,Set 1,Set 2,Set 3", *(f"{g.day:%d/%m/%Y},{g.a},{g.b},"
    + ("21-15,18-21,21-19" if g.sign > 0 else "15-21,19-21,") for g in G)], G)  # fmt: skip
chance, truth, lines = random.Random(14), {}, ["judge,item1,item2,item3,item4,best,worst"]
for number in range(24):
    items = chance.sample(["lime", "mango", "peach", "plum", "quince", "melon"], 4)
    first, last = chance.sample(items, 2)
    lines.append(f"j{number % 5},{','.join(items)},{first},{last}")
    for winner, loser in [(first, i) for i in items if i != first] + [
        (i, last) for i in items if i not in (first, last)
    ]:
        truth.setdefault(winner, [0, 0, 0])[0] += 1
        truth.setdefault(loser, [0, 0, 0])[2] += 1
form("best-worst", "csv", lines, truth)
G = league(["Nina", "Otto", "Paula", "Quentin", "Rosa", "Sven"], 2, 15)
form("players-view", "csv", ["Date,Player,Opponent,W/L", *(f"{g.day:%b %d %Y},{g.a},{g.b},{pick(g, 'W', 'T', 'L')}" for g in G)], G)  # fmt: skip
G = league(["Ω-club", "Β-club", "Γ-club", "Δ-club", "Θ-club", "Λ-club"], 2, 16, draws=False)
form("unicode-text", "txt", ["Player A\tPlayer B\tWinner", *(f"{g.a}\t{g.b}\t{g.a if g.sign > 0 else g.b}" for g in G)], G, "utf-16")  # fmt: skip
G = league(["Tove", "Ulf", "Vera", "Wim", "Xenia", "Yrsa"], 2, 17, draws=False)
form("challenge-ladder", "csv", ["Date,Challenger,Rung,Defender,Rung,Winner,Score",
    *(f"{g.day},{g.a},{g.number % 5 + 2},{g.b},{g.number % 5 + 1},{g.a if g.sign > 0 else g.b},"
      f"{max(g.x, g.y)}-{min(g.x, g.y)}" for g in G)], G)  # fmt: skip
P, truth, lines = ["Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gia"], {}, ["Race,Date,1st,2nd,3rd,4th,5th"]
points = ["Driver," + ",".join(f"Race {k}" for k in range(1, 9))]
orders = [chance.sample(P, 5) for _ in range(8)]
for number, order in enumerate(orders):
    lines.append(f"{number + 1},2024-0{number + 1}-05,{','.join(order)}")
    for place, racer in enumerate(order):
        counts = truth.setdefault(racer, [0, 0, 0])
        counts[0] += 4 - place
        counts[2] += place
form("places-in-columns", "csv", lines, truth, into=RACES)
# a racer without points is behind all with points, level with the other
scored = {p: sum(p in order for order in orders) for p in P}
truth = {p: [n + 2 * scored[p], 8 - scored[p], m + 5 * (8 - scored[p])] for p, (n, _, m) in truth.items()}
form("points-by-race", "csv", [*points, *(p + "," + ",".join(
    str((10, 6, 4, 3, 2)[order.index(p)]) if p in order else "" for order in orders) for p in P)], truth, into=RACES)  # fmt: skip

# aimed at weak points of readers
G = league(["Ajaks", "Bruin", "Corvo", "Delfi", "Ekwip", "Fonte"], 2, 21)
rows = [r for g in G for r in ((g.number, f"{g.a},{g.b},{g.x},{g.y}"), (g.number + 3, f"{g.b},{g.a},{g.y},{g.x}"))]
form("mirrored-undated", "csv", ["Team,Opponent,GF,GA", *(r for _, r in sorted(rows))], G)
half = random.Random(22)
form("mirrored-by-some", "csv", ["Match ID,Reported by,Against,Own score,Their score", *(r for g in G for r in (
    f"{7000 + g.number},{g.a},{g.b},{g.x},{g.y}",
    *([f"{7000 + g.number},{g.b},{g.a},{g.y},{g.x}"] if half.random() < 0.4 else [])))], G)  # fmt: skip
G = league(["Aldo", "Bice", "Ciro", "Dina", "Elio", "Fara"], 2, 23)
lines = ["Rd,Bo.,White,Rtg,Result,Black,Rtg"]
for g in G:
    lines.append(f"{g.round},{g.number % 3 + 1},{g.a},1850,{pick(g, '1 - 0', '½ - ½', '0 - 1')},{g.b},1790")
    if g.number % 3 == 0:
        lines.append(
            f"{g.round},4,{G[g.number % 6].a},1700,{('1', '½')[g.number % 2]},{('bye', 'not paired')[g.number % 2]},"
        )
    if g.number % 10 == 0:
        lines.append(f"{g.round},5,{g.a},1850,{('+ - -', '- - +', '- - -')[g.number // 10 - 1]},{g.b},1790")
form("byes-and-forfeits", "csv", lines, G)
G = league(["Ana Ilić", "Bea Jurić", "Cvita Kos", "Dora Lovrić", "Ema Marić", "Fran Novak"], 2, 24, draws=False)
seed = {p: k for k, p in enumerate(["Ana Ilić", "Bea Jurić", "Cvita Kos", "Dora Lovrić", "Ema Marić", "Fran Novak"], 1)}


def seeded(player, number):
    """Name in the form of draws: with its seed, with the way of entry, or plain."""
    return (f"({seed[player]}) {player}", player, f"{player} [Q]" if seed[player] > 4 else player)[number % 3]


form("seeds-before-names", "csv", ["Round,Player 1,Player 2,Winner", *(
    f"{g.round},{seeded(g.a, g.number)},{seeded(g.b, g.number)},{seeded(g.a if g.sign > 0 else g.b, g.number)}" for g in G)], G)  # fmt: skip
G = league(["Albi", "Brest", "Creil", "Dreux", "Evry", "Foix"], 2, 25)
form("french-letters", "csv", ["Journée;Équipe;Adversaire;Résultat", *(f"{g.round};{g.a};{g.b};{pick(g, 'V', 'N', 'D')}" for g in G)], G)  # fmt: skip
form(
    "german-letters",
    "csv",
    ["Runde;Verein;Gegner;Ausgang", *(f"{g.round};{g.a};{g.b};{pick(g, 'S', 'U', 'N')}" for g in G)],
    G,
)
form("portuguese-letters", "csv", ["Rodada;Equipe;Adversário;Resultado", *(f"{g.round};{g.a};{g.b};{pick(g, 'V', 'E', 'D')}" for g in G)], G)  # fmt: skip
form("spanish-letters", "csv", ["Fecha;Equipo;Rival;Resultado", *(f"{g.day:%d/%m/%Y};{g.a};{g.b};{pick(g, 'G', 'E', 'P')}" for g in G)], G)  # fmt: skip
G = league(["1001", "1002", "1003", "1017", "1042", "1100"], 2, 26)
form(
    "numeric-ids",
    "csv",
    ["game,white_id,black_id,result", *(f"{g.number},{g.a},{g.b},{pick(g, 1, 0.5, 0)}" for g in G)],
    G,
)
form("numbers-only", "txt", [f"{g.a} {g.b} {pick(g, 1, 0.5, 0)}" for g in G], G)
form("ids-of-winners", "csv", ["id,p1,p2,winner_id,draw", *(
    f"{g.number},{g.a},{g.b},{g.a if g.sign > 0 else g.b if g.sign < 0 else ''},{int(g.sign == 0)}" for g in G)], G)  # fmt: skip
G = league(["Lotte", "Mads", "Nora", "Ole", "Pia", "Rune"], 3, 27)
form("winner-first-and-draw", "csv", ["Winner,Loser,Draw?", *(
    f"{g.a},{g.b},Yes" if not g.sign else f"{g.a if g.sign > 0 else g.b},{g.b if g.sign > 0 else g.a},No" for g in G)], G)  # fmt: skip
G = league(["Lotte", "Mads", "Nora", "Ole", "Pia", "Rune"], 2, 28, draws=False)
form("winner-first-headless", "csv", [
    f"{g.day},{g.a if g.sign > 0 else g.b},{g.b if g.sign > 0 else g.a},21,{10 + min(g.x, g.y)}" for g in G], G)  # fmt: skip
G = league(["Alpha", "Bravo", "Charlie", "Delta", "Echo", "Foxtrot"], 2, 29)
lines = ["Round,Home,Away,Home Goals,Away Goals"]
for k, g in enumerate(G):
    lines.append(f"{g.round},{g.a},{g.b},{g.x},{g.y}")
    if k % 3 == 2:
        lines.append(f"Subtotal,,,{sum(h.x for h in G[k - 2 : k + 1])},{sum(h.y for h in G[k - 2 : k + 1])}")
lines += [f"Total,{len(G)} matches,,{sum(g.x for g in G)},{sum(g.y for g in G)}", f"Average,,,{1.5:.2f},{1.25:.2f}"]
form("totals-between", "csv", lines, G)
form("comments-between", "csv", ["# exported 2024-05-01 by the secretary, see notes", "# home,away,hg,ag", "home,away,hg,ag", *(
    line for g in G for line in ([f"# {g.b},{g.a},9,0 typed by mistake"] if g.number % 8 == 0 else []) + [f"{g.a},{g.b},{g.x},{g.y}"])], G)  # fmt: skip
P = ["Cola", "Fizz", "Soda", "Tonic", "Cider", "Juice"]
pairs = [(a, b) for k, a in enumerate(P) for b in P[k + 1 :]]
votes = [(900 + 131 * k, 2400 - 97 * k) for k in range(len(pairs))]
truth = {p: [0, 0, 0] for p in P}
for (a, b), (n, m) in zip(pairs, votes, strict=True):
    truth[a] = [truth[a][0] + n, 0, truth[a][2] + m]
    truth[b] = [truth[b][0] + m, 0, truth[b][2] + n]
form("thousands-of-votes", "csv", ["Item A,Item B,Prefer A,Prefer B", *(
    f'{a},{b},"{n:,}","{m:,}"' for (a, b), (n, m) in zip(pairs, votes, strict=True))], truth)  # fmt: skip
G = league(["Hawks", "Lynx", "Moose", "Otters", "Pumas", "Stags"], 2, 30)
form("weekday-and-date", "csv", ["Day,Date,Time,Home,HG,AG,Away,Ref,Att", *(
    f'{g.day:%a},{g.day:%d/%m/%y},15:00,{g.a},{g.x},{g.y},{g.b},R. Smith,"1,{g.number:03}"' for g in G)], G)  # fmt: skip
G = league(["idea-a", "idea-b", "idea-c", "idea-d", "idea-e", "idea-f"], 2, 31, draws=False)
form(
    "index-of-the-preferred", "csv", ["option_0,option_1,preferred", *(f"{g.a},{g.b},{int(g.sign < 0)}" for g in G)], G
)
G = league(["Hawks", "Lynx", "Moose", "Otters", "Pumas", "Stags"], 2, 32)
odd = {5: "ABD", 11: "AWD", 17: "PST", 23: "CANC", 29: "WO"}
form("status-of-a-match", "csv", ["date,home,away,hg,ag,status", *(
    f"{g.day},{g.a},{g.b},{3 if odd.get(g.number) in ('AWD', 'WO') else '' if odd.get(g.number) in ('PST', 'CANC') else g.x},"
    f"{0 if odd.get(g.number) in ('AWD', 'WO') else '' if odd.get(g.number) in ('PST', 'CANC') else g.y},"
    f"{odd.get(g.number, 'AET' if g.number % 7 == 0 else 'FT')}" for g in G)], [g for g in G if g.number not in odd])  # fmt: skip
form("strokes-fewer-win", "csv", ["Date,Player 1,Player 2,Strokes 1,Strokes 2",
    *(f"{g.day},{g.a},{g.b},{74 - g.x},{74 - g.y}" for g in G)], G)  # fmt: skip
form("both-teams-of-a-game", "csv", ["TEAM_NAME,GAME_ID,GAME_DATE,MATCHUP,WL,PTS", *(
    row for g in league(["LAL", "BOS", "NYK", "MIA", "DEN", "CHI"], 2, 33, draws=False) for row in (
        f"{g.a},002{g.number:05},{g.day},{g.a} vs. {g.b},{'LW'[g.sign > 0]},{100 + g.x}",
        f"{g.b},002{g.number:05},{g.day},{g.b} @ {g.a},{'LW'[g.sign < 0]},{100 + g.y}"))],
    league(["LAL", "BOS", "NYK", "MIA", "DEN", "CHI"], 2, 33, draws=False))  # fmt: skip
G = league(["Adair, Ann", "Boyle, Bob", "Craig, Cy", "Doyle, Di", "Evans, Ed", "Flynn, Flo"], 2, 34)
form("pgn-odd-results", "pgn", "\n".join(
    f'[Event "Club"]\n[Site "-"]\n[Date "{g.day:%Y.%m}.??"]\n[Round "{g.round}.{g.number % 3 + 1}"]\n'
    f'[White "{g.a.upper() if g.number % 4 == 0 else g.a}"]\n[Black "{g.b}"]\n[Result "{result}"]\n\n{result}\n'
    for g in G for result in [pick(g, "1:0", "½-½", "0:1") if g.number % 9 == 0 else pick(g, "1-0", "1/2", "0-1")]), G)  # fmt: skip
G = league(["Opal", "Ruby", "Topaz", "Amber", "Jade", "Pearl"], 2, 35)
form("rounds-to-come", "csv", ["Round;Home;Away;Result", *(f"{g.round};{g.a};{g.b};{g.x}-{g.y}" for g in G[:21]),
    *(f"{g.round};{g.a};{g.b};{('-', 'TBD', '-:-')[g.number % 3]}" for g in G[21:])], G[:21])  # fmt: skip
form("two-decimals", "csv", ["Weiß;Elo;Schwarz;Elo;Punkte Weiß;Punkte Schwarz", *(
    f"{g.a};1.84{g.number % 10},5;{g.b};2.01{g.number % 10},0;{pick(g, '1,0', '0,5', '0,0')};{pick(g, '0,0', '0,5', '1,0')}" for g in G)], G, "latin-1")  # fmt: skip
