r"""Strengths whose prior is correlated, by a covariance matrix that the user gives.

    g ~ N(m 1, S)        S the covariance of the players' strengths, natural units squared

Team-mates, versions of one engine or models of one family are alike before a game is played, or a covariance comes from
an earlier season (Glickman 1993; thesis section 2.4, eq. 37). Players who are alike borrow strength from one another: a
player without games stands where the games of those they go with put them.

Sampled is g = m + B x, x_k ~ N(0, l_k^2), where B B' is about the posterior covariance under the games' Fisher
information J and l the prior's size in those coordinates:

    S = C C',   C' J C = Q diag(d) Q',   B = C Q diag(1 + d)^(-1/2),   l = (1 + d)^(1/2)

The density is the one above whatever B is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from halfpoint.games.table import Floats, Texts
from halfpoint.games.units import to_natural
from halfpoint.models.errors import ModelError
from halfpoint.models.graph.layout import LATENT
from halfpoint.models.graph.pymc_import import Node, pm
from halfpoint.models.parts.blocks import Block, GaussianPrior, Numbers, register
from halfpoint.models.parts.part import ModelContext
from halfpoint.models.parts.strength import MIDDLE, Free

_NEGATIVE = 1e-9  # smallest eigenvalue that a covariance may have, as a share of its largest


@dataclass(frozen=True, eq=False)
class _Mixed(Block):
    """A correlated normal vector: centre + B x, x_k ~ N(0, l_k^2)."""

    centre: float = 0.0  # mean of every value
    matrix: Floats = field(default_factory=lambda: np.eye(0))  # (value, coordinate): B
    spread: Numbers = 1.0  # (coordinate,): l

    def declare(self, p: dict[str, Node]) -> None:
        """Add the parameter to the model in context and to `p`."""
        apart = pm.Normal(f"{self.name}{LATENT}", 0.0, self.spread, dims=self.dims)
        p[self.name] = register(self.name, self.centre + self.matrix @ apart, self.dims)

    def behind(self, p: Mapping[str, Floats], blocks: Sequence[Block]) -> dict[str, Floats]:
        """See `Block`."""
        apart = np.asarray(p[self.name], dtype=np.float64) - self.centre
        return {f"{self.name}{LATENT}": np.linalg.solve(self.matrix, apart)}

    @property
    def gaussian(self) -> GaussianPrior:
        """See `Block`."""
        inverse = np.linalg.inv(self.matrix)
        return GaussianPrior(inverse.sum(axis=1) * self.centre, self.spread, whitening=inverse)


@dataclass(frozen=True)
class Correlated(Free):
    """Strengths with a prior mean and a covariance matrix of the user's.

    Parameters
    ----------
    prior : (float, float)
        Mean of every strength, natural units; the second number is not used, the matrix has the spreads.
    covariance : mapping of str to mapping of str to float
        Covariance of each pair of players by their names, natural units squared, with the variances; `from_elo` takes a
        frame in Elo points.

    Examples
    --------
    >>> names = ["Ann", "Bob"]
    >>> matrix = pd.DataFrame([[40_000.0, 30_000.0], [30_000.0, 40_000.0]], index=names, columns=names)
    >>> round(Correlated.from_elo(matrix, mean_elo=2000.0).covariance["Ann"]["Bob"], 3)
    0.994
    """

    prior: tuple[float, float] = (MIDDLE, 1.0)
    covariance: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    independent = False
    listable = False  # the matrix has everybody's error
    new = "strengths correlated by a given matrix"

    @classmethod
    def from_elo(cls, frame: pd.DataFrame, mean_elo: float = 2705.0) -> "Correlated":
        """The part from a covariance in squared points of 400 / ln 10 a natural unit.

        Parameters
        ----------
        frame : DataFrame, players in rows and columns
            Covariances; the names of rows and columns are the same.
        mean_elo : float
            Prior mean of every strength.
        """
        unit = to_natural(1.0) ** 2
        rows = {str(name): {str(k): float(x) * unit for k, x in line.items()} for name, line in frame.iterrows()}
        return cls(prior=(to_natural(mean_elo), 1.0), covariance=rows)

    def matrix(self, players: Texts) -> Floats:
        """The covariance of some players in their order, natural units squared, shape (player, player)."""
        names = [str(name) for name in players]
        absent = [name for name in names if name not in self.covariance]
        if absent:
            raise ModelError(
                f"covariance: expected a row for every player with a strength, found none for {', '.join(absent[:5])}"
                f"{f' and {len(absent) - 5} more' if len(absent) > 5 else ''}. "
                "Add rows and columns: a variance of their own, and 0 with others."
            )
        try:
            found = np.array([[self.covariance[one][other] for other in names] for one in names], dtype=np.float64)
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(
                f"covariance: expected a number for every pair of players, found none ({error})"
            ) from error
        if not np.isfinite(found).all():
            raise ModelError("covariance: expected finite numbers, found one that is not")
        if not np.allclose(found, found.T, rtol=1e-6, atol=0.0):
            one, other = np.unravel_index(np.argmax(np.abs(found - found.T)), found.shape)
            raise ModelError(
                f"covariance: expected a symmetric matrix, found {found[one, other]:.6g} for {names[one]} with "
                f"{names[other]} and {found[other, one]:.6g} for {names[other]} with {names[one]}"
            )
        values = np.linalg.eigvalsh(found)
        if values[0] <= _NEGATIVE * values[-1]:
            raise ModelError(
                f"covariance: expected a positive definite matrix, found eigenvalues from {values[0]:.3g} to "
                f"{values[-1]:.3g}. Add to the diagonal what is each player's own."
            )
        return found

    def blocks(self, site: ModelContext) -> list[Block]:
        """The parameters: `strength` (player)."""
        factor = np.linalg.cholesky(self.matrix(site.cells.players))
        size, games = site.players, site.information * site.cells.weight.sum(axis=1)
        known = np.zeros((size + 1, size + 1))  # the last is everybody whose strength is known
        white, black = site.cells.white, site.cells.black
        for one, other, sign in ((white, white, 1.0), (black, black, 1.0), (white, black, -1.0), (black, white, -1.0)):
            np.add.at(known, (one, other), sign * games)
        told, turned = np.linalg.eigh(factor.T @ known[:-1, :-1] @ factor)
        spread = np.sqrt(1.0 + np.maximum(told, 0.0))
        label, matrix = "strength, natural units", factor @ turned / spread
        return [_Mixed("strength", label, ("player",), centre=self.prior[0], matrix=matrix, spread=spread)]
