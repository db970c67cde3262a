"""Errors of evaluation: one class, one line."""

from halfpoint.games.errors import PlacedError


class EvaluationError(PlacedError):
    """Invalid forecasts, scores or comparisons."""
