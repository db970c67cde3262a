"""Computation: NUTS, approximations, diagnostics, NetCDF traces, forecasts.

Examples
--------
From a file of games to draws and back from the disk (`halfpoint.models.declare` has the assumptions):

>>> from halfpoint import inference, models, readers
>>> from halfpoint.models import games
>>> played = readers.read("games.pgn")  # doctest: +SKIP
>>> chosen = games.select(played, played.players, "both")  # doctest: +SKIP
>>> trace = inference.sample(models.declare("davidson-population", chosen), seed=1)  # doctest: +SKIP
>>> path = inference.write(trace, "trace.nc")  # doctest: +SKIP
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
