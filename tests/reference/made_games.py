"""A few simulated games for tests of formulas and priors."""

from functools import cache

from rating_games import simulated

from halfpoint.models.games.select import select


@cache
def few():
    """120 games of six players without anchors, a third of them drawn."""
    games, _ = simulated(7, players=6, games=120, periods=3, draw=0.3)
    return select(games, games.players)
