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
# A model is a row: an outcome formula and a few parts. Here the logistic curve of Bradley-Terry becomes the normal
# curve that Elo himself used, p = Phi((R_i - R_j + A) / (200 sqrt 2)); everything else, sampling, traces, forecasts,
# comparisons and backtests, is there already.

# %%
import os

import numpy as np
import pytensor.tensor as pt

from halfpoint import games, inference
from halfpoint.evaluation.comparison import compared, comparison_table
from halfpoint.evaluation.figures.style import BLUE, ORANGE, new_figure
from halfpoint.evaluation.rolling import roll
from halfpoint.games.datasets.study import monitored, training
from halfpoint.games.units import ELO_PER_NATURAL
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.forecaster import Forecaster
from halfpoint.models import DrawParameter, Free, Model, Outcome, declare, find

REAL = os.environ.get("HALFPOINT_NOTEBOOK_DATA") == "real"
played = training() if REAL else games.replica().training.take(np.arange(2000))
selection = games.select(played, monitored())

# %% [markdown]
# ## The formula and the row
#
# A formula takes the two sides of a game, in natural units (400 / ln 10 Elo points each), and returns loss, draw and
# win on the log scale. With half points the draw is the mean of the other two, and only loss and win sum to one.

# %%
SPREAD = 200 * np.sqrt(2) / ELO_PER_NATURAL


def normal_scores(white, black, log_draw):
    """Return (loss, draw, win) of Elo's normal curve."""
    loss, win = (pt.log(pt.erfc(sign * (white - black) / SPREAD / np.sqrt(2)) / 2) for sign in (1, -1))
    return loss, (loss + win) / 2, win


logistic = find("bt-common", "described")
normal = Model("normal-common", Outcome("normal", normal_scores, over=(0, 2)), Free(logistic.strength.prior))

# %% tags=["thumbnail"]
gap = np.linspace(-600, 600, 241)
figure, (axes,) = new_figure(6.0, 3.6)
for label, one, colour in (("normal curve", normal, BLUE), ("logistic curve", logistic, ORANGE)):
    axes.plot(gap, one.outcome.expected_score(gap / ELO_PER_NATURAL, 0.0), color=colour, label=label)
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
table = comparison_table([compared(trace) for trace in traces.values()], by="loo")
table

# %% [markdown]
# ## Another prior is a word
#
# A prior is a mean and a standard deviation, or a family and its numbers (`halfpoint.models.parts.priors`). Who draws
# more
# than others, if most players are alike and a few are not? A horseshoe of tendencies shrinks all but those few
# (Carvalho, Polson & Scott 2010). It is compiled from its PyMC graph like everything else.

# %%
heavy = Model("bt-heavy-tails", logistic.outcome, Free(("student_t", 4.0, 15.0, 2.0)))
shoe = Model("davidson-horseshoe", find("davidson-common").outcome, draws=DrawParameter(tendency=("horseshoe", 0.2)))
for one in (heavy, shoe):
    traces[one.name] = inference.sample(declare(one, selection), seed=1, pointwise_draws=0)
    print(one.name, traces[one.name].attrs["route"], traces[one.name].attrs["verdict"])
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
    found = roll(months, Forecaster(one, months, monitored(), effort)).expected_score
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
