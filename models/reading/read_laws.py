"""The laws of a model's variables, read from its graph: normal laws given few variables, and transitions of periods.

A normal variable whose mean is a sum of other variables and whose standard deviation is a number, or numbers times one
spread, has a Gaussian law, even if it is declared through a latent normal variable (non-centred). Walks, random walks
and autoregressions have the law of their operator. Spreads, scales and other single numbers are hyperparameters by
their own density. Any other variable is recorded with the reason.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pymc as pm
import pytensor
import pytensor.tensor as pt
from pymc.distributions.timeseries import AutoRegressiveRV, RandomWalkRV
from pymc.distributions.transforms import IntervalTransform, LogOddsTransform
from pymc.logprob.transforms import Transform
from pytensor.graph.basic import Variable
from pytensor.graph.traversal import ancestors
from pytensor.tensor.random.basic import HalfNormalRV, NormalRV
from pytensor.tensor.random.op import RandomVariable

from halfpoint.models.formulas.linear_form import kind_of
from halfpoint.models.games.table import Floats
from halfpoint.models.language.day_distributions import DayVariable
from halfpoint.models.language.distributions import AutoregressionRV
from halfpoint.models.language.laws import GaussianRows, Hyperparameter, Law, between
from halfpoint.models.pymc_import import constant_value, interpreted
from halfpoint.models.reading.affine import Form, affine
from halfpoint.models.reading.law_forms import FEW, LOGARITHMS, NUMBERS, LawForms, moments, positive
from halfpoint.models.reading.layout import Layout
from halfpoint.models.reading.model_variables import unwrap, walk_of
from halfpoint.models.reading.sparse_affine import NotAffineError, SparseAffine
from halfpoint.models.rows.days import DayLaw


def read_laws(model: pm.Model, layout: Layout) -> list[Law]:
    """The laws of the variables that have values in a layout, in their order."""
    return _Laws(model, layout).all()


class _Laws(LawForms):
    """A reader of one model."""

    def __init__(self, model: pm.Model, layout: Layout) -> None:
        super().__init__(layout.slots, layout.values)
        self.model = model
        self.known: dict[Variable, Form] = {
            model[name]: SparseAffine.of(*slot) for name, slot in self.slots.items() if name in model.named_vars
        }

    def all(self) -> list[Law]:
        """Every law, in the order of the layout."""
        free = {str(rv.name) for rv in self.model.free_RVs}
        for name in self.names:
            dims = self.model.named_vars_to_dims.get(name) or ()
            law = Law(name, tuple(str(dim) for dim in dims if dim is not None))
            variable = self.model.named_vars.get(name)
            if variable is None:  # a number that a graph names without a variable
                self.found[name] = replace(law, free=False, unread=f"{name} is not a variable of the model")
            elif name in free:
                self.found[name] = self.of_free(variable, law)
            else:
                self.found[name] = self.of_made(variable, law)
        return self.finished()

    def form(self, node: Variable) -> Form:
        """Node as a sum of the values of variables."""
        return affine(node, dict(self.known))

    def number(self, node: Variable) -> float | None:
        """Node as one number, None if it is not one."""
        try:
            form = self.form(node)
        except NotAffineError:
            return None
        return None if isinstance(form, SparseAffine) or np.ptp(form) > 0.0 else float(np.ravel(form)[0])

    def of_free(self, rv: Variable, law: Law) -> Law:
        """Law of a random variable."""
        op, size = rv.owner.op, int(np.prod(self.slots[law.name][1], dtype=np.int64))
        if isinstance(op, HalfNormalRV) and size <= FEW:
            scale = self.number(op.dist_params(rv.owner)[-1])
            if scale is not None:
                return replace(law, role="spread", hyperparameter=Hyperparameter("spread", 0.0, scale, 1.0))
        try:
            if isinstance(op, NormalRV):
                return self.of_normal(rv, law)
            if isinstance(op, AutoregressionRV):
                return self.of_autoregression(rv, law)
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
        """Law of a normal variable."""
        mean, sd = (self.form(parent) for parent in rv.owner.op.dist_params(rv.owner)[:2])
        return self.normal(law, mean, sd, lambda wide: getattr(self.model.rvs_to_transforms[rv], "unit", wide))

    def of_autoregression(self, rv: Variable, law: Law) -> Law:
        """Law of numbers about the means of their neighbours."""
        weight, place, wide, _ = rv.owner.op.dist_params(rv.owner)
        numbers, places = (np.asarray(constant_value(parent)) for parent in (weight, place))
        return self.autoregression(law, numbers, places, self.form(wide))

    def of_days(self, rv: Variable) -> DayLaw:
        """Law of a process by days, whose spread and length are numbers, known or learned."""
        op = rv.owner.op
        (wide, spread), (long, length) = (self.spread(self.form(parent), ()) for parent in op.dist_params(rv.owner)[:2])
        return DayLaw(op.kernel, spread, length, float(wide), float(long))

    def of_series(self, rv: Variable, law: Law) -> tuple[GaussianRows, ...]:
        """Law of PyMC's random walk or autoregression of order one, with normal first values and steps."""
        op, series = rv.owner.op, self.own(law.name)
        if isinstance(op, RandomWalkRV):
            first, steps = rv.owner.inputs[:2]
            drift, sigma = _normal_parents(steps)
            share: Floats = np.asarray(1.0)
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
        begin, later = series[..., :1], series[..., 1:]
        before = series[..., :-1] * np.asarray(share)[..., None]
        return (
            self.rows(begin, _lifted(self.form(mean), begin.shape), _lifted(self.form(sd), begin.shape)),
            self.rows(later - before, _lifted(self.form(drift), later.shape), _lifted(self.form(sigma), later.shape)),
        )

    def of_other(self, rv: Variable, law: Law) -> Law:
        """Law of a variable of another family: a number by its density, a vector by an approximating normal law."""
        shape, transform = self.slots[law.name][1], self.model.rvs_to_transforms[rv]
        parents = frozenset(str(node.name) for node in ancestors([rv]) if node is not rv and node in self.known)
        if parents:
            return replace(law, unread=f"the prior of {law.name} depends on other variables", parents=parents)
        is_positive = type(transform).__name__ == "LogTransform"
        limits = self.limits(rv, transform)
        if not is_positive and limits is None and transform is not None and type(transform).__name__ != "Units":
            return replace(law, unread=f"the prior of {law.name} has the transform {type(transform).__name__}")
        if shape != () and (is_positive or limits):
            kind = "positive" if is_positive else "bounded"
            return replace(law, unread=f"{law.name} is a vector of {kind} numbers")
        if getattr(rv.owner.op, "ndim_supp", 0):
            return replace(law, unread=f"{law.name} has a joint prior of several numbers")
        density = density_of(rv)
        if shape == () and limits:
            middle, width = moments(lambda x: (point := between(x, limits))[1] + density(point[0]), LOGARITHMS)
            return replace(law, hyperparameter=Hyperparameter("bounded", middle, width, width, density, limits))
        if is_positive:
            return replace(law, hyperparameter=positive(density))
        middle, width = moments(density, NUMBERS)
        if shape == ():
            return replace(law, hyperparameter=Hyperparameter("number", middle, width, width, density))
        rows = (self.rows(self.own(law.name), np.full(shape, middle), np.full(shape, width)),)
        return replace(law, gaussian=rows, beside=density)

    def limits(self, rv: Variable, transform: Transform | None) -> tuple[float, float] | None:
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
        law = replace(law, free=False)
        walk = walk_of(variable)
        if walk is not None:
            transition, steps = walk.op.transition, walk.inputs[-1]
            parents = frozenset(filter(None, (transition.spread, transition.level, transition.beside, transition.pace)))
            law = replace(law, parents=parents)
            if not isinstance(getattr(steps.owner, "op", None), NormalRV):
                return replace(law, unread=f"the steps of {law.name} are not normal")
            if not transition.pace and [self.number(parent) for parent in _normal_parents(steps)] != [0.0, 1.0]:
                return replace(law, unread=f"the steps of {law.name} are not standard normal")
            return replace(law, transition=transition)
        try:
            form = affine(variable, {key: value for key, value in self.known.items() if key is not variable})
        except NotAffineError as error:
            return self.of_scale(variable, law) or replace(law, unread=f"{law.name} has {error}")
        return self.made(law, form)

    def of_scale(self, variable: Variable, law: Law) -> Law | None:
        """Law of a positive number declared by its normal logarithm; None if it is not one."""
        node = unwrap(variable)
        log = self.found.get(str(node.owner.inputs[0].name)) if node.owner is not None else None
        return self.scale(law, log) if node.owner is not None and kind_of(node.owner.op) == "Exp" else None


