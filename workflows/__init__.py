"""What a command does, for Python: from a file of games to a rating list, a backtest, a calibration, a page.

Every command of `halfpoint` is one of these functions and printing. They take files, tables or data frames, print
nothing (`say=print` does), and return what a Python user goes on with. They are imported when they are first asked for.

Examples
--------
>>> from halfpoint import workflows
>>> table, truth = workflows.simulate(games=400, players=6, seed=3)
>>> rated = workflows.rate(table, model="davidson-common", draws=200, tune=300, chains=2)
>>> rated.frame.shape, rated.about["model"], rated.folder
((6, 8), 'davidson-common', None)
>>> workflows.rank(rated.trace).frame["rank"].tolist()
[1, 2, 3, 4, 5, 6]
"""

from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from halfpoint.workflows.answers import compare, match, rank, summary
    from halfpoint.workflows.backtesting import backtest
    from halfpoint.workflows.calibration import calibrate, calibrate_each
    from halfpoint.workflows.fitting import fit, prior
    from halfpoint.workflows.forecasts import forecast
    from halfpoint.workflows.rating_list import rate, rate_groups
    from halfpoint.workflows.simulation import simulate
    from halfpoint.workflows.tournament_outlook import tournament

__all__ = [
    "backtest",
    "calibrate",
    "calibrate_each",
    "compare",
    "fit",
    "forecast",
    "match",
    "prior",
    "rank",
    "rate",
    "rate_groups",
    "simulate",
    "summary",
    "tournament",
]
HOMES = {
    "answers": ("compare", "match", "rank", "summary"),
    "backtesting": ("backtest",),
    "calibration": ("calibrate", "calibrate_each"),
    "fitting": ("fit", "prior"),
    "forecasts": ("forecast",),
    "rating_list": ("rate", "rate_groups"),
    "simulation": ("simulate",),
    "tournament_outlook": ("tournament",),
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return version("halfpoint")
    for home, names in HOMES.items():
        if name in names:
            return getattr(import_module(f"halfpoint.workflows.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__"})
