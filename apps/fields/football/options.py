"""Ranges of the options of markets."""

from halfpoint.models.games.ranges import Range

SCORES = Range(1, 20)  # likeliest scores of a game
TOTALS, HANDICAPS = Range(0.0, 1_000.0), Range(-1_000.0, 1_000.0)  # goals, in quarters
