"""Games of the public comparison: ATP matches by season, and five leagues of football by season.

The protocol is that of whole-history-rating's own report (benchmarks/REPORT.md of pfmonville/whole_history_rating): a
system learns all seasons before the scored one and is then fixed; from the scored season it gets only the pairings.
Parameters are tuned on the season before. A tennis match is oriented by the players' numbers, never by its result; a
tournament's matches are dated to its first day, and belong to that day's year. Football is in steps of a week.

Needs the standard library only, so that every program reads the same games with its own Python.

Other programs on the public comparison, fixed before the season, each in a separate process.

    .venv-peers/bin/python benchmarks/yardstick_games.py rivals whr|trueskill|kickscore tennis|football SEASON OUT.csv

Learns all seasons before SEASON, forecasts the games of SEASON, and writes OUT.csv, a line a game; prints the mean log
score. Parameters are those that whole-history-rating's report tuned on 2013 and on 2021-22. New players have each
system's own prior. Versions: .ci/requirements/peers.txt.
"""

import csv
import gzip
import io
import json
import math
import os
import re
import resource
import sys
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import records

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


TUNED = {
    ("whr", "tennis"): {"w2": 3.0},
    ("whr", "football"): {"w2": 30.0},
    ("trueskill", "tennis"): {"gamma": 0.3, "beta": 32.0, "sigma": 6.0},
    ("trueskill", "football"): {"gamma": 0.03, "beta": 1.0, "sigma": 6.0, "p_draw": 0.30},
    ("kickscore", "tennis"): {"wiener": 1e-5, "prior": 0.125},
    ("kickscore", "football"): {"wiener": 1e-4, "prior": 1.0, "margin": 0.3},
}
HOME = "home advantage"


def by_whr(sport, before, games, w2, limit=400):
    """Whole-history rating, with chances that include the uncertainty of both ratings."""
    from whr import WHR

    key = 0 if sport == "tennis" else "home"
    fitted = WHR({"w2": w2})
    for game in before:
        fitted.create_game(game.first, game.second, "WDB"[game.outcome], game.when, key)
    fitted.auto_iterate(time_limit=limit, precision=1e-3)
    chances = []
    for game in games:
        if sport == "tennis":
            win = float(fitted.probability_future_match(game.first, game.second, 0, account_for_uncertainty=True)[0])
            chances.append((1.0 - win, 0.0, win))
        else:
            told = fitted.win_draw_loss_probabilities(
                game.first, game.second, 0, handicap_key="home", account_for_uncertainty=True
            )
            chances.append(tuple(float(one) for one in told[::-1]))
    return chances


def by_trueskill(sport, before, games, gamma, beta, sigma, p_draw=0.0):
    """TrueSkill Through Time: the last posterior of each player, with the advantage as a third player at home."""
    import trueskillthroughtime as ttt

    seats = [([game.first] + [HOME] * (sport == "football"), [game.second]) for game in before]
    scores = [[game.outcome / 2.0, 1.0 - game.outcome / 2.0] for game in before]
    history = ttt.History(
        composition=[[list(one), list(two)] for one, two in seats],
        results=scores,
        times=[game.when for game in before],
        sigma=sigma,
        beta=beta,
        gamma=gamma,
        p_draw=p_draw,
    )
    history.convergence(epsilon=1e-3, iterations=10, verbose=False)
    last = {name: curve[-1][1] for name, curve in history.learning_curves().items()}
    home = last.get(HOME)
    chances = []
    for game in games:
        one, two = (last.get(name, ttt.Gaussian(0.0, sigma)) for name in (game.first, game.second))
        mean, variance = one.mu - two.mu, one.sigma**2 + two.sigma**2 + 2.0 * beta**2
        if home is not None:
            mean, variance = mean + home.mu, variance + home.sigma**2
        wide = math.sqrt(variance)
        margin = ttt.compute_margin(p_draw, wide) if p_draw else 0.0
        loss, win = (ttt.cdf((sign * mean - margin) / wide, 0.0, 1.0) for sign in (-1.0, 1.0))
        chances.append((loss, 1.0 - loss - win, win))
    return chances


def by_kickscore(sport, before, games, wiener, prior, margin=None):
    """KickScore: a constant and a Wiener process for each player."""
    import kickscore as ks

    begin = min(game.when for game in before) - 1
    fitted = ks.BinaryModel() if margin is None else ks.TernaryModel(margin=margin)
    kernel = ks.kernel.Constant(var=prior) + ks.kernel.Wiener(var=wiener, t0=begin)
    for name in sorted({name for game in (*before, *games) for name in (game.first, game.second)}):
        fitted.add_item(name, kernel=kernel)
    if sport == "football":
        fitted.add_item(HOME, kernel=ks.kernel.Constant(var=prior))
    seat = [HOME] * (sport == "football")
    for game in before:
        sides = [game.first, *seat], [game.second]
        about = {"tie": True} if game.outcome == 1 else {}
        winners, losers = sides if game.outcome else sides[::-1]
        fitted.observe(winners=winners, losers=losers, t=game.when, **about)
    fitted.fit(max_iter=100)
    end = max(game.when for game in before)
    chances = []
    for game in games:
        told = fitted.probabilities(team1=[game.first, *seat], team2=[game.second], t=end)
        win, loss = float(told[0]), float(told[-1])
        chances.append((loss, 1.0 - win - loss, win))
    return chances


SYSTEMS = {"whr": by_whr, "trueskill": by_trueskill, "kickscore": by_kickscore}


def main_of_rivals(system, sport, season, out, *given):
    """Fit, forecast, write and print."""
    numbers = TUNED[system, sport] | {name: float(value) for name, value in (one.split("=") for one in given)}
    before, games = split(sport, season)
    chances = SYSTEMS[system](sport, before, games, **numbers)
    keep(out, games, chances)
    used = resource.getrusage(resource.RUSAGE_SELF)
    score = sum(log_score(chances, games)) / len(games)
    told = {"system": system, "sport": sport, "season": season, "numbers": numbers, "before": len(before)}
    print(json.dumps({**told, "games": len(games), "log_score": round(score, 5), "cpu_s": round(used.ru_utime, 1)}))


def run_rivals():
    """Run the command `rivals`."""
    main_of_rivals(*sys.argv[1:])


if __name__ == "__main__":
    records.run(rivals=run_rivals)
