r"""A normal approximation of the posterior of a model with populations, without a draw: mode, curvature, spreads.

    z            all parameters but spreads, natural units (a positive scale by its logarithm)
    eta, lam     difference of the sides and draw parameter of each game: sums and products of two of z
    H            J' I J + prior precisions: J the derivatives of (eta, lam) by z, I the expected information of a game
    s^2          spread of a population: sum z_i^2 / (n - sum V_ii / s^2), V = H^-1, moved by its half-normal prior

z is the mode for given spreads, by Fisher scoring; the spreads maximise Laplace's approximation of the density of the
games with z integrated out, by MacKay's fixed point. Members of a population without a game keep the population's
normal distribution, so that a forecast of new players and places is integrated over what nobody knows of them:

    P(outcome) = E P(outcome | eta, lam),   (eta, lam) normal with the variance J V J' of the game, 7 x 7 nodes.

Tierney & Kadane (1986) JASA 81:82 for Laplace; MacKay (1992) Neural Comput. 4:415, eq. 4.13 for the fixed point.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sparse
from scipy.linalg.lapack import dpotrf

from halfpoint.games.table import Floats
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.normal.curvature import Curvature, Dense, TwoLevel
from halfpoint.models.blocks import Known, Normal, Pooled, Scale, Spread
from halfpoint.models.forms import Form, flat_terms
from halfpoint.models.model import Declared
from halfpoint.models.rows import Rows

ROUNDS, SPREAD_ROUNDS = 60, 200
GAIN = 1e-4  # log density still to be gained at the mode
STILL = 0.01  # relative change of a spread that counts as none
FLOOR = 0.05  # least spread as a share of the scale of its prior: less makes no difference to a forecast
FARTHEST = 6.0
NODES = 7
STEP = 1e-4
FEW, LARGEST = 300, 10_000  # parameters; a dense matrix of them and its inverse


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums of parameters and of products of two over games.

    Parameters
    ----------
    constant : array of float, shape (game,)
    linear : sparse array, shape (game, value)
        Coefficients.
    products : list of (coefficient, first, second)
        Each of shape (game,).
    """

    constant: Floats
    linear: Any
    products: list[tuple[Floats, npt.NDArray[np.int64], npt.NDArray[np.int64]]]

    @classmethod
    def of(cls, form: Any, games: int, values: int) -> "Sums":
        """Return a form of shape (game,), or numbers, as sums."""
        constant: Floats = np.zeros(games)
        here = np.arange(games)
        products: list[Any] = []
        entries: list[tuple[Any, Any, Any]] = []
        for slope, index in flat_terms(form, games):
            if not index:
                constant = np.asarray(constant + slope)
            elif len(index) == 1:
                entries.append((slope, here, index[0]))
            else:
                products.append((slope, index[0], index[1]))
        slopes, row, column = (np.concatenate([entry[k] for entry in entries] or [[]]) for k in range(3))
        where = row.astype(np.int64), column.astype(np.int64)
        linear = sparse.coo_array((slopes, where), shape=(games, values)).tocsr()
        linear.eliminate_zeros()
        return cls(constant, linear, products)

    def take(self, rows: Any) -> "Sums":
        """Return the sums of some games."""
        return Sums(self.constant[rows], self.linear[rows], [(c[rows], i[rows], j[rows]) for c, i, j in self.products])

    def at(self, v: Floats) -> Floats:
        """Return the values, shape (game,)."""
        total = self.constant + self.linear @ v
        for slope, first, second in self.products:
            total = total + slope * v[first] * v[second]
        return np.asarray(total)

    def slopes(self, v: Floats) -> Any:
        """Return the derivatives, sparse, shape (game, value)."""
        here, total = np.arange(self.constant.size), self.linear
        for slope, first, second in self.products:
            for one, other in ((first, second), (second, first)):
                total = total + sparse.coo_array((slope * v[other], (here, one)), shape=total.shape).tocsr()
        return total


