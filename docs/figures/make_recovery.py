"""Draw recovery.png: estimates of a Davidson model on the SIMULATED replica, compared with the true values.

Run as `python docs/figures/make_recovery.py`; needs no data and half a minute.
"""

from pathlib import Path

import matplotlib as mpl
import numpy as np

from halfpoint.inference.sample import sample
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.formulas.davidson import DAVIDSON
from halfpoint.models.games.select import select
from halfpoint.models.games.units import to_elo
from halfpoint.readers.datasets.replica import replica
from halfpoint.readers.datasets.study import study_players

mpl.use("Agg")
import matplotlib.pyplot as plt

SHOWN = 20
INK, TRUTH = "#1f4e79", "#c0392b"


def main():
    """Sample `davidson-player` on the replica and draw ratings and advantages of the strongest players."""
    copy = replica()
    games = select(copy.training, copy.monitored)
    trace = sample(declare("davidson-player", games, "described"), pointwise_draws=0)
    assert trace.attrs["converged"], trace.attrs["verdict"]
    posterior = trace["posterior"]
    found = {"rating": posterior["rating_elo"], "advantage": posterior["advantage_elo"]}
    level, point = np.nanmean(games.anchor_elo), DAVIDSON.elo_per_natural(copy.truth.log_draw)
    share = point / to_elo(1.0)
    true = {
        "rating": level + share * (to_elo(copy.truth.strength[:46]) - level),
        "advantage": 2 * point * copy.truth.advantage[:46],
    }
    order = np.argsort(-found["rating"].mean(("chain", "draw")).to_numpy())[:SHOWN]
    figure, axes = plt.subplots(1, 2, figsize=(9, 5.2), sharey=True, layout="constrained")
    titles = {"rating": "rating, Elo points", "advantage": "White's advantage between two alike, Elo points"}
    for axis, (quantity, title) in zip(axes, titles.items(), strict=True):
        draws = found[quantity].to_numpy().reshape(-1, 46)[:, order]
        low, high = np.quantile(draws, (0.025, 0.975), axis=0)
        axis.hlines(range(SHOWN), low, high, color=INK, linewidth=2)
        axis.plot(draws.mean(axis=0), range(SHOWN), "o", color=INK, markersize=4, label="posterior mean, 95% interval")
        axis.plot(true[quantity][order], range(SHOWN), "x", color=TRUTH, markersize=6, label="simulated truth")
        axis.set_xlabel(title)
        axis.grid(axis="x", alpha=0.3)
        axis.spines[["top", "right", "left"]].set_visible(False)
        axis.tick_params(axis="y", length=0)
    names = study_players()["name"].to_numpy()
    axes[0].set_yticks(range(SHOWN), names[order])
    axes[0].invert_yaxis()
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2, frameon=False)
    count = len(games)
    figure.suptitle(f"Davidson, an advantage for each player: {count:,} SIMULATED games", fontsize=11)
    figure.savefig(Path(__file__).with_name("recovery.png"), dpi=110)


if __name__ == "__main__":
    main()
