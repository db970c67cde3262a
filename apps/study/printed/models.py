"""Printed criteria and scores: for fitted models against the computed edition, for reference models exactly."""

from collections.abc import Mapping
from math import hypot, pi, sqrt
from typing import cast

import numpy as np

from halfpoint.apps.study.estimates import STUDY_DRAWS, Estimate, both_errors
from halfpoint.apps.study.posterior_draws import ModelDraws
from halfpoint.apps.study.printed.files import ENDS, catalogue_name, lines_of
from halfpoint.apps.study.printed.reproduction import WRONG_WEIGHTS, Reproduction
from halfpoint.apps.study.protocol import Imputation
from halfpoint.apps.study.references import Family, reference_definetti
from halfpoint.apps.study.slips import DECEMBER_2012, recycled_rating_list
from halfpoint.evaluation.criteria import log_likelihood
from halfpoint.evaluation.verdicts import (
    Cell,
    Explanation,
    decimals,
    digit_lost,
    misprint,
    one_digit_wrong,
    transposed_digits,
)
from halfpoint.systems.curves import expected_score

UNSAMPLED = "not reproducible: the model was not sampled in this run"
CHAIN_MEANS = "slip: standard deviation of three chain means, not of the draws"
OTHER_WEIGHTS = "slip: each player's games with the weights of other games"
_RECYCLED = "slip: recorded with the weights of one player's games"
_RECYCLED_DRAW = "slip: draw parameter sampled with the weights of one player's games"
_STATIC_IN_WEIGHTED = "slip: static -mean log L under the weighted model"
type _Head = tuple[str, str, str, str, str]  # source, table, row, metric and printed digits
_PRINTED_T7 = {"mean": 11231.5, "sd": 22.7}  # davidson-weighted, table 7


def sd_of_chain_means(sd: float) -> Estimate:
    """Standard deviation of three chain means of 4,000 draws, with its spread.

    Three means with standard error s = sd / sqrt(4000) have a standard deviation of mean s sqrt(pi) / 2 and variance
    s^2 (1 - pi / 4). The study's program takes var() of the three chains' means (BT/diagBCad.R).
    """
    error = sd / sqrt(STUDY_DRAWS)
    return Estimate(error * sqrt(pi) / 2, error * sqrt(1 - pi / 4))


def lost_penalty(neg_mean_loglik: float, variance: float = 0.0) -> float:
    """AICM as printed: 2 (-mean l) + 2 v, with v, the variance of chain means or of one game, near 0."""
    return 2 * neg_mean_loglik + 2 * variance


def _training_mean(draws: ModelDraws) -> Estimate:
    """Return -mean log L of the training set, its Monte Carlo error and the standard deviation over draws."""
    summary = log_likelihood(draws.log_likelihood)
    return Estimate(-summary.mean, summary.mc_error, summary.sd)


def rules(*names: str) -> str:
    """Rules for a number, by their names."""
    return "; ".join(filter(None, names))


def model_cells(study: Reproduction) -> list[Cell]:
    """The 334 cells of the tables of models."""
    cells = []
    for line in lines_of("models"):
        imputed = "" if line["imputation"] == "none" else f" {line['imputation']}"
        row = f"{line['data']} {line['family']} {line['model']} {line['weighting']}{imputed}"
        head = (line["source"], line["table"], row, line["metric"], line["value"])
        if line["model"] not in ENDS:
            cells.append(_reference_cell(head, line, study))
            continue
        draws = study.models.get(catalogue_name(line["family"], line["model"], line["weighting"]))
        if draws is None:
            cells.append(Cell(*head, None, otherwise=UNSAMPLED))
        elif line["data"] == "training":
            cells.append(_training_cell(head, draws, study))
        else:
            cells.append(_predictive_cell(head, line, draws, study))
    return cells


def _training_cell(head: _Head, draws: ModelDraws, study: Reproduction) -> Cell:
    """Comparison of one number of the training set (tables 7 and 8, paper table 1)."""
    metric, printed, ours, name = head[3], head[4], _training_mean(draws), draws.name
    narrow = "narrow_prior" if draws.family == "davidson" and draws.treatment != "per_player" else ""
    rule = rules(narrow, "backward_weights" if draws.weighting == "weighted" else "")
    recycled = study.recycled_record if name == "davidson-weighted" else None
    if metric == "sd_loglik":
        expected = sd_of_chain_means(ours.sd if recycled is None else recycled.sd)
        slip = Explanation(CHAIN_MEANS, "sd_of_chain_means", expected.value, expected.mc_error)
        return Cell(*head, ours.sd, 0.05, rule, (slip,))
    factor = 1 if metric == "neg_mean_loglik" else 2
    explanations: list[Explanation] = []

    def explain(verdict: str, by: str, value: float, error: float) -> None:
        explanations.append(Explanation(verdict, by, factor * value, factor * error))

    if name == WRONG_WEIGHTS:
        wrong = _training_mean(study.wrong_weights)
        explain(OTHER_WEIGHTS, "weights_of_other_games", wrong.value, both_errors(wrong))
    if recycled is not None and factor == 1:
        explain(_RECYCLED, "recycled_weights", recycled.value, recycled.mc_error)
    elif recycled is not None:
        explain(_RECYCLED, "recycled_weights", lost_penalty(_PRINTED_T7["mean"], _PRINTED_T7["sd"] ** 2) / 2, 0.6)
    if name == "bt-common-weighted" and "bt-common" in study.models:
        static = _training_mean(study.models["bt-common"])
        explain(_STATIC_IN_WEIGHTED, "static_in_weighted_formula", static.value, both_errors(static))
    if name == "bt-weighted":
        explanations.append(misprint(2 * 7907.4, printed, transposed_digits))
    rule = rules(rule, "lost_penalty" if factor == 2 else "")
    return Cell(*head, factor * ours.value, factor * both_errors(ours), rule, tuple(explanations))


