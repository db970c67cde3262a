r"""Split of a declared model's parameters into few numbers theta and many normal numbers z.

    theta    spreads, positive scales and other single numbers, and numbers that multiply other parameters
    z        everything else, natural units; given theta its prior is normal, and eta and lam of a game are affine in it

The prior of z given theta is a sum of normal terms, B z - d(theta) ~ N(0, s(theta)^2), read from the graph
(`halfpoint.models.reading.read_laws`), whichever coordinates NUTS samples:

    normal variables                    z_i - mean                   the standard deviation, or a spread, a theta
    walks                               z_t+1 - z_t                  the spread of a step
                                        mean of z_t over t           sd of the level
    fading states, y = z - beside       y_t+1 - r y_t, y_1           the spread, times (1 - r^2)^(1/2) except for y_1
    processes by days                   see `day_term`               the spread; their coefficients follow the length

In a product of two parameters the smaller parameter becomes a theta, up to `_MOST` thetas; other products are
linearised at the centre. Terms without a normal law, potentials and vectors of other families, are factors of the
weights of draws, by their own density (`further`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import scipy.sparse as sparse
from scipy.sparse.linalg import SuperLU, splu

from halfpoint.inference.errors import InferenceError
from halfpoint.inference.gaussian.day_term import DayTerm
from halfpoint.inference.gaussian.further_factors import further_factors
from halfpoint.models.declaration.declared import Declared
from halfpoint.models.games.table import Floats, Integers
from halfpoint.models.language.laws import GaussianRows, Hyperparameter, Law, Transition
from halfpoint.models.reading.sparse_affine import SparseAffine

_MOST = 8  # thetas


@dataclass(frozen=True)
class _HyperparameterSlot:
    """Place of a parameter that is not normal given the other parameters."""

    name: str  # its parameter
    law: Hyperparameter  # its kind and prior, as its graph says them
    places: tuple[int, ...]  # value of the number itself, and of its logarithm where it has one
    unit: float  # about one posterior standard deviation of x


@dataclass(frozen=True, eq=False)
class GaussianTerm:
    """Normal sums of z: B z - offset - sum slope v_mean ~ N(0, sd^2), sd a number a row or the spread v_spread."""

    sums: sparse.csr_array  # (row, z): B
    offset: Floats  # (row,)
    sd: Floats  # (row,)
    means: tuple[tuple[int, Floats], ...] = ()  # values that are no z, and their slopes, (row,) each
    spread: int = -1  # value of the spread, -1 for none
    even: bool = False  # whether the precision that a factor sees is spread over the diagonal: the level of a walk

    @cached_property
    def precision(self) -> sparse.coo_array:
        """B' sd^-2 B, sparse, shape (z, z)."""
        weighted = self.sums * (self.sd**-2.0)[:, None]
        if self.even:
            return sparse.diags_array(self.sums.T @ (weighted.sum(axis=1))).tocoo()
        return (self.sums.T @ weighted).tocoo()

    def share(self, v: Floats) -> Floats | float:
        """Factor of the precision, from values (..., value)."""
        return 1.0 if self.spread < 0 else v[..., self.spread] ** -2.0

    def middle(self, v: Floats) -> Floats:
        """The mean of B z, shape (..., row)."""
        total: Floats = self.offset
        for place, slope in self.means:
            total = total + slope * v[..., place, None]
        return np.asarray(total)

    def scaled(self, v: Floats) -> sparse.csr_array:
        """B over the standard deviations at values, sparse, (row, z)."""
        return self.sums * (np.sqrt(self.share(v)) / self.sd)[:, None]

    def precision_entries(self, data: Floats, v: Floats, spread: bool = True) -> Floats:
        """Entries of the precision at values, or at a spread of 1."""
        return data * self.share(v) if spread else data

    def standard(self, z: Floats, v: Floats) -> Floats:
        """B z in units of its prior, (row,)."""
        return np.asarray(self.rest(z, v) * np.sqrt(self.share(v)))

    def slope(self, z: Floats, v: Floats) -> Floats:
        """The derivatives of the log density by z, (z,)."""
        return np.asarray(-(self.sums.T @ (self.rest(z, v) / self.sd)) * self.share(v))

    def rest(self, z: Floats, v: Floats) -> Floats:
        """B z less its mean, in units of sd without the spread: shape (..., row)."""
        return np.asarray((np.asarray((self.sums @ z.T).T) - self.middle(v)) / self.sd)

    def log_density(self, z: Floats, v: Floats) -> Floats | float:
        """The log density up to a constant, shape (...,)."""
        total = -0.5 * np.square(self.rest(z, v)).sum(axis=-1) * self.share(v)
        return total if self.spread < 0 else total - self.offset.size * np.log(v[..., self.spread])


