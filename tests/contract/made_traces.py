"""Traces of any model of the catalogue, and of a user model, without a sampler: points near the start."""

from functools import cache
from pathlib import Path

import make_beyond_logp as outside
import numpy as np
import pymc as pm
import pytensor.tensor as pt
import xarray as xr

from halfpoint.inference.fit import named_draws
from halfpoint.inference.loops.engine import expand, numbers_of
from halfpoint.inference.sample import assemble
from halfpoint.models import Model
from halfpoint.models.declaration.catalogue import CATALOGUE, declare, find
from halfpoint.models.formulas.own import outcome
from halfpoint.models.games.select import select
from halfpoint.models.language.populations import anchor_map, anchor_scale, population
from halfpoint.readers.read import read

GAMES = Path(__file__).parent.parent / "reference" / "beyond_games.csv"
CHAINS, DRAWS = 2, 6


def normal_scores(white, black):
    """Thurstone's case V on the log scale, 1.6 natural units a standard deviation; a draw is half of each."""
    loss, win = (pt.log(0.5 * pt.erfc(sign * (white - black) / 1.6 / 2**0.5)) for sign in (1.0, -1.0))
    return loss, (loss + win) / 2, win


def own_normal(games):
    """A population with an anchor scale, by Thurstone's formula."""
    with pm.Model(coords=games.coords) as model:
        scale = anchor_scale()
        g, delta = population(games), pm.Normal("advantage", 0, 1)
        white, black = games.white(g, anchor_map(scale)) + delta, games.black(g, anchor_map(scale))
        outcome(games, normal_scores, white, black, over=(0, 2), name="normal")
    return model


def own_effects(games):
    """Free strengths with effects on the advantage, by Thurstone's formula."""
    with pm.Model(coords=games.coords) as model:
        g, delta = pm.Normal("strength", 15, 400, dims="player"), pm.Normal("advantage", 0, 1)
        white = games.white(g) + delta + games.effects("advantage", "0 + rapid + (1 | neutral)")
        outcome(games, normal_scores, white, games.black(g), over=(0, 2), name="normal")
    return model


OWN = {"own-normal": Model("own-normal", own_normal), "own-effects": Model("own-effects", own_effects)}
ROWS = (*CATALOGUE, *OWN)


def model_of_name(name):
    """Model of the catalogue or a user model."""
    return OWN.get(name) or find(name)


@cache
def played():
    """23 invented games of six players over five periods, with ratings and a covariate."""
    return read(GAMES, covariates=("rapid", "neutral", "deal", "context"))


@cache
def chosen(data="anchored"):
    """Selection of four players with two anchored opponents, or of all six players without anchors."""
    return select(played(), outside.DATA[data], "any" if data == "anchored" else "both")


@cache
def declared(name, data="anchored"):
    """Model of the catalogue declared on these games."""
    return declare(model_of_name(name), chosen(data))


def points(declared, count, seed=1, size=0.3):
    """Sampled coordinates near the start, shape (count, coordinate)."""
    return size * np.random.default_rng(seed).standard_normal((count, declared.layout.count))


@cache
def trace(name, data="anchored"):
    """Trace of a model, not converged with a dozen draws."""
    one = declared(name, data)
    p = expand(one, numbers_of(one), points(one, CHAINS * DRAWS))
    statistics = xr.Dataset({"diverging": (("chain", "draw"), np.zeros((CHAINS, DRAWS), dtype=bool))})
    settings = {"draws": DRAWS, "tune": 0, "chains": CHAINS, "seed": 1}
    return assemble(one, named_draws(one, p, CHAINS), statistics, settings, None)
