"""Races, panels, free-for-alls: competitors rated by rankings, probabilities of every place."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
