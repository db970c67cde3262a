"""The catalogue beyond the study: frozen names of the extended models, and how their games become cells.

The rule is the catalogue's: a name keeps its log density for ever. These models have one set of priors, their parts'
own, so that the editions `described` and `corrected` are the same here; the study computed none of them.
"""

import numpy as np
import pymc as pm

from halfpoint.games.cells import Cells, merge
from halfpoint.games.select import Selection
from halfpoint.games.table import GameTable
from halfpoint.models.board import Board, board
from halfpoint.models.covariates import Design, design
from halfpoint.models.extended import Extended, Priors, build
from halfpoint.models.periods import months

RAPID = {"advantage": "0 + rapid", "log_draw": "0 + rapid"}

EXTENDED: dict[str, Extended] = {
    entry.name: entry
    for entry in (
        Extended("bt-scaled", "bradley_terry", scaled=True),
        Extended("davidson-scaled", scaled=True),
        Extended("davidson-scaled-level", scaled=True, level=True),
        Extended("bt-pooled", "bradley_terry", advantage="pooled"),
        Extended("davidson-pooled", advantage="pooled"),
        Extended("bt-population", "bradley_terry", strength="pooled"),
        Extended("davidson-population", strength="pooled"),
        Extended("davidson-population-scaled", strength="pooled", scaled=True),
        Extended("davidson-strength-draws", scaled=True, draw_slope=True),
        Extended("davidson-player-draws", scaled=True, draw_tendency=True),
        Extended("davidson-all-draws", scaled=True, draw_slope=True, draw_tendency=True),
        Extended("rao-kupper", "rao_kupper"),
        Extended("rao-kupper-scaled", "rao_kupper", scaled=True),
        Extended("rao-kupper-all-draws", "rao_kupper", scaled=True, draw_slope=True, draw_tendency=True),
        Extended("bt-walk", "bradley_terry", strength="walk"),
        Extended("davidson-walk", strength="walk"),
        Extended("davidson-walk-scaled", strength="walk", scaled=True),
        Extended("davidson-rapid", formulas=RAPID),
        Extended("davidson-rapid-scaled", scaled=True, formulas=RAPID),
        Extended("bt-population-even", "bradley_terry", advantage="none", strength="pooled"),
        Extended("davidson-population-even", advantage="none", strength="pooled"),
        Extended("bt-population-neutral", "bradley_terry", strength="pooled", neutral=True),
        Extended("davidson-population-neutral", strength="pooled", neutral=True),
        Extended("bt-rated", "bradley_terry", strength="rated"),
        Extended("davidson-rated", strength="rated"),
    )
}


def rows_of(entry: Extended, selection: Selection, first_month: int = 0) -> Board:
    """Return the board of single games for an extended model; months count from `first_month`."""
    month = months(selection.games) - first_month if entry.strength == "walk" else None
    return board(selection, month, columns_of(entry, selection.games).columns)


def columns_of(entry: Extended, games: GameTable) -> Design:
    """Return the columns of games that a model reads: of its formulas, and `home`, 0 on neutral grounds and else 1."""
    made = design(entry.formulas, games) if entry.formulas else Design({}, {})
    if not entry.neutral:
        return made
    neutral = np.asarray(games.covariates.get("neutral", np.zeros(len(games))), dtype=np.float64)
    return Design(made.terms, {**made.columns, "home": (1.0 - neutral)[:, None]})


def prepare(entry: Extended, selection: Selection, priors: Priors | None = None) -> tuple[Cells, pm.Model]:
    """Return the cells of a selection and the model on them.

    Games of different months (strengths that walk) or with different covariates stay apart.

    Parameters
    ----------
    entry : Extended
        Name and options.
    selection : Selection
        The games.
    priors : Priors, optional
        Priors; the parts' own by default.

    Raises
    ------
    ModelError
        If the games lack the times or covariates that the model needs.
    """
    if entry.strength == "walk":
        month = months(selection.games)
        cells = merge(selection, month - month.min())
        return cells, build(cells, entry, priors, int(month.min()))
    ratings = selection.ratings_elo() if entry.strength == "rated" else None
    made = columns_of(entry, selection.games)
    if not made.columns:
        cells = merge(selection)
        return cells, build(cells, entry, priors, ratings_elo=ratings)
    _, kind = np.unique(np.concatenate(list(made.columns.values()), axis=1), axis=0, return_inverse=True)
    cells = merge(selection, kind.ravel())
    game = np.zeros(len(cells), dtype=np.int64)
    game[cells.cell_of_game] = np.arange(len(selection))
    columns = {name: values[game] for name, values in made.columns.items()}
    return cells, build(cells, entry, priors, effects=columns, terms=made.terms, ratings_elo=ratings)
