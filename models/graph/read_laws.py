"""The laws of a model's variables, read from its graph: normal laws given few variables, and transitions of periods.

A normal variable whose mean is a sum of other variables and whose standard deviation is a number, or numbers times one
spread, has a Gaussian law, even if it is declared through a latent normal variable (non-centred). Walks, random walks
and autoregressions have the law of their operator. Spreads, scales and other single numbers are hyperparameters by
their own density. Any other variable is recorded with the reason.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import pymc as pm
import pytensor
import pytensor.tensor as pt
from pymc.distributions.timeseries import AutoRegressiveRV, RandomWalkRV
from pymc.distributions.transforms import IntervalTransform, LogOddsTransform
from pytensor.graph.basic import Variable
from pytensor.graph.traversal import ancestors
from pytensor.tensor.random.basic import HalfNormalRV, NormalRV
from pytensor.tensor.random.op import RandomVariable

from halfpoint.games.table import Floats
from halfpoint.models.day_distributions import DayVariable
from halfpoint.models.days import DayLaw
from halfpoint.models.distributions import AutoregressionRV
from halfpoint.models.graph.affine import Form, affine
from halfpoint.models.graph.layout import Layout
from halfpoint.models.graph.linear_form import kind_of
from halfpoint.models.graph.model_variables import unwrap, walk_of
from halfpoint.models.graph.pymc_import import constant_value, interpreted
from halfpoint.models.graph.sparse_affine import NotAffineError, SparseAffine
from halfpoint.models.laws import GaussianRows, Hyperparameter, Law, between

_WIDTHS = 2.0  # units of a number as a hyperparameter, and of the logarithm of a scale
_FEW = 8  # numbers of a variable that may be hyperparameters
_NOTHING = 1e-12  # a coefficient of which rounding is left
_NUMBERS = np.concatenate([-np.logspace(6, -4, 4001), [0.0], np.logspace(-4, 6, 4001)])  # where medians are searched
_LOGARITHMS = np.linspace(-30.0, 20.0, 8001)  # likewise, of numbers with limits
_PLAIN = {"player", "outcome", "month", "innovation", "unlisted_player", "grade"}  # dims that no effect groups by


def read_laws(model: pm.Model, layout: Layout) -> list[Law]:
    """The laws of the variables that have values in a layout, in their order."""
    return _Laws(model, layout).all()


class _Laws:
    """A reader of one model."""

    def __init__(self, model: pm.Model, layout: Layout) -> None:
        self.model, self.slots = model, layout.slots
        self.known: dict[Variable, Form] = {
            model[name]: SparseAffine.of(*slot) for name, slot in self.slots.items() if name in model.named_vars
        }
        self.names, self.owner = list(self.slots), np.full(layout.values, -1)
        for number, (start, shape) in enumerate(self.slots.values()):
            self.owner[start : start + int(np.prod(shape, dtype=np.int64))] = number
        self.found: dict[str, Law] = {}

    def all(self) -> list[Law]:
        """Every law, in the order of the layout."""
        free = {str(rv.name) for rv in self.model.free_RVs}
        for name in self.names:
            dims = self.model.named_vars_to_dims.get(name) or ()
            law = Law(name, tuple(str(dim) for dim in dims if dim is not None))
            variable = self.model.named_vars.get(name)
            if variable is None:  # a number that a graph names without a variable
                self.found[name] = replace(law, free=False, unread=f"{name} is no variable of the model")
            elif name in free:
                self.found[name] = self.of_free(variable, law)
            else:
                self.found[name] = self.of_made(variable, law)
        for name, law in self.found.items():
            if any(len(index) == 2 for one in law.gaussian for _, index in one.form.terms):
                why = f"{name} has a product of variables in its mean"
                self.found[name] = replace(law, gaussian=(), hyperparameter=None, unread=why)
        for name, law in self.found.items():
            grouped = set(law.dims) - _PLAIN or name == "draw_tendency"
            if law.role == "parameter" and grouped and any(one.spread for one in law.gaussian):
                self.found[name] = replace(law, role="latent")
        return list(self.found.values())

    def form(self, node: Variable) -> Form:
        """Node as a sum of the values of variables."""
        return affine(node, dict(self.known))

    def own(self, name: str) -> SparseAffine:
        """Values of a variable."""
        return SparseAffine.of(*self.slots[name])

    def number(self, node: Variable) -> float | None:
        """Node as one number, None if it is not one."""
        try:
            form = self.form(node)
        except NotAffineError:
            return None
        return None if isinstance(form, SparseAffine) or np.ptp(form) > 0.0 else float(np.ravel(form)[0])

    def rows(self, value: SparseAffine, mean: Form, sd: Form) -> GaussianRows:
        """Normal law of values about a mean, with standard deviations that are numbers, or numbers times a spread."""
        shape = value.shape
        size = int(np.prod(shape, dtype=np.int64))
        rest = merge_terms(value - mean)
        wide, spread = self.spread(sd, shape)
        return GaussianRows(rest.rearrange((size,), lambda array: np.reshape(array, size)), np.ravel(wide), spread)

    def spread(self, form: Form, shape: tuple[int, ...]) -> tuple[Any, str]:
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
        found = {one.spread for one in rows if one.spread}
        for one in rows:
            for _, index in one.form.terms:
                found |= {self.names[k] for part in index for k in np.unique(self.owner[part]).tolist()}
        return frozenset(found - {name})

    def of_free(self, rv: Variable, law: Law) -> Law:
        """Law of a random variable."""
        op, size = rv.owner.op, int(np.prod(self.slots[law.name][1], dtype=np.int64))
        if isinstance(op, HalfNormalRV) and size <= _FEW:
            scale = self.number(op.dist_params(rv.owner)[-1])
            if scale is not None:
                return replace(law, role="spread", hyperparameter=Hyperparameter("spread", 0.0, scale, 1.0))
        try:
            if isinstance(op, NormalRV):
                return self.of_normal(rv, law)
            if isinstance(op, AutoregressionRV):
                rows = self.of_autoregression(rv, law)
                return replace(law, gaussian=rows, parents=self.parents_of(rows, law.name))
            if isinstance(op, DayVariable):
                days = self.of_days(rv)
                return replace(
                    law, role="latent", days=days, parents=frozenset(filter(None, (days.spread, days.length)))
                )
            if isinstance(op, RandomWalkRV | AutoRegressiveRV):
                rows = self.of_series(rv, law)
                return replace(law, gaussian=rows, parents=self.parents_of(rows, law.name))
        except NotAffineError as error:
            return replace(law, unread=f"{law.name} has {error}")
        return self.of_other(rv, law)

    def of_normal(self, rv: Variable, law: Law) -> Law:
        """Law of a normal variable; also that of hyperparameters for a few without parents."""
        shape = self.slots[law.name][1]
        mean, sd = (self.form(one) for one in rv.owner.op.dist_params(rv.owner)[:2])
        rows = (self.rows(self.own(law.name), mean, sd),)
        law = replace(law, gaussian=rows, parents=self.parents_of(rows, law.name))
        numbers = [one for one in (mean, sd) if not isinstance(one, SparseAffine) and np.ptp(one) == 0.0]
        if len(numbers) < 2 or int(np.prod(shape, dtype=np.int64)) > _FEW:
            return law
        middle, width = (float(np.ravel(one)[0]) for one in numbers)
        unit = getattr(self.model.rvs_to_transforms[rv], "unit", np.asarray(width))
        return replace(law, hyperparameter=Hyperparameter("number", middle, width, _WIDTHS * np.asarray(unit)))

    def of_autoregression(self, rv: Variable, law: Law) -> tuple[GaussianRows, ...]:
        """Law of numbers about the means of their neighbours: B v ~ N(0, w^2)."""
        weight, place, wide, _ = rv.owner.op.dist_params(rv.owner)
        c, at = np.asarray(constant_value(weight)), self.slots[law.name][0] + np.asarray(constant_value(place))
        form = SparseAffine((len(c),), [(c[:, k], (at[:, k],)) for k in range(c.shape[1])])
        return (GaussianRows(form, *self.spread(self.form(wide), (len(c),))),)

    def of_days(self, rv: Variable) -> DayLaw:
        """Law of a process by days, whose spread and length are numbers, known or learned."""
        op = rv.owner.op
        (wide, spread), (long, length) = (self.spread(self.form(one), ()) for one in op.dist_params(rv.owner)[:2])
        return DayLaw(op.kernel, spread, length, float(wide), float(long))

    def of_series(self, rv: Variable, law: Law) -> tuple[GaussianRows, ...]:
        """Law of PyMC's random walk or autoregression of order one, with normal first values and steps."""
        op, own = rv.owner.op, self.own(law.name)
        if isinstance(op, RandomWalkRV):
            first, steps = rv.owner.inputs[:2]
            drift, sigma = _normal_parents(steps)
            share: Any = np.asarray(1.0)
        else:
            rho, sigma, first = rv.owner.inputs[:3]
            weights = self.form(rho)
            if isinstance(weights, SparseAffine):
                raise NotAffineError("coefficients that are learned")
            values = np.asarray(weights, dtype=np.float64)
            if op.ar_order != 1:
                raise NotAffineError("an autoregression of a higher order")
            drift, share = (
                (pt.constant(values[..., 0]), values[..., 1])
                if op.constant_term
                else (pt.constant(0.0), values[..., 0])
            )
        mean, sd = _normal_parents(first)
        begin, later = own[..., :1], own[..., 1:]
        before = own[..., :-1] * np.asarray(share)[..., None]
        return (
            self.rows(begin, _lifted(self.form(mean), begin.shape), _lifted(self.form(sd), begin.shape)),
            self.rows(later - before, _lifted(self.form(drift), later.shape), _lifted(self.form(sigma), later.shape)),
        )

    def of_other(self, rv: Variable, law: Law) -> Law:
        """Law of a variable of another family: a number by its density, a vector by an approximating normal law."""
        shape, transform = self.slots[law.name][1], self.model.rvs_to_transforms[rv]
        behind = frozenset(str(one.name) for one in ancestors([rv]) if one is not rv and one in self.known)
        if behind:
            return replace(law, unread=f"the prior of {law.name} depends on other variables", parents=behind)
        positive = type(transform).__name__ == "LogTransform"
        limits = self.limits(rv, transform)
        if not positive and limits is None and transform is not None and type(transform).__name__ != "Units":
            return replace(law, unread=f"the prior of {law.name} has the transform {type(transform).__name__}")
        if shape != () and (positive or limits):
            kind = "positive" if positive else "bounded"
            return replace(law, unread=f"the prior of {law.name} is of several {kind} numbers")
        if getattr(rv.owner.op, "ndim_supp", 0):
            return replace(law, unread=f"the prior of {law.name} is one of several numbers together")
        density = density_of(rv)
        if shape == () and limits:
            middle, width = _moments(lambda x: (at := between(x, limits))[1] + density(at[0]), _LOGARITHMS)
            return replace(law, hyperparameter=Hyperparameter("bounded", middle, width, width, density, limits))
        if positive:
            middle, width = _moments(lambda x: density(np.exp(x)) + x, _LOGARITHMS)
        else:
            middle, width = _moments(density, _NUMBERS)
        if shape == ():
            name: Any = "positive" if positive else "number"
            return replace(law, hyperparameter=Hyperparameter(name, middle, width, width, density))
        rows = (self.rows(self.own(law.name), np.full(shape, middle), np.full(shape, width)),)
        return replace(law, gaussian=rows, beside=density)

    def limits(self, rv: Variable, transform: Any) -> tuple[float, float] | None:
        """Lower and upper limit of a number that PyMC transforms between limits, if they are numbers; else None."""
        if isinstance(transform, LogOddsTransform):
            return 0.0, 1.0
        if not isinstance(transform, IntervalTransform):
            return None
        ends = transform.args_fn(*rv.owner.inputs)
        low, high = (None if end is None else self.number(pt.as_tensor(end)) for end in ends)
        if (low is None) != (ends[0] is None) or (high is None) != (ends[1] is None):
            return None
        return -np.inf if low is None else low, np.inf if high is None else high

    def of_made(self, variable: Variable, law: Law) -> Law:
        """Law of a deterministic variable: walks, scales, non-centred variables, sums, known numbers."""
        law, shape = replace(law, free=False), self.slots[law.name][1]
        walk = walk_of(variable)
        if walk is not None:
            transition, steps = walk.op.transition, walk.inputs[-1]
            given = frozenset(filter(None, (transition.spread, transition.level, transition.beside, transition.pace)))
            law = replace(law, parents=given)
            if not isinstance(getattr(steps.owner, "op", None), NormalRV):
                return replace(law, unread=f"the steps of {law.name} are not normal")
            if not transition.pace and [self.number(one) for one in _normal_parents(steps)] != [0.0, 1.0]:
                return replace(law, unread=f"the steps of {law.name} are not standard normal")
            return replace(law, transition=transition)
        try:
            form = affine(variable, {key: one for key, one in self.known.items() if key is not variable})
        except NotAffineError as error:
            return self.of_scale(variable, law) or replace(law, unread=f"{law.name} has {error}")
        if not isinstance(form, SparseAffine):
            return replace(law, known=np.array(np.broadcast_to(np.asarray(form, dtype=np.float64), shape)))
        form = merge_terms(form.rearrange(shape, lambda array: np.broadcast_to(array, shape)))
        if all(not index for _, index in form.terms):
            return replace(law, known=np.asarray(sum((c for c, _ in form.terms), np.zeros(shape))))
        law = replace(law, made=form, parents=self.parents_of((GaussianRows(form, np.ones(1)),), law.name))
        return self.non_centred(form, law)

    def of_scale(self, variable: Variable, law: Law) -> Law | None:
        """Law of a positive number declared by its normal logarithm; None if it is not one."""
        node = unwrap(variable)
        log = self.found.get(str(node.owner.inputs[0].name)) if node.owner is not None else None
        if log is None or kind_of(node.owner.op) != "Exp" or log.hyperparameter is None or log.hyperparameter.density:
            return None
        number = log.hyperparameter
        scale = Hyperparameter("scale", number.mean, number.sd, _WIDTHS * np.asarray(number.unit))
        self.found[log.name] = replace(log, gaussian=(), hyperparameter=None, log_of=law.name)
        return replace(law, hyperparameter=scale, parents=frozenset([log.name]))

    def non_centred(self, form: SparseAffine, law: Law) -> Law:
        """Law of F + s x with x latent and normal: normal around F; otherwise a sum of other variables."""
        shape = form.shape
        for name, other in self.found.items():
            start, given = self.slots[name]
            if not other.hidden or given != shape or len(other.gaussian) != 1 or shape == ():
                continue
            own = start + np.arange(int(np.prod(shape, dtype=np.int64))).reshape(shape)
            mine = [term for term in form.terms if any(np.array_equal(one, own) for one in term[1])]
            rest = [term for term in form.terms if not any(term is one for one in mine)]
            if len(mine) != 1 or any(np.isin(own, one).any() for _, index in rest for one in index):
                continue
            (c, index), inner = mine[0], other.gaussian[0]
            around = SparseAffine(shape, rest)
            here = inner.form.rearrange(shape, lambda array: np.reshape(array, shape))
            try:
                if len(index) == 1:  # x less its mean is `here`
                    mean = around + (SparseAffine.of(start, shape) - here) * c
                    sd = np.abs(c) * inner.sd.reshape(shape)
                    rows = replace(self.rows(self.own(law.name), mean, sd), spread=inner.spread)
                    if any(len(part) == 2 for _, part in rows.form.terms):
                        continue
                else:
                    place = next(one for one in index if not np.array_equal(one, own))
                    if inner.spread or len(here.terms) != 1:
                        continue
                    wide = SparseAffine(shape, [(np.abs(c) * inner.sd.reshape(shape), (place,))])
                    rows = self.rows(self.own(law.name), around, wide)
            except NotAffineError:
                continue
            self.found[name] = replace(other, gaussian=(), hyperparameter=None, part_of=law.name)
            return replace(law, made=None, gaussian=(rows,), parents=self.parents_of((rows,), law.name) - {name})
        return law


