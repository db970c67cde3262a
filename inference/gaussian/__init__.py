"""One normal approximation for every model: closest normals by rows, theta by nodes, draws with exact weights."""

from dataclasses import replace

from threadpoolctl import threadpool_limits

from halfpoint.inference.edits import require_unedited
from halfpoint.inference.importance import unchecked
from halfpoint.inference.normal.conditional import Problem
from halfpoint.inference.normal.draws import Weighted, best_draws
from halfpoint.inference.normal.nested import Nested
from halfpoint.inference.normal.refit import Refits
from halfpoint.models.declared import Declared
from halfpoint.models.errors import NoLoopError

__all__ = ["Weighted", "normal_draws"]
MANY, LONG = 6000, 6_250_000  # parameters, or numbers in a factor, beyond which there are no weights
# of walks of more: numbers in a factor beyond which spreads have estimates alone; limits beyond which there is none
SHORT, MOST, LONGEST = 500_000, 200_000, 40_000_000


def normal_draws(declared: Declared, count: int, seed: int) -> Weighted:
    """Return so many weighted draws of the posterior of a declared model, unedited; the same seed gives the same draws.

    They are of all values, natural units, with their weights, and in `faults` why not to believe them. Raises
    `InferenceError` if the model was edited, is no sum of parameters and products of two, has too many spreads and
    scales, or has no closest normal.
    """
    require_unedited(declared)
    with threadpool_limits(1, user_api="blas"):  # small matrices: threads that wait for one another cost far more
        try:
            size = declared.layout.count
        except NoLoopError:  # which the problem tells
            size = 0
        if size > MANY and not (declared.entry.walks and size <= MOST):
            return unweighted(declared, count, seed)
        problem = Problem(declared)
        if problem.store.length > (LONG if size <= MANY else SHORT):
            return unweighted(declared, count, seed, problem.store.length <= LONGEST)
        found = best_draws(Nested(problem), count, seed)
        return found if size <= MANY else replace(found, large=True)


def unweighted(declared: Declared, count: int, seed: int, factored: bool = False) -> Weighted:
    """Return draws at the estimates of theta, by a factor or by conjugate gradients, without weights."""
    refits = Refits(declared, factored)
    made = refits.draws(refits.fit(), count, seed)
    absence = f"{declared.layout.count:,} parameters are too many for weights, spreads stand at their estimates"
    return Weighted(made, unchecked(count, absence), False, (), large=True)
