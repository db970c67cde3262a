"""One program on a file of battles, in a process of its own: a side of the peers of bench_leaderboard.py.

    python benchmarks/arena_peers.py PROGRAM FILE.parquet

Prints JSON: version; CPU seconds from the file to the answer, of the first call with what it imports and compiles and
the least of three more; ratings by model, Elo points about their mean; ends of the 90% intervals where the program
gives some. arena-rank pins releases of NumPy and JAX and runs with the Python that ARENA_PYTHON names. Every program
but halfpoint reads by pandas, as its own examples do.
"""

import json
import sys
import time
from importlib.metadata import version

import numpy as np

LEVEL = 0.9


def by_halfpoint(path):
    """Halfpoint's board: position and ties learned, intervals of ratings and ranks, tiers."""
    from halfpoint.apps.fields.arena.list import leaderboard

    def answer():
        frame = leaderboard(path, interval=LEVEL, checks=False).frame.set_index("model")
        return frame["rating_elo"], frame["low_elo"], frame["high_elo"]

    return answer, "halfpoint"


def by_evalica(path, newman=False):
    """Evalica's Bradley-Terry scores, ties half a win, or Newman's with ties; points."""
    import evalica
    import pandas as pd

    words = {"model_a": evalica.Winner.X, "model_b": evalica.Winner.Y, "tie": evalica.Winner.Draw}

    def answer():
        battles = pd.read_parquet(path)
        fitted = (evalica.newman if newman else evalica.bradley_terry)(
            battles["model_a"], battles["model_b"], battles["winner"].map(words)
        )
        return 400.0 * np.log10(fitted.scores), None, None

    return answer, "evalica"


def by_arena_rank(path, intervals=True, reweighted=False, **exact):
    """Arena-rank's Bradley-Terry ratings, ties half a win, and its intervals by the sandwich."""
    import pandas as pd
    from arena_rank.models.bradley_terry import BradleyTerry
    from arena_rank.utils.data_utils import PairDataset

    def answer():
        data = PairDataset.from_pandas(pd.read_parquet(path), reweighted=reweighted)
        model = BradleyTerry(n_competitors=len(data.competitors), **exact)
        if not intervals:
            model.fit(data)
            return pd.Series(model.alpha * np.asarray(model.params["ratings"]), data.competitors), None, None
        found = model.compute_ratings_and_cis(data, significance_level=1.0 - LEVEL)
        ends = [pd.Series(np.asarray(found[name]), data.competitors) for name in ("rating_lower", "rating_upper")]
        return pd.Series(np.asarray(found["ratings"]), data.competitors), *ends

    return answer, "arena-rank"


PROGRAMS = {
    "halfpoint": by_halfpoint,
    "evalica": by_evalica,
    "evalica, Newman": lambda path: by_evalica(path, newman=True),
    "arena-rank": lambda path: by_arena_rank(path, intervals=False),
    "arena-rank, intervals": by_arena_rank,
    "arena-rank, reweighted": lambda path: by_arena_rank(path, True, True, max_iter=10_000, ftol=1e-15, gtol=1e-12),
}


def main(program, path):
    start = time.process_time()
    answer, package = PROGRAMS[program](path)
    answer()
    said = {"version": version(package), "first": time.process_time() - start, "again": float("inf")}
    for _ in range(3):
        start = time.process_time()
        rating, low, high = answer()
        said["again"] = min(said["again"], time.process_time() - start)
    middle = rating.mean()
    for name, values in (("rating", rating), ("low", low), ("high", high)):
        said[name] = None if values is None else {str(key): float(value - middle) for key, value in values.items()}
    print(json.dumps(said))


if __name__ == "__main__":
    main(*sys.argv[1:3])
