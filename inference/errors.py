"""What goes wrong when posteriors are computed, written or read: one error class."""


class InferenceError(ValueError):
    """A sampler, file or trace that cannot be used as asked."""
