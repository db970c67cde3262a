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
# # A first rating list
#
# From games to ratings with their uncertainty. By default the games are a simulated replica of the study's, whose truth
# is known; with `HALFPOINT_NOTEBOOK_DATA=real` they are the study's own.

# %%
import os

import numpy as np
import pandas as pd

import halfpoint as hp
from halfpoint.apps.study.figures.ratings import caterpillar, intervals
from halfpoint.evaluation.rating_list import RatingList
from halfpoint.evaluation.statements import rank_distribution, stronger
from halfpoint.models.formulas.davidson import DAVIDSON
from halfpoint.models.games.units import ELO_PER_NATURAL
from halfpoint.readers.datasets.study import monitored_names, training

# %%
REAL = os.environ.get("HALFPOINT_NOTEBOOK_DATA") == "real"

# %% [markdown]
# ## The games
#
# A table of games has White, Black, White's score and, if known, the ratings on the day. `hp.read("games.csv")`
# or `hp.read("games.pgn")` makes one from a file. Monitored players get a rating of their own; an opponent who is not
# monitored is anchored to the rating they had on the day, which fixes the level of the list.

# %%
games = training() if REAL else hp.replica().training
selection = hp.select(games, monitored_names())
print(f"{games.name}: {len(selection)} games, {selection.players.size} monitored players")
counts = np.bincount(games.outcome, minlength=3)
print(f"White lost {counts[0]}, drew {counts[1]}, won {counts[2]}")

# %% [markdown]
# ## A model, sampled
#
# Davidson's model gives each game three probabilities: loss, draw and win. Here White's advantage is the same for all
# players.

# %%
trace = hp.sample(hp.declare("davidson-common", selection, "described"))
print(trace.attrs["verdict"])

# %% [markdown]
# ## The list

# %%
ratings = trace["posterior"]["rating_elo"]
listed = RatingList.of_draws(ratings).frame
listed.head(10).round(1)

# %% tags=["thumbnail"]
drawn = ratings.transpose("chain", "draw", "player")
table = intervals(drawn.to_numpy(), drawn["player"].to_numpy().tolist())
caterpillar(table, "rating (Elo points)", "Ratings with 95% HDI: davidson-common", best_line=True)

# %% [markdown]
# ## Questions to a posterior
#
# How probable is it that one player is stronger than another, and that they are the best of all?

# %%
first, second = listed["player"][:2]
print(f"P({first} is stronger than {second}) = {stronger(ratings, first, second):.2f}")
best = rank_distribution(ratings).isel(rank=0).to_series().nlargest(5)
print(best.round(3).to_string())

# %% [markdown]
# ## The headline
#
# On the replica the list recovers the true ratings; on the real games Carlsen leads.

# %%
if REAL:
    assert trace.attrs["converged"]
    assert first == "CarlsenMagnus"
else:
    simulated = hp.replica().truth  # strengths in natural units; in Elo points differences count by the draw rate
    share = DAVIDSON.elo_per_natural(simulated.log_draw) / ELO_PER_NATURAL
    level = np.nanmean(selection.anchor_elo)
    elo = level + share * (simulated.strength * ELO_PER_NATURAL - level)
    truth = pd.Series(dict(zip(simulated.players.tolist(), elo, strict=True)))
    found = listed.set_index("player")["rating_elo"]
    error = (found - truth[found.index]) / listed.set_index("player")["sd_elo"]
    print(f"correlation with the truth {np.corrcoef(found, truth[found.index])[0, 1]:.3f}")
    print(f"{(error.abs() < 2).sum()} of {error.size} players within two standard deviations of it")
    assert np.corrcoef(found, truth[found.index])[0, 1] > 0.8
