r"""Coordinates for sampling a finished model, read from its own graph: units, the level's axis, centring.

    information of a value    sum over rows of w I c^2, c its coefficient in the sides and in lam
    unit                      (1 / sd^2 + information)^(-1/2), about one posterior standard deviation
    level                     the mean of a vector of players is a separate coordinate if no row depends on their sum
    centring                  s0^2 / (s0^2 + unit^2) of a population, s0 a first guess of its spread: one step from all
                              at the centre, less the step's noise

They are attached as transforms, which change no density. A transform set by a user stays.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pymc as pm
from pymc.distributions.distribution import support_point
from pymc.logprob.transforms import Transform
from pytensor.graph.basic import Apply, Variable
from pytensor.graph.traversal import ancestors
from pytensor.tensor.random.basic import HalfNormalRV, NormalRV

from halfpoint.models.games.table import Floats
from halfpoint.models.language.chain import Whitened
from halfpoint.models.language.day_distributions import DayVariable
from halfpoint.models.pymc_import import constant_value, interpreted
from halfpoint.models.reading.affine import Form, affine
from halfpoint.models.reading.games_variable import games_of, sides_of
from halfpoint.models.reading.information import Informed, Seen, at_centre, information_of, level_weight, units_of
from halfpoint.models.reading.model_variables import observed_value, shape_of, walk_of
from halfpoint.models.reading.sparse_affine import NotAffineError, SparseAffine, flat_terms
from halfpoint.models.reading.transforms import LogUnits, PartlyCentred, Shrunk, Units

if TYPE_CHECKING:
    from halfpoint.models.declaration.declared import Declared

_WIDE = 400.0  # a prior that says nothing, natural units
_FLOOR = 0.25  # share of the variance of a first step that counts as spread at least
_NEAR = 2.0  # median units below which a population around known numbers is not centred


def give_coordinates(model: pm.Model, declared: "Declared") -> None:
    """Attach coordinates to the free variables of a finished model; `declared` has its games."""
    node = games_of(model)
    for observed in model.observed_RVs:
        if observed.owner is not node:  # an observed variable is a number to all that depend on it
            observed.tag.observed = observed_value(model, observed)
    forms: dict[Variable, Form] = {}
    start: dict[Variable, int] = {}
    shape: dict[Variable, tuple[int, ...]] = {}
    size = 0
    for rv in model.free_RVs:
        start[rv], shape[rv] = size, shape_of(model, rv)
        forms[rv] = SparseAffine.of(size, shape[rv])
        size += int(np.prod(shape[rv], dtype=np.int64))
    centre, slope = np.zeros(size), dict[int, tuple[int, float]]()
    for rv in model.free_RVs:
        members = slice(start[rv], start[rv] + int(np.prod(shape[rv], dtype=np.int64)))
        centre[members] = np.ravel(np.broadcast_to(_centre(rv, forms, centre), shape[rv]))
    pseudo = size
    for deterministic in model.deterministics:
        walk = walk_of(deterministic)
        try:
            if walk is not None:
                level: Any = affine(walk.inputs[0], dict(forms))
                periods = walk.op.matrix.shape[1]
                if not walk.op.transition.beside:
                    target = (*level.shape, periods)
                    level = level[..., None].rearrange(target, lambda x, target=target: np.broadcast_to(x, target))
                forms[deterministic] = level
            else:
                forms[deterministic] = affine(deterministic, dict(forms))
        except NotAffineError:
            own_shape = shape_of(model, deterministic)
            sources = [rv for rv in model.free_RVs if rv in set(ancestors([deterministic]))]
            if own_shape == () and len(sources) == 1 and shape[sources[0]] == ():
                value, rise = _value_and_rise(deterministic, sources[0], centre[start[sources[0]]])
                forms[deterministic] = SparseAffine.of(pseudo, ())
                slope[pseudo] = start[sources[0]], rise
                centre = np.append(centre, value)
                pseudo += 1
    design = _seen(model, node, declared, forms, start, shape, size)
    informed = None if design is None else information_of(design, centre, slope)
    paced = {
        walk.inputs[0]: walk
        for walk in map(walk_of, model.deterministics)
        if walk is not None and walk.op.transition.pace
    }
    steps = {walk.inputs[-1]: walk for walk in map(walk_of, model.deterministics) if walk is not None}
    for rv in model.free_RVs:
        if not _is_open(model, rv):
            continue
        if rv in steps and not steps[rv].op.transition.pace:
            continue  # steps of a walk are in units already
        try:
            transform = _transform(rv, design, informed, centre, forms, paced, steps)
        except (NotAffineError, NotImplementedError):  # PyMC's own coordinates are as exact
            transform = None
        if transform is not None:
            _attach(model, rv, transform)


def _is_open(model: pm.Model, rv: Variable) -> bool:
    """True if the coordinates of a variable are PyMC's default, or were set by this module."""
    transform = model.rvs_to_transforms[rv]
    default = type(transform).__name__ == "LogTransform" if isinstance(rv.owner.op, HalfNormalRV) else transform is None
    return default or isinstance(transform, Units | LogUnits | PartlyCentred | Whitened)


