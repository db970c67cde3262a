"""Public names most often used, in one short module; each is imported on first use.

`read`, `select` and `simulate` return games; `rate` and `leaderboard` make lists from files or frames; `rank`, `match`,
`compare` and `forecast` answer questions from a trace; `declare`, `sample`, `Model` and its parts build a model step by
step; `backtest` scores forecasts of future games. Their packages, `hp.games` to `hp.fields`, contain all other names.

Examples
--------
>>> import halfpoint as hp
>>> table, truth = hp.simulate(games=400, players=6, seed=3)
>>> declared = hp.declare("davidson-common", hp.select(table, table.players))
>>> declared.model.name, hp.rate is hp.workflows.rate
('', True)
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
