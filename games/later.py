"""Modules that are imported when something of them is first asked for: most commands do without most of them."""

from importlib import import_module
from typing import Any


class Later:
    """A module that is imported when something of it is first asked for."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __getattr__(self, key: str) -> Any:
        return getattr(import_module(self.name), key)
