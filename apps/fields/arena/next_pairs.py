r"""Next comparison: the pair whose judgement is most informative about a quantity.

    V     covariance of (strengths, draw parameter lam) under the posterior
    I     expected information of one judgement of i and j about (eta, lam), eta = g_i - g_j, over the posterior, 2 x 2
    B     (e_i - e_j, e_lam);   m judgements of the pair take V to V - V B (I^-1 / m + B' V B)^-1 B' V

The target is a set of contrasts a' g: the sum of their variances falls by

    gain = sum_a  a' V B (I^-1 / m + B' V B)^-1 B' V a.

lam is included because a tie between unequal models informs about both: an uncertain lam reduces the information on
eta. The pair with the largest gain is chosen, V is updated, and so on: a greedy design by normal theory, which does not
depend on the outcomes. The model shown first is assumed to alternate. For tiers the contrasts are those of each leader
with the next leader and with members of their own tier whom they lead with a probability of at least 0.6, which
determine the next border.

Chaloner & Verdinelli (1995) Stat. Sci. 10:273 for designs by expected posterior variance (L-optimality).
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from halfpoint.apps.fields.arena.asked import JUDGEMENTS, PAIRS
from halfpoint.apps.pages.cells import Look
from halfpoint.apps.workflows.answer import Answer, about_trace
from halfpoint.apps.workflows.answers import Trace, trace_from
from halfpoint.evaluation.first_sentences.leaders import next_comparison
from halfpoint.evaluation.rating_list import Tiers, tiers
from halfpoint.models.declaration.posterior_reader import draws_of, reading_of
from halfpoint.models.formulas.outcome import Outcome
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.find_player import Players
from halfpoint.models.games.table import Floats

_UNSETTLED = 0.6


def _border_contrasts(tiers: Tiers, players: list[str]) -> Floats:
    """Contrasts that decide the borders between tiers, shape (contrast, player)."""
    place = {name: number for number, name in enumerate(players)}
    pairs = [(above, below) for above, below, _ in tiers.borders.to_numpy(dtype=object).tolist()]
    for _, tier in tiers.frame.groupby("tier", sort=True):
        leader = tier["player"].iloc[0]
        led = tier.iloc[1:].to_numpy(dtype=object).tolist()
        pairs += [(leader, name) for name, _, above in led if above >= _UNSETTLED]
    if not pairs:
        pairs = [(tiers.frame["player"].iloc[0], name) for name in tiers.frame["player"].iloc[1:]]
    first, second = ([place[str(name)] for name in end] for end in zip(*pairs, strict=True))
    return np.asarray(np.eye(len(players))[first] - np.eye(len(players))[second])


def all_contrasts(count: int) -> Floats:
    """Contrasts with the mean of all, shape (player, player), whose variances sum to the variances of all pairs."""
    return np.eye(count) - 1.0 / count


def next_pairs(
    strength: Floats,
    information: Callable[[int, int], Floats],
    contrasts: Floats,
    players: list[str],
    pairs: int,
    judgements: int = 1,
    log_draw: Floats | None = None,
) -> pd.DataFrame:
    """Most informative pairs to compare next; no pair is repeated before all pairs have been used.

    Draws are of strengths (draw, player), natural units, and of lam (draw,), known or absent if not given; `contrasts`
    (contrast, player) are the target. `information` returns the information of one judgement of two players, by index,
    about (eta, lam), (2, 2). Columns order, first, second, gain_percent: decrease of the sum of the variances, in
    percent of the first sum; left_percent: the rest after this pair.
    """
    count = len(players)
    drawn = np.column_stack([strength, np.zeros(len(strength)) if log_draw is None else log_draw])
    covariance = np.cov(drawn, rowvar=False)
    target = np.pad(contrasts, ((0, 0), (0, 1)))
    upper = np.triu_indices(count, 1)
    pair_information = judgements * np.stack([information(int(i), int(j)) for i, j in zip(*upper, strict=True)])
    pair_information = np.pad(pair_information, ((0, 0), *((0, 2 - size) for size in pair_information.shape[1:])))
    start = float(np.einsum("ci,ij,cj->", target, covariance, target))
    if not start > 0.0:
        raise GameTableError("next", "draws that vary in the quantity of interest", "constant draws")
    rows, is_taken = [], np.zeros(upper[0].size, dtype=bool)
    for order in range(1, pairs + 1):
        along = (covariance[:, upper[0]] - covariance[:, upper[1]]).T[:, None]  # V B, shape (pair, 2, value)
        along = np.concatenate([along, np.broadcast_to(covariance[:, -1], along.shape)], axis=1)
        first, second = (np.take_along_axis(along, side[:, None, None], axis=2) for side in upper)
        inner = np.concatenate([first - second, along[:, :, -1:]], axis=2)
        solved = np.linalg.solve(
            np.eye(2) + pair_information @ inner, pair_information
        )  # (I^-1 + B' V B)^-1 without the inverse of I
        moved = along @ target.T
        gain = np.einsum("pkc,pkl,plc->p", moved, solved, moved)
        if is_taken.all():
            is_taken[:] = False
        best = int(np.argmax(np.where(is_taken, -np.inf, gain)))
        is_taken[best] = True
        covariance = covariance - along[best].T @ solved[best] @ along[best]
        remaining = float(np.einsum("ci,ij,cj->", target, covariance, target))
        i, j = int(upper[0][best]), int(upper[1][best])
        rows.append((order, players[i], players[j], 100.0 * gain[best] / start, 100.0 * remaining / start))
    return pd.DataFrame(rows, columns=["order", "first", "second", "gain_percent", "left_percent"])


_STEP = 1e-4
_MOST_DRAWS = 500  # of the information of a pair


def next_comparisons(
    trace: Trace, pairs: int = 20, target: str = "borders", judgements: int = 1, tier: float = 0.95
) -> Answer:
    """Choose the pairs to compare next.

    Parameters
    ----------
    trace : str, Path or DataTree
        A trace of any model; of random walks the final strengths are used.
    pairs : int
        Number of pairs.
    target : str
        Target: "borders" of the tiers, "all" differences, or "A:B", the difference of A and B.
    judgements : int
        Judgements of each pair at a time.
    tier : float
        Probability that separates tiers.

    Returns
    -------
    Answer
        order, first, second, gain_percent and left_percent of the posterior variance of the target (see
        `halfpoint.apps.fields.arena.next_pairs`).

    Raises
    ------
    HalfpointError
        If a name or an option is not known.
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
    parameters = draws_of(tree["posterior"].to_dataset())
    strength = parameters["strength"]
    strength = strength[..., -1] if strength.ndim > 2 else strength  # where the walks are now
    if target == "borders":
        contrasts, target_text = _border_contrasts(tiers(ratings, tier), names), "the borders of the tiers"
    elif target == "all":
        contrasts, target_text = all_contrasts(len(names)), "all differences"
    else:
        first_name, colon, second_name = target.partition(":")
        if not colon:
            raise GameTableError("--target", "borders | all | A:B", repr(target))
        players = Players(names)
        first, second = players.find(first_name.strip()), players.find(second_name.strip())
        if first == second:
            raise GameTableError("--target", "two different names", repr(target))
        unit, target_text = np.eye(len(names)), f"{names[first]} less {names[second]}"
        contrasts = (unit[first] - unit[second])[None]
    thin = max(1, len(strength) // _MOST_DRAWS)
    log_draw = parameters.get("log_draw")
    lam = None if log_draw is None else log_draw[::thin]
    few, formula = strength[::thin], reading.outcome.at({name: p[::thin] for name, p in parameters.items()})

    def information(i: int, j: int) -> Floats:
        return _expected_information(formula, few[:, i] - few[:, j], lam)

    frame = next_pairs(strength, information, contrasts, names, pairs, judgements, log_draw)
    note = (
        f"These {pairs} pairs with {judgements} judgement{'s' * (judgements > 1)} each reduce the posterior variance "
        f"of {target_text} to about {frame['left_percent'].iloc[-1]:.1f}% (expected, normal approximation)."
    )
    about = about_trace(tree, "What to compare next")
    if len(frame):
        pair = frame.iloc[0]
        about["answer"] = next_comparison(pair["first"], pair["second"], float(pair["left_percent"]))
    return Answer(frame, about | {"note": note}, look=Look(digits=2))


def _expected_information(outcome: Outcome, eta: Floats, lam: Floats | None) -> Floats:
    """Information of one comparison about (eta, lam), averaged over draws of both, shape (2, 2)."""
    zero = np.zeros_like(eta)

    def at(a: Any, b: Any) -> Any:
        log_chance = outcome.log_probability(a, zero, b)
        return log_chance if outcome.draws else log_chance[:, [0, 2]]

    p, by_eta = np.exp(at(eta, lam)), (at(eta + _STEP, lam) - at(eta - _STEP, lam)) / (2.0 * _STEP)
    by_lam = np.zeros_like(p) if lam is None else (at(eta, lam + _STEP) - at(eta, lam - _STEP)) / (2.0 * _STEP)
    slopes = np.stack([by_eta, by_lam])
    return np.asarray(np.einsum("dk,adk,bdk->ab", p, slopes, slopes) / len(p))
