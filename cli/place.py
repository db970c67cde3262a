"""Where a command writes: looked at before any work is done, and held against a second command."""

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from halfpoint.games.claim import claim


def writes_alone[**Given, Answer](
    command: Callable[Given, Answer], option: str = "out", folder: bool = True
) -> Callable[Given, Answer]:
    """Return a command that claims the place named by one of its options while it runs.

    Parameters
    ----------
    command : callable
        The command.
    option : str
        Its parameter that holds the path.
    folder : bool
        Whether the path is a folder; otherwise a file.
    """
    signature = inspect.signature(command)

    @wraps(command)
    def alone(*args: Given.args, **kwargs: Given.kwargs) -> Answer:
        given = signature.bind(*args, **kwargs)
        given.apply_defaults()
        place: Any = given.arguments[option]
        with claim(Path(place), folder, f"--{option}"):
            return command(*args, **kwargs)

    return alone
