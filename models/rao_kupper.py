r"""Rao and Kupper's model of ties: a game is drawn when neither side is ahead by more than a threshold.

With d = white - black, the difference of the two sides in natural units, and theta = 1 + e^lam:

    P(win)  = e^(d/2) / (e^(d/2) + theta e^(-d/2))
    P(loss) = e^(-d/2) / (theta e^(d/2) + e^(-d/2))
    P(draw) = (theta^2 - 1) / ((e^(d/2) + theta e^(-d/2)) (theta e^(d/2) + e^(-d/2)))

theta = 1 + e^lam lets lam be any number and gives it Davidson's meaning between equals: the draw share is
(theta - 1) / (theta + 1) = e^lam / (2 + e^lam).

    log P(win)  = -softplus(log theta - d),     log P(loss) = -softplus(log theta + d),     softplus(x) = log(1 + e^x)
    log P(draw) = log(theta^2 - 1) + log P(win) + log P(loss),     theta^2 - 1 = e^lam (2 + e^lam)

Nothing is left to normalise, and neither values nor gradients overflow however far apart the two sides are.

Rao & Kupper (1967) JASA 62:194, eq. 2.3 to 2.5.
"""

from typing import Any

import numpy as np

from halfpoint.models.graphs import is_node, pt
from halfpoint.models.outcome import Outcome

LOG2 = float(np.log(2.0))


def softplus(x: Any) -> Any:
    """Return log(1 + e^x), array or graph node."""
    return pt.softplus(x) if is_node(x) else np.logaddexp(0.0, x)


def scores(white: Any, black: Any, log_draw: Any) -> tuple[Any, Any, Any]:
    """Return log probabilities of loss, draw and win, arrays or graph nodes."""
    ahead, log_theta = white - black, softplus(log_draw)
    loss, win = -softplus(log_theta + ahead), -softplus(log_theta - ahead)
    return loss, log_draw + LOG2 + softplus(log_draw - LOG2) + loss + win, win


RAO_KUPPER = Outcome("rao_kupper", scores, over=(), information=0.2, title="Rao-Kupper, three outcomes")
