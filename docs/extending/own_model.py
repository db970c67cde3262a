"""Models of your own: copy this file, change what the comments with numbers say, delete what you do not need.

    halfpoint rate games.csv --out ratings --model own_model.py:split
    halfpoint forecast ratings/trace.nc coming.csv --model own_model.py:split

A trace keeps numbers and texts, no code: give the file again wherever a trace is opened, in a notebook
`Model(NAME, function)`.
"""

import pymc as pm

from halfpoint.models import davidson, outcome


# 1. A model is a function of the games that returns a PyMC model. `games.white(x)` is what x is of White's player in
#    each game, `games.black(x)` of Black's; `davidson` adds the games with their weights. Strengths are in natural
#    units, of which ln 10 make 400 Elo points. Keywords are the numbers that you want to change:
#    `Model("wide", split, {"advantage": (0.0, 1.0)})`.
def split(games, advantage=(0.0, 0.5)):
    """First-move advantage, half of it given to White and half taken from Black."""
    with pm.Model(coords=games.coords) as model:
        mean, spread = pm.Normal("strength_mean", 15.6, 2.3), pm.HalfNormal("strength_spread", 2.3)
        strength = pm.Normal("strength", mean, spread, dims="player")
        half = pm.Normal("advantage", *advantage) / 2
        log_draw = pm.Normal("log_draw", 0.0, 1.0)
        davidson(games, white=games.white(strength) + half, black=games.black(strength) - half, log_draw=log_draw)
    return model


# 2. An outcome formula: loss, draw and win on the log scale, up to a common constant, of the two sides of a game, of
#    the draw parameter and of further numbers by name. Arithmetic serves arrays and graphs alike; where it needs a
#    function, take pytensor.tensor's.
def scores(white, black, lam, tie_slope):
    """Davidson's formula with fewer draws for larger differences of the two sides."""
    return black, lam + (white + black) / 2 - tie_slope * (white - black) ** 2, white


# 3. Any prior that PyMC has, and the formula of 2.
def fewer(games):
    """Fewer draws for larger differences of the players, and a positive prior of the first-move advantage."""
    with pm.Model(coords=games.coords) as model:
        mean, spread = pm.Normal("strength_mean", 15.6, 2.3), pm.HalfNormal("strength_spread", 2.3)
        strength = pm.Normal("strength", mean, spread, dims="player")
        half = pm.SkewNormal("advantage", mu=0.0, sigma=0.5, alpha=3.0) / 2
        log_draw = pm.StudentT("log_draw", nu=4.0, mu=1.0, sigma=2.0)
        tie_slope = pm.Normal("tie_slope", 0.0, 0.5)
        white, black = games.white(strength) + half, games.black(strength) - half
        outcome(games, scores, white=white, black=black, lam=log_draw, tie_slope=tie_slope)
    return model
