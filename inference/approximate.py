r"""Draws of an approximation as a trace: the schema of sampled traces, marked approximate, with the Pareto k.

Groups and variables are those of `halfpoint.inference.sample`. Added are the attributes `approximate` = 1, `method` and
`pareto_k`, and for Laplace the group `approximation` with mean, mode and sd of every parameter. `converged` is 1 where
Pareto k is below 0.7: there the draws have been resampled with their importance weights (`resampled` = 1,
`distinct_draws`, `effective_draws`), so that they are draws of the posterior and every reader may count them equally.

Above a million games a trace keeps neither games nor their likelihoods: names and columns of 22 million games would be
gigabytes of text. Such a compact trace has the groups posterior, sample_stats and approximation only.
"""

from typing import Any

import numpy as np
import xarray as xr

from halfpoint.games.table import Floats
from halfpoint.games.units import to_elo
from halfpoint.inference.compiled import own_density
from halfpoint.inference.edits import edits
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.importance import Importance
from halfpoint.inference.laplace.hessian import values
from halfpoint.inference.laplace.target import Target
from halfpoint.inference.sample import assemble
from halfpoint.inference.trace_record import attributes_of
from halfpoint.models.catalogue import Declared
from halfpoint.models.elo_scale import in_elo
from halfpoint.models.level import sampled

WHOLE_GAMES = 1_000_000
TOLERANCE = 1e-8


def parameters_of(target: Target, drawn: Floats, dims: tuple[str, ...], coords: dict[str, Any]) -> xr.Dataset:
    """Return parameter vectors as the variables of a trace, in its units.

    Parameters
    ----------
    target : Target
        Which parameters.
    drawn : array of float, shape (..., parameter)
        Natural units.
    dims : tuple of str
        Names of the leading dims.
    coords : dict
        Their coordinates.
    """
    count = target.players.size
    to_unit: Any = (lambda natural: natural) if target.draws else to_elo
    strength = drawn[..., :count]
    per_player = (*dims, "player")
    named: dict[str, Any] = {"strength" if target.draws else "rating": (per_player, to_unit(strength))}
    if target.advantage == "player":
        named["advantage"] = (per_player, to_unit(drawn[..., count : 2 * count]))
    elif target.advantage == "common":
        named["advantage"] = (dims, to_unit(drawn[..., count]))
    if target.draws:
        named["log_draw"] = (dims, drawn[..., -1])
    return xr.Dataset(named, coords=coords | {"player": target.players.astype(object)})


def log_likelihoods(target: Target, drawn: Floats) -> Floats:
    """Return the weighted log likelihood of draws (draw, parameter), shape (draw,)."""
    total = np.empty(drawn.shape[0])
    for row, position in enumerate(drawn):
        p, q = target.seats(position[: target.body], position[target.body :])
        lam = target.log_draw(position[target.body :])
        total[row] = values(target.draws, target.white, target.black, target.known, target.weight, p, q, lam)
    return total


def log_posterior(target: Target, drawn: Floats) -> Floats:
    """Return the log posterior of draws (draw, parameter) up to a constant, shape (draw,)."""
    scaled = (drawn - target.prior_mean) / target.prior_sd
    return np.asarray(log_likelihoods(target, drawn) - 0.5 * np.einsum("ij,ij->i", scaled, scaled))


def check_formula(declared: Declared, target: Target) -> None:
    """Check that the target is the log density of the PyMC model, which a researcher may have edited.

    Whether it was edited is read off its graph and its data (`edits`). The rise of both between two points, which may
    differ by a constant, is compared besides.

    Raises
    ------
    InferenceError
        If the model was edited, or the two differ by more than 1e-8, relative.
    """
    found = edits(declared)
    if found.words:
        raise InferenceError(
            f"model: expected the catalogue's formula and priors, found an edited model ({found}). Use method nuts."
        )
    model, count = declared.model, target.players.size
    pieces = {"strength" if target.draws else "rating": slice(0, count)}
    if target.advantage != "none":
        pieces["advantage"] = slice(count, 2 * count if target.advantage == "player" else count + 1)
    if target.draws:
        pieces["log_draw"] = slice(target.prior_mean.size - 1, None)
    message = "model: expected the catalogue's formula and priors, found an edited model. Use method nuts."
    ordered = [variable.name.removesuffix("_raw") for variable in model.free_RVs]
    if sorted(ordered) != sorted(pieces):
        raise InferenceError(message)
    density = own_density(model)
    own, ours = [], []
    for seed in (1, 2):
        position = target.prior_mean + 0.3 * np.random.default_rng(seed).standard_normal(target.prior_mean.size)
        raw = []
        for name in ordered:
            value = position[pieces[name]] if target.draws else to_elo(position[pieces[name]])
            raw.append(np.atleast_1d(sampled(model, name, value)))
        own.append(density(np.concatenate(raw))[0])
        ours.append(float(log_posterior(target, position[None])[0]))
    if not np.isclose(own[1] - own[0], ours[1] - ours[0], rtol=TOLERANCE, atol=TOLERANCE * abs(ours[0])):
        raise InferenceError(message)


def approximate_trace(
    declared: Declared,
    target: Target,
    drawn: Floats,
    weights: Importance,
    method: str,
    settings: dict[str, Any],
    chains: int,
    pointwise_draws: int | None,
) -> xr.DataTree:
    """Return draws of an approximation as a trace.

    Parameters
    ----------
    declared : Declared
        The model and its games.
    target : Target
        Its log posterior.
    drawn : array of float, shape (chain * draw, parameter)
        Natural units, chain by chain; resampled already where the weights are trusted.
    weights : Importance
        Pareto k and importance weights of the draws that these are resampled from; k is NaN where it was not computed.
    method : str
        Name of the approximation.
    settings : dict
        Numbers and names recorded as attributes.
    chains : int
        Independent draws are dealt into so many chains, so that what reads sampled traces reads these.
    pointwise_draws : int or None
        As in `halfpoint.inference.sample.sample`.
    """
    draws = drawn.shape[0] // chains
    coords = {"chain": np.arange(chains), "draw": np.arange(draws)}
    compact = len(declared.selection) > WHOLE_GAMES
    kept: Any = drawn.astype(np.float32) if compact else drawn
    posterior = parameters_of(target, kept.reshape(chains, draws, -1), ("chain", "draw"), coords)
    statistics = xr.Dataset(coords=coords)
    if compact:
        total = log_likelihoods(target, drawn).reshape(chains, draws)
        statistics = statistics.assign(log_likelihood_total=(("chain", "draw"), total))
        groups = {"posterior": posterior.assign(in_elo(declared, posterior)), "sample_stats": statistics}
        tree = xr.DataTree.from_dict(groups)
        tree.attrs = attributes_of(declared) | settings
    else:
        tree = assemble(declared, posterior, statistics, settings, pointwise_draws)
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
