r"""Leave-one-out by game and by player, with exact refits where importance sampling cannot be trusted.

    elpd_g = log p(y_g | all games but g)

PSIS estimates it from one posterior. Where the Pareto k of a game exceeds 0.7, the model is fitted again without the
game and elpd_g is the log of the mean over the new draws. A player's line is half the sum over their games, so that the
lines of all players and of the anchored opponents together give the total.

Vehtari, Gelman & Gabry (2017) Stat. Comput. 27:1413; Vehtari et al. (2024) J. Mach. Learn. Res. 25:72 for k.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd

from halfpoint.evaluation.criteria import LIMIT_K, LeaveOneOut
from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.scores import Floats
from halfpoint.games.select import Selection
from halfpoint.models.smoothing import log_sum

ANCHORED = "(anchored opponents)"


def refit_where_unreliable(
    estimate: LeaveOneOut, refit: Callable[[int], Floats], limit: float = LIMIT_K, most: int = 50
) -> LeaveOneOut:
    """Return leave-one-out with exact terms where k exceeds a limit.

    With k = 0 for exact terms; `effective_parameters` changes by what the terms change.
    """
    bad = np.flatnonzero(estimate.pareto_k > limit)
    if bad.size > most:
        expected = f"at most {most} games with Pareto k above {limit}"
        raise EvaluationError("leave-one-out", expected, str(bad.size), "The model is misspecified.")
    terms, shapes = estimate.elpd_per_game.copy(), estimate.pareto_k.copy()
    for game in bad:
        value = refit(int(game))
        terms[game], shapes[game] = log_sum(value) - np.log(value.size), 0.0
    elpd, error = float(terms.sum()), float(np.sqrt(terms.size * terms.var(ddof=0)))
    effective = estimate.effective_parameters + estimate.elpd - elpd
    made = {"elpd": elpd, "standard_error": error, "effective_parameters": effective}
    return replace(estimate, **made, elpd_per_game=terms, pareto_k=shapes)


def by_player(estimate: LeaveOneOut, selection: Selection) -> pd.DataFrame:
    """Return leave-one-out by player, worst mean first.

    By player (the anchored opponents in one line): games, `elpd` (half the sum over their games), `mean` (elpd of a
    game of theirs), `max_k` and `unreliable` (games with k above 0.7).
    """
    terms, shapes = estimate.elpd_per_game, estimate.pareto_k
    if terms.shape != (len(selection),):
        raise EvaluationError("leave-one-out", f"{len(selection)} terms, one a game", str(terms.shape))
    rows = []
    for code in range(-1, selection.players.size):
        white, black = selection.seats_of(code)
        sides = white.astype(int) + black.astype(int)
        mine = sides > 0
        if not mine.any():
            continue
        k, player = shapes[mine], ANCHORED if code < 0 else str(selection.players[code])
        sums = float((terms * sides).sum() / 2), float(terms[mine].mean())
        rows.append((player, int(mine.sum()), *sums, float(k.max()), int((k > LIMIT_K).sum())))
    names = ["player", "games", "elpd", "mean", "max_k", "unreliable"]
    return pd.DataFrame(rows, columns=names).set_index("player").sort_values("mean", kind="stable")
