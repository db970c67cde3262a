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
# # Forecasts and their scores
#
# A posterior and new games give probabilities; the results score them. Bradley-Terry forecasts an expected score
# only, Davidson three outcomes: what they have in common is the expected score.

# %%
import os

import numpy as np
import pandas as pd

from halfpoint.apps.study.judged_sets import scores_per_game
from halfpoint.apps.study.references import rating_neg2_loglik
from halfpoint.evaluation.calibration_curves import calibration_of_outcomes
from halfpoint.evaluation.differences import mean_difference
from halfpoint.evaluation.figures.backtest import figure_calibration
from halfpoint.inference.forecast import IMPUTATIONS, Rule, forecast
from halfpoint.inference.sample import sample
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select
from halfpoint.readers.datasets.replica import replica
from halfpoint.readers.datasets.study import COVARIATES, monitored_names, set_b, training

# %%
REAL = os.environ.get("HALFPOINT_NOTEBOOK_DATA") == "real"

train = training() if REAL else replica().training
new = set_b() if REAL else replica().set_b
selection = select(train, monitored_names())
december = tuple(new.covariates[name] for name in COVARIATES)  # White's and Black's rating in the December 2012 list
traces = {
    name: sample(declare(name, selection, "computed")) for name in ("bt-common", "davidson-common", "davidson-player")
}

# %% [markdown]
# ## One game at a time
#
# A player without an estimate is anchored to their FIDE rating. `table` has posterior means and 95% intervals.

# %%
told = {name: forecast(trace, new, Rule(), *december) for name, trace in traces.items()}
told["davidson-common"].table().head(8).round(3)

# %% [markdown]
# ## The advantage of a player the model does not know
#
# If each player has an advantage, an unknown player gets zero, the mean, or minus the opponent's.

# %%
imputed = {rule: forecast(traces["davidson-player"], new, Rule(rule), *december) for rule in IMPUTATIONS}
pd.DataFrame({rule: one.mean_expected for rule, one in imputed.items()})[~imputed["zero"].both_known].head(6).round(3)

# %% [markdown]
# ## Scores
#
# Set A: both players have estimates. Lower is better; differences to `bt-common` with paired standard errors.

# %%
rows = told["bt-common"].both_known
outcome = new.outcome[rows]
scores = {}
for name, one in told.items():
    probability = None if one.mean_probability is None else one.mean_probability[rows]
    scores[name] = scores_per_game(one.mean_expected[rows], probability, outcome)
lines = []
for name, score in scores.items():
    gap = mean_difference(score["deviance_score"], scores["bt-common"]["deviance_score"])
    line = {column: values.mean() for column, values in score.items() if column != "rmse_score"}
    line |= {"rmse_score": np.sqrt(score["rmse_score"].mean())}
    lines.append({"name": name} | line | {"deviance difference": gap.mean, "standard error": gap.standard_error})
pd.DataFrame(lines).round(4)

# %% [markdown]
# ## Calibration

# %% tags=["thumbnail"]
part = told["davidson-common"].mean_probability[rows]
table = calibration_of_outcomes(part, outcome, 6)
table["system"] = np.where(table["event"] == "expected_score", "score", "outcomes")
figure_calibration(table, ["outcomes", "score"], "davidson-common, set A")

# %% [markdown]
# ## The headline
#
# -2 mean log predictive of set A, the study's measure. On the real games: 570.66 for `bt-common` and 795.47 for
# `davidson-common`, and 570.46 for the FIDE list. In half-points a forecast of 1/2 for every game has 569.8 there:
# among players of one class and with many draws, half-points leave little to forecast.

# %%
measure = {name: -2 * one.log_predictive[..., rows].sum(axis=-1).mean() for name, one in told.items()}
listed = rating_neg2_loglik(december[0][rows], december[1][rows], new.score[rows])
print({name: round(float(value), 2) for name, value in measure.items()}, f"FIDE list {listed:.2f}")
assert measure["davidson-common"] < 2 * rows.sum() * np.log(3)  # better than knowing nothing
if REAL:
    assert rows.sum() == 411
    assert abs(measure["bt-common"] - 570.66) < 0.3
    assert abs(measure["davidson-common"] - 795.47) < 0.4
    assert abs(listed - 570.46) < 0.005
