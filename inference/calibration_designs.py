"""Small designs with proper priors, one for each family of models, for simulation-based calibration.

Five monitored players and four anchored opponents play 60 games. Models whose players are near their opponents have six
players in two leagues that seldom meet instead, because opponents drawn at random leave that part of the model out. The
priors are narrower than the catalogue's priors: under the study's priors, 400 natural units wide, hardly any simulated
game would have an uncertain result.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.fit import fit
from halfpoint.inference.observed_simulations import ObservedSimulations
from halfpoint.inference.simulation_based_calibration import Experiment
from halfpoint.models.declaration.catalogue import CATALOGUE, find, resolve
from halfpoint.models.declaration.declare_model import declare_model
from halfpoint.models.declaration.elo_scale import reader_of
from halfpoint.models.declaration.posterior_reader import draws_of
from halfpoint.models.games.select import Selection, select
from halfpoint.models.games.table import Floats, GameTable, Texts, code_players
from halfpoint.models.games.units import to_natural
from halfpoint.models.language.model import Model, is_own
from halfpoint.models.reading.prior_draws import further_terms, prior_of
from halfpoint.models.reading.sides import RowSides
from halfpoint.models.rows.effects import Effects

PLAYERS, GAMES = 5, 60
_OF_LEAGUE, _GUESTS = 3, 0.1  # players of each of two leagues, and the share of games between leagues
_TRUTHS = 500  # that a prior with potentials gives
_SEED = 1  # of the posterior that truths are drawn from
_STRENGTH = (to_natural(2705.0), 0.6)


def meetings(games: int, monitored: int, seed: int, months: int = 6, opponents: int = 12) -> Selection:
    """Games among monitored players and against anchored opponents, with outcomes not yet drawn."""
    rng = np.random.default_rng(seed)
    players = np.array([f"M{i:02d}" for i in range(monitored)] + [f"O{i:02d}" for i in range(opponents)])
    strength_elo = np.concatenate([np.linspace(2605, 2805, monitored), np.linspace(2450, 2850, opponents)])
    white = rng.integers(0, monitored, games)
    black = (white + rng.integers(1, players.size, games)) % players.size
    swap = rng.random(games) < 0.5
    white, black = np.where(swap, black, white), np.where(swap, white, black)
    table = _table(rng, players[white], players[black], strength_elo[white], strength_elo[black], months)
    return select(table, players[:monitored])


def leagues(games: int, seed: int, months: int = 6) -> Selection:
    """Games within two leagues and a few between them, with outcomes not yet drawn; all players are rated."""
    rng = np.random.default_rng(seed)
    count = 2 * _OF_LEAGUE
    players, rating_elo = np.array([f"M{i:02d}" for i in range(count)]), np.linspace(2605, 2805, count)
    white = rng.integers(0, count, games)
    inside = white // _OF_LEAGUE * _OF_LEAGUE + (white + rng.integers(1, _OF_LEAGUE, games)) % _OF_LEAGUE
    outside = (white // _OF_LEAGUE * _OF_LEAGUE + _OF_LEAGUE + rng.integers(0, _OF_LEAGUE, games)) % count
    black = np.where(rng.random(games) < _GUESTS, outside, inside)
    return select(_table(rng, players[white], players[black], rating_elo[white], rating_elo[black], months), players)


def _table(
    rng: np.random.Generator, white: Texts, black: Texts, white_elo: Floats, black_elo: Floats, months: int
) -> GameTable:
    """Table of games between named players with ratings, (game,), in random months."""
    names, white_code, black_code = code_players(white, black)
    games = white.size
    return GameTable(
        names,
        white_code,
        black_code,
        np.full(games, 0.5),
        period=rng.integers(1, months + 1, games),
        white_rating_elo=white_elo,
        black_rating_elo=black_elo,
        covariates={
            "rapid": (rng.random(games) < 0.4).astype(float),
            "neutral": (rng.random(games) < 0.3).astype(float),
            "deal": np.arange(games) % 7,
            "margin": np.linspace(-3.0, 3.0, games),  # to be drawn; unequal, so that every game stays separate
        },
        simulated=True,
    )


_LEVEL, _STEP = {"level": _STRENGTH}, {"step": 0.3}
# priors by keyword, narrow enough to simulate from; of walks, ratings, printed lists and margins others
_NARROW: dict[str, Any] = {
    "strength": _STRENGTH, "spread": 0.6, "advantage": (0.3, 0.4), "anchored": 0.1, "advantage_spread": 0.3,
    "log_draw": (0.5, 0.6), "slope": (0.0, 0.5), "tendency": 0.5, "log_width": (0.0, 0.4), "scale": (0.4, 0.3),
    "level": (_STRENGTH[0], 0.4), "step": 0.3, "level_spread": 0.6, "newcomer": (0.0, 0.4), "every": 1,
    "form": 0.4, "length": (1.0, 0.5),
}  # fmt: skip
_OTHERWISE: dict[str, dict[str, Any]] = {  # by the name of the function
    "bt_walk": _LEVEL | _STEP,
    "davidson_walk": _LEVEL | _STEP,
    "bt_population_walk": _LEVEL | {"step": to_natural(35.0), "level_spread": to_natural(400.0), "every": 3},
    "davidson_population_walk": _LEVEL | {"step": to_natural(35.0), "level_spread": to_natural(400.0), "every": 3},
    "bt_entering_walk": _LEVEL,
    "davidson_entering_walk": _LEVEL,
    "bt_volatility_walk": _LEVEL,
    "davidson_volatility_walk": _LEVEL,
    "bt_pooled": {"advantage": (0.2, 0.3)},
    "davidson_pooled": {"advantage": (0.2, 0.3)},
    "bt_rated": {"spread": 0.4},
    "davidson_rated": {"spread": 0.4},
    "listed": {"shrink": (0.3, 0.5), "spread": 0.3, "gap": (0.0, 1.0), "signed_gap": (0.0, 1.0)},
    "bridge_ability": {"strength": _STRENGTH},
    "margin_walk": {
        "level_spread": 20.0, "newcomer": (0.0, 20.0), "advantage": (0.0, 20.0), "slow": 1.0, "fast": 10.0,
    },
}  # fmt: skip


def _narrow(model: Model) -> Model:
    """Model with priors narrow enough to simulate from, with the same function; user models are unchanged.

    Log-normal priors of spreads are narrow, and remain.
    """
    if is_own(model):
        return model
    narrow, priors = _NARROW | _OTHERWISE.get(model.function.__name__, {}), model.parameters
    changes = {
        key: prior
        for key, prior in narrow.items()
        if priors.get(key) is not None and isinstance(priors[key], tuple) <= isinstance(prior, tuple)
    }
    return replace(model.but(**changes), effects=replace(model.effects, sd=0.5))


def _with_columns(model: Model, selection: Selection) -> Selection:
    """Design with the columns that a model's effects require, three levels each, added if missing."""
    parts = [model.effects, *(Effects({"strength": text}) for text in _grouped_by(model))]
    columns = dict(selection.games.covariates)
    for number, name in enumerate(name for part in parts for name in part.requested_columns if name not in columns):
        columns[name] = np.random.default_rng([number, 5]).integers(0, 3, len(selection)).astype(np.float64)
    return replace(selection, games=replace(selection.games, covariates=columns))


