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
# # Beyond the study
#
# Four questions that the study leaves open, each with a model, a figure and an answer, which may be undecided:
#
# 1. On which scale are the FIDE ratings of opponents who are not monitored?
# 2. Does White's advantage differ between players?
# 3. Do draws grow with strength, and do players differ in drawing?
# 4. Do ratings move from month to month?
#
# and one example of covariates: rapid and blitz. The games are the study's if
# HALFPOINT_NOTEBOOK_DATA=real, else a simulated
# replica whose truth is known (opponents' ratings are on the scale of strengths, no draw slope, no movement); the last
# cell asserts what should be seen on either.

# %%
import os
import warnings
from dataclasses import replace

import arviz as az
import numpy as np
import pandas as pd
from IPython.display import display

from halfpoint.evaluation import matches, statements, tournaments
from halfpoint.evaluation.criteria import leave_one_out, lpd_per_game
from halfpoint.evaluation.differences import mean_difference
from halfpoint.evaluation.figures.style import COLOURS, GREY, house_style, new_figure
from halfpoint.evaluation.predictive_checks import predictive_checks
from halfpoint.evaluation.prior_checks import prior_table, sensitivity
from halfpoint.inference.forecast import forecast
from halfpoint.inference.sample import sample
from halfpoint.inference.trace_groups import with_groups
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.declaration.pointwise import each_game
from halfpoint.models.declaration.posterior_reader import reading_of
from halfpoint.models.formulas.davidson import DAVIDSON
from halfpoint.models.games.periods import concatenate, with_periods
from halfpoint.models.games.select import select
from halfpoint.models.games.units import ELO_PER_NATURAL
from halfpoint.readers.datasets.replica import replica
from halfpoint.readers.datasets.study import monitored_names, set_a, set_b, training

warnings.simplefilter("ignore", FutureWarning)

real = os.environ.get("HALFPOINT_NOTEBOOK_DATA") == "real"
if real:
    train, test_a, test_b = training(), set_a(), set_b()
else:
    made = replica()
    train, test_a, test_b = made.training, made.set_a, made.set_b
games = select(train, monitored_names())
if real:
    settings = {"draws": 1000, "tune": 500, "chains": 4}
    largest_rhat = 1.01
else:  # the replica shows that everything works; it need not be precise
    settings = {"draws": 1500, "tune": 1000, "chains": 4}
    largest_rhat = 1.05
print(f"{'The study' if real else 'SIMULATED replica'}: {len(games)} games, A {len(test_a)}, B {len(test_b)}")


# %%
def density(draws, label, title, marked=()):
    """Histograms of posterior draws by name, with marked values by name; the label has the unit."""
    with house_style():
        figure, (axes,) = new_figure(6.4, 3.4)
        edges = np.linspace(*np.quantile(np.concatenate([np.ravel(one) for one in draws.values()]), [0, 1]), 61)
        for (name, value), colour in zip(draws.items(), COLOURS, strict=False):
            axes.hist(np.ravel(value), edges, density=True, histtype="step", color=colour, linewidth=1.4, label=name)
        for name in marked:
            axes.axvline(marked[name], color=GREY, linestyle="--", linewidth=1.0, label=name)
        axes.set(xlabel=label, ylabel="posterior density", title=title, yticks=[])
        axes.legend(loc="upper right")
    return figure


# %%
def fit(name):
    """Sample a model and say whether it converged."""
    trace = sample(declare(name, games, "described"), **settings)
    total = trace["sample_stats"]["log_likelihood_total"]
    print(f"{name}: {trace.attrs['verdict']}, -mean log L {-float(total.mean()):.1f}")
    return trace


def says(trace, name, scale=1.0):
    """Posterior mean, sd and 95% interval of a scalar."""
    draws = scale * trace["posterior"][name].to_numpy().ravel()
    low, high = np.quantile(draws, (0.025, 0.975))
    return {"mean": draws.mean(), "sd": draws.std(ddof=1), "low": low, "high": high, "draws": draws}


names = (
    "davidson-common",
    "davidson-scaled",
    "davidson-pooled",
    "davidson-all-draws",
    "davidson-walk-scaled",
)
traces = {name: fit(name) for name in names}

