r"""What to compare next: the pair whose judgement tells most about what is asked.

    V     covariance of (strengths, draw parameter lam) under the posterior
    I     expected information of one judgement of i and j about (eta, lam), eta = g_i - g_j, over the posterior, 2 x 2
    B     (e_i - e_j, e_lam);   m judgements of the pair take V to V - V B (I^-1 / m + B' V B)^-1 B' V

What is asked is a set of contrasts a' g: the sum of their variances falls by

    gain = sum_a  a' V B (I^-1 / m + B' V B)^-1 B' V a.

lam is in it because where two are unequal a tie tells of both: who is not sure of lam learns less about eta. The pair
with the largest gain is taken, V is updated, and so on: a greedy design, by normal theory, which does not depend on how
the judgements end. Who is shown first is taken to change from judgement to judgement. For tiers the contrasts are each
leader's with the next leader and with those of their own tier whom they lead with a probability of at least 0.6: what
the next border hangs on.

Chaloner & Verdinelli (1995) Stat. Sci. 10:273 for designs by expected posterior variance (L-optimality).
"""

from collections.abc import Callable

import numpy as np
import pandas as pd

from halfpoint.evaluation.rating_list import Tiers
from halfpoint.games.errors import GameTableError
from halfpoint.games.table import Floats

UNSETTLED = 0.6


def border_contrasts(tiers: Tiers, players: list[str]) -> Floats:
    """Return the contrasts that borders between tiers hang on, shape (contrast, player)."""
    place = {name: number for number, name in enumerate(players)}
    pairs = [(one, two) for one, two, _ in tiers.borders.to_numpy(dtype=object).tolist()]
    for _, tier in tiers.frame.groupby("tier", sort=True):
        leader = tier["player"].iloc[0]
        led = tier.iloc[1:].to_numpy(dtype=object).tolist()
        pairs += [(leader, name) for name, _, above in led if above >= UNSETTLED]
    if not pairs:
        pairs = [(tiers.frame["player"].iloc[0], name) for name in tiers.frame["player"].iloc[1:]]
    made = np.zeros((len(pairs), len(players)))
    for row, (one, two) in enumerate(pairs):
        made[row, place[str(one)]], made[row, place[str(two)]] = 1.0, -1.0
    return made


def all_contrasts(count: int) -> Floats:
    """Return contrasts with the mean of all, shape (player, player): their variances add up to those of all pairs."""
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
    """Return the pairs to compare next, the most telling first.

    Parameters
    ----------
    strength : array of float, shape (draw, player)
        Draws of the strengths, natural units.
    information : callable
        Of the indexes of two players: expected information of one judgement about (eta, lam), shape (2, 2); its first
        number alone is looked at where there is no draw parameter.
    contrasts : array of float, shape (contrast, player)
        What is asked.
    players : list of str
        Names.
    pairs : int
        How many pairs; none comes again before all have come.
    judgements : int
        Judgements of a pair at a time.
    log_draw : array of float, shape (draw,), optional
        Draws of lam; known, or not there, if not given.

    Returns
    -------
    DataFrame
        order, first, second, gain_percent: by how much the sum of the variances falls, of what it was at the start;
        left_percent: what is left of it after this pair.
    """
    count = len(players)
    drawn = strength if log_draw is None else np.column_stack([strength, log_draw])
    covariance = np.cov(drawn, rowvar=False)
    asked = np.pad(contrasts, ((0, 0), (0, drawn.shape[1] - count)))
    upper = np.triu_indices(count, 1)
    told = np.stack([np.atleast_2d(information(int(i), int(j))) for i, j in zip(*upper, strict=True)])
    told = judgements * (told[:, :1, :1] if log_draw is None else told)
    start = float(np.einsum("ci,ij,cj->", asked, covariance, asked))
    if not start > 0.0:
        raise GameTableError("next", "draws that differ in what is asked", "draws that are all alike")
    rows, taken = [], np.zeros(upper[0].size, dtype=bool)
    for order in range(1, pairs + 1):
        along = (covariance[:, upper[0]] - covariance[:, upper[1]]).T[:, None]  # V B, shape (pair, 1 or 2, value)
        if log_draw is not None:
            along = np.concatenate([along, np.broadcast_to(covariance[:, -1], along.shape)], axis=1)
        one, two = (np.take_along_axis(along, side[:, None, None], axis=2) for side in upper)
        inner = one - two
        if log_draw is not None:
            inner = np.concatenate([inner, along[:, :, -1:]], axis=2)
        eye = np.eye(told.shape[1])
        solved = np.linalg.solve(eye + told @ inner, told)  # (I^-1 + B' V B)^-1 without the inverse of I
        moved = along @ asked.T
        gain = np.einsum("pkc,pkl,plc->p", moved, solved, moved)
        if taken.all():
            taken[:] = False
        best = int(np.argmax(np.where(taken, -np.inf, gain)))
        taken[best] = True
        covariance = covariance - along[best].T @ solved[best] @ along[best]
        left = float(np.einsum("ci,ij,cj->", asked, covariance, asked))
        i, j = int(upper[0][best]), int(upper[1][best])
        rows.append((order, players[i], players[j], 100.0 * gain[best] / start, 100.0 * left / start))
    return pd.DataFrame(rows, columns=["order", "first", "second", "gain_percent", "left_percent"])
