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
# # Can Elo ratings be improved?
#
# The question of the study's title, as a forecast: every month from the months before it, is anything better than the
# FIDE rating on the day with one draw curve? The corrected printed list is, with one more parameter per player: the
# inclination to draw. Here are the answer, a fairer reference, the gaps beyond which there is no gain, and who draws
# more; classical games of other years, model and protocol are in `docs/beat-the-list.md`.
#
# With `HALFPOINT_NOTEBOOK_DATA=real` these are the study's games; without it games are drawn from a simulated
# list, in which some players do draw more, and the figures are marked.

# %%
import os

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from halfpoint.evaluation.backtest_tables import by_period, judge, overall
from halfpoint.evaluation.rolling import roll
from halfpoint.inference.forecaster import Forecaster
from halfpoint.models.declaration.catalogue import LISTED
from halfpoint.models.declaration.outline import outline_of
from halfpoint.models.games.units import to_elo
from halfpoint.readers.datasets.simulated_list import simulated_list
from halfpoint.readers.datasets.study import monitored_names, training_file
from halfpoint.systems.catalogue import system

REFERENCE, FAIR = "fide-rating", "list-fitted"

# %%
REAL = os.environ.get("HALFPOINT_NOTEBOOK_DATA") == "real"
if REAL:
    games, first = training_file(), 13
    of_the_study = np.isin(games.white_names, monitored_names()) | np.isin(games.black_names, monitored_names())
    sets = {"2011-2012, all": games.time >= first, "2011-2012, monitored": (games.time >= first) & of_the_study}
else:
    games, first = simulated_list()[0], 7
    sets = {"months 7 to 18, SIMULATED": games.time >= first}
print(f"{len(games):,} games of {games.players.size:,} players, months {games.period.min()} to {games.period.max()}")

# %% [markdown]
# ## The answer in one table
#
# `difference` is the log score less that of the FIDE rating on the day, in nats a game: below 0 is better. Games that
# share an event or a player are not independent; `se_two_way` allows for both. `difference_draw` is the part that says
# whether a game is drawn, `difference_decisive` who wins it if not.


# %%
def forecast(name, forecaster):
    """Forecasts of every month from the months before it, with simulated results."""
    return judge(name, name, games, roll(games, forecaster), np.zeros(len(games), dtype=bool))


systems = {name: forecast(name, system(name).build({})) for name in (REFERENCE, FAIR)}
systems |= {name: forecast(name, Forecaster(model, games, first=first, exact=True)) for name, model in LISTED.items()}
scores = overall(games, {name: one for name, one in systems.items() if name != FAIR}, sets, REFERENCE)
shown = ["system", "set", "games", "log_score", "difference", "se_naive", "se_two_way", "low", "high",
         "periods_better", "periods", "difference_draw", "difference_decisive"]  # fmt: skip
scores[shown].round(5)

# %% [markdown]
# ## Beside a fairer reference, and by the gap of the ratings
#
# `list-fitted` is the list of the day with six fitted numbers: scale, advantage, draws by mean rating, gap and signed
# gap. Differences are to it. Beyond a gap of 150 Elo there is little to gain.

# %%
gap, late = np.abs(games.white_rating_elo - games.black_rating_elo), next(iter(sets.values()))
by_gap = {"all": late, "gap below 150 Elo": late & (gap < 150), "gap of 150 Elo and more": late & (gap >= 150)}
beside = overall(games, systems, by_gap, FAIR)
beside[["system", "set", "games", "log_score", "difference", "se_two_way"]].round(5)

# %% [markdown]
# ## And in one figure: the gain by month

# %% tags=["thumbnail"]
months = by_period(games, {name: systems[name] for name in (REFERENCE, "listed-full")}, late, REFERENCE)
months = months[months["system"] == "listed-full"]
figure, axes = plt.subplots(figsize=(8.6, 3.6), layout="constrained")
axes.errorbar(
    months["period"], -1e4 * months["difference"], yerr=2e4 * months["se_two_way"], fmt="o", color="#0072B2", capsize=2
)
axes.axhline(0.0, color="#555555", linewidth=0.8)
axes.set_xlabel("month")
axes.set_ylabel("gain over FIDE's rating, 0.0001 nats a game\ntwo standard errors each side")
axes.set_title(f"listed-full, {next(iter(sets))}", loc="left")
plt.show()

# %% [markdown]
# ## Who draws more than their rating suggests
#
# The inclination to draw acts on the log odds of a draw and does not change the expected score. Between two players of
# the mean rating 2600 it changes the share of draws as below. 95% intervals by the normal approximation.

# %%
forecaster = Forecaster(LISTED["listed-full"], games, first=int(games.period.max()))
for period in np.unique(games.period):
    forecaster.learn(games.take(games.period == period))
fit, refits = forecaster.engine.fit(), forecaster.engine.refits
values, errors = refits.values(fit), refits.errors(fit)
own, error = values["draw_tendency"], errors["draw_tendency"]
level, outcome = float(values["log_draw"]), outline_of(LISTED["listed-full"]).outcome
players = pd.DataFrame(
    {
        "player": forecaster.schedule.players,
        "games": np.bincount(np.concatenate([games.white, games.black]), minlength=own.size),
        "draws_percent": 100 * outcome.draw_rate(level + own),
        "low": 100 * outcome.draw_rate(level + own - 1.96 * error),
        "high": 100 * outcome.draw_rate(level + own + 1.96 * error),
    }
).query("games >= 50")
print(f"Between players like all others: {100 * float(outcome.draw_rate(np.array(level))):.1f}%")
pd.concat([players.nlargest(8, "draws_percent"), players.nsmallest(8, "draws_percent")]).round(1)

# %% [markdown]
# ## What the list misses about strength is little
#
# The spread of `d` in Elo points, and the players furthest from their list.

# %%
strength = pd.DataFrame(
    {
        "player": forecaster.schedule.players,
        "d_elo": to_elo(values["strength"]),
        "sd": to_elo(errors["strength"]),
    }
)
print(f"Spread of what the list misses: {to_elo(float(values['strength_spread'])):.0f} Elo")
strength.reindex(strength["d_elo"].abs().sort_values(ascending=False).index).head(8).round(1)

# %%
plt.close("all")
row = scores[scores["set"] == next(iter(sets))].set_index("system").loc["listed-full"]
print(f"listed-full less {REFERENCE}: {row['difference']:+.4f} +- {row['se_two_way']:.4f} nats a game")

# The list corrected is better by more than two errors that allow for shared events and players.
assert row["difference"] < -2 * row["se_two_way"]
assert row["se_two_way"] >= max(row["se_event"], row["se_player"])
# The months add up to the whole.
assert np.isclose(months["cumulative_lead"].iloc[-1], -row["difference"] * row["games"])
