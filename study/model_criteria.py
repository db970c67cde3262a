"""The criteria of the literature for finished traces, side by side: AIC, BIC, DIC, WAIC, PSIS-LOO and the evidence.

All but WAIC and LOO need the likelihood at other points than the draws: the games stand in the trace, so that the model
is declared on them again. That is done for the study's twelve models; for others these columns are empty.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr
from scipy.optimize import minimize
from scipy.sparse import csr_array
from scipy.special import logsumexp
from scipy.stats import norm

from halfpoint.evaluation.comparison import compared
from halfpoint.evaluation.errors import EvaluationError
from halfpoint.games.errors import HalfpointError
from halfpoint.games.select import Selection
from halfpoint.games.sides import Sides
from halfpoint.games.table import Floats, GameTable, code_players
from halfpoint.inference.level import anchored
from halfpoint.models.catalogue import TWELVE, declare
from halfpoint.models.reading import reading_of
from halfpoint.study.information_criteria import aic, bic, bridge_sampling, dic, waic
from halfpoint.study.metropolis import Target, target_of
from halfpoint.workflows.answer import Answer
from halfpoint.workflows.answers import Trace, trace_from, worst_verdict
from halfpoint.workflows.grid import edition_of

FAR = 30.0  # natural units: a maximum that far out is none, as for a player who has won every game
NOTE = (
    "AIC and BIC are at the maximum of the likelihood, DIC and WAIC under the posterior, all on the deviance scale: "
    "lower is better. LOO says when it fails (Pareto k above 0.7), WAIC does not; DIC takes the posterior for a hill; "
    "BIC and the evidence weigh the prior, and a prior that says nothing tells more of itself than of the model. Half "
    "points and weighted games have no likelihood: their numbers can be set beside printed ones, and have no evidence."
)
SHOWN = ("model", "parameters", "aic", "bic", "dic", "p_dic", "waic", "p_waic", "neg2_elpd_loo", "log_evidence")


def criteria(traces: Sequence[Trace], evidence: bool = True, seed: int = 1) -> Answer:
    """Return the criteria of traces of the same games.

    Parameters
    ----------
    traces : sequence of str, Path or DataTree
        Finished traces.
    evidence : bool
        Also bridge the evidence, of models that have one.
    seed : int
        Seed of the bridge.

    Returns
    -------
    Answer
        One row a trace: model, edition, likelihood, parameters, aic, bic, dic, p_dic, dic_by_variance, waic, p_waic,
        neg2_elpd_loo, max_pareto_k, log_evidence and its error.

    Raises
    ------
    HalfpointError
        If a trace has no likelihood of its games.
    """
    trees = [trace_from(one) for one in traces]
    rows = [row_of(tree, evidence, seed) for tree in trees]
    about = {"title": "Criteria of models, lower is better but for evidence", "note": NOTE}
    return Answer(pd.DataFrame(rows), about | {"verdict": worst_verdict(trees)})


def row_of(tree: xr.DataTree, evidence: bool, seed: int) -> dict[str, Any]:
    """Return one trace's row."""
    known = compared(tree)
    kind = known.likelihood
    row: dict[str, Any] = {
        "model": tree.attrs["model"], "edition": tree.attrs["edition"],
        "likelihood": f"{kind.observation}, {'equal' if kind.weighting == 'equal' else 'weighted'}",
    }  # fmt: skip
    empty = ("parameters", "aic", "bic", "dic", "p_dic", "dic_by_variance", "waic", "p_waic")
    row |= dict.fromkeys(empty, math.nan)
    total = tree["sample_stats"]["log_likelihood_total"].to_numpy()
    if tree.attrs["model"] in TWELVE and not tree.attrs.get("edited"):
        target, draws = points(tree)
        likelihood = LogLikelihood(target)
        at_mean = float(likelihood(draws.mean(axis=0)[None])[0])
        largest = likelihood.maximum(draws.mean(axis=0))
        count = draws.shape[1] - (not anchored(tree))  # games do not see the level where nobody is anchored
        row["parameters"] = count
        row |= {"aic": aic(largest, count), "bic": bic(largest, count, int(tree.attrs["games"]))}
        found = dic(total, at_mean)
        row |= {"dic": found.value, "p_dic": found.parameters, "dic_by_variance": dic(total, at_mean, True).value}
    if "log_likelihood" in tree.children:
        pointwise = tree["log_likelihood"]["score"].transpose("chain", "draw", "game").to_numpy()
        wide = waic(pointwise * tree["constant_data"]["weight"].to_numpy())
        row |= {"waic": wide.value, "p_waic": wide.parameters}
    row |= {"neg2_elpd_loo": -2.0 * known.values.get("elpd_loo", math.nan), "max_pareto_k": known.max_pareto_k}
    row |= {"log_evidence": math.nan, "evidence_error": math.nan}
    proper = kind.observation == "three outcomes" and kind.weighting == "equal"
    if evidence and proper and not math.isnan(row["parameters"]):
        try:
            bridged = bridge_sampling(draws, likelihood.with_prior, seed)
        except EvaluationError:  # too few draws for a covariance of so many parameters
            return row
        row |= {"log_evidence": bridged.log_evidence, "evidence_error": bridged.error}
    return row


