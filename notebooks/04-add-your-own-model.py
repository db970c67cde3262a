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
# normal curve that Elo himself used, p = Phi((R_i - R_j + A) / (200 sqrt 2)). Sampling, traces, forecasts, comparisons
# and backtests take the function as they take a name of the catalogue.

# %%
import os

import numpy as np
import pymc as pm
import pytensor.tensor as pt

from halfpoint import inference, readers
from halfpoint.evaluation.comparison import comparison_line, comparison_table
from halfpoint.evaluation.figures.style import BLUE, ORANGE, new_figure
from halfpoint.evaluation.rolling import roll
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.forecaster import Forecaster
from halfpoint.models import Model, bernoulli, davidson, declare, find, games, outcome
from halfpoint.models.games.units import ELO_PER_NATURAL
from halfpoint.readers.datasets.study import monitored_names, training

REAL = os.environ.get("HALFPOINT_NOTEBOOK_DATA") == "real"
played = training() if REAL else readers.replica().training.take(np.arange(2000))
selection = games.select(played, monitored_names())

# %% [markdown]
# ## The formula and the model
#
# A formula takes the two sides of a game, in natural units (400 / ln 10 Elo points each), and returns loss, draw and
# win on the log scale. With half points the draw is the mean of the other two, and only loss and win sum to one.

# %%
SPREAD = 200 * np.sqrt(2) / ELO_PER_NATURAL


def normal_scores(white, black):
    """Return (loss, draw, win) of Elo's normal curve."""
    loss, win = (pt.log(pt.erfc(sign * (white - black) / SPREAD / np.sqrt(2)) / 2) for sign in (1, -1))
    return loss, (loss + win) / 2, win


logistic = find("bt-common", "described")
priors = logistic.parameters


def normal_common(games):
    """Elo's normal curve, half points, one advantage of the first move."""
    with pm.Model(coords=games.coords) as model:
        strength = pm.Normal("strength", *priors["strength"], dims="player")
        advantage = pm.Normal("advantage", *priors["advantage"])
        outcome(games, normal_scores, games.white(strength) + advantage, games.black(strength), over=(0, 2))
    return model


normal = Model("normal-common", normal_common)
print(declare(normal, selection))

# %% tags=["thumbnail"]
gap = np.linspace(-600, 600, 241)
figure, (axes,) = new_figure(6.0, 3.6)
for label, one, colour in (("normal curve", normal, BLUE), ("logistic curve", logistic, ORANGE)):
    axes.plot(
        gap, declare(one, selection).outcome.expected_score(gap / ELO_PER_NATURAL, 0.0), color=colour, label=label
    )
axes.set(xlabel="lead of the first player, Elo points", ylabel="expected score", title="From strength to score")
axes.legend()
figure

# %% [markdown]
# ## Fit and compare
#
# The log likelihood of each game is in the trace, so PSIS leave-one-out compares the two, with the paired standard
# error.

# %%
traces = {one.name: inference.sample(declare(one, selection, "described"), seed=1) for one in (normal, logistic)}
for name, trace in traces.items():
    print(name, trace.attrs["verdict"])
table = comparison_table([comparison_line(trace) for trace in traces.values()], by="loo")
table

# %% [markdown]
# ## Another prior
#
# A prior is whatever PyMC has. Strengths with heavy tails are one word in the function. Who draws more than others, if
# most players are alike and a few are not? A horseshoe of tendencies shrinks all but those few (Carvalho, Polson &
# Scott 2010).


# %%
def bt_heavy_tails(games):
    """Strengths from Student's t distribution."""
    with pm.Model(coords=games.coords) as model:
        strength = pm.StudentT("strength", nu=4.0, mu=15.0, sigma=2.0, dims="player")
        bernoulli(games, games.white(strength) + pm.Normal("advantage", 0.0, 1.0), games.black(strength))
    return model


def davidson_horseshoe(games):
    """A draw parameter that a few players move."""
    with pm.Model(coords=games.coords) as model:
        strength = pm.Normal("strength", 15.5, 2.0, dims="player")
        spread = pm.HalfCauchy("tendency_spread", 0.2)
        own = pm.HalfCauchy("own_spread", 1.0, dims="player")
        tendency = pm.Normal("draw_tendency", 0.0, spread * own, dims="player")
        log_draw = pm.Normal("log_draw", 1.0, 5.0) + games.white(tendency, 0.0) + games.black(tendency, 0.0)
        davidson(games, games.white(strength) + pm.Normal("advantage", 0.0, 1.0), games.black(strength), log_draw)
    return model


for one in (bt_heavy_tails, davidson_horseshoe):
    trace = inference.sample(declare(one, selection), seed=1, pointwise_draws=0)
    traces[trace.attrs["model"]] = trace
    print(trace.attrs["model"], trace.attrs["route"], trace.attrs["verdict"])

# %% [markdown]
# The list below names the models that did not converge, with the reason; do not use their figures. A horseshoe is hard
# for NUTS: where `own_spread` is near 0 a tendency is confined to a narrow funnel, in which steps of one length
# diverge, and half-Cauchy spreads have tails in which chains mix slowly. A tendency written as
# `spread * own * z` with z ~ N(0, 1) often converges. `compare` and the pages mark a trace that did not converge.

# %%
for name, trace in traces.items():
    print(f"{name}: {'converged' if trace.attrs['converged'] else trace.attrs['verdict']}")

# %%
tendency = traces["davidson-horseshoe"]["posterior"]["draw_tendency"]
tendency.mean(("chain", "draw")).to_series().sort_values().round(2)

# %% [markdown]
# ## Forecast

# %%
inference.forecast(traces["normal-common"], played.take(np.arange(5))).table()

# %% [markdown]
# ## Backtest
#
# Each month is forecast from the months before it, by both, with the same games and the same effort.

# %%
months = played.take(played.period <= 6)
effort = Effort(draws=250, tune=250, chains=2)
brier = {}
for one in (normal, logistic):
    found = roll(months, Forecaster(one, months, monitored_names(), effort)).expected_score
    brier[one.name] = (found - months.score) ** 2
seen = np.isfinite(sum(brier.values()))
apart = (brier["normal-common"] - brier["bt-common"])[seen]
error = apart.std(ddof=1) / np.sqrt(seen.sum())
print(f"{seen.sum()} games: squared error {apart.mean():+.5f} +- {error:.5f} (normal less logistic)")

# %% [markdown]
# ## The headline
#
# The two curves give the same list and are not significantly different on these games: among players of one class
# the curves hardly differ (thesis figure 1).

# %%
means = [traces[one.name]["posterior"]["rating_elo"].mean(("chain", "draw")) for one in (normal, logistic)]
assert np.corrcoef(*means)[0, 1] > 0.99
assert abs(apart.mean()) < 4 * error
