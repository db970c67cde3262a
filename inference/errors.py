"""What goes wrong when posteriors are computed, written or read: one error class."""

from halfpoint.games.errors import HalfpointError


class InferenceError(HalfpointError):
    """A sampler, file or trace that cannot be used as asked."""
