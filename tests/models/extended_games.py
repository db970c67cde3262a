"""Games and parameters for the tests of models: small, with different players, an advantage and known truth."""

from dataclasses import replace

import numpy as np
from composed import about, game_rows, log_probability, sides

from halfpoint.inference.calibration_designs import meetings as schedule
from halfpoint.models.games.select import Selection
from halfpoint.models.language.model import Model
from halfpoint.models.language.populations import MIDDLE

__all__ = ["log_probability", "play", "schedule", "truth"]
TERMS = 1  # columns of the formulas used here


def truth(entry: Model, players: int, seed: int, months: int = 6) -> dict[str, np.ndarray]:
    """One draw of parameters, shape (1, ...) each."""
    rng = np.random.default_rng(seed)
    strength = MIDDLE + np.linspace(-0.9, 0.9, players)
    p: dict[str, np.ndarray] = {"strength": strength[None], "advantage": np.array([0.5])}
    if about(entry).walks:
        steps = 0.2 * np.cumsum(rng.standard_normal((players, months)), axis=1)
        p |= {"strength": (strength[:, None] + steps)[None], "innovation_spread": np.array([0.2])}
    if about(entry).kind == "pooled":
        p |= {"advantage": 0.25 + 0.2 * rng.standard_normal((1, players)), "advantage_mean": np.array([0.25])}
    if about(entry).draws:
        p[about(entry).outcome.lam] = np.array([0.8])
        if "draw_slope" in about(entry).names:
            p["draw_slope"] = np.array([0.5])
        if "draw_tendency" in about(entry).names:
            p["draw_tendency"] = 0.5 * rng.standard_normal((1, players))
    rated = "rated_spread" in about(entry).names
    if about(entry).scale:
        p["anchor_scale"] = np.array([1.8])
    if "anchor_level" in about(entry).names or rated:
        p["anchor_level"] = np.array([MIDDLE + 0.3])
    if rated:  # ratings err
        p |= {"rated_spread": np.array([0.4]), "strength": p["strength"] + 0.4 * rng.standard_normal((1, players))}
    if about(entry).kind == "none":
        del p["advantage"]
    for target in about(entry).effects.formulas:
        p[f"{target}_effect"] = np.full((1, TERMS), 0.6)
    return p


def play(entry: Model, selection: Selection, p: dict[str, np.ndarray], seed: int) -> Selection:
    """The games with outcomes, or margins, drawn from the parameters (half points: decisive games only)."""
    rng, rows = np.random.default_rng(seed), game_rows(entry, selection)
    if about(entry).outcome.margin is not None:
        white, black, lam = sides(entry, p, rows)
        drawn = (white - black + np.exp(lam) * about(entry).outcome.margin.tails.quantile(rng.random(len(selection))))[
            0
        ]
        columns, score = dict(selection.games.covariates) | {"margin": drawn}, (np.sign(drawn) + 1.0) / 2.0
        return replace(selection, games=replace(selection.games, score=score, covariates=columns))
    probability = np.exp(log_probability(entry, p, rows))[0]
    if not about(entry).outcome.draws:
        probability[:, 1] = 0.0
    outcome = (rng.random(len(selection))[:, None] > np.cumsum(probability, axis=1)).sum(axis=1)
    return replace(selection, games=replace(selection.games, score=np.minimum(outcome, 2) / 2.0))
