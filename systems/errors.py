"""What goes wrong with a rating system: one error class, told in one line."""

from halfpoint.games.errors import PlacedError


class RatingSystemError(PlacedError):
    """A setting, a state or games that a rating system cannot use."""
