"""Files of games in the formats of other sites and programs, simulated with a known truth.

Each kind of file is a function from a folder to the path of the file written there and its `Truth`. `KINDS` has all of
them, for tests to run over. Seeds are fixed, so a kind is the same file every time.

Outcomes are Davidson's. Truths are on the score scale: with r the ratings and h the first seat's advantage in Elo
points, lambda the draw parameter and c = ln(10) / 400,

    x = c (r_i - r_j + h) (2 + e^lambda) / 2                  natural units
    P(loss) : P(draw) : P(win) = e^(-x/2) : e^lambda : e^(x/2)

so that near equality the expected score is that of Elo's curve, 400 points being odds of 10 to 1, for any share of
draws. Two equals without an advantage draw with probability e^lambda / (2 + e^lambda).

Names, clubs and nations are invented or belong to no particular person.
"""

import csv
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import combinations, permutations
from pathlib import Path

import numpy as np

PER_ELO = np.log(10.0) / 400.0
RESULTS = ("0-1", "1/2-1/2", "1-0")
OPENINGS = ("1. e4 e5 2. Nf3 Nc6", "1. d4 d5 2. c4 e6", "1. e4 c5 2. Nf3 d6", "1. d4 Nf6 2. c4 g6")
GIVEN = (
    *("Ana", "Bram", "Chiara", "Dov", "Elif", "Frida", "Goran"),
    *("Hana", "Iker", "Jana", "Kofi", "Lena", "Mirko", "Nora"),
)
FAMILY = (
    *("Aalders", "Brzeziński", "Castelló", "Dvořák", "Eriksen", "Ferraro", "Großmann", "Horvath", "Ivarsson", "Jansky"),
    *("Kovač", "Lindqvist", "Moreau", "Nakagawa", "Okonkwo", "Petrosyan", "Quintero", "Rasmussen", "Şahin", "Tahiri"),
)
TOWNS = (
    *("Ashford", "Brindle", "Carrow", "Dunmere", "Elswick", "Farley", "Garston", "Holme", "Ingleby", "Jarrow", "Kelby"),
    *("Lowick", "Marston", "Norley", "Orwell", "Penrith", "Quarley", "Redhill", "Selby", "Thornton"),
)
SUFFIXES = ("Town", "Rovers", "United", "City")


@dataclass(frozen=True, eq=False)
class Truth:
    """Truth behind a simulated file.

    Parameters
    ----------
    rating_elo : dict of str to float
        Each player's strength in Elo points on the score scale. Games identify the differences within a group; the
        level is identified only if the file has ratings (`rated`).
    advantage_elo : float
        Advantage of the first seat in Elo points on the score scale.
    draw_rate : float
        Probability that two equals draw without an advantage.
    games : int
        Games in the file.
    seats : {"told", "winner first"}
        Whether the file states the first seat, or names the winner first, so that seats carry no information.
    neutral : int
        Games on neutral ground, without an advantage.
    rated : bool
        Whether the file has ratings on the day.
    groups : int
        Groups of players without games between them.
    separated : tuple of str
        Players who have won or lost every game, with ratings of plus and minus infinity: the games alone do not
        identify their distance from the others.
    """

    rating_elo: dict[str, float]
    advantage_elo: float
    draw_rate: float
    games: int
    seats: str = "told"
    neutral: int = 0
    rated: bool = False
    groups: int = 1
    separated: tuple[str, ...] = field(default=())


@dataclass(frozen=True)
class Kind:
    """One kind of outside file: how it is made, its size, and whether rating it takes minutes."""

    make: Callable[[Path], tuple[Path, Truth]]
    games: int
    players: int
    slow: bool = False


def log_draw(draw_rate: float) -> float:
    """Davidson's lambda for a share of draws between two equals."""
    return -np.inf if draw_rate == 0 else float(np.log(2.0 * draw_rate / (1.0 - draw_rate)))