@dataclass(frozen=True, eq=False)
class NormalFit:
    """A normal approximation of the posterior of a model.

    Parameters
    ----------
    plan : Plan
        The model's parameters.
    z : array of float, shape (value,)
        The mode.
    spreads : dict of str to float
        Spreads of the populations, natural units.
    curvature : Curvature, optional
        H of the values `here`; None where only the mode is known.
    here : array of int
        The values that the games tell of.
    rounds : int
        Newton steps it took.
    """

    plan: "Plan"
    z: Floats
    spreads: dict[str, float]
    curvature: Curvature | None
    here: npt.NDArray[np.intp]
    rounds: int

    @cached_property
    def alone(self) -> Floats:
        """Variances of values that no game tells of, 0 for the others, shape (value,)."""
        found = np.divide(1.0, self.plan.prior(self.spreads)[1])
        found[self.here] = 0.0
        return found

    @cached_property
    def covariance(self) -> Floats:
        """V, shape (value, value); rows and columns of spreads and known numbers are zero."""
        assert isinstance(self.curvature, Dense)
        whole = np.diag(self.alone)
        whole[np.ix_(self.here, self.here)] = self.curvature.inverse()
        return whole

    @cached_property
    def values(self) -> dict[str, Floats]:
        """The parameters at the mode by name, natural units."""
        v = self.plan.natural(self.z)
        shown = self.plan.declared.layout.shown()
        found = {name: v[start : start + int(np.prod(shape))].reshape(shape) for name, (start, shape) in shown.items()}
        return found | {name: np.asarray(value) for name, value in self.spreads.items()}

    @cached_property
    def errors(self) -> dict[str, Floats]:
        """Standard deviations of the parameters by name; of the logarithm for a positive scale, none for spreads."""
        assert self.curvature is not None
        sd, shown = np.sqrt(self.alone), self.plan.declared.layout.shown()
        sd[self.here] = np.sqrt(self.curvature.diagonal())
        made = {name: sd[start : start + int(np.prod(shape))].reshape(shape) for name, (start, shape) in shown.items()}
        return {name: value for name, value in made.items() if name not in self.spreads}

    def draws(self, count: int, seed: int) -> dict[str, Floats]:
        """Return draws of the parameters by name, natural units, shape (count, *dims); spreads stay at their estimates.

        Parameters
        ----------
        count : int
            How many.
        seed : int
            Seed.
        """
        seen = np.flatnonzero(np.diag(self.covariance) > 0.0)
        lower, code = dpotrf(np.asfortranarray(self.covariance[np.ix_(seen, seen)]), lower=1, clean=1)
        if code != 0:
            raise InferenceError("normal approximation: expected a positive definite covariance, found another")
        noise = np.random.default_rng([seed, 1]).standard_normal((count, seen.size))
        z = np.repeat(self.z[None], count, axis=0)
        z[:, seen] += noise @ lower.T
        v, made = self.plan.natural(z), {}
        for name, (start, shape) in self.plan.declared.layout.shown().items():
            made[name] = v[:, start : start + int(np.prod(shape))].reshape(count, *shape)
        return made | {name: np.full(count, value) for name, value in self.spreads.items()}

    def probabilities(self, games: tuple[Sums, Sums], integrated: bool = True) -> Floats:
        """Return loss, draw and win of games, shape (game, 3).

        Parameters
        ----------
        games : (Sums, Sums)
            From `Plan.sums`.
        integrated : bool
            Whether what is not known of the parameters is integrated out; else the mode is believed.
        """
        outcome, v = self.plan.declared.entry.outcome, self.plan.natural(self.z)
        eta, lam = (one.at(v) for one in games)
        if not integrated:
            return np.exp(outcome.log_probability(eta, np.zeros_like(eta), lam))
        assert self.curvature is not None
        slope = self.plan.chain(self.z)
        first, second = ((one.slopes(v) @ sparse.diags_array(slope)).tocsc() for one in games)
        known = self.curvature.widths(first[:, self.here].tocsr(), second[:, self.here].tocsr())
        pairs = ((first, first), (second, first), (second, second))
        a, b, c = (one + left.multiply(right) @ self.alone for one, (left, right) in zip(known, pairs, strict=True))
        node, weight = np.polynomial.hermite_e.hermegauss(NODES)
        weight = weight / weight.sum()
        own = np.sqrt(np.maximum(a, 0.0))
        joint = np.divide(b, own, out=np.zeros_like(b), where=own > 0.0)
        rest = np.sqrt(np.maximum(c - joint**2, 0.0))
        total = np.zeros((eta.size, 3))
        for x, one in zip(node, weight, strict=True):
            for y, two in zip(node, weight, strict=True):
                at = eta + own * x, np.zeros_like(eta), lam + joint * x + rest * y
                total += one * two * np.exp(outcome.log_probability(*at))
        return total