def _grouped_by(model: Model) -> list[str]:
    """Formulas of contexts in keywords of a model."""
    formula = model.parameters.get("context")
    return [formula] if formula else []


def _no_probability(values: Mapping[str, object]) -> Floats:
    """Stand-in for the formula of results of a model that has none."""
    raise NotImplementedError


def calibratable() -> list[str]:
    """Names of the catalogue that have an experiment: all models with equal weights of games."""
    return [name for name in CATALOGUE if not find(name).weighted]


def experiment(
    model: str | Model, wrong_sign: bool = False, design: Selection | None = None, seen: bool = False
) -> Experiment:
    """Experiment of a model; priors that depend on results start from the posterior of the design."""
    chosen = resolve(model)
    if chosen.weighted:
        plain = chosen.name.removesuffix("-weighted")
        raise InferenceError(
            f"calibration: expected a model with equal weights, found {chosen.name!r}, whose likelihood is not a "
            f"distribution of games. Use {plain!r}, which has the same formula."
        )
    narrowed = chosen if seen else _narrow(chosen)
    if design is None:
        months = 4 if {"every", "step", "slow", "kernel"} & set(chosen.parameters) else 6
        near = chosen.parameters.get("met") is not None
        games = leagues(GAMES, 21, months) if near else meetings(GAMES, PLAYERS, 21, months=months, opponents=4)
        design = _with_columns(narrowed, games)
    declared = declare_model(narrowed, design)
    outcome, reader = declared.outcome, reader_of(declared)
    if wrong_sign and declared.traits.seats == "none":
        raise InferenceError(
            f"calibration: expected a model with an advantage whose sign can be reversed, found {chosen.name!r}"
        )
    if seen and outcome.margin is not None:
        raise InferenceError(f"--posterior: expected a model of results, found {chosen.name!r}, a model of margins")
    skipped = ("level", "entry")  # of walks: of strengths that are ranked themselves the mean, and the first one
    names = tuple(law.name for law in declared.laws if law.random and not law.hidden and law.name not in skipped)
    if declared.reads.responses is not None:
        if seen or wrong_sign:
            raise InferenceError(
                f"calibration: expected a formula of results for --posterior and --wrong-sign, found {chosen.name!r}, "
                f"which observes {', '.join(declared.reads.responses.variables)}. Use davidson or outcome."
            )
        simulations = ObservedSimulations(declared)
        _ = simulations.columns  # a variable without a column of its own is refused now
        return Experiment(declared, names, _no_probability, simulations=simulations)
    read: dict[str, RowSides] = {}  # the sides of the cells, read once

    def simulate_values(values: Mapping[str, Any]) -> dict[str, Any]:
        batch = {name: np.asarray(value)[None] for name, value in values.items()}
        return batch | ({"advantage": -batch["advantage"]} if wrong_sign else {})

    def sides(values: Mapping[str, Any]) -> Any:
        p = simulate_values(values)
        if "sides" not in read:
            read["sides"] = reader.at(p, declared.rows)
        return read["sides"].under(p)

    def probability(values: Mapping[str, Any]) -> Floats:
        result = np.exp(sides(values).log_probability())[0]
        if not outcome.draws:
            result[:, 1] = 0.0
        return np.asarray(result / result.sum(axis=1, keepdims=True))

    def margins(values: Mapping[str, Any], rng: np.random.Generator) -> Floats:
        seats = sides(values)
        gap, width = np.broadcast_arrays(np.asarray(seats.white - seats.black)[0], np.exp(np.asarray(seats.lam))[0])
        return np.asarray(gap + width * outcome.margin.tails.quantile(rng.random(gap.size)))

    prior_experiment = Experiment(declared, names, probability, None if outcome.margin is None else margins)
    if not seen and is_own(chosen) and further_terms(declared.model):  # priors that potentials weigh
        weighed = prior_of(declared.model, _TRUTHS, _SEED).transpose("draw", ...)
        return replace(prior_experiment, posterior={str(name): x.to_numpy() for name, x in weighed.items()})
    if not seen:
        return prior_experiment
    tree = fit(declared, "auto", Effort(seed=_SEED), pointwise_draws=0)
    if not tree.attrs["converged"]:
        raise InferenceError(f"--posterior: the fit to the games did not converge: {tree.attrs['verdict']}")
    return replace(prior_experiment, posterior=draws_of(tree["posterior"].to_dataset()), observed=declared.cells.weight)
