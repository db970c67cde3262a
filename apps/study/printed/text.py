"""Single numbers in the texts of the study (230 rows) and computed: advantages, draws, groups of equals, settings."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from math import sqrt

import numpy as np
from scipy.stats import t as student

from halfpoint.apps.study.estimates import Estimate, both_errors, posterior_mean
from halfpoint.apps.study.posterior_draws import ModelDraws
from halfpoint.apps.study.printed.correlations import correlations
from halfpoint.apps.study.printed.files import lines_of
from halfpoint.apps.study.printed.formulas import davidson_examples, rating_examples
from halfpoint.apps.study.printed.models import CHAIN_MEANS, UNSAMPLED
from halfpoint.apps.study.printed.reproduction import Reproduction
from halfpoint.apps.study.printed.settings import (
    FILE_RATINGS_ELO,
    Entries,
    Ours,
    counts,
    explain_slip,
    prior_numbers,
    sampler,
    slip_value,
)
from halfpoint.evaluation.scores import Floats
from halfpoint.evaluation.verdicts import Cell, Explanation
from halfpoint.systems.curves import expected_score

_INTERVAL_ERROR = 3.0  # the end of a 95% interval has about three times the Monte Carlo error of the mean
COLUMNS = ("value", "low", "high")
_NOTHING_GIVES = {  # kinds of numbers in scalars.csv
    "outside": "not reproducible: a fact from outside the study's data",
    "figure": "not reproducible: a reading of a figure, without numbers",
}


def _interval_entries(quantity: str, estimate: Estimate) -> Entries:
    """Posterior mean and ends of the 95% highest density interval as the columns of one quantity."""
    error = both_errors(estimate)
    values = (estimate.value, error), (estimate.low, _INTERVAL_ERROR * error), (estimate.high, _INTERVAL_ERROR * error)
    return {(quantity, column): Ours(*entry) for column, entry in zip(COLUMNS, values, strict=True)}


def _as_values(numbers: Mapping[str, Ours]) -> Entries:
    """Numbers without an interval."""
    return {(quantity, "value"): ours for quantity, ours in numbers.items()}


def common_advantage(study: Reproduction) -> Entries:
    """The Bradley-Terry advantage of all players, and the example of 2686 against 2715 Elo."""
    entries: Entries = {}
    for name, weighting in (("bt-common", "static"), ("bt-common-weighted", "weighted")):
        draws = study.models.get(name)
        if draws is None or draws.study_advantage_elo is None:
            continue
        delta, stem = posterior_mean(draws.study_advantage_elo), f"BT common delta, {weighting}"
        error, slope = both_errors(delta), float(0.25 * np.log(10) / 4)  # per cent a point, at most
        for ending in ("(posterior mean; 95% HPD)", "(posterior mean; HPD)"):
            entries |= _interval_entries(f"{stem} {ending}", delta)
        gain = 100 * float(np.diff(expected_score(2686.0 - 2715.0 + np.array([0.0, delta.value])))[0])
        share = 100 * delta.value / float(draws.study_rating_elo.mean())
        last = _group_size(draws, best=False)
        endings = ("(figure caption and list of figures)", "(figure caption)", "(caption)")
        single = {f"{stem} {ending}": Ours(delta.value, error) for ending in endings}
        for ending in ("(almost, %)", "(%)"):
            single[f"example: gain in win probability, {weighting} {ending}"] = Ours(gain, slope * error)
        entries |= _as_values(single) | _as_values({
            f"example: equivalent rating, {weighting}": Ours(2686.0 + delta.value, error),
            f"delta over mean rating, BT {weighting} (%)": Ours(share, share * error / delta.value),
            f"{weighting} BT: players overlapping the HPD of the first": _group_size(draws),
            f"{weighting} BT: players that differ from the last (in words: sete)": replace(
                last, value=draws.players.size - 1 - (last.value or 0)
            ),
        })  # fmt: skip
    return entries


def overlapping(rating_elo: Floats, best: bool) -> int:
    """Number of players whose 95% intervals overlap the best (or last) player's; ratings (chain, draw, player)."""
    estimates = [posterior_mean(rating_elo[..., place]) for place in range(rating_elo.shape[2])]
    order = sorted(estimates, key=lambda estimate: estimate.value, reverse=best)
    end = order[0]
    return sum(estimate.high >= end.low and estimate.low <= end.high for estimate in order[1:])


def _group_size(draws: ModelDraws, best: bool = True) -> Ours:
    """Return `overlapping` with a Monte Carlo error, since ends of intervals, hence counts, are uncertain.

    The error comes from the counts of single chains, four computed here and three of the study.
    """
    counts = np.array([overlapping(chain[None], best) for chain in draws.study_rating_elo], dtype=np.float64)
    error = float(counts.std(ddof=1) * sqrt(1 / counts.size + 1 / 3)) if counts.size > 1 else 1.0
    return Ours(overlapping(draws.study_rating_elo, best), error, cut=False)


