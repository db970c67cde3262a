"""Mode of one posterior with a parameter for every player: halfpoint's density, choix and whole-history-rating.

Every game counts twice for choix, a draw once in each direction, so that its penalty alpha sum(x^2) with alpha = 1 /
sd^2 is the same prior; whole-history-rating puts all games on one day. python maximum.py GAMES; prints JSON.
"""

import json
import sys
import time
import warnings

import choix
import numpy as np
from scipy.optimize import minimize
from variants import load
from whr.whole_history_rating import Base

from halfpoint.inference.loops.engine import density, expand, numbers_of
from halfpoint.models.declaration.catalogue import declare, find
from halfpoint.models.games.select import select
from halfpoint.models.games.units import ELO_PER_NATURAL

PRIOR_SD = find("bt", "described").parameters["strength"][1]  # natural units


def halfpoint_mode(games):
    """Centred strengths in natural units, and seconds of reading the model and of the optimisation."""
    start = time.perf_counter()
    declared = declare("bt", select(games, games.players), "described")
    numbers = numbers_of(declared)
    climb = density(numbers)
    middle = time.perf_counter()

    def downhill(point):
        value, gradient = climb(point)
        return -value, -gradient

    options = {"maxiter": 5000, "maxfun": 20000, "ftol": 1e-15, "gtol": 1e-6}
    found = minimize(downhill, np.zeros(declared.layout.count), jac=True, method="L-BFGS-B", options=options)
    end = time.perf_counter()
    strength = expand(declared, numbers, found.x[None])["strength"][0]
    return strength - strength.mean(), {"declare": middle - start, "climb": end - middle, "gradients": int(found.nfev)}


def choix_mode(games):
    """The same by choix."""
    pairs = []
    for white, black, score in zip(games.white.tolist(), games.black.tolist(), games.score.tolist(), strict=True):
        pairs += [(white, black)] * int(2 * score) + [(black, white)] * int(2 - 2 * score)
    start = time.perf_counter()
    alpha = PRIOR_SD**-2
    strength = choix.opt_pairwise(len(games.players), pairs, alpha=alpha, tol=1e-8)
    return strength - strength.mean(), {"climb": time.perf_counter() - start}


def whole_history(games):
    """Seconds of whole-history-rating on the same games, one day."""
    base = Base()
    letters = {0.0: "B", 0.5: "D", 1.0: "W"}
    for white, black, score in zip(games.white_names, games.black_names, games.score.tolist(), strict=True):
        base.create_game(str(black), str(white), letters[score], 1, 0)
    start = time.perf_counter()
    base.auto_iterate(time_limit=300, precision=1e-3)
    return {"climb": time.perf_counter() - start}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    games = load(sys.argv[1]).games
    ours, seconds = halfpoint_mode(games)
    theirs, choix_seconds = choix_mode(games)
    result = {"players": len(games.players), "games": len(games), "halfpoint": seconds, "choix": choix_seconds}
    result["largest_difference_elo"] = float(np.abs(ours - theirs).max() * ELO_PER_NATURAL)
    result["whole-history-rating"] = whole_history(games)
    print("RESULT " + json.dumps(result))