def _predictive_cell(head: _Head, line: Mapping[str, str], draws: ModelDraws, study: Reproduction) -> Cell:
    """Comparison of one number of a test set (tables 12, 13, 15 and 16, paper table 2)."""
    metric, printed, data = head[3], head[4], line["data"]

    total, imputation = metric in ("aicm", "aic"), cast(Imputation, line["imputation"])

    def number(of: ModelDraws) -> Estimate:
        predictive = study.predictive_of(of, data, imputation)
        mean = predictive.neg_mean_loglik
        penalised = Estimate(lost_penalty(mean.value, predictive.var_loglik.value), 2 * mean.mc_error, 2 * mean.sd)
        return penalised if total else predictive[metric]

    ours = number(draws)
    of_metric = "lost_penalty" if total else "variance_per_game" if metric.startswith("var_") else ""
    rule = rules({"B": "carlsen_scale", "A": ""}[data], of_metric)
    explanations = []
    if draws.name == WRONG_WEIGHTS:
        wrong = number(study.wrong_weights)
        explanations.append(Explanation(OTHER_WEIGHTS, "weights_of_other_games", wrong.value, both_errors(wrong)))
    if draws.name == "davidson-weighted":
        wrong = number(study.wrong_draw_parameter)
        rough = 2 * _FIRST_ORDER if total else _FIRST_ORDER if metric == "neg_mean_loglik" else 0.0
        error = hypot(both_errors(wrong), rough)
        explanations.append(Explanation(_RECYCLED_DRAW, "recycled_draw_parameter", wrong.value, error))
    if total or metric == "neg_mean_loglik":
        parts, half_unit = from_printed_parts(line, metric)
        if abs(parts - float(printed)) > half_unit:  # else it is the sum of its rounded parts
            explanations += [misprint(parts, printed, slip) for slip in (transposed_digits, digit_lost)]
    else:
        explanations.append(misprint(ours.value, printed, one_digit_wrong if metric == "definetti" else digit_lost))
    error = (ours.mc_error**2 + (ours.sd**2 / STUDY_DRAWS if ours.sd else ours.mc_error**2)) ** 0.5
    differ = data == "A" and draws.treatment == "per_player"
    return Cell(*head, ours.value, error, rule, tuple(explanations), _EARLIER_RUN if differ else _UNKNOWN)


_FIRST_ORDER = 0.1  # error of -log L by `recycled_draw_parameter`, which follows the ratings to first order only
_UNKNOWN = "not reproducible: no known rule gives it"
_EARLIER_RUN = "not reproducible: thesis and paper differ here, from different runs of the chains"


def from_printed_parts(line: Mapping[str, str], metric: str) -> tuple[float, float]:
    """Number of a test set from the table of its parts, AICM = 2 (-mean l) + 2 v, or the inverse.

    Also the largest change due to the rounding of the parts.
    """
    keys = {key: line[key] for key in ("data", "family", "model", "weighting", "imputation")} | {"source": "thesis"}
    text = {row["metric"]: row["value"] for row in lines_of("models") if keys.items() <= row.items()}
    unit, value = (
        {key: 10.0 ** -decimals(digits) for key, digits in text.items()},
        {k: float(v) for k, v in text.items()},
    )
    if metric == "neg_mean_loglik":
        return value["aicm"] / 2 - value["var_loglik"], unit["aicm"] / 4 + unit["var_loglik"] / 2
    total = lost_penalty(value["neg_mean_loglik"], value["var_loglik"])
    return total, unit["neg_mean_loglik"] + unit["var_loglik"]


def charged_parameters(neg2_loglik: float, parameters: float) -> float:
    """Printed AIC: -2 log L + 2 k.

    Examples
    --------
    >>> charged_parameters(9436.5, 2)
    9440.5
    """
    return neg2_loglik + 2 * parameters


def _reference_cell(head: _Head, line: Mapping[str, str], study: Reproduction) -> Cell:
    """Comparison of one printed number of a reference model.

    The tables add 2k with their own k, not the number of fitted proportions; models.csv has each table's k as
    `charged`, and a figure that deviates from its table's rule is a slip.
    """
    printed, data, model = line["value"], line["data"], line["model"]
    family: Family = "davidson" if line["family"] == "davidson" else "bradley_terry"
    if line["metric"] == "definetti":
        if model == "fide_elo":
            games = study.sets[data]
            p = expected_score(np.subtract(*(games.covariates[column] for column in DECEMBER_2012)))
            ours = float(np.mean((p - games.score) ** 2))
        else:
            ours = reference_definetti(family, model, study.counts(data))
        return Cell(*head, ours, explanations=(misprint(ours, printed, one_digit_wrong),))
    base = study.reference(family, model, data, line["weighting"])
    charged = int(line["charged"])
    ours = charged_parameters(base, charged)
    explanations = [
        Explanation(f"slip: charged k = {k}, not {charged}", "charged_parameters", charged_parameters(base, k))
        for k in (0, 1, 2, 4, 6)
    ]
    if model == "fide_elo" and data == "B":
        wrong = recycled_rating_list(study.sets["A"], study.sets["B"])
        explanations.append(Explanation("slip: rating list recycled", "recycled_rating_list", wrong))
    rounded_first = charged_parameters(round(base), charged)
    explanations.append(Explanation("slip: rounded before 2k was added", "charged_parameters", rounded_first))
    explanations += [misprint(ours, printed, slip) for slip in (transposed_digits, one_digit_wrong)]
    rule = "charged_parameters" if charged else ""
    return Cell(*head, ours, 0.0, rule, tuple(explanations), _UNKNOWN)
