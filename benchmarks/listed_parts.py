"""Gain of each ingredient of a listed model: the model without it, and the plain list with it alone.

The bare list is the model without these parts: the rating on the day at Elo's own scale, White's advantage, one draw
curve. Used by `beat_the_list.py` and `claim.py`.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from halfpoint.apps.workflows.backtest_answer import BacktestPlan
from halfpoint.apps.workflows.backtest_run import run_one
from halfpoint.apps.workflows.entrants import PRIOR
from halfpoint.apps.workflows.intake import Say, silent
from halfpoint.evaluation.backtest_tables import (
    JudgedForecasts,
    events_of,
    log_score_parts,
    paired_difference,
    score_games,
)
from halfpoint.inference.forecaster import Forecaster
from halfpoint.models.declaration.catalogue import LISTED
from halfpoint.models.games.table import GameTable
from halfpoint.models.games.units import to_natural
from halfpoint.models.language.model import Model
from halfpoint.systems.catalogue import SystemSpec

_NOTHING = (0.0, 1e-4)  # a prior that leaves a number where it is
_NOBODY = float(to_natural(0.02))
_BARE = "bare list"
_EFFECTS = {"place": ("(1 | event)", "0 + fast"), "time control": ("0 + fast", "(1 | event)")}  # it; what is left
_INGREDIENTS: dict[str, tuple[str, Any]] = {  # number of the function, and what leaves the ingredient out
    "inclination to draw": ("tendency", None),
    "shrinking to the mean so far": ("shrink", None),
    "what the list misses": ("spread", _NOBODY),
    "scale of the list": ("scale", _NOTHING),
    "gap in draws": ("gap", None),
    "signed gap in draws": ("signed_gap", None),
    "mean rating in draws": ("slope", None),
}


def _with_effects_alone(model: Model, formula: str) -> Model:
    """Model whose effects on draws are of one formula."""
    return model.but(on_the_day=formula) if model.parameters["on_the_day"] else model


def ingredients_left_out(model: Model) -> dict[str, Model]:
    """Listed model without each of its ingredients, by the omitted ingredient."""
    found = {name: model.but(**{key: off}) for name, (key, off) in _INGREDIENTS.items()}
    found |= {name: _with_effects_alone(model, other) for name, (_, other) in _EFFECTS.items()}
    return {name: one for name, one in found.items() if one.parameters != model.parameters}


def without_ingredients(model: Model) -> Model:
    """Listed model without any ingredient."""
    return model.but(**dict(_INGREDIENTS.values()), on_the_day="")


def ingredients_alone(model: Model) -> dict[str, Model]:
    """Plain list with each ingredient of a listed model alone, by name."""
    base = without_ingredients(model)
    found = {name: base.but(**{key: model.parameters[key]}) for name, (key, _) in _INGREDIENTS.items()}
    kept = base.but(on_the_day=model.parameters["on_the_day"])
    found |= {name: _with_effects_alone(kept, own) for name, (own, _) in _EFFECTS.items()}
    return {name: found[name] for name in ingredients_left_out(model)}


def judged_parts(plan: BacktestPlan, name: str, say: Say = silent) -> pd.DataFrame:
    """Gain of each ingredient of a listed model, on the plan's main games.

    Columns part, games; `left_out` (log score without the part less that with it) and `alone` (log score of the bare
    list less that with this part alone), above 0 if the part helps, nats a game, with two-way errors; the same for
    whether a game is drawn (`_draw`) and who wins it if not (`_decisive`).
    """
    model = LISTED[name]

    def rolled(title: str, row: Model) -> JudgedForecasts:
        def build(_: Any) -> Forecaster:
            return Forecaster(row, plan.games, first=plan.first)

        found = run_one(plan, SystemSpec(title, title, build, draws="own", begins=PRIOR))[0]
        say(f"{title}: {found.seconds:.1f} s")
        return found

    whole, base = rolled(name, model), rolled(f"{name}, {_BARE}", without_ingredients(model))
    lost = {part: rolled(f"{name} without {part}", row) for part, row in ingredients_left_out(model).items()}
    only = {part: rolled(f"{_BARE} with {part}", row) for part, row in ingredients_alone(model).items()}
    pairs = {part: (worse, whole, base, only[part]) for part, worse in lost.items()}
    pairs["all of them"] = (base, whole, base, whole)
    rows: list[dict[str, object]] = []
    for part, (worse, better, start, end) in pairs.items():
        rows.append(
            {"part": part, **_score_gain(plan, worse, better, "left_out"), **_score_gain(plan, start, end, "alone")}
        )
    return pd.DataFrame(rows)


def _score_gain(plan: BacktestPlan, worse: JudgedForecasts, better: JudgedForecasts, what: str) -> dict[str, float]:
    """Gain of one forecaster over another on the plan's main games, its draw and decisive parts, errors."""
    games: GameTable = plan.games
    mask, event = plan.stretches[plan.main], events_of(games)
    sides: list[Mapping[str, Any]] = [
        {"": score_games(games, one)["log_score"]} | log_score_parts(games, one) for one in (worse, better)
    ]
    found = {"games": float(np.sum(mask))}
    for part in ("", "draw", "decisive"):
        one = paired_difference(games, sides[0][part] - sides[1][part], mask, event)
        key = f"{what}_{part}" if part else what
        found |= {key: one.mean, f"se_{key}": one.two_way}
    return found
