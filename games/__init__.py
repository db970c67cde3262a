"""What happened: tables of games, readers, selection, weights, simulation and data sets. Nothing here knows PyMC.

The names below are imported when they are first asked for. Three of them are names of modules as well (`select`,
`simulate`, `weights`): as attributes of this package they are the functions.

Examples
--------
>>> from halfpoint import games
>>> played = games.replica().training
>>> len(played), games.select is games.select
(6807, True)
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from halfpoint.games.cells import merge
    from halfpoint.games.datasets.replica import replica
    from halfpoint.games.readers.read import read
    from halfpoint.games.select import most_active, select
    from halfpoint.games.simulate import simulate
    from halfpoint.games.table import GameTable
    from halfpoint.games.weights import weights

__all__ = ["GameTable", "merge", "most_active", "read", "replica", "select", "simulate", "weights"]
HOMES = {
    "cells": ("merge",),
    "datasets.replica": ("replica",),
    "readers.read": ("read",),
    "select": ("most_active", "select"),
    "simulate": ("simulate",),
    "table": ("GameTable",),
    "weights": ("weights",),
}


def __getattr__(name: str) -> Any:
    for home, names in HOMES.items():
        if name in names:
            return getattr(import_module(f"halfpoint.games.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class Package(ModuleType):
    """A package into which Python puts its imported modules, but not over a function of the same name."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in __all__ and isinstance(value, ModuleType)):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *__all__})


sys.modules[__name__].__class__ = Package