# %% [markdown]
# ## 1. The scale of the anchors
#
# A FIDE rating turned into natural units by ln 10 / 400 belongs to Elo's curve, whose slope between equals is 1/4.
# Davidson's has 1 / (2 (2 + e^lam)): with half the games drawn, strengths must lie more than twice as far apart for
# the same score. `davidson-scaled` learns the factor kappa between the two and puts its ratings back on the FIDE scale.

# %%
kappa = says(traces["davidson-scaled"], "anchor_scale")
lam = float(traces["davidson-common"]["posterior"]["log_draw"].mean())
log_likelihood = {n: float(t["sample_stats"]["log_likelihood_total"].mean()) for n, t in traces.items()}
gain = log_likelihood["davidson-scaled"] - log_likelihood["davidson-common"]
best = {n: t["posterior"]["rating_elo"].mean(("chain", "draw")).to_series().nlargest(3) for n, t in traces.items()}
print(
    f"kappa {kappa['mean']:.2f} (95% {kappa['low']:.2f} to {kappa['high']:.2f}), "
    f"by the slopes {(2 + np.exp(lam)) / 2:.2f}"
)
print(f"gain in mean log L over davidson-common: {gain:.1f}")
display(pd.DataFrame({n: [f"{p} {r:.0f}" for p, r in b.items()] for n, b in best.items()}))
density({"kappa": kappa["draws"]}, "anchor scale kappa", "Scale of FIDE ratings", {"the study's rule": 1.0})

# %% [markdown]
# On the study's games kappa is 2.1 (95% 1.8 to 2.4), far from 1, the study's rule; the mean log likelihood rises by 27,
# from -6200 to -6173, and leave-one-out by 26 +- 8. Carlsen, about 3,145 on the study's scale, is about 2,885 in Elo
# points. On later games there is no significant gain: -0.6 +- 0.6 on set A, +1.2 +- 3.0 on B, below.
# `davidson-scaled-level` learns mu as well; its posterior there is its prior (2705 with sd 100) and kappa is the same:
# these games do not identify the level.
#
# The models below use scaled anchors, so that a draw slope or a walk cannot replace them.
#
# ### All of them on the test sets
#
# Log predictive density, higher is better; differences to davidson-common with paired standard errors over games. Set
# A has only monitored players, so a scale of anchors can help there only through the strengths; B has opponents known
# by rating alone.


# %%
def with_rapid(table):
    """The games with the covariate `rapid`, 1 for the World Rapid and Blitz Championship."""
    event = np.full(len(table), "") if table.event is None else table.event
    return replace(table, covariates={**table.covariates, "rapid": (np.char.find(event, "WRBC") >= 0).astype(float)})


def in_months(table):
    """The games with the numbers of their months from January 2010, by which the training games count."""
    if table.period is not None:
        return table
    month = table.date.astype("datetime64[M]") - np.datetime64("2010-01")
    return replace(table, period=month.astype(np.int64) + 1)


rows = []
predicted = {}
for label, table in (("A", in_months(test_a)), ("B", in_months(test_b))):
    for name, trace in traces.items():
        predicted[label, name] = lpd_per_game(forecast(trace, table, thin=4).log_predictive)
    for name in traces:
        gap = mean_difference(predicted[label, name], predicted[label, "davidson-common"])
        n = gap.games
        rows.append((label, name, predicted[label, name].sum(), n * gap.mean, n * gap.standard_error))
on_test = pd.DataFrame(rows, columns=["set", "model", "lpd", "difference", "standard_error"]).set_index(
    ["set", "model"]
)
display(on_test.round(2))

# %% [markdown]
# ### Leave-one-out by game

# %%
left_out = {}
for name, trace in traces.items():
    left_out[name] = leave_one_out(each_game(trace)["score"].to_numpy())
display(
    pd.DataFrame(
        {
            name: {
                "elpd": loo.elpd,
                "se": loo.standard_error,
                "difference": loo.elpd - left_out["davidson-common"].elpd,
                "paired se": len(games)
                * mean_difference(loo.elpd_per_game, left_out["davidson-common"].elpd_per_game).standard_error,
                "p_loo": loo.effective_parameters,
                "largest k": loo.pareto_k.max(),
            }
            for name, loo in left_out.items()
        }
    ).T.round(2)
)

