"""A `pm.Model` that was finished by hand, on games without a function for other games."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from halfpoint.models.declaration.declared import Declared
from halfpoint.models.errors import ModelError
from halfpoint.models.games.ranges import require_instance
from halfpoint.models.games.select import Selection, merge
from halfpoint.models.language.games import Games, Recorder
from halfpoint.models.language.model import Model, by_hand
from halfpoint.models.reading.ground import Ground
from halfpoint.models.reading.reads import Reads

if TYPE_CHECKING:
    import pymc as pm


def games_view(selection: Selection) -> Games:
    """Games for a `pm.Model` written by hand, one row per game; `halfpoint.sample` accepts the finished model.

    Parameters
    ----------
    selection : Selection
        From `halfpoint.select`.
    """
    ground = Ground(selection, Model("model-of-your-own", by_hand))
    cells = merge(selection, np.arange(len(selection)))
    row_of_cell = np.zeros(len(cells), dtype=np.int64)
    row_of_cell[cells.cell_of_row] = np.arange(len(selection))
    rows = ground.rows(Reads(neutral=True)).take(row_of_cell)
    declared = Declared(ground.model, "corrected", selection, cells, rows, ground, Reads(neutral=True))
    facts = replace(
        ground.facts(cells, row_of_cell), column=lambda key: ground.column(key)[row_of_cell],
        period=lambda months: (ground.period(months) - ground.periods(months)[0])[row_of_cell],
    )  # fmt: skip
    return Games(rows, cells.weight, facts, Recorder(), source=declared)


def declared_of(model: "pm.Model") -> Declared:
    """Turn a finished PyMC model, whose games came by a log-potential, into a declared model."""
    from pymc import Model

    from halfpoint.models.reading.games_variable import games_of

    require_instance("declared", model, (Declared, Model), "Use hp.declare(model, selection).")
    games = games_of(model).op.games
    source = games.source
    if source is None:
        raise ModelError("model: expected all games of `declare` or `games_view`, found a part of their rows")
    declared: Declared = replace(source, graph=model, rows=games.rows, reads=Reads.of(games.recorder))
    return declared