def _normal_parents(variable: Variable) -> list[Variable]:
    """Mean and standard deviation of a normal variable."""
    node = variable.owner
    if node is None or not isinstance(node.op, NormalRV):
        raise NotAffineError("steps that are not normal")
    return list(node.op.dist_params(node)[:2])


def _lifted(form: Form, shape: tuple[int, ...]) -> Form:
    """Parent by member, repeated for each member and period."""
    given = form.shape if isinstance(form, SparseAffine) else np.shape(form)
    turn = len(given) == len(shape) - 1 and len(given) > 0
    if isinstance(form, SparseAffine):
        return (form[..., None] if turn else form).rearrange(shape, lambda array: np.broadcast_to(array, shape))
    found = np.asarray(form, dtype=np.float64)
    return np.broadcast_to(found[..., None] if turn else found, shape)


def merge_terms(form: SparseAffine) -> SparseAffine:
    """Sum with equal terms merged and cancelling terms removed."""
    found: dict[bytes, tuple[Any, Any]] = {}
    for c, index in form.terms:
        key = np.sort(np.stack([np.ravel(one) for one in index]), axis=0).tobytes() if index else b""
        total, kept = found.get(key, (0.0, index))
        found[key] = total + c, kept
    terms = [(c, index) for c, index in found.values() if np.abs(c).max(initial=0.0) > _NOTHING]
    return SparseAffine(form.shape, terms)


