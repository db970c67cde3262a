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
# # A season of football
#
# Twenty clubs, each pair at home and away. After half of the season: how strong are the clubs, what
# is home worth, and where will they end? The results are simulated, in the columns of the usual files (HomeTeam,
# AwayTeam, FTHG, FTAG, Date); a file of a real season works in the same way.

# %%
import numpy as np
import pandas as pd
from IPython.display import display

import halfpoint as hp
from halfpoint.evaluation.figures.style import BLUE, GREY, ORANGE, new_figure
from halfpoint.models.games.simulate import outcome_probabilities
from halfpoint.models.games.units import to_natural

TOWNS = [
    "Ashford", "Brindle", "Carrow", "Dunmere", "Elswick", "Farley", "Garston", "Holme", "Ingleby", "Jarrow",
    "Kelby", "Lowick", "Marston", "Norley", "Orwell", "Penrith", "Quarley", "Redhill", "Selby", "Thornton",
]  # fmt: skip
LOG_DRAW = np.log(2 * 0.27 / (1 - 0.27))  # two equals draw 27% of their games
WIDER = 1 + np.exp(LOG_DRAW) / 2  # natural units of Davidson's model for one of Elo's, which draws make flatter

# %% [markdown]
# ## The results

# %%
chance = np.random.default_rng(15)
strength = pd.Series(to_natural(100.0 * chance.standard_normal(20)) * WIDER, TOWNS)
home, away = chance.permutation(np.argwhere(~np.eye(20, dtype=bool))).T
gap = strength.to_numpy()[home] - strength.to_numpy()[away] + to_natural(60.0) * WIDER
told = (chance.random(gap.size)[:, None] >= outcome_probabilities(gap, LOG_DRAW).cumsum(axis=1)[:, :2]).sum(axis=1)
less, more = chance.poisson(0.9, gap.size), 1 + chance.poisson(0.5, gap.size)
season = pd.DataFrame(
    {
        "Date": pd.Timestamp("2023-08-11") + pd.to_timedelta(7 * (np.arange(gap.size) // 10), "D"),
        "HomeTeam": np.array(TOWNS)[home],
        "AwayTeam": np.array(TOWNS)[away],
        "FTHG": less + more * (told == 2),
        "FTAG": less + more * (told == 0),
    }
)
season.head()

# %% [markdown]
# ## Half of a season, rated
#
# The model is chosen from the file: draws, a home side, no ratings.

# %%
over, coming = season.iloc[:190], season.iloc[190:]
rated = hp.rate(over, seed=1)
print(rated.about["model"])
print(rated.note)
rated.frame.head(6).round(0)

# %% [markdown]
# ## The other half, forecast
#
# Three points for a win, one for a draw. Each draw of the posterior is a table of strengths; for each, the remaining
# games are simulated once.

# %%
games = hp.forecast(rated.trace, coming.drop(columns=["FTHG", "FTAG"]))
games.frame[["white", "black", "loss_percent", "draw_percent", "win_percent"]].head().round(1)

# %%
posterior = rated.trace["posterior"].to_dataset().stack(sample=("chain", "draw"))
strength = posterior["strength"]
strength = strength.isel(month=-1) if "month" in strength.dims else strength  # of the last quarter, where they walk
drawn = strength.sel(player=coming["HomeTeam"].to_numpy()).to_numpy()
drawn = drawn - strength.sel(player=coming["AwayTeam"].to_numpy()).to_numpy()
drawn = drawn + posterior["advantage"].to_numpy()
log_draw = posterior["log_draw"].to_numpy()
odds = np.exp(np.stack([-drawn / 2, np.broadcast_to(log_draw, drawn.shape), drawn / 2]))
share = (odds / odds.sum(axis=0)).cumsum(axis=0)
result = (chance.random(drawn.shape) >= share[:2]).sum(axis=0)  # 0 away wins, 1 draw, 2 home wins


def points(frame, outcome):
    """Each club's points, shape (club, ...), from outcomes of shape (game, ...)."""
    total = np.zeros((20, *outcome.shape[1:]))
    np.add.at(total, pd.Index(TOWNS).get_indexer(frame["HomeTeam"]), np.array([0, 1, 3])[outcome])
    np.add.at(total, pd.Index(TOWNS).get_indexer(frame["AwayTeam"]), np.array([3, 1, 0])[outcome])
    return total


def seen(frame):
    """The results: 0 away won, 1 draw, 2 home won."""
    return 1 + np.sign(frame["FTHG"] - frame["FTAG"]).to_numpy().astype(int)


now, final = points(over, seen(over)), points(season, seen(season))
ends = now[:, None] + points(coming, result)
table = pd.DataFrame(
    {
        "points now": now,
        "expected": ends.mean(axis=1),
        "low": np.quantile(ends, 0.025, axis=1),
        "high": np.quantile(ends, 0.975, axis=1),
        "first, %": 100 * (ends == ends.max(axis=0)).mean(axis=1),
        "in the end": final,
    },
    index=TOWNS,
).sort_values("expected", ascending=False)
table.round(0).astype(int)

# %% tags=["thumbnail"]
figure, (axes,) = new_figure(6.8, 4.8)
rows = np.arange(20)[::-1]
axes.hlines(rows, table["low"], table["high"], color=BLUE, linewidth=2, label="forecast at half-time, 95%")
axes.plot(table["points now"], rows, "|", color=GREY, markersize=9, label="points at half-time")
axes.plot(table["in the end"], rows, "o", color=ORANGE, markersize=5, label="points in the end")
axes.set_yticks(rows, table.index.tolist())
axes.set(xlabel="points", title="A season of football (SIMULATED), forecast when half of it was played")
axes.grid(axis="y", visible=False)
figure.legend(loc="outside lower center", ncols=3)
figure

# %% [markdown]
# ## Was it worth anything?
#
# The log score of the second half, nats a game (lower is better), of the model and of the shares of results in the
# first half.

# %%
happened = seen(coming)
said = games.frame[["loss_percent", "draw_percent", "win_percent"]].to_numpy() / 100
shares = np.bincount(seen(over), minlength=3) / len(over)
scores = {
    "halfpoint": -np.log(said[np.arange(len(coming)), happened]).mean(),
    "shares of the first half": -np.log(shares[happened]).mean(),
}
display(pd.Series(scores).round(3))

# %% [markdown]
# ## What should have been seen

# %%
inside = ((table["low"] <= table["in the end"]) & (table["in the end"] <= table["high"])).sum()
print(f"{inside} of 20 intervals of 95% hold the points in the end")
assert rated.converged
assert inside >= 16
assert scores["halfpoint"] < scores["shares of the first half"]
assert np.corrcoef(table["expected"], table["in the end"])[0, 1] > 0.7
