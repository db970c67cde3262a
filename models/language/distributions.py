r"""Laws that PyMC lacks, as distributions: a simultaneous autoregression over players who met.

    B v ~ N(0, w^2),   B sparse and square,   log p(v) = log |det B| - n log w - |B v|^2 / (2 w^2) - n / 2 log(2 pi)

(Whittle 1954, Biometrika 41:434). B is stored in rows of equal length, `weight` (row, entry) and `place` (row, entry),
with weight 0 if a row has fewer entries, so that B v is a gather and a sum. The Gaussian law of a variable is B v and
w, which `halfpoint.models.reading.read_laws` reads from the parameters of the distribution.
"""

import numpy as np
import pymc as pm
import pytensor.tensor as pt
import scipy.sparse as sparse
from pytensor.tensor.random.op import RandomVariable
from scipy.sparse.linalg import splu

from halfpoint.models.games.table import Floats, Integers
from halfpoint.models.pymc_import import Node, Operand
from halfpoint.models.rows.opponents_rows import matrix_of, pad_rows


class AutoregressionRV(RandomVariable):  # type: ignore[misc]
    """Operator of `Autoregression`: weights, places, w and log |det B| in, v out."""

    name = "autoregression"
    signature = "(n,k),(n,k),(),()->(n)"
    dtype = "float64"
    _print_name = ("Autoregression", "\\operatorname{Autoregression}")

    @classmethod
    def rng_fn(
        cls,
        rng: np.random.Generator,
        weight: Floats,
        place: Integers,
        spread: Floats,
        _: Floats,
        size: tuple[int, ...] | None,
    ) -> Floats:
        """Draws of v, (..., n)."""
        count = place.shape[-2]
        weight, place = weight.reshape(-1, *weight.shape[-2:])[0], place.reshape(-1, *place.shape[-2:])[0]
        shape = (*(np.shape(spread) if size is None else size), count)
        steps = rng.standard_normal(shape) * np.asarray(spread)[..., None]
        solution = splu(matrix_of(weight, place)).solve(steps.reshape(-1, count).T)
        return np.asarray(solution.T.reshape(shape))


class Autoregression(pm.Distribution):  # type: ignore[misc]
    """Numbers of players, each about the weighted mean of the numbers of their opponents.

    Parameters
    ----------
    spread : tensor
        w, the standard deviation of B v.
    matrix : sparse array, shape (player, player)
        B, of numbers (`halfpoint.models.games.meetings.opponents_matrix`).
    """

    rv_op = AutoregressionRV()

    @classmethod
    def dist(cls, spread: Operand, matrix: sparse.sparray, **kwargs: object) -> Node:
        """Unnamed distribution, like PyMC's `dist`."""
        weight, place = pad_rows(matrix)
        factor = splu(sparse.csc_array(matrix))
        size = float(np.log(np.abs(factor.U.diagonal())).sum())
        return super().dist(
            [pt.constant(weight), pt.constant(place), pt.as_tensor(spread), pt.constant(size)], **kwargs
        )

    def support_point(
        rv: Node,  # noqa: N805
        size: Node | None,
        weight: Node,
        place: Node,
        spread: Node,
        log_size: Node,
    ) -> Node:
        """Zeros."""
        return pt.zeros(place.shape[-2])

    def logp(value: Node, weight: Node, place: Node, spread: Node, log_size: Node) -> Node:  # noqa: N805
        """The log density, a number."""
        residual = (weight * value[place]).sum(axis=-1) / spread
        count = place.type.shape[0]
        log_density = -0.5 * residual**2 - pt.log(spread) - 0.5 * np.log(2.0 * np.pi)
        return log_density.sum() + log_size if count else log_size