def _normal_parents(variable: Variable) -> list[Variable]:
    """Mean and standard deviation of a normal variable."""
    node = variable.owner
    if node is None or not isinstance(node.op, NormalRV):
        raise NotAffineError("steps that are not normal")
    return list(node.op.dist_params(node)[:2])


def _lifted(form: Form, shape: tuple[int, ...]) -> Form:
    """Parent by member, repeated for each member and period."""
    form_shape = form.shape if isinstance(form, SparseAffine) else np.shape(form)
    turn = len(form_shape) == len(shape) - 1 and len(form_shape) > 0
    if isinstance(form, SparseAffine):
        return (form[..., None] if turn else form).rearrange(shape, lambda array: np.broadcast_to(array, shape))
    numbers = np.asarray(form, dtype=np.float64)
    return np.broadcast_to(numbers[..., None] if turn else numbers, shape)


def density_of(rv: Variable) -> Callable[[npt.ArrayLike], Floats]:
    """Log density of a variable without parents, one value at a time: a function of arrays."""
    op, node = rv.owner.op, rv.owner
    point = pt.dvector()
    if isinstance(op, RandomVariable):
        parameters = [_scalar(parent) for parent in op.dist_params(node)]
        drawn = op(*parameters, size=point.shape, rng=pt.random.shared_rng(seed=None), return_next_rng=True)
        alone = drawn[1]
    else:  # a distribution that is made of others, whose density is that of one value as of many
        alone = rv
    log_density = pytensor.function(
        [point], pm.logp(alone, point, warn_rvs=False), mode=interpreted(), on_unused_input="ignore"
    )
    return lambda x: np.asarray(log_density(np.ravel(np.asarray(x, dtype=np.float64)))).reshape(np.shape(x))


def _scalar(parent: Variable) -> Variable:
    """Parameter of a family, common to all its values."""
    values = np.asarray(constant_value(parent), dtype=np.float64)
    if np.any(values != np.ravel(values)[0]):
        raise NotAffineError("a prior whose parameters differ between values")
    return pt.constant(float(np.ravel(values)[0]), dtype="float64")
