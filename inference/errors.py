"""What goes wrong when posteriors are computed, written or read: one error class, and who has no compiled loops."""

from collections.abc import Iterator
from contextlib import contextmanager

from halfpoint.games.errors import HalfpointError
from halfpoint.models.errors import NoLoopError
from halfpoint.models.forms import NotASumError


class InferenceError(HalfpointError):
    """A sampler, file or trace that cannot be used as asked."""


@contextmanager
def by_loops(who: str) -> Iterator[None]:
    """Refuse by name, in one line, a model that has no compiled loops where nothing else serves."""
    try:
        yield
    except (NotASumError, NoLoopError) as error:
        raise InferenceError(f"{who}: {error}. Use method nuts.") from error
