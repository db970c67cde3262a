"""Ranges of the options of markets."""

from halfpoint.models.games.ranges import Range

SCORES = Range(1, 20)  # likeliest scores of a game
