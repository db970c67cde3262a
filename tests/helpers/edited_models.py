"""Edits by a researcher: of a model's function, and of a finished graph.

Every function is written from PyMC's documentation and the names of `halfpoint.models`, without the catalogue.
"""

import re
from functools import partial

import numpy as np
import pymc as pm
import pytensor.tensor as pt

from halfpoint.models.formulas.bradley_terry import bernoulli
from halfpoint.models.formulas.davidson import davidson
from halfpoint.models.formulas.draw_curve import draw_curve
from halfpoint.models.formulas.own import outcome
from halfpoint.models.formulas.rao_kupper import rao_kupper


def plain(games, name="strength", sd=1.0):
    return pm.Normal(name, 0.0, sd, dims="player")


def first_move(games, strength):
    return pm.Normal("advantage", 0.0, 0.5), 0.0


def even_draws(games, strength):
    return pm.Normal("log_draw", 0.0, 1.0)


def made(games, strength=plain, seats=first_move, draws=even_draws, formula=davidson, by=None):
    """Model of strengths (player[, month]), advantages of White and Black, and a draw parameter for each row."""
    games = games if by is None else games.by(by)
    with pm.Model(coords=games.coords) as model:
        g = strength(games)
        first, second = seats(games, g)
        formula(games, games.white(g) + first, games.black(g) + second, draws(games, g))
    return model


def half_points(games, white, black, log_draw):
    bernoulli(games, white, black)


def no_draws(games, strength):
    return None


def bent(white, black, lam, slope):
    return black, lam + (white + black) / 2 - slope * (white - black) ** 2, white


def leaning(white, black, lam, lean):
    return black, lam + (white + lean + black) / 2, white + lean


def of_formula(scores, name, law):
    def formula(games, white, black, log_draw):
        outcome(games, scores, white, black, log_draw, **{name: law()})

    return formula


def probit(white, black, log_draw):
    loss, win = (pt.log(pt.erfc(sign * (white - black) / 2.0) / 2.0) for sign in (1, -1))
    return loss, (loss + win) / 2.0, win


def drawn(family, *numbers, **named):
    """Strengths of another distribution."""
    return lambda games: getattr(pm, family)("strength", *numbers, **named, dims="player")


def seat(family, *numbers, **named):
    """Advantage of another distribution."""
    return lambda games, strength: (getattr(pm, family)("advantage", *numbers, **named), 0.0)


def population(spread, mean=True):
    """Strengths of a population with another prior of the spread."""

    def strength(games):
        middle = pm.Normal("strength_mean", 0.0, 1.0) if mean else 0.0
        return pm.Normal("strength", middle, spread(), dims="player")

    return strength


def by_hand(games):
    spread, z = pm.HalfNormal("spread", 1.0), pm.Normal("z", 0.0, 1.0, dims="player")
    return pm.Deterministic("strength", spread * z, dims="player")


def own_seats(games, strength):
    half = pm.Normal("advantage", 0.1, 0.3, dims="player")
    return games.white(half), -games.black(half)


def pooled_seats(games, strength):
    half = pm.Normal("advantage", pm.Normal("middle", 0.0, 0.5), pm.HalfNormal("apart", 0.3), dims="player")
    return games.white(half), -games.black(half)


def by_strength(games, strength):
    steep = pm.Normal("steep", 0.0, 0.3)
    return pm.Normal("advantage", 0.0, 0.5) + steep * games.white(strength), 0.0


def covariate(games, strength):
    return pm.Normal("advantage", 0.0, 0.5) + pm.Normal("fast", 0.0, 0.5) * games.column("fast"), 0.0


def interaction(games, strength):
    more = pm.Normal("more", 0.0, 0.3, dims="player") * 1.0
    return pm.Normal("advantage", 0.0, 0.5) + games.white(more) * games.column("fast"), 0.0


def known(games, strength):
    return np.float64(0.2), 0.0


def draws_of_level(games, strength):
    lam, slope = pm.Normal("log_draw", 0.0, 1.0), pm.Normal("draw_by_level", 0.0, 0.3)
    return lam + slope * (games.white(strength) + games.black(strength)) / 2


