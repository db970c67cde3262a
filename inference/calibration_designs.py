"""Small designs with proper priors, one for each family of models, for simulation-based calibration.

Five monitored players and four anchored opponents play 60 games. The priors are narrower than those of the catalogue:
from the study's, 400 natural units wide, hardly any simulated game would be in doubt.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from halfpoint.games.select import Selection, select
from halfpoint.games.table import Floats, GameTable, code_players
from halfpoint.games.units import to_natural
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.fit import fit
from halfpoint.inference.simulation_based_calibration import Experiment
from halfpoint.models.catalogue import CATALOGUE, find
from halfpoint.models.declared import declare_model
from halfpoint.models.model import Model
from halfpoint.models.posterior_reader import draws_of
from halfpoint.models.record import own_code

PLAYERS, GAMES = 5, 60
_SEED = 1  # of the posterior that truths are drawn from
_STRENGTH = (to_natural(2705.0), 0.6)


def meetings(games: int, monitored: int, seed: int, months: int = 6, opponents: int = 12) -> Selection:
    """Games among monitored players and against anchored opponents, whose outcomes are still to be drawn."""
    rng = np.random.default_rng(seed)
    players = np.array([f"M{i:02d}" for i in range(monitored)] + [f"O{i:02d}" for i in range(opponents)])
    strength_elo = np.concatenate([np.linspace(2605, 2805, monitored), np.linspace(2450, 2850, opponents)])
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
        covariates={
            "rapid": (rng.random(games) < 0.4).astype(float),
            "neutral": (rng.random(games) < 0.3).astype(float),
            "deal": np.arange(games) % 7,
            "margin": np.linspace(-3.0, 3.0, games),  # to be drawn; unequal, so that every game stays by itself
        },
        simulated=True,
    )
    return select(table, players[:monitored])


_NARROW: dict[str, dict[str, Any]] = {  # by the kind of a part, else by what it is of a model; what is None stays None
    "Free": {"prior": _STRENGTH},
    "Population": {"prior": _STRENGTH, "spread": 0.6},
    "Walk": {"prior": _STRENGTH, "spread": 0.3},
    "VolatileWalk": {"prior": _STRENGTH, "spread": 0.3, "level_spread": 0.6, "every": 1},
    "EnteringWalk": {"prior": _STRENGTH, "spread": 0.3, "level_spread": 0.6, "newcomer": (0.0, 0.4), "every": 1},
    "StochasticVarianceWalk": {"prior": _STRENGTH, "spread": 0.3, "level_spread": 0.6, "every": 1},
    "Rated": {"prior": _STRENGTH, "spread": 0.4, "unrated_mean": 0.4, "unrated_spread": 0.4},
    "Listed": {"prior": (0.3, 0.5), "spread": 0.3},
    "Common": {"prior": (0.3, 0.4)},
    "PerPlayer": {"prior": (0.3, 0.4), "anchored": 0.1},
    "Pooled": {"prior": (0.2, 0.3), "spread": 0.3},
    "MarginSpread": {"level": (0.0, 0.4)},
    "draws": {"level": (0.5, 0.6), "slope": (0.0, 0.5), "tendency": 0.5},
    "anchors": {"scale": (0.4, 0.3), "level": (_STRENGTH[0], 0.4)},
    "effects": {"sd": 0.5},
}


def _narrow(model: Model) -> Model:
    """A model with priors narrow enough to simulate from; its formula and parts are the same."""
    found, own = dict[str, Any](), own_code(model)
    for name in ("strength", "advantage", "draws", "anchors", "effects"):
        part = getattr(model, name)
        if part is not None and type(part) not in own:
            asked = _NARROW.get(type(part).__name__, _NARROW.get(name, {}))
            found[name] = replace(part, **{key: one for key, one in asked.items() if getattr(part, key) is not None})
    return replace(model, **found)


def _with_columns(model: Model, selection: Selection) -> Selection:
    """A design with the columns that a model's effects ask for, three levels each, where it has them not."""
    columns = dict(selection.games.covariates)
    for number, name in enumerate(name for name in model.effects.asked if name not in columns):
        columns[name] = np.random.default_rng([number, 5]).integers(0, 3, len(selection)).astype(np.float64)
    return replace(selection, games=replace(selection.games, covariates=columns))


def calibratable() -> list[str]:
    """The names of the catalogue that have an experiment: all that weigh games alike."""
    return [name for name in CATALOGUE if not find(name).weighted]


def experiment(
    model: str | Model, wrong_sign: bool = False, design: Selection | None = None, seen: bool = False
) -> Experiment:
    """The experiment of a model; where the results of the design are seen, from its posterior."""
    chosen = find(model) if isinstance(model, str) else model
    if chosen.weighted:
        plain = chosen.name.removesuffix("-weighted")
        raise InferenceError(
            f"calibration: expected a model that weighs all games alike, found {chosen.name!r}, whose likelihood is no "
            f"distribution of games. Calibrate {plain!r}, its formula."
        )
    if wrong_sign and chosen.advantage.kind == "none":
        raise InferenceError(f"calibration: expected a model with an advantage to turn, found {chosen.name!r}")
    if seen and chosen.outcome.margin is not None:
        raise InferenceError(f"--posterior: expected a model of results, found {chosen.name!r}, which is of margins")
    narrowed = chosen if seen else _narrow(chosen)
    if design is None:
        design = _with_columns(narrowed, meetings(GAMES, PLAYERS, 21, months=4 if chosen.walks else 6, opponents=4))
    declared = declare_model(narrowed, design)
    skipped = ("level", "entry")  # of walks: of strengths that are ranked themselves the mean, and the first one
    names = tuple(
        block.name for block in declared.blocks if block.random and not block.hidden and block.name not in skipped
    )

    def simulated(values: Mapping[str, Any]) -> dict[str, Any]:
        batch = {name: np.asarray(value)[None] for name, value in values.items()}
        return batch | ({"advantage": -batch["advantage"]} if wrong_sign else {})

    def probability(values: Mapping[str, Any]) -> Floats:
        result = np.exp(narrowed.log_probability(simulated(values), declared.rows))[0]
        if not chosen.outcome.draws:
            result[:, 1] = 0.0
        return np.asarray(result / result.sum(axis=1, keepdims=True))

    def margins(values: Mapping[str, Any], rng: np.random.Generator) -> Floats:
        white, black, lam = narrowed.sides(simulated(values), declared.rows)
        gap, width = np.broadcast_arrays(np.asarray(white - black)[0], np.exp(np.asarray(lam))[0])
        return np.asarray(gap + width * chosen.outcome.margin.tails.quantile(rng.random(gap.size)))

    found = Experiment(declared, names, probability, None if chosen.outcome.margin is None else margins)
    if not seen:
        return found
    tree = fit(declared, "auto", Effort(seed=_SEED), pointwise_draws=0)
    return replace(found, posterior=draws_of(tree["posterior"].to_dataset()), observed=declared.cells.weight)
