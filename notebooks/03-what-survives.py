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
# # What survives
#
# The study's conclusions, each tested in three editions: `computed` (the rules with which the printed numbers were
# computed), `described` (the rules of its text) and `corrected` (weights of mean 1, full penalties, test sets split
# into classical and rapid games). One command does it all; here its tables are read.

# %%
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pandas as pd
from IPython.display import Image, display

from halfpoint.evaluation.figures.style import BLUE, GREY, ORANGE, new_figure

REAL = os.environ.get("HALFPOINT_NOTEBOOK_DATA") == "real"

# %% [markdown]
# ## The study, run
#
# By default four models on the simulated replica; on the real games all twelve.

# %%
folder = Path(tempfile.mkdtemp(prefix="halfpoint-study-"))
options = ["--edition", "all", "--quiet", "--out", str(folder)]
if not REAL:
    few = "bt,bt-common,davidson-common,davidson-player"
    options += ["--replica", "--models", few]
done = subprocess.run(
    [str(Path(sys.executable).with_name("halfpoint")), "study", *options], capture_output=True, text=True, check=False
)
assert done.returncode == 0, done.stderr
print("\n".join(line for line in done.stdout.splitlines() if str(folder) in line).replace(f"{folder}/", ""))

# %% [markdown]
# ## Conclusions

# %%
claims = pd.read_csv(folder / "tables" / "claims.csv").set_index("claim")
claims[["verdict", "computed", "described", "corrected"]].fillna("")

# %%
for name, row in claims.iterrows():
    print(f"{name}: {row['verdict'].upper()}\n    {row['why']}\n")

# %% [markdown]
# ## What a full penalty does
#
# The study's AICM used the variance of one game in place of that of all games: a penalty near zero in place of about
# twice the number of parameters. Ranks within a family and weighting, by both:

# %%
penalty = pd.read_csv(folder / "tables" / "penalty.csv")
penalty[penalty["edition"] == "corrected"].drop(columns="edition").round(1)

# %% tags=["thumbnail"]
part = penalty[penalty["edition"] == "corrected"].iloc[::-1].reset_index(drop=True)
figure, panels = new_figure(7.6, 3.2, columns=2)
for panel, family in zip(panels, ("bradley_terry", "davidson"), strict=True):
    rows = part[part["family"] == family].reset_index(drop=True)
    panel.hlines(rows.index, rows["aicm_printed"], rows["aicm"], color=GREY, linewidth=1.2)
    panel.plot(rows["aicm_printed"], rows.index, "s", color=ORANGE, label="penalty as printed")
    panel.plot(rows["aicm"], rows.index, "o", color=BLUE, label="in full")
    panel.set_yticks(rows.index, rows["name"].tolist())
    panel.set(xlabel="AICM, lower is better", ylim=(-0.6, len(rows) - 0.4))
    panel.margins(x=0.15)
    panel.locator_params(axis="x", nbins=4)
    panel.grid(axis="y", visible=False)
where = "the study's games" if REAL else "SIMULATED games"
figure.suptitle(f"What a full penalty does, edition corrected, {where}", fontsize=10)
figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
figure

# %% [markdown]
# ## Its figures
#
# A run draws the figures of thesis and paper and a few of its own; `figures.json` describes each, and the report names
# the printed figure. Two of them:

# %%
for name in ("scores", "scatter"):
    display(Image(folder / "figures" / f"{name}.png", width=700))

# %% [markdown]
# ## The headline
#
# FIDE ratings alone underestimate White's score, on simulated games (by construction) and on real games. The finding
# that Davidson models want an advantage for each player came from a narrow prior: it holds in `computed` and falls in
# `corrected`.

# %%
assert (penalty["aicm"] > penalty["aicm_printed"]).all()
assert claims.loc["Elo underestimates White", "verdict"] == "holds"
if REAL:
    assert claims.loc["one advantage per player is best for Davidson", "computed"] == "holds"
    assert claims.loc["one advantage per player is best for Davidson", "verdict"] == "falls"
    assert claims.loc["one advantage is best for Bradley-Terry", "verdict"] == "holds"
print("The report:", (folder / "report.html").name)
