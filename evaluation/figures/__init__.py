"""Figures of ratings, draws of samplers, calibration, draw curves and backtests."""

from halfpoint.models.games.lazy_import import require

require("matplotlib", "figures")
