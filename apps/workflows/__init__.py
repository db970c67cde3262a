"""The commands as Python functions: rating lists, backtests, calibrations and pages from a file of games.

Every command of `halfpoint` calls one of these functions and prints its answer. They take files, tables or data frames,
print nothing (`say=print` does), and return objects for further work in Python. They are imported on first use.

Examples
--------
>>> from halfpoint.apps import workflows
>>> table, truth = workflows.simulate(games=400, players=6, seed=3)
>>> rated = workflows.rate(table, model="davidson-common", draws=200, tune=300, chains=2)
>>> len(rated.frame), rated.about["model"], rated.folder
(6, 'davidson-common', None)
>>> workflows.rank(rated.trace).frame["rank"].tolist()
[1, 2, 3, 4, 5, 6]
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