def draws_of_gap(games, strength):
    lam, slope = pm.Normal("log_draw", 0.0, 1.0), pm.Normal("draw_by_gap", 0.0, 0.3)
    return lam - slope * (games.white(strength) - games.black(strength)) ** 2


def tendencies(games, strength):
    own = pm.Normal("draw_tendency", 0.0, pm.HalfNormal("draw_tendency_spread", 0.3), dims="player")
    return pm.Normal("log_draw", 0.0, 1.0) + games.white(own) + games.black(own)


def draw_covariate(games, strength):
    return pm.Normal("log_draw", 0.0, 1.0) + pm.Normal("fast", 0.0, 0.5) * games.column("fast")


def series(kind, *, learned=False, **numbers):
    """Strengths by period, a PyMC time series."""

    def strength(games):
        sigma = pm.HalfNormal("step", 0.2) if learned else 0.1
        about = {"init_dist": pm.Normal.dist(0.0, 1.0), "steps": games.periods - 1, "dims": ("player", "month")}
        return getattr(pm, kind)("strength", sigma=sigma, **numbers, **about)

    return strength


def summed(games):
    level, steps = pm.Normal("level", 0.0, 1.0, dims="player"), pm.Normal("steps", 0.0, 0.1, dims=("player", "month"))
    return pm.Deterministic("strength", level[:, None] + pt.cumsum(steps, axis=1), dims=("player", "month"))


def drifting(games):
    slope, level = pm.Normal("drift", 0.0, 0.1, dims="player"), pm.Normal("level", 0.0, 1.0, dims="player")
    when = np.arange(games.periods, dtype=np.float64)
    return pm.Deterministic("strength", level[:, None] + slope[:, None] * when, dims=("player", "month"))


WALK = {"formula": half_points, "draws": no_draws, "by": 1}
_SPREADS = {
    "half-normal": lambda: pm.HalfNormal("spread", 1.0), "exponential": lambda: pm.Exponential("spread", 1.0),
    "half-Cauchy": lambda: pm.HalfCauchy("spread", 0.5), "gamma": lambda: pm.Gamma("spread", 2.0, 2.0),
    "log-normal": lambda: pm.LogNormal("spread", 0.0, 0.5),
    "inverse gamma": lambda: pm.InverseGamma("spread", 3.0, 2.0),
}  # fmt: skip
_EDITS = {
    "prior: sd of strengths": {"strength": partial(plain, sd=3.0)},
    "prior: mean of advantage": {"seats": seat("Normal", 0.3, 0.1)},
    "prior: numbers of draws": {"draws": lambda games, g: pm.Normal("log_draw", -1.0, 0.3)},
    "strengths Student t": {"strength": drawn("StudentT", nu=4.0, mu=0.0, sigma=1.0)},
    "strengths Laplace": {"strength": drawn("Laplace", 0.0, 1.0)},
    "strengths logistic": {"strength": drawn("Logistic", 0.0, 0.7)},
    "advantage skew normal": {"seats": seat("SkewNormal", mu=0.0, sigma=0.5, alpha=3.0)},
    "advantage Cauchy": {"seats": seat("Cauchy", 0.0, 0.3)},
    "advantage truncated": {"seats": seat("TruncatedNormal", mu=0.0, sigma=0.5, lower=0.0)},
    "advantage uniform": {"seats": seat("Uniform", -1.0, 1.0)},
    **{f"population, spread {name}": {"strength": population(law)} for name, law in _SPREADS.items()},
    "population without mean": {"strength": population(_SPREADS["half-normal"], mean=False)},
    "population by hand": {"strength": by_hand},
    "likelihood: half points": {"formula": half_points, "draws": no_draws},
    "likelihood: Rao-Kupper": {"formula": rao_kupper},
    "likelihood: draw curve": {"formula": draw_curve},
    "likelihood: own probit": {"formula": lambda *given: outcome(given[0], probit, *given[1:], over=(0, 2))},
    "formula: slope of draws": {"formula": of_formula(bent, "slope", lambda: pm.Normal("slope", 0.0, 0.5))},
    "formula: lean to White": {"formula": of_formula(leaning, "lean", lambda: pm.Normal("lean", 0.0, 0.5))},
    "advantage of each player": {"seats": own_seats},
    "advantages pooled": {"seats": pooled_seats},
    "advantage known": {"seats": known},
    "advantage by strength": {"seats": by_strength},
    "covariate of the advantage": {"seats": covariate},
    "covariate by player": {"seats": interaction},
    "draws by level": {"draws": draws_of_level},
    "draws by gap": {"draws": draws_of_gap},
    "draw tendencies": {"draws": tendencies},
    "covariate of draws": {"draws": draw_covariate},
    "walk": {"strength": series("GaussianRandomWalk"), **WALK},
    "walk, learned step": {"strength": series("GaussianRandomWalk", learned=True), **WALK},
    "walk with drift": {"strength": series("GaussianRandomWalk", mu=0.05), **WALK},
    "AR(1)": {"strength": series("AR", rho=[0.8]), **WALK},
    "AR(1), learned step": {"strength": series("AR", rho=[0.8], learned=True), **WALK},
    "walk summed by hand": {"strength": summed, **WALK},
    "line of each player": {"strength": drifting, **WALK},
}  # fmt: skip


