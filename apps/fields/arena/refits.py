"""Refits of a board without some judgements, by a Gaussian approximation, and the influence of each judgement."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import scipy.sparse as sparse

from halfpoint.inference.gaussian.reweighted_fit import ReweightedFit, ReweightedFits
from halfpoint.models.declaration.declared import Declared
from halfpoint.models.games.table import Floats

_Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class BoardRefits:
    """Declared model and its normal approximation on its games, or on some of them."""

    declared: Declared

    @cached_property
    def model(self) -> ReweightedFits:
        """Model whose weights are set before each fit."""
        return ReweightedFits(self.declared)

    @cached_property
    def whole(self) -> ReweightedFit:
        """Fit to all games."""
        self.model.posterior.rows.weigh(self.declared.cells.weight)
        return self.model.fit()

    def on(self, mask: _Mask, start: ReweightedFit | None = None) -> ReweightedFit:
        """Fit to the games of a mask, shape (game,), started from the estimates of all games."""
        begin = start or self.whole
        selection, cells = self.declared.selection, self.declared.cells
        self.model.posterior.rows.weigh(cells.sum_weights(selection.games.outcome, selection.weight * mask))
        return self.model.fit(begin, learned=False)

    def probabilities(self, fit: ReweightedFit, mask: _Mask) -> Floats:
        """Loss, draw and win of some games, integrated over the uncertainty of the fit, shape (game, 3)."""
        return self.model.probabilities(fit, self.declared.cells.cell_of_game[mask])

    def scores(self) -> "sparse.sparray":
        """Derivatives of each game's log probability by z at the centre, sparse, shape (game, z)."""
        fit, posterior = self.whole, self.model.posterior
        selection, cells, rows = self.declared.selection, self.declared.cells, posterior.rows
        cell, outcome = cells.cell_of_row, cells.by_row(selection.games.outcome, cells.further[1])
        weight, game = cells.by_row(selection.weight), cells.by_row(np.arange(len(selection)))
        _, place, slopes = posterior.placed(fit.x, fit.z)
        by_side = np.zeros((2, cell.size))
        for number in range(3):
            rows.weigh(np.repeat(np.eye(3)[number][None], rows.count, axis=0))
            _, first, _ = rows.expect(place, None)
            of_outcome = np.flatnonzero(outcome == number)
            by_side[:, of_outcome] = weight[of_outcome] * first[:, cell[of_outcome]]
        rows.weigh(self.declared.cells.weight)
        shape = rows.count, posterior.size
        first, second = (sparse.csr_array((values, rows.column, rows.first), shape=shape)[cell] for values in slopes)
        derivatives = sparse.diags_array(by_side[0]) @ first + sparse.diags_array(by_side[1]) @ second
        return sparse.csc_array((np.ones(game.size), game, np.arange(game.size + 1))) @ derivatives

    @cached_property
    def strengths(self) -> npt.NDArray[np.int64]:
        """Indices of the strengths in z, shape (player,)."""
        return self.model.parts.position[self.model.parts.of("strength")]

    def covariance(self) -> Floats:
        """The covariance of strengths with all of z, shape (player, z)."""
        top, unit = self.whole.top, np.eye(self.model.posterior.size)[self.strengths]
        assert top is not None
        return np.array([top.curvature.solve(direction) for direction in unit])

    def precision(self, left_out: npt.NDArray[np.int64]) -> "sparse.sparray":
        """Prior precision of z without some of its numbers, sparse, shape (z, z)."""
        top = self.whole.top
        assert top is not None
        precision = sum(term.precision * term.share(top.v) for term in self.model.parts.terms)
        keep = np.ones(self.model.posterior.size)
        keep[left_out] = 0.0
        return sparse.diags_array(keep) @ precision @ sparse.diags_array(keep)

    def ratings(self, fit: ReweightedFit) -> Floats:
        """Ratings in Elo points less their mean, shape (player,)."""
        values = self.model.values(fit)
        strength, scale = values["strength"], self.declared.outcome.elo_per_natural(values["log_draw"])
        return np.asarray((strength - strength.mean()) * np.asarray(scale))
