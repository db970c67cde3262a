"""Figures of ratings, draws of samplers, calibration, draw curves and backtests."""

from halfpoint.games.later import require

require("matplotlib", "figures")
