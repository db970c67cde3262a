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
# # Which rating system would have predicted 2012 best?
#
# Federations, websites and papers rate players in many ways. Here each system forecasts the same games, every month
# from earlier months, before it is updated. Parameters such as K are tuned on 2010, fixed, and scored on January to
# November 2012 (periods 25 to 35).
#
# With `HALFPOINT_NOTEBOOK_DATA=real` these are the study's games; without it a simulated replica is used, and the
# figures say so.

# %%
import os

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from halfpoint.evaluation.backtest_tables import by_period, calibration, judge, overall
from halfpoint.evaluation.figures.backtest import figure_calibration
from halfpoint.evaluation.figures.style import house_style, new_figure
from halfpoint.evaluation.rolling import roll
from halfpoint.evaluation.tuning import frozen_window, judged_games, tune
from halfpoint.models.games.periods import with_periods
from halfpoint.readers.datasets.replica import replica
from halfpoint.readers.datasets.study import monitored_names, training_file
from halfpoint.systems.catalogue import SYSTEMS, system

# %%
REAL = os.environ.get("HALFPOINT_NOTEBOOK_DATA") == "real"
games = with_periods(training_file() if REAL else replica().training)
word = " (SIMULATED games)" if games.simulated else ""
print(
    f"{len(games):,} games of {games.players.size} players, periods {games.period.min()} to {games.period.max()}{word}"
)

# %% [markdown]
# ## The systems
#
# Systems that start from ratings start a new player from the FIDE rating printed with their first game. Systems
# without a draw probability get one by a common rule: Davidson's curve through their own expected score, with one
# number fitted on 2010. The column `draws` says which.

# %%
pd.DataFrame(
    [(s.name, s.title, s.draws, s.begins, s.source) for s in SYSTEMS.values()],
    columns=["name", "title", "draws", "a new player starts from", "source"],
)

# %% [markdown]
# ## Tune on 2010, roll through everything
#
# For two players the three models of Weng and Lin coincide, so one of them is enough here.

# %%
names = [
    "elo", "elo-normal", "elo-game", "elo-fide", "elo-icc", "glicko", "glicko-2", "stephenson", "trueskill",
    "weng-lin-full", "elo-plus-plus", "performance-fide", "park-newman", "centrality", "fide-rating", "base-rates",
]  # fmt: skip
before = frozen_window(games, first=13)
window = games.take(before)
training = np.zeros(len(games), dtype=bool)
training[np.flatnonzero(before)[judged_games(window)]] = True

systems, settings = {}, {}
for name in names:
    spec = system(name)
    settings[name] = tune(window, spec.build, spec.grid, spec.start).settings
    rolled = roll(games, spec.build(settings[name]))
    systems[name] = judge(name, spec.title, games, rolled, training)

pd.DataFrame(settings).T.map(lambda value: "" if pd.isna(value) else value)

# %% [markdown]
# ## 2012
#
# Lower is better for all scores but accuracy. `difference` is the system's less Elo's, with its paired
# standard error: games are hard or easy for all forecasters, so differences are far more certain than levels.

# %%
year = games.period >= 25
known = np.isin(games.white_names, monitored_names()) | np.isin(games.black_names, monitored_names())
stretches = {f"2012{word}": year, f"2012, a monitored player{word}": year & known}
scores = overall(games, systems, stretches, "elo")
shown = ["title", "draws", "deviance", "log_score", "difference", "se_two_way",
         "definetti", "rps", "accuracy"]  # fmt: skip
main = f"2012{word}"
scores[scores["set"] == main].set_index("system")[shown].round(4)

# %% tags=["thumbnail"]
order = scores[scores["set"] == main].sort_values("log_score", ascending=False)
with house_style():
    figure, (axes,) = new_figure(7.4, 0.23 * len(order) + 1.2)
    axes.hlines(order["title"], order["low"], order["high"])
    axes.plot(order["difference"], order["title"], "o", markersize=4)
    axes.axvline(0.0, color="grey", linewidth=0.8)
    axes.set(xlabel="log score less that of elo, 95% intervals", title=main)
figure

# %%
periods = by_period(games, systems, year, "elo")
first = order["system"].tolist()[::-1][:6]
lead = periods[periods["system"].isin(first)].pivot(index="period", columns="system", values="cumulative_lead")
with house_style():
    figure, (axes,) = new_figure(7.4, 3.6)
    axes.plot(lead.index, lead[first], label=first)
    axes.set(xlabel="period", ylabel="lead over elo in log score so far, nats", title=main)
    axes.legend()
figure

# %% [markdown]
# Calibration: the observed share against the forecast probability, by tenths of the games.

# %%
figure_calibration(calibration(games, systems, year), first, main)

# %% [markdown]
# ## What follows
#
# On the study's games the best forecast of 2012 is the FIDE rating of the day itself with a fitted advantage of
# White and a fitted draw rate: FIDE counts far more games than the file contains. Of the systems that see these
# games only, those with an uncertainty of ratings (TrueSkill, Glicko) are slightly better than Elo; the time of updates
# hardly matters; a K for beginners (32) loses more than any refinement gains; and network methods, which use no
# ratings, forecast worse than the printed rating alone.

# %%
plt.close("all")
table = scores[scores["set"] == main].set_index("system")
winner = table["log_score"].idxmin()
print(f"Best in 2012{word}: {table.loc[winner, 'title']}, log score {table.loc[winner, 'log_score']:.4f}")

# The best system beats the base rates by more than four paired standard errors.
gap = table.loc["base-rates", "difference"] - table.loc[winner, "difference"]
assert gap > 4 * table.loc["base-rates", "se_two_way"]
# In the study's games no system is ahead of the FIDE rating of the day.
assert winner == "fide-rating" or not REAL
# Updates by game instead of by month change the score less than a K of 32 instead of the tuned one.
assert abs(table.loc["elo-game", "difference"]) < abs(table.loc["elo-icc", "difference"])
# Every system forecast every game of the year, with probabilities that sum to one.
for name, one in systems.items():
    assert np.allclose(one.outcome[year].sum(axis=1), 1.0), name
# No future result leaks: reversed results of 2012 leave all forecasts up to January 2012 unchanged.
turned = type(games)(games.players, games.white, games.black, np.where(year, 1 - games.score, games.score),
                     period=games.period, white_rating_elo=games.white_rating_elo,
                     black_rating_elo=games.black_rating_elo)  # fmt: skip
again = roll(turned, system("glicko").build(settings["glicko"])).expected_score
past = games.period <= 25
assert np.array_equal(again[past], systems["glicko"].expected_score[past])
assert not np.array_equal(again[~past], systems["glicko"].expected_score[~past])
