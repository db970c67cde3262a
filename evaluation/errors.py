"""What goes wrong with a judgement: one error class, and the one line it prints."""

from halfpoint.games.errors import PlacedError


class EvaluationError(PlacedError):
    """Forecasts, scores or comparisons that make no sense as they are asked for."""