@dataclass(eq=False)
class LatentSplit:
    """Split of a declared model's parameters into theta and z; an error if the law of one cannot be read."""

    declared: Declared  # the model
    # values that its games multiply, before `source`
    products: list[tuple[Integers, Integers]] = field(default_factory=list)

    def __post_init__(self) -> None:
        layout, laws = self.declared.layout, self.declared.laws
        self.count = layout.values
        self.source = np.arange(self.count)  # of a value that is another one
        self.known = np.zeros(self.count)
        self.steps: list[tuple[int, int, tuple[int, int], Transition]] = []  # level, walks, (player, period)
        self.made: list[tuple[Integers, SparseAffine]] = []  # values that are sums of others, in the order of the graph
        self.latent: list[str] = []  # parts of others that nothing reads
        for law in laws:
            indices, transition = self.of(law.name), law.transition
            if law.unread and not law.part_of:
                raise InferenceError(f"normal approximation: {law.unread}. Use method nuts.")
            if law.known is not None:
                self.known[indices] = np.ravel(law.known)
            elif law.made is not None:
                place = _gathered(law.made)
                if place is None:
                    self.made.append((indices, law.made))
                else:
                    self.source[indices] = place.ravel()
            elif transition is not None and transition.level:
                periods = layout.slots[law.name][1][-1]
                shape = indices.size // periods, periods
                self.steps.append((int(self.of(transition.level)[0]), int(indices[0]), shape, transition))
        levels, numbers = {start for start, *_ in self.steps}, self.multiplying_names()
        self.thetas: list[_HyperparameterSlot] = []
        normal: list[Law] = []
        for law in laws:
            number, transition = law.hyperparameter, law.transition
            if number is not None and (number.kind != "number" or law.name in numbers or not law.gaussian):
                logs = [log_law.name for log_law in laws if log_law.log_of == law.name]
                places = self.of(law.name).tolist()
                unit = np.broadcast_to(number.unit, len(places)).tolist()
                further = tuple(int(self.of(name)[0]) for name in logs)
                pairs = zip(places, unit, strict=True)
                self.thetas += [_HyperparameterSlot(law.name, number, (place, *further), sd) for place, sd in pairs]
            elif transition is not None and transition.pace:
                raise InferenceError(
                    "normal approximation: expected a common spread of steps, found a spread by player. Use "
                    "method nuts."
                )
            elif law.gaussian or transition is not None or law.days is not None:
                normal.append(law)
        if len(self.thetas) > _MOST:
            names = ", ".join(theta.name for theta in self.thetas[:10])
            raise InferenceError(
                f"normal approximation: expected at most {_MOST} spreads, scales and slopes, found {len(self.thetas)} "
                f"({names}). Use method nuts."
            )
        z = [self.of(law.name) for law in normal if self.of(law.name)[0] not in levels]
        self.z = np.concatenate([np.empty(0, dtype=np.int64), *z])
        self.position = np.full(self.count, -1)
        self.position[self.z] = np.arange(self.z.size)
        self.position = self.position[self.source]
        self.lift = self.rows_of_values()
        self.terms: list[GaussianTerm | DayTerm] = [term for law in normal for term in self.terms_of(law)]
        lengths = {term.length: term for term in self.terms if isinstance(term, DayTerm)}
        self.by_length = {
            k: lengths[theta.places[0]] for k, theta in enumerate(self.thetas) if theta.places[0] in lengths
        }

    @cached_property
    def further(self) -> Callable[[Floats], Floats] | None:
        """Prior beyond normal terms and thetas: function from values (draw, value) to log factor (draw,), or None."""
        return further_factors(self.declared)

    def of(self, name: str) -> Integers:
        """The places of a parameter's values."""
        start, shape = self.declared.layout.slots[name]
        return start + np.arange(int(np.prod(shape, dtype=np.int64)))

    def multiplying_names(self) -> set[str]:
        """Names of normal parameters treated as theta, since games or sums multiply them by other parameters."""
        owner, laws, size = np.full(self.count, -1), self.declared.laws, list[int]()
        for number, law in enumerate(laws):
            indices = self.of(law.name)
            owner[indices] = number
            size.append(indices.size)
        chosen: set[int] = set()
        left = _MOST - sum(law.hyperparameter is not None and law.hyperparameter.kind != "number" for law in laws)
        products = [*self.products]
        products += [
            (np.ravel(index[0]), np.ravel(index[1]))
            for _, form in self.made
            for _, index in form.terms
            if len(index) == 2
        ]
        pairs = owner[self.source[np.hstack([np.empty((2, 0), dtype=np.int64), *products])]]
        for a, b in np.unique(pairs, axis=1).T.tolist():
            if all(laws[k].gaussian or laws[k].transition is not None for k in (a, b)) and not {a, b} & chosen:
                smaller = min(a, b, key=size.__getitem__)
                if laws[smaller].hyperparameter is not None and size[smaller] <= left:
                    chosen.add(smaller)
                    left -= size[smaller]
        return {laws[number].name for number in chosen}

    def rows_of_values(self) -> sparse.csr_array:
        """Values as sums of z, sparse, (value, z): z itself, and levels of walks."""
        indices = np.flatnonzero(self.position >= 0)
        rows, columns, data = [indices], [self.position[indices]], [np.ones(indices.size)]
        for level, walks, shape, steps in self.steps:
            places = walks + np.arange(np.prod(shape)).reshape(shape)
            if steps.begins is None:
                rows.append(np.repeat(level + np.arange(shape[0]), shape[1]))
                columns.append(self.position[places.ravel()])
                data.append(np.full(places.size, 1.0 / shape[1]))
            else:
                rows.append(level + np.arange(shape[0]))
                columns.append(self.position[steps.held(places)])
                data.append(np.ones(shape[0]))
        entries = (np.concatenate(data), (np.concatenate(rows), np.concatenate(columns)))
        return sparse.coo_array(entries, (self.count, self.z.size)).tocsr()

    def means(self, places: Integers) -> sparse.csr_array:
        """Values at places as sums of z, sparse, shape (row, z)."""
        return self.lift[self.source[places]]

    def terms_of(self, law: Law) -> Sequence[GaussianTerm | DayTerm]:
        """The prior of a normal parameter."""
        if law.days is not None:
            first, place_of = int(self.position[self.of(law.name)[0]]), self.declared.layout.where
            spread, length = (place_of(name) if name else -1 for name in (law.days.spread, law.days.length))
            return [DayTerm(law.days, self.declared.ground.visits(), first, self.z.size, spread, length)]
        if law.transition is not None:
            return [self.of_transition(law.name, law.transition)]
        return [self.term(law.name, rows) for rows in law.gaussian]

    def of_transition(self, name: str, law: Transition) -> GaussianTerm:
        """Term of the prior for the steps of a walk from period to period."""
        indices, place_of = self.of(name), self.declared.layout.where
        at = np.arange(indices.size)
        deviations = self.means(indices)
        deviations = deviations - self.means(self.of(law.beside)) if law.beside else deviations
        first = at % self.declared.layout.slots[name][1][-1] == 0
        sums = deviations - deviations[at - ~first] * np.where(first, 0.0, law.share)[:, None]
        sd = np.where(first, 1.0, law.sd) * (1.0 if law.known is None else law.known)
        has_term = ~first if law.level else np.ones_like(first)
        spread = place_of(law.spread) if law.spread else -1
        return GaussianTerm(sums[has_term], np.zeros(int(has_term.sum())), sd[has_term], spread=spread)

    def term(self, name: str, rows: GaussianRows) -> GaussianTerm:
        """Normal sums of values, split into sums of z and other values."""
        count = rows.sd.size
        offset, sums = np.zeros(count), sparse.csr_array((count, self.z.size))
        means: dict[int, Floats] = {}
        for c, index in rows.form.terms:
            if not index:
                offset = offset - c
                continue
            source = self.source[index[0]]
            lifted = np.diff(self.lift.indptr)[source] > 0
            if lifted.any():
                sums = sums + self.lift[source] * np.where(lifted, c, 0.0)[:, None]
            for place in np.unique(source[~lifted]).tolist():
                slope = -np.where((source == place) & ~lifted, c, 0.0)
                means[place] = means.get(place, 0.0) + slope
        level = any(start == self.of(name)[0] and steps.begins is None for start, _, _, steps in self.steps)
        spread = self.declared.layout.where(rows.spread) if rows.spread else -1
        return GaussianTerm(sums, offset, rows.sd, tuple(means.items()), spread, level and spread < 0)

    def values(self, x: Floats, z: Floats | None = None) -> Floats:
        """All values, shape (..., value), at thetas (..., theta) and z (..., z), 0 if not given."""
        v = np.zeros((*x.shape[:-1], self.count))
        v += self.known
        for k, theta in enumerate(self.thetas):
            v[..., theta.places[0]] = theta.law.value(x[..., k])
            for place in theta.places[1:]:
                v[..., place] = x[..., k]
        if z is not None:
            v[..., self.z] = z
            for level, walks, shape, steps in self.steps:
                levels = steps.held(v[..., walks : walks + int(np.prod(shape))].reshape(*v.shape[:-1], *shape))
                v[..., level : level + shape[0]] = levels
        if not self.is_in_order:
            v = v[..., self.source]
        for indices, form in self.made:
            v[..., indices] = _summed(form, v)
        return v

    @cached_property
    def is_in_order(self) -> bool:
        """True if values are in the order of the model."""
        return np.array_equal(self.source, np.arange(self.count))

    @cached_property
    def solver(self) -> SuperLU:
        """Factor of B of all terms, which is square, since each z has one prior."""
        return splu(sparse.vstack([term.sums for term in self.terms]).tocsc())

    def standard(self, x: Floats, z: Floats) -> Floats:
        """z in units of its prior, (B z - mean) / (sd times the spread), shape (z,)."""
        v = self.values(x)
        return np.concatenate([term.standard(z, v) for term in self.terms])

    def natural(self, x: Floats, share: Floats, y: Floats) -> Floats:
        """z (draw, z) from thetas (draw, theta), and shares (draw, place) of z in units of its prior (place, z).

        Each term is a spread times its sd times its units, so B is solved at places, not for each draw.
        """
        v, first, z = self.values(x), 0, np.zeros((len(x), self.z.size))

        def solved(part: Floats) -> Floats:  # (row of B, column) -> (column, z)
            return np.asarray(self.solver.solve(np.ascontiguousarray(part)).T)

        offset, means = np.zeros((self.z.size, 1)), dict[int, Floats]()
        for term in self.terms:
            rows = slice(first, first + term.offset.size)
            units = np.zeros((self.z.size, len(y)))
            units[rows] = (y[:, rows] * term.sd).T
            part = share @ solved(units)
            z += part if term.spread < 0 else part * v[:, term.spread, None]
            offset[rows, 0], first = term.offset, rows.stop
            for place, slope in term.means:
                means.setdefault(place, np.zeros((self.z.size, 1)))[rows, 0] += slope
        z += solved(offset)
        for place, slope in means.items():
            z += v[:, place, None] * solved(slope)
        return z

    def begin(self) -> Floats:
        """Approximate prior means of z, as a start, shape (z,)."""
        total, times = np.zeros(self.z.size), np.zeros(self.z.size)
        for term in self.terms:
            total += term.sums.T @ term.offset
            times += np.asarray(term.sums.power(2).sum(axis=0)).ravel()
        return total / np.maximum(times, 1.0)

    def log_prior(self, x: Floats, z: Floats, v: Floats) -> Floats | float:
        """The log prior density of theta and z up to a constant, shape (...,)."""
        of_thetas = (theta.law.log_density(x[..., k]) for k, theta in enumerate(self.thetas))
        return sum(of_thetas, np.zeros(x.shape[:-1])) + sum(term.log_density(z, v) for term in self.terms)


def _gathered(form: SparseAffine) -> Integers | None:
    """Index of the value that each entry of a sum equals; None if an entry is not one value."""
    sources = np.full(form.shape, -1)
    for c, index in form.terms:
        if len(index) != 1 or not np.isin(c, (0.0, 1.0)).all() or np.any((sources >= 0) & (c == 1.0)):
            return None
        sources = np.where(c == 1.0, index[0], sources)
    return None if np.any(sources < 0) else sources


def _summed(form: SparseAffine, v: Floats) -> Floats:
    """A sum of values (..., value), shape (..., its size)."""
    total: Floats | float = 0.0
    for c, index in form.terms:
        product: Floats = np.ravel(c)
        for place in index:
            product = product * v[..., np.ravel(place)]
        total = total + product
    return np.asarray(total)
