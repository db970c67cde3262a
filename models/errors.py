"""Error class of requests for models."""

from halfpoint.models.games.errors import HalfpointError


class ModelError(HalfpointError):
    """A model, edition or option that does not exist, or data it cannot be declared on."""


class OwnCodeError(ModelError):
    """A trace was made with a user's formula of a game or part of a model, which must be given again."""


class NoLoopError(ValueError):
    """A graph cannot be written as a loop over rows; the message has the reason."""


def in_words(error: BaseException) -> str:
    """Reason of a failure in one line."""
    text = str(error).partition("\n")[0]
    kinds = {kind.__name__ for kind in type(error).__mro__}
    return text if kinds & {"NoLoopError", "NotAffineError"} else f"{type(error).__name__}: {text}"
