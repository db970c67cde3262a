"""Colley, Massey and pi ratings compared with published examples."""

import numpy as np
import pytest
from rating_games import table

from halfpoint.systems.least_squares import Colley, Massey
from halfpoint.systems.pi_ratings import PiRatings, expected_goals

SCORES = (  # of the Atlantic Coast Conference in 2005: Langville and Meyer (2012), Who's #1?, table 1.1
    ("Duke", "Miami", 7, 52), ("Duke", "UNC", 21, 24), ("Duke", "UVA", 7, 38), ("Duke", "VT", 0, 45),
    ("Miami", "UNC", 34, 16), ("Miami", "UVA", 25, 17), ("Miami", "VT", 27, 7), ("UNC", "UVA", 7, 5),
    ("UNC", "VT", 3, 30), ("UVA", "VT", 14, 52),
)  # fmt: skip


def season(rows=SCORES):
    """Games with margins in one period."""
    first, second, points, others = zip(*rows, strict=True)
    margin = np.array(points, dtype=float) - np.array(others, dtype=float)
    score = (np.sign(margin) + 1.0) / 2.0
    return table(list(first), list(second), score, period=1, covariates={"margin": margin})


@pytest.mark.parametrize(("system", "found", "digits"), [
    (Massey, {"Duke": -24.8, "Miami": 18.2, "UNC": -8.0, "UVA": -3.4, "VT": 18.0}, 0.05),
    (Colley, {"Duke": 0.21, "Miami": 0.79, "UNC": 0.5, "UVA": 0.36, "VT": 0.64}, 0.005),
])  # fmt: skip
def test_five_teams_of_whos_number_one(system, found, digits):
    made = system()
    made.learn(season())
    for team, rating in found.items():
        assert made.ledger.rating(team) == pytest.approx(rating, abs=digits)


def test_colleys_ratings_have_a_mean_of_a_half_and_masseys_of_nothing():
    rng = np.random.default_rng(4)
    rows = [(f"t{i}", f"t{j}", *rng.poisson(1.5, 2)) for i, j in rng.integers(0, 8, (40, 2)) if i != j]
    for system, mean in ((Colley(), 0.5), (Massey(), 0.0)):
        system.learn(season(rows))
        assert system.ledger["rating"].mean() == pytest.approx(mean, abs=1e-6)


def test_masseys_ratings_are_least_squares():
    rng = np.random.default_rng(5)
    rows = [(f"t{i}", f"t{j}", *rng.poisson(1.5, 2)) for i, j in rng.integers(0, 6, (30, 2)) if i != j]
    made = Massey()
    made.learn(season(rows))
    names = made.ledger.names
    design = np.zeros((len(rows), len(names)))
    for row, (first, second, *_) in enumerate(rows):
        design[row, names.index(first)], design[row, names.index(second)] = 1.0, -1.0
    margin = np.array([points - others for *_, points, others in rows], dtype=float)
    wanted = np.linalg.lstsq(design, margin, rcond=None)[0]
    assert made.ledger["rating"] == pytest.approx(wanted - wanted.mean(), abs=1e-6)


def test_pi_ratings_of_one_match_by_hand():
    """1.6 at home against -1.2 away: 3.926 goals expected, 4-1 played, lambda .1 and gamma .3."""
    assert expected_goals(np.array([1.6, -1.2])) == pytest.approx([2.4145, -1.5119], abs=1e-4)
    made = PiRatings(rate=0.1, share=0.3)
    games = season([("a", "b", 4, 1)])
    made.ledger.enter(games)
    for column, values in {"home": (1.6, 0.3), "away": (0.4, -1.2)}.items():
        made.ledger[column][:] = values
    made.learn(games)
    step = 0.1 * 3.0 * np.log10(1.0 + 0.9264)  # 0.0854
    assert made.ledger["home"] == pytest.approx([1.6 - step, 0.3 + 0.3 * step], abs=1e-4)
    assert made.ledger["away"] == pytest.approx([0.4 - 0.3 * step, -1.2 + step], abs=1e-4)
    assert made.ledger.rating("a") == pytest.approx((2.0 - 1.3 * step) / 2.0, abs=1e-4)
