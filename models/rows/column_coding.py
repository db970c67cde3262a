"""Coding of columns and levels by the games of a fit, applied to further games; its part of a trace.

Levels of grouped effects and partners have codes in the order of their names. A level that the games of the fit lack is
coded by the hash of its name, so that forecasts of single games and of all games together agree.

A trace keeps the columns that the formulas read, one value per game, as numbers or text. Readers of a trace code them
again with formulae and compare names and size of the result, since another version may code differently.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from halfpoint.models.errors import ModelError
from halfpoint.models.games.sides import JOINED, Sides
from halfpoint.models.games.table import Codes, Floats, GameTable, Integers, Texts
from halfpoint.models.rows.design_matrix import DesignMatrix, columns_of, labels
from halfpoint.models.rows.effects import PARTNERS, PLAYER, Effects, name_of
from halfpoint.models.rows.rows import Columns, GameRows, Side

_JOINER = ":"  # between a player and a level, as R names an interaction
FORM, _COMING = f"{PLAYER}event", "an event to come"
_UNSEEN_LEVEL = -2  # the largest code of a level that a model does not know
_NOBODY: Texts = np.empty(0, dtype=np.str_)
KEPT = "column_"  # a trace's name of a column begins with it
SIZE = "_design_size"  # and that of the size of a coded matrix ends with this


@dataclass(frozen=True, eq=False)
class Coding:
    """Coding of columns and levels by the games of a fit, for these and further games."""

    effects: Effects  # the formulas
    design: DesignMatrix  # the columns of fixed formulas
    levels: Mapping[str, Texts]  # names of the levels of each column that effects are grouped by, partners among them
    people: Texts = field(default_factory=lambda: _NOBODY)  # (player,): players of the model
    labels: Mapping[str, Texts] = field(default_factory=dict)  # (game,): levels in the games of the fit, by column

    @property
    def coords(self) -> Mapping[str, Sequence[str] | Texts]:
        """Names of terms and of levels as coordinates of a model."""
        return {f"{target}_term": names for target, names in self.design.terms.items()} | dict(self.levels)

    def columns(self, games: GameTable, white: Codes | Side, black: Codes | Side) -> dict[str, npt.NDArray[Any]]:
        """Columns of games: fixed columns (game, term), codes of levels (game,), codes of partners (game, 2).

        A level that the games of the fit lack has a code of at most `_UNSEEN_LEVEL`, by its name; the code is -1 if a
        game has no level or partner.
        """
        games = self.effects.with_derived_columns(games)
        columns: dict[str, npt.NDArray[Any]] = dict(self.design.columns(games))
        for target, column in self.effects.groups():
            if column == PARTNERS:
                continue  # they belong to sides
            term, of_game = f"{target} | {column}", games.covariates.get(column.removeprefix(PLAYER))
            levels = np.full(len(games), "") if of_game is None else labels(of_game)
            columns[term] = self.of_players(term, levels, white, black) if PLAYER in term else self.codes(term, levels)
        return self.of_sides(white, black) | columns

    def of_players(self, term: str, levels: Texts, white: Codes | Side, black: Codes | Side) -> Integers:
        """Codes of the people on White's and on Black's side in the levels of the games, shape (game, 2, seat)."""
        people, sides = np.append(self.people, ""), []
        for side in (white, black):
            filled = np.where(side.share > 0.0, side.players, -1) if isinstance(side, Side) else side[:, None]
            seats = [
                self.codes(term, _in_context(people[codes], levels)) for codes in np.where(filled < 0, -1, filled).T
            ]
            sides.append(np.stack(seats, axis=1))
        most = max(side.shape[1] for side in sides)
        return np.stack(
            [np.pad(side, ((0, 0), (0, most - side.shape[1])), constant_values=-1) for side in sides], axis=1
        )

    @property
    def without_covariates(self) -> "Coding":
        """Columns of games with known players only: all effects of columns count 0."""
        groups = [name for name in (PARTNERS, FORM) if name in self.levels]
        formulas = {"strength": " + ".join(f"(1 | {name})" for name in groups)} if groups else {}
        return replace(self, effects=Effects(formulas), design=DesignMatrix({}, {}))

    def codes(self, term: str, names: Texts) -> Integers:
        """The codes of levels by their names, "" for none."""
        index = {name: code for code, name in enumerate(self.levels[term.partition(" | ")[2]].tolist())} | {"": -1}
        unique, place = np.unique(names, return_inverse=True)
        codes = [index[name] if name in index else _UNSEEN_LEVEL - _number_of(term, name) for name in unique.tolist()]
        return np.array(codes, dtype=np.int64)[place.reshape(-1)]

    def of_sides(self, white: Codes | Side, black: Codes | Side) -> dict[str, npt.NDArray[Any]]:
        """Columns of sides: codes of partners, shape (row, 2), -1 for none; form at a further event."""
        form = f"strength | {FORM}"
        events = np.full(len(white), _COMING)
        columns = {form: self.of_players(form, events, white, black)} if FORM in self.levels else {}
        if PARTNERS not in self.levels:
            return columns
        partners = []
        for side in (white, black):
            if not isinstance(side, Side):
                partners.append(np.full(len(side), -1))
                continue
            filled = np.where(side.share > 0.0, side.players, -1)
            groups, row = np.unique(filled, axis=0, return_inverse=True)
            names = np.array(team_names(groups, self.people), dtype=np.str_)
            partners.append(self.codes(f"strength | {PARTNERS}", names)[row.ravel()])
        return columns | {f"strength | {PARTNERS}": np.stack(partners, axis=1)}

    @property
    def trace_variables(self) -> dict[str, tuple[object, object]]:
        """Variables of a trace with their dims: the columns of the games, uncoded, and sizes of columns."""
        variables: dict[str, tuple[object, object]] = {
            f"{target}{SIZE}": ((), size) for target, size in self.design.sizes.items()
        }
        for name, values in {**self.labels, **self.design.fitted}.items():
            variables[KEPT + name] = ("game", values if values.dtype.kind == "f" else values.astype(object))
        return variables


def code_columns(effects: Effects, games: GameTable, people: Texts = _NOBODY) -> Coding:
    """Code the columns and levels of games, for these and for further games; people (player,)."""
    if not effects:
        return Coding(effects, DesignMatrix({}, {}), {}, people)
    games = effects.with_derived_columns(games)
    grouped = [name.removeprefix(PLAYER) for _, name in effects.groups() if name != PARTNERS]
    lost = [name for name in grouped if name not in games.covariates]
    if lost:
        available = ", ".join(map(str, games.covariates)) or "none"
        raise ModelError(f"grouped effect: expected the column {lost[0]!r}, found {available}")
    labels_of_games = {name: labels(games.covariates[name]) for name in grouped}
    levels = {name: _levels_of(name, games, labels_of_games, people) for _, name in effects.groups()}
    return Coding(effects, DesignMatrix.of(effects.fixed_formulas(), games), levels, people, labels_of_games)


def coding_from_trace(effects: Effects, data: Columns, labels_of: Columns, people: Texts) -> Coding:
    """Read the coding of a trace; people (player,)."""
    fixed, groups = effects.fixed_formulas(), {column for _, column in effects.groups()}
    terms = [f"{target}_term" for target in fixed]
    stored = [KEPT + name for name in columns_of(fixed)]
    lost = [name for name in stored if name not in data or data[name].ndim != 1 or data[name].dtype.kind not in "fOUT"]
    lost += [name + SIZE for name in fixed if np.shape(data.get(name + SIZE, [0])) != ()]
    lost += [stored[0]] if len({data[name].size for name in stored if not lost}) > 1 else []
    lost += [name for name in (*terms, *groups - {PARTNERS}) if name not in labels_of]
    if lost:
        raise ModelError(f"trace: {lost[0]!r}, which its effects use, is missing. Fit the model again.")
    columns = {
        name.removeprefix(KEPT): data[name] if data[name].dtype.kind == "f" else data[name].astype(np.str_)
        for name in stored
    }
    fits = {
        name: (np.asarray(labels_of[f"{name}_term"]).astype(str).tolist(), float(data[name + SIZE])) for name in fixed
    }
    design = DesignMatrix(fixed, columns, fits)
    levels = {name: np.asarray(labels_of.get(name, _NOBODY)).astype(np.str_) for name in groups}
    return Coding(effects, design, levels, people)


def draw_unseen_levels(
    effects: Effects, p: Mapping[str, Floats], rows: GameRows, seed: int = 0, given: Mapping[str, float] | None = None
) -> tuple[dict[str, Floats], GameRows]:
    """Draw effects of unknown levels, from their spread, into parameters and rows.

    One number per level and draw of the posterior, which does not depend on other games. Spreads are learned, or
    `given` by "TARGET | COLUMN" for strengths by context. Other levels whose spread is given, such as deals, are a
    nuisance and get no number: their effect counts 0.

    Shapes: p (draw, ...).
    """
    drawn, columns = dict(p), dict(rows.columns)
    for target, column in effects.groups():
        name, term = name_of(target, column), f"{target} | {column}"
        of_context = (given or {}).get(term, 0.0) if column.startswith(PLAYER) else 0.0
        if term not in columns or (f"{name}_spread" not in p and not of_context):
            continue
        code, spread = columns[term], p.get(f"{name}_spread", np.full(len(p[name]), of_context))
        strange = np.unique(code[code <= _UNSEEN_LEVEL])
        if not strange.size:
            continue
        about = [np.random.default_rng([seed, -int(unseen)]).standard_normal(spread.size) for unseen in strange]
        place = p[name].shape[-1] + np.searchsorted(strange, code)
        columns[term] = np.where(code <= _UNSEEN_LEVEL, place, code)
        drawn[name] = np.concatenate([p[name], spread[:, None] * np.stack(about, axis=-1)], axis=-1)
    changed = any(columns[name] is not value for name, value in rows.columns.items())
    return drawn, replace(rows, columns=columns) if changed else rows


def _number_of(term: str, name: str) -> int:
    """A number of a level by its name, below 2^62, the same in every process."""
    return int.from_bytes(sha256(f"{term}: {name}".encode()).digest()[:8]) >> 2


def _in_context(names: Texts, levels: Texts) -> Texts:
    """Names of players in levels, "Ann:clay", empty where either is, shape of both."""
    is_named = (names != "") & (levels != "")
    return np.where(is_named, np.char.add(np.char.add(names, _JOINER), levels), "")


def _levels_of(name: str, games: GameTable, labels_of_games: Mapping[str, Texts], people: Texts) -> Texts:
    """Names of the levels of a grouped effect, sorted, shape (level,), from the labels of games by column."""
    if name == PARTNERS:
        return partnerships(games)
    levels = labels_of_games[name.removeprefix(PLAYER)]
    return contexts(games, levels, people) if name.startswith(PLAYER) else np.unique(levels[levels != ""])


def contexts(games: GameTable, levels: Texts, people: Texts) -> Texts:
    """Pairs of a player with parameters and a level in which they played, by name, sorted, shape (pair,)."""
    seats, names = games.everyone, games.people
    pairs = pd.DataFrame({"player": names[seats].T.ravel(), "level": np.tile(levels, seats.shape[1])})
    pairs = pairs[(seats.T.ravel() >= 0) & pairs["player"].isin(people) & (pairs["level"] != "")].drop_duplicates()
    names_of_pairs = np.unique(_in_context(*(pairs[column].to_numpy(dtype=np.str_) for column in ("player", "level"))))
    if names_of_pairs.size < len(pairs):
        raise ModelError(f"players in contexts: expected names that differ joined by {_JOINER!r}, found equal names")
    return names_of_pairs


def team_names(members: Codes, people: Texts) -> list[str]:
    """Name of each set of people, empty for a single person, shape (set,); -1 in empty seats."""
    names = [[str(people[code]) for code in seats if code >= 0] for seats in members.tolist()]
    return [JOINED.join(sorted(team)) if len(team) > 1 else "" for team in names]


def partnerships(games: GameTable) -> Texts:
    """Sets of people who play together in games, by name, sorted, shape (set,); empty for single players."""
    sides: Sides | None = games.sides
    if sides is None:
        return _NOBODY
    used = np.unique(np.concatenate([games.white, games.black]))
    named = sorted(set(team_names(sides.members[used], sides.people)) - {""})
    return np.array(named, dtype=np.str_)


def zero_columns(
    coding: Coding | None, count: int, present: Mapping[str, object]
) -> dict[str, npt.NDArray[np.generic]]:
    """Columns of effects that count 0: zeros, and no level."""
    if coding is None:
        return {}
    columns: dict[str, npt.NDArray[Any]] = {}
    for target in coding.effects.fixed_formulas():
        size = len(coding.coords[f"{target}_term"])
        names = ("strength_white", "strength_black") if target == "strength" else (target,)
        columns |= {name: np.zeros((count, size)) for name in names if name not in present}
    for target, column in coding.effects.groups():
        term = f"{target} | {column}"
        if term not in present:
            seats = (2,) if column == "partners" else (2, 1) if ":" in column else ()
            columns[term] = np.full((count, *seats), -1)
    return columns
