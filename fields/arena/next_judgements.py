"""From a trace to the comparisons that would tell most."""

from typing import Any

import numpy as np

from halfpoint.evaluation.rating_list import tiers
from halfpoint.fields.arena.next_pairs import all_contrasts, border_contrasts, next_pairs
from halfpoint.games.errors import GameTableError
from halfpoint.games.find_player import Players
from halfpoint.games.ranges import Range
from halfpoint.games.table import Floats
from halfpoint.models.reading import draws_of, reading_of
from halfpoint.workflows.answer import Answer, about_trace
from halfpoint.workflows.answers import Trace, trace_from

PAIRS, JUDGEMENTS = Range(1, 1000), Range(1, 100_000)
STEP = 1e-4
MOST_DRAWS = 500  # of the information of a pair


def next_comparisons(
    trace: Trace, pairs: int = 20, target: str = "borders", judgements: int = 1, tier: float = 0.95
) -> Answer:
    """Say which pairs to compare next.

    Parameters
    ----------
    trace : str, Path or DataTree
        A trace of any model without a walk.
    pairs : int
        How many pairs.
    target : str
        What is asked: "borders" of the tiers, "all" differences, or "A:B", the difference of two.
    judgements : int
        Judgements of each pair at a time.
    tier : float
        Probability that separates tiers.

    Returns
    -------
    Answer
        order, first, second, gain_percent and left_percent of the posterior variance of what is asked (see
        `halfpoint.fields.arena.next_pairs`).

    Raises
    ------
    HalfpointError
        If a name or an option is not known, or strengths walk.
    """
    PAIRS.require("--pairs", pairs, GameTableError)
    JUDGEMENTS.require("--judgements", judgements, GameTableError)
    tree = trace_from(trace)
    ratings = tree["posterior"].to_dataset()["rating_elo"]
    names = ratings["player"].to_numpy().astype(str).tolist()
    if ratings.sizes["chain"] * ratings.sizes["draw"] < 2:
        raise GameTableError("next", "a trace of at least two draws", "one")
    if len(names) < 2:
        raise GameTableError("next", "a trace of at least two players", f"{len(names)}")
    reading = reading_of(tree)
    if reading.model.walks:
        raise GameTableError("next", "strengths that stand still", f"{reading.model.name}, whose strengths walk")
    parameters = draws_of(tree["posterior"].to_dataset())
    strength = parameters["strength"]
    if target == "borders":
        contrasts, asked = border_contrasts(tiers(ratings, tier), names), "the borders of the tiers"
    elif target == "all":
        contrasts, asked = all_contrasts(len(names)), "all differences"
    else:
        one, colon, two = target.partition(":")
        if not colon:
            raise GameTableError("--target", "borders | all | A:B", repr(target))
        known = Players(names)
        first, second = known.find(one.strip()), known.find(two.strip())
        if first == second:
            raise GameTableError("--target", "two different names", repr(target))
        contrasts, asked = np.zeros((1, len(names))), f"{names[first]} less {names[second]}"
        contrasts[0, first], contrasts[0, second] = 1.0, -1.0
    thin = max(1, len(strength) // MOST_DRAWS)
    log_draw = parameters.get("log_draw")
    lam = None if log_draw is None else log_draw[::thin]
    few = strength[::thin]

    def information(i: int, j: int) -> Floats:
        return expected_information(reading.model.outcome, few[:, i] - few[:, j], lam)

    frame = next_pairs(strength, information, contrasts, names, pairs, judgements, log_draw)
    note = (
        f"Posterior variance of {asked}, expected to fall to {frame['left_percent'].iloc[-1]:.1f}% of what it is after "
        f"these {pairs} pairs of {judgements} judgement{'s' * (judgements > 1)}; by normal theory, one after the other."
    )
    return Answer(frame, about_trace(tree, "What to compare next") | {"note": note})


def expected_information(outcome: Any, eta: Any, lam: Any) -> Floats:
    """Return the information of one comparison about (eta, lam), averaged over draws of both, shape (2, 2)."""
    zero = np.zeros_like(eta)

    def at(a: Any, b: Any) -> Any:
        found = outcome.log_probability(a, zero, b)
        return found if outcome.draws else found[:, [0, 2]]

    p, by_eta = np.exp(at(eta, lam)), (at(eta + STEP, lam) - at(eta - STEP, lam)) / (2.0 * STEP)
    by_lam = np.zeros_like(p) if lam is None else (at(eta, lam + STEP) - at(eta, lam - STEP)) / (2.0 * STEP)
    mixed = 0.0
    if lam is not None:
        mixed = float((p * by_eta * by_lam).sum(axis=-1).mean())
    own, other = (float((p * one**2).sum(axis=-1).mean()) for one in (by_eta, by_lam))
    return np.array([[own, mixed], [mixed, other]])
