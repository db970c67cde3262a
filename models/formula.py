"""Formulas of columns: what is known about a game, or about a player at the time of a game, as numbers.

A formula is written for formulae, without an intercept, which the model has itself: "0 + rapid". The columns of a
player are read from `white_NAME` and `black_NAME` of the table. What effects do with them stands in `effects`.

Formulae: Wilkinson & Rogers (1973) Appl. Stat. 22:392.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from halfpoint.games.table import Floats, GameTable
from halfpoint.models.errors import ModelError

TARGETS = ("advantage", "log_draw", "log_width", "strength")


@dataclass(frozen=True, eq=False)
class Design:
    """Columns of a formula for each game.

    Parameters
    ----------
    terms : mapping of str to list of str
        Names of the columns by what they act on.
    columns : mapping of str to array of float, shape (game, term)
        The columns; "strength" stands twice, as "strength_white" and "strength_black".
    """

    terms: Mapping[str, list[str]]
    columns: Mapping[str, Floats]


def matrix(formula: str, table: pd.DataFrame, where: str) -> tuple[list[str], Floats]:
    """Return names and columns of a formula, shape (row, term).

    Raises
    ------
    ModelError
        If the formula cannot be read, names a column that is not there, has an intercept, or meets a missing value.
    """
    from formulae import design_matrices  # brings SciPy's splines, half a second

    try:
        common = design_matrices(formula, table, na_action="error").common
    except Exception as error:  # formulae raises many kinds, for users they are one: a formula that does not work
        known = ", ".join(map(str, table.columns)) or "none"
        raise ModelError(
            f"{where}: formula {formula!r} does not work: {str(error).rstrip('.')}. Columns at hand: {known}."
        ) from error
    if common is None or "Intercept" in common.terms:
        raise ModelError(f"{where}: expected a formula without an intercept (it is in the model), found {formula!r}")
    values = np.asarray(common.design_matrix, dtype=np.float64)
    return list(common.as_dataframe().columns), values


def design(formulas: Mapping[str, str], games: GameTable) -> Design:
    """Return the columns of formulas by what they act on ("advantage", "log_draw" or "strength").

    Raises
    ------
    ModelError
        If a formula acts on something else or does not work on the covariates of the table.
    """
    terms: dict[str, list[str]] = {}
    columns: dict[str, Floats] = {}
    for target, formula in formulas.items():
        where = f"covariates of {target}"
        if target in ("advantage", "log_draw", "log_width"):
            table = pd.DataFrame({key: np.asarray(value) for key, value in games.covariates.items()})
            terms[target], columns[target] = matrix(formula, table, where)
        elif target == "strength":
            both = [side(games, "white_"), side(games, "black_")]
            terms[target], values = matrix(formula, pd.concat(both, ignore_index=True), where)
            columns["strength_white"], columns["strength_black"] = values[: len(games)], values[len(games) :]
        else:
            raise ModelError(f"covariates: expected {' | '.join(TARGETS)}, found {target!r}")
    return Design(terms, columns)


def side(games: GameTable, prefix: str) -> pd.DataFrame:
    """Return the covariates of one side, shape (game, column), their names without the prefix."""
    found = {key.removeprefix(prefix): value for key, value in games.covariates.items() if key.startswith(prefix)}
    return pd.DataFrame({key: np.asarray(value) for key, value in found.items()}, index=np.arange(len(games)))


def of_players(games: GameTable, name: str, values: Mapping[str, float | str]) -> GameTable:
    """Return the games with a player's covariate as the columns `white_NAME` and `black_NAME`.

    Parameters
    ----------
    games : GameTable
        Games.
    name : str
        Name of the covariate.
    values : mapping of player's name to value
        A value for every player of the table.

    Raises
    ------
    ModelError
        If a player has no value.
    """
    lost = [str(player) for player in games.players if str(player) not in values]
    if lost:
        raise ModelError(f"covariate {name}: expected a value for every player, found none for {', '.join(lost[:5])}")
    each = np.asarray([values[str(player)] for player in games.players])
    added = {f"white_{name}": each[games.white], f"black_{name}": each[games.black]}
    return replace(games, covariates={**games.covariates, **added})
