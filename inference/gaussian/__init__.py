"""Gaussian variational approximation of every model, by rows of games: weighted draws on a grid of theta, or moves.

Given the hyperparameters theta (spreads and scales), all other numbers z are approximated by the normal that is closest
to their posterior in Kullback-Leibler divergence, q = N(c, H^-1) minimising KL(q, p): the "closest normal" of this
package and of its messages (`variational`). Up to `FEW` thetas have a small grid of nodes (`hyperparameter_grid`), as
in integrated nested Laplace approximation, between which draws carry exact importance weights (`weighted_draws`). Where
there are more thetas, or more numbers than `MANY`, or the weights are unreliable, theta and z move together around a
single factor until their verdict passes (`moves`). Where that factor would be too long, conjugate gradients with a
preconditioner are used (`matrix_free_precision`).
"""

from collections.abc import Callable

from threadpoolctl import threadpool_limits

from halfpoint.inference.diagnostics.importance_ratios import unchecked_weights
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.gaussian.hyperparameter_grid import HyperparameterGrid
from halfpoint.inference.gaussian.moves import Moves, moves_serve, sample_moves
from halfpoint.inference.gaussian.reweighted_fit import ReweightedFits
from halfpoint.inference.gaussian.variational import VariationalProblem
from halfpoint.inference.gaussian.weighted_draws import WeightedDraws, draw_weighted
from halfpoint.models.declaration.declared import Declared
from halfpoint.models.errors import NoLoopError

__all__ = ["WeightedDraws", "gaussian_draws"]
MANY, LONG = 6000, 1_000_000  # parameters, or numbers in a factor, beyond which there are no weights
_WELL_KNOWN, _LONGEST = 5.0, 9_000_000  # rows of games per parameter from which a factor may be longer, and how long
_REFINED, _MOST_REFINED = 2, 4  # times that a grid gets nodes where weights are great; and if k is below NEARLY then
_NEARLY = 0.7
FEW = 2  # spreads and scales up to which draws are weighted: a grid of more is dearer than moves
# parameters beyond which there is no factor, numbers in a factor beyond which conjugate gradients take its place
MOST, LONGEST = 200_000, 40_000_000


def gaussian_draws(
    declared: Declared,
    count: int,
    seed: int,
    judge: Callable[[Moves], bool] = lambda moves: True,
    say: Callable[[str], None] = lambda line: None,
) -> WeightedDraws | Moves:
    """Draws of the posterior of a declared model; equal seeds give equal draws.

    Weighted draws where few spreads are learned and the weights are reliable, or moves are not possible, else moves;
    draws at the estimates of spreads, without weights, where a factor is too long. Raises `InferenceError` if the sides
    are no sums of parameters and products of two, a law cannot be read, there are too many spreads and scales, or there
    is no closest normal.
    """
    with threadpool_limits(1, user_api="blas"):  # small matrices: threads that wait for one another cost far more
        try:
            size = declared.layout.count
        except NoLoopError:  # which the problem reports
            size = 0
        if size > MOST:
            return unweighted_draws(declared, count, seed)
        problem = VariationalProblem(declared)
        weighted = None
        fixed = not problem.parts.thetas  # then one factor is all
        if not (moves_serve(problem) or (fixed and problem.store.length <= _LONGEST)):
            return unweighted_draws(declared, count, seed, problem.store.length <= min(LONGEST, size**2 // 2))
        longest = _LONGEST if fixed or problem.rows.count >= _WELL_KNOWN * size else LONG
        if (size <= MANY or fixed) and problem.store.length <= longest and len(problem.parts.thetas) <= FEW:
            weighted = refined_draws(HyperparameterGrid(problem), count, seed)
            if not weighted.faults or fixed:
                return weighted  # without spreads it is the posterior that is not normal: moves would be long
        try:
            return sample_moves(problem, seed, judge, say)
        except InferenceError:
            if weighted is None:
                raise
            return weighted


def refined_draws(grid: HyperparameterGrid, count: int, seed: int) -> WeightedDraws:
    """Weighted draws; while weights are unreliable the grid gets more nodes; returns the best draws."""
    weighted = best = draw_weighted(grid, count, seed)
    for times in range(_MOST_REFINED if grid.count else 0):
        if best.unreached or not best.faults or (times >= _REFINED and not best.weights.pareto_k < _NEARLY):
            break
        grid.refine(weighted.places, weighted.weights.log_weight)
        weighted = draw_weighted(grid, count, seed)
        best = max(best, weighted, key=lambda draws: (not draws.faults, draws.weights.effective))
    return best


def unweighted_draws(declared: Declared, count: int, seed: int, factored: bool = False) -> WeightedDraws:
    """Draws at the estimates of theta, by a factor or by conjugate gradients, without weights."""
    refits = ReweightedFits(declared, factored)
    draws = refits.draws(refits.fit(), count, seed, spreads=True)
    count_of_all = f"{declared.layout.count:,} parameters"
    absence = f"{count_of_all} are too many for importance weights; spreads are normal around their estimates"
    return WeightedDraws(draws, unchecked_weights(count, absence))