def _attach(model: pm.Model, rv: Variable, transform: Transform) -> None:
    """Sample a variable in the coordinates of a transform."""
    value = model.rvs_to_values[rv]
    model.rvs_to_transforms[rv] = transform
    value.name = f"{rv.name}_{transform.name}__"


def _seen(
    model: pm.Model,
    node: Apply,
    declared: "Declared",
    forms: Mapping[Variable, Form],
    start: dict[Variable, int],
    shape: dict[Variable, tuple[int, ...]],
    size: int,
) -> Seen | None:
    """Dependence of the rows on free variables; None if the sides are not sums of parameters."""
    rows = len(declared.rows)
    try:
        white, black, lam, _ = sides_of(model)
        all_forms = dict(forms)
        eta = flat_terms(affine(white, all_forms) - affine(black, all_forms), rows)
        of_lam = [] if lam is None else flat_terms(affine(lam, all_forms), rows)
    except (NotAffineError, TypeError, ValueError):
        return None
    players = {rv for rv in start if model.named_vars_to_dims.get(str(rv.name), ("player",)) == ("player",)}
    return Seen.of(node.op.outcome, declared.cells, declared.rows, start, shape, size, (eta, of_lam), players)


def _numbers(node: Variable, forms: Mapping[Variable, Form]) -> Form:
    """Parent of a variable as numbers or a sum of other variables."""
    return affine(node, dict(forms))


def _centre(rv: Variable, forms: Mapping[Variable, Form], centre: Floats) -> Floats | float:
    """Centre of a prior, given the centres of the variables before it."""
    op = rv.owner.op
    try:
        if isinstance(op, NormalRV):
            return at_centre(_numbers(op.dist_params(rv.owner)[0], forms), centre)
        if isinstance(op, HalfNormalRV):
            return 0.5 * at_centre(_numbers(op.dist_params(rv.owner)[-1], forms), centre)
        point = support_point(rv)
        if not [node for node in ancestors([point]) if node in forms]:
            return np.asarray(constant_value(point))
    except (NotAffineError, NotImplementedError, TypeError, ValueError):
        pass
    return 0.0


def _value_and_rise(node: Variable, source: Variable, point: float) -> tuple[float, float]:
    """Value and derivative of a number as a function of another."""
    from pytensor.graph.replace import clone_replace

    scalar = source.type()
    (graph,) = clone_replace([node], {source: scalar})
    low, high = (float(graph.eval({scalar: np.float64(point + step)}, mode=interpreted())) for step in (-1e-4, 1e-4))
    return (low + high) / 2.0, (high - low) / 2e-4


def _transform(
    rv: Variable,
    design: Seen | None,
    informed: Informed | None,
    centre: Floats,
    forms: Mapping[Variable, Form],
    paced: Mapping[Variable, Apply],
    steps: Mapping[Variable, Apply],
) -> Transform | None:
    """Coordinates of one free variable."""
    op = rv.owner.op
    if isinstance(op, HalfNormalRV):
        scale = _numbers(op.dist_params(rv.owner)[-1], forms)
        return None if isinstance(scale, SparseAffine) or np.size(scale) != 1 else LogUnits(float(np.ravel(scale)[0]))
    if isinstance(op, DayVariable):
        return Whitened(op.kernel, np.asarray(constant_value(op.dist_params(rv.owner)[3])))
    if design is None or informed is None or bool(getattr(op, "ndim_supp", False)):
        return None
    begin, shape = design.start[rv], design.shape[rv]
    members = slice(begin, begin + int(np.prod(shape, dtype=np.int64)))
    information = informed.eta[members] + informed.lam[members]
    if rv in steps:
        return _of_steps(steps[rv], design, informed, rv)
    own_centre = centre[members].reshape(shape)
    if not isinstance(op, NormalRV):
        params = [_numbers(parent, forms) for parent in op.dist_params(rv.owner)] if hasattr(op, "dist_params") else []
        wide = params[-1] if params and not isinstance(params[-1], SparseAffine) else np.asarray(1.0)
        support = _on_the_line(rv)
        return (
            Units(own_centre, ((np.broadcast_to(wide, shape).ravel() ** -2.0 + information) ** -0.5).reshape(shape))
            if support
            else None
        )
    try:
        mean, sd = (_numbers(parent, forms) for parent in op.dist_params(rv.owner)[:2])
    except NotAffineError:
        return None
    if isinstance(sd, SparseAffine):
        return _of_population(rv, mean, sd, design, informed, own_centre, paced)
    alike = not isinstance(mean, SparseAffine) and rv in design.players
    return Units(*units_of(design, informed, members, sd, own_centre, alike))