def probabilities(difference_elo: np.ndarray, draw_rate: float) -> np.ndarray:
    """The probabilities of loss, draw and win for the first seat, shape (game, outcome).

    `difference_elo` is the first player's rating less the second's, the advantage included.
    """
    draw = np.exp(log_draw(draw_rate))
    x = PER_ELO * np.asarray(difference_elo, dtype=np.float64) * (2.0 + draw) / 2.0
    odds = np.stack([np.exp(-x / 2), np.full_like(x, draw), np.exp(x / 2)], axis=-1)
    return odds / odds.sum(axis=-1, keepdims=True)


def outcomes(chance: np.random.Generator, difference_elo: np.ndarray, draw_rate: float) -> np.ndarray:
    """Random outcomes, shape (game,): 0 loss, 1 draw, 2 win for the first seat."""
    edges = probabilities(difference_elo, draw_rate).cumsum(axis=1)[:, :2]
    return (chance.random(len(edges))[:, None] >= edges).sum(axis=1)


def people(count: int, comma: bool = True) -> list[str]:
    """Invented names, "Family, Given" or "Given Family"."""
    turns = range(len(GIVEN))
    pairs = [(family, GIVEN[(k + turn) % len(GIVEN)]) for turn in turns for k, family in enumerate(FAMILY)]
    return [f"{family}, {given}" if comma else f"{given} {family}" for family, given in pairs[:count]]


def teams(count: int) -> list[str]:
    """Invented clubs."""
    return [f"{town} {suffix}" for suffix in SUFFIXES for town in TOWNS][:count]


def spread(chance: np.random.Generator, count: int, mean: float, sd: float) -> np.ndarray:
    """Random ratings from a normal population."""
    return mean + sd * chance.standard_normal(count)


def write_pgn(path: Path, games: list[dict[str, str]]) -> Path:
    """Write games with their tags and a few moves, with Windows line ends as on many sites."""
    text = []
    for number, tags in enumerate(games):
        moves = f"{OPENINGS[number % len(OPENINGS)]} {3}. a{3 + number % 2} {('h6', 'a6', 'Be7')[number % 3]}"
        text += [f'[{key} "{value}"]' for key, value in tags.items()]
        text += ["", f"{moves} {tags['Result']}", ""]
    path.write_bytes("\r\n".join([*text, ""]).encode())
    return path


