"""One model, fitted again and again by its normal approximation: without some games, with other spreads."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sparse

from halfpoint.games.table import Floats
from halfpoint.inference.normal_fit import NormalFit, Plan, Sums
from halfpoint.models.model import Declared, game_rows

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class NormalRefits:
    """A declared model and its normal approximation on its games, or on some of them.

    Parameters
    ----------
    declared : Declared
        A model that `halfpoint.inference.normal_fit` knows.
    """

    declared: Declared

    @cached_property
    def plan(self) -> Plan:
        """What of the model is approximated."""
        return Plan(self.declared)

    @cached_property
    def games(self) -> tuple[Sums, Sums]:
        """Difference of the sides and draw parameter of each game."""
        selection = self.declared.selection
        return self.plan.sums(game_rows(self.declared.entry, selection, 0, self.declared.coding))

    @cached_property
    def weight(self) -> Floats:
        """How much each outcome of each game counts, shape (game, outcome)."""
        selection = self.declared.selection
        made = np.zeros((len(selection), 3))
        made[np.arange(len(selection)), selection.games.outcome] = selection.weight
        return made

    @cached_property
    def whole(self) -> NormalFit:
        """The fit on all games."""
        cells = self.declared.cells
        if len(cells) < len(self.declared.selection):  # games that agree are one cell
            return self.plan.fit(self.plan.sums(self.declared.rows), cells.weight)
        return self.plan.fit(self.games, self.weight)

    def on(self, kept: Mask, learned: bool = False, start: NormalFit | None = None) -> NormalFit:
        """Return the fit on some games, from where the whole fit ended.

        Parameters
        ----------
        kept : array of bool, shape (game,)
            Which games count.
        learned : bool
            Whether spreads are learned anew; else they stay those of the start.
        start : NormalFit, optional
            Where to begin instead: a fit of a model with the same parameters.
        """
        rows = np.flatnonzero(kept)
        some = self.games[0].take(rows), self.games[1].take(rows)
        return self.plan.fit(some, self.weight[rows], self.whole if start is None else start, learned)

    def probabilities(self, fit: NormalFit, kept: Mask) -> Floats:
        """Return loss, draw and win of some games, integrated over what the fit does not know, shape (game, 3)."""
        rows = np.flatnonzero(kept)
        return fit.probabilities((self.games[0].take(rows), self.games[1].take(rows)))

    def scores(self) -> Any:
        """Return the derivatives of each game's log probability by z at the mode, sparse, shape (game, value)."""
        z, plan = self.whole.z, self.plan
        v = plan.natural(z)
        eta, lam = (one.at(v) for one in self.games)
        slope, _ = plan.information(eta, lam, self.weight, self.weight.sum(axis=1))
        change = sparse.diags_array(plan.chain(z))
        first, second = ((one.slopes(v) @ change) for one in self.games)
        return sparse.diags_array(slope[0]) @ first + sparse.diags_array(slope[1]) @ second

    def ratings(self, z: Floats) -> Floats:
        """Return ratings in Elo points about their mean at values z, shape (..., player)."""
        layout, outcome = self.declared.layout, self.declared.entry.outcome
        start, (players,) = layout.slots["strength"]
        scale = outcome.elo_per_natural(z[..., layout.where("log_draw")])
        strength = z[..., start : start + players]
        return np.asarray((strength - strength.mean(axis=-1, keepdims=True)) * np.asarray(scale)[..., None])
