"""Tables of games, selection, weights and simulation, and what all floors above share. No module here imports PyMC.

The names below are imported on first use. Three are also names of modules (`select`, `simulate`, `weights`): as
attributes of this package they are the functions.

Examples
--------
>>> import halfpoint
>>> from halfpoint.models import games
>>> len(halfpoint.replica().training), games.select is games.select
(6807, True)
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
