"""Tests of the study's conclusions by the fits: criteria and weights, White, draws and the players.

claims.csv has the text and the place of each conclusion.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import hypot

import numpy as np

from halfpoint.apps.study.evidence import Claim, Evidence, over_sets
from halfpoint.apps.study.judged_sets import JudgedSet
from halfpoint.apps.study.posterior_draws import ModelDraws
from halfpoint.apps.study.printed.files import ENDS, STEMS, catalogue_name, lines_of
from halfpoint.apps.study.printed.formulas import davidson_shares
from halfpoint.apps.study.printed.text import overlapping
from halfpoint.apps.study.references import reference_models
from halfpoint.apps.study.training_fit import TrainingFit, reference_aic
from halfpoint.models.declaration.catalogue import EDITIONS
from halfpoint.models.games.table import GameTable
from halfpoint.models.games.weights import weights
from halfpoint.systems.curves import expected_score

_BOTH = ("static", "weighted")
_WEIGHTS = {"computed": ("computed", False), "described": ("recency", False), "corrected": ("recency", True)}
_PRINTED_ADVANTAGE_ELO = 41.7
_PRINTED_DRAW_SHARE = 0.5998
_GROUPS = {"bt-common-weighted": 9, "davidson-player": 7, "davidson-player-weighted": 5}
_NEAR_ELO = 200.0

_Draws = Mapping[tuple[str, str], ModelDraws]


@dataclass(frozen=True, eq=False)
class Findings:
    """Data for the verdicts on claims."""

    training: GameTable  # the training games, with ratings on the day
    fits: Sequence[TrainingFit] = field(default_factory=tuple)  # criteria on the training set, any editions
    lines: Sequence[JudgedSet] = field(default_factory=tuple)  # of the test sets and their parts, judged game by game
    draws: _Draws = field(default_factory=dict)  # posteriors

    def fit(self, name: str, edition: str) -> TrainingFit | None:
        """The criteria of a model, or None."""
        return next((fit for fit in self.fits if (fit.name, fit.edition) == (name, edition)), None)


def _better_fit(findings: Findings, first: str, second: str) -> Iterator[Evidence]:
    """Yield evidence that the first model fits the training games better: full AICM, and PSIS-LOO if available."""
    compared = f"{first} against {second}"
    for edition in EDITIONS:
        first_fit, second_fit = findings.fit(first, edition), findings.fit(second, edition)
        if first_fit is None or second_fit is None:
            continue
        error = hypot(first_fit.aicm_error, second_fit.aicm_error)
        yield Evidence(edition, "training", "AICM", compared, first_fit.aicm - second_fit.aicm, error)
        if first_fit.loo is not None and second_fit.loo is not None:
            gap = -2 * (first_fit.loo.elpd_per_game - second_fit.loo.elpd_per_game)
            error = float(np.sqrt(gap.size) * gap.std(ddof=1))
            yield Evidence(edition, "training", "-2 elpd (PSIS-LOO)", compared, float(gap.sum()), error)


def _against_references(findings: Findings) -> Iterator[Evidence]:
    """Yield full AICM of every model against the best reference model of its likelihood and weights."""
    for edition, weighting in product(EDITIONS, _BOTH):
        name, scaled = _WEIGHTS[edition]
        weight = None if weighting == "static" else weights(name, findings.training.time, normalise=scaled)
        references = reference_models(findings.training, weight)
        for family in STEMS:
            best = min((reference for reference in references if reference.family == family), key=reference_aic)
            for model in (catalogue_name(family, treatment, weighting) for treatment in ENDS):
                fit = findings.fit(model, edition)
                if fit is not None:
                    gap, compared = fit.aicm - reference_aic(best), f"{model} against {best.name}"
                    yield Evidence(edition, "training", "AICM", compared, gap, fit.aicm_error)


def _rivals(family: str, favourite: str) -> list[tuple[str, str]]:
    """Return (favourite, other) for the other two treatments of the advantage, static and weighted."""
    pairs = product(_BOTH, (treatment for treatment in ENDS if treatment != favourite))
    return [
        (catalogue_name(family, favourite, weighting), catalogue_name(family, treatment, weighting))
        for weighting, treatment in pairs
    ]


def study_claims(findings: Findings) -> list[Claim]:
    """The study's conclusions with their evidence."""
    games, lines, draws = findings.training, findings.lines, findings.draws
    twins = [(catalogue_name(*kind, "weighted"), catalogue_name(*kind, "static")) for kind in product(STEMS, ENDS)]
    half_points = [(name, "fide_elo") for name in ("bt-common", "bt-common-weighted")]
    davidson = [(name, "davidson_proportional") for name in ("davidson-common", "davidson-common-weighted")]

    def fit_evidence(family: str, favourite: str) -> list[Evidence]:
        return [comparison for pair in _rivals(family, favourite) for comparison in _better_fit(findings, *pair)]

    evidence: dict[str, Iterable[Evidence]] = {
        "models beat references in training": _against_references(findings),
        "one advantage is best for Bradley-Terry": fit_evidence("bradley_terry", "common"),
        "one advantage per player is best for Davidson": fit_evidence("davidson", "per_player"),
        "one advantage predicts best with Bradley-Terry": over_sets(lines, _rivals("bradley_terry", "common")),
        "one advantage predicts best with Davidson": over_sets(lines, _rivals("davidson", "common")),
        "weighting helps prediction": over_sets(lines, twins),
        "Bradley-Terry with an advantage beats the FIDE list": over_sets(lines, half_points, reference=True),
        "Davidson beats its references on new games": over_sets(lines, davidson, reference=True),
        "White is worth about 42 Elo": _white_is_worth(draws),
        "Elo underestimates White": elo_underestimates(games),
        "Carlsen's group of equals": _group_of_equals(draws),
        "players' advantages differ": advantages_differ(draws),
        "three draws in five among equals": _draws_among_equals(games, draws),
    }
    return [
        Claim(
            line["claim"],
            line["statement"],
            line["place"],
            [*evidence[line["claim"]]],
            line["note"],
            bool(line["of_all"]),
        )
        for line in lines_of("claims")
    ]


