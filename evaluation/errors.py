"""Errors of evaluation: one class, one line."""

from halfpoint.models.games.errors import PlacedError


class EvaluationError(PlacedError):
    """Invalid forecasts, scores or comparisons."""
