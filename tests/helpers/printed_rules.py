"""Rules behind printed numbers, by name: each is a function that returns the printed value.

The `rule` column of the table of printed numbers has these names: slips of the study, rules of its program that its
text omits (and the computed edition follows), and misprints.
"""

from collections.abc import Callable
from typing import Any

from halfpoint.apps.study.printed.correlations import appendix_correlations
from halfpoint.apps.study.printed.formulas import PRINTED_TERMS_B, davidson_shares, normal_expected_score, to_tens
from halfpoint.apps.study.printed.models import charged_parameters, lost_penalty, sd_of_chain_means
from halfpoint.apps.study.printed.ratings import exchanged_players, swapped_columns
from halfpoint.apps.study.printed.text import t_interval
from halfpoint.apps.study.protocol import carlsen_scale
from halfpoint.apps.study.slips import (
    recycled_draw_parameter,
    recycled_rating_list,
    recycled_weights,
    weights_of_other_games,
)
from halfpoint.evaluation.criteria import variance_per_game
from halfpoint.evaluation.verdicts import digit_lost, one_digit_wrong, transposed_digits, truncated
from halfpoint.models.declaration.catalogue import find
from halfpoint.models.games.table import Floats
from halfpoint.models.games.weights import weights
from halfpoint.models.language.model import Model
from halfpoint.readers.datasets.study import study_players


def backward_weights(time: Floats) -> Floats:
    """Weights of the study's program, with the oldest game heaviest."""
    return weights("computed", time)


def narrow_prior(name: str) -> Model:
    """Model of the catalogue with the priors of the study's program."""
    return find(name, "computed")


def stated_prior(name: str) -> Model:
    """Model of the catalogue with the priors of the study's text."""
    return find(name, "described")


def stated_input(value: float) -> float:
    """Number set by the author, unchanged."""
    return value


def static_in_weighted_formula(static_neg_mean_loglik: float, weighted_variance: float) -> float:
    """AICM of the weighted model with the static model's mean: 2 (-mean l) + 2 v (BT/diagBCad.R)."""
    return lost_penalty(static_neg_mean_loglik, weighted_variance)


def mixed_curves() -> float:
    """Sum of example B, with two terms from the normal and two from the logistic curve."""
    return sum(PRINTED_TERMS_B)


def first_opponent(opponents: tuple[float, ...]) -> float:
    """First opponent's rating, printed in place of the mean of all."""
    return opponents[0]


def share_for_percent(points: float, games: float) -> float:
    """Share printed with a per cent sign."""
    return points / games


def lowest_rating() -> float:
    """Lowest December 2012 rating of the monitored players, stated to be above 2700."""
    return float(study_players()["rating_2012_12_elo"].min())


NAMED: tuple[Callable[..., Any], ...] = (
    appendix_correlations, backward_weights, carlsen_scale, charged_parameters, davidson_shares, digit_lost,
    exchanged_players, first_opponent, lost_penalty, lowest_rating, mixed_curves, narrow_prior,
    normal_expected_score, one_digit_wrong, recycled_draw_parameter, recycled_rating_list, recycled_weights,
    sd_of_chain_means, share_for_percent, stated_input, stated_prior, static_in_weighted_formula, swapped_columns,
    t_interval, to_tens, transposed_digits, truncated, variance_per_game, weights_of_other_games,
)  # fmt: skip
RULES = {rule.__name__: rule for rule in NAMED}
