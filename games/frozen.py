"""Tables that cannot be changed once they are checked."""

from dataclasses import fields
from typing import Any

import numpy as np


def freeze(table: Any) -> None:
    """Make the arrays of a frozen dataclass read-only, through views: who passed an array keeps theirs as it was."""
    for item in fields(table):
        value = getattr(table, item.name)
        if isinstance(value, np.ndarray):
            view = value.view()
            view.flags.writeable = False
            object.__setattr__(table, item.name, view)
