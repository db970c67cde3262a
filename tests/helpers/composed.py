"""Models for tests, composed of parts in combinations that the catalogue lacks, one plain function each."""

import json
import sys
from dataclasses import dataclass
from itertools import count
from types import SimpleNamespace

import numpy as np
import pymc as pm
import pytensor.tensor as pt

from halfpoint.models.declaration.catalogue import find
from halfpoint.models.declaration.elo_scale import reader_of
from halfpoint.models.declaration.outline import outline_of
from halfpoint.models.declaration.posterior_reader import Reading
from halfpoint.models.declaration.record import record_of
from halfpoint.models.formulas.potential import potential
from halfpoint.models.further_models import draw_parameter, first_move, pooled_advantage
from halfpoint.models.games.units import to_natural
from halfpoint.models.language import model as library
from halfpoint.models.language.populations import (
    MIDDLE,
    WIDE,
    anchor_map,
    anchor_scale,
    following,
    free,
    population,
    rated,
)
from halfpoint.models.language.walks import (
    entering_walk,
    pooled_level,
    two_speeds,
    volatile_walk,
    walk,
    walking_advantage,
)
from halfpoint.models.reading.ground import Ground
from halfpoint.models.reading.sides import Reader
from halfpoint.models.rows.effects import Effects

_NUMBER = count()


@dataclass(frozen=True)
class Free:
    prior: tuple = (15.0, 400.0)
    every = 0

    def declare(self, games, scale, level):
        if level is not None:
            return following(games, self.prior, scale, level)
        if isinstance(self.prior[0], str):
            return declared("strength", self.prior, dims="player")
        return free(games, self.prior, scale)


@dataclass(frozen=True)
class Population(Free):
    prior: tuple = (MIDDLE, WIDE)
    spread: float = WIDE

    def declare(self, games, scale, level):
        return population(games, self.prior, self.spread, scale)


@dataclass(frozen=True)
class Rated(Free):
    spread: float = to_natural(200.0)

    def declare(self, games, scale, level):
        return rated(games, self.spread)


@dataclass(frozen=True)
class Walk(Free):
    prior: tuple = (15.0, 400.0)
    spread: float = to_natural(20.0)
    every: int = 1

    def declare(self, games, scale, level):
        return walk(games, pm.Normal("level", *self.prior, dims="player"), self.spread)


@dataclass(frozen=True)
class PooledWalk(Free):
    prior: tuple = (MIDDLE, WIDE)
    spread: float = to_natural(35.0)
    every: int = 3
    level_spread: float = WIDE

    def declare(self, games, scale, level):
        return walk(games, pooled_level(games, self.prior, self.level_spread), self.spread)


@dataclass(frozen=True)
class EnteringWalk(PooledWalk):
    level_spread: float = to_natural(200.0)
    newcomer: tuple = (0.0, to_natural(200.0))

    def declare(self, games, scale, level):
        return entering_walk(games, self.prior, self.level_spread, self.newcomer, self.spread)


@dataclass(frozen=True)
class VolatileWalk(PooledWalk):
    volatility: float = 0.5
    change: float | None = None

    def declare(self, games, scale, level):
        levels = pooled_level(games, self.prior, self.level_spread)
        return volatile_walk(games, levels, self.spread, self.volatility, self.change)


@dataclass(frozen=True)
class TwoSpeeds:
    level: float = 20.0
    newcomer: tuple = (0.0, 20.0)
    slow: float = 1.0
    fast: float = 10.0
    decay: float = 0.7
    every: int = 1
    learned: bool = True
    prior: tuple = (0.0, 1.0)

    def declare(self, games, scale, level):
        base = self.prior[0]
        return two_speeds(games, self.level, self.newcomer, self.slow, self.fast, self.decay, self.learned, base)


@dataclass(frozen=True)
class Nothing:
    kind = "none"

    def declare(self, games):
        return 0.0, 0.0


