"""Outline of a model without games: its function, run on a few invented games."""

from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from halfpoint.models.declaration.declare_model import declare_model
from halfpoint.models.declaration.declared import Declared
from halfpoint.models.games.select import Selection, select
from halfpoint.models.games.table import LEAD, MARGINS, Floats, GameTable
from halfpoint.models.language.games import OWN
from halfpoint.models.language.model import Model, is_own

_PLAYERS, _GAMES = 4, 12


class _AnyColumn(dict[str, Floats]):
    """Columns of invented games: any requested column exists, with two levels."""

    def __contains__(self, name: object) -> bool:
        return True

    def __missing__(self, name: str) -> Floats:
        return np.arange(_GAMES, dtype=np.float64) % 2


def invented_games() -> Selection:
    """Twelve games of four players over four years of periods, with ratings, margins and any column."""
    game = np.arange(_GAMES)
    white, black = game % _PLAYERS, (game + 1 + game // _PLAYERS) % _PLAYERS
    rating = 1500.0 + 50.0 * np.arange(_PLAYERS, dtype=np.float64)
    table = GameTable(
        np.array([f"player {k}" for k in range(_PLAYERS)]), white.astype(np.int32), black.astype(np.int32),
        (game % 3) / 2.0, period=12 * (game // 3) + 1, white_rating_elo=rating[white], black_rating_elo=rating[black],
        simulated=True,
    )  # fmt: skip
    chosen = select(table, table.people)
    half = np.arange(_GAMES, dtype=np.float64) % 2
    columns = _AnyColumn(margin=np.linspace(-2.0, 2.0, _GAMES), fast=half, event=half.astype(str), session=1.0 + half)
    object.__setattr__(chosen.games, "covariates", MappingProxyType(columns))  # which a table would copy
    return chosen


def outline_of(model: Model, games: GameTable | None = None) -> Declared:
    """A model's formula, inputs and traits: of a user's function on the games, if given; else on invented games."""
    if games is None or not is_own(model):
        return _outline(_Key(model))
    return declare_model(replace(model, weighting="equal", half_life=None), select(games, games.people))


def columns_of(model: Model) -> list[str]:
    """Columns that a reader must keep for a model: columns of its effects, and columns that its function reads."""
    if is_own(model):  # readers keep all columns by default
        return list(model.effects.requested_columns)
    reads = outline_of(model).reads
    names = [name.removeprefix(OWN) for name in reads.columns if name.startswith(OWN)]
    names = [name for name in names if name not in (*MARGINS, LEAD)]  # which readers make of goals
    return list(dict.fromkeys([*reads.effects.requested_columns, *names]))


class _Key:
    """Model as a key: by identity of its function, and its keywords."""

    def __init__(self, model: Model) -> None:
        self.model = model
        words = tuple(sorted((name, repr(value)) for name, value in model.keywords.items()))
        self.words = (model.function, words, tuple(sorted(model.effects.formulas.items())), model.grades)

    def __hash__(self) -> int:
        return hash(self.words)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.words == other.words


@lru_cache(maxsize=128)
def _outline(key: _Key) -> Declared:
    return declare_model(replace(key.model, weighting="equal", half_life=None), invented_games())
