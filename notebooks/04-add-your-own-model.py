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
# A model of the catalogue is a formula on top of shared parts. Here the logistic curve of Bradley-Terry becomes the
# normal curve that Elo himself used, p = Phi((R_i - R_j + A) / (200 sqrt 2)), and the two are compared. Both are
# half-point likelihoods of the same games with the same weights, so they may stand in one order.

# %%
import os

import numpy as np
import nutpie
import pymc as pm
import pytensor.tensor as pt
from scipy.stats import norm

from halfpoint.evaluation.criteria import leave_one_out
from halfpoint.evaluation.differences import mean_difference
from halfpoint.games.cells import merge
from halfpoint.games.datasets.replica import replica
from halfpoint.games.datasets.study import monitored, training
from halfpoint.games.select import select
from halfpoint.inference.diagnose import diagnose
from halfpoint.inference.sample import sample
from halfpoint.models.bradley_terry import INFORMATION, NORMALISED, Priors
from halfpoint.models.catalogue import declare
from halfpoint.models.parts import advantages, coords, observe, parameter, posterior_scale, seats

# %%
REAL = os.environ.get("HALFPOINT_NOTEBOOK_DATA") == "real"
SETTINGS = {"draws": 1000, "tune": 1000, "chains": 4} if REAL else {"draws": 300, "tune": 400, "chains": 2}

games = training() if REAL else replica().training.take(np.arange(2000))
selection = select(games, monitored())
cells = merge(selection)  # games with the same players, colours and anchor, summed

# %% [markdown]
# ## The formula, edited
#
# A formula takes the two sides of a game and returns loss, draw and win on the log scale. With half-points the draw is
# the mean of the other two.

# %%
SPREAD_ELO = 200 * np.sqrt(2)


def log_phi(z):
    """Logarithm of the normal distribution function, as a graph."""
    return pt.log(0.5 * pt.erfc(-z / np.sqrt(2)))


def normal_scores(white, black):
    """Return (loss, draw, win) on the log scale from the two sides in Elo points."""
    gap = (white - black) / SPREAD_ELO
    return log_phi(-gap), (log_phi(-gap) + log_phi(gap)) / 2, log_phi(gap)


# %% [markdown]
# ## The rest comes from the shared parts

# %%
prior = Priors()
with pm.Model(coords=coords(cells)) as model:
    unit = posterior_scale(cells, prior.rating[1], INFORMATION, "player")
    rating = parameter("rating", prior.rating, unit, dims="player")
    a, b = advantages("common", prior.advantage, prior.anchored, cells, INFORMATION)
    white, black = seats(rating, a, b)
    anchor = np.nan_to_num(cells.anchor_elo)
    observe(cells, normal_scores, NORMALISED, white, black, anchor, backend="graph")

# %% [markdown]
# ## Fit

# %%
drawn = nutpie.sample(nutpie.compile_pymc_model(model), seed=1, progress_bar=False, **SETTINGS)
normal = drawn["posterior"].to_dataset()[["rating", "advantage"]]
print("normal curve:", diagnose(normal, drawn["sample_stats"].to_dataset()).verdict)
logistic = sample(declare("bt-common", selection, "described"), seed=1, **SETTINGS)
print("logistic curve:", logistic.attrs["verdict"])

# %% [markdown]
# ## Compare
#
# The log likelihood of each game under each draw gives PSIS-LOO, and the paired difference its standard error.

# %%
kept = logistic["log_likelihood"]["draw"].to_numpy()
draws = normal.sel(draw=kept)
ratings = draws["rating"].transpose("chain", "draw", "player").to_numpy()
known = np.concatenate([ratings, np.zeros((*ratings.shape[:2], 1))], axis=2)  # the last slot is for anchored players
anchor = np.nan_to_num(selection.anchor_elo)
gap = known[..., selection.white] - known[..., selection.black] + draws["advantage"].to_numpy()[..., None]
gap += np.where(selection.white < 0, anchor, 0) - np.where(selection.black < 0, anchor, 0)
score = selection.games.score
pointwise = score * norm.logcdf(gap / SPREAD_ELO) + (1 - score) * norm.logcdf(-gap / SPREAD_ELO)
mine = leave_one_out(pointwise)
theirs = leave_one_out(logistic["log_likelihood"]["outcome"].transpose("chain", "draw", "game").to_numpy())
difference = mean_difference(mine.elpd_per_game, theirs.elpd_per_game)
n = difference.games
print(f"elpd: normal {mine.elpd:.1f}, logistic {theirs.elpd:.1f}")
print(f"difference {n * difference.mean:+.2f}, paired standard error {n * difference.standard_error:.2f}")
correlation = np.corrcoef(
    normal["rating"].mean(("chain", "draw")), logistic["posterior"]["rating"].mean(("chain", "draw"))
)
print(f"correlation of the ratings {correlation[0, 1]:.4f}")

# %% [markdown]
# ## The headline
#
# The two curves give the same list and cannot be told apart by these games: among players of one class the curves
# hardly differ (thesis figure 1).

# %%
assert correlation[0, 1] > 0.99
assert abs(difference.mean) < 4 * difference.standard_error
