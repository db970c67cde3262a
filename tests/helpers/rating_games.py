"""Small tables of games for the tests of rating systems."""

import numpy as np

from halfpoint.models.games.table import GameTable, code_players


def table(white, black, score, period=None, **columns):
    """Table of named games, all in one period if a number is given."""
    players, white_codes, black_codes = code_players(white, black)
    score = np.asarray(score, dtype=np.float64)
    if period is not None:
        period = np.broadcast_to(np.asarray(period, dtype=np.int64), score.shape).copy()
    for side in ("white_rating_elo", "black_rating_elo"):
        if side in columns:
            columns[side] = np.broadcast_to(np.asarray(columns[side], dtype=np.float64), score.shape).copy()
    return GameTable(players, white_codes, black_codes, score, period=period, **columns)


def simulated(seed, players=30, games=400, periods=8, advantage_elo=35.0, draw=0.4, rated=True):
    """Games with random constant strengths, the strengths in Elo points, and printed ratings with an error of 50."""
    rng = np.random.default_rng(seed)
    strength = rng.normal(2500.0, 120.0, players)
    printed = strength + rng.normal(0.0, 50.0, players)
    white = rng.integers(0, players, games)
    black = (white + rng.integers(1, players, games)) % players
    expected = 1.0 / (1.0 + 10.0 ** (-(strength[white] - strength[black] + advantage_elo) / 400.0))
    half = draw * np.minimum(expected, 1.0 - expected)
    uniform = rng.random(games)
    score = np.where(uniform < expected - half, 1.0, np.where(uniform < expected + half, 0.5, 0.0))
    names = np.array([f"player {number:03d}" for number in range(players)])
    ratings = {"white_rating_elo": printed[white], "black_rating_elo": printed[black]} if rated else {}
    period = np.sort(rng.integers(1, periods + 1, games))
    codes = white.astype(np.int32), black.astype(np.int32)
    event = np.array(["Reykjavik", "Gibraltar", "Wijk aan Zee"])[rng.integers(0, 3, games)]
    return GameTable(names, *codes, score, period=period, event=event, simulated=True, **ratings), strength


def periods_of(games):
    """Yield the games of each period in turn."""
    for period in np.unique(games.period):
        yield games.take(games.period == period)


def put(system, entering, /, **columns):
    """Add the players of a table and set their columns from {name: value} mappings."""
    system.ledger.enter(entering)
    for column, values in columns.items():
        for name, value in values.items():
            system.ledger[column][system.ledger.position[name]] = value
