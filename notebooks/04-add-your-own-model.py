# ---
# jupyter:
#   jupytext:
#     formats: py:percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Add your own model
#
# A model is a function of the games that returns a PyMC model. Here the logistic curve of Bradley-Terry becomes the
# normal curve that Elo himself used, p = Phi((R_i - R_j + A) / (200 sqrt 2)), and likelihoods of PyMC's own follow.

# %%
import os

import numpy as np
import pymc as pm
import pytensor.tensor as pt

import halfpoint as hp
from halfpoint.evaluation.figures.style import house_style, new_figure
from halfpoint.models import outcome
from halfpoint.readers.datasets.study import monitored_names, training

REAL = os.environ.get("HALFPOINT_NOTEBOOK_DATA") == "real"
played = training() if REAL else hp.replica().training.take(np.arange(2000))
selection = hp.select(played, monitored_names())
SPREAD = 200 * np.sqrt(2) * np.log(10) / 400  # natural units


# %% [markdown]
# A formula returns loss, draw and win on the log scale. With half points the draw is the mean of the other two. The log
# of a tail of the normal curve, log(erfc(x) / 2), is computed without underflow for any difference.


# %%
def log_tail(x):
    near, far = pt.minimum(x, 0.0), pt.maximum(x, 0.0)
    return pt.log(pt.erfc(near) / 2) + pt.log(pt.erfcx(far)) - far**2


def normal_curve(white, black):
    loss, win = (log_tail(sign * (white - black) / SPREAD / np.sqrt(2)) for sign in (1, -1))
    return loss, (loss + win) / 2, win


def normal_common(games, strength=(15.6, 2.3), advantage=(0, 1)):
    with pm.Model(coords=games.coords) as model:
        g, delta = pm.Normal("strength", *strength, dims="player"), pm.Normal("advantage", *advantage)
        outcome(games, normal_curve, games.white(g) + delta, games.black(g), over=(0, 2))
    return model


traces = [hp.sample(hp.declare(model, selection), seed=1) for model in (normal_common, "bt-common")]
hp.compare(traces)


# %% [markdown]
# A likelihood of PyMC's own is an observed variable with one value per game: here an ordered logit of the result.


# %%
def ordered(games):
    with pm.Model(coords=games.coords) as model:
        g = pm.Normal("strength", pm.Normal("mean", 15.6, 2.3), pm.HalfNormal("spread", 2.3), dims="player")
        width, delta = pm.HalfNormal("width", 1.0), pm.Normal("advantage", 0, 0.5)
        eta, cuts = games.white(g) + delta - games.black(g, anchored=lambda rating: rating), pt.stack([-width, width])
        pm.OrderedLogistic("y", eta=eta, cutpoints=cuts, compute_p=False, observed=games.observed("result"))
    return model


trace = hp.sample(hp.declare(ordered, selection), draws=250, tune=250, chains=2, seed=1)
hp.rank(trace)

# %% [markdown]
# Each month is forecast from the months before it, by both curves.

# %%
months = played.take(played.period <= 6)
few = {"draws": 600, "tune": 200, "chains": 2, "monitor": monitored_names(), "begin": 4}
hp.backtest(months, systems=["elo"], models=[normal_common, "bt-common"], **few)

# %% tags=["thumbnail"]
means = [trace["posterior"]["rating_elo"].mean(("chain", "draw")) for trace in traces]
assert np.corrcoef(*means)[0, 1] > 0.99
with house_style():
    figure, (axes,) = new_figure(4.2, 4.2)
    axes.scatter(means[1], means[0], s=12)
    axes.set(xlabel="Elo points, bt-common", ylabel="Elo points, normal curve")
figure
