"""Elementary functions of the compiled loops, compared with C and SciPy."""

import numba
import numpy as np
import pytest
from scipy import special

from halfpoint.inference.loops import vector_arithmetic as elementary

BESIDE = {
    "exp": np.exp,
    "expm1": np.expm1,
    "log": np.log,
    "log1p": np.log1p,
    "softplus": lambda x: np.logaddexp(0.0, x),
    "sigmoid": special.expit,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "arcsinh": np.arcsinh,
}
RNG = np.random.default_rng(1)
POINTS = np.concatenate(
    [
        RNG.normal(size=3000),
        RNG.uniform(-30.0, 30.0, 3000),
        RNG.uniform(-707.0, 709.0, 3000),
        *(sign * 10.0 ** RNG.uniform(-300.0, 2.0, 500) for sign in (-1, 1)),
        [0.0, np.inf, -np.inf, np.nan],
    ]
)


@pytest.mark.cases(4)
@pytest.mark.parametrize("name", BESIDE)
def test_functions_are_those_of_the_libraries(name):
    one = getattr(elementary, name)

    @numba.njit(error_model="numpy")
    def every(x):
        found = np.empty_like(x)
        for k in range(x.size):
            found[k] = one(x[k])
        return found

    points = POINTS[np.isfinite(POINTS) | (name != "arcsinh")]
    with np.errstate(all="ignore"):
        found, expected = every(points), BESIDE[name](points)
    ordinary = np.isfinite(expected) & (np.abs(expected) > 1e-307)
    np.testing.assert_allclose(found[ordinary], expected[ordinary], rtol=1e-14)
    np.testing.assert_allclose(found[~ordinary], expected[~ordinary], rtol=0.0, atol=1e-300)
