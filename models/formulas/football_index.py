r"""Likelihood of a margin that summarises a football game: an index of goals, shots on target and shots.

    I = white - black + e,    e ~ N(0, s^2),    s = e^lam        I the index of `models.games.lead_index`
    P(win) = Phi((d - H) / (R s)),   P(loss) = Phi((-d - H) / (R s)),   P(draw) the rest,   d = white - black

The likelihood is the density of the index, which is more informative about the sides than the result: the result has R
times the noise of the index. Shares of its columns, R and H are known numbers, of English football up to 2012. They
describe how results follow from strengths in football; for a sport known by its margins alone use `margin-walk`.

`SHOTS` is the same index times the root mean square of the margins, so that strengths are in goals; its R and H are of
ten seasons of English football from 2009 to 2021 (`benchmarks/tables/football.md`).
"""

from dataclasses import replace
from functools import partial

import numpy as np

from halfpoint.models.formulas.margin import NORMAL
from halfpoint.models.formulas.outcome import Outcome
from halfpoint.models.games.lead_index import game_index
from halfpoint.models.games.table import Floats, GameTable

SHARES = np.array([1.0, 0.3, 0.2])  # of the margin, of shots on target, of shots
_NOISE, _HALF = 1.41, 0.36  # R and H
_NOISE_IN_GOALS, _HALF_IN_GOALS = 1.35, 0.58


def index_in_goals(games: GameTable) -> Floats:
    """The index with the spread of the games' margins, shape (game,), NaN where it is unknown."""
    index, margin = game_index(games, SHARES), np.asarray(games.margin, dtype=np.float64)
    scored = margin[np.isfinite(margin)]
    return index * float(np.sqrt(np.mean(np.square(scored)))) if scored.size else index


_SEEN = replace(NORMAL, of=partial(game_index, share=SHARES), forecast=False, half=_HALF, noise=_NOISE)
OF_SHOTS = replace(_SEEN, of=index_in_goals, half=_HALF_IN_GOALS, noise=_NOISE_IN_GOALS)
INDEX = Outcome("index", information=1.0, title="index of a game, normal", margin=_SEEN, lam="log_width")
SHOTS = Outcome("shots", information=1.0, title="index of a game in goals, normal", margin=OF_SHOTS, lam="log_width")
