"""The error class of rating systems, with one-line messages."""

from halfpoint.games.errors import PlacedError


class RatingSystemError(PlacedError):
    """Raised for a setting, a state or games that a rating system cannot use."""
