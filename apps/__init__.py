"""Applications: commands, Python workflows, pages, and the fields and the study that are built from the core."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
