"""Games and parameters for the tests of the extended models: small, unequal, with a colour advantage, known truth."""

from dataclasses import replace

import numpy as np

from halfpoint.games.select import Selection
from halfpoint.games.units import to_natural
from halfpoint.inference.calibration_designs import meetings as schedule
from halfpoint.models.anchor_scale import MIDDLE
from halfpoint.models.beyond import rows_of
from halfpoint.models.board import log_probability
from halfpoint.models.extended import Extended, scores

__all__ = ["play", "schedule", "truth"]
TERMS = 1  # columns of the formulas used here


def truth(entry: Extended, players: int, seed: int, months: int = 6) -> dict[str, np.ndarray]:
    """Return one draw of parameters, shape (1, ...) each."""
    rng = np.random.default_rng(seed)
    strength = MIDDLE + np.linspace(-0.9, 0.9, players)
    p: dict[str, np.ndarray] = {"strength": strength[None], "advantage": np.array([0.5])}
    if entry.strength == "walk":
        steps = 0.2 * np.cumsum(rng.standard_normal((players, months)), axis=1)
        p |= {"strength": (strength[:, None] + steps)[None], "innovation_spread": np.array([0.2])}
    if entry.advantage == "pooled":
        p |= {"advantage": 0.25 + 0.2 * rng.standard_normal((1, players)), "advantage_mean": np.array([0.25])}
    if entry.family != "bradley_terry":
        p["log_draw"] = np.array([0.8])
    if entry.draw_slope:
        p["draw_slope"] = np.array([0.5])
    if entry.draw_tendency:
        p["draw_tendency"] = 0.5 * rng.standard_normal((1, players))
    if entry.scaled or entry.strength == "rated":
        p["anchor_scale"] = np.array([1.8])
    if entry.level or entry.strength == "rated":
        p["anchor_level"] = np.array([MIDDLE + 0.3])
    if entry.advantage == "none":
        del p["advantage"]
    for target in entry.formulas:
        p[f"{target}_effect"] = np.full((1, TERMS), 0.6)
    return p


def play(entry: Extended, selection: Selection, p: dict[str, np.ndarray], seed: int) -> Selection:
    """Return the games with outcomes drawn from the parameters (half points: decisive games only)."""
    rng = np.random.default_rng(seed)
    rows = rows_of(entry, selection, 1)
    probability = np.exp(log_probability(scores(entry, p, rows), entry.normalised))[0]
    if entry.normalised == (0, 2):
        probability[:, 1] = 0.0
    outcome = (rng.random(len(selection))[:, None] > np.cumsum(probability, axis=1)).sum(axis=1)
    return replace(selection, games=replace(selection.games, score=np.minimum(outcome, 2) / 2.0))


ELO_100 = to_natural(100.0)
