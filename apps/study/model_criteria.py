"""The criteria of the literature for finished traces, side by side: AIC, BIC, DIC, WAIC, PSIS-LOO and the evidence.

All criteria except WAIC and LOO need the likelihood at points other than the draws, for which the model is declared
again on the games in the trace. This is done for the study's twelve models; for other models these columns are empty.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr
from scipy.stats import norm

from halfpoint.apps.pages.cells import Look
from halfpoint.apps.study.information_criteria import aic, bic, bridge_sampling, dic, waic
from halfpoint.apps.workflows.answer import Answer, convergence, simulated_mark
from halfpoint.apps.workflows.answers import Trace, trace_from
from halfpoint.apps.workflows.compare_traces import worst_verdict
from halfpoint.apps.workflows.grid import edition_of
from halfpoint.apps.workflows.trace_list import sides_of
from halfpoint.evaluation.comparison import Compared, best_in_words, comparison_line, comparison_table
from halfpoint.evaluation.errors import EvaluationError
from halfpoint.inference.gaussian.affine_rows import log_likelihoods
from halfpoint.inference.gaussian.mode import mode
from halfpoint.inference.location import is_location_fixed
from halfpoint.inference.loops.engine import numbers_of
from halfpoint.inference.maximum_likelihood import FLAT, with_flat_priors
from halfpoint.models.declaration.catalogue import TWELVE, declare
from halfpoint.models.declaration.declare_model import declare_model
from halfpoint.models.declaration.pointwise import each_game
from halfpoint.models.declaration.posterior_reader import reading_of
from halfpoint.models.declaration.trace_games import games_in
from halfpoint.models.games.components import unbounded_players
from halfpoint.models.games.errors import HalfpointError
from halfpoint.models.games.select import Selection
from halfpoint.models.games.table import Floats

_NOTE = (
    "AIC and BIC are at the maximum of the likelihood, DIC and WAIC under the posterior, all on the deviance scale: "
    "lower is better. LOO reports when it fails (Pareto k above 0.7), WAIC does not; DIC assumes a unimodal posterior; "
    "BIC and the evidence depend on the prior and mean little with a vague prior. Half points and weighted games have "
    "no likelihood: compare their numbers with printed numbers only; no evidence is computed."
)
_SHOWN = ("model", "parameters", "aic", "bic", "dic", "p_dic", "waic", "p_waic", "neg2_elpd_loo", "log_evidence")


def criteria(traces: Sequence[Trace], evidence: bool = True, seed: int = 1) -> Answer:
    """Criteria of traces of the same games.

    Parameters
    ----------
    traces : sequence of str, Path or DataTree
        Finished traces.
    evidence : bool
        Also compute the evidence by bridge sampling, for models that have it.
    seed : int
        Seed of the bridge.

    Returns
    -------
    Answer
        One row per trace: model, edition, likelihood, parameters, aic, bic, dic, p_dic, dic_by_variance, waic, p_waic,
        neg2_elpd_loo, max_pareto_k, log_evidence and its error.

    Raises
    ------
    HalfpointError
        If a trace has no likelihood of its games.
    """
    trees = [trace_from(trace, pointwise=True) for trace in traces]
    lines = [comparison_line(tree) for tree in trees]
    rows = [_row_of(tree, line, evidence, seed) for tree, line in zip(trees, lines, strict=True)]
    about = {"title": f"Criteria of models, lower is better except for evidence{simulated_mark(trees)}", "note": _NOTE}
    frame = pd.DataFrame(rows)
    about["answer"] = best_in_words(comparison_table(lines, "elpd_loo"))
    return Answer(frame, about | convergence(trees, worst_verdict(trees)), look=Look(in_short(frame)))


def _row_of(tree: xr.DataTree, line: Compared, evidence: bool, seed: int) -> dict[str, object]:
    """Row of one trace."""
    kind = line.likelihood
    row: dict[str, Any] = {
        "model": tree.attrs["model"], "edition": tree.attrs["edition"],
        "likelihood": f"{kind.observation}, {'equal' if kind.weighting == 'equal' else 'weighted'}",
    }  # fmt: skip
    empty = ("parameters", "aic", "bic", "dic", "p_dic", "dic_by_variance", "waic", "p_waic")
    row |= dict.fromkeys(empty, math.nan)
    total = tree["sample_stats"]["log_likelihood_total"].to_numpy()
    if tree.attrs["model"] in TWELVE and not tree.attrs.get("edited"):
        density = Density(tree)
        draws = density.draws
        at_mean = float(density.log_likelihood(draws.mean(axis=0)[None])[0])
        largest = density.maximum()
        count = draws.shape[1] - (not is_location_fixed(tree))  # unanchored games do not identify the level
        row["parameters"] = count
        row |= {"aic": aic(largest, count), "bic": bic(largest, count, int(tree.attrs["games"]))}
        criterion = dic(total, at_mean)
        row |= {
            "dic": criterion.value,
            "p_dic": criterion.parameters,
            "dic_by_variance": dic(total, at_mean, True).value,
        }
    if (by_game := each_game(tree)) is not None:
        pointwise = by_game["score"].to_numpy()
        wide = waic(pointwise * tree["constant_data"]["weight"].to_numpy())
        row |= {"waic": wide.value, "p_waic": wide.parameters}
    row |= {"neg2_elpd_loo": -2.0 * line.values.get("elpd_loo", math.nan), "max_pareto_k": line.max_pareto_k}
    row |= {"log_evidence": math.nan, "evidence_error": math.nan}
    proper = kind.observation == "three outcomes" and kind.weighting == "equal"
    if evidence and proper and not math.isnan(row["parameters"]):
        try:
            bridged = bridge_sampling(draws, density.with_prior, seed)
        except EvaluationError:  # too few draws for the covariance of the parameters
            return row
        row |= {"log_evidence": bridged.log_evidence, "evidence_error": bridged.error}
    return row


def selection_in(tree: xr.DataTree) -> Selection:
    """Games of a trace as selected, before weights by age."""
    constant, games = tree["constant_data"].to_dataset(), games_in(tree)
    white, black = (constant[side].to_numpy().astype(np.int32) for side in ("white", "black"))
    players, anchor = constant["player"].to_numpy().astype(np.str_), constant["anchor_elo"].to_numpy()
    return Selection(games, players, white, black, anchor, np.ones(len(games)), sides=sides_of(tree))


class Density:
    """Likelihood and prior of the model of a trace, on its games, at points of shape (point, value)."""

    def __init__(self, tree: xr.DataTree) -> None:
        if tree.attrs["weighting"] == "given":
            raise HalfpointError(
                f"{tree.attrs['model']}: expected weights set by the model, found weights of the games"
            )
        edition = edition_of(str(tree.attrs["edition"]))
        self.declared = declare(str(tree.attrs["model"]), selection_in(tree), edition)
        p = reading_of(tree).p
        names = [law.name for law in self.declared.laws]
        self.draws = np.concatenate([p[name].reshape(len(p["strength"]), -1) for name in names], axis=1)
        rows = [law.gaussian[0] for law in self.declared.laws]  # all normal
        self.mean = np.concatenate([row.middle for row in rows])
        self.sd = np.concatenate([np.ravel(row.sd) for row in rows])
        self.numbers = numbers_of(self.declared, parameters=False)

    def log_likelihood(self, points: Floats) -> Floats:
        """The weighted log-likelihood of all games, shape (point,)."""
        return log_likelihoods(self.numbers, points)

    def with_prior(self, points: Floats) -> Floats:
        """Log-likelihood and log prior with all constants, shape (point,)."""
        return np.asarray(self.log_likelihood(points) + norm.logpdf(points, self.mean, self.sd).sum(axis=1))

    def maximum(self) -> float:
        """Largest log-likelihood, NaN if a strength diverges."""
        if unbounded_players(self.declared.cells).any():
            return math.nan
        model, level = with_flat_priors(self.declared.spec), self.draws[:, : len(self.declared.cells.players)].mean()
        near = model.but(strength=(float(level), FLAT[1]))
        model = replace(near, weighting="equal")  # the games have their weights
        return mode(declare_model(model, self.declared.selection)).log_likelihood


def in_short(frame: pd.DataFrame) -> pd.DataFrame:
    """The criteria for the terminal."""
    return frame[list(_SHOWN)].rename(columns={"parameters": "k", "neg2_elpd_loo": "loo", "log_evidence": "evidence"})
