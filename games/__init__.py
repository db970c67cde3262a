"""What happened: tables of games, readers, selection, weights, simulation and data sets. Nothing here knows PyMC."""