def density_of(rv: Variable) -> Any:
    """Log density of a variable without parents, one value at a time: a function of arrays."""
    op, node = rv.owner.op, rv.owner
    one = pt.dvector()
    if isinstance(op, RandomVariable):
        given = [_scalar(parent) for parent in op.dist_params(node)]
        drawn = op(*given, size=one.shape, rng=pt.random.shared_rng(seed=None), return_next_rng=True)
        alone = drawn[1]
    else:  # a distribution that is made of others, whose density is that of one value as of many
        alone = rv
    at = pytensor.function([one], pm.logp(alone, one, warn_rvs=False), mode=interpreted(), on_unused_input="ignore")
    return lambda x: np.asarray(at(np.ravel(np.asarray(x, dtype=np.float64)))).reshape(np.shape(x))


def _scalar(parent: Variable) -> Variable:
    """Parameter of a family, common to all its values."""
    values = np.asarray(constant_value(parent), dtype=np.float64)
    if np.any(values != np.ravel(values)[0]):
        raise NotAffineError("a prior that differs between its values")
    return pt.constant(float(np.ravel(values)[0]), dtype="float64")


def _moments(density: Any, grid: Floats) -> tuple[float, float]:
    """Approximate median and standard deviation of a number from its log density on a grid."""
    with np.errstate(all="ignore"):
        log = np.nan_to_num(density(grid), nan=-np.inf)
        mass = np.exp(log - log.max()) * np.gradient(grid)
    cumulated = np.cumsum(mass / mass.sum())
    low, middle, high = (float(np.interp(share, cumulated, grid)) for share in (0.16, 0.5, 0.84))
    return middle, max((high - low) / 2.0, 1e-6)
