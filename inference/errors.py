"""Error class of computing, writing and reading posteriors."""

from halfpoint.models.games.errors import HalfpointError


class InferenceError(HalfpointError):
    """A sampler, file or trace that cannot be used as requested."""
