"""The study's conclusions, each a question put to the fits: criteria and weights, White, draws and the players."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import hypot

import numpy as np

from halfpoint.games.table import GameTable
from halfpoint.games.weights import weights
from halfpoint.study.evidence import EDITIONS, Claim, Evidence, over_sets
from halfpoint.study.judged_sets import Judged
from halfpoint.study.posterior_draws import ModelDraws
from halfpoint.study.printed.files import ENDS, STEMS, catalogue_name
from halfpoint.study.printed.formulas import davidson_shares
from halfpoint.study.printed.text import overlapping
from halfpoint.study.references import reference_models
from halfpoint.study.training_fit import TrainingFit, reference_aic
from halfpoint.systems.curves import expected_score

BOTH = ("static", "weighted")
WEIGHTS = {"computed": ("computed", False), "described": ("recency", False), "corrected": ("recency", True)}


@dataclass(frozen=True, eq=False)
class Findings:
    """All that the claims are judged by."""

    training: GameTable  # the training games, with ratings on the day
    fits: Sequence[TrainingFit] = field(default_factory=tuple)  # criteria on the training set, any editions
    lines: Sequence[Judged] = field(default_factory=tuple)  # of the test sets and their parts, judged game by game
    draws: Mapping[tuple[str, str], ModelDraws] = field(default_factory=dict)  # posteriors

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
    """Return the study's conclusions with their evidence."""
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


Draws = Mapping[tuple[str, str], ModelDraws]
PRINTED_ADVANTAGE_ELO = 41.7
PRINTED_DRAW_SHARE = 0.5998
GROUPS = {"bt-common-weighted": 9, "davidson-player": 7, "davidson-player-weighted": 5}
NEAR_ELO = (-200.0, 200.0)


def sampled(draws: Draws, names: Iterable[str]) -> Iterator[tuple[str, str, ModelDraws]]:
    """Yield edition, name and posterior of the models of these names that were sampled."""
    for edition, name in product(EDITIONS, names):
        if (name, edition) in draws:
            yield edition, name, draws[name, edition]


def white_is_worth(draws: Draws) -> list[Evidence]:
    """Return the advantage against zero and against the printed 41.7 Elo, by edition.

    Speaks for the claim where the posterior excludes zero from below and does not exclude the printed value.
    """
    found = []
    for edition, name, model in sampled(draws, ("bt-common", "bt-common-weighted")):
        advantage = np.asarray(model.study_advantage_elo)
        mean, sd = float(advantage.mean()), float(advantage.std(ddof=1))
        found.append(Evidence(edition, "training", "0 minus advantage (Elo)", f"{name} against none", -mean, sd))
        apart = abs(mean - PRINTED_ADVANTAGE_ELO)
        compared = f"{name} against the printed {PRINTED_ADVANTAGE_ELO}"
        found.append(Evidence(edition, "training", "distance (Elo)", compared, apart, sd))
    return found


def elo_underestimates(games: GameTable) -> list[Evidence]:
    """Return White's expected score from the FIDE ratings minus the score, near equality and far from it."""
    white, black = games.white_rating_elo, games.black_rating_elo
    if white is None or black is None:
        return []
    gap = white - black
    short = expected_score(gap) - games.score
    parts = {
        "all training games": np.isfinite(gap),
        "differences from -200 to 200 Elo": (gap >= NEAR_ELO[0]) & (gap <= NEAR_ELO[1]),
        "differences beyond 200 Elo": (gap < NEAR_ELO[0]) | (gap > NEAR_ELO[1]),
    }
    found = []
    for label, rows in parts.items():
        values = short[rows & np.isfinite(short)]
        if values.size < 2:
            continue
        error = float(values.std(ddof=1) / np.sqrt(values.size))
        measure = "expected minus observed score"
        found.append(Evidence("data", label, measure, "FIDE rating against result", float(values.mean()), error))
    return found


def equals_of_the_best(model: ModelDraws) -> int:
    """Return how many players are not below the best with 97.5% posterior probability: intervals of DIFFERENCES."""
    best = int(np.argmax(model.study_rating_elo.mean(axis=(0, 1))))
    below = (model.study_rating_elo < model.study_rating_elo[..., best : best + 1]).mean(axis=(0, 1))
    return int((below < 0.975).sum()) - 1