def _function(name, parts):
    """Function of this module, by which a trace finds it."""

    def function(games):
        return made(games, **parts)

    function.__name__ = function.__qualname__ = re.sub(r"\W+", "_", name).lower()
    globals()[function.__name__] = function
    return function


FUNCTIONS = {name: _function(name, parts) for name, parts in _EDITS.items()}


def potential(model, name, term):
    with model:
        pm.Potential(name, term(model))
    return model


def near(name, mean, sd):
    return lambda model: pt.sum(pm.logp(pm.Normal.dist(mean, sd), model[name]))


def deterministic(model, name, value):
    with model:
        pm.Deterministic(name, value(model))
    return model


def swapped(model):
    """Model in which every game counts twice."""
    held = model["results"]
    held.set_value(held.get_value() * np.float64(2.0))
    return model


# how a graph is finished: what it is made of, and what is done to it
GRAPHS = {
    "Potential on the advantage": ({}, lambda m: potential(m, "near", near("advantage", 0.3, 0.2))),
    "Potential on draws": ({}, lambda m: potential(m, "near", near("log_draw", -0.5, 0.3))),
    "Potential on all strengths": ({}, lambda m: potential(m, "level", lambda m: -50.0 * m["strength"].mean() ** 2)),
    "Potential on one strength": ({}, lambda m: potential(m, "one", lambda m: -2.0 * m["strength"][0] ** 2)),
    "Potential on a spread": (
        {"strength": population(_SPREADS["half-normal"])}, lambda m: potential(m, "near", near("spread", 0.7, 0.2))
    ),
    "two Potentials": (
        {}, lambda m: potential(potential(m, "a", near("advantage", 0.1, 0.3)), "b", near("log_draw", 0.0, 0.5))
    ),
    "Deterministic added": ({}, lambda m: deterministic(m, "twice", lambda m: 2.0 * m["advantage"])),
    "Deterministic of players": ({}, lambda m: deterministic(m, "apart", lambda m: m["strength"] - m["strength"][0])),
    "do: advantage 0": ({}, lambda m: pm.do(m, {"advantage": np.float64(0.0)})),
    "do: draws known": ({}, lambda m: pm.do(m, {"log_draw": np.float64(-0.5)})),
    "do: spread known": (
        {"strength": population(_SPREADS["half-normal"])}, lambda m: pm.do(m, {"spread": np.float64(0.5)})
    ),
    "observe: advantage": ({}, lambda m: pm.observe(m, {"advantage": np.float64(0.2)})),
    "observe: draws": ({}, lambda m: pm.observe(m, {"log_draw": np.float64(-0.5)})),
    "do and Potential": (
        {}, lambda m: potential(pm.do(m, {"advantage": np.float64(0.1)}), "near", near("log_draw", 0.0, 0.3))
    ),
    "swapped data: games twice": ({}, swapped),
}  # fmt: skip
