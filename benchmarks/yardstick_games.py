"""Games of the public comparison: ATP matches by season, and five leagues of football by season.

The protocol is that of whole-history-rating's own report (benchmarks/REPORT.md of pfmonville/whole_history_rating): a
system learns all seasons before the scored one and is then fixed; from the scored season it gets only the pairings.
Parameters are tuned on the season before. A tennis match is oriented by the players' numbers, never by its result; a
tournament's matches are dated to its first day, and belong to that day's year. Football is in steps of a week.

Needs the standard library only, so that every program reads the same games with its own Python.
"""

import csv
import gzip
import io
import math
import os
import re
from dataclasses import dataclass
from datetime import date
from pathlib import Path

SEASONS = {"tennis": ("2013", "2014"), "football": ("2021-22", "2022-23")}  # tuned on, judged
WEEK = 7


@dataclass(frozen=True)
class Game:
    """Game: players, time (days or weeks since the first game), result of the first (0, 1, 2), context."""

    season: str
    when: int
    date: str
    first: str
    second: str
    outcome: int
    context: str  # surface of a match, league of a game
    event: str
    goals: tuple[int, int] | None = None  # of both, or games that both won in all sets of a match
    best_of: str = ""  # sets of a match
    white_age: float = 0.0  # decades from 28 years of age; 0 where nobody knows it
    black_age: float = 0.0  # likewise
    level: str = ""  # of a tournament: G, M, A, F, D
    stage: str = ""  # a match of the main rounds, of early rounds, of a group
    white_place: float = 0.0  # log of the last ranking before the season over 100, 0 where nobody knows it
    black_place: float = 0.0  # likewise
    white_unplaced: float = 0.0  # 1 where it is not known
    black_unplaced: float = 0.0  # likewise
    white_ranking: float = 0.0  # on the day, 0 where nobody knows it
    black_ranking: float = 0.0  # likewise


def folder() -> Path:
    """Folder of the games, `$HALFPOINT_DATA_DIR/outside`."""
    return Path(os.environ["HALFPOINT_DATA_DIR"]) / "outside"


def lines(path):
    """Lines of a compressed CSV file as mappings."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as packed:
        return list(csv.DictReader(io.StringIO(packed.read())))


def tennis():
    """All matches, by day, then in the order of the files."""
    found, ranking = [], dict[str, str]()
    for path in sorted((folder() / "tennis").glob("atp_matches_*.csv.gz")):
        before = dict(ranking)
        for line in lines(path):
            if not (line["winner_name"] and line["loser_name"] and line["tourney_date"]):
                continue
            told = line["tourney_date"]
            day = date(int(told[:4]), int(told[4:6]), int(told[6:8]))
            pair = (line["winner_name"], line["loser_name"])
            won = line["winner_id"] <= line["loser_id"]
            first, second = pair if won else pair[::-1]
            about = (day.isoformat(), first, second, 2 if won else 0, line["surface"], line["tourney_id"])
            ages = [decades(line[f"{one}_age"]) for one in ("winner", "loser")]
            won_games = games_won(line["score"])
            further = (
                won_games if won else won_games[::-1],
                line["best_of"],
                *(ages if won else ages[::-1]),
                line["tourney_level"],
                stage(line["round"]),
            )
            places = [place(before.get(line[f"{one}_id"], "")) for one in ("winner", "loser")]
            (one, alone), (other, apart) = places if won else places[::-1]
            ranks = [float(line[f"{side}_rank"] or 0.0) for side in ("winner", "loser")]
            placed = (one, other, alone, apart, *(ranks if won else ranks[::-1]))
            found.append(Game(told[:4], day.toordinal(), *about, *further, *placed))
            for side in ("winner", "loser"):
                ranking[line[f"{side}_id"]] = line[f"{side}_rank"] or ranking.get(line[f"{side}_id"], "")
    return since_first(found, 1)


def games_won(score):
    """Games of all sets that the winner and the loser of a match won, from "7-6(5) 6-4"; 0 and 0 without play."""
    sets = [(int(one), int(other)) for one, other in re.findall(r"(\d+)-(\d+)", score)]
    return sum(one for one, _ in sets), sum(other for _, other in sets)


def place(rank):
    """Logarithm of a ranking over 100, and 0; 0 and 1 if unknown."""
    return (math.log(float(rank) / 100.0), 0.0) if rank else (0.0, 1.0)


def stage(turn):
    """Part of a tournament of a round."""
    return "late" if turn in ("QF", "SF", "F", "BR") else "group" if turn == "RR" else "early"


def decades(age):
    """Age in decades from 28 years, 0 if unknown."""
    return (float(age) - 28.0) / 10.0 if age else 0.0


def football():
    """All games of the five leagues; the name of a club contains its league."""
    found = []
    for path in sorted((folder() / "football-five").glob("*.csv.gz")):
        season = path.name[:7]
        for line in lines(path):
            day, goals = date.fromisoformat(line["date"]), (int(line["home_goals"]), int(line["away_goals"]))
            outcome = 1 + (goals[0] > goals[1]) - (goals[0] < goals[1])
            about = (line["home"], line["away"], outcome, line["league"], season + line["league"], goals)
            found.append(Game(season, day.toordinal(), day.isoformat(), *about))
    return since_first(found, WEEK)


def since_first(games, days):
    """Games in order of time, counted from the first in steps of some days."""
    ordered = sorted(games, key=lambda game: game.when)
    begin = ordered[0].when
    return [Game(**{**game.__dict__, "when": (game.when - begin) // days}) for game in ordered]


GAMES = {"tennis": tennis, "football": football}


def split(sport, season):
    """Games before a season and games of the season."""
    games = GAMES[sport]()
    return [game for game in games if game.season < season], [game for game in games if game.season == season]


def log_score(chances, games):
    """Log score of each game in nats, from chances of loss, draw and win."""
    return [-math.log(max(chance[game.outcome], 1e-15)) for chance, game in zip(chances, games, strict=True)]


def keep(path, games, chances):
    """Write the forecasts, a line per game, for paired comparisons; never committed."""
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["date", "event", "first", "second", "outcome", "loss", "draw", "win"])
        for game, chance in zip(games, chances, strict=True):
            rows.writerow([game.date, game.event, game.first, game.second, game.outcome, *map(repr, chance)])
