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
# # Posterior to NetCDF and back
#
# A trace is a file that any program can read: NetCDF with the groups ArviZ expects. The file appears only when
# complete, and contains everything needed to check it and to forecast.

# %%
import os
import tempfile
from pathlib import Path

import arviz as az
import numpy as np
import xarray as xr

from halfpoint.evaluation.figures.style import COLOURS, house_style, new_figure
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.forecast import forecast
from halfpoint.inference.sample import sample
from halfpoint.inference.traces.netcdf import read, write
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select
from halfpoint.readers.datasets.replica import replica
from halfpoint.readers.datasets.study import monitored_names, set_a, training

# %%
REAL = os.environ.get("HALFPOINT_NOTEBOOK_DATA") == "real"

selection = select(training() if REAL else replica().training, monitored_names())
trace = sample(declare("davidson-common", selection, "described"))
path = write(trace, Path(tempfile.mkdtemp(prefix="halfpoint-trace-")) / "davidson-common.nc")
print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB")

# %% [markdown]
# ## Back again
#
# With halfpoint, which checks that the file is one of its own,

# %%
again = read(path)
print("groups:", ", ".join(again.children))
for name in ("model", "edition", "weighting", "data_name", "seed", "verdict", "versions"):
    print(f"{name}: {again.attrs[name]}")

# %% [markdown]
# with ArviZ,

# %%
az.summary(az.from_netcdf(path), var_names=["advantage", "log_draw"], round_to=3)

# %% [markdown]
# and with plain xarray.

# %%
with xr.open_dataset(path, group="posterior", engine="h5netcdf") as posterior:
    ratings = posterior["rating_elo"].load()
best = ratings.mean(("chain", "draw")).to_series().nlargest(5)
best.round(1)

# %% tags=["thumbnail"]
with house_style():
    figure, (axes,) = new_figure(6.4, 3.4)
    for name, colour in zip(best.index[:3], COLOURS, strict=False):
        axes.hist(np.ravel(ratings.sel(player=name)), 60, density=True, histtype="step", color=colour, label=name)
    title = "Three players, as the file has them" + ("" if REAL else " (SIMULATED games)")
    axes.set(xlabel="rating, Elo points", ylabel="posterior density", yticks=[], title=title)
    axes.legend(loc="upper right")
figure

# %% [markdown]
# ## A file that is not a trace
#
# A damaged file gives one line.

# %%
torn = path.with_name("torn.nc")
torn.write_bytes(path.read_bytes()[:1000])
try:
    read(torn)
    told = ""
except InferenceError as error:
    told = str(error)
print(told)

# %% [markdown]
# ## The headline
#
# Nothing is lost on the way: the draws are the same to the last bit, and a forecast from the file is the forecast from
# memory.

# %%
for name, drawn in trace["posterior"].data_vars.items():
    np.testing.assert_array_equal(again["posterior"][name].to_numpy(), drawn.to_numpy())
new = set_a() if REAL else replica().set_a
np.testing.assert_array_equal(forecast(path, new).probability, forecast(trace, new).probability)
assert "cannot be read" in told