@dataclass(frozen=True)
class Common(Nothing):
    prior: tuple = (0.0, 1.0)
    neutral: bool = False
    kind = "common"

    def declare(self, games):
        if isinstance(self.prior[0], str):
            return declared("advantage", self.prior), 0.0
        return first_move(games, self.prior, self.neutral), 0.0


@dataclass(frozen=True)
class PerPlayer(Nothing):
    prior: tuple = (1.0, 10.0)
    anchored: float = 0.1
    kind = "player"

    def declare(self, games):
        delta = declared("advantage", self.prior, dims="player")
        return games.white(delta, self.anchored), games.black(delta, self.anchored)


@dataclass(frozen=True)
class Pooled(Nothing):
    prior: tuple = (to_natural(25.0), to_natural(50.0))
    spread: float = to_natural(40.0)
    kind = "pooled"

    def declare(self, games):
        return pooled_advantage(games, self.prior, self.spread)


@dataclass(frozen=True)
class Walking(Nothing):
    prior: tuple = (0.0, 1.0)
    spread: float = 0.1
    learned: bool = True
    kind = "common"

    def declare(self, games):
        return walking_advantage(games, self.prior, self.spread, self.learned)[games.period] * games.seated, 0.0


@dataclass(frozen=True)
class DrawParameter:
    level: tuple = (1.0, 5.0)
    slope: tuple | None = None
    tendency: float | None = None

    def declare(self, games, white, black):
        if isinstance(self.level[0], str):
            return declared("log_draw", self.level)
        return draw_parameter(games, white, black, self.level, self.slope, self.tendency)


@dataclass(frozen=True)
class MarginSpread:
    level: tuple = (1.0, 2.0)

    def declare(self, games, white, black):
        return pm.Normal("log_width", *self.level)


@dataclass(frozen=True)
class Anchors:
    scale: tuple | None = None
    level: tuple | None = None


def log_gamma(name, alpha, beta, **dims):
    """Logarithm of a gamma variable."""
    return pm.Deterministic(name, pt.log(pm.Gamma(f"{name}_exp_noncentred", alpha=alpha, beta=beta, **dims)), **dims)


FAMILIES = {
    "log_gamma": log_gamma,
    "student_t": lambda name, nu, mu, sigma, **k: pm.StudentT(name, nu=nu, mu=mu, sigma=sigma, **k),
    "laplace": lambda name, mu, b, **k: pm.Laplace(name, mu=mu, b=b, **k),
    "gamma": lambda name, alpha, beta, **k: pm.Gamma(name, alpha=alpha, beta=beta, **k),
    "exponential": lambda name, lam, **k: pm.Exponential(name, lam=lam, **k),
    "half_normal": lambda name, sigma, **k: pm.HalfNormal(name, sigma=sigma, **k),
}


def declared(name, prior, **dims):
    """Variable with a normal prior, or with a prior of a family by name."""
    if isinstance(prior[0], str):
        return FAMILIES[prior[0]](name, *map(np.float64, prior[1:]), **dims)
    return pm.Normal(name, *map(np.float64, prior), **dims)


def Model(  # noqa: N802
    name,
    outcome,
    strength=None,
    advantage=None,
    draws=None,
    anchors=None,
    effects=None,
    parameters=None,
    **about,
):
    """Composed model with its own function, which traces can find in this process."""
    strength, advantage, anchors = strength or Free(), advantage or Common(), anchors or Anchors()
    further = dict(parameters or {})

    def function(games):
        games = games.by(strength.every) if strength.every else games
        with pm.Model(coords=games.coords) as model:
            scale = None if anchors.scale is None else anchor_scale(anchors.scale)
            level = None if anchors.level is None else pm.Normal("anchor_level", *map(np.float64, anchors.level))
            g = strength.declare(games, scale, level)
            anchored = None if scale is None else anchor_map(scale, level)
            white, black = games.white(g, anchored), games.black(g, anchored)
            a, b = advantage.declare(games)
            lam = None if draws is None else draws.declare(games, white, black)
            numbers = {key: declared(key, prior) for key, prior in further.items()}
            potential(outcome, games, white + a, black - b, lam, numbers)
        return model

    function.__name__ = function.__qualname__ = f"function_{next(_NUMBER)}"
    setattr(sys.modules[__name__], function.__name__, function)
    return library.Model(name, function, effects=effects or Effects(), **about)


