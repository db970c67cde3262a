"""Errors of a rating system: one class, one line."""

from halfpoint.games.errors import PlacedError


class RatingSystemError(PlacedError):
    """Raised for a setting, a state or games that a rating system cannot use."""
