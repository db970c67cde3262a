r"""Rao and Kupper's model of ties: a game is drawn when neither side is ahead by more than a threshold.

With d = white - black, the difference of the two sides in natural units, and theta = 1 + e^lam:

    P(win)  = e^(d/2) / (e^(d/2) + theta e^(-d/2))
    P(loss) = e^(-d/2) / (theta e^(d/2) + e^(-d/2))
    P(draw) = (theta^2 - 1) / ((e^(d/2) + theta e^(-d/2)) (theta e^(d/2) + e^(-d/2)))

theta = 1 + e^lam lets lam be any number and gives it Davidson's meaning between equals: the draw share is
(theta - 1) / (theta + 1) = e^lam / (2 + e^lam).

Rao & Kupper (1967) JASA 62:194, eq. 2.3 to 2.5.
"""

from typing import Any

import numpy as np

from halfpoint.models.outcome import Outcome

NORMALISED = (0, 1, 2)


def scores(white: Any, black: Any, log_draw: Any) -> tuple[Any, Any, Any]:
    """Return (loss, draw, win) on the log scale up to a common constant, arrays or graph nodes."""
    half = (white - black) / 2
    ahead, behind, theta = np.exp(half), np.exp(-half), 1 + np.exp(log_draw)
    win = half + np.log(theta * ahead + behind)
    loss = -half + np.log(ahead + theta * behind)
    draw = log_draw + np.log(1 + theta) + 0 * half  # theta^2 - 1 = e^lam (theta + 1); 0 * half gives the shape
    return loss, draw, win


RAO_KUPPER = Outcome("rao_kupper", scores, (0, 1, 2), 0.2)
