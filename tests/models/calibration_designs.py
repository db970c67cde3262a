"""Small designs with proper priors, one for each family of models, for simulation-based calibration."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from extended_games import schedule

from halfpoint.games.cells import Cells, merge
from halfpoint.games.units import to_natural
from halfpoint.inference.calibrate import Experiment
from halfpoint.models import anchor_scale, bradley_terry, davidson, draws, dynamic, extended, pooled
from halfpoint.models.beyond import rows_of
from halfpoint.models.board import log_probability
from halfpoint.models.extended import Extended, build, scores
from halfpoint.models.forecast import NEEDED, at_cells
from halfpoint.models.parts import Advantage

PLAYERS, GAMES = 5, 60
STRENGTH = (to_natural(2705.0), 0.6)
PRIORS = extended.Priors(
    strength=STRENGTH,
    advantage=(0.3, 0.4),
    tie=draws.Priors(log_draw=(0.5, 0.6), slope=(0.0, 0.5)),
    anchor=anchor_scale.Priors(log_scale=(0.4, 0.3), level=(STRENGTH[0], 0.4)),
    population=pooled.Priors(
        advantage_mean=(0.2, 0.3),
        advantage_spread=0.3,
        strength_mean=STRENGTH,
        strength_spread=0.6,
        tendency_spread=0.5,
    ),
    walk=dynamic.Priors(level=STRENGTH, innovation_spread=0.3),
)
LATENT = ("strength", "advantage", "log_draw", "draw_slope", "anchor_scale", "anchor_level", "innovation_spread")
SPREADS = ("advantage_mean", "advantage_spread", "strength_mean", "strength_spread", "draw_tendency_spread")


def probabilities(entry: Extended, p: Mapping[str, Any], rows: Any) -> np.ndarray:
    """Return the probabilities of one draw, shape (row, outcome); half points without draws."""
    batch = {name: np.asarray(value)[None] for name, value in p.items()}
    result = np.exp(log_probability(scores(entry, batch, rows), entry.normalised))[0]
    if 1 not in entry.normalised:
        result[:, 1] = 0.0
    return result / result.sum(axis=1, keepdims=True)


def extended_experiment(entry: Extended, sign: float = 1.0) -> Experiment:
    """Return the experiment of an extended model; sign = -1 plants a wrong sign of the advantage in the simulation."""
    selection = schedule(GAMES, PLAYERS, 21, months=4, opponents=4)
    walks = entry.strength == "walk"
    first = 1 if walks else 0
    cells = merge(selection, selection.games.period - 1 if walks else None)
    rows = at_cells(entry, selection, cells, first)
    assert rows_of(entry, selection, first).white.size == GAMES
    model = build(cells, entry, PRIORS)
    known = {variable.name for variable in model.deterministics}
    names = tuple(name for name in (*LATENT, *SPREADS) if name in known)

    def probability(values: Mapping[str, Any]) -> np.ndarray:
        p = {name: values[name] for name in NEEDED if name in values}
        return probabilities(entry, p | {"advantage": sign * p["advantage"]}, rows)

    return Experiment(lambda c: build(c, entry, PRIORS), cells, names, probability)


def study_experiment(family: str, advantage: Advantage, sign: float = 1.0) -> Experiment:
    """Return the experiment of a model of the study with proper priors."""
    cells = merge(schedule(GAMES, PLAYERS, 21, opponents=4))
    half = 0.1
    if family == "davidson":
        prior: Any = davidson.Priors(STRENGTH, (0.3, 0.4), (0.5, 0.6), half)
        formula, unit, name = davidson, 1.0, "strength"
    else:
        prior = bradley_terry.Priors((2705.0, 100.0), (50.0, 70.0), half / to_natural(1.0))
        formula, unit, name = bradley_terry, to_natural(1.0), "rating"  # type: ignore[assignment]

    def build_model(c: Cells) -> Any:
        return formula.build(c, advantage, prior)

    entry = Extended("x", family, "pooled" if advantage == "player" else "common")  # type: ignore[arg-type]
    rows = at_cells(entry, schedule(GAMES, PLAYERS, 21, opponents=4), cells)

    def probability(values: Mapping[str, Any]) -> np.ndarray:
        p = {"strength": unit * values[name], "advantage_mean": half, "log_draw": values.get("log_draw", 0.0)}
        if advantage != "none":
            p["advantage"] = sign * unit * values["advantage"]
        return probabilities(entry, p, rows)

    names = [name] + ["advantage"] * (advantage != "none") + ["log_draw"] * (family == "davidson")
    return Experiment(build_model, cells, tuple(names), probability)
