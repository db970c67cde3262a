"""Unusual formulas: compiled code equals the graph, or the graph is sampled."""

import numpy as np
import pytensor.tensor as pt
import pytest
from composed import DrawParameter, Free, Model
from graph_density import own_density
from made_games import few
from pytensor.gradient import disconnected_grad, grad_clip, zero_grad

from halfpoint.inference.loops.engine import density, numbers_of
from halfpoint.inference.loops.generator import write_formula_loop
from halfpoint.models.declaration.declare_model import declare_model
from halfpoint.models.errors import NoLoopError
from halfpoint.models.formulas.outcome import Outcome

# what the draw's score is, and whether it sees more than the difference w - b
DRAWN = {
    "step on the level": (lambda w, b, lam: lam + 0.7 * pt.gt(w + b, 1), True),
    "switch on a side": (lambda w, b, lam: lam + pt.switch(w > 0.5, 1.0, -1.0), True),
    "sign of a side": (lambda w, b, lam: lam + pt.sign(w), True),
    "stopped gradient of a side": (lambda w, b, lam: lam + disconnected_grad(w) - b, True),
    "stopped gradient of the level": (lambda w, b, lam: lam + disconnected_grad(w + b), True),
    "zero gradient of a side": (lambda w, b, lam: lam + zero_grad(w), True),
    "level in whole numbers": (lambda w, b, lam: lam + pt.cast(w + b, "int64"), True),
    "level, floored": (lambda w, b, lam: lam + pt.floor(w), True),
    "level, modulo": (lambda w, b, lam: lam + pt.mod(w, 2.0), True),
    "level, squared": (lambda w, b, lam: lam + 0.1 * (w + b) ** 2, True),
    "level, nearly the difference": (lambda w, b, lam: lam + (1.0 + 1e-9) * w - b, True),
    "larger side": (lambda w, b, lam: lam + pt.maximum(w, b), True),
    "where a side leads the level": (lambda w, b, lam: lam + pt.where(w > b, w, b), True),
    "mean of all games": (lambda w, b, lam: lam + (w - b) - (w - b).mean(), None),
    "sum of all games": (lambda w, b, lam: lam + 0.001 * pt.cumsum(w - b), None),
    "another row's": (lambda w, b, lam: lam + (w - b)[::-1], None),
    "difference in whole numbers": (lambda w, b, lam: lam + pt.cast(3.0 * (w - b), "int64"), False),
    "difference in small whole numbers": (lambda w, b, lam: lam + pt.cast(100.0 * (w - b), "int8"), False),
    "difference as float32": (lambda w, b, lam: lam + pt.cast(w - b, "float32"), False),
    "difference, floored": (lambda w, b, lam: lam + pt.floor(w - b), False),
    "difference, modulo": (lambda w, b, lam: lam + pt.mod(w - b, 2.0), False),
    "sign of the difference": (lambda w, b, lam: lam + 0.3 * pt.sign(w - b), False),
    "step on the difference": (lambda w, b, lam: lam - 0.5 * pt.gt(abs(w - b), 0.8), False),
    "two steps": (lambda w, b, lam: lam + pt.and_(w - b > -1, w - b < 1) * 0.4, False),
    "neither step": (lambda w, b, lam: lam + pt.invert(pt.or_(w - b > 1, w - b < -1)) * 0.4, False),
    "sum of two steps": (lambda w, b, lam: lam + (pt.gt(w - b, 0) + pt.gt(w - b, 1)) * 0.4, False),
    "stopped gradient of the difference": (lambda w, b, lam: lam - 0.2 * disconnected_grad(w - b) ** 2, False),
    "clipped gradient": (lambda w, b, lam: lam + grad_clip(w - b, -0.1, 0.1), False),
    "clipped difference": (lambda w, b, lam: lam - 0.2 * pt.clip(w - b, -1, 1) ** 2, False),
    "power": (lambda w, b, lam: lam - 0.2 * (1.0 + (w - b) ** 2) ** 0.37, False),
    "hyperbolic": (lambda w, b, lam: lam - pt.log(pt.cosh(w - b)) + 0.1 * pt.tanh(w - b), False),
    "logarithm of a sum": (lambda w, b, lam: lam - pt.logaddexp(w - b, b - w), False),
    "larger side above the smaller": (lambda w, b, lam: lam - 0.2 * (pt.maximum(w, b) - pt.minimum(w, b)), False),
    "a Bessel function": (lambda w, b, lam: lam + pt.j0(w - b), False),
}


def outcome_of(name):
    """Outcome with an unusual score of a draw."""
    drawn, _ = DRAWN[name]
    middle = lambda w, b, lam: (b, drawn(w, b, lam) + (w + b) / 2, w)  # noqa: E731
    return Outcome(f"odd: {name}", middle)


@pytest.mark.parametrize("name", [name for name, (_, sees) in DRAWN.items() if sees is not False])
def test_what_sees_more_than_the_difference_has_no_loop(name):
    outcome = outcome_of(name)
    assert outcome.sees_level
    with pytest.raises(NoLoopError):
        write_formula_loop(outcome)


@pytest.mark.parametrize("name", [name for name, (_, sees) in DRAWN.items() if sees is False])
def test_what_sees_the_difference_is_told_so(name):
    assert not outcome_of(name).sees_level


@pytest.mark.slow
@pytest.mark.parametrize("name", DRAWN)
def test_compiled_equals_the_graph_or_there_is_no_loop(name):
    declared = declare_model(Model("odd", outcome_of(name), Free((0.0, 1.0)), draws=DrawParameter()), few())
    try:
        compute = density(numbers_of(declared))
    except NoLoopError:
        assert DRAWN[name][1] is not False or name in (
            "difference in small whole numbers", "difference as float32", "difference, floored", "difference, modulo",
            "sum of two steps", "a Bessel function",
        )  # fmt: skip
        return
    assert DRAWN[name][1] is False
    own = own_density(declared.model)
    for seed in range(5):
        point = np.random.default_rng(seed).standard_normal(declared.layout.count)
        (value, slope), (expected, gradient) = compute(point), own(point)
        assert value == pytest.approx(expected, rel=1e-10)
        np.testing.assert_allclose(slope, gradient, rtol=1e-8, atol=1e-9 * np.abs(gradient).max())
