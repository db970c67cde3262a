"""`summary.json`: the contract of what a study run found, one record a model and one a reference model."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import xarray as xr

from halfpoint.evaluation.criteria import aicm, aicm_error, aicm_printed, log_likelihood
from halfpoint.evaluation.references import reference_models
from halfpoint.games.select import Selection


def finite(value: float) -> float | None:
    """Return a number JSON can hold: None for NaN and infinity."""
    return float(value) if np.isfinite(value) else None


def model_record(tree: xr.DataTree) -> dict[str, Any]:
    """Return the record of one trace.

    Parameters
    ----------
    tree : xarray.DataTree
        A trace.

    Returns
    -------
    dict
        `advantage_elo_mean` is the whole advantage of White in Elo points, the mean over players where each has one;
        None for models without one. `draw_rate_mean` is the probability of a draw between two equals, `log_draw_mean`
        the parameter behind it; None for Bradley-Terry.
    """
    posterior, attributes = tree["posterior"].to_dataset(), tree.attrs
    total = tree["sample_stats"]["log_likelihood_total"].transpose("chain", "draw").to_numpy()
    pointwise = None
    if "log_likelihood" in tree.children:
        pointwise = tree["log_likelihood"]["outcome"].transpose("chain", "draw", "game").to_numpy()
    summary = log_likelihood(total)
    means = {
        name: float(posterior[name].mean()) for name in ("advantage_elo", "draw_rate", "log_draw") if name in posterior
    }
    return {
        "name": attributes["model"],
        "edition": attributes["edition"],
        "weighting": attributes["weighting"],
        "neg_mean_loglik": -summary.mean,
        "sd_loglik": summary.sd,
        "mc_error": finite(summary.mc_error),
        "aicm": aicm(total),
        "aicm_error": finite(aicm_error(total)),
        "aicm_printed": aicm_printed(total, pointwise),
        "max_rhat": finite(attributes["max_rhat"]),
        "min_ess_bulk": finite(attributes["min_ess_bulk"]),
        "min_ess_tail": finite(attributes["min_ess_tail"]),
        "divergences": int(attributes["divergences"]),
        "converged": bool(attributes["converged"]),
        "verdict": attributes["verdict"],
        "seconds_compile": attributes["seconds_compile"],
        "seconds_sample": attributes["seconds_sample"],
        "advantage_elo_mean": means.get("advantage_elo"),
        "draw_rate_mean": means.get("draw_rate"),
        "log_draw_mean": means.get("log_draw"),
    }


def reference_records(selection: Selection, weightings: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the records of the reference models, static and with each of the named weights.

    Parameters
    ----------
    selection : Selection
        The training games.
    weightings : dict of str to array of shape (game,)
        Weights by name.
    """
    games = selection.games
    found = [("static", "equal", one) for one in reference_models(games)]
    for name, weight in weightings.items():
        found += [("weighted", name, one) for one in reference_models(games, weight, name)]
    return [
        {
            "family": one.family,
            "name": one.name,
            "weighting": kind,
            "weights": weights,
            "neg2_loglik": one.neg2_loglik,
        }
        for kind, weights, one in found
    ]


def run_record(trees: Sequence[xr.DataTree]) -> dict[str, Any]:
    """Return what the traces of a run share: seed, settings of the sampler, versions."""
    attributes = trees[0].attrs
    return {
        "seed": int(attributes["seed"]),
        "draws": int(attributes["draws"]),
        "tune": int(attributes["tune"]),
        "chains": int(attributes["chains"]),
        "sampler": attributes["sampler"],
        "versions": "; ".join(dict.fromkeys(tree.attrs["versions"] for tree in trees)),
    }


def data_record(selection: Selection) -> dict[str, Any]:
    """Return the record of the data."""
    games = selection.games
    return {
        "name": games.name,
        "simulated": games.simulated,
        "games": len(selection),
        "players": int(selection.players.size),
        "sha256": games.sha256,
    }
