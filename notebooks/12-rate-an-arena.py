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
# # Rate an arena
#
# Twelve language models, eight thousand battles with forty judges. The battles are simulated, so that the truth is
# known: being shown first is worth something, longer answers win more than they should, some models are wordy, and
# judges differ in sharpness. Three questions:
#
# 1. Which models differ at all?
# 2. What is the error without adjustment for position and length?
# 3. What should be judged next?
#
# The last cell asserts what should be seen.

# %%
import numpy as np
import pandas as pd
from IPython.display import display

from halfpoint.apps.fields.arena import leaderboard, next_comparisons
from halfpoint.apps.fields.arena.checks import half_tie
from halfpoint.apps.fields.arena.simulate import simulate_arena
from halfpoint.apps.study.figures.ratings import caterpillar
from halfpoint.models.games.units import to_elo

arena = simulate_arena(models=12, battles=8000, judges=40, seed=12, length_elo=80.0)
scale = 2.0 / (2.0 + np.exp(arena.log_draw))  # what ties leave of 400 / ln 10 points a natural unit
truth = to_elo(arena.strength) * scale
display(arena.battles.head())

# %% [markdown]
# ## The board
#
# One call reads the battles (a file or a frame with the columns of an arena), fits a Davidson model with a population
# of strengths, a position effect, the length of the answers and the judges' habits and sharpness, and audits the whole.

# %% tags=["thumbnail"]
board = leaderboard(arena.battles, style=["length"], judges=True, method="normal")
display(board.frame.round(1))
rated = pd.DataFrame({
    "name": [f"{row.model}, tier {row.tier}" for row in board.frame.itertuples()],
    "mean": board.frame["rating_elo"], "low": board.frame["low_elo"], "high": board.frame["high_elo"],
})  # fmt: skip
display(caterpillar(rated[::-1], "Elo points, 95% intervals", "Ratings (SIMULATED)", best_line=False))

# %% [markdown]
# In a tier no model is separated from its leader at a posterior probability of 0.95. A list of ranks would show twelve
# different places.

# %%
print(board.note)
for finding in board.audit:
    print(f"{'FOUND ' if finding.found else ''}{finding.name}: {finding.words}")

# %% [markdown]
# ## Effects other than strength
#
# The simulation gives 25 points of 400 / ln 10 a natural unit for being shown first, 80 for a standard deviation of
# length; in Elo points, which mean expected scores, ties leave about six tenths of that.

# %%
display(board.style.round(2))
worth = board.style.rename(columns={"what": "name", "effect_elo": "mean", "low_elo": "low", "high_elo": "high"})
display(caterpillar(worth, "Elo points, 95% intervals", "Effects other than strength (SIMULATED)", best_line=False))
planted = {"first shown": to_elo(arena.position) * scale, "length": to_elo(arena.length) * scale}

# %% [markdown]
# ## Half a win for a tie, and no style
#
# The usual way: Bradley-Terry by maximum likelihood, a tie as half a win, without adjustment. Its errors are due to
# position and length, not to the models.

# %%
everything = np.ones(len(board.board.games), dtype=bool)
plain = pd.Series(to_elo(half_tie(board.board, everything)), board.board.games.players)
ours = board.frame.set_index("model")["rating_elo"] - 1500.0  # a board's average is put at 1500
table = pd.DataFrame({"truth": truth, "this board": ours, "half-tie, no style": plain}).loc[ours.index]
display(table.round(0))
errors = {name: float(np.sqrt(((table[name] - table["truth"]) ** 2).mean())) for name in table.columns[1:]}
print({name: round(error, 1) for name, error in errors.items()}, "Elo, root mean square error")
display(board.scores.round(4))

# %% [markdown]
# ## What to judge next

# %%
following = next_comparisons(board.trace, pairs=5, judgements=50)
display(following.frame.round(2))
print(following.note)

# %% [markdown]
# ## What should have been seen

# %%
assert abs(ours.mean()) < 1e-6
away = (ours - truth[ours.index]) / board.frame.set_index("model")["sd_elo"]
assert np.abs(away).max() < 4
assert errors["this board"] < errors["half-tie, no style"]
style = board.style.set_index("what")
for name, value in planted.items():
    assert abs(style["effect_elo"][name] - value) < 4 * style["sd_elo"][name]
half = board.scores.set_index("system").loc["half-tie Bradley-Terry"]
assert half["difference"] > 0
assert not next(one for one in board.audit if one.name == "intransitivity").found
assert following.frame["left_percent"].is_monotonic_decreasing
