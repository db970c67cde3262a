"""What we believe: one language of models, in which a model is a row, an outcome formula and a few parts.

The names below are imported when they are first asked for.

Examples
--------
>>> from halfpoint import models
>>> models.find("davidson-common").advantage.kind
'common'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from halfpoint.models.advantage import Common, Nothing, PerPlayer, Pooled
    from halfpoint.models.anchors import Anchors
    from halfpoint.models.catalogue import declare, find
    from halfpoint.models.correlated import Correlated
    from halfpoint.models.draw_parameter import DrawParameter
    from halfpoint.models.effects import Effects
    from halfpoint.models.model import Model
    from halfpoint.models.outcome import Outcome
    from halfpoint.models.strength import Free, Population, Rated, Walk

__all__ = [
    "Anchors",
    "Common",
    "Correlated",
    "DrawParameter",
    "Effects",
    "Free",
    "Model",
    "Nothing",
    "Outcome",
    "PerPlayer",
    "Pooled",
    "Population",
    "Rated",
    "Walk",
    "declare",
    "find",
]
HOMES = {
    "advantage": ("Common", "Nothing", "PerPlayer", "Pooled"),
    "anchors": ("Anchors",),
    "catalogue": ("declare", "find"),
    "correlated": ("Correlated",),
    "draw_parameter": ("DrawParameter",),
    "effects": ("Effects",),
    "model": ("Model",),
    "outcome": ("Outcome",),
    "strength": ("Free", "Population", "Rated", "Walk"),
}


def __getattr__(name: str) -> Any:
    for home, names in HOMES.items():
        if name in names:
            return getattr(import_module(f"halfpoint.models.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