@dataclass(frozen=True, eq=False)
class Plan:
    """What of a declared model is approximated: which values are normal, which are spreads of which.

    Parameters
    ----------
    declared : Declared
        The model; its populations have known means, its sides are sums of parameters and of products of two.
    exact : bool
        Whether H is factorised whatever its size; else from `FEW` values on it is not (`normal.curvature.TwoLevel`).

    Raises
    ------
    InferenceError
        If it has another kind of parameter, half points for draws, or too many parameters to be exact.
    """

    declared: Declared
    exact: bool = True

    def __post_init__(self) -> None:
        for block in self.declared.blocks:
            plain = isinstance(block, Known | Scale | Spread) or (isinstance(block, Normal) and block.pivot is None)
            if not plain and not (isinstance(block, Pooled) and (not block.mean or block.name in self.loose)):
                name = self.declared.entry.name
                raise InferenceError(f"normal approximation: {name} has {block.name!r}, which it does not know")
        if not self.declared.entry.outcome.draws or self.declared.entry.draws is None:
            raise InferenceError("normal approximation: expected a model with draws")
        if self.exact and self.declared.layout.values > LARGEST:
            found = f"{self.declared.layout.values:,}"
            raise InferenceError(f"normal approximation: expected at most {LARGEST:,} parameters, found {found}")

    @cached_property
    def loose(self) -> frozenset[str]:
        """Populations whose level no game sees, as where nobody is anchored: their mean keeps its prior mean."""
        blocks = self.declared.blocks
        return frozenset(one.name for one in blocks if isinstance(one, Pooled) and one.mean and one.pivot is not None)

    @cached_property
    def unseen(self) -> dict[str, float]:
        """Prior means of the means of `loose` populations, by name."""
        means = {block.mean for block in self.declared.blocks if isinstance(block, Pooled) and block.name in self.loose}
        return {
            block.name: block.prior[0]
            for block in self.declared.blocks
            if isinstance(block, Normal) and block.name in means
        }

    @cached_property
    def pooled(self) -> list[tuple[slice, str]]:
        """Where the members of each population stand, and the name of its spread."""
        found = []
        for block in self.declared.blocks:
            if isinstance(block, Pooled):
                start, shape = self.declared.layout.slots[block.name]
                found.append((slice(start, start + int(np.prod(shape))), block.spread))
        return found

    @cached_property
    def scales(self) -> dict[str, float]:
        """Scale of the half-normal prior of each spread."""
        return {block.name: block.scale for block in self.declared.blocks if isinstance(block, Spread)}

    @cached_property
    def positive(self) -> npt.NDArray[np.bool_]:
        """Which values are positive scales, whose logarithm is normal, shape (value,)."""
        found = np.zeros(self.declared.layout.values, dtype=np.bool_)
        for block in self.declared.blocks:
            if isinstance(block, Scale):
                found[self.declared.layout.where(block.name)] = True
        return found

    def prior(self, spreads: Mapping[str, float]) -> tuple[Floats, Floats]:
        """Return prior means and precisions of z, shape (value,); infinite precisions for what is no part of z."""
        size, layout = self.declared.layout.values, self.declared.layout
        mean, precision = np.zeros(size), np.full(size, np.inf)
        for block in self.declared.blocks:
            start, shape = layout.slots.get(block.name, (0, ()))
            here = slice(start, start + int(np.prod(shape)))
            if block.name in self.unseen:
                mean[here] = block.prior[0]
            elif isinstance(block, Normal | Scale):
                mean[here], precision[here] = block.prior[0], block.prior[1] ** -2.0
            elif isinstance(block, Pooled):
                mean[here] = block.base + block.slope * self.unseen.get(block.mean, 0.0)
                precision[here] = spreads[block.spread] ** -2.0
            elif isinstance(block, Known):
                mean[here] = block.value
        for name in layout.slots:
            if name.startswith("log_") and name.removeprefix("log_") in layout.slots:  # sampled beside its exponential
                precision[layout.where(name)] = np.inf
        return mean, precision

    def natural(self, z: Floats) -> Floats:
        """Return values in natural units."""
        return np.where(self.positive, np.exp(np.where(self.positive, z, 0.0)), z)

    def chain(self, z: Floats) -> Floats:
        """Return the derivatives of the values by z."""
        return np.where(self.positive, np.exp(np.where(self.positive, z, 0.0)), 1.0)

    def sums(self, rows: Rows) -> tuple[Sums, Sums]:
        """Return eta and lam of games as sums of the values."""
        layout = self.declared.layout
        p = {name: Form.of(start, shape) for name, (start, shape) in layout.slots.items()}
        white, black, lam = self.declared.entry.sides(p, rows)
        return tuple(Sums.of(form, len(rows), layout.values) for form in (white - black, lam))  # type: ignore[return-value]

    def fit(
        self, games: tuple[Sums, Sums], weight: Floats, start: "NormalFit | None" = None, learned: bool = True
    ) -> NormalFit:
        """Return the approximation.

        Parameters
        ----------
        games : (Sums, Sums)
            eta and lam of the games, from `sums`.
        weight : array of float, shape (game, outcome)
            How much each outcome of each game counts.
        start : NormalFit, optional
            Where to begin: mode and spreads of an earlier fit.
        learned : bool
            Whether spreads are learned; else they stay those of the start.

        Raises
        ------
        InferenceError
            If the mode or the spreads are not found.
        """
        spreads = dict(start.spreads) if start is not None else {name: 0.5 * s for name, s in self.scales.items()}
        z = self.prior(spreads)[0] if start is None else start.z.copy()
        rounds, here = 0, self.told(games)
        moves: dict[str, float] = {}
        for _ in range(SPREAD_ROUNDS):
            z, curvature, took = self.mode(games, weight, spreads, z, here)
            rounds += took
            variance = np.divide(1.0, self.prior(spreads)[1])  # of a member without a game: the population's
            variance[here] = curvature.diagonal()
            better = self.better(z, variance, spreads) if learned else spreads
            last, moves = moves, {name: float(np.log(better[name] / spreads[name])) for name in spreads}
            if max(map(abs, moves.values()), default=0.0) < STILL:
                return NormalFit(self, z, spreads, curvature, here, rounds)
            for name, move in moves.items():  # a fixed point is approached by shrinking steps: their sum (Aitken)
                share = move / last[name] if last.get(name) else 0.0
                further = move * min(1.0 / (1.0 - share), FARTHEST) if 0.0 < share < 1.0 else move
                spreads[name] = max(spreads[name] * np.exp(further), FLOOR * self.scales[name])
                moves[name] = move if further == move else 0.0  # the next step begins anew
        raise InferenceError("normal approximation: expected spreads that settle, found none")

    def told(self, games: tuple[Sums, Sums]) -> npt.NDArray[np.intp]:
        """Return which values the games tell of: those that stand in a sum, and all that are no member's."""
        seen = np.isfinite(self.prior(dict.fromkeys(self.scales, 1.0))[1])
        for members, _ in self.pooled:
            seen[members] = False
        for one in games:
            seen[one.linear.indices] = True
            for _, first, second in one.products:
                seen[first], seen[second] = True, True
        return np.flatnonzero(seen & np.isfinite(self.prior(dict.fromkeys(self.scales, 1.0))[1]))

    def better(self, z: Floats, variance: Floats, spreads: Mapping[str, float]) -> dict[str, float]:
        """Return the next spreads of MacKay's fixed point under their half-normal priors."""
        found = dict(spreads)
        for name, scale in self.scales.items():
            here = np.concatenate([np.arange(z.size)[one] for one, spread in self.pooled if spread == name])
            told = max(float(here.size - variance[here].sum() / spreads[name] ** 2), 1e-3)
            away = (z - self.prior(spreads)[0])[here]
            squares = float(away @ away)
            found[name] = float(np.sqrt(2.0 * squares / (told + np.sqrt(told**2 + 4.0 * squares / scale**2))))
            found[name] = max(found[name], FLOOR * scale)
        return found

    def mode(
        self,
        games: tuple[Sums, Sums],
        weight: Floats,
        spreads: Mapping[str, float],
        z: Floats,
        here: npt.NDArray[np.intp],
    ) -> tuple[Floats, Curvature, int]:
        """Return the mode for given spreads, H there, and how many steps it took."""
        mean, precision = self.prior(spreads)
        total, near = weight.sum(axis=1), np.zeros(z.size, dtype=np.bool_)
        near[here] = True
        z = np.where(near, z, mean)

        def height(at: Floats) -> float:
            v = self.natural(at)
            eta, lam = (one.at(v) for one in games)
            found = self.declared.entry.outcome.log_probability(eta, np.zeros_like(eta), lam)
            return float((weight * found).sum() - 0.5 * ((at - mean)[here] ** 2 @ precision[here]))

        value, gain = height(z), np.inf
        for rounds in range(1, ROUNDS + 1):
            gradient, curvature = self.curvature(games, (weight, total), z, here, precision)
            gradient -= (z - mean)[here] * precision[here]
            step = np.zeros_like(z)
            step[here] = curvature.solve(gradient)
            gain = 0.5 * float(gradient @ step[here])
            if gain < GAIN:
                return z, curvature, rounds
            length = 1.0
            while (tried := height(z + length * step)) < value + 0.02 * length * gain - 1e-11 * abs(value):
                length *= 0.5
                if length < 1e-9:
                    raise InferenceError(f"normal approximation: the density does not rise in round {rounds}")
            z, value = z + length * step, tried
        raise InferenceError(f"normal approximation: expected a mode within {ROUNDS} rounds, {gain:.1e} still to gain")

    def curvature(
        self,
        games: tuple[Sums, Sums],
        weights: tuple[Floats, Floats],
        z: Floats,
        here: npt.NDArray[np.intp],
        precision: Floats,
    ) -> tuple[Floats, Curvature]:
        """Return the derivatives of the log likelihood by the values `here`, and H of them with the prior's part."""
        v = self.natural(z)
        eta, lam = (one.at(v) for one in games)
        slope, information = self.information(eta, lam, *weights)
        change = sparse.diags_array(self.chain(z))
        first, second = ((one.slopes(v) @ change).tocsc()[:, here].tocsr() for one in games)
        score = np.asarray(first.T @ slope[0] + second.T @ slope[1])
        if self.exact or here.size < FEW:
            return score, Dense(first, second, information, precision[here])
        members = [np.flatnonzero((here >= one.start) & (here < one.stop)) for one, _ in self.pooled]
        return score, TwoLevel(first, second, information, precision[here], members)

    def information(self, eta: Floats, lam: Floats, weight: Floats, total: Floats) -> tuple[Any, Any]:
        """Return score and expected information of each game by eta and lam: (by eta, by lam), (aa, ab, bb).

        By central differences of the formula's log probabilities, so that any formula will do.
        """
        outcome, zero = self.declared.entry.outcome, np.zeros_like(eta)

        def at(a: Floats, b: Floats) -> Floats:
            return outcome.log_probability(a, zero, b)

        p = np.exp(at(eta, lam))
        by_eta = (at(eta + STEP, lam) - at(eta - STEP, lam)) / (2.0 * STEP)
        by_lam = (at(eta, lam + STEP) - at(eta, lam - STEP)) / (2.0 * STEP)
        score = (weight * by_eta).sum(axis=1), (weight * by_lam).sum(axis=1)
        pairs = ((by_eta, by_eta), (by_eta, by_lam), (by_lam, by_lam))
        return score, tuple(total * (p * one * two).sum(axis=1) for one, two in pairs)