def t_interval(values: np.ndarray, probability: float = 0.95) -> tuple[float, float]:
    """Mean of players' estimates plus and minus Student's t standard errors: an interval over players."""
    half = float(student.ppf(0.5 + probability / 2, values.size - 1) * values.std(ddof=1) / sqrt(values.size))
    return float(values.mean()) - half, float(values.mean()) + half


def _davidson_numbers(study: Reproduction) -> Entries:
    """The draw parameter and the mean of the players' advantages of Davidson's models."""
    entries: Entries = {}
    over_players = "slip: a t interval over players, not a posterior interval"
    for name, weighting in (("davidson-player", "static"), ("davidson-player-weighted", "weighted")):
        draws = study.models.get(name)
        if draws is None or draws.log_draw is None or draws.study_advantage_elo is None:
            continue
        entries |= _interval_entries(
            f"DV lambda, {weighting}, complete model (95% HPD)", posterior_mean(draws.log_draw)
        )
        mean = posterior_mean(draws.study_advantage_elo.mean(axis=2))
        players = draws.study_advantage_elo.mean(axis=(0, 1))
        low, high = t_interval(players)
        quantity = f"mean of the 46 deltas, DV complete {weighting}, Elo scale (95%)"
        error = both_errors(mean)
        entries[quantity, "value"] = Ours(mean.value, error)
        for column, end, ours in (("low", low, mean.low), ("high", high, mean.high)):
            slip = Explanation(over_players, "t_interval", end, 2 * error)
            entries[quantity, column] = Ours(ours, _INTERVAL_ERROR * error, explanations=(slip,))
        level = float(draws.study_rating_elo.mean())
        share = Ours(100 * mean.value / level, 100 * error / level)
        entries[f"mean delta over mean rating, DV {weighting} (%)", "value"] = share
        entries[f"{weighting} DV: group like the first", "value"] = _group_size(draws)
        if weighting == "static":
            entries["Carlsen gamma", "value"] = _natural_rating(draws, "CarlsenMagnus")
            entries["Ponomariov gamma", "value"] = _natural_rating(draws, "PonomariovRuslan")
    return entries


def _natural_rating(draws: ModelDraws, start: str) -> Ours:
    """Posterior mean strength of a player in natural units; the name may be a beginning."""
    place = [name[:7] for name in draws.players.tolist()].index(start[:7])
    estimate = posterior_mean(draws.study_rating_elo[..., place] * np.log(10) / 400)
    return Ours(estimate.value, both_errors(estimate))


def _text_numbers(study: Reproduction) -> Entries:
    """Our values of all posterior results in the texts, by quantity and column."""
    entries = common_advantage(study) | _davidson_numbers(study) | correlations(study)
    if study.models:
        sds = [float(draws.log_likelihood.std(ddof=1)) for draws in study.models.values()]
        bound = slip_value(max(sds), explain_slip(CHAIN_MEANS, "sd_of_chain_means", "0.3"))
        entries["bound of sd of loglik for eleven of the twelve models", "value"] = bound
    low, high = map(Ours, FILE_RATINGS_ELO)
    return entries | {("Elo range of the base file", "low"): low, ("Elo range of the base file", "high"): high}


def _as_decimal(printed: str) -> str:
    """Printed fraction as a decimal with three places, other numbers unchanged.

    Examples
    --------
    >>> _as_decimal("1/3"), _as_decimal("41.70")
    ('0.333', '41.70')
    """
    return f"{float(Fraction(printed)):.3f}" if "/" in printed else printed


def scalar_cells(study: Reproduction) -> list[Cell]:
    """The cells of the single numbers in the texts: one for each value and each end of an interval."""
    single = sampler() | prior_numbers() | counts(study) | rating_examples() | davidson_examples()
    entries = _as_values(single) | _text_numbers(study)
    cells = []
    for line in lines_of("scalars"):
        for column in filter(line.get, COLUMNS):
            printed, kind = _as_decimal(line[column]), line["kind"]
            if kind == "stated":  # the author sets it
                ours = Ours(float(printed), rule="stated_input")
            else:
                unknown = Ours(None, otherwise=_NOTHING_GIVES.get(kind, UNSAMPLED))
                ours = entries.get((line["quantity"], column), unknown)
            head = (line["source"], line["where"], line["quantity"], column, printed)
            how = ours.value, ours.mc_error, ours.rule, ours.explanations, ours.otherwise
            cells.append(Cell(*head, *how, cut=ours.cut))
    return cells
