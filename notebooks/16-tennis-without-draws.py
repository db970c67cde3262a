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
# # Tennis without draws
#
# Files of tennis have a winner and a loser: no draws, and no first seat, since the winner is always named first. Both
# are detected in the file and left out of the model. The matches are simulated, so that the truth is known.

# %%
import numpy as np
import pandas as pd

import halfpoint as hp
from halfpoint.evaluation.figures.style import BLUE, GREY, new_figure
from halfpoint.models.games.units import to_natural

FAMILY = [
    "Aalders", "Castello", "Dvorak", "Eriksen", "Ferraro", "Horvath", "Ivarsson", "Jansky", "Kovac", "Lindqvist",
    "Moreau", "Nakagawa", "Okonkwo", "Petrosyan", "Quintero", "Rasmussen", "Sahin", "Tahiri", "Ueda", "Vasquez",
    "Weiss", "Xu", "Yilmaz", "Zelenka",
]  # fmt: skip

# %% [markdown]
# ## The matches

# %%
chance = np.random.default_rng(16)
true_elo = pd.Series(1800 + 150 * chance.standard_normal(24), FAMILY).sort_values(ascending=False)
first = chance.integers(0, 24, 700)
second = (first + chance.integers(1, 24, 700)) % 24
win = chance.random(700) < 1 / (1 + np.exp(-to_natural(true_elo.to_numpy()[first] - true_elo.to_numpy()[second])))
names = true_elo.index.to_numpy()
matches = pd.DataFrame(
    {
        "tourney_date": np.sort(20240101 + 100 * chance.integers(0, 12, 700) + chance.integers(0, 28, 700)),
        "surface": chance.choice(["Hard", "Clay", "Grass"], 700, p=[0.55, 0.3, 0.15]),
        "winner_name": np.where(win, names[first], names[second]),
        "loser_name": np.where(win, names[second], names[first]),
    }
)
matches.head()

# %% [markdown]
# ## The list

# %%
rated = hp.rate(matches, seed=1, say=print)
print(rated.about["model"])
print(rated.note)
rated.frame.head(8).round(0)

# %% [markdown]
# ## From ratings to matches
#
# Without draws the expected score is the chance of winning, and 400 points are odds of 10 to 1. Each point of the
# figure is a pair of players: the chance that the model gives the better one, against the true chance.

# %%
order = rated.frame["player"].tolist()
pairs = pd.DataFrame([(a, b) for place, a in enumerate(order) for b in order[place + 1 :]], columns=["white", "black"])
said = hp.forecast(rated.trace, pairs).frame
gap = true_elo[pairs["white"]].to_numpy() - true_elo[pairs["black"]].to_numpy()
truth = 100 / (1 + np.exp(-to_natural(gap)))

# %% tags=["thumbnail"]
figure, (axes,) = new_figure(5.4, 4.8)
axes.plot([0, 100], [0, 100], color=GREY, linewidth=0.9)
axes.vlines(truth, said["expected_low_percent"], said["expected_high_percent"], color=BLUE, alpha=0.15)
axes.plot(truth, said["expected_percent"], "o", color=BLUE, markersize=3)
axes.set(
    xlabel="true chance of winning, %",
    ylabel="chance that the model gives, %, 95% intervals",
    title="276 pairs of tennis players (SIMULATED)",
    xlim=(0, 100),
    ylim=(0, 100),
)
figure

# %% [markdown]
# ## A draw of sixteen
#
# The chance of each to win a knock-out tournament, one match a round, seeded by rating.

# %%
cup = hp.tournament(rated.trace, order[:16], format="knockout", games=1)
print(cup.note)
cup.frame.round(1)

# %% [markdown]
# ## What should have been seen

# %%
inside = (said["expected_low_percent"] <= truth) & (truth <= said["expected_high_percent"])
print(f"{inside.mean():.0%} of the intervals of 95% hold the truth")
assert rated.converged
assert rated.about["model"] == "bt-matched-walk"
assert inside.mean() > 0.8
assert np.isclose(cup.frame["title_percent"].sum(), 100)
assert np.corrcoef(rated.frame["rating_elo"], true_elo[order])[0, 1] > 0.85
