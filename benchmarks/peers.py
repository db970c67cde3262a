"""Other programs on the same data: on battles of an arena, and on games through time.

    python benchmarks/peers.py arena PROGRAM FILE.parquet   # for bench_leaderboard.py
    python benchmarks/peers.py agreement                    # for agreement.py
    make .venv-peers/bin/python                             # the peers of .ci/requirements/peers.txt
    python benchmarks/peers.py days trueskill               # or kickscore, season-ep, season-kl, wide-ep: a part of
                                                            # "days" in agreement.json

`agreement` gives the estimates of arena-rank and crowd-kit: from JSON on standard input, name to {first, second,
score}, it prints JSON, name to program to player to strength in natural units. A PROGRAM prints JSON: version; CPU
seconds from the file to the answer, of the first call with imports and compilation and the least of three more; ratings
by model, Elo points about their mean; ends of the 90% intervals if the program has them. arena-rank pins releases of
NumPy and JAX and runs with the Python of ARENA_PYTHON, where neither halfpoint nor PyMC is installed, so that each
function imports its own packages. Every program except halfpoint reads by pandas, as in its own examples.

A cycle: A beats B, B beats C, C beats A on one day, prior N(0, 6^2), P(win) = Phi((s - s0) / sqrt 2) as in TrueSkill.
The exact spread is an integral over the two contrasts of the three skills; their sum keeps its prior.

A season: 172 simulated games without draws of six players over a year, Matern processes of smoothness 3/2, spread 1 and
length 180 days, logistic. halfpoint has the same known numbers, and its draws have the exact posterior as their target.
`wide` has the spread of the cycle, 6, in both.
"""

import json
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

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


def arena(program, path):
    """Print the answer of a program on a file of battles."""
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


RECORD = Path(__file__).with_name("agreement.json")
PEERS = sorted(Path(__file__).parents[1].glob(".venv-peers/lib/python*/site-packages"))
PRIOR, SPREAD, LENGTH, GAMES, PLAYERS, DAYS = 6.0, 1.0, 180.0, 172, 6, 365


def exact_cycle() -> float:
    """Standard deviation of each skill of the cycle."""
    from scipy.stats import norm

    grid = np.linspace(-40.0, 40.0, 1601)
    x, y = np.meshgrid(grid, grid, indexing="ij")  # orthonormal contrasts: (a - b) / sqrt 2, (a + b - 2c) / sqrt 6
    ab, bc = x * np.sqrt(2.0), -x / np.sqrt(2.0) + y * np.sqrt(1.5)
    log = -0.5 * (x**2 + y**2) / PRIOR**2 + sum(norm.logcdf(one / np.sqrt(2.0)) for one in (ab, bc, -ab - bc))
    weight = np.exp(log - log.max())
    apart = x / np.sqrt(2.0) + y / np.sqrt(6.0)  # a less the mean of the three, 0 on average by symmetry
    return float(np.sqrt(PRIOR**2 / 3.0 + (weight * apart**2).sum() / weight.sum()))


def trueskill_cycle() -> float:
    """The same by TrueSkill Through Time."""
    import trueskillthroughtime as ttt

    games = [[["a"], ["b"]], [["b"], ["c"]], [["c"], ["a"]]]
    history = ttt.History(composition=games, times=[1, 1, 1], mu=0.0, sigma=PRIOR, beta=1.0, gamma=0.0)
    history.convergence(epsilon=1e-9, iterations=200, verbose=False)
    return float(history.learning_curves()["a"][-1][1].sigma)


def kickscore_cycle() -> float:
    """The same by kickscore, whose curve is Phi(s - s'): skills are divided by sqrt 2."""
    import kickscore as ks

    model = ks.BinaryModel(obs_type="probit")
    for name in "abc":
        model.add_item(name, kernel=ks.kernel.Constant(var=PRIOR**2 / 2.0))
    for first, second in ("ab", "bc", "ca"):
        model.observe(winners=[first], losers=[second], t=0.0)
    model.fit(max_iter=1000)
    return float(np.sqrt(2.0 * model.item["a"].predict(np.array([0.0]))[1][0]))


