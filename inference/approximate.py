r"""Draws of an approximation as a trace: the schema of sampled traces, marked approximate, with the Pareto k.

Groups and variables are those of `halfpoint.inference.sample`. Added are the attributes `approximate`, `method` and
`pareto_k`. `converged` is 1 where weights serve: there the draws have been resampled with their importance weights
(`resampled` = 1, `distinct_draws`, `effective_draws`), so that they are draws of the posterior and every reader may
count them equally.

Above a million games a trace keeps neither games nor their likelihoods: names and columns of 22 million games would be
gigabytes of text. Such a compact trace has the groups posterior and sample_stats only.
"""

from typing import Any

import numpy as np
import xarray as xr

from halfpoint.games.table import Floats
from halfpoint.inference.edits import edits
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.importance import Importance
from halfpoint.inference.level import on_level
from halfpoint.inference.sample import all_games, assemble
from halfpoint.inference.trace_record import attributes_of
from halfpoint.models.declared import Declared
from halfpoint.models.elo_scale import in_elo
from halfpoint.models.reading import draws_of

WHOLE_GAMES = 1_000_000


def require_unedited(declared: Declared, method: str) -> None:
    """Refuse a model whose graph was edited: an approximation knows the model as it was declared."""
    found = edits(declared)
    if found.words:
        raise InferenceError(
            f"model: expected the catalogue's formula and priors, found an edited model ({found}). Use method nuts."
        )
    if declared.entry.walks:
        raise InferenceError(
            f"method {method}: expected strengths without periods, found {declared.entry.name}. Use method nuts."
        )


def named_draws(declared: Declared, p: dict[str, Floats], chains: int) -> xr.Dataset:
    """Return parameters of shape (chain * draw, ...) as the variables of a trace, dealt into chains."""
    draws = len(next(iter(p.values()))) // chains
    dims = {block.name: block.dims for block in declared.blocks}
    named = {
        name: (("chain", "draw", *dims.get(name, ())), value.reshape(chains, draws, *value.shape[1:]))
        for name, value in p.items()
    }
    labels = {dim: list(declared.coords[dim]) for name in p for dim in dims.get(name, ())}
    players = {"player": declared.cells.players.astype(object)}
    return xr.Dataset(named, coords={"chain": np.arange(chains), "draw": np.arange(draws)} | labels | players)


def of_players_short(value: xr.DataArray) -> xr.DataArray:
    """Return what each player has in single precision, whose rounding is a thousandth of a Monte Carlo error."""
    return value.astype(np.float32, copy=False) if "player" in value.dims else value


def approximate_trace(
    declared: Declared,
    posterior: xr.Dataset,
    weights: Importance,
    method: str,
    settings: dict[str, Any],
    pointwise_draws: int | None,
) -> xr.DataTree:
    """Return draws of an approximation as a trace."""
    chains, draws = posterior.sizes["chain"], posterior.sizes["draw"]
    statistics = xr.Dataset(coords={"chain": posterior["chain"], "draw": posterior["draw"]})
    if len(declared.selection) > WHOLE_GAMES:
        total = all_games(declared, draws_of(posterior)).reshape(chains, draws)
        statistics = statistics.assign(log_likelihood_total=(("chain", "draw"), total))
        short = posterior.astype(np.float32)
        short, level = on_level(short.assign(in_elo(declared, short)), declared.selection)
        tree = xr.DataTree.from_dict({"posterior": short, "sample_stats": statistics})
        tree.attrs = attributes_of(declared) | level | settings
    else:
        tree = assemble(declared, posterior, statistics, settings, pointwise_draws)
        tree["posterior"] = xr.DataTree(tree["posterior"].to_dataset().map(of_players_short))
    tree.attrs |= {
        "approximate": 1,
        "method": method,
        "pareto_k": weights.pareto_k,
        "verdict": weights.verdict(method),
        "converged": int(weights.trusted),
    }
    if "resampled" in settings:  # draws that stand twice are worth less than their number
        worth = {"min_ess_bulk", "min_ess_tail"} & tree.attrs.keys()
        tree.attrs |= {name: min(tree.attrs[name], settings["effective_draws"]) for name in worth}
    return tree
