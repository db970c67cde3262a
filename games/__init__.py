"""What happened: tables of games, readers, selection, weights, simulation and data sets. Nothing here knows PyMC."""

from halfpoint.games.cells import merge
from halfpoint.games.datasets.replica import replica
from halfpoint.games.readers.frames import read_frame
from halfpoint.games.readers.read import read
from halfpoint.games.select import most_active, select
from halfpoint.games.simulate import simulate
from halfpoint.games.table import GameTable
from halfpoint.games.weights import weights

__all__ = ["GameTable", "merge", "most_active", "read", "read_frame", "replica", "select", "simulate", "weights"]
