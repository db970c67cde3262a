r"""Likelihood of a margin that summarises a football game: an index of goals, shots on target and shots.

    I = white - black + e,    e ~ N(0, s^2),    s = e^lam        I the index of `models.games.lead_index`
    P(win) = Phi((d - H) / (R s)),   P(loss) = Phi((-d - H) / (R s)),   P(draw) the rest,   d = white - black

The likelihood is the density of the index, which is more informative about the sides than the result: the result has R
times the noise of the index. Shares of its columns, R and H are known numbers, of English football up to 2012. They
describe how results follow from strengths in football; for a sport known by its margins alone use `margin-walk`.
"""

from dataclasses import replace
from functools import partial

import numpy as np

from halfpoint.models.formulas.margin import NORMAL
from halfpoint.models.formulas.outcome import Outcome
from halfpoint.models.games.lead_index import game_index

SHARES = np.array([1.0, 0.3, 0.2])  # of the margin, of shots on target, of shots
_NOISE, _HALF = 1.41, 0.36  # R and H

_SEEN = replace(NORMAL, of=partial(game_index, share=SHARES), forecast=False, half=_HALF, noise=_NOISE)
INDEX = Outcome("index", information=1.0, title="index of a game, normal", margin=_SEEN, lam="log_width")
