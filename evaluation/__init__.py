"""How good it was: scores, criteria, tables, figures, report.

The names below are imported when they are first asked for.

Examples
--------
>>> from halfpoint import evaluation
>>> evaluation.log_score([[0.2, 0.3, 0.5]], [2]).round(3)  # a win that had one chance in two
array([0.693])
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from halfpoint.evaluation.criteria import aicm, leave_one_out
    from halfpoint.evaluation.matches import expected_score, game, match
    from halfpoint.evaluation.rating_list import RatingList
    from halfpoint.evaluation.scores import de_finetti, log_score, ranked_probability_score
    from halfpoint.evaluation.statements import rank_distribution, stronger
    from halfpoint.evaluation.tournaments import round_robin, tournament

__all__ = [
    "RatingList",
    "aicm",
    "de_finetti",
    "expected_score",
    "game",
    "leave_one_out",
    "log_score",
    "match",
    "rank_distribution",
    "ranked_probability_score",
    "round_robin",
    "stronger",
    "tournament",
]
HOMES = {
    "criteria": ("aicm", "leave_one_out"),
    "matches": ("expected_score", "game", "match"),
    "rating_list": ("RatingList",),
    "scores": ("de_finetti", "log_score", "ranked_probability_score"),
    "statements": ("rank_distribution", "stronger"),
    "tournaments": ("round_robin", "tournament"),
}


def __getattr__(name: str) -> Any:
    for home, names in HOMES.items():
        if name in names:
            return getattr(import_module(f"halfpoint.evaluation.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
