r"""Scores of each model on each test set, one line each, and differences to the first line of the set.

    neg2_mean_log_predictive   -2 mean_draws sum_g l_g: the study's measure (Pires 2014, section 3.5)
    neg2_lpd                   -2 sum_g log mean_draws exp(l_g)
    aicm, aicm_printed         of the test set: in full, and with the penalty the study computed (see `criteria`)
    definetti, rps, accuracy   mean three-outcome scores of the posterior mean probabilities; empty without draws
    definetti_score, rmse_score, deviance_score    mean (E - y)^2, its root, and the binomial deviance, of the
                               posterior mean expected score E: the common currency of all models

The first four columns are log likelihoods of two kinds, of half-points (Bradley-Terry, FIDE rating) and of three
outcomes (Davidson), which are not comparable; the page gives each kind its own table. A difference is this line minus
the first line of the same set that has the score; for log likelihoods, the first line of the same kind. Its standard
error is paired over games, and uses the delta method for a root mean square.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import pandas as pd
from scipy.special import xlog1py, xlogy

from halfpoint.apps.study.references import Counts, reference_probability
from halfpoint.evaluation.criteria import aicm, aicm_printed, lpd_per_game, neg2_mean_log_predictive
from halfpoint.evaluation.differences import mean_difference
from halfpoint.evaluation.scores import (
    Floats,
    accuracy,
    binomial_deviance,
    de_finetti,
    de_finetti_score,
    expected_score,
    ranked_probability_score,
)
from halfpoint.models.games.table import Codes

Observation = Literal["half points", "three outcomes"]
_KEYS = ("name", "edition", "set", "imputation", "anchors")
LIKELIHOODS = ("neg2_mean_log_predictive", "neg2_lpd", "aicm", "aicm_printed")
_MEANS = ("definetti", "definetti_score", "rps", "rmse_score", "deviance_score", "accuracy")
_COMPARED = ("neg2_lpd", *_MEANS)
COLUMNS = (*_KEYS, *LIKELIHOODS, *_MEANS, *(f"{name}_difference{end}" for name in _COMPARED for end in ("", "_se")))


@dataclass(frozen=True, eq=False)
class JudgedSet:
    """One forecast of one test set, judged."""

    name: str  # model and edition; "reference" for a reference model
    edition: str
    set: str  # A, B, A-classical, A-rapid, B-classical or B-rapid, or another name
    imputation: str  # replacement of unknown players: "none" if it makes no difference
    anchors: str
    observation: Observation  # kind of the log likelihood
    totals: dict[str, float]  # the columns of `LIKELIHOODS`
    per_game: dict[str, Floats] = field(default_factory=dict)  # (game,), terms of `_COMPARED`
    converged: bool = True  # whether the sampler passed its diagnosis

    def value(self, score: str) -> float:
        """Column of the table; NaN if the score does not exist."""
        if score in LIKELIHOODS:
            return self.totals.get(score, float("nan"))
        terms = self.per_game.get(score)
        if terms is None:
            return float("nan")
        return float(np.sqrt(terms.mean()) if score == "rmse_score" else terms.mean())


def scores_per_game(expected: Floats, probability: Floats | None, outcome: Codes) -> dict[str, Floats]:
    """Scores of a forecast, expected (game,), chances (game, outcome) or None, one value a game each."""
    score = outcome / 2
    expected = np.clip(expected, 0.0, 1.0)
    square = de_finetti_score(expected, score)
    scores = {"definetti_score": square, "rmse_score": square, "deviance_score": binomial_deviance(expected, score)}
    if probability is not None:
        scores["definetti"] = de_finetti(probability, outcome)
        scores["rps"] = ranked_probability_score(probability, outcome)
        scores["accuracy"] = accuracy(probability, outcome)
    return scores


def likelihood_columns(log_predictive: Floats) -> tuple[dict[str, float], Floats]:
    """The columns of `LIKELIHOODS`, and -2 lpd of each game, from draws, shape (chain, draw, game)."""
    density = -2 * lpd_per_game(log_predictive)
    total = log_predictive.sum(axis=2)
    return {
        "neg2_mean_log_predictive": neg2_mean_log_predictive(log_predictive),
        "neg2_lpd": float(density.sum()),
        "aicm": aicm(total),
        "aicm_printed": aicm_printed(total, log_predictive),
    }, density


def reference_lines(outcome: Codes, data: str, ratings: dict[str, Floats]) -> list[JudgedSet]:
    """Reference models on a set: FIDE ratings, (game,) by anchors, then the shares of the set."""
    lines = [reference("fide_elo", data, anchors, expected, None, outcome) for anchors, expected in ratings.items()]
    counts, n = Counts.of(outcome), outcome.size
    names = ("proportional", "proportional_no_draws", "equiprobable")
    for name in names:
        p = np.tile(reference_probability("davidson", name, counts), (n, 1))
        lines.append(reference(f"davidson_{name}", data, "none", expected_score(p), p, outcome))
    for name in names if counts.win + counts.loss else names[::2]:
        win = reference_probability("bradley_terry", name, counts)[1]
        lines.append(reference(f"bt_{name}", data, "none", np.full(n, win), None, outcome))
    return lines


def reference(
    name: str, data: str, anchors: str, expected: Floats, probability: Floats | None, outcome: Codes
) -> JudgedSet:
    """Scores of a forecast with known probabilities."""
    observation: Observation = "half points" if probability is None else "three outcomes"
    if probability is None:
        term = -2 * (xlogy(outcome / 2, expected) + xlog1py(1 - outcome / 2, -expected))
    else:
        term = -2 * np.log(probability[np.arange(outcome.size), outcome])
    per_game = {"neg2_lpd": term} | scores_per_game(expected, probability, outcome)
    totals = dict.fromkeys(("neg2_mean_log_predictive", "neg2_lpd"), float(term.sum()))
    return JudgedSet(name, "reference", data, "none", anchors, observation, totals, per_game)


def predictive_table(lines: Sequence[JudgedSet]) -> pd.DataFrame:
    """All lines with their differences to the first line of their set."""
    rows = []
    for line in lines:
        row: dict[str, object] = {key: getattr(line, key) for key in _KEYS}
        row |= {score: line.value(score) for score in (*LIKELIHOODS, *_MEANS)}
        for score in _COMPARED:
            first = next(
                (candidate for candidate in lines if candidate.set == line.set and _comparable(candidate, line, score)),
                None,
            )
            row[f"{score}_difference"], row[f"{score}_difference_se"] = difference(line, first, score)
        rows.append(row)
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _comparable(first: JudgedSet, line: JudgedSet, score: str) -> bool:
    """True if two lines have the score, and log likelihoods of the same kind."""
    same = score not in LIKELIHOODS or first.observation == line.observation
    return same and score in first.per_game and score in line.per_game


def difference(line: JudgedSet, first: JudgedSet | None, score: str) -> tuple[float, float]:
    """Return this line less the first, and the paired standard error; NaN if not comparable."""
    if first is None:
        return float("nan"), float("nan")
    values, base = line.per_game[score], first.per_game[score]
    if score == "rmse_score":
        rmse, base_rmse = max(line.value(score), 1e-12), max(first.value(score), 1e-12)
        paired = mean_difference(values / (2 * rmse), base / (2 * base_rmse))
        return rmse - base_rmse, paired.standard_error
    paired = mean_difference(values, base)
    games = paired.games if score in LIKELIHOODS else 1
    return paired.mean * games, paired.standard_error * games
