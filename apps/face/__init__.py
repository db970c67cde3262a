"""Public names most often used, in one short module; each is imported on first use.

`read`, `select`, `simulate` give games, `rate`, `leaderboard` lists from files or frames, `rank`, `match`, `compare`,
`forecast` answers from a trace, `declare`, `sample`, `Model` and its parts a model step by step, `backtest` judges on
games to come. The packages they come from, `hp.games` to `hp.fields`, have the rest.

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
