# ---
# jupyter:
#   jupytext:
#     formats: py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Line-ups: a network of units, and plus-minus
#
# Who is good at basketball, where only teams score? The network of Piette, Pham and Anand, as described by
# Krajowski-Kukiel (2011), joins players who did well together and measures where a random walk spends its time.
# Adjusted plus-minus asks how many points a possession each player adds, given all players on the floor. The season is
# simulated, so that the truth is known.

# %%
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from halfpoint.apps.fields import lineups
from halfpoint.apps.fields.lineups.simulate import simulate_lineups
from halfpoint.apps.fields.lineups.system import incidence, leading_eigenvector, together
from halfpoint.systems.centrality import centrality

# %% [markdown]
# ## Four units of two
#
# The unit ab did best, cd worst. With W the units by players, WᵀW without its diagonal joins team-mates.

# %%
units = incidence(np.array([[0, 1], [0, 2], [1, 3], [2, 3]], dtype=np.int32), 4)
weight = np.array([1.2, 1.0, 0.8, 0.5])
toy = pd.DataFrame(
    {
        "walk with restarts": centrality(together(units, weight), 0.85),
        "diagonal kept": centrality(together(units, weight, diagonal=True), 0.85),
        "leading eigenvector": leading_eigenvector(together(units, weight)),
        "weights not squared": centrality(together(units, weight, squared=False), 0.85),
    },
    index=list("abcd"),
)
toy.round(5)

# %% [markdown]
# ## A season whose truth is known
#
# Eight teams of ten; eight players change their team at half-time of the season, which joins the graph.

# %%
stints, truth = simulate_lineups(games=240, transfers=8, seed=11)
rated = lineups.lineups(stints, bootstrap=300)
frame = rated.frame
skill = 100.0 * (truth.offence + truth.defence)[np.searchsorted(truth.players, frame["player"])]
print(rated.note)
frame[["player", "part", "units", "total_share", "total_rank", "total_p", "plus_minus", "plus_minus_sd"]].head(8).round(
    3
)

# %% [markdown]
# ## What each of them knows
#
# The share of the walk grows with minutes; p, from networks of the same units with uninformative weights, does not;
# plus-minus also accounts for opponents.

# %%
minutes = frame["offence_possessions"] + frame["defence_possessions"]
known = {"share": frame["total_share"], "1 - p": 1.0 - frame["total_p"], "plus-minus": frame["plus_minus"]}
told = pd.DataFrame(
    {name: {"with true skill": np.corrcoef(values, skill)[0, 1], "with minutes": np.corrcoef(values, minutes)[0, 1]}
     for name, values in known.items()}
).T  # fmt: skip
told.round(2)

# %% tags=["thumbnail"]
figure, axes = plt.subplots(1, 3, figsize=(12, 3.8))
for axis, (name, values) in zip(axes, known.items(), strict=True):
    axis.scatter(skill, values, s=16)
    axis.set(xlabel="true skill, points per 100 possessions", ylabel=name)
    axis.set_title(f"correlation {told.loc[name, 'with true skill']:.2f}", fontsize=10)
figure.suptitle("SIMULATED season: 80 players, 240 games")
figure.tight_layout()

# %% [markdown]
# ## Teams that no player joins
#
# Without transfers every team is a separate part of the graph, with a share of the walk proportional to its players:
# shares compare team-mates, not teams. The table has the number of parts.

# %%
apart, _ = simulate_lineups(teams=4, games=60, seed=11)
lone = lineups.lineups(apart, bootstrap=0).frame
by_team = lone.groupby(lone["player"].str[:3])["total_share"].mean()
print(f"{int(lone['part'].max())} parts; mean share by team: {by_team.round(3).to_dict()}")

# %%
plt.close("all")
assert toy["walk with restarts"].round(5).tolist() == [0.34960, 0.30480, 0.19520, 0.15040]
assert toy["leading eigenvector"].round(5).tolist() == [0.34893, 0.31336, 0.20373, 0.13398]
# With opponents included, plus-minus is closest to the true skill, and its intervals contain it.
assert told.loc["plus-minus", "with true skill"] > told.loc["share", "with true skill"]
assert told.loc["plus-minus", "with true skill"] > 0.6
inside = (frame["plus_minus"] - skill).abs() < 1.96 * frame["plus_minus_sd"]
assert inside.mean() > 0.85
# Without transfers nothing compares teams.
assert int(lone["part"].max()) == 4
np.testing.assert_allclose(by_team, 1.0)
