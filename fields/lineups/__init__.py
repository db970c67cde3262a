"""Line-ups: who was on court together, the network of units, what each player adds."""

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from halfpoint.fields.lineups.list import lineups

__all__ = ["lineups"]

__getattr__, __dir__, _ = lazy_loader.attach(__name__, submod_attrs={"list": ["lineups"]})
