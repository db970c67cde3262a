"""Tables of games, readers, selection, weights, simulation and data sets. No module here imports PyMC.

The names below are imported on first use. Three are also names of modules (`select`, `simulate`, `weights`): as
attributes of this package they are the functions.

Examples
--------
>>> from halfpoint import readers
>>> from halfpoint.models import games
>>> played = readers.replica().training
>>> len(played), games.select is games.select
(6807, True)
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
