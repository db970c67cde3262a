"""Design matrix of formulas: columns of a game, or of a player at that time, as numbers.

A formula is written for formulae, without an intercept, which the model has itself: "0 + rapid". The columns of a
player are read from `white_NAME` and `black_NAME` of the table. `effects` describes their use.

The games of the fit determine the coding of columns, once: means and spreads of `center`, `scale` and `standardize`,
knots of `bs`, coefficients of `poly`, levels of text and of `C()`. New games are coded likewise, one at a time or
together. Text is coded against its first level in alphabetical order, since the model has an intercept: `advantage` and
`log_draw` refer to games at that level in which numbers are 0.

Formulae: Wilkinson & Rogers (1973) Appl. Stat. 22:392.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pandas as pd

from halfpoint.models.errors import ModelError
from halfpoint.models.games.table import Floats, GameTable, Texts

if TYPE_CHECKING:
    from formulae.matrices import CommonEffectsMatrix

_SEATS = ("white_", "black_")
_CONTRASTS = {"", "Sum", "Treatment"}  # words of formulae inside C()
_WHOLE = re.compile(r"\A-?\d+\.0")
_FACTOR = re.compile(r"\bC\(\s*(\w+)")
_LISTED = 6  # levels that a message names


def _names_in(formula: str) -> list[str]:
    """The columns that a formula reads, sorted."""
    from formulae import model_description  # brings SciPy's splines, half a second

    try:
        description = model_description(formula)
    except Exception as error:  # formulae raises many kinds, for users they are one: a formula that does not work
        raise ModelError(f"effects: formula {formula!r} does not work: {_error_line(error)}") from error
    if "Intercept" in [term.name for term in description.terms]:
        raise ModelError(f"effects: expected a formula without an intercept (it is in the model), found {formula!r}")
    return sorted(description.var_names - _CONTRASTS)


def columns_of(formulas: Mapping[str, str]) -> list[str]:
    """Columns of games that formulas read, by target; columns of players twice, by seat."""
    columns = [
        prefix + name
        for target, formula in formulas.items()
        for name in _names_in(formula)
        for prefix in (_SEATS if target == "strength" else ("",))
    ]
    return list(dict.fromkeys(columns))


def _games_column(games: GameTable, name: str, source: str) -> Floats | Texts:
    """A column of games as numbers or as text, shape (game,)."""
    if name not in games.covariates:
        available = ", ".join(map(str, games.covariates)) or "none"
        raise ModelError(f"{source}: expected the column {name!r}, found {available}")
    values = np.asarray(games.covariates[name])
    values = values.astype(np.float64) if values.dtype.kind in "biuf" else values
    lost = np.flatnonzero(pd.isna(values) if values.dtype.kind in "fO" else values == "")
    if lost.size:
        raise ModelError(f"{games.place(int(lost[0]))}: {source}: expected a value in the column {name!r}, found none")
    return values if values.dtype.kind == "f" else np.asarray(values.astype(str), dtype=np.str_)


def labels(values: npt.ArrayLike) -> Texts:
    """Names of levels from numbers or text, shape (game,): 1 and 1.0 give "1", missing values ""."""
    values = np.asarray(values)
    values = values.astype(np.float64) if values.dtype.kind == "b" else values
    distinct, place = np.unique(np.where(pd.isna(values), "", values.astype(str)), return_inverse=True)
    names = [text.removesuffix(".0") if _WHOLE.fullmatch(text) else text for text in distinct.tolist()]
    return np.array(names, dtype=np.str_)[place.reshape(-1)]


def _error_line(error: Exception) -> str:
    """Message of an error, in one line without a full stop."""
    return " ".join(str(error).split()).rstrip(".")


def _names_of(common: "CommonEffectsMatrix") -> list[str]:
    """Names of the columns of a matrix of formulae, without the intercept."""
    return [str(name) for name in common.as_dataframe().columns if name != "Intercept"]


def _size_of(common: "CommonEffectsMatrix") -> float:
    """Sum of squares of a matrix of formulae."""
    return float(np.square(np.asarray(common.design_matrix, dtype=np.float64)).sum())


def _shorten_names(names: Sequence[str]) -> str:
    """Join the first of some names."""
    omitted = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return ", ".join(names[:_LISTED]) + omitted


@dataclass(frozen=True, eq=False)
class DesignMatrix:
    """Design matrix of games, coded by the games of a fit."""

    formulas: Mapping[str, str]  # formulas by target: "advantage", "log_draw", "log_width" or "strength"
    # (game,): the columns that they read, numbers or text, of the games of the fit: a trace keeps these, and formulae
    # codes other games from them alike
    fitted: Mapping[str, Floats | Texts]
    # names of the coded columns at the fit, and the sum of their squares, which must come out again
    seen: Mapping[str, tuple[list[str], float]] = field(default_factory=dict)

    @classmethod
    def of(cls, formulas: Mapping[str, str], games: GameTable) -> "DesignMatrix":
        """Design matrix coded by these games."""
        fitted: dict[str, Floats | Texts] = {}
        for target, formula in formulas.items():
            fitted |= {
                name: _games_column(games, name, f"effects on {target}") for name in columns_of({target: formula})
            }
        design = cls(formulas, fitted)
        _ = design.matrices  # made here, so that errors name these games
        return design

    @cached_property
    def matrices(self) -> "dict[str, CommonEffectsMatrix]":
        """Design matrix of each formula, by formulae, on the games of the fit."""
        built = {target: self.matrix(target, formula) for target, formula in self.formulas.items()}
        for target, (names, size) in self.seen.items():
            if names != _names_of(built[target]) or not np.isclose(size, _size_of(built[target]), rtol=1e-9, atol=0.0):
                raise ModelError(
                    f"trace: the columns of {self.formulas[target]!r} differ from those of the fit: formulae "
                    f"{version('formulae')} codes them differently. Fit the model again."
                )
        return built

    def matrix(self, target: str, formula: str) -> "CommonEffectsMatrix":
        """Design matrix of a formula with an intercept, by formulae: text is coded against a level."""
        from formulae import design_matrices

        source, table = f"effects on {target}", self.frame(target, self.fitted)
        try:
            with np.errstate(all="ignore"):  # values that are no numbers are refused below
                common = design_matrices(f"{formula} + 1", table, na_action="error").common
        except Exception as error:  # as above
            raise ModelError(f"{source}: formula {formula!r} does not work: {_error_line(error)}") from error
        wide = np.asarray(common.design_matrix, dtype=np.float64)
        if not np.isfinite(wide).all() or any(part.start == part.stop for part in common.slices.values()):
            raise ModelError(
                f"{source}: every game has the same value in a column of {formula!r}. Leave that column out"
            )
        return common

    def frame(self, target: str, columns: Mapping[str, Floats | Texts]) -> pd.DataFrame:
        """Columns that a formula reads, shape (row, name); for columns of players White's games, then Black's."""
        names = _names_in(self.formulas[target])
        seats = _SEATS if target == "strength" else ("",)
        return pd.DataFrame({name: np.concatenate([columns[seat + name] for seat in seats]) for name in names})

    @property
    def terms(self) -> dict[str, list[str]]:
        """Names of the columns by target."""
        return {target: _names_of(common) for target, common in self.matrices.items()}

    @property
    def sizes(self) -> dict[str, float]:
        """Sums of squares of the coded columns of the games of the fit, by target."""
        return {target: _size_of(common) for target, common in self.matrices.items()}

    def origin(self, target: str) -> str:
        """Describe where the columns of a formula are 0: "kind = blitz, scale(altitude) = 0"."""
        said = []
        for name, term in self.matrices[target].terms.items() if target in self.matrices else ():
            if name == "Intercept" or ":" in name:
                continue  # products are 0 where their parts are
            zero = "0"
            if term.kind == "categoric":
                coding, levels = term.components[0].contrast_matrix.matrix, term.components[0].levels
                at = np.flatnonzero(~coding.any(axis=1)).tolist()
                zero = str(labels(levels)[at[0]]) if at else "the mean of its levels"
            said.append(f"{name} = {zero}")
        return ", ".join(said)

    def columns(self, games: GameTable) -> dict[str, Floats]:
        """Columns of games by target, shape (game, term); "strength" twice, by seat."""
        columns: dict[str, Floats] = {}
        for target, common in self.matrices.items():
            table = self.alike(target, games)
            try:
                matrix = common.evaluate_new_data(table)
            except Exception as error:  # as above
                formula = self.formulas[target]
                raise ModelError(f"effects on {target}: {formula!r} does not work: {_error_line(error)}") from error
            values = np.delete(np.asarray(matrix.design_matrix, dtype=np.float64), common.slices["Intercept"], axis=1)
            if target == "strength":
                columns["strength_white"], columns["strength_black"] = np.split(values, 2)
            else:
                columns[target] = values
        return columns

    def alike(self, target: str, games: GameTable) -> pd.DataFrame:
        """Columns of games that a formula reads, with the types of the fit (numbers or text)."""
        source, formula = f"effects on {target}", self.formulas[target]
        fitted = self.frame(target, self.fitted)
        table = self.frame(target, {name: _games_column(games, name, source) for name in columns_of({target: formula})})
        for name in fitted:
            numbers = fitted[name].dtype.kind == "f"
            if not numbers and table[name].dtype.kind == "f":
                table[name] = labels(table[name])
            values = pd.to_numeric(table[name], errors="coerce") if numbers else table[name]
            wrong, expected = values.isna(), "a number"
            if not numbers or name in _FACTOR.findall(formula):
                levels = sorted(fitted[name].unique().tolist())
                wrong = ~values.isin(levels)
                expected = f"one of the levels of the fit ({_shorten_names(labels(levels).tolist())})"
            if wrong.any():
                row = int(np.flatnonzero(wrong)[0])
                raise ModelError(
                    f"{games.place(row % len(games))}: {source}: expected {expected} in the column {name!r}, found "
                    f"{str(labels(table[name].iloc[row : row + 1])[0])!r}"
                )
            table[name] = values
        return table