def write_table(path: Path, rows: list[dict[str, object]], delimiter: str = ",", bom: bool = False) -> Path:
    """Write rows under a header, optionally with a byte order mark."""
    with path.open("w", encoding="utf-8-sig" if bom else "utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)
    return path


def day(start: str, number: int, form: str = "%Y.%m.%d") -> str:
    """Day after a start."""
    return (date.fromisoformat(start) + timedelta(days=int(number))).strftime(form)


def goals(chance: np.random.Generator, outcome: int) -> tuple[int, int]:
    """Goals of an outcome."""
    few, more = int(chance.poisson(0.9)), int(chance.poisson(0.7)) + 1
    return ((few, few + more), (few, few), (few + more, few))[outcome]


def truth_of(names: list[str], rating: np.ndarray) -> dict[str, float]:
    """Ratings by name."""
    return {name: float(value) for name, value in zip(names, rating, strict=True)}


def club_with_ratings(folder: Path, seed: int = 101) -> tuple[Path, Truth]:
    """Championship and friendlies of a club: FIDE ratings of 1500 to 2450, some missing, visitors with few games."""
    chance = np.random.default_rng(seed)
    names = people(70)
    rating = np.concatenate([np.linspace(1520.0, 2380.0, 28), [2448.0, 1554.0], chance.uniform(1550, 2400, 40)])
    printed = np.rint(rating + chance.normal(0.0, 40.0, rating.size)).astype(int)
    unrated = set(chance.choice(np.arange(30, 70), 6, replace=False).tolist())
    pairs = []
    for number in range(640):  # members meet members and now and then a visitor, mostly of their own strength
        one = int(chance.integers(0, 30))
        near = np.exp(-0.5 * ((rating - rating[one]) / 250.0) ** 2) * np.where(np.arange(70) < 30, 1.0, 0.15)
        near[one] = 0.0
        other = int(chance.choice(70, p=near / near.sum()))
        pairs.append((one, other) if number % 2 else (other, one))
    white, black = np.array(pairs).T
    outcome = outcomes(chance, rating[white] - rating[black] + 30.0, 0.30)
    games = []
    for number, (i, j, y) in enumerate(zip(white, black, outcome, strict=True)):
        tags = {
            "Event": ("Club Championship", "Friendly")[number % 5 == 0],
            "Site": "Club Rooms",
            "Date": day("2022-09-05", 2 * number // 3),
            "Round": str(1 + number // 20),
            "White": names[i],
            "Black": names[j],
            "Result": RESULTS[y],
        }
        tags |= {f"{side}Elo": str(printed[k]) for side, k in (("White", i), ("Black", j)) if k not in unrated}
        games.append(tags | {"ECO": f"C{number % 100:02d}", "TimeControl": "5400+30"})
    path = write_pgn(folder / "club.pgn", games)
    played = sorted({*white.tolist(), *black.tolist()})
    truth = truth_of([names[k] for k in played], rating[played])
    return path, Truth(truth, 30.0, 0.30, len(games), rated=True)


def club_evening(folder: Path, seed: int = 102) -> tuple[Path, Truth]:
    """A round robin of ten on one evening: 45 games, no ratings."""
    chance = np.random.default_rng(seed)
    names, rating = people(10), spread(chance, 10, 1500.0, 150.0)
    pairs = [(i, j) if (i + j) % 2 else (j, i) for i, j in combinations(range(10), 2)]
    white, black = np.array(pairs).T
    outcome = outcomes(chance, rating[white] - rating[black] + 30.0, 0.25)
    games = [
        {"Event": "Blitz", "Site": "?", "Date": "2024.03.08", "Round": str(1 + k // 5)}
        | {"White": names[i], "Black": names[j], "Result": RESULTS[y]}
        for k, (i, j, y) in enumerate(zip(white, black, outcome, strict=True))
    ]
    return write_pgn(folder / "evening.pgn", games), Truth(truth_of(names, rating), 30.0, 0.25, 45)


def swiss(folder: Path) -> tuple[Path, Truth]:
    """Swiss of 100 players and ten rounds as exported by a tournament site: semicolons, a byte order mark, "½ - ½"."""
    chance = np.random.default_rng(103)
    names, rating = people(100), spread(chance, 100, 1500.0, 200.0)
    points, met, rows = np.zeros(100), set(), []
    for number in range(1, 11):
        waiting = sorted(range(100), key=lambda k: (-points[k], chance.random()))
        board = 0
        while waiting:
            one = waiting.pop(0)
            other = next((k for k in waiting if frozenset((one, k)) not in met), waiting[0])
            waiting.remove(other)
            met.add(frozenset((one, other)))
            white, black = (one, other) if chance.random() < 0.5 else (other, one)
            y = int(outcomes(chance, rating[[white]] - rating[[black]] + 30.0, 0.25)[0])
            board += 1
            rows.append(
                {"Round": number, "Board": board, "White": names[white], "Result": ("0 - 1", "½ - ½", "1 - 0")[y]}
                | {"Black": names[black], "PtsWhite": points[white], "PtsBlack": points[black], "Fed": "NED"}
            )
            points[white] += y / 2
            points[black] += 1 - y / 2
    path = write_table(folder / "swiss.csv", rows, ";", bom=True)
    return path, Truth(truth_of(names, rating), 30.0, 0.25, 500)


def engine_final(folder: Path) -> tuple[Path, Truth]:
    """Final of two engines over 100 games, of which exactly 78 are drawn; one engine in two versions."""
    chance = np.random.default_rng(104)
    names, gap, draw_rate = ["Stockfish 17.1", "Stockfish 16"], 36.0, 0.78
    decisive = chance.permutation(np.repeat([True, False], [22, 78]))
    games = []
    for number in range(100):
        white = number % 2
        loss, _, win = probabilities(np.array([(gap, -gap)[white]]), draw_rate)[0]
        y = 1 if not decisive[number] else 2 if chance.random() < win / (win + loss) else 0
        games.append(
            {"Event": "Superfinal", "Site": "https://engines.example", "Date": day("2025-01-10", number // 8)}
            | {"Round": f"{1 + number // 2}.{1 + number % 2}", "White": names[white], "Black": names[1 - white]}
            | {"Result": RESULTS[y], "TimeControl": "7200+5", "PlyCount": str(80 + number)}
        )
    path = write_pgn(folder / "final.pgn", games)
    return path, Truth(dict(zip(names, (gap / 2, -gap / 2), strict=True)), 0.0, draw_rate, 100)


def engine_league(folder: Path) -> tuple[Path, Truth]:
    """League of twelve engines, six round robins, with the site's own ratings."""
    chance = np.random.default_rng(105)
    names = ["Stockfish 17.1", "Stockfish 16", "Komodo Dragon 3.3", "Komodo Dragon 3.2", "Berserk 13", "Ethereal 14.25"]
    names += ["Obsidian 14.0", "Caissa 1.21", "RubiChess 20240817", "Lc0 0.31.2", "Viridithas 15.0.0", "Seer 2.8.0"]
    rating = np.linspace(3650.0, 3420.0, 12) + chance.normal(0.0, 15.0, 12)
    printed = np.rint(rating + chance.normal(0.0, 20.0, 12)).astype(int)
    pairs = [pair if k % 2 else pair[::-1] for k in range(6) for pair in combinations(range(12), 2)]
    white, black = np.array(pairs).T
    outcome = outcomes(chance, rating[white] - rating[black] + 20.0, 0.65)
    games = [
        {"Event": "League 1", "Site": "https://engines.example", "Date": day("2025-02-01", k // 20)}
        | {"Round": str(k + 1)}
        | {"White": names[i], "Black": names[j], "Result": RESULTS[y]}
        | {"WhiteElo": str(printed[i]), "BlackElo": str(printed[j]), "TimeControl": "1800+3"}
        for k, (i, j, y) in enumerate(zip(white, black, outcome, strict=True))
    ]
    path = write_pgn(folder / "league.pgn", games)
    return path, Truth(truth_of(names, rating), 20.0, 0.65, len(games), rated=True)


def football_season(folder: Path, seed: int = 106) -> tuple[Path, Truth]:
    """Season of twenty clubs in the format of betting sites: byte order mark, day/month/year, shots, cards and odds."""
    chance = np.random.default_rng(seed)
    names, rating = teams(20), spread(chance, 20, 1500.0, 90.0)
    pairs = chance.permutation(list(permutations(range(20), 2)))
    outcome = outcomes(chance, rating[pairs[:, 0]] - rating[pairs[:, 1]] + 60.0, 0.28)
    rows = []
    for number, ((i, j), y) in enumerate(zip(pairs, outcome, strict=True)):
        home, away = goals(chance, int(y))
        first = int(chance.integers(0, home + 1)), int(chance.integers(0, away + 1))
        odds = 0.95 / probabilities(rating[[i]] - rating[[j]] + 60.0, 0.28)[0]
        rows.append(
            {"Div": "E9", "Date": day("2023-08-11", 7 * (number // 10), "%d/%m/%Y"), "Time": "15:00"}
            | {"HomeTeam": names[i], "AwayTeam": names[j], "FTHG": home, "FTAG": away, "FTR": "ADH"[y]}
            | {"HTHG": first[0], "HTAG": first[1], "HTR": "DHA"[int(np.sign(first[0] - first[1]))]}
            | {"Referee": "A Marriner", "HS": home + 9, "AS": away + 7, "HY": 1, "AY": 2, "HR": 0, "AR": 0}
            | {f"B365{'ADH'[k]}": f"{odds[k]:.2f}" for k in (2, 1, 0)}
            | {"B365>2.5": "1.90", "B365<2.5": "1.95"}
        )
    path = write_table(folder / "E9.csv", rows, bom=True)
    return path, Truth(truth_of(names, rating), 60.0, 0.28, 380)


def league_of_seasons(folder: Path) -> tuple[Path, Truth]:
    """Thirty seasons of two divisions, 38,918 games: "3-1" in the column FT, and goals in further columns."""
    chance = np.random.default_rng(107)
    names, rating = teams(80), spread(chance, 80, 1500.0, 90.0)
    order, fixtures = chance.permutation(80), []
    for season in range(1993, 2023):
        for tier in (1, 2):
            inside = order[26 * (tier - 1) : 26 * tier]
            fixtures += [(season, tier, int(i), int(j)) for i, j in permutations(inside, 2)]
        swapped = chance.permutation(np.arange(15, 80))  # who goes up and down
        order = np.concatenate([order[:15], order[swapped]])
    kept = np.sort(chance.choice(len(fixtures), 38_918, replace=False))
    fixtures = [fixtures[k] for k in kept]
    white, black = np.array([row[2:] for row in fixtures]).T
    outcome = outcomes(chance, rating[white] - rating[black] + 55.0, 0.28)
    rows = []
    for number, ((season, tier, i, j), y) in enumerate(zip(fixtures, outcome, strict=True)):
        home, away = goals(chance, int(y))
        rows.append(
            {"Date": day(f"{season}-08-15", number % 270, "%Y-%m-%d"), "Season": season}
            | {"home": names[i], "visitor": names[j], "FT": f"{home}-{away}", "hgoal": home, "vgoal": away}
            | {"division": tier, "tier": tier, "totgoal": home + away, "goaldif": home - away, "result": "ADH"[y]}
        )
    path = write_table(folder / "league.csv", rows)
    played = sorted({*white.tolist(), *black.tolist()})
    return path, Truth(truth_of([names[k] for k in played], rating[played]), 55.0, 0.28, len(rows))


def internationals(folder: Path) -> tuple[Path, Truth]:
    """Matches of 60 nations: a quarter on neutral grounds, marked in a column of TRUE and FALSE."""
    chance = np.random.default_rng(108)
    names = [f"{town}land" for town in TOWNS] + [f"{town}ia" for town in TOWNS] + [f"New {town}" for town in TOWNS]
    rating = spread(chance, 60, 1500.0, 180.0)
    first = chance.integers(0, 60, 2400)
    second = (first + chance.integers(1, 60, 2400)) % 60
    neutral = chance.random(2400) < 0.25
    outcome = outcomes(chance, rating[first] - rating[second] + np.where(neutral, 0.0, 90.0), 0.27)
    rows = []
    for number, (i, j, y) in enumerate(zip(first, second, outcome, strict=True)):
        home, away = goals(chance, int(y))
        rows.append(
            {"date": day("1998-01-03", 3 * number, "%Y-%m-%d"), "home_team": names[i], "away_team": names[j]}
            | {"home_score": home, "away_score": away, "tournament": ("Friendly", "Cup qualification")[number % 2]}
            | {"city": TOWNS[i % 20], "country": names[i], "neutral": str(bool(neutral[number])).upper()}
        )
    path = write_table(folder / "results.csv", rows)
    return path, Truth(truth_of(names, rating), 90.0, 0.27, 2400, neutral=int(neutral.sum()))


def tennis(folder: Path) -> tuple[Path, Truth]:
    """A season of a tour: winner and loser in their columns, the sets in `score`, the stage in `round`."""
    chance = np.random.default_rng(109)
    names, rating = people(90, comma=False), spread(chance, 90, 1500.0, 160.0)
    order = np.argsort(-rating + chance.normal(0.0, 60.0, 90))
    rank = np.empty(90, dtype=int)
    rank[order] = np.arange(1, 91)
    rows, stages = [], ("R32", "R16", "QF", "SF", "F")
    for week in range(48):
        left = chance.permutation(chance.choice(90, 32, replace=False))
        number = 1
        for stage in stages:
            pairs = left.reshape(-1, 2)
            won = outcomes(chance, rating[pairs[:, 0]] - rating[pairs[:, 1]], 0.0) == 2
            left = np.where(won, pairs[:, 0], pairs[:, 1])
            for winner, loser in zip(left, np.where(won, pairs[:, 1], pairs[:, 0]), strict=True):
                rows.append(
                    {"tourney_id": f"2024-{week:04d}", "tourney_name": f"{TOWNS[week % 20]} Open", "surface": "Hard"}
                    | {"draw_size": 32, "tourney_level": "A", "tourney_date": day("2024-01-01", 7 * week, "%Y%m%d")}
                    | {"match_num": number, "winner_id": 100000 + winner, "winner_seed": ""}
                    | {"winner_name": names[winner]}
                    | {"winner_hand": "R", "winner_ht": 185, "winner_ioc": "NED", "winner_age": 24.3}
                    | {"loser_id": 100000 + loser, "loser_seed": "", "loser_name": names[loser], "loser_hand": "L"}
                    | {"score": ("6-4 6-3", "7-6(5) 3-6 6-2", "6-1 RET")[number % 3], "best_of": 3, "round": stage}
                    | {"minutes": 97, "w_ace": 4, "l_ace": 2, "winner_rank": rank[winner], "loser_rank": rank[loser]}
                )
                number += 1
    path = write_table(folder / "atp_matches_2024.csv", rows)
    played = sorted({row[side] for row in rows for side in ("winner_name", "loser_name")})
    truth = {name: float(rating[names.index(name)]) for name in played}
    return path, Truth(truth, 0.0, 0.0, len(rows), seats="winner first")


def arena(folder: Path) -> tuple[Path, Truth]:
    """Battles of twenty language models: model_a, model_b, tie or tie (bothbad), with an unnamed index column."""
    chance = np.random.default_rng(110)
    sizes = ("7b", "13b", "30b")
    names = [f"{family}-{size}" for family in ("alpaca", "vicuna", "falcon", "mistral") for size in sizes]
    names += ["gpt-4-0314", "gpt-4-0613", "gpt-3.5-turbo", "claude-v1", "claude-2", "claude-instant-1"]
    names += ["palm-2", "rwkv-4"]
    rating = spread(chance, 20, 1000.0, 120.0)
    first = chance.integers(0, 20, 3000)
    second = (first + chance.integers(1, 20, 3000)) % 20
    outcome = outcomes(chance, rating[first] - rating[second], 0.25)
    words = np.array(["model_b", "tie", "model_a"])[outcome].tolist()
    rows = [
        {"": number, "question_id": f"{number:08x}", "model_a": names[i], "model_b": names[j]}
        | {"winner": "tie (bothbad)" if word == "tie" and number % 2 else word, "judge": f"arena_user_{number % 311}"}
        | {"turn": 1, "anony": "True", "language": "English", "tstamp": f"{1682351591.0 + 41 * number:.4f}"}
        for number, (i, j, word) in enumerate(zip(first, second, words, strict=True))
    ]
    path = write_table(folder / "battles.csv", rows)
    return path, Truth(truth_of(names, rating), 0.0, 0.25, len(rows))


def winners_and_losers(folder: Path) -> tuple[Path, Truth]:
    """Games of a table-football club in two tab-separated columns, winner and loser."""
    chance = np.random.default_rng(111)
    names, rating = people(15, comma=False), spread(chance, 15, 1500.0, 150.0)
    first = chance.integers(0, 15, 300)
    second = (first + chance.integers(1, 15, 300)) % 15
    won = outcomes(chance, rating[first] - rating[second], 0.0) == 2
    rows = [
        {"winner": names[i if y else j], "loser": names[j if y else i]}
        for i, j, y in zip(first, second, won, strict=True)
    ]
    path = write_table(folder / "kicker.tsv", rows, "\t")
    return path, Truth(truth_of(names, rating), 0.0, 0.0, 300, seats="winner first")


def scores_in_a_cell(folder: Path) -> tuple[Path, Truth]:
    """A hockey league copied from a page into a text file: tabs, and "3-2" in one cell."""
    chance = np.random.default_rng(112)
    names, rating = teams(12), spread(chance, 12, 1500.0, 100.0)
    pairs = chance.permutation([pair for _ in range(2) for pair in permutations(range(12), 2)])
    outcome = outcomes(chance, rating[pairs[:, 0]] - rating[pairs[:, 1]] + 40.0, 0.22)
    rows = [
        {"Date": day("2023-09-15", number, "%Y-%m-%d"), "Home": names[i]}
        | {"Score": "{}-{}".format(*goals(chance, int(y))), "Away": names[j], "Attendance": 2000 + number}
        for number, ((i, j), y) in enumerate(zip(pairs, outcome, strict=True))
    ]
    path = write_table(folder / "hockey.txt", rows, "\t")
    return path, Truth(truth_of(names, rating), 40.0, 0.22, len(rows))


def simple_rows(names: list[str], white: np.ndarray, black: np.ndarray, outcome: np.ndarray) -> list[dict[str, object]]:
    """Rows of white, black and result."""
    games = zip(white, black, outcome, strict=True)
    return [{"white": names[i], "black": names[j], "result": RESULTS[y]} for i, j, y in games]


def two_groups(folder: Path) -> tuple[Path, Truth]:
    """Two sections of a tournament without games between them."""
    chance = np.random.default_rng(113)
    names, rating = people(16), spread(chance, 16, 1500.0, 150.0)
    pairs = [p for start in (0, 8) for _ in range(2) for p in permutations(range(start, start + 8), 2)]
    white, black = np.array(pairs).T
    outcome = outcomes(chance, rating[white] - rating[black] + 30.0, 0.3)
    path = write_table(folder / "sections.csv", simple_rows(names, white, black, outcome))
    return path, Truth(truth_of(names, rating), 30.0, 0.3, len(pairs), groups=2)


def separated(folder: Path) -> tuple[Path, Truth]:
    """A school's ladder in which one player won every game and another lost every game."""
    chance = np.random.default_rng(114)
    names, rating = people(12), spread(chance, 12, 1500.0, 120.0)
    pairs = np.array([pair for _ in range(2) for pair in permutations(range(12), 2)])
    outcome = outcomes(chance, rating[pairs[:, 0]] - rating[pairs[:, 1]] + 30.0, 0.2)
    for player, result in ((0, 2), (11, 0)):
        outcome[pairs[:, 0] == player] = result
        outcome[pairs[:, 1] == player] = 2 - result
    rating[0], rating[11] = np.inf, -np.inf
    path = write_table(folder / "ladder.csv", simple_rows(names, pairs[:, 0], pairs[:, 1], outcome))
    return path, Truth(truth_of(names, rating), 30.0, 0.2, len(pairs), separated=(names[0], names[11]))


def without_draws(folder: Path) -> tuple[Path, Truth]:
    """A go club, without draws."""
    chance = np.random.default_rng(115)
    names, rating = people(14), spread(chance, 14, 1500.0, 200.0)
    white = chance.integers(0, 14, 350)
    black = (white + chance.integers(1, 14, 350)) % 14
    outcome = outcomes(chance, rating[white] - rating[black] + 25.0, 0.0)
    path = write_table(folder / "go.csv", simple_rows(names, white, black, outcome))
    return path, Truth(truth_of(names, rating), 25.0, 0.0, 350)


KINDS: dict[str, Kind] = {
    "club with ratings": Kind(club_with_ratings, 640, 68),
    "club evening": Kind(club_evening, 45, 10),
    "swiss": Kind(swiss, 500, 100),
    "engine final": Kind(engine_final, 100, 2),
    "engine league": Kind(engine_league, 396, 12),
    "football season": Kind(football_season, 380, 20),
    "league of seasons": Kind(league_of_seasons, 38_918, 80, slow=True),
    "internationals": Kind(internationals, 2400, 60),
    "tennis": Kind(tennis, 1488, 90),
    "arena": Kind(arena, 3000, 20),
    "winners and losers": Kind(winners_and_losers, 300, 15),
    "scores in a cell": Kind(scores_in_a_cell, 264, 12),
    "two groups": Kind(two_groups, 224, 16),
    "separated": Kind(separated, 264, 12),
    "without draws": Kind(without_draws, 350, 14),
}

MODEL = {  # what `rate` takes by default where it is not davidson-matched
    "club with ratings": "davidson-rated-matched",
    "engine league": "davidson-rated-matched",
    "football season": "davidson-matched-walk",
    "internationals": "davidson-matched-walk",
    "league of seasons": "davidson-matched-walk",  # its games span years
    "scores in a cell": "davidson-matched-walk",
    "tennis": "bt-matched-even",
    "winners and losers": "bt-matched-even",
    "without draws": "bt-matched",
}
