"""Parameters of effects in PyMC and their contribution to each row; formulas are in `halfpoint.models.rows.effects`."""

from typing import TYPE_CHECKING, Any

import numpy as np

from halfpoint.models.games.table import Floats, Integers
from halfpoint.models.pymc_import import Node, Operand, pm
from halfpoint.models.rows.column_coding import Coding
from halfpoint.models.rows.effects import PARTNERS, Effects, name_of

if TYPE_CHECKING:
    from halfpoint.models.language.games import Games


def effect_variables(games: "Games", target: str, effects: Effects, given: dict[str, float]) -> Any:
    """Declare the parameters of effects and return their sum; for strength White's and Black's part."""
    model = pm.modelcontext(None)
    coding: Coding = games.facts.code(effects)
    columns = games.effect_columns(effects, coding)
    coords = coding.coords
    white: Operand = 0.0
    black: Operand = 0.0
    if effects.fixed_formulas():
        dim = f"{target}_term"
        model.add_coords({dim: list(coords[dim])})
        effect = pm.Normal(f"{target}_effect", 0.0, np.float64(effects.sd), dims=dim)
        if target == "strength" and "strength_white" in columns:
            has_strength = [1.0 - side.anchored for side in (games.rows.white, games.rows.black)]
            white = white + (columns["strength_white"] @ effect) * has_strength[0]
            black = black + (columns["strength_black"] @ effect) * has_strength[1]
        elif target in columns:  # not in rows of which only the players are known
            white = white + columns[target] @ effect
    for _, column in effects.groups():
        labels = list(coords[column])
        if not labels:
            continue
        name = name_of(target, column)
        unseen = games.facts.sizes.get(name, 0) - len(labels)  # levels that the games of the fit do not have
        model.add_coords({column: labels})
        size: dict[str, object] = {"dims": column} if unseen <= 0 else {"shape": len(labels) + unseen}
        if column in given:
            level_effect = pm.Normal(name, 0.0, np.float64(given[column]), **size)
        else:
            spread = pm.HalfNormal(f"{name}_spread", np.float64(effects.spread))
            level_effect = pm.Normal(name, 0.0, spread, **size)
        if f"{target} | {column}" not in columns:
            continue
        code = columns[f"{target} | {column}"]
        if target != "strength":
            white = white + _brought(level_effect, code)
            continue
        shares = [None if column == PARTNERS else side.share for side in (games.rows.white, games.rows.black)]
        white = white + _brought(level_effect, code[:, 0], shares[0])
        black = black + _brought(level_effect, code[:, 1], shares[1])
    return (white, black) if target == "strength" else white


def _brought(effect: Node, code: Integers, share: Floats | None = None) -> Node:
    """Effects of levels by their codes, -1 for none: (row,), or (row, seat) with the shares of the seats."""
    if share is None:
        has_level = (code >= 0).astype(np.float64)
        values = effect[np.maximum(code, 0)]
        return values if has_level.all() else values * has_level
    return sum(_brought(effect, code[:, seat]) * share[:, seat] for seat in range(share.shape[1]))
