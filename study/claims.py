"""The conclusions of the study as claims, each with its evidence under the three editions (see `claim_evidence`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot

import numpy as np

from halfpoint.evaluation.posterior_draws import ModelDraws
from halfpoint.evaluation.references import reference_models
from halfpoint.evaluation.training_fit import TrainingFit, reference_aic
from halfpoint.games.table import GameTable
from halfpoint.games.weights import weights
from halfpoint.study.claims_players import player_claims
from halfpoint.study.evidence import EDITIONS, Claim, Evidence, Line, over_sets
from halfpoint.study.reproduction import ENDS, STEMS, catalogue_name

BOTH = ("static", "weighted")
WEIGHTS = {"computed": ("computed", False), "described": ("recency", False), "corrected": ("recency", True)}


@dataclass(frozen=True, eq=False)
class Findings:
    """All that the claims are judged by.

    Parameters
    ----------
    training : GameTable
        The training games, with ratings on the day.
    fits : sequence of TrainingFit
        Criteria on the training set, any editions.
    lines : sequence of Line
        Forecasts of the test sets and their parts, judged game by game; reference models have edition "reference".
    draws : mapping of (name, edition) to ModelDraws
        Posteriors.
    """

    training: GameTable
    fits: Sequence[TrainingFit] = field(default_factory=tuple)
    lines: Sequence[Line] = field(default_factory=tuple)
    draws: Mapping[tuple[str, str], ModelDraws] = field(default_factory=dict)

    def fit(self, name: str, edition: str) -> TrainingFit | None:
        """Return the criteria of a model, or None."""
        return next((one for one in self.fits if (one.name, one.edition) == (name, edition)), None)


def better_fit(findings: Findings, first: str, second: str) -> list[Evidence]:
    """Return what speaks for the first model describing the training games better: full AICM, and PSIS-LOO if there."""
    found = []
    for edition in EDITIONS:
        one, two = findings.fit(first, edition), findings.fit(second, edition)
        if one is None or two is None:
            continue
        compared = f"{first} against {second}"
        error = hypot(one.aicm_error, two.aicm_error)
        found.append(Evidence(edition, "training", "AICM", compared, one.aicm - two.aicm, error))
        if one.loo is not None and two.loo is not None:
            gap = -2 * (one.loo.elpd_per_game - two.loo.elpd_per_game)
            error = float(np.sqrt(gap.size) * gap.std(ddof=1))
            found.append(Evidence(edition, "training", "-2 elpd (PSIS-LOO)", compared, float(gap.sum()), error))
    return found


def against_references(findings: Findings) -> list[Evidence]:
    """Return full AICM of every model against the best reference model of its likelihood and weights."""
    found = []
    time = findings.training.time
    for edition in EDITIONS:
        name, scaled = WEIGHTS[edition]
        weight = {"static": None, "weighted": weights(name, time, normalise=scaled)}
        for weighting in BOTH:
            references = reference_models(findings.training, weight[weighting])
            for family in STEMS:
                best = min((one for one in references if one.family == family), key=reference_aic)
                for treatment in ENDS:
                    model = catalogue_name(family, treatment, weighting)
                    fit = findings.fit(model, edition)
                    if fit is not None:
                        gap = fit.aicm - reference_aic(best)
                        compared = f"{model} against {best.name}"
                        found.append(Evidence(edition, "training", "AICM", compared, gap, fit.aicm_error))
    return found


def rivals(family: str, favourite: str) -> list[tuple[str, str]]:
    """Return (favourite, other) for the other two treatments of the advantage, static and weighted."""
    return [
        (catalogue_name(family, favourite, weighting), catalogue_name(family, other, weighting))
        for weighting in BOTH
        for other in ENDS
        if other != favourite
    ]


def study_claims(findings: Findings) -> list[Claim]:
    """Return the study's conclusions with their evidence.

    Parameters
    ----------
    findings : Findings
        Criteria, forecasts and posteriors of the editions; what is missing is left out of the evidence.

    Returns
    -------
    list of Claim
    """
    lines = findings.lines
    twins = [
        (catalogue_name(family, treatment, "weighted"), catalogue_name(family, treatment, "static"))
        for family in STEMS
        for treatment in ENDS
    ]
    half_points = [(name, "fide_elo") for name in ("bt-common", "bt-common-weighted")]
    davidson = [(name, "davidson_proportional") for name in ("davidson-common", "davidson-common-weighted")]
    prior = "The printed order rests on the narrow prior of the models without an advantage per player."
    claims = [
        Claim(
            "models beat references in training",
            "Every model describes the training games better than the reference models of its kind.",
            "thesis 4.1, table 8; paper 3.1, table 1",
            against_references(findings),
            "AICM in full; references charged with the proportions they take from the games.",
            of_all=True,
        ),
        Claim(
            "one advantage is best for Bradley-Terry",
            "Among Bradley-Terry models, one advantage for all describes the training games best.",
            "thesis 4.1, table 8; paper 3.1",
            [one for pair in rivals("bradley_terry", "common") for one in better_fit(findings, *pair)],
            of_all=True,
        ),
        Claim(
            "one advantage per player is best for Davidson",
            "Among Davidson models, an advantage for each player describes the training games best.",
            "thesis 4.1, table 8; paper 3.1",
            [one for pair in rivals("davidson", "per_player") for one in better_fit(findings, *pair)],
            prior,
            of_all=True,
        ),
        Claim(
            "one advantage predicts best, Bradley-Terry",
            "Among Bradley-Terry models, one advantage for all predicts new games best.",
            "thesis 4.2, tables 13 and 16; paper 3.2, table 2",
            over_sets(lines, rivals("bradley_terry", "common")),
        ),
        Claim(
            "one advantage predicts best, Davidson",
            "Among Davidson models, one advantage for all predicts new games best.",
            "thesis 4.2, tables 13 and 16; paper 3.2, table 2",
            over_sets(lines, rivals("davidson", "common")),
        ),
        Claim(
            "weighting helps prediction",
            "Models that weigh games by age predict new games better than their static twins.",
            "thesis 4.2 and 5; paper 4",
            over_sets(lines, twins),
            "In the computed edition the oldest games weigh most: weights as described are another question.",
        ),
        Claim(
            "Bradley-Terry with an advantage beats the FIDE list",
            "Bradley-Terry with one advantage predicts new games better than the FIDE list of December 2012.",
            "thesis 4.2, tables 13 and 16; paper 3.2",
            over_sets(lines, half_points, reference=True),
        ),
        Claim(
            "Davidson beats its references on new games",
            "Davidson with one advantage predicts new games better than the shares of the outcomes.",
            "thesis 4.2, table 13; paper 3.2, table 2",
            over_sets(lines, davidson, reference=True),
            "The reference knows the shares of the very games it predicts.",
        ),
    ]
    return claims + player_claims(findings.training, findings.draws)
