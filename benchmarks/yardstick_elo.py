"""An Elo told every fact that the row of sets knows, frozen before each season: names, surfaces, games won, rankings.

    .venv/bin/python benchmarks/yardstick_elo.py SEASON[,SEASON ...] FOLDER

Three ratings move match by match over nine seasons: of all matches and of each surface, by results, with steps 250 /
(n + 5)^0.4 Elo after n matches as FiveThirtyEight's, and of games won, by the logarithm of their ratio. A logistic
regression on their differences, on ages and their squares, on numbers of matches, and on rankings before the season,
whose log odds are multiplied in best of five and in the Davis Cup, has its coefficients from the three seasons before.
Prints the mean log score, the slope of results on forecasts and the coefficients; writes a line a match to
FOLDER/elo-SEASON.csv.
"""

import math
import sys
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from yardstick_games import keep, tennis

BACK, FROM = 9, 3  # seasons of ratings, and of coefficients
UNSEEN = {"names": -0.9, "surfaces": -0.6, "games": -0.15}  # ratings of players without a match, natural units
STEP, SHIFT, POWER = 250.0 / 173.7, 5.0, 0.4
STEP_OF_GAMES, POWER_OF_GAMES, MORE = 1.1, 0.6, 3.0
SHRINK = 0.05


def rated(games, season):
    """Ratings by results, of names and of surfaces, and by games won, before a season; numbers of matches."""
    book, count = {name: {} for name in UNSEEN}, {"names": {}, "surfaces": {}}
    for game in games:
        if not int(season) - BACK <= int(game.season) < int(season):
            continue
        pairs = {"names": (game.first, game.second)}
        pairs["surfaces"] = tuple((player, game.context) for player in pairs["names"])
        for kind, (one, other) in pairs.items():
            rating, played = book[kind], count[kind]
            surprise = game.outcome / 2.0 - 1.0 / (1.0 + math.exp(rating.get(other, 0.0) - rating.get(one, 0.0)))
            for player, sign in ((one, 1.0), (other, -1.0)):
                step = STEP / (played.get(player, 0) + SHIFT) ** POWER
                rating[player] = rating.get(player, 0.0) + sign * step * surprise
                played[player] = played.get(player, 0) + 1
        if game.goals is not None and sum(game.goals):
            one, other = pairs["names"]
            won = book["games"]
            apart = math.log((game.goals[0] + MORE) / (game.goals[1] + MORE)) - won.get(one, 0.0) + won.get(other, 0.0)
            for player, sign in ((one, 1.0), (other, -1.0)):
                step = STEP_OF_GAMES / (count["names"][player] + SHIFT) ** POWER_OF_GAMES
                won[player] = won.get(player, 0.0) + sign * step * apart
    return book, count["names"]


def columns(games, season):
    """Columns of the matches of a season, (match, column), results (match,), and the matches by day."""
    book, played = rated(games, season)
    now = sorted((g for g in games if g.season == season), key=lambda g: (g.date, g.event, g.first, g.second))
    rows = []
    for game in now:
        one, other = game.first, game.second
        keys = {"names": (one, other), "surfaces": ((one, game.context), (other, game.context)), "games": (one, other)}
        apart = {
            kind: book[kind].get(first, UNSEEN[kind]) - book[kind].get(second, UNSEEN[kind])
            for kind, (first, second) in keys.items()
        }
        few, many = (played.get(one, 0), played.get(other, 0)), np.log1p([played.get(one, 0), played.get(other, 0)])
        rows.append([
            apart["names"], apart["surfaces"], 3.0 * apart["games"], float(few[0] < 10) - float(few[1] < 10),
            game.white_age - game.black_age, game.white_age**2 - game.black_age**2, many[0] - many[1],
            game.white_place - game.black_place, game.white_unplaced - game.black_unplaced,
            float(game.best_of == "5"), float(game.level == "D"),
        ])  # fmt: skip
    return np.array(rows), np.array([game.outcome / 2.0 for game in now]), now


def log_odds(coefficients, rows):
    """Log odds of White: nine differences, times e to the power of best of five and Davis Cup."""
    return (rows[:, :9] @ coefficients[:9]) * np.exp(rows[:, 9:] @ coefficients[9:])


def slope_of(odds, won):
    """Slope of results on log odds, by logistic regression without intercept, and its standard error."""
    [slope] = minimize(lambda s: np.logaddexp(0.0, -(2.0 * won - 1.0) * odds * s[0]).sum(), [1.0]).x
    chance = 1.0 / (1.0 + np.exp(-slope * odds))
    return slope, (chance * (1.0 - chance) * odds**2).sum() ** -0.5


def main(seasons, folder):
    """Learn, forecast, write and print."""
    games, made = tennis(), {}
    Path(folder).mkdir(parents=True, exist_ok=True)
    for season in seasons.split(","):
        for year in range(int(season) - FROM, int(season) + 1):
            made.setdefault(str(year), None)
            made[str(year)] = made[str(year)] or columns(games, str(year))
        earlier = [made[str(int(season) - back)] for back in range(1, FROM + 1)]
        known, won = np.concatenate([rows for rows, _, _ in earlier]), np.concatenate([y for _, y, _ in earlier])

        def loss(c, known=known, won=won):
            return np.logaddexp(0.0, -(2.0 * won - 1.0) * log_odds(c, known)).sum() + SHRINK * (c @ c)

        found = minimize(loss, np.r_[0.5, 0.3, 0.2, np.zeros(8)]).x
        rows, won, now = made[season]
        odds = log_odds(found, rows)
        score, (slope, error) = np.logaddexp(0.0, -(2.0 * won - 1.0) * odds).mean(), slope_of(odds, won)
        chances = [(1.0 - p, 0.0, p) for p in (1.0 / (1.0 + np.exp(-odds))).tolist()]
        keep(Path(folder) / f"elo-{season}.csv", now, chances)
        print(f"{season}: {len(won)} matches, {score:.4f}, slope {slope:.2f} ± {error:.2f}, {np.round(found, 2)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
