"""Updates of spreads in `reweighted_fit` against their closed forms and searches on a grid."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import gamma

from halfpoint.inference.gaussian.reweighted_fit import (
    FLOOR,
    _aitken_step,
    _best_logarithm,
    _slope_of_prior,
    _updated_spreads,
    are_settled,
    spreads_of,
    variances_along,
)
from halfpoint.models.language.laws import Hyperparameter

HALF_NORMAL = Hyperparameter("spread", 0.0, 0.8, 0.3)
GAMMA = Hyperparameter("positive", 0.0, 1.0, 0.3, lambda v: gamma.logpdf(v, 3.0, scale=0.3))


@pytest.mark.parametrize("law", [HALF_NORMAL, GAMMA])
@pytest.mark.parametrize("x", [-1.5, 0.4])
def test_slopes_of_priors_are_those_of_differences(law, x):
    """Of s for a half-normal spread, whose density by log s is that plus x."""
    rise = (law.log_density(x + 1e-5) - law.log_density(x - 1e-5)) / 2e-5
    assert _slope_of_prior(law, x) == pytest.approx(rise - (1.0 if law.kind == "spread" else 0.0), abs=1e-5)


def test_the_best_logarithm_is_a_mode():
    n, squares = 12, 5.0

    def fall(x):
        return n * x + 0.5 * squares * np.exp(-2.0 * x) - GAMMA.log_density(x)

    exact = minimize_scalar(fall, bounds=(-2.0, 1.0), method="bounded", options={"xatol": 1e-10}).x
    assert _best_logarithm(GAMMA, exact + 0.3, n, squares) == pytest.approx(exact, abs=2e-3)
    assert 1.0 < exact + 5.0 - _best_logarithm(GAMMA, exact + 5.0, n, squares) < 1.5  # far away a step of about 1


def parts(law, spread, rest):
    """A population of members around 0 with a spread, value 1."""
    term = SimpleNamespace(spread=spread, offset=np.zeros(rest.size), rest=lambda z, v: rest)
    other = SimpleNamespace(spread=-1, offset=np.zeros(3), rest=lambda z, v: np.full(3, 9.0))
    return SimpleNamespace(thetas=[SimpleNamespace(law=law, places=(1,))], terms=[other, term])


def test_spreads_are_thetas_of_normal_members():
    rest = np.ones(3)
    assert spreads_of(parts(HALF_NORMAL, 1, rest)) == [0]
    assert spreads_of(parts(HALF_NORMAL, 2, rest)) == [0]
    assert spreads_of(parts(GAMMA, 1, rest)) == [0]
    assert spreads_of(parts(GAMMA, 2, rest)) == []
    assert spreads_of(parts(Hyperparameter("number", 0.0, 1.0, 1.0), 1, rest)) == []


def test_known_members_give_the_mode_of_their_spread():
    """With members known exactly one step ends at the mode: s^2 = squares / (n + (s / S)^2)."""
    rest = np.array([0.5, -0.9, 1.1, 0.2, -0.4])
    x = np.log(np.sqrt(np.mean(rest**2)) / 0.8) + np.array([0.3])
    updated = _updated_spreads(parts(HALF_NORMAL, 1, rest), x, None, None, [0.0, 0.0])
    s = 0.8 * np.exp(updated[0])
    assert s**2 == pytest.approx((rest**2).sum() / (5 + (s / 0.8) ** 2))
    by_grid = _updated_spreads(parts(GAMMA, 1, rest), np.array([-0.2]), None, None, [0.0, 0.0])
    assert by_grid[0] == pytest.approx(_best_logarithm(GAMMA, -0.2, 5, float((rest**2).sum())))


def test_steps_are_longer_where_members_are_hardly_known_and_never_below_the_floor():
    rest, x = np.array([0.5, -0.9, 1.1, 0.2, -0.4]), np.array([-0.1])
    n, variance = 5, 2.0
    s_square = (0.8 * np.exp(x[0])) ** 2
    squares = (rest**2).sum() + variance
    share = 0.8**2 * (np.sqrt(n**2 + 4.0 * squares / 0.8**2) - n) / 2.0
    step = 0.5 * np.log(share) - np.log(0.8) - x[0]
    informed = 1.0 - variance / (n * s_square)
    updated = _updated_spreads(parts(HALF_NORMAL, 1, rest), x, None, None, [0.0, variance])
    assert updated[0] - x[0] == pytest.approx(step / informed)
    nothing = _updated_spreads(parts(HALF_NORMAL, 1, np.full(5, 1e-6)), np.array([FLOOR + 0.5]), None, None, [0.0, 0.0])
    assert nothing[0] == FLOOR


def test_steps_in_one_direction_go_to_their_limit():
    """Steps that shrink by a half are doubled; those that turn are not, and fewer are allowed next."""
    step, most = _aitken_step(np.array([0.1, 0.1, -0.1, 0.2]), np.array([0.2, 0.0, 0.2, 0.2]), np.full(4, 20.0))
    np.testing.assert_allclose(step, [0.2, 0.1, -0.1, 1.0])
    np.testing.assert_allclose(most, [20.0, 20.0, 10.0, 20.0])
    _, most = _aitken_step(np.array([-0.1]), np.array([0.1]), np.array([1.2]))
    assert most.tolist() == [1.0]


@pytest.mark.parametrize(("moved", "widest", "settled"), [(0.04, 1.0, True), (0.06, 1.0, False), (0.0, 0.0, True)])
def test_widths_are_settled_if_they_hardly_move(moved, widest, settled):
    assert are_settled(moved, widest) == settled


def test_variances_along_directions_are_those_of_the_dense_product():
    rng = np.random.default_rng(1)
    slope, ways, half, part = (rng.normal(size=size) for size in ((2, 5, 4), (3, 4), (3, 3), (3, 2, 5)))
    covariance, moves = half @ half.T, part - np.einsum("krz,iz->ikr", slope, ways)

    def place(_, z, out):
        out += slope @ z

    rows = SimpleNamespace(count=5, kind=np.float64, place=place)
    variance = variances_along(rows, slope, list(ways), covariance, part.copy())
    for number, (a, b) in enumerate([(0, 0), (0, 1), (1, 1)]):
        expected = np.einsum("ir,ij,jr->r", moves[:, a], covariance, moves[:, b])
        np.testing.assert_allclose(variance[number], expected)
