"""Figures of ratings, draws of samplers, calibration, draw curves and backtests."""
