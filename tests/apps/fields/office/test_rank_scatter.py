"""Standard deviation of ratings under Elo's rule, compared with simulated ratings; ranks of equal and different
players.
"""

import numpy as np
import pandas as pd

from halfpoint.apps.fields.office.rank_scatter import scatter_of, with_rank_intervals


def test_the_scatter_is_that_of_ratings_that_elos_rule_moved():
    k, rng = 20.0, np.random.default_rng(2)
    rating = np.zeros(5000)
    for _ in range(1500):
        expected = 1.0 / (1.0 + 10.0 ** (-rating / 400.0))
        score = rng.choice([0.0, 0.5, 1.0], rating.size, p=[0.3, 0.4, 0.3])
        rating += k * (score - expected)
    log = pd.DataFrame({
        "white": "Ann", "black": "Bob", "score": rng.choice([0.0, 0.5, 1.0], 20_000, p=[0.3, 0.4, 0.3]),
        "expected_score": 0.5, "white_k": k, "black_k": np.nan,
    })  # fmt: skip
    sd = scatter_of(log, pd.Series(["Ann", "Bob"]))
    assert abs(sd[0] / rating.std() - 1.0) < 0.04  # errors of 1% each, and the curve is not quite straight
    assert np.isnan(sd[1])  # nobody knows Bob's K


def test_ranks_of_who_is_alike_and_who_has_no_rating():
    frame = pd.DataFrame({"rank": [1, 2, 3, 4], "player": list("abcd"), "rating_elo": [2000.0, 1999.0, 1000.0, np.nan]})
    made = with_rank_intervals(frame, np.array([30.0, 30.0, 30.0, 30.0]))
    assert made["rank_low"].tolist()[:3] == [1, 1, 3]
    assert made["rank_high"].tolist()[:3] == [2, 2, 3]
    assert made["rank_low"].isna().tolist() == [False, False, False, True]
    assert with_rank_intervals(frame, np.full(4, np.nan)) is frame
