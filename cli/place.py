"""Where a command writes: looked at before any work is done, and held against a second command."""

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from halfpoint.games.claim import claim


def writes_alone[**Given, Answer](option: str = "out", folder: bool = True) -> Callable[..., Callable[Given, Answer]]:
    """Return a decorator that claims the place named by an option of a command while it runs.

    Parameters
    ----------
    option : str
        Parameter of the command that holds the path.
    folder : bool
        Whether the path is a folder; otherwise a file.
    """

    def decorate(command: Callable[Given, Answer]) -> Callable[Given, Answer]:
        signature = inspect.signature(command)

        @wraps(command)
        def alone(*args: Given.args, **kwargs: Given.kwargs) -> Answer:
            given = signature.bind(*args, **kwargs)
            given.apply_defaults()
            place: Any = given.arguments[option]
            with claim(Path(place), folder, f"--{option}"):
                return command(*args, **kwargs)

        return alone

    return decorate
