r"""The fused log-potential as a node of a PyMC model: value and all gradients from one pass over the cells.

    LogPotential(white seat, black seat, lam, white, black, offset, surplus, total)
        -> value, d value / d white seat, d value / d black seat, d value / d lam

The gradient of the value is read off the other outputs, so value and gradient share one node and the cells are passed
once. The cells enter as inputs, not as constants: other games or weights need no new compile.

The formulas in `bradley_terry` and `davidson` remain the definition. `family` tells from the operators whether a
formula is one of these two; any other is left to the graph.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
import pytensor.tensor as pt
from pytensor.gradient import DisconnectedType, grad_not_implemented
from pytensor.graph.basic import Apply
from pytensor.graph.op import Op
from pytensor.link.numba.dispatch.basic import numba_njit, register_funcify_default_op_cache_key

from halfpoint.models import kernel
from halfpoint.models.affine import Affine, Reading
from halfpoint.models.vector import VERSION

Family = Literal["bradley_terry", "davidson"]
VECTOR, SCALAR, INDEX = pt.TensorType("float64", (None,)), pt.TensorType("float64", ()), pt.TensorType("int32", (None,))


class LogPotential(Op):  # type: ignore[misc]
    """Log-potential of cells (without lam * sum of drawn weight) and its gradient; see `models.kernel`."""

    __props__ = ()
    itypes = (VECTOR, VECTOR, SCALAR, INDEX, INDEX, VECTOR, VECTOR, VECTOR)

    def make_node(self, *inputs: Any) -> Apply:
        """Return the node; inputs are cast to float64 and int32."""
        cast = [
            pt.cast(pt.as_tensor_variable(given), kind.dtype) for given, kind in zip(inputs, self.itypes, strict=True)
        ]
        return Apply(self, cast, [SCALAR(), VECTOR(), VECTOR(), SCALAR()])

    def infer_shape(self, node: Any, shapes: Any) -> list[Any]:
        """Gradients have the shape of their seats."""
        return [(), shapes[0], shapes[1], ()]

    def perform(self, node: Any, inputs: Sequence[Any], outputs: Any) -> None:
        """Run the kernel."""
        arrays = [np.ascontiguousarray(given) for given in inputs]
        white_seat, black_seat, _, white, black, offset, surplus, total = arrays
        slopes = np.empty_like(white_seat), np.empty_like(black_seat)
        runs = kernel.runs_of(white, black)
        value, draw_slope = kernel.log_potential(
            white_seat, black_seat, float(inputs[2]), black, offset, surplus, total, runs, *slopes
        )
        for place, result in zip(outputs, (value, *slopes, draw_slope), strict=True):
            place[0] = np.asarray(result)

    def pullback(self, inputs: Any, outputs: Any, cotangents: Any) -> list[Any]:
        """Return the gradients that the node itself computed, times the cotangent of the value."""
        further = [c for c in cotangents[1:] if not isinstance(c.type, DisconnectedType)]
        if further:
            why = "the fused log-potential has no second derivative; declare the model with backend='graph'"
            return [grad_not_implemented(self, i, given, why) for i, given in enumerate(inputs)]
        first = [cotangents[0] * slope for slope in outputs[1:]]
        return [*first, *(DisconnectedType()() for _ in inputs[3:])]

    def connection_pattern(self, node: Any) -> list[list[bool]]:
        """Seats and lam are connected; the cells are data."""
        return [[index < 3] * 4 for index in range(len(node.inputs))]


@register_funcify_default_op_cache_key(LogPotential)  # type: ignore[untyped-decorator]
def compile_log_potential(op: LogPotential, **context: Any) -> tuple[Any, int]:
    """Return the node as a numba function, with a version that makes cached code follow the kernel."""
    runs_of, log_potential = kernel.runs_of, kernel.log_potential

    @numba_njit
    def fused(white_seat, black_seat, log_draw, white, black, offset, surplus, total):  # type: ignore[no-untyped-def]
        white_slope, black_slope = np.empty(white_seat.size), np.empty(black_seat.size)
        runs = runs_of(white, black)
        value, draw_slope = log_potential(
            white_seat, black_seat, log_draw.item(), black, offset, surplus, total, runs, white_slope, black_slope
        )
        return np.asarray(value), white_slope, black_slope, np.asarray(draw_slope)

    return fused, VERSION


def family(scores: Callable[..., Any], over: tuple[int, ...], further: Sequence[Any]) -> Family | None:
    """Return the family of a formula, read off its operators; None if it is another.

    Parameters
    ----------
    scores : callable
        (white, black, *further) -> (loss, draw, win) on the log scale.
    over : tuple of int
        Outcomes whose probabilities sum to one.
    further : sequence
        Further parameters of the formula in the model.
    """
    families: dict[tuple[tuple[int, ...], int], Family] = {((0, 2), 0): "bradley_terry", ((0, 1, 2), 1): "davidson"}
    found = families.get((tuple(sorted(over)), len(further)))
    if found is None or any(np.ndim(value) if isinstance(value, float) else value.ndim for value in further):
        return None
    sides = [pt.dscalar(name) for name in ("white", "black", "log_draw")[: 2 + len(further)]]
    reading = Reading(dict.fromkeys(sides, ()))
    try:
        given = [reading.read(pt.as_tensor_variable(score)) for score in scores(*sides)]
    except Exception:  # a formula that is not linear, or needs more than numbers, is not one of the two
        return None
    if any(value.shape for value in given) or reading.long:
        return None
    slopes = np.concatenate([reading.matrix(value).toarray() for value in given])
    constants = np.array([value.constant if isinstance(value, Affine) else value for value in given])
    known = np.array([[0.0, 1.0, 0.0], [0.5, 0.5, 1.0], [1.0, 0.0, 0.0]])[:, : len(sides)]
    same = np.allclose(slopes - slopes.mean(0), known - known.mean(0), rtol=1e-13, atol=1e-13)
    return found if same and np.allclose(constants, constants.mean(), rtol=0.0, atol=1e-13) else None


def fused_log_potential(
    white_seat: Any, black_seat: Any, white: Any, black: Any, offset: Any, weight: Any, log_draw: Any = None
) -> Any:
    """Return the weighted log-potential as one node.

    Parameters
    ----------
    white_seat, black_seat : TensorVariable, shape (player + 1,)
        What each player brings to a seat, natural units; the last slot is the anchored opponent's.
    white, black : TensorVariable of int32, shape (cell,)
        Seats, -1 where anchored.
    offset : TensorVariable, shape (cell,)
        Anchor of White minus anchor of Black, natural units; 0 where both are monitored.
    weight : TensorVariable, shape (cell, outcome)
        Summed weights of losses, draws and wins.
    log_draw : TensorVariable, optional
        Davidson's draw parameter; without it Bradley-Terry's half points.
    """
    draw = -math.inf if log_draw is None else log_draw
    surplus, total = weight[:, 2] - weight[:, 0], weight.sum(axis=1)
    value = LogPotential()(white_seat, black_seat, draw, white, black, offset, surplus, total)[0]
    return value if log_draw is None else value + log_draw * weight[:, 1].sum()
