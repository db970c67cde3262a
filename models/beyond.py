"""The catalogue beyond the study: frozen names of the extended models, and how their games become cells.

The rule is the catalogue's: a name keeps its log density for ever. These models have one set of priors, their parts'
own, so that the editions `described` and `corrected` are the same here; the study computed none of them.
"""

from typing import Literal

import numpy as np
import numpy.typing as npt
import pymc as pm

from halfpoint.games.cells import Cells, merge
from halfpoint.games.select import Selection
from halfpoint.games.table import GameTable
from halfpoint.models.board import Board, board
from halfpoint.models.covariates import Design, design
from halfpoint.models.errors import ModelError
from halfpoint.models.extended import Extended, Priors, build

Clock = Literal["period", "date"]
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


def months(games: GameTable, clock: Clock | None = None) -> npt.NDArray[np.int64]:
    """Return the month of each game, shape (game,): its period, or calendar months with January 2010 as 1.

    Parameters
    ----------
    games : GameTable
        The games.
    clock : {"period", "date"}, optional
        What the months of the model were; periods where the games have them, dates otherwise, if not given.

    Raises
    ------
    ModelError
        If the games have neither periods nor dates, or lack the one that the model counts by.
    """
    has = [name for name in ("period", "date") if getattr(games, name) is not None]
    if clock is not None and clock not in has:
        counted = "the numbers of their periods" if clock == "period" else "calendar months"
        raise ModelError(
            f"{games.source}: expected a {clock} for each game, since the strengths of this model walk by {counted}, "
            f"found {f'a {has[0]} alone' if has else 'neither period nor date'}. Add the column {clock}."
        )
    if games.period is not None and clock != "date":
        return np.asarray(games.period, dtype=np.int64)
    if games.date is None or np.isnat(games.date).any():
        raise ModelError(f"{games.source}: expected a period or a date for each game, found games without one")
    return np.asarray(games.date.astype("datetime64[M]").astype(np.int64) - 40 * 12 + 1)


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
