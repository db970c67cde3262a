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
# # Rate a club
#
# A winter at a chess club: twelve members, each pair four times, a PGN file. Who is the strongest, how certain is that,
# and how would a match end? The games are simulated, so that the truth is known.

# %%
import tempfile
from pathlib import Path

import numpy as np
from IPython.display import display

import halfpoint as hp
from halfpoint.apps.study.figures.ratings import caterpillar
from halfpoint.apps.workflows.write_pgn import pgn_games
from halfpoint.evaluation.figures.style import ORANGE, new_figure
from halfpoint.evaluation.statements import stronger_table
from halfpoint.models.games.simulate import Truth, round_robin, simulate
from halfpoint.models.games.units import to_natural

MEMBERS = ["Ana", "Bram", "Chiara", "Dov", "Elif", "Frida", "Goran", "Hana", "Iker", "Jana", "Kofi", "Lena"]
LOG_DRAW = -0.1
WIDER = 1 + np.exp(LOG_DRAW) / 2  # natural units of Davidson's model for one of Elo's, which draws make flatter

# %% [markdown]
# ## The games
#
# Take your own file instead: `hp.rate("club.pgn")` reads PGN, CSV and Parquet, plain or compressed.

# %%
chance = np.random.default_rng(14)
true_elo = 1500 + 130 * chance.standard_normal(len(MEMBERS))
truth = Truth(np.array(MEMBERS), to_natural(true_elo) * WIDER, to_natural(35.0) * WIDER, LOG_DRAW)
file = Path(tempfile.mkdtemp(prefix="halfpoint-club-")) / "club.pgn"
file.write_text("".join(pgn_games(simulate(truth, round_robin(12, 4), chance, "club"))), encoding="utf-8")
rated = hp.rate(file, seed=1)
print(rated.about["data"], "(SIMULATED)", rated.about["model"])

# %% [markdown]
# ## The list
#
# No player in the file has a rating, so the average member has 1500 by convention.

# %%
display(rated.frame.round(0))
print(rated.note)

# %% tags=["thumbnail"]
listed = rated.frame.rename(columns={"player": "name", "rating_elo": "mean", "low_elo": "low", "high_elo": "high"})
listed = listed.sort_values("mean", ignore_index=True)
figure = caterpillar(
    listed, "rating, Elo points", "A club (SIMULATED), 95% intervals; crosses: the truth", best_line=True
)
true = dict(zip(MEMBERS, 1500 + true_elo - true_elo.mean(), strict=True))
figure.axes[0].plot([true[name] for name in listed["name"]], range(len(listed)), "x", color=ORANGE)
figure

# %% [markdown]
# ## Who is stronger than whom
#
# Intervals of two members may overlap and one may still almost certainly be stronger: their errors are not independent.

# %%
order = rated.frame["player"].tolist()
stronger = stronger_table(rated.trace["posterior"]["rating_elo"]).sel(player=order, other=order)
figure, (axes,) = new_figure(5.4, 4.4)
axes.set_yticks(range(len(order)), order)
axes.set_xticks(range(len(order)), order, rotation=90)
axes.set_title("P(row's member stronger than column's)")
figure.colorbar(axes.imshow(stronger, cmap="Purples", vmin=0, vmax=1))
figure

# %% [markdown]
# ## A match

# %%
first, second = order[:2]
played = hp.match(rated.trace, first, second, games=6)
print(played.note)
played.frame.round(1)

# %% [markdown]
# ## What should have been seen

# %%
inside = [row.low_elo <= true[row.player] <= row.high_elo for row in rated.frame.itertuples()]
print(f"{sum(inside)} of {len(inside)} intervals of 95% hold the truth")
assert rated.converged
assert sum(inside) >= 9
assert np.isclose(played.frame["probability_percent"].sum(), 100)
