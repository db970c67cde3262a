r"""Both tails of a distribution, by the integral of its density, from which probabilities and quantiles follow.

    v = asinh |z|,    log P(Z < z) = log f(z) + log R(v)   z <= 0,    log P(Z > z) likewise above,    R = tail / density

R is smooth where tails fall by hundreds of orders of magnitude: far out R is 1 / |z| for the normal and |z| / n for the
t of n degrees of freedom. R is computed at the ends of panels of v, by Gauss-Legendre quadrature in each panel, and
interpolated by a cubic spline. Beyond the last panel densities are powers of |z|.

Mills (1926) Biometrika 18:395 for the ratio R.
"""

from collections.abc import Callable
from functools import lru_cache
from types import ModuleType

import numpy as np

from halfpoint.models.errors import ModelError
from halfpoint.models.games.lazy_import import LazyModule
from halfpoint.models.games.table import Floats

_Kernel = Callable[[Floats, ModuleType], Floats]
_interpolate = LazyModule("scipy.interpolate")
_STEP, _PANELS, _NODES = 1.0 / 256.0, 9216, 16  # of v, up to 36: |z| up to 2e15
_DEEP = 40.0  # natural logarithms of a density, of its fall in a panel, that its rule still follows
_ROUGH = 1e-6  # of a density's integral, by which two rules may differ
_NEWTON = 3  # steps of a quantile, from the nearest ends
_SLOWEST, _NOWHERE = 1e-6, -1e4  # fall of a tail by powers of |z|, and a log density below which nothing is
_LEAST = 1e-300  # of a probability, so that its logarithm is a number


class Tails:
    """Tails of a distribution, from the log density of `kernel(z, numpy)`, up to a constant.

    Raises `ModelError` if the density has no integral, or jumps.
    """

    def __init__(self, kernel: _Kernel) -> None:
        self.kernel = kernel
        totals = []
        with np.errstate(all="ignore"):
            for nodes in (_NODES - 4, _NODES):
                below, above = (_side_of(kernel, sign, nodes) for sign in (-1.0, 1.0))
                totals.append(float(np.logaddexp(below[0][0], above[0][0])))
        self.log_total = totals[-1]  # of the density
        if not np.isfinite(totals).all() or abs(np.expm1(totals[0] - totals[1])) > _ROUGH:
            raise ModelError("margins: the density has no finite integral, or jumps. Use a continuous density")
        self.mean = float((above[2] + below[2]) * np.exp(-self.log_total))
        self.ends = np.array([below[0], above[0]]) - self.log_total  # (side, end): log tails
        splines = [_interpolate.CubicSpline(np.arange(_PANELS + 1), ratio).c for _, ratio, _ in (below, above)]
        self.coefficients = np.concatenate(splines, axis=1)  # (power, panel), those below 0 first

    def log_tail(self, z: Floats) -> Floats:
        """Log P(Z < z) for z <= 0 and log P(Z > z) elsewhere, shape of z."""
        place = np.fmin(np.arcsinh(np.abs(z)) / _STEP, _PANELS - 1e-9)
        panel = place.astype(np.intp)
        place -= panel
        panel += _PANELS * (z > 0)
        ratio = self.coefficients[0].take(panel)
        for coefficients in self.coefficients[1:]:
            ratio *= place
            ratio += coefficients.take(panel)
        ratio += self.kernel(z, np)
        ratio -= self.log_total
        return np.asarray(ratio)

    def below(self, z: Floats) -> Floats:
        """P(Z < z), shape of z."""
        tail = np.exp(self.log_tail(z))
        return np.where(np.asarray(z) > 0, 1.0 - tail, tail)

    def log_parts(self, low: Floats, high: Floats) -> tuple[Floats, Floats, Floats]:
        """Logarithms of P(Z < low), P(low < Z < high) and P(Z > high), without cancellation."""
        first, second = self.log_tail(low), self.log_tail(high)
        upper, lower = low > 0, high <= 0  # both above 0, both below it
        below = np.where(upper, np.log1p(-np.exp(first)), first)
        above = np.where(lower, np.log1p(-np.exp(second)), second)
        larger = np.where(upper, first, np.where(lower, second, 0.0))
        smaller = np.where(upper, second, np.where(lower, first, np.logaddexp(first, second)))
        return below, larger + np.log(np.maximum(-np.expm1(np.minimum(smaller - larger, 0.0)), _LEAST)), above

    def quantile(self, p: Floats) -> Floats:
        """z with P(Z < z) = p, shape of p, by Newton's method on the logarithm of the smaller tail."""
        clipped = np.clip(p, _LEAST, 1.0 - 2.0**-53)
        above = clipped > np.exp(self.ends[0, 0])
        target = np.where(above, np.log1p(-clipped), np.log(clipped))
        size = np.sinh(_STEP * np.arange(_PANELS + 1))
        first, second = (np.interp(-target, -tail, size) for tail in self.ends)
        z = np.where(above, second, -first)
        for _ in range(_NEWTON):
            tail = self.log_tail(z)
            step = (tail - target) * np.exp(tail - self.kernel(z, np) + self.log_total)
            z = np.where(above, np.maximum(z + step, 0.0), np.minimum(z - step, 0.0))
        return np.asarray(z)


def _side_of(kernel: _Kernel, sign: float, nodes: int) -> tuple[Floats, Floats, float]:
    """Log tail and log R at the ends of the panels on one side of 0, and the side's part of the mean."""
    v = _STEP * np.arange(_PANELS + 1)
    log_kernel = np.nan_to_num(kernel(sign * np.sinh(v), np), nan=-np.inf, neginf=-np.inf)
    fall = np.nan_to_num(log_kernel[:-1] - log_kernel[1:], nan=0.0, posinf=0.0)
    width = _STEP * _DEEP / np.maximum(fall, _DEEP)[:, None]  # parts farther out in a panel are negligible
    node, weight = np.polynomial.legendre.leggauss(nodes)
    inside = v[:-1, None] + width * (node + 1.0) / 2.0
    z, share = sign * np.sinh(inside), np.cosh(inside) * weight * width / 2.0
    log_density = np.nan_to_num(kernel(z, np), nan=-np.inf, neginf=-np.inf)
    power = (log_kernel[-2] - log_kernel[-1]) / _STEP - 1.0  # of |z|, by which the tail falls
    never = np.inf if log_kernel[-1] > _NOWHERE else -np.inf  # an integral that has no end, or nothing
    beyond = log_kernel[-1] + v[-1] - np.log(2.0 * power) if power > _SLOWEST else never
    top = np.maximum(log_density.max(axis=1), -1e300)
    panel = np.exp(log_density - top[:, None]) * share
    masses = top + np.log(panel.sum(axis=1))
    tail = np.logaddexp.accumulate(np.append(masses, beyond)[::-1])[::-1]
    ratio = tail - log_kernel
    finite = np.maximum.accumulate(np.where(np.isfinite(ratio), np.arange(_PANELS + 1), 0))
    return tail, np.nan_to_num(ratio[finite]), float((panel * z).sum(axis=1) @ np.exp(top))


@lru_cache
def tails(kernel: _Kernel, density_values: bytes) -> Tails:
    """Cached tails of a distribution; `density_values` are values of its density, which may be edited in place."""
    return Tails(kernel)
