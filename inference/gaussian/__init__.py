"""Gaussian variational approximation of every model: by rows of games, on a grid of hyperparameters, reweighted.

Given the hyperparameters theta (spreads and scales), all other numbers z are approximated by the normal that is closest
to their posterior in Kullback-Leibler divergence, q = N(c, H^-1) minimising KL(q, p): the "closest normal" of this
package and of its messages (`variational`). Theta has a grid of nodes (`hyperparameter_grid`), as in integrated nested
Laplace approximation; draws are transported (`transport`) and carry importance weights, with Pareto k as their check
(`halfpoint.models.psis`). With thousands of players, conjugate gradients with a preconditioner are used
(`matrix_free_precision`).
"""

from dataclasses import replace

from threadpoolctl import threadpool_limits

from halfpoint.inference.diagnostics.importance_ratios import unchecked_weights
from halfpoint.inference.gaussian.hyperparameter_grid import HyperparameterGrid
from halfpoint.inference.gaussian.reweighted_fit import ReweightedFits
from halfpoint.inference.gaussian.transport import WeightedDraws, best_draws
from halfpoint.inference.gaussian.variational import VariationalProblem
from halfpoint.models.declared import Declared
from halfpoint.models.errors import NoLoopError

__all__ = ["WeightedDraws", "gaussian_draws"]
MANY, LONG = 6000, 6_250_000  # parameters, or numbers in a factor, beyond which there are no weights
# of walks of more: numbers in a factor beyond which spreads have estimates alone; limits beyond which there is none,
# nor where a factor is dense, slower than conjugate gradients
SHORT, MOST, LONGEST = 500_000, 200_000, 40_000_000


def gaussian_draws(declared: Declared, count: int, seed: int) -> WeightedDraws:
    """Weighted draws of the posterior of a declared model; equal seeds give equal draws.

    They contain all values in natural units, their weights, and in `faults` the reasons why they are unreliable. Raises
    `InferenceError` if the sides are no sums of parameters and products of two, a law cannot be read, there are too
    many spreads and scales, or there is no closest normal.
    """
    with threadpool_limits(1, user_api="blas"):  # small matrices: threads that wait for one another cost far more
        try:
            size = declared.layout.count
        except NoLoopError:  # which the problem reports
            size = 0
        if size > MANY and not (declared.moves and size <= MOST):
            return unweighted_draws(declared, count, seed)
        problem = VariationalProblem(declared)
        if problem.store.length > (LONG if size <= MANY else SHORT):
            return unweighted_draws(declared, count, seed, problem.store.length <= min(LONGEST, size**2 // 2))
        found = best_draws(HyperparameterGrid(problem), count, seed)
        return found if size <= MANY else replace(found, large=True)


def unweighted_draws(declared: Declared, count: int, seed: int, factored: bool = False) -> WeightedDraws:
    """Draws at the estimates of theta, by a factor or by conjugate gradients, without weights."""
    refits = ReweightedFits(declared, factored)
    made = refits.draws(refits.fit(), count, seed, spreads=True)
    absence = f"{declared.layout.count:,} parameters are too many for weights, spreads are normal about their estimates"
    return WeightedDraws(made, unchecked_weights(count, absence), False, (), large=True)
