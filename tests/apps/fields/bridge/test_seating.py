"""Seatings of bridge: no more even seating exists, no pair sits twice, and no line is always favoured."""

import numpy as np
import pytest

from halfpoint.apps.fields import bridge
from halfpoint.apps.fields.bridge.simulate import simulate_club
from halfpoint.apps.fields.bridge.system import expected_score
from halfpoint.models.games.errors import GameTableError


@pytest.fixture(scope="module")
def rated():
    """Ratings of a small club."""
    return bridge.bridge_rate(simulate_club(players=24, sessions=8, boards=8, seed=4)[0])


def pairs_of(count):
    return [f"Player {2 * one + 1:02d} & Player {2 * one + 2:02d}" for one in range(count)]


def unevenness(frame):
    return float(((frame["expected_ns"] - 0.5) ** 2).sum())


def matchings(left):
    """All pairings of places."""
    if not left:
        yield []
    for other in left[1:]:
        for rest in matchings([one for one in left[1:] if one != other]):
            yield [(left[0], other), *rest]


@pytest.mark.parametrize("count", [6, 12])
def test_no_seating_of_all_is_more_even(rated, count):
    """Brute force: 15 seatings of the 12 players of 6 pairs, 10,395 of 12 pairs."""
    frame = bridge.bridge_seating(rated, pairs_of(count)).frame
    elo = np.array([*frame["ns_elo"], *frame["ew_elo"]])
    each = (expected_score(elo[:, None] - elo) - 0.5) ** 2
    sums = [sum(each[pair] for pair in tables) for tables in matchings(list(range(count)))]
    assert len(sums) == {6: 15, 12: 10_395}[count]
    assert unevenness(frame) == pytest.approx(min(sums), abs=1e-12)


@pytest.mark.parametrize("count", [8, 7])
def test_two_tables_cannot_exchange_pairs_and_be_more_even(rated, count):
    found = bridge.bridge_seating(rated, pairs_of(count))
    frame = found.frame
    seated = [*frame["ns_pair"], *frame["ew_pair"]]
    assert len(set(seated)) == len(seated) == count - count % 2
    assert ("Sits out" in found.note) == bool(count % 2)
    elo = dict(zip(seated, [*frame["ns_elo"], *frame["ew_elo"]], strict=True))
    assert frame["expected_ns"].to_numpy() == pytest.approx(expected_score(frame["ns_elo"] - frame["ew_elo"]))
    rng = np.random.default_rng(1)
    for _ in range(300):
        other = rng.permutation(seated).reshape(-1, 2)
        gaps = np.array([elo[one] - elo[two] for one, two in other.tolist()])
        assert ((expected_score(gaps) - 0.5) ** 2).sum() >= unevenness(frame) - 1e-12
    ahead = (frame["ns_elo"] >= frame["ew_elo"]).tolist()
    assert ahead == [table % 2 == 0 for table in range(len(frame))]


def test_a_pair_is_the_mean_of_its_players_and_a_stranger_counts_as_a_new_one(rated):
    found = bridge.bridge_seating(rated, ["Player 02 & Player 01", "Ann & Bob"])
    elo = dict(zip(rated.frame["player"], rated.frame["rating_elo"], strict=True))
    frame = found.frame
    sitting = zip([*frame["ns_pair"], *frame["ew_pair"]], [*frame["ns_elo"], *frame["ew_elo"]], strict=True)
    seated = dict(sitting)
    assert seated["Player 02 & Player 01"] == pytest.approx((elo["Player 01"] + elo["Player 02"]) / 2)
    assert seated["Ann & Bob"] == 1500.0
    assert "counted as 1500: Ann, Bob" in found.note


@pytest.mark.parametrize(("pairs", "words"), [
    (["A & B", "C"], "expected a pair a line, such as Ann & Bob, found 'C'"),
    (["A & B", "B & C"], "each player in one pair, found 'B' in two"), (["A & B"], "from 2 to 200"),
])  # fmt: skip
def test_lines_that_are_no_pairs_are_refused(rated, pairs, words):
    with pytest.raises(GameTableError, match=words):
        bridge.bridge_seating(rated, pairs)
