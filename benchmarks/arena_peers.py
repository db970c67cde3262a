"""One program on a file of battles, in its own process, for the comparison in bench_leaderboard.py.

    python benchmarks/arena_peers.py PROGRAM FILE.parquet
    python benchmarks/arena_peers.py agreement

`agreement` gives the estimates of arena-rank and crowd-kit for agreement.py: from JSON on standard input, name to
{first, second, score}, it prints JSON, name to program to player to strength in natural units. A PROGRAM prints JSON:
version; CPU seconds from the file to the answer, of the first call with imports and compilation and the least of three
more; ratings by model, Elo points about their mean; ends of the 90% intervals if the program has them. arena-rank pins
releases of NumPy and JAX and runs with the Python of ARENA_PYTHON. Every program except halfpoint reads by pandas, as
in its own examples.
"""

import json
import sys
import time
from importlib.metadata import version

import numpy as np

LEVEL = 0.9
WORDS = {1.0: "model_a", 0.0: "model_b", 0.5: "tie"}


def by_halfpoint(path):
    """Board by halfpoint: position and ties estimated, intervals of ratings and ranks, tiers."""
    from halfpoint.apps.fields.arena.list import leaderboard

    def answer():
        frame = leaderboard(path, interval=LEVEL, checks=False).frame.set_index("model")
        return frame["rating_elo"], frame["low_elo"], frame["high_elo"]

    return answer, "halfpoint"


def by_evalica(path, newman=False):
    """Bradley-Terry scores by evalica with ties as half wins, or Newman's with ties; in Elo points."""
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
    """Bradley-Terry ratings by arena-rank with ties as half wins, and its sandwich intervals."""
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


def arena_rank_of(battles):
    """Arena-rank's ratings on its scale of 400 points, in natural units; a tie is half a win."""
    import pandas as pd
    from arena_rank.models.bradley_terry import BradleyTerry
    from arena_rank.utils.data_utils import PairDataset

    frame = pd.DataFrame({
        "model_a": battles["first"], "model_b": battles["second"], "winner": [WORDS[s] for s in battles["score"]],
    })  # fmt: skip
    data = PairDataset.from_pandas(frame)
    model = BradleyTerry(n_competitors=len(data.competitors), max_iter=10_000, ftol=1e-15, gtol=1e-12)
    found = model.compute_ratings_and_cis(data)
    ratings = np.asarray(found["ratings"], dtype=float) * np.log(10.0) / 400.0
    return dict(zip([str(one) for one in found["competitors"]], ratings.tolist(), strict=True))


def crowd_kit_of(battles, **options):
    """Logarithms of crowd-kit's scores, without ties."""
    import pandas as pd
    from crowdkit.aggregation import BradleyTerry

    frame = pd.DataFrame({"worker": "one", "left": battles["first"], "right": battles["second"]})
    frame["label"] = np.where(np.array(battles["score"]) == 1.0, frame["left"], frame["right"])
    scores = BradleyTerry(n_iter=20_000, **options).fit_predict(frame)
    return {str(name): float(np.log(value)) for name, value in scores.items()}


def agreement():
    """Answers for all sets of battles."""
    asked = json.load(sys.stdin)
    names = {by: f"{by} {version(by)}" for by in ("arena-rank", "crowd-kit")}
    found = {}
    for of, battles in asked.items():
        found[of] = {names["arena-rank"]: arena_rank_of(battles)}
        if 0.5 not in battles["score"]:
            found[of][names["crowd-kit"]] = crowd_kit_of(battles)
            found[of][f"{names['crowd-kit']}, tol=0"] = crowd_kit_of(battles, tol=0.0)
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    agreement() if sys.argv[1:] == ["agreement"] else main(*sys.argv[1:3])
