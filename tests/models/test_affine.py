"""Affine arithmetic on graphs: what it reads is what the graph gives anywhere; anything not linear is refused."""

import numpy as np
import pymc as pm
import pytensor
import pytensor.gradient
import pytensor.tensor as pt
import pytest
from pytensor.compile.mode import Mode

from halfpoint.models.affine import Affine, NotAffineError, Reading

INTERPRETED = Mode(linker="py", optimizer=None)
RANDOM = np.random.default_rng(8)
MATRIX, VECTOR = RANDOM.normal(size=(3, 4)), RANDOM.normal(size=4)
MANY = RANDOM.normal(size=40)

LINEAR = {
    "add, sub, neg": lambda x, y, z: -(x + 2.0) - x[::-1],
    "scaled": lambda x, y, z: VECTOR * x / 3.0 - x * 2,
    "broadcast": lambda x, y, z: x[:, None] + y + z * MATRIX.T @ MATRIX[:, :3],
    "cast of data": lambda x, y, z: x * pt.cast(pt.constant(np.arange(4)), "float64"),
    "reshape": lambda x, y, z: y.reshape((2, 6)).T.ravel(),
    "shapes": lambda x, y, z: x * x.shape[0] + pt.zeros_like(x) + pt.full_like(x, z),
    "slices": lambda x, y, z: pt.concatenate([x[1:3], y[0], [0.0], y[:, -1], z[None]]),
    "picked": lambda x, y, z: x[[3, 0, 0, -1]] + y[[0, 1, 2, 0], [0, 2, 1, 2]],
    "stack": lambda x, y, z: pt.stack([x[0], z, x[1] - z, 5.0]),
    "set": lambda x, y, z: pt.set_subtensor(y[1:, 0], x[:3])[:, 0] * 2,
    "set by data": lambda x, y, z: pt.set_subtensor(x[[1, 2]], z),
    "increase": lambda x, y, z: pt.inc_subtensor(x[1:], y[0, 0]),
    "increase twice": lambda x, y, z: pt.inc_subtensor(x[[1, 1, 3]], y[0, :]),
    "sums": lambda x, y, z: y.sum(axis=0).sum() + y.mean(axis=1) + pt.sum(x),
    "products": lambda x, y, z: MATRIX @ x + y.T @ VECTOR + pt.dot(y, VECTOR[:3])[:3],
    "matrices": lambda x, y, z: MATRIX @ y @ MATRIX[:, :3],
    "where": lambda x, y, z: pt.switch(pt.constant(VECTOR) > 0, x, z),
    "alloc": lambda x, y, z: pt.broadcast_to(x[:, None], (2, 4, 3)) + pt.alloc(z, 3),
    "repeat": lambda x, y, z: pt.repeat(x, 2)[1:] + pt.tile(x, 2)[1:],
    "diagonal": lambda x, y, z: pt.diag(y) + pt.split(x, [3, 1], n_splits=2)[0],
    "infinite constant": lambda x, y, z: pt.stack([x[0], -np.inf]),
    "cancels": lambda x, y, z: (x - x) + pt.abs(pt.constant(VECTOR)),
}
CURVED = {
    "maximum": (lambda x, y, z: pt.maximum(x, 0.0), "aximum"),
    "abs": (lambda x, y, z: abs(x), "Abs"),
    "switch": (lambda x, y, z: pt.switch(z > 0, x, 0.0), "Gt|float64|bool"),
    "eq of argmax": (lambda x, y, z: pt.eq(pt.argmax(x), 1), "Argmax|int64"),
    "clip": (lambda x, y, z: pt.clip(x, -1e9, 1e9), "Clip"),
    "sort": (lambda x, y, z: pt.sort(x), "Sort"),
    "product": (lambda x, y, z: x * z, "Mul"),
    "quotient": (lambda x, y, z: 1.0 / z, "True_div"),
    "dot": (lambda x, y, z: y @ y.T, "two that depend"),
    "square": (lambda x, y, z: x**2, "Pow|Sqr"),
    "floor": (lambda x, y, z: pt.floor(x), "Floor"),
    "cast to integers": (lambda x, y, z: pt.cast(x, "int64") * 1.0, "int64"),
    "cast to single": (lambda x, y, z: pt.cast(x, "float32") * 1.0, "float32"),
    "index": (lambda x, y, z: x[pt.cast(z, "int64")], "int64"),
    "largest": (lambda x, y, z: pt.max(x), "Max"),
    "other gradient": (lambda x, y, z: pytensor.gradient.disconnected_grad(x), "isconnect"),
    "random": (lambda x, y, z: x + pm.Normal.dist(), "random"),
    "steep": (lambda x, y, z: x * np.inf, "not finite"),
    "unknown": (lambda x, y, z: x + pt.dscalar("other"), "other"),
}


def sources():
    return pt.dvector("x"), pt.dmatrix("y"), pt.dscalar("z")


@pytest.mark.parametrize("name", LINEAR)
def test_what_is_read_is_what_the_graph_gives(name):
    given = sources()
    output = LINEAR[name](*given)
    reading = Reading(dict(zip(given, [(4,), (4, 3), ()], strict=True)))
    found = reading.read(output)
    compute = pytensor.function(list(given), output, mode=INTERPRETED, on_unused_input="ignore")
    for scale in (0.0, 1.0, 1e6):
        values = [RANDOM.normal(scale=scale, size=shape) for shape in ((4,), (4, 3), ())]
        expected = compute(*values)
        point = np.concatenate([np.ravel(value) for value in values])
        mine = found
        if isinstance(found, Affine):
            assert not reading.long
            mine = (reading.matrix(found) @ point).reshape(found.shape) + found.constant
        assert mine.shape == expected.shape
        np.testing.assert_allclose(mine, expected, rtol=1e-12, atol=1e-12 * scale)


@pytest.mark.parametrize("name", CURVED)
def test_what_is_not_linear_is_refused_by_its_operator(name):
    given = sources()
    build, message = CURVED[name]
    with pytest.raises(NotAffineError, match=message):
        Reading(dict(zip(given, [(4,), (4, 3), ()], strict=True))).read(build(*given))


def test_sums_over_many_stay_apart():
    """A reflection, centring and a second sum over what came out: rows stay short, and give the graph's values."""
    x = pt.dvector("x")
    direction = MANY / np.linalg.norm(MANY)
    mirrored = x - 2.0 * direction * (direction * x).sum()
    output = mirrored - mirrored.mean() + pt.dot(MANY, mirrored)
    reading = Reading({x: (40,)})
    found = reading.read(output)
    assert len(reading.long) == 3
    assert np.diff(found.matrix.indptr).max() <= 4
    point = RANDOM.normal(size=40)
    terms = np.concatenate([point, np.zeros(3)])
    for place, row in enumerate(reading.inner):
        terms[40 + place] = (row * terms[None]).sum()
    expected = pytensor.function([x], output, mode=INTERPRETED)(point)
    np.testing.assert_allclose(reading.matrix(found) @ terms + found.constant, expected, rtol=1e-11, atol=1e-11)


def test_a_source_in_single_precision_is_refused():
    with pytest.raises(NotAffineError, match="float32"):
        Reading({pt.fvector("x"): (3,)})
