"""Arenas: models, answers and engines that are judged in pairs, and the leaderboard of them."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
