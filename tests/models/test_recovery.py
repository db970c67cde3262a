"""Parameter recovery: every model beyond the study on games simulated from it."""

import numpy as np
import pytest
from composed import about
from covering_rows import BEYOND
from extended_games import play, schedule, truth

from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.sample import sample
from halfpoint.models.declaration.catalogue import declare, find
from halfpoint.models.games.units import to_elo, to_natural
from halfpoint.models.language.populations import MIDDLE

PLAYERS, GAMES = 8, 4000
NAMES = (
    "advantage",
    "advantage_mean",
    "log_draw",
    "draw_slope",
    "draw_tendency",
    "anchor_scale",
    "anchor_level",
    "advantage_effect",
    "log_draw_effect",
    "strength",
)
QUICK = ("davidson-all-draws",)


def distances(name: str, cores: int = 2) -> dict[str, np.ndarray]:
    """Return (posterior mean - truth) / posterior sd by parameter, and check that the sampler converged."""
    entry = find(name)
    if about(entry).walks:
        entry = entry.but(f"{name}-by-months", every=1)  # as the truth walks
    p, games = truth(entry, PLAYERS, 31), schedule(GAMES, PLAYERS, 32)
    if "rated_spread" in about(entry).names:  # their level is known: the mean of their ratings
        p["anchor_level"] = np.array([to_natural(np.nanmean(games.ratings_elo()))])
    selection = play(entry, games, p, 33)
    how = Effort(draws=500, tune=500, chains=2, cores=cores, seed=34)
    trace = sample(declare(entry, selection), how, pointwise_draws=0, adapt=about(entry).walks)
    assert trace.attrs["divergences"] == 0
    assert trace.attrs["max_rhat"] < 1.03
    posterior = trace["posterior"].to_dataset()
    found = {}
    for label in NAMES:
        if label == "anchor_level" and "rated_spread" in about(entry).names:
            np.testing.assert_allclose(posterior[label], p[label][0], rtol=1e-12)
        elif label in p and label in posterior:
            mean, sd = posterior[label].mean(("chain", "draw")), posterior[label].std(("chain", "draw"))
            found[label] = np.ravel((mean.to_numpy() - p[label][0]) / sd.to_numpy())
    strength = p["strength"][0][..., -1] if about(entry).walks else p["strength"][0]
    if about(entry).scale and "rated_spread" not in about(entry).names:
        level = p.get("anchor_level", np.array([MIDDLE]))[0]
        rating = to_elo(level + (strength - level) / p["anchor_scale"][0])
    else:  # around the anchors' mean, by the slope of expected score between equals, relative to Elo's
        theta = 1 + np.exp(p.get("log_draw", np.zeros(1))[0])
        slope = {"bradley_terry": 1.0, "davidson": 2 / (1 + theta), "rao_kupper": 4 * theta / (1 + theta) ** 2}
        level = np.nanmean(selection.anchor_elo)
        if "rated_spread" in about(entry).names:  # around the mean of their ratings
            level = np.nanmean(selection.ratings_elo())
        rating = level + slope[about(entry).outcome.name] * (to_elo(strength) - level)
    draws = posterior["rating_elo"]
    found["rating_elo"] = (draws.mean(("chain", "draw")).to_numpy() - rating) / draws.std(("chain", "draw")).to_numpy()
    return found


def judge(found: dict[str, np.ndarray]) -> None:
    """Assert that parameters are within chance of their truth, and that the standard deviation of z scores is 1."""
    for label, distance in found.items():
        assert np.all(np.abs(distance) < 4), label
        # a mean of squares of n standard normal values has standard deviation sqrt(2 / n), more if correlated
        assert np.mean(distance**2) < 1 + 5 * np.sqrt(2 / distance.size), label


@pytest.mark.draws
@pytest.mark.parametrize("name", QUICK)
def test_truth_is_recovered(name: str) -> None:
    judge(distances(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in BEYOND if name not in QUICK])
def test_truth_is_recovered_by_all_that_rows_are_made_of(name: str) -> None:
    judge(distances(name))
