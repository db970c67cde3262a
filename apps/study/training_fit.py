"""Fit of models to their training games: AICM with its Monte Carlo error, and PSIS-LOO."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot

import numpy as np
import pandas as pd

from halfpoint.apps.study.posterior_draws import ModelDraws
from halfpoint.apps.study.references import Reference
from halfpoint.evaluation.comparison import CANNOT, is_told
from halfpoint.evaluation.criteria import LeaveOneOut, aicm, aicm_error, aicm_printed, leave_one_out
from halfpoint.evaluation.scores import Floats
from halfpoint.models.psis import FEWEST


@dataclass(frozen=True, eq=False)
class TrainingFit:
    """Criteria of one model on its training set."""

    name: str
    edition: str
    family: str
    treatment: str
    weighting: str
    aicm: float  # in full, and with the penalty the study computed
    aicm_printed: float
    aicm_error: float  # Monte Carlo standard error of the full AICM
    loo: LeaveOneOut | None = None  # PSIS-LOO, for equal weights if the log likelihood of each game is available


def training_fit(draws: ModelDraws, pointwise: Floats | None = None) -> TrainingFit:
    """Criteria of a model."""
    total = draws.log_likelihood
    loo = None
    if pointwise is not None and pointwise.shape[0] * pointwise.shape[1] >= FEWEST:
        loo = leave_one_out(np.asarray(pointwise)) if draws.weighting == "static" else None
    about = draws.name, draws.edition, draws.family, draws.treatment, draws.weighting
    return TrainingFit(*about, aicm(total), aicm_printed(total), aicm_error(total), loo)


def effect_of_penalty(fits: Sequence[TrainingFit]) -> pd.DataFrame:
    """Effect of the full penalty on the order of models: ranks within edition, family and weighting."""
    columns = ["edition", "family", "weighting", "name", "aicm_printed", "aicm", "aicm_error"]
    table = pd.DataFrame([[getattr(fit, key) for key in columns] for fit in fits], columns=columns)
    groups = table.groupby(["edition", "family", "weighting"])
    table["rank_printed"] = groups["aicm_printed"].rank().astype(int)
    table["rank_full"] = groups["aicm"].rank().astype(int)
    table["moved"] = table["rank_printed"] != table["rank_full"]
    best: dict[tuple[str, str, str], TrainingFit] = {}
    for fit in sorted(fits, key=lambda candidate: candidate.aicm):
        best.setdefault((fit.edition, fit.family, fit.weighting), fit)
    table["told"] = [verdict_words(fit, best[fit.edition, fit.family, fit.weighting]) for fit in fits]
    return table


def verdict_words(fit: TrainingFit, lowest: TrainingFit) -> str:
    """Verdict in words: lowest, lower than another, or undecided for too few draws."""
    if fit is lowest:
        return "lowest"
    enough = is_told(fit.aicm - lowest.aicm, np.nan, np.inf, hypot(fit.aicm_error, lowest.aicm_error))
    return f"{lowest.name} is lower" if enough else CANNOT


def effect_of_normalising(draws: Mapping[tuple[str, str], ModelDraws]) -> pd.DataFrame:
    """Effect of weights of mean 1: sd of ratings (Elo), described and corrected, their ratio, largest shift."""
    rows = []
    for name in sorted({name for name, _ in draws if name.endswith("-weighted")}):
        described, corrected = draws.get((name, "described")), draws.get((name, "corrected"))
        if described is None or corrected is None:
            continue
        spreads = [float(model.study_rating_elo.std(axis=(0, 1), ddof=1).mean()) for model in (described, corrected)]
        shift = corrected.study_rating_elo.mean(axis=(0, 1)) - described.study_rating_elo.mean(axis=(0, 1))
        rows.append((name, *spreads, spreads[1] / spreads[0], float(np.abs(shift).max())))
    names = ["name", "sd_described_elo", "sd_corrected_elo", "ratio", "largest_shift_elo"]
    return pd.DataFrame(rows, columns=names)


_FITTED_PROPORTIONS = {
    ("bradley_terry", "proportional"): 1,
    ("bradley_terry", "proportional_no_draws"): 1,
    ("davidson", "proportional"): 2,
    ("davidson", "proportional_no_draws"): 1,
}


def reference_aic(reference: Reference) -> float:
    """AIC of a reference model: -2 log L + 2k, k the number of estimated proportions."""
    return reference.neg2_loglik + 2 * _FITTED_PROPORTIONS.get((reference.family, reference.name), 0)
