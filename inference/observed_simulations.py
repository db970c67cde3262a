"""Simulated games of a likelihood of PyMC's own: goals, margins or codes drawn with the parameters that give them.

    theta, y ~ p(theta) p(y | theta)     one draw of the model's graph;  columns and results of the games follow from y

The function runs on the games with y in place of the columns that it observes. Simulation needs each observed variable
to be a column as it is, or to leave y unchanged, as a column that is capped does.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from halfpoint.inference.errors import InferenceError
from halfpoint.models.declaration.declare_model import declare_model
from halfpoint.models.declaration.declared import Declared
from halfpoint.models.games.select import select
from halfpoint.models.games.table import Codes, Floats
from halfpoint.models.language.games import OWN, RESULT
from halfpoint.models.language.responses import Responses, as_level
from halfpoint.models.reading.own_likelihoods import observed_by_game
from halfpoint.models.reading.prior_draws import PriorDraws


@dataclass(frozen=True, eq=False)
class ObservedSimulations:
    """Simulations of a model whose likelihood is PyMC's own, on the games of a design."""

    declared: Declared

    @cached_property
    def columns(self) -> dict[str, tuple[str, ...]]:
        """Names of the columns that each observed variable has, by variable."""
        names = [key.removeprefix(OWN) for key in self.declared.reads.observed]
        columns = {}
        for variable, (_, seen) in observed_by_game(self.declared.model, len(self.declared.rows)).items():
            parts = np.reshape(seen, (len(seen), -1)).T
            same = [next((name for name in names if np.array_equal(self._seen(name), part)), "") for part in parts]
            columns[variable] = tuple(names if len(parts) == len(names) == 1 else same)
            if not all(columns[variable]):
                raise self._fault(variable)
        return columns

    def _fault(self, variable: str) -> InferenceError:
        """Error that names an observed variable."""
        return InferenceError(
            f"calibration: {variable} of model {self.declared.spec.name} observes no unchanged column, so simulated "
            'values cannot replace it. Observe games.observed("NAME") directly.'
        )

    def _seen(self, name: str) -> Floats:
        """Values of an observed column, (row,)."""
        games = self.declared.selection.games
        values = games.outcome if name == RESULT else games.covariates[name]
        return np.asarray(values, dtype=np.float64)[np.argsort(self._cell_of_game)]

    @property
    def _cell_of_game(self) -> Codes:
        """Row of each game; games of such a model are never merged."""
        return self.declared.cells.cell_of_game

    @cached_property
    def _draws(self) -> PriorDraws:
        """Draws of parameters and observed variables."""
        variables = observed_by_game(self.declared.model, len(self.declared.rows))
        return PriorDraws(self.declared.model, [rv for rv, _ in variables.values()])

    def one(self, rng: np.random.Generator) -> tuple[Mapping[str, object], Declared]:
        """A truth, and the model on games that it gives."""
        values, responses, cell_of_game = self._draws.one(rng), self.declared.reads.responses, self._cell_of_game
        assert responses is not None
        observed = {name: np.asarray(values[name], dtype=np.float64) for name in self.columns}
        games = self.declared.selection.games
        further = {
            name: part[cell_of_game]
            for variable, names in self.columns.items()
            for name, part in zip(names, observed[variable].reshape(-1, len(names)).T, strict=True)
            if name != RESULT
        }
        outcome = outcomes_of(responses, observed)[cell_of_game]
        table = replace(games, score=outcome / 2.0, covariates={**games.covariates, **further})
        model = replace(self.declared.spec, responses=responses)
        declared = declare_model(model, select(table, self.declared.selection.players))
        again, order = observed_by_game(declared.model, len(declared.rows)), np.argsort(declared.cells.cell_of_game)
        for variable, value in observed.items():
            if not np.array_equal(again[variable][1], value[cell_of_game][order]):
                raise self._fault(variable)
        return values, declared


def outcomes_of(responses: Responses, observed: Mapping[str, Floats]) -> Floats:
    """Results from observed values: 0 a loss, 1 a draw, 2 a win of the first seat."""
    values = [observed[name] for name in responses.variables]
    if responses.kind == "code":
        outcome_of = dict(responses.levels)
        return np.array([float(outcome_of[as_level(value)]) for value in values[0]])
    gap = values[0] - values[1] if len(values) == 2 else values[0]
    return np.asarray(1.0 + np.sign(gap @ [1.0, -1.0] if gap.ndim == 2 else np.rint(gap)))
