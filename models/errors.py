"""What goes wrong when a model is asked for: one error class."""


class ModelError(ValueError):
    """A model, edition or option that does not exist, or data it cannot be declared on."""
