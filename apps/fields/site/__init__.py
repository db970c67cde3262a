"""A site of a followed competition, in editions: pages, sheet, cards, data and feed from files and a few settings."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
