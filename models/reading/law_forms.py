"""Laws of variables from the sums of values in their priors, read from a graph or computed without one.

`read_laws` finds the sums in a PyMC graph, `sum_model` by running a function of this package without PyMC.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from halfpoint.models.games.table import Floats, Integers
from halfpoint.models.language.laws import GaussianRows, Hyperparameter, Law
from halfpoint.models.reading.sparse_affine import NotAffineError, SparseAffine

type Form = SparseAffine | Floats  # a sum of values, or numbers

_WIDTHS = 2.0  # units of a number as a hyperparameter, and of the logarithm of a scale
FEW = 8  # numbers of a variable that may be hyperparameters
_NOTHING = 1e-12  # a coefficient of which rounding is left
NUMBERS = np.concatenate([-np.logspace(6, -4, 4001), [0.0], np.logspace(-4, 6, 4001)])  # where medians are searched
LOGARITHMS = np.linspace(-30.0, 20.0, 8001)  # likewise, of numbers with limits
_PLAIN = {"player", "outcome", "month", "innovation", "unlisted_player", "grade"}  # dims that no effect groups by


class LawForms:
    """Laws of the variables of one model, found one after the other in the order of their slots."""

    def __init__(self, slots: Mapping[str, tuple[int, tuple[int, ...]]], values: int) -> None:
        self.slots = slots
        self.names, self.owner = list(slots), np.full(values, -1)
        for number, (start, shape) in enumerate(slots.values()):
            self.owner[start : start + int(np.prod(shape, dtype=np.int64))] = number
        self.found: dict[str, Law] = {}

    def finished(self) -> list[Law]:
        """Every law, in the order of the slots."""
        for name, law in self.found.items():
            if any(len(index) == 2 for block in law.gaussian for _, index in block.form.terms):
                why = f"{name} has a product of variables in its mean"
                self.found[name] = replace(law, gaussian=(), hyperparameter=None, unread=why)
        for name, law in self.found.items():
            grouped = set(law.dims) - _PLAIN or name == "draw_tendency"
            if law.role == "parameter" and grouped and any(block.spread for block in law.gaussian):
                self.found[name] = replace(law, role="latent")
        return list(self.found.values())

    def own(self, name: str) -> SparseAffine:
        """Values of a variable."""
        return SparseAffine.of(*self.slots[name])

    def rows(self, value: SparseAffine, mean: Form, sd: Form) -> GaussianRows:
        """Normal law of values about a mean, with standard deviations that are numbers, or numbers times a spread."""
        shape = value.shape
        size = int(np.prod(shape, dtype=np.int64))
        residual = merge_terms(value - mean)
        wide, spread = self.spread(sd, shape)
        return GaussianRows(residual.rearrange((size,), lambda array: np.reshape(array, size)), np.ravel(wide), spread)

    def spread(self, form: Form, shape: tuple[int, ...]) -> tuple[Floats, str]:
        """Standard deviation as numbers times one spread; its name is empty if it is known."""
        if not isinstance(form, SparseAffine):
            return np.array(np.broadcast_to(np.asarray(form, dtype=np.float64), shape)), ""
        terms = [(c, index) for c, index in form.terms if np.any(c)]
        if len(terms) != 1 or len(terms[0][1]) != 1 or np.ptp(terms[0][1][0]) > 0:
            raise NotAffineError("a standard deviation that is not a multiple of one spread")
        name = self.names[int(self.owner[int(np.ravel(terms[0][1][0])[0])])]
        if self.slots[name][1] != ():
            raise NotAffineError("a standard deviation that depends on several spreads")
        return np.array(np.broadcast_to(terms[0][0], shape)), name

    def parents_of(self, rows: tuple[GaussianRows, ...], name: str) -> frozenset[str]:
        """The names of the other variables in a law."""
        parents = {block.spread for block in rows if block.spread}
        for block in rows:
            for _, index in block.form.terms:
                parents |= {self.names[k] for part in index for k in np.unique(self.owner[part]).tolist()}
        return frozenset(parents - {name})

    def normal(self, law: Law, mean: Form, sd: Form, unit: Callable[[Floats], Floats]) -> Law:
        """Law of a normal variable; also of a few hyperparameters without parents, in units of their sd."""
        shape = self.slots[law.name][1]
        rows = (self.rows(self.own(law.name), mean, sd),)
        law = replace(law, gaussian=rows, parents=self.parents_of(rows, law.name))
        numbers = [parent for parent in (mean, sd) if not isinstance(parent, SparseAffine) and np.ptp(parent) == 0.0]
        if len(numbers) < 2 or int(np.prod(shape, dtype=np.int64)) > FEW:
            return law
        middle, width = (float(np.ravel(number)[0]) for number in numbers)
        unit_of_number = _WIDTHS * np.asarray(unit(np.asarray(width)))
        return replace(law, hyperparameter=Hyperparameter("number", middle, width, unit_of_number))

    def autoregression(self, law: Law, weight: Floats, place: Integers, wide: Form) -> Law:
        """Law of numbers about the means of their neighbours: B v ~ N(0, w^2); weight and place (row, entry)."""
        indexes = self.slots[law.name][0] + place
        form = SparseAffine((len(weight),), [(weight[:, k], (indexes[:, k],)) for k in range(weight.shape[1])])
        rows = (GaussianRows(form, *self.spread(wide, (len(weight),))),)
        return replace(law, gaussian=rows, parents=self.parents_of(rows, law.name))

    def made(self, law: Law, form: Form) -> Law:
        """Law of a variable that is a sum of other variables: constants, a non-centred variable, or the sum."""
        shape = self.slots[law.name][1]
        if not isinstance(form, SparseAffine):
            return replace(law, known=np.array(np.broadcast_to(np.asarray(form, dtype=np.float64), shape)))
        form = merge_terms(form.rearrange(shape, lambda array: np.broadcast_to(array, shape)))
        if all(not index for _, index in form.terms):
            return replace(law, known=np.asarray(sum((c for c, _ in form.terms), np.zeros(shape))))
        law = replace(law, made=form, parents=self.parents_of((GaussianRows(form, np.ones(1)),), law.name))
        return self.non_centred(form, law)

    def scale(self, law: Law, log: Law | None) -> Law | None:
        """Law of e^x with x the variable of another law; None unless x is a normal number."""
        if log is None or log.hyperparameter is None or log.hyperparameter.density:
            return None
        number = log.hyperparameter
        scale = Hyperparameter("scale", number.mean, number.sd, _WIDTHS * np.asarray(number.unit))
        self.found[log.name] = replace(log, gaussian=(), hyperparameter=None, log_of=law.name)
        return replace(law, hyperparameter=scale, parents=frozenset([log.name]))

    def non_centred(self, form: SparseAffine, law: Law) -> Law:
        """Law of F + s x with x latent and normal: normal around F; otherwise a sum of other variables."""
        shape = form.shape
        for name, latent in self.found.items():
            start, latent_shape = self.slots[name]
            if not latent.hidden or latent_shape != shape or len(latent.gaussian) != 1 or shape == ():
                continue
            places = start + np.arange(int(np.prod(shape, dtype=np.int64))).reshape(shape)
            latent_terms = [term for term in form.terms if any(np.array_equal(part, places) for part in term[1])]
            other_terms = [term for term in form.terms if not any(term is latent_term for latent_term in latent_terms)]
            if len(latent_terms) != 1 or any(np.isin(places, part).any() for _, index in other_terms for part in index):
                continue
            (c, index), inner = latent_terms[0], latent.gaussian[0]
            around = SparseAffine(shape, other_terms)
            inner_form = inner.form.rearrange(shape, lambda array: np.reshape(array, shape))
            try:
                if len(index) == 1:  # x less its mean is `inner_form`
                    mean = around + (SparseAffine.of(start, shape) - inner_form) * c
                    sd = np.abs(c) * inner.sd.reshape(shape)
                    rows = replace(self.rows(self.own(law.name), mean, sd), spread=inner.spread)
                    if any(len(part) == 2 for _, part in rows.form.terms):
                        continue
                else:
                    place = next(part for part in index if not np.array_equal(part, places))
                    if inner.spread or len(inner_form.terms) != 1:
                        continue
                    wide = SparseAffine(shape, [(np.abs(c) * inner.sd.reshape(shape), (place,))])
                    rows = self.rows(self.own(law.name), around, wide)
            except NotAffineError:
                continue
            self.found[name] = replace(latent, gaussian=(), hyperparameter=None, part_of=law.name)
            return replace(law, made=None, gaussian=(rows,), parents=self.parents_of((rows,), law.name) - {name})
        return law


def merge_terms(form: SparseAffine) -> SparseAffine:
    """Sum with equal terms merged and cancelling terms removed."""
    merged: dict[bytes, tuple[Floats, tuple[Integers, ...]]] = {}
    for c, index in form.terms:
        key = np.sort(np.stack([np.ravel(part) for part in index]), axis=0).tobytes() if index else b""
        total, first_index = merged.get(key, (0.0, index))
        merged[key] = total + c, first_index
    terms = [(c, index) for c, index in merged.values() if np.abs(c).max(initial=0.0) > _NOTHING]
    return SparseAffine(form.shape, terms)


def positive(density: Callable[[Floats], Floats]) -> Hyperparameter:
    """A positive number by its log density, a function of arrays."""
    middle, width = moments(lambda x: density(np.exp(x)) + x, LOGARITHMS)
    return Hyperparameter("positive", middle, width, width, density)


def moments(density: Callable[[Floats], Floats], grid: Floats) -> tuple[float, float]:
    """Approximate median and standard deviation of a number from its log density on a grid."""
    with np.errstate(all="ignore"):
        log = np.nan_to_num(density(grid), nan=-np.inf)
        mass = np.exp(log - log.max()) * np.gradient(grid)
    cumulated = np.cumsum(mass / mass.sum())
    low, middle, high = (float(np.interp(share, cumulated, grid)) for share in (0.16, 0.5, 0.84))
    return middle, max((high - low) / 2.0, 1e-6)
