"""The scale of anchors on the study's games, against an independent calculation of the largest log likelihood."""

from dataclasses import replace

import numpy as np
import pytest

from halfpoint.games.cells import merge
from halfpoint.games.datasets.study import monitored, training
from halfpoint.games.select import select
from halfpoint.games.units import to_elo
from halfpoint.inference.approximate import parameters_of
from halfpoint.inference.laplace import laplace
from halfpoint.models.anchor_scale import on_fide_scale
from halfpoint.models.beyond import EXTENDED, rows_of
from halfpoint.models.board import log_probability
from halfpoint.models.davidson import Priors
from halfpoint.models.extended import scores

FLAT = Priors(strength=(15.0, 1e4), advantage=(0.0, 1e4), log_draw=(0.0, 1e4))


@pytest.mark.real
def test_largest_log_likelihood_by_scale() -> None:
    """Independent values: -6176.1 at kappa 1, -6148.5 at 2, -6148.8 at 2.25; Carlsen about 2,890 at 2, Elo points."""
    selection = select(training(), monitored())
    rows = rows_of(EXTENDED["davidson-scaled"], selection)
    for kappa, expected in ((1.0, -6176.1), (2.0, -6148.5), (2.25, -6148.8)):
        scaled = replace(selection, anchor_elo=2705.0 + kappa * (selection.anchor_elo - 2705.0))
        found = laplace(merge(scaled), "davidson", "common", FLAT)
        mode = parameters_of(found.target, found.mode.position, (), {})
        p = {name: mode[name].to_numpy()[None] for name in ("strength", "advantage", "log_draw")}
        p["anchor_scale"] = np.array([kappa])  # our formula scales the anchors; the mode was found with scaled ones
        logs = log_probability(scores(EXTENDED["davidson-scaled"], p, rows), (0, 1, 2))[0]
        total = logs[np.arange(len(selection)), selection.games.outcome].sum()
        assert total == pytest.approx(expected, abs=0.06)  # printed to one decimal
        if kappa == 2.0:
            rating = to_elo(np.asarray(on_fide_scale(p["strength"][0], kappa)))
            assert rating[selection.players.tolist().index("CarlsenMagnus")] == pytest.approx(2890, abs=5)
            assert rating.argmax() == selection.players.tolist().index("CarlsenMagnus")