def _on_the_line(rv: Variable) -> bool:
    """True if the support of a variable is the real line."""
    return type(rv.owner.op).__name__ in (
        "StudentTRV",
        "LaplaceRV",
        "SkewNormalRV",
        "LogisticRV",
        "CauchyRV",
        "GumbelRV",
    )


def _of_population(
    rv: Variable,
    mean: Form,
    sd: SparseAffine,
    design: Seen,
    informed: Informed,
    own_centre: Floats,
    paced: Mapping[Variable, Apply],
) -> Transform | None:
    """Coordinates of members of a normal population, partly centred."""
    begin, shape = design.start[rv], design.shape[rv]
    members = slice(begin, begin + int(np.prod(shape, dtype=np.int64)))
    information = informed.eta[members] if informed.eta[members].any() else informed.lam[members]
    unit = (_WIDE**-2.0 + information) ** -0.5
    if rv in paced:
        return Shrunk(own_centre, unit, np.zeros(shape), _pivot(mean, design, informed, members, shape))
    times = np.broadcast_to(np.asarray(sd.terms[0][0]), shape) if len(sd.terms) == 1 else np.ones(shape)
    if np.ptp(times) > 0.0:  # known errors times a scale
        share = times**2 / (times**2 + unit**2)
    elif not informed.eta[members].any():
        share = np.zeros(shape)
    else:
        step = informed.step[members]
        varies = isinstance(mean, SparseAffine) and any(np.ptp(c) > 0.0 for c, index in mean.terms if index)
        guess = float(np.sqrt(max(step.var() - np.mean(unit**2), (0.0 if varies else _FLOOR) * step.var())))
        guess = 0.0 if varies and guess <= _NEAR * float(np.median(unit)) else guess
        share = guess**2 / (guess**2 + unit**2)
    if len(shape) != 1:
        unit, share = unit.reshape(shape), np.reshape(share, shape)
        return PartlyCentred(own_centre, unit, share, None)
    return PartlyCentred(_one(own_centre), unit, share, _pivot(mean, design, informed, members, shape))


def _one(values: Floats) -> Floats | float:
    """Reduce equal values to one number."""
    return values.flat[0] if values.size and np.ptp(values) == 0.0 else values


def _pivot(mean: Form, design: Seen, informed: Informed, members: slice, shape: tuple[int, ...]) -> int | None:
    """Member with the most games, if no game depends on the level and its mean is a learned number."""
    if len(shape) != 1 or shape[0] < 2 or not isinstance(mean, SparseAffine):
        return None
    learned = [c for c, index in mean.terms if index]
    if len(learned) != 1 or np.any(np.asarray(learned[0]) != 1.0):
        return None
    return int(np.argmax(informed.eta[members])) if level_weight(design, informed, members) == 0.0 else None


def _of_steps(walk: Apply, design: Seen, informed: Informed, rv: Variable) -> Transform:
    """Coordinates of the steps of walks with individual paces: units of the information in games."""
    level = walk.inputs[0]
    begin, count = design.start.get(level, 0), design.shape[rv][0]
    information = informed.eta[begin : begin + count] if level in design.start else np.zeros(count)
    matrix = walk.op.matrix
    unit = ((_WIDE**-2.0 + information) ** -0.5)[:, None] * (matrix.shape[1] / (matrix**2).sum(axis=1)) ** 0.5
    return Shrunk(0.0, unit, 0.0)
