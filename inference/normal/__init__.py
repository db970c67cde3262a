r"""One normal approximation for every model: closest normals by rows, theta by nodes, draws with exact weights.

parts          which parameters are few numbers theta and which many numbers z, and their prior
rows           what games expect of value, slope and curvature under a normal
factor         Cholesky factors, dense and sparse
conditional    the closest normal to z given theta
nested         nodes of theta, and what lies between
posterior      the density, and how its top is climbed
curvature      the Hessian without factors, for thousands of players
blocks         numbers that priors tie, of which that Hessian is inverted exactly
refit          one theta, its own: of thousands of players, and again and again with other weights
draws          draws, weights, the bend, and whether to believe them
"""

from threadpoolctl import threadpool_limits

from halfpoint.inference.edits import edits
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.importance import unchecked
from halfpoint.inference.normal.conditional import Problem
from halfpoint.inference.normal.draws import Weighted, best_draws
from halfpoint.inference.normal.nested import Nested
from halfpoint.inference.normal.refit import Refits
from halfpoint.models.declared import Declared
from halfpoint.models.errors import NoLoopError
from halfpoint.models.forms import NotASumError

__all__ = ["Weighted", "normal_draws"]
MANY, LONG = 6000, 6_250_000  # parameters, or numbers in a factor, beyond which there are no factors and no weights


def normal_draws(declared: Declared, count: int, seed: int) -> Weighted:
    """Return so many weighted draws of the posterior of a declared model, unedited; the same seed gives the same draws.

    They are of all values, natural units, with their weights, and in `faults` why not to believe them. Raises
    `InferenceError` if the model was edited, is no sum of parameters and products of two, has too many spreads and
    scales, or has no closest normal.
    """
    found = edits(declared)
    if found.words:
        raise InferenceError(
            f"model: expected the catalogue's formula and priors, found an edited model ({found}). Use method nuts."
        )
    with threadpool_limits(1, user_api="blas"):  # small matrices: threads that wait for one another cost far more
        if declared.layout.count > MANY:
            return unweighted(declared, count, seed)
        try:
            problem = Problem(declared)
        except (NotASumError, NoLoopError) as error:
            raise InferenceError(f"normal approximation: {declared.entry.name}: {error}. Use method nuts.") from error
        if problem.store.length > LONG:
            return unweighted(declared, count, seed)
        return best_draws(Nested(problem), count, seed)


def unweighted(declared: Declared, count: int, seed: int) -> Weighted:
    """Return draws at the estimates of theta, by conjugate gradients, without weights."""
    refits = Refits(declared, factored=False)
    made = refits.draws(refits.fit(), count, seed)
    absence = f"{declared.layout.count:,} parameters are too many for weights, spreads stand at their estimates"
    return Weighted(made, unchecked(count, absence), False, (), large=True)
