r"""Attributes of entries (car, season, grid) in addition to a competitor's strength, in the language of effects.

    g_e = g_i + sum_k u_k + x_e' c,     u_k ~ N(0, s_k^2),   s_k ~ HalfNormal(400 Elo),   c ~ N(0, 1)

i   competitor of entrant e, `player` in a formula
k   levels of the grouped terms of e: "1 | car" is one number for each car, "1 | player:season" and "1 |
    car:season" one for each competitor, or car, in each season: the deviation of that season
x   ungrouped columns of a placing in the formula

"strength ~ (1 | car) + (1 | player:season) + (1 | car:season)" is the multilevel rank-ordered logit of van Kesteren &
Bergkamp (2023) J. Quant. Anal. Sports 19:273, eq. 4 to 9, with half-normal instead of half-t spreads. An entrant is a
competitor with levels; two entrants follow Bradley-Terry. New levels in future events are drawn from their populations.
The language of formulas is defined in `halfpoint.models.rows.effects`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from halfpoint.apps.fields.races.table import Ints, RaceTable
from halfpoint.models.declaration.catalogue import effect_of, split_effects
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.sides import Sides
from halfpoint.models.games.table import Floats, Texts
from halfpoint.models.pymc_import import Node
from halfpoint.models.rows.design_matrix import DesignMatrix, columns_of, labels
from halfpoint.models.rows.effects import name_of, require_harmless, split_groups

MODEL, _PLAYER, _OF_A_PLACING = "plackett-luce", "player", "strength in an event"


@dataclass(frozen=True, eq=False)
class Entrants:
    """Competitors of events in the levels in which they took part."""

    table: RaceTable  # the events, with entrants for competitors
    player: Ints  # (entrant,): who of the competitors it is
    codes: Mapping[str, Ints]  # (entrant,): its level of each grouped term, such as "player:season"
    levels: Mapping[str, Texts]  # (level,): names of the levels of each
    design: Floats  # (entrant, column): ungrouped columns of the formula
    columns: Sequence[str] = ()  # (column,): names of these
    sides: Sides | None = None  # the people of each entrant, where entrants are sides: a side is the mean of its people

    def strengths(self, p: Mapping[str, Node | Floats]) -> Node | Floats:
        """Strength of each, (..., entrant), from the parameters (..., level) by name, arrays or nodes."""
        if self.sides is not None:
            return (p["strength"][..., self.sides.members] * self.sides.weights).sum(axis=-1)
        strength = p["strength"][..., self.player]
        for term, code in self.codes.items():
            strength = strength + p[name_of("strength", term)][..., code]
        return strength + p["strength_effect"] @ self.design.T if self.columns else strength

    def of_people(self, information: Floats, count: int) -> Floats:
        """Information about each person's strength, shape (person,), from information about entrants."""
        if self.sides is None:
            return np.bincount(self.player, information, count)
        by_member = np.where(self.sides.members >= 0, self.sides.weights**2 * information[:, None], 0.0)
        return np.bincount(np.maximum(self.sides.members, 0).ravel(), by_member.ravel(), count)

    @property
    def latest(self) -> Ints:
        """Last entrant of each competitor, shape (competitor,)."""
        latest = np.zeros(self.player.max() + 1, dtype=np.int64)
        latest[self.player[self.table.who]] = self.table.who
        return latest


def formula_of(model: str) -> str:
    """Formula of strengths in the name of a model, such as "plackett-luce with strength ~ 1 | car"; or empty."""
    base, effects = split_effects(model)
    targets = [effect_of(text) for text in effects]
    if base != MODEL or [target for target, _ in targets] not in ([], ["strength"]):
        raise GameTableError("--model", f"{MODEL}, or '{MODEL} with strength ~ FORMULA'", repr(model))
    for _, formula in targets:
        require_harmless(_OF_A_PLACING, formula)
    return targets[0][1] if targets else ""


def columns_asked(formula: str) -> list[str]:
    """Columns of a file that a formula reads."""
    fixed, groups = split_groups(formula)
    names = [name for term in groups for name in term.split(":")] + columns_of({_OF_A_PLACING: fixed} if fixed else {})
    return [name for name in dict.fromkeys(names) if name != _PLAYER]


def entrants_of(table: RaceTable, formula: str = "") -> Entrants:
    """Entrants of events by a formula; the competitors themselves without one."""
    fixed, groups = split_groups(formula)
    if formula and table.sides is not None:
        raise GameTableError("--model", f"{MODEL} alone for sides of several people", repr(formula))
    if not formula:
        count = table.competitors.size
        return Entrants(table, np.arange(count), {}, {}, np.zeros((count, 0)), sides=table.sides)
    cells = {_PLAYER: table.competitors[table.who]} | dict(table.covariates)
    codes, levels = dict[str, Ints](), dict[str, Texts]()
    for term in groups:
        names = labels(cells[term.split(":")[0]])
        for name in term.split(":")[1:]:
            names = np.char.add(np.char.add(names, ":"), labels(cells[name]))
        levels[term], codes[term] = np.unique(names, return_inverse=True)
    design = {_OF_A_PLACING: fixed} if fixed else {}
    matrices = DesignMatrix(design, {name: cells[name] for name in columns_of(design)})
    wide, columns = np.zeros((table.who.size, 0)), list[str]()
    for target, common in matrices.matrices.items():
        wide, columns = np.delete(common.design_matrix, common.slices["Intercept"], axis=1), matrices.terms[target]
    keys = np.column_stack([table.who, *codes.values(), wide])
    _, first, who = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    names = np.char.add(np.char.add(table.competitors[table.who[first]], " "), np.arange(first.size).astype(np.str_))
    events = replace(table, competitors=names, who=who.ravel().astype(np.int32), covariates={})
    entrant_codes = {term: code[first] for term, code in codes.items()}
    return Entrants(events, table.who[first].astype(np.int64), entrant_codes, levels, wide[first], columns)
