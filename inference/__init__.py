"""How we compute: NUTS, diagnosis, NetCDF, forecasts.

Examples
--------
From a file of games to draws and back from the disk (`halfpoint.models.declare` says what is believed):

>>> from halfpoint import games, inference, models
>>> played = games.read("games.pgn")  # doctest: +SKIP
>>> chosen = games.select(played, played.players, "both")  # doctest: +SKIP
>>> trace = inference.sample(models.declare("davidson-population", chosen), seed=1)  # doctest: +SKIP
>>> path = inference.write(trace, "trace.nc")  # doctest: +SKIP
"""

from halfpoint.inference.fit import fit
from halfpoint.inference.forecast import forecast
from halfpoint.inference.predictive import posterior_predictive
from halfpoint.inference.sample import sample
from halfpoint.inference.traces import read, write

__all__ = ["fit", "forecast", "posterior_predictive", "read", "sample", "write"]
