r"""Rao and Kupper's model of ties: a game is drawn when neither side is ahead by more than a threshold.

With d = white - black, the difference of the two sides in natural units, and theta = 1 + e^lam:

    P(win)  = e^(d/2) / (e^(d/2) + theta e^(-d/2))
    P(loss) = e^(-d/2) / (theta e^(d/2) + e^(-d/2))
    P(draw) = (theta^2 - 1) / ((e^(d/2) + theta e^(-d/2)) (theta e^(d/2) + e^(-d/2)))

theta = 1 + e^lam lets lam be any number and gives it Davidson's meaning between equals: the draw share is
(theta - 1) / (theta + 1) = e^lam / (2 + e^lam).

Everything is a logarithm of a sum of exponentials, log(e^x + e^y) = x + softplus(y - x), so that neither values nor
gradients overflow however far apart the two sides are.

Rao & Kupper (1967) JASA 62:194, eq. 2.3 to 2.5.
"""

from typing import Any

import numpy as np

from halfpoint.models.graphs import is_node, pt
from halfpoint.models.outcome import Outcome

LOG2 = float(np.log(2.0))


def log_sum(first: Any, second: Any) -> Any:
    """Return log(e^first + e^second), arrays or graph nodes, as exact where one of them is far above the other."""
    if is_node(first) or is_node(second):
        return first + pt.softplus(second - first)
    return np.logaddexp(first, second)


def scores(white: Any, black: Any, log_draw: Any) -> tuple[Any, Any, Any]:
    """Return (loss, draw, win) on the log scale up to a common constant, arrays or graph nodes."""
    half = (white - black) / 2
    log_theta = log_sum(0.0, log_draw)
    win = half + log_sum(log_theta + half, -half)
    loss = -half + log_sum(half, log_theta - half)
    draw = log_draw + log_sum(LOG2, log_draw) + 0 * half  # theta^2 - 1 = e^lam (2 + e^lam); 0 * half gives the shape
    return loss, draw, win


RAO_KUPPER = Outcome("rao_kupper", scores, over=(0, 1, 2), information=0.2, title="Rao-Kupper, three outcomes")
