"""Games simulated from a posterior, beside those that were played: what ArviZ calls the posterior predictive.

The likelihood of the games is a potential of the PyMC model: games of a pair are counted once, weights are powers, and
half points are no distribution. PyMC's own `sample_posterior_predictive` therefore finds nothing to draw. This draws
from the model's forecasts, and ArviZ's `plot_ppc_dist`, `plot_ppc_tstat` and others read the result; `az.loo` works on
the trace as it is, unless it was sampled without pointwise values.
"""

import numpy as np
import xarray as xr

from halfpoint.games.table import GameTable
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.forecast import forecast


def posterior_predictive(trace: xr.DataTree, games: GameTable, thin: int = 4, seed: int = 1) -> xr.DataTree:
    """Return a trace with a group `posterior_predictive`: each game played again under each draw.

    Parameters
    ----------
    trace : xarray.DataTree
        From `halfpoint.inference.sample`.
    games : GameTable
        The games it was sampled on (`Selection.games`), in their order.
    thin : int
        Every n-th draw of a chain.
    seed : int
        Seed of the simulation.

    Returns
    -------
    DataTree
        The trace's groups, and `posterior_predictive` with `score` (chain, draw, game): 0, 1/2 or 1 for the first seat.
        Of a model of half points, which has no draws, 0 or 1.

    Raises
    ------
    InferenceError
        If the games are not those of the trace.
    """
    observed = trace["observed_data"]["score"].to_numpy()
    if not np.array_equal(observed, games.score):
        raise InferenceError(
            f"{games.source}: expected the {observed.size} games of the trace in their order, found other ones "
            f"({len(games)} games). Give the games that the model was declared on, selection.games."
        )
    probability = forecast(trace, games, thin=thin).probability
    chance = np.random.default_rng(seed).random(probability.shape[1:])
    outcome = (chance > probability[0]).astype(np.int8) + (chance > probability[0] + probability[1])
    kept = {name: trace["posterior"][name].to_numpy() for name in ("chain", "draw")}
    kept["draw"] = kept["draw"][::thin]
    made = xr.Dataset({"score": (("chain", "draw", "game"), outcome / 2.0)}, coords=kept)
    groups = {name: node.to_dataset() for name, node in trace.children.items()}
    tree = xr.DataTree.from_dict(groups | {"posterior_predictive": made})
    tree.attrs = dict(trace.attrs)
    return tree
