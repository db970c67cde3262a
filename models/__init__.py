"""What we believe: the PyMC models, and the sequential rating systems apart.

`declare` and `find` are imported when they are first asked for: rating systems do without PyMC.

Examples
--------
>>> from halfpoint import models
>>> models.find("davidson-common").advantage
'common'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from halfpoint.models.catalogue import declare, find

__all__ = ["declare", "find"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module("halfpoint.models.catalogue"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
