"""Tables that cannot be changed once they are checked."""

from dataclasses import fields
from typing import Any

import numpy as np


def freeze(table: Any) -> None:
    """Make the arrays of a frozen dataclass read-only, through views: whoever passed an array keeps theirs as it was.

    Parameters
    ----------
    table : dataclass instance
        The table, in its `__post_init__`.
    """
    for item in fields(table):
        value = getattr(table, item.name)
        if isinstance(value, np.ndarray):
            view = value.view()
            view.flags.writeable = False
            object.__setattr__(table, item.name, view)