def selection_in(tree: xr.DataTree) -> Selection:
    """Return the games of a trace as they were selected, before weights by age."""
    known, score = tree["constant_data"].to_dataset(), tree["observed_data"]["score"].to_numpy()
    names = [known[f"{side}_name"].to_numpy().astype(np.str_) for side in ("white", "black")]
    players, white, black = code_players(*names)
    sides = [known[side].to_numpy().astype(np.int32) for side in ("white", "black")]
    anchor = known["anchor_elo"].to_numpy()
    white_elo, black_elo = (np.where(side < 0, anchor, np.nan) for side in sides)
    period = known["period"].to_numpy() if "period" in known else None
    date = known["date"].to_numpy().astype("datetime64[D]") if "date" in known else None
    name = str(tree.attrs["data_name"])
    games = GameTable(players, white, black, score, period, date, white_elo, black_elo, name=name)
    monitored, weight = known["player"].to_numpy().astype(np.str_), np.ones(len(games))
    several = None
    if "side_player" in known:
        members, share = known["side_player"].to_numpy().astype(np.int32), known["side_share"].to_numpy()
        several = Sides(monitored, members, share)
    return Selection(games, monitored, sides[0], sides[1], anchor, weight, sides=several)


def points(tree: xr.DataTree) -> tuple[Target, Floats]:
    """Return the model of a trace as single steps see it, and its draws as rows of values.

    Raises
    ------
    HalfpointError
        If the trace is of games with weights of their own.
    """
    if tree.attrs["weighting"] == "given":
        raise HalfpointError(f"{tree.attrs['model']}: expected weights of the model, found those of the games")
    edition = edition_of(str(tree.attrs["edition"]))
    target = target_of(declare(str(tree.attrs["model"]), selection_in(tree), edition))
    p = reading_of(tree).p
    count = p["strength"].shape[0]
    return target, np.concatenate([p[name].reshape(count, -1) for name in target.names], axis=1)


class LogLikelihood:
    """The weighted log-likelihood of a target at many points.

    Parameters
    ----------
    target : Target
        From `halfpoint.study.metropolis.target_of`.
    """

    def __init__(self, target: Target) -> None:
        self.target = target
        values = np.repeat(np.arange(target.mean.size), np.diff(target.bounds))
        shape = (target.gap.size, target.mean.size)
        self.on_gap = csr_array((target.on_gap, (target.row, values)), shape=shape)
        self.on_draw = csr_array((target.on_draw, (target.row, values)), shape=shape)

    def __call__(self, points: Floats) -> Floats:
        """Return the log-likelihood at points, shape (point, value)."""
        return np.array([self.at(point)[0] for point in points])

    def at(self, point: Floats) -> tuple[float, Floats]:
        """Return value and gradient at one point."""
        half = (self.target.gap + self.on_gap @ point) / 2.0
        draw = self.target.draw + self.on_draw @ point
        scores = np.stack([-half, draw, half], axis=1)
        total = logsumexp(scores, axis=1)
        weight = self.target.weight
        drawn = weight[:, 1] > 0.0
        value = weight[:, 2] @ (half - total) - weight[:, 0] @ (half + total)
        value += weight[drawn, 1] @ (draw - total)[drawn]
        chance = np.exp(scores - total[:, None])
        residual = weight - weight.sum(axis=1)[:, None] * chance
        slope = self.on_gap.T @ ((residual[:, 2] - residual[:, 0]) / 2.0) + self.on_draw.T @ residual[:, 1]
        return float(value), np.asarray(slope)

    def with_prior(self, points: Floats) -> Floats:
        """Return log-likelihood and log prior with all constants, shape (point,)."""
        prior = norm.logpdf(points, self.target.mean, self.target.sd).sum(axis=1)
        return np.asarray(self(points) + prior)

    def maximum(self, start: Floats) -> float:
        """Return the largest log-likelihood, NaN where some parameter runs away."""

        def down(point: Floats) -> tuple[float, Floats]:
            value, slope = self.at(point)
            return -value, -slope

        found = minimize(down, start, jac=True, method="L-BFGS-B", options={"maxiter": 5_000, "maxfun": 20_000})
        return float(-found.fun) if np.abs(found.x - start).max() < FAR else math.nan


def in_short(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the criteria as a terminal has room for them."""
    return frame[list(SHOWN)].rename(columns={"parameters": "k", "neg2_elpd_loo": "loo", "log_evidence": "evidence"})
