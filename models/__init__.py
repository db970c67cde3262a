"""Bayesian models of paired comparisons, as PyMC functions of the games.

The names below are imported on first use.

Examples
--------
>>> from halfpoint import models
>>> models.find("davidson-common").parameters
{'strength': (15, 400), 'advantage': (1, 10), 'log_draw': (1, 5)}
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
