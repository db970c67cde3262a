"""Which ingredient of a listed row gains what: the row without each of them, and the bare list with each alone.

The bare list is the row with none of them: the rating on the day at Elo's own scale, White's advantage, one draw curve.
"""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, cast

import numpy as np
import pandas as pd

from halfpoint.evaluation.backtest_tables import Judged, events_of, log_score_parts, paired, score_games
from halfpoint.games.errors import GameTableError
from halfpoint.games.table import GameTable
from halfpoint.games.units import to_natural
from halfpoint.inference.forecaster import Forecaster
from halfpoint.models.catalogue import LISTED
from halfpoint.models.effects import Effects
from halfpoint.models.model import Model
from halfpoint.systems.catalogue import SystemSpec
from halfpoint.workflows.backtest_run import Plan, run_one
from halfpoint.workflows.entrants import PRIOR
from halfpoint.workflows.intake import Say

NOTHING = (0.0, 1e-4)  # a prior that leaves a number where it is
NOBODY = float(to_natural(0.02))
BARE = "bare list"
PLACE, CONTROL = "(1 | event)", "0 + fast"


def changed(part: Any, **values: Any) -> Any:
    """Return a part of a row with other numbers; those that it does not know are left out."""
    known = {one.name for one in fields(part)}
    return replace(part, **{name: value for name, value in values.items() if name in known})


def without(model: Model) -> dict[str, Model]:
    """Return a listed row without each of its ingredients, by what is left out."""
    keys = dict(model.effects.formulas)
    found = {
        "inclination to draw": replace(model, draws=changed(model.draws, tendency=None)),
        "shrinking to the mean so far": replace(model, strength=changed(model.strength, memory=False)),
        "what the list misses": replace(model, strength=changed(model.strength, spread=NOBODY)),
        "scale of the list": replace(model, anchors=changed(model.anchors, scale=NOTHING)),
        "gap in draws": replace(model, draws=changed(model.draws, gap=None)),
        "signed gap in draws": replace(model, draws=changed(model.draws, signed_gap=None)),
        "mean rating in draws": replace(model, draws=changed(model.draws, slope=None)),
        "place": replace(model, effects=Effects(dict.fromkeys(keys, CONTROL))),
        "time control": replace(model, effects=Effects(dict.fromkeys(keys, PLACE))),
    }
    return {name: one for name, one in found.items() if one != model}


def bare(model: Model) -> Model:
    """Return a listed row without any ingredient."""
    return replace(
        model,
        strength=changed(model.strength, memory=False, spread=NOBODY),
        anchors=changed(model.anchors, scale=NOTHING),
        draws=changed(model.draws, tendency=None, gap=None, signed_gap=None, slope=None),
        effects=Effects({}),
    )


def alone(model: Model) -> dict[str, Model]:
    """Return the bare list with each ingredient of a listed row alone, by its name."""
    base, keys = bare(model), dict(model.effects.formulas)
    own: dict[str, dict[str, Any]] = {
        kind: {one.name: getattr(part, one.name) for one in fields(part)}
        for kind, part in (("draws", cast(Any, model.draws)), ("strength", cast(Any, model.strength)))
    }

    def with_one(kind: str, name: str) -> Model:
        return replace(base, **{kind: changed(getattr(base, kind), **{name: own[kind].get(name)})})

    every = {
        "inclination to draw": with_one("draws", "tendency"),
        "shrinking to the mean so far": with_one("strength", "memory"),
        "what the list misses": with_one("strength", "spread"),
        "scale of the list": replace(base, anchors=model.anchors),
        "gap in draws": with_one("draws", "gap"),
        "signed gap in draws": with_one("draws", "signed_gap"),
        "mean rating in draws": with_one("draws", "slope"),
        "place": replace(base, effects=Effects(dict.fromkeys(keys, PLACE))),
        "time control": replace(base, effects=Effects(dict.fromkeys(keys, CONTROL))),
    }
    return {name: every[name] for name in without(model)}


def parts_of(names: list[str]) -> str:
    """Return the listed row whose ingredients are asked for: the first of the models."""
    chosen = next((name for name in names if name in LISTED), None)
    if chosen is None:
        found = ", ".join(names) or "none"
        raise GameTableError("--parts", f"a model of the list: --models {' | '.join(LISTED)}", found)
    return chosen


def judged_parts(plan: Plan, systems: Mapping[str, Judged], name: str, say: Say) -> pd.DataFrame:
    """Return what each ingredient of a listed row is worth, judged on the plan's main games.

    Columns part, games; `left_out` (log score without it less that with it) and `alone` (log score of the bare list
    less that with it alone), above 0 is what it gains, nats a game, with two-way errors; the same of whether a game is
    drawn (`_draw`) and who wins it if not (`_decisive`).
    """
    model, whole = LISTED[name], systems[name]

    def rolled(title: str, row: Model) -> Judged:
        def build(_: Any) -> Forecaster:
            return Forecaster(row, plan.games, first=plan.first)

        found = run_one(plan, SystemSpec(title, title, build, draws="own", begins=PRIOR))[0]
        say(f"{title}: {found.seconds:.1f} s")
        return found

    base = rolled(f"{name}, {BARE}", bare(model))
    lost = {part: rolled(f"{name} without {part}", row) for part, row in without(model).items()}
    only = {part: rolled(f"{BARE} with {part}", row) for part, row in alone(model).items()}
    pairs = {part: (worse, whole, base, only[part]) for part, worse in lost.items()}
    pairs["all of them"] = (base, whole, base, whole)
    rows: list[dict[str, object]] = []
    for part, (worse, better, start, end) in pairs.items():
        rows.append({"part": part, **gained(plan, worse, better, "left_out"), **gained(plan, start, end, "alone")})
    return pd.DataFrame(rows)


def gained(plan: Plan, worse: Judged, better: Judged, what: str) -> dict[str, float]:
    """Return the gain of one forecaster over another on the plan's main games, its draw and decisive part, errors."""
    games: GameTable = plan.games
    mask, event = plan.stretches[plan.main], events_of(games)
    sides: list[Mapping[str, Any]] = [
        {"": score_games(games, one)["log_score"]} | log_score_parts(games, one) for one in (worse, better)
    ]
    found = {"games": float(np.sum(mask))}
    for part in ("", "draw", "decisive"):
        one = paired(games, sides[0][part] - sides[1][part], mask, event)
        key = f"{what}_{part}" if part else what
        found |= {key: one.mean, f"se_{key}": one.two_way}
    return found