def season(seed: int = 11) -> Any:
    """Data frame of simulated games."""
    import pandas as pd

    rng, day = np.random.default_rng(seed), np.arange(DAYS)
    a = np.sqrt(3.0) * np.abs(day[:, None] - day) / LENGTH
    root = np.linalg.cholesky(SPREAD**2 * (1.0 + a) * np.exp(-a) + 1e-9 * np.eye(DAYS))
    skill = root @ rng.standard_normal((DAYS, PLAYERS))
    when = np.sort(rng.integers(0, DAYS, GAMES))
    white = rng.integers(0, PLAYERS, GAMES)
    black = (white + rng.integers(1, PLAYERS, GAMES)) % PLAYERS
    won = rng.random(GAMES) < 1.0 / (1.0 + np.exp(skill[when, black] - skill[when, white]))
    names = np.array([f"P{k}" for k in range(PLAYERS)])
    dates = (np.datetime64("2024-01-01") + when).astype(str)
    return pd.DataFrame({"white": names[white], "black": names[black], "score": 1.0 * won, "date": dates, "day": when})


def known(games: Any, spread: float = SPREAD) -> Any:
    """Skills by days with known spread and length."""
    import pymc as pm

    from halfpoint.models import bernoulli
    from halfpoint.models.language.day_distributions import Matern

    games = games.by_days()
    with pm.Model(coords=games.coords) as model:
        form = Matern("form", spread, LENGTH, games.visits, dims=("visit", "state"))[:, 0]
        pm.Deterministic("strength", form[games.visits.last], dims="player")
        bernoulli(games, games.white_today(form), games.black_today(form))
    return model


def exact_season(frame: Any, spread: float) -> tuple[np.ndarray, str]:
    """Draws of the skills on the last day, (draw, player), and their verdict."""
    import halfpoint as hp
    from halfpoint.inference.effort_limits import Effort
    from halfpoint.inference.fit import fit
    from halfpoint.models import declare
    from halfpoint.models.language.model import Model

    games = hp.read(frame.drop(columns="day"))
    model = Model("known", known, {"spread": spread})
    tree = fit(declare(model, hp.select(games, games.people)), "auto", Effort(draws=4000, chains=4, seed=1), 0)
    return tree["posterior"]["strength"].to_numpy().reshape(-1, PLAYERS), str(tree.attrs["verdict"])


def kickscore_season(frame: Any, method: str, spread: float) -> np.ndarray:
    """Variances on the last day by kickscore, (player,)."""
    import kickscore as ks

    model = ks.BinaryModel(obs_type="logit")
    for k in range(PLAYERS):
        model.add_item(f"P{k}", kernel=ks.kernel.Matern32(var=spread**2, lscale=LENGTH))
    for row in frame.itertuples():
        first, second = (row.white, row.black) if row.score == 1.0 else (row.black, row.white)
        model.observe(winners=[first], losers=[second], t=float(row.day))
    if not model.fit(method=method, max_iter=1000):
        raise RuntimeError(f"kickscore by {method} with a spread of {spread:g} did not converge")
    last = np.array([float(frame["day"].max())])
    return np.array([model.item[f"P{k}"].predict(last)[1][0] for k in range(PLAYERS)])


def cycle_of(peer: str) -> dict[str, Any]:
    """Exact standard deviation of the cycle and that of another program."""
    own = {"TrueSkill Through Time": trueskill_cycle, "kickscore": kickscore_cycle}[peer]
    return {"exact": exact_cycle(), peer: own()}


def season_of(method: str, spread: float = SPREAD) -> dict[str, Any]:
    """Standard deviations of skills and of their differences on the last day, exact and by a method of kickscore."""
    frame = season()
    draws, verdict = exact_season(frame, spread)
    sd, pairs = draws.std(axis=0), np.triu_indices(PLAYERS, 1)
    variance = kickscore_season(frame, method, spread)
    apart = (draws[:, pairs[0]] - draws[:, pairs[1]]).std(axis=0)
    both = np.sqrt(variance[pairs[0]] + variance[pairs[1]])
    return {
        "verdict": verdict, "exact": sd.tolist(), "kickscore": np.sqrt(variance).tolist(),
        "exact over kickscore": (sd / np.sqrt(variance)).tolist(), "differences": (apart / both).tolist(),
    }  # fmt: skip


def days(part: str) -> None:
    """Run one part and write it to the record."""
    sys.path.extend(map(str, PEERS))  # after the packages of this environment
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    found = record.setdefault("days", {})
    if part.startswith(("season", "wide")):
        found[part] = season_of(part[-2:], PRIOR if part.startswith("wide") else SPREAD)
    else:
        found.setdefault("cycle", {}).update(cycle_of("kickscore" if part == "kickscore" else "TrueSkill Through Time"))
    peer = "trueskillthroughtime" if part == "trueskill" else "kickscore"
    found.setdefault("versions", {})[peer] = version(peer)
    RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    {"arena": arena, "agreement": agreement, "days": days}[sys.argv[1]](*sys.argv[2:4])
