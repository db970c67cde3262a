"""Spread of posteriors by days: halfpoint, TrueSkill Through Time and kickscore on the same games and priors.

    make .venv-peers/bin/python                     # the peers of .ci/requirements/peers.txt
    python benchmarks/day_peers.py trueskill        # or kickscore, season-ep, season-kl, wide-ep: a part of
                                                    # day_peers.json

A cycle: A beats B, B beats C, C beats A on one day, prior N(0, 6^2), P(win) = Phi((s - s0) / sqrt 2) as in TrueSkill.
The exact spread is an integral over the two contrasts of the three skills; their sum keeps its prior.

A season: 172 simulated games without draws of six players over a year, Matern processes of smoothness 3/2, spread 1 and
length 180 days, logistic. halfpoint has the same known numbers, and its draws have the exact posterior as their target.
`wide` has the spread of the cycle, 6, in both.
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pymc as pm
from scipy.stats import norm

import halfpoint as hp
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.fit import fit
from halfpoint.models import bernoulli, declare
from halfpoint.models.language.day_distributions import Matern
from halfpoint.models.language.model import Model

RECORD = Path(__file__).with_suffix(".json")
PEERS = sorted(Path(__file__).parents[1].glob(".venv-peers/lib/python*/site-packages"))
PRIOR, SPREAD, LENGTH, GAMES, PLAYERS, DAYS = 6.0, 1.0, 180.0, 172, 6, 365


def exact_cycle() -> float:
    """Standard deviation of each skill of the cycle."""
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


def season(seed: int = 11) -> pd.DataFrame:
    """Simulated games."""
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
    games = games.by_days()
    with pm.Model(coords=games.coords) as model:
        form = Matern("form", spread, LENGTH, games.visits, dims=("visit", "state"))[:, 0]
        pm.Deterministic("strength", form[games.visits.last], dims="player")
        bernoulli(games, games.white_today(form), games.black_today(form))
    return model


def exact_season(frame: pd.DataFrame, spread: float) -> tuple[np.ndarray, str]:
    """Draws of the skills on the last day, (draw, player), and their verdict."""
    games = hp.read(frame.drop(columns="day"))
    model = Model("known", known, {"spread": spread})
    tree = fit(declare(model, hp.select(games, games.people)), "auto", Effort(draws=4000, chains=4, seed=1), 0)
    return tree["posterior"]["strength"].to_numpy().reshape(-1, PLAYERS), str(tree.attrs["verdict"])


def kickscore_season(frame: pd.DataFrame, method: str, spread: float) -> np.ndarray:
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


def main(part: str) -> None:
    """Run one part and write it to the record."""
    sys.path.extend(map(str, PEERS))  # after the packages of this environment
    found = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    if part.startswith(("season", "wide")):
        found[part] = season_of(part[-2:], PRIOR if part.startswith("wide") else SPREAD)
    else:
        found.setdefault("cycle", {}).update(cycle_of("kickscore" if part == "kickscore" else "TrueSkill Through Time"))
    peer = "trueskillthroughtime" if part == "trueskill" else "kickscore"
    found.setdefault("versions", {})[peer] = version(peer)
    RECORD.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
