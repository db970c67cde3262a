"""Estimates of arena-rank and crowd-kit on battles, for benchmarks/agreement.py, in a separate environment.

arena-rank pins releases of NumPy and JAX. Reads JSON from standard input, name to {first, second, score}, and prints
JSON: name to program to player to strength, natural units. halfpoint is not needed.
"""

import json
import sys
from importlib.metadata import version
from typing import Any

import numpy as np
import pandas as pd
from arena_rank.models.bradley_terry import BradleyTerry as ArenaRank
from arena_rank.utils.data_utils import PairDataset
from crowdkit.aggregation import BradleyTerry as CrowdKit

WORDS = {1.0: "model_a", 0.0: "model_b", 0.5: "tie"}


def by_arena_rank(battles: dict[str, list[Any]]) -> dict[str, float]:
    """Arena-rank's ratings on its scale of 400 points, in natural units; a tie is half a win."""
    frame = pd.DataFrame({
        "model_a": battles["first"], "model_b": battles["second"], "winner": [WORDS[s] for s in battles["score"]],
    })  # fmt: skip
    data = PairDataset.from_pandas(frame)
    model = ArenaRank(n_competitors=len(data.competitors), max_iter=10_000, ftol=1e-15, gtol=1e-12)
    found = model.compute_ratings_and_cis(data)
    ratings = np.asarray(found["ratings"], dtype=float) * np.log(10.0) / 400.0
    return dict(zip([str(one) for one in found["competitors"]], ratings.tolist(), strict=True))


def by_crowd_kit(battles: dict[str, list[Any]], **options: Any) -> dict[str, float]:
    """The logarithms of crowd-kit's scores; it has no ties."""
    frame = pd.DataFrame({"worker": "one", "left": battles["first"], "right": battles["second"]})
    frame["label"] = np.where(np.array(battles["score"]) == 1.0, frame["left"], frame["right"])
    scores = CrowdKit(n_iter=20_000, **options).fit_predict(frame)
    return {str(name): float(np.log(value)) for name, value in scores.items()}


def main() -> None:
    """Answer for every set of battles."""
    asked = json.load(sys.stdin)
    names = {by: f"{by} {version(by)}" for by in ("arena-rank", "crowd-kit")}
    found: dict[str, dict[str, dict[str, float]]] = {}
    for of, battles in asked.items():
        found[of] = {names["arena-rank"]: by_arena_rank(battles)}
        if 0.5 not in battles["score"]:
            found[of][names["crowd-kit"]] = by_crowd_kit(battles)
            found[of][f"{names['crowd-kit']}, tol=0"] = by_crowd_kit(battles, tol=0.0)
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
