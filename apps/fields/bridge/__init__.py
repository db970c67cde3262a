"""Duplicate bridge: deals and results, scores, ratings of players and pairs, abilities in IMPs per board."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