def group_of_equals(draws: Draws) -> list[Evidence]:
    """Return the size of the best player's group against the printed one, by the study's rule: overlap of intervals.

    A size within two players of the printed one speaks for the claim. The corrected edition also has the size by the
    posterior of differences.
    """
    found = []
    for edition, name, model in sampled(draws, GROUPS):
        rules = {"overlap of intervals": overlapping(model, best=True)}
        if edition == "corrected":
            rules["differences"] = equals_of_the_best(model)
        for rule, size in rules.items():
            away = abs(size - GROUPS[name]) - 2.5
            compared = f"{name}: {size} players by {rule}, {GROUPS[name]} printed"
            found.append(Evidence(edition, "training", "players off, less 2.5", compared, away, 0.1))
    return found


def advantages_differ(draws: Draws) -> list[Evidence]:
    """Return Cochran's Q of the players' advantages against its expectation under one advantage for all."""
    found = []
    for edition, name, model in sampled(draws, ("davidson-player", "davidson-player-weighted")):
        advantage = np.asarray(model.study_advantage_elo)
        mean, sd = advantage.mean(axis=(0, 1)), advantage.std(axis=(0, 1), ddof=1)
        centre = float(np.sum(mean / sd**2) / np.sum(sd**-2))
        excess = float(np.sum(((mean - centre) / sd) ** 2)) - (mean.size - 1)
        compared = f"{name}: one per player against one for all"
        error = float(np.sqrt(2 * (mean.size - 1)))
        found.append(Evidence(edition, "training", "expected minus Cochran's Q", compared, -excess, error))
    return found


def draws_among_equals(games: GameTable, draws: Draws) -> list[Evidence]:
    """Return the share of draws among equals: posterior and observed against the printed 59.98%.

    A share within three percentage points speaks for the claim.
    """
    found = []
    for edition, name, model in sampled(draws, ("davidson-common", "davidson-player")):
        every = np.asarray(model.log_draw).ravel()[::20].tolist()
        share = np.array([davidson_shares(0.0, value)[1] for value in every])
        away = abs(float(share.mean()) - PRINTED_DRAW_SHARE) - 0.03
        compared = f"{name}: {100 * share.mean():.1f}% against the printed 59.98%"
        measure = "distance, less 0.03"
        found.append(Evidence(edition, "training", measure, compared, away, float(share.std(ddof=1))))
    if games.white_rating_elo is not None and games.black_rating_elo is not None:
        near = np.abs(games.white_rating_elo - games.black_rating_elo) <= 25
        drawn = games.outcome[near] == 1
        error = float(np.sqrt(drawn.mean() * (1 - drawn.mean()) / drawn.size))
        compared = f"ratings within 25 Elo: {100 * drawn.mean():.1f}% drawn against the printed 59.98%"
        away = abs(float(drawn.mean()) - PRINTED_DRAW_SHARE) - 0.03
        found.append(Evidence("data", "training", "distance, less 0.03", compared, away, error))
    return found


def player_claims(games: GameTable, draws: Draws) -> list[Claim]:
    """Return the claims about White, draws and players."""
    return [
        Claim(
            "White is worth about 42 Elo",
            "The first move is worth about 42 Elo points, clearly more than nothing.",
            "thesis 4.1; paper 3.1",
            white_is_worth(draws),
        ),
        Claim(
            "Elo underestimates White",
            "FIDE ratings alone give White too low an expected score.",
            "thesis 4.1, figure 4; paper 3.1, figure 5",
            elo_underestimates(games),
            "The thesis says so for differences from -200 to 200 Elo, the paper for those outside.",
        ),
        Claim(
            "Carlsen's group of equals",
            "A small group is on a par with Carlsen: nine, seven or five players, by model.",
            "thesis 4.1, figures 3, 5 and 6",
            group_of_equals(draws),
            "Two intervals can overlap while the difference is clear, so the overlap rule makes groups too large; and "
            "unscaled weights make intervals too short.",
            of_all=True,
        ),
        Claim(
            "players' advantages differ",
            "How much White is worth differs between players.",
            "thesis 4.1, figures 7 and 8",
            advantages_differ(draws),
        ),
        Claim(
            "three draws in five among equals",
            "Two equal players of this class draw about 60% of their games.",
            "thesis 4.1, table 9",
            draws_among_equals(games, draws),
        ),
    ]