# %% [markdown]
# No Pareto k exceeds 0.7: a single game among thousands moves little.
#
# ## 2. White's advantage by player
#
# `davidson-pooled` draws each player's half advantage from a population with a learned spread. The study gave each
# player a free one. If the spread's posterior piles up at zero, players have not been shown to differ.

# %%
points = DAVIDSON.elo_per_natural(traces["davidson-pooled"]["posterior"]["log_draw"].to_numpy().ravel())
spread = says(traces["davidson-pooled"], "advantage_spread", points)
pooled_gain = mean_difference(left_out["davidson-pooled"].elpd_per_game, left_out["davidson-common"].elpd_per_game)
print(f"spread of half advantages {spread['mean']:.1f} Elo (95% {spread['low']:.1f} to {spread['high']:.1f})")
print(f"elpd, pooled less common: {len(games) * pooled_gain.mean:.2f} +- {len(games) * pooled_gain.standard_error:.2f}")
differ = spread["low"] > 1.0  # less than 1 Elo is nobody's advantage
beats = pooled_gain.mean > 2 * pooled_gain.standard_error
print("Players differ." if differ and beats else "These games do not decide whether players differ.")
density({"half advantage": spread["draws"]}, "spread between players (Elo points)", "White's advantage")

# %% [markdown]
# On the study's games the spread piles up at zero (mean 4 Elo, 95% 0.2 to 9), and pooling loses 0.9 +- 0.5 of
# leave-one-out: these games do not decide whether players differ. A spread of half advantages above some 10 Elo can
# be ruled out.
#
# ## 3. Draws
#
# `davidson-all-draws` lets the draw parameter grow with the pair's mean strength (Glickman 2025) and gives each player
# a pooled drawing tendency.

# %%
slope = says(traces["davidson-all-draws"], "draw_slope")
tendency = says(traces["davidson-all-draws"], "draw_tendency_spread")
draws_gain = mean_difference(left_out["davidson-all-draws"].elpd_per_game, left_out["davidson-scaled"].elpd_per_game)
print(f"slope {slope['mean']:.3f} (95% {slope['low']:.3f} to {slope['high']:.3f}) per natural unit of mean strength")
print(f"spread of drawing tendencies {tendency['mean']:.3f} (95% {tendency['low']:.3f} to {tendency['high']:.3f})")
print(f"elpd less davidson-scaled: {len(games) * draws_gain.mean:.1f} +- {len(games) * draws_gain.standard_error:.1f}")
strange = {}
for name in ("davidson-scaled", "davidson-all-draws"):
    rows = declare(name, games, "described").game_rows
    strange[name] = predictive_checks(reading_of(traces[name]), rows, games.games.outcome).p
print("posterior predictive p values, small where games are not like those of the model")
display(pd.DataFrame(strange).round(3))

# %%
density({"slope": slope["draws"], "spread of tendencies": tendency["draws"]}, "draw parameter", "Draws", {"none": 0.0})

# %% [markdown]
# On the study's games draws grow with strength (slope 0.32, 95% 0.19 to 0.46) and players differ in drawing (spread
# 0.27, 95% 0.20 to 0.36); together they gain 59 +- 12 of leave-one-out. With one tendency for all, a predictive check
# finds that players differ in draw rates; with individual tendencies it does not. The test sets are too small to
# confirm it: +0.3 +- 4.0 on A and +4.1 +- 5.1 on B against davidson-common.
#
# ## 4. Ratings that move
#
# `davidson-walk-scaled` lets every strength walk from month to month with a learned spread.

# %%
innovation = says(traces["davidson-walk-scaled"], "innovation_spread", ELO_PER_NATURAL / kappa["mean"])
print(f"movement {innovation['mean']:.1f} Elo a month (95% {innovation['low']:.1f} to {innovation['high']:.1f})")

# %% tags=["thumbnail"]
walk_posterior = traces["davidson-walk-scaled"]["posterior"].to_dataset()
leaders = list(best["davidson-walk-scaled"].index)
by_month = statements.ratings_by_month(walk_posterior).set_index("player")
with house_style():
    figure, (axes,) = new_figure(7.0, 4.2)
    for leader in leaders:
        rows = by_month.loc[leader]
        axes.plot(rows["month"], rows["mean"], label=leader)
        axes.fill_between(rows["month"], rows["low"], rows["high"], alpha=0.12, linewidth=0)
    axes.set(xlabel="month", ylabel="rating (Elo points), 95% interval")
    axes.legend()
