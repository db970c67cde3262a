"""Match by a half-point model: the expected score, compared with the same posterior in NumPy."""

import numpy as np
import pytest

import halfpoint as hp
from halfpoint.apps.workflows.answers import match


@pytest.fixture(scope="module")
def rated():
    return hp.rate(hp.load("club"), model="bt-common", method="normal", draws=400, chains=2)


def test_the_expected_score_is_that_of_the_draws(rated):
    posterior = rated.trace["posterior"].to_dataset()
    one, other = posterior["player"].to_numpy()[:2].tolist()
    gap = (posterior["strength"].sel(player=one) - posterior["strength"].sel(player=other)).to_numpy()
    lead = posterior["advantage"].to_numpy()
    score = sum(1.0 / (1.0 + np.exp(-(gap + sign * lead))) for sign in (1.0, -1.0)) * 3.0
    found = match(rated, one, other, games=6)
    row = found.frame.set_index("player").loc[one]
    np.testing.assert_allclose(row["expected_percent"], 100.0 * score.mean() / 6.0, atol=1e-3)
    low, high = np.quantile(score, [0.025, 0.975]) * 100.0 / 6.0
    np.testing.assert_allclose(row[["expected_low_percent", "expected_high_percent"]], [low, high], atol=1e-3)
    assert np.isclose(found.frame["expected_percent"].sum(), 100.0)
    assert "has no probability of a draw" in found.note
