"""Small designs with proper priors, one for each family of models, for simulation-based calibration.

Five monitored players and four anchored opponents play 60 games. The priors are narrower than those of the catalogue:
from the study's, 400 natural units wide, hardly any simulated game would be in doubt.
"""

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

from halfpoint.games.cells import Cells, merge
from halfpoint.games.select import Selection, select
from halfpoint.games.table import Floats, GameTable, code_players
from halfpoint.games.units import to_natural
from halfpoint.inference.calibrate import Experiment
from halfpoint.inference.errors import InferenceError
from halfpoint.models import anchor_scale, bradley_terry, davidson, draws, dynamic, extended, pooled
from halfpoint.models.beyond import EXTENDED, rows_of
from halfpoint.models.board import log_probability
from halfpoint.models.catalogue import MODELS, find
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
SPREADS = (
    *("advantage_mean", "advantage_spread", "strength_mean", "strength_spread", "draw_tendency_spread"),
    "rated_spread",
)


def meetings(games: int, monitored: int, seed: int, months: int = 6, opponents: int = 12) -> Selection:
    """Return games among monitored players and against anchored opponents, whose outcomes are still to be drawn.

    Parameters
    ----------
    games, monitored, opponents : int
        Number of games, of monitored players and of opponents, who are rated from 2450 to 2850 Elo.
    seed : int
        Seed of who meets whom when.
    months : int
        Periods of the games.
    """
    rng = np.random.default_rng(seed)
    players = np.array([f"M{i:02d}" for i in range(monitored)] + [f"O{i:02d}" for i in range(opponents)])
    strength_elo = np.concatenate([np.full(monitored, 2705.0), np.linspace(2450, 2850, opponents)])
    white = rng.integers(0, monitored, games)
    black = (white + rng.integers(1, players.size, games)) % players.size
    swap = rng.random(games) < 0.5
    white, black = np.where(swap, black, white), np.where(swap, white, black)
    names, white_code, black_code = code_players(players[white], players[black])
    table = GameTable(
        names,
        white_code,
        black_code,
        np.full(games, 0.5),
        period=rng.integers(1, months + 1, games),
        white_rating_elo=strength_elo[white],
        black_rating_elo=strength_elo[black],
        covariates={"rapid": (rng.random(games) < 0.4).astype(float)},
        simulated=True,
    )
    return select(table, players[:monitored])


def calibratable() -> list[str]:
    """Return the names of the catalogue that have an experiment: no weights, no covariates."""
    return [name for name, entry in MODELS.items() if not entry.weighted] + [
        name for name, entry in EXTENDED.items() if not entry.formulas
    ]


def experiment(name: str, wrong_sign: bool = False) -> Experiment:
    """Return the experiment of a model of the catalogue.

    Parameters
    ----------
    name : str
        Model; one without weights and without covariates.
    wrong_sign : bool
        Simulate with a wrong sign of the advantage, which calibration must find.

    Raises
    ------
    ModelError
        If there is no such model.
    InferenceError
        If the model cannot be simulated from a design without covariates, or has weights or no advantage to turn.
    """
    entry = find(name)
    sign = -1.0 if wrong_sign else 1.0
    if isinstance(entry, Extended):
        if entry.formulas:
            raise InferenceError(f"calibration: expected a model without covariates, found {name!r}")
        if wrong_sign and entry.advantage == "none":
            raise InferenceError(f"calibration: expected a model with an advantage to turn, found {name!r}")
        return extended_experiment(entry, sign)
    if entry.weighted:
        plain = name.removesuffix("-weighted")
        raise InferenceError(
            f"calibration: expected a model that weighs all games alike, found {name!r}, whose likelihood is no "
            f"distribution of games. Calibrate {plain!r}, its formula."
        )
    if wrong_sign and entry.advantage == "none":
        raise InferenceError(f"calibration: expected a model with an advantage to turn, found {name!r}")
    return study_experiment(entry.family, entry.advantage, sign)


def probabilities(entry: Extended, p: Mapping[str, Any], rows: Any) -> Floats:
    """Return the probabilities of one draw, shape (row, outcome); half points without draws."""
    batch = {name: np.asarray(value)[None] for name, value in p.items()}
    result = np.exp(log_probability(scores(entry, batch, rows), entry.normalised))[0]
    if 1 not in entry.normalised:
        result[:, 1] = 0.0
    return np.asarray(result / result.sum(axis=1, keepdims=True))


def extended_experiment(entry: Extended, sign: float = 1.0) -> Experiment:
    """Return the experiment of an extended model; sign = -1 plants a wrong sign of the advantage in the simulation."""
    selection = meetings(GAMES, PLAYERS, 21, months=4, opponents=4)
    walks = entry.strength == "walk"
    first = 1 if walks else 0
    period = selection.games.period
    cells = merge(selection, period - 1 if walks and period is not None else None)
    rows = at_cells(entry, selection, cells, first)
    assert rows_of(entry, selection, first).white.size == GAMES
    ratings = selection.ratings_elo() if entry.strength == "rated" else None
    model = build(cells, entry, PRIORS, ratings_elo=ratings)
    known = {variable.name for variable in model.deterministics}
    known -= set() if entry.level else {"anchor_level"}  # a number of the model
    names = tuple(name for name in (*LATENT, *SPREADS) if name in known)

    def probability(values: Mapping[str, Any]) -> Floats:
        p = {name: values[name] for name in NEEDED if name in values}
        if "advantage" in p:
            p["advantage"] = sign * p["advantage"]
        return probabilities(entry, p, rows)

    return Experiment(lambda c: build(c, entry, PRIORS, ratings_elo=ratings), cells, names, probability)


def study_experiment(family: str, advantage: Advantage, sign: float = 1.0) -> Experiment:
    """Return the experiment of a model of the study with proper priors."""
    cells = merge(meetings(GAMES, PLAYERS, 21, opponents=4))
    half = 0.1
    if family == "davidson":
        prior: Any = davidson.Priors(STRENGTH, (0.3, 0.4), (0.5, 0.6), half)
        formula: ModuleType = davidson
        unit, name = 1.0, "strength"
    else:
        prior = bradley_terry.Priors((2705.0, 100.0), (50.0, 70.0), half / to_natural(1.0))
        formula, unit, name = bradley_terry, to_natural(1.0), "rating"

    def build_model(c: Cells) -> Any:
        return formula.build(c, advantage, prior)

    entry = Extended("x", family, "pooled" if advantage == "player" else "common")  # type: ignore[arg-type]
    rows = at_cells(entry, meetings(GAMES, PLAYERS, 21, opponents=4), cells)

    def probability(values: Mapping[str, Any]) -> Floats:
        p = {"strength": unit * values[name], "advantage_mean": half, "log_draw": values.get("log_draw", 0.0)}
        if advantage != "none":
            p["advantage"] = sign * unit * values["advantage"]
        return probabilities(entry, p, rows)

    names = [name] + ["advantage"] * (advantage != "none") + ["log_draw"] * (family == "davidson")
    return Experiment(build_model, cells, tuple(names), probability)