def _sampled_posteriors(draws: _Draws, names: Iterable[str]) -> Iterator[tuple[str, str, ModelDraws]]:
    """Yield edition, name and posterior of the sampled models among these names."""
    for edition, name in product(EDITIONS, names):
        if (name, edition) in draws:
            yield edition, name, draws[name, edition]


def _white_is_worth(draws: _Draws) -> Iterator[Evidence]:
    """Yield the advantage against zero and against the printed 41.7 Elo, by edition.

    Supports the claim if the posterior excludes zero from below and does not exclude the printed value.
    """
    for edition, name, model in _sampled_posteriors(draws, ("bt-common", "bt-common-weighted")):
        advantage = np.asarray(model.study_advantage_elo)
        mean, sd = float(advantage.mean()), float(advantage.std(ddof=1))
        yield Evidence(edition, "training", "0 minus advantage (Elo)", f"{name} against none", -mean, sd)
        compared, away = f"{name} against the printed {_PRINTED_ADVANTAGE_ELO}", abs(mean - _PRINTED_ADVANTAGE_ELO)
        yield Evidence(edition, "training", "distance (Elo)", compared, away, sd)


def elo_underestimates(games: GameTable) -> Iterator[Evidence]:
    """Yield White's expected score from the FIDE ratings minus the score, near equality and far from it."""
    if games.white_rating_elo is None or games.black_rating_elo is None:
        return
    gap = games.white_rating_elo - games.black_rating_elo
    short, near = expected_score(gap) - games.score, np.abs(gap) <= _NEAR_ELO
    parts = {
        "all training games": np.isfinite(gap),
        "differences from -200 to 200 Elo": near,
        "differences beyond 200 Elo": ~near,
    }
    for label, rows in parts.items():
        values = short[rows & np.isfinite(short)]
        if values.size > 1:
            mean, error = float(values.mean()), float(values.std(ddof=1) / np.sqrt(values.size))
            compared = "FIDE rating against result"
            yield Evidence("data", label, "expected minus observed score", compared, mean, error)


def equals_of_the_best(model: ModelDraws) -> int:
    """Number of players not below the best with 97.5% posterior probability, by intervals of differences."""
    best = int(np.argmax(model.study_rating_elo.mean(axis=(0, 1))))
    below = (model.study_rating_elo < model.study_rating_elo[..., best : best + 1]).mean(axis=(0, 1))
    return int((below < 0.975).sum()) - 1


def _group_of_equals(draws: _Draws) -> Iterator[Evidence]:
    """Yield the size of the best player's group against the printed one, by the study's rule: overlap of intervals.

    A size within two players of the printed size supports the claim. The corrected edition also has the size by the
    posterior of differences.
    """
    for edition, name, model in _sampled_posteriors(draws, _GROUPS):
        sizes = {"overlap of intervals": overlapping(model.study_rating_elo, best=True)}
        sizes |= {"differences": equals_of_the_best(model)} if edition == "corrected" else {}
        for rule, size in sizes.items():
            compared = f"{name}: {size} players by {rule}, {_GROUPS[name]} printed"
            away = abs(size - _GROUPS[name]) - 2.5
            yield Evidence(edition, "training", "players off, less 2.5", compared, away, 0.1)


def advantages_differ(draws: _Draws) -> Iterator[Evidence]:
    """Yield Cochran's Q of the players' advantages against its expectation under one advantage for all."""
    for edition, name, model in _sampled_posteriors(draws, ("davidson-player", "davidson-player-weighted")):
        advantage = np.asarray(model.study_advantage_elo)
        mean, sd = advantage.mean(axis=(0, 1)), advantage.std(axis=(0, 1), ddof=1)
        excess = float((((mean - np.average(mean, weights=sd**-2)) / sd) ** 2).sum()) - (mean.size - 1)
        compared, error = f"{name}: one per player against one for all", float(np.sqrt(2 * (mean.size - 1)))
        yield Evidence(edition, "training", "expected minus Cochran's Q", compared, -excess, error)


def _draws_among_equals(games: GameTable, draws: _Draws) -> Iterator[Evidence]:
    """Yield the share of draws among equals: posterior and observed against the printed 59.98%.

    A share within three percentage points supports the claim.
    """

    def against_the_printed(edition: str, what: str, share: float, error: float, of: str = "") -> Evidence:
        compared = f"{what}: {100 * share:.1f}% {of}against the printed 59.98%"
        away = abs(share - _PRINTED_DRAW_SHARE) - 0.03
        return Evidence(edition, "training", "distance, less 0.03", compared, away, error)

    for edition, name, model in _sampled_posteriors(draws, ("davidson-common", "davidson-player")):
        log_draws = np.asarray(model.log_draw).ravel()[::20].tolist()
        share = np.array([davidson_shares(0.0, value)[1] for value in log_draws])
        yield against_the_printed(edition, name, float(share.mean()), float(share.std(ddof=1)))
    if games.white_rating_elo is not None and games.black_rating_elo is not None:
        drawn = games.outcome[np.abs(games.white_rating_elo - games.black_rating_elo) <= 25] == 1
        mean = float(drawn.mean())
        error = float(np.sqrt(mean * (1 - mean) / drawn.size))
        yield against_the_printed("data", "ratings within 25 Elo", mean, error, "drawn ")