_ABOUT: dict = {}


def _about(entry):
    one = outline_of(entry)
    names, traits = {law.name for law in one.laws}, one.traits
    return SimpleNamespace(
        outcome=one.outcome, traits=traits, reads=one.reads, names=names, scale="anchor_scale" in names,
        walks=traits.walks, kind=traits.seats, every=max(one.reads.every, 1), effects=one.reads.effects,
        draws=traits.draws, halves=traits.halves, pooled=traits.pooled, enters=traits.enters, vague=traits.vague,
    )  # fmt: skip


def about(entry):
    """Outline of a model, or of a named model, on a few invented games: its outcome, traits and reads."""
    entry = find(entry) if isinstance(entry, str) else entry
    key = entry.function, repr(entry.keywords), repr(entry.effects)
    if key not in _ABOUT:
        _ABOUT[key] = _about(entry)
    return _ABOUT[key]


def sides(entry, p, rows, coding=None, players=None, **facts):
    """White, black and lam of rows under draws of the parameters, (draw, row)."""
    one = outline_of(entry)
    count = p["strength"].shape[1] if players is None else players
    names = np.array([f"player {k}" for k in range(count)])
    coding = coding or (one.coding if one.reads.effects else None)
    reader = Reader(entry, one.reads, names, coding, **facts)
    found = reader.at(p, rows).under(p)
    return found.white, found.black, found.lam


def log_probability(entry, p, rows, coding=None, **facts):
    """Log probabilities of rows, shape (draw, row, outcome), by the model's formula."""
    one = outline_of(entry)
    count = p["strength"].shape[1]
    reader = Reader(
        entry,
        one.reads,
        np.array([f"player {k}" for k in range(count)]),
        coding or (one.coding if one.reads.effects else None),
        **facts,
    )
    return reader.at(p, rows).under(p).log_probability()


def game_rows(entry, selection, coding=None):
    """Single games of a selection in the form that a model reads, with effects coded by these games, or as given."""
    reads = about(entry).reads
    ground = Ground(selection, entry)
    if coding is not None:
        ground.made["coding", tuple(sorted(reads.effects.formulas.items()))] = coding
    return ground.rows(reads)


def weighted_log_likelihood(declared, p):
    """Weighted log likelihood of all games by the model's formula, (draw,)."""
    drawn = {name: np.asarray(value) for name, value in p.items()}
    found = reader_of(declared).at(drawn, declared.rows).under(drawn).log_likelihood(declared.rows.margin)
    return (found * declared.cells.weight).sum(axis=(1, 2))


def reading_of_draws(name, p, players, **more):
    """Draws of a named model in the form of a trace."""
    model = find(name)
    one = outline_of(model)
    walks = {law.name: law.transition for law in one.laws if law.transition is not None and law.name in p}
    periods = p["strength"].shape[-1] if one.traits.walks else 1
    known = {"periods": periods, "transitions": walks, "given": model} | more
    return Reading(name, one.traits, one.reads, one.outcome.name, p, np.asarray(players), **known)


def attributes_of_row(name):
    """Attributes of a trace that describe a named model."""
    model = find(name)
    one = outline_of(model)
    told = {"model_record": record_of(model), "model_reads": one.reads.as_record, "model_traits": one.traits.as_record}
    told |= {"model_walks": {}}
    return {"model": name, "family": one.outcome.name} | {key: json.dumps(value) for key, value in told.items()}