figure

# %% [markdown]
# On the study's games ratings hardly move, 2.3 Elo a month (95% 0.1 to 6.3). Three years of players at the top are too
# short, or too steady, for a walk; `halfpoint backtest --models davidson-scaled,davidson-walk-scaled` compares
# forecasts of each month by both models.
#
# ## Rapid and blitz
#
# The 2013 games include the World Rapid and Blitz Championship. With the games of both files, `davidson-rapid-scaled`
# estimates the effect of rapid and blitz on White's advantage and on draws, as a formula on a column of the games.

# %%
if real:
    both = with_rapid(concatenate(with_periods(train), with_periods(test_b, first="2010-01")))
else:
    rng = np.random.default_rng(1)
    both = replace(train, covariates={"rapid": (rng.random(len(train)) < 0.05).astype(float)})
all_games = select(both, monitored_names())
rapid = sample(declare("davidson-rapid-scaled", all_games, "described"), **settings)
count = int(both.covariates["rapid"].sum())
print(rapid.attrs["verdict"], f"{count} rapid and blitz games")
effects = {target: says(rapid, f"{target}_effect") for target in ("advantage", "log_draw")}
for target, effect in effects.items():
    print(f"{target}: {effect['mean']:+.2f} (95% {effect['low']:+.2f} to {effect['high']:+.2f}) natural units")
density(
    {k: v["draws"] for k, v in effects.items()},
    "effect of rapid and blitz (natural units)",
    "Rapid and blitz",
    {"none": 0.0},
)

# %% [markdown]
# In the 314 rapid and blitz games draws are fewer, log_draw lower by 1.08 (95% 0.83 to 1.33); White's advantage seems
# smaller, by 0.23 (-0.08 to 0.54), which is not significantly different from 0.
#
# ## Priors
#
# Prior predictive quantities of the study's stated priors and of these models; then the sensitivity of the scaled
# model's posterior to its prior (values above 0.05 deserve a look).

# %%
display(prior_table(declare("davidson-common", games, "described")).round(1))
display(prior_table(declare("davidson-population-scaled", games)).round(1))
scaled = with_groups(traces["davidson-scaled"], declare("davidson-scaled", games, "described"), ["log_prior"])
display(sensitivity(scaled, ["anchor_scale", "advantage", "log_draw"]))

# %% [markdown]
# ## Statements
#
# The strongest player, a match, and a tournament, from one trace.

# %%
scaled = traces["davidson-all-draws"]
rating = scaled["posterior"].to_dataset()["rating_elo"]
print(statements.best(rating).head(5).round(3))
one, two = best["davidson-all-draws"].index[:2]
print(f"P({one} stronger than {two}) = {statements.stronger(rating, one, two):.3f}")
print(matches.match(scaled, one, two, "WBWBWBWBWBWB").round(3))
print(tournaments.round_robin(scaled, list(best["davidson-all-draws"].index), cycles=2, seed=1).round(3))
print(az.summary(scaled["posterior"].to_dataset()[["anchor_scale", "draw_slope", "advantage", "log_draw"]]))

# %%
for name, trace in {**traces, "rapid": rapid}.items():
    assert trace.attrs["divergences"] == 0, name
    assert trace.attrs["max_rhat"] < largest_rhat, (name, trace.attrs["max_rhat"])
assert max(loo.pareto_k.max() for loo in left_out.values()) < 0.7
if real:
    assert 1.7 < kappa["mean"] < 2.5
    assert kappa["low"] > 1.5
    assert gain > 25
    assert 2840 < best["davidson-scaled"].iloc[0] < 2940
    assert slope["low"] > 0
    assert tendency["low"] > 0.1
    assert strange["davidson-all-draws"]["player"] > strange["davidson-scaled"]["player"]
    assert effects["log_draw"]["high"] < 0
else:  # the truth of the replica, within three and a half posterior standard deviations
    assert abs(kappa["mean"] - 1) < 3.5 * kappa["sd"]
    assert abs(slope["mean"]) < 3.5 * slope["sd"]
    assert tendency["low"] < 0.1
    assert all(abs(effect["mean"]) < 3.5 * effect["sd"] for effect in effects.values())
