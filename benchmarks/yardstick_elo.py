"""Elo with the facts that the row knows, frozen before a season: surface, age, best of, as seven logistic coefficients.

    .venv/bin/python benchmarks/yardstick_elo.py SEASON OUT.csv [NAME=VALUE ...]

A player has a rating of all matches and one of each surface, updated match by match with a step that falls with the
player's number of matches n, k / (n + shift)^power. A logistic regression without intercept on seven differences (both
ratings, each again where five sets are played, years from 28 and their square, the age again where five sets are
played) is fitted by maximum likelihood to the `seasons` before SEASON, each forecast by the ratings before it, as
SEASON is. Prints the mean log score of SEASON and the slope of its results on its forecasts; writes a line a match.
"""

import json
import sys

import numpy as np
from scipy.optimize import minimize
from yardstick_games import keep, log_score, tennis

NUMBERS = {"k": 200.0, "shift": 5.0, "power": 0.4, "seasons": 6}


def frozen(games, rating, surface):
    """Seven differences of each match by ratings as they are now, (match, 7)."""
    rows = []
    for game in games:
        overall, here = (
            (rated(book, game.first, place) - rated(book, game.second, place)) / 400.0
            for book, place in ((rating, ""), (surface, game.context))
        )
        long = float(game.best_of == "5")
        age, square = game.white_age - game.black_age, game.white_age**2 - game.black_age**2
        rows.append([overall, here, long * overall, long * here, age, square, long * age])
    return np.array(rows)


def rated(book, player, place):
    """A player's rating, 1500 at first."""
    return book.get((player, place), (1500.0, 0))[0]


def update(book, game, place, k, shift, power):
    """One match of Elo."""
    (a, n), (b, m) = (book.get((player, place), (1500.0, 0)) for player in (game.first, game.second))
    surprise = game.outcome / 2.0 - 1.0 / (1.0 + 10.0 ** ((b - a) / 400.0))
    book[game.first, place] = (a + k / (n + shift) ** power * surprise, n + 1)
    book[game.second, place] = (b - k / (m + shift) ** power * surprise, m + 1)


def fitted(x, won):
    """Coefficients of maximum likelihood, (column,)."""
    sign = np.where(won, 1.0, -1.0)
    return minimize(
        lambda c: np.logaddexp(0.0, -sign * (x @ c)).sum(),
        np.zeros(x.shape[1]),
        jac=lambda c: -x.T @ (sign / (1.0 + np.exp(sign * (x @ c)))),
    ).x


def main(season, out, *numbers):
    """Learn, forecast, write and print."""
    asked = NUMBERS | {name: float(value) for name, value in (one.split("=") for one in numbers)}
    seasons, step = int(asked.pop("seasons")), asked
    rating, surface, known, games = {}, {}, [], tennis()
    for year in sorted({game.season for game in games if game.season < season}):
        now = [game for game in games if game.season == year]
        known.append((frozen(now, rating, surface), np.array([game.outcome == 2 for game in now])))
        for game in now:
            update(rating, game, "", **step)
            update(surface, game, game.context, **step)
    x, won = (np.concatenate(parts) for parts in zip(*known[-seasons:], strict=True))
    coming = [game for game in games if game.season == season]
    log_odds = frozen(coming, rating, surface) @ (found := fitted(x, won))
    win = 1.0 / (1.0 + np.exp(-log_odds))
    chances = [(1.0 - p, 0.0, p) for p in win.tolist()]
    keep(out, coming, chances)
    [slope] = fitted(log_odds[:, None], np.array([game.outcome == 2 for game in coming]))
    told = {"season": season, "games": len(coming), "log_score": round(float(np.mean(log_score(chances, coming))), 5)}
    print(json.dumps(told | {"slope": round(float(slope), 3), "coefficients": np.round(found, 3).tolist()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
