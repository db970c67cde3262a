"""Football: the markets of future games from one fit of attacks and defences."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
