"""One game between two players of a trace: chances and expected score, by the formula on the draws."""

import numpy as np
import pytest
from rating_games import simulated

from halfpoint.evaluation.matches import expected_score, game
from halfpoint.inference.fit import fit
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select


@pytest.fixture(scope="module", params=["davidson-common", "bt-common"])
def trace(request):
    games, _ = simulated(5, players=5, games=150)
    return fit(declare(request.param, select(games, games.players)), "normal", draws=100, chains=2, seed=1)


def test_the_expected_score_is_that_of_the_formula(trace):
    white, black = trace["posterior"]["player"].to_numpy()[[0, 3]].tolist()
    p = {name: trace["posterior"][name] for name in trace["posterior"].data_vars}
    gap = p["strength"].sel(player=white) - p["strength"].sel(player=black) + p["advantage"]
    tie = np.exp(p["log_draw"]) if "log_draw" in p else 0.0
    loss, draw, win = np.exp(-gap / 2), tie + 0.0 * gap, np.exp(gap / 2)
    total = loss + draw + win
    assert expected_score(trace, white, black) == pytest.approx(float(((win + draw / 2) / total).mean()), rel=1e-5)
    chances = [float((part / total).mean()) for part in (loss, draw, win)]
    assert game(trace, white, black) == pytest.approx(chances, rel=1e-5)
