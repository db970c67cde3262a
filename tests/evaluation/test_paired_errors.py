"""Errors of paired differences with shared events and players, compared with the sum over all pairs of games."""

from dataclasses import replace

import numpy as np
import pytest
import xarray as xr

from halfpoint.evaluation.backtest_tables import JudgedForecasts, events_of, overall
from halfpoint.evaluation.comparison import players_of
from halfpoint.evaluation.differences import paired_errors
from halfpoint.evaluation.errors import EvaluationError
from halfpoint.models.games.simulate import Truth
from halfpoint.models.games.simulate_sides import meetings, simulate_sides
from halfpoint.models.games.table import GameTable


def over_pairs(gap, share):
    """Standard error of a mean by its definition: the sum over pairs of games that share an event or player.

    The part that subtracting the mean leaves is a trace: that of H S H C for C = S, over the sum of C.
    """
    share = np.asarray(share, dtype=float)
    own, centred = gap - gap.mean(), np.eye(gap.size) - 1.0 / gap.size
    left = np.trace(centred @ share @ centred @ share) / share.sum()
    return np.sqrt(max(float(own @ (share @ own)), 0.0) / left) / gap.size


def drawn(games=300, players=25, events=20, seed=1):
    """Random differences, events and players."""
    rng = np.random.default_rng(seed)
    white = rng.integers(0, players, games)
    black = (white + rng.integers(1, players, games)) % players
    return rng.normal(0.1, 1.0, games), rng.integers(0, events, games), white, black


def test_every_error_is_its_sum_over_pairs_of_games():
    gap, event, white, black = drawn()
    same = event[:, None] == event[None, :]
    met = sum(one[:, None] == other[None, :] for one in (white, black) for other in (white, black)) > 0
    found = paired_errors(gap, event, white, black)
    assert found.mean == pytest.approx(gap.mean())
    assert found.naive == pytest.approx(gap.std(ddof=1) / np.sqrt(gap.size))
    assert found.event == pytest.approx(over_pairs(gap, same))
    assert found.player == pytest.approx(over_pairs(gap, met))
    assert found.two_way == pytest.approx(max(over_pairs(gap, same | met), found.event, found.player))
    assert (found.games, found.events) == (300, np.unique(event).size)


def test_who_sits_where_and_what_labels_are_called_is_nothing():
    gap, event, white, black = drawn(seed=3)
    turned = np.where(np.arange(gap.size) % 2, white, black), np.where(np.arange(gap.size) % 2, black, white)
    names = np.array([f"player {k:02d}" for k in range(25)])
    first, second = paired_errors(gap, event, white, black), paired_errors(gap, event, *(names[one] for one in turned))
    assert vars(first) == pytest.approx(vars(second))


def test_games_that_all_stand_alone_have_the_naive_error():
    gap = np.random.default_rng(4).normal(size=500)
    alone = paired_errors(gap, np.arange(500), np.arange(500), np.arange(500, 1000))
    for error in (alone.event, alone.player, alone.two_way):
        assert error == pytest.approx(alone.naive, rel=0.01)
    assert alone.high - alone.low == pytest.approx(2 * 1.96 * alone.naive, rel=0.01)


def test_a_shared_event_is_seen_by_the_event_and_a_shared_player_by_the_player():
    """Simulated effects of events and players: the estimated errors equal the actual variation of the mean."""
    rng, means, found = np.random.default_rng(5), [], []
    for _ in range(300):
        _, event, white, black = drawn(400, 40, 40, seed=int(rng.integers(10**6)))
        gap = rng.normal(size=40)[event] + 0.7 * (rng.normal(size=40)[white] + rng.normal(size=40)[black])
        shared = rng.normal(size=40)
        gap = gap + shared[white] + shared[black] + rng.normal(size=400)
        one = paired_errors(gap, event, white, black)
        means.append(one.mean)
        found.append((one.naive, one.event, one.player, one.two_way))
    naive, event, player, both = np.sqrt(np.mean(np.square(found), axis=0))
    assert naive < 0.6 * np.std(means)
    assert event < 0.85 * np.std(means)
    assert player < 0.95 * np.std(means)
    assert both == pytest.approx(np.std(means), rel=0.15)


@pytest.mark.cases(1)
@pytest.mark.parametrize(("players", "games"), [(10, 90), (20, 200), (60, 600)])
def test_intervals_hold_the_truth_with_few_players_and_events(players, games):
    """800 intervals of 95%: 94% to 96% contain the mean, within four Monte Carlo errors (3.1 points)."""
    rng, held = np.random.default_rng(players), 0
    for _ in range(800):
        _, event, white, black = drawn(games, players, 20, seed=int(rng.integers(10**6)))
        effect = rng.normal(size=players)
        gap = effect[white] + effect[black] + 0.5 * rng.normal(size=20)[event] + rng.normal(size=games)
        one = paired_errors(gap, event, white, black)
        held += one.low <= 0.0 <= one.high
    assert 0.94 - 0.031 < held / 800 < 0.96 + 0.031


def test_errors_are_unbiased_where_each_game_shares_with_equally_many():
    white, black = np.triu_indices(8, 1)
    event, one = np.arange(28) % 7, np.arange(28)
    rng, spreads = np.random.default_rng(11), np.linspace(0.0, 2.0, 8)  # players who differ in how much they vary
    found, n = [], 2000
    for _ in range(n):
        effect = rng.normal(0.0, spreads)
        found.append(paired_errors(effect[white] + effect[black] + rng.normal(size=28), one, white, black).player ** 2)
    truth = (7.0**2 * (spreads**2).sum() + 28.0) / 28.0**2
    assert np.mean(found) == pytest.approx(truth, abs=4 * np.std(found) / np.sqrt(n))
    alone = paired_errors(rng.normal(size=28), event, one, one + 28)
    assert 6.0 < alone.freedom < 55.0  # those of 7 events and of 56 players


def test_one_event_has_no_error_by_event():
    found = paired_errors([1.0, 2.0, 4.0], ["x"] * 3, list("abc"), list("def"))
    assert np.isnan([found.event, found.two_way, found.low, found.high]).all()
    assert found.naive > 0


def test_a_match_of_two_says_nothing_of_other_players():
    found = paired_errors(np.random.default_rng(1).normal(size=40), np.arange(40) % 4, ["a"] * 40, ["b"] * 40)
    assert np.isnan([found.player, found.two_way, found.low]).all()
    assert found.event > 0


def test_shapes_that_differ_are_refused():
    with pytest.raises(EvaluationError, match="a value, an event and two players a game"):
        paired_errors([1.0, 2.0], ["x"], list("ab"), list("cd"))


def drawn_sides(size, games=200, people=30, seed=7):
    """Differences, events and people in each seat, some seats empty."""
    rng = np.random.default_rng(seed)
    everyone = np.argsort(rng.random((games, people)), axis=1)[:, : 2 * size]
    white, black = everyone[:, :size].copy(), everyone[:, size:].copy()
    if size > 1:
        white[::7, -1] = -1
    return rng.normal(0.1, 1.0, games), rng.integers(0, 15, games), white, black


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_people_whom_games_share_count_whoever_sits_beside_them(size):
    gap, event, white, black = drawn_sides(size)
    everyone = np.concatenate([white, black], axis=1)
    met = np.array(
        [[bool(set(a[a >= 0].tolist()) & set(b[b >= 0].tolist())) for b in everyone] for a in everyone], dtype=float
    )
    same = (event[:, None] == event[None, :]).astype(float)
    found = paired_errors(gap, event, white, black)
    assert found.player == pytest.approx(over_pairs(gap, met))
    either = over_pairs(gap, np.maximum(same, met))
    assert found.two_way == pytest.approx(max(either, found.event, found.player))


def test_partners_who_change_are_no_new_evidence():
    rng, means, by_side, by_person = np.random.default_rng(8), [], [], []
    for _ in range(100):
        white, black = meetings(150, 300, int(rng.integers(10**6)), 2)
        effect = rng.normal(size=150)
        gap = effect[white].sum(axis=1) + effect[black].sum(axis=1) + rng.normal(size=300)
        means.append(gap.mean())
        names = [np.array([f"{min(a, b)} + {max(a, b)}" for a, b in side.tolist()]) for side in (white, black)]
        by_side.append(paired_errors(gap, np.arange(300) % 9, *names).player)
        by_person.append(paired_errors(gap, np.arange(300) % 9, white, black).player)
    sides, people = np.sqrt(np.mean(np.square([by_side, by_person]), axis=1))
    assert sides < 0.6 * np.std(means)
    assert people == pytest.approx(np.std(means), rel=0.25)  # 100 means: 7%, and 150 people are few


def test_a_backtest_of_doubles_has_errors_over_people():
    rng = np.random.default_rng(9)
    truth = Truth(np.array([f"P{k:02d}" for k in range(12)]), rng.normal(size=12), 0.0, 0.0)
    games = replace(simulate_sides(truth, *meetings(12, 300, 3, 2), 4), period=np.repeat(np.arange(6), 50))
    expected = np.full(300, 0.5)
    flat, told = np.full((300, 3), 1 / 3), np.tile([0.4, 0.2, 0.4], (300, 1))
    systems = {n: JudgedForecasts(n, n, expected, p, "own", float("nan"), 0.0) for n, p in (("a", flat), ("b", told))}
    row = overall(games, systems, {"all": np.ones(300, dtype=bool)}, "a").set_index("system").loc["b"]
    gap = np.log(1 / 3) - np.log(told[np.arange(300), games.outcome])
    people = games.everyone
    met = (people[:, None, :, None] == people[None, :, None, :]).any(axis=(2, 3)).astype(float)
    assert row["se_player"] == pytest.approx(over_pairs(gap, met))


def test_models_of_doubles_are_compared_over_people():
    constant = xr.Dataset(
        {
            "white": ("game", [0, 1]), "black": ("game", [2, 3]), "white_name": ("game", ["A + B", "A + C"]),
            "black_name": ("game", ["C + D", "B + D"]),
            "side_player": (("side", "seat"), [[0, 1], [0, 2], [2, 3], [1, 3]]),
        }
    )  # fmt: skip
    _, white, black = players_of(xr.DataTree.from_dict({"constant_data": constant}))
    assert white.tolist() == [[0, 1], [0, 2]]
    assert black.tolist() == [[2, 3], [1, 3]]
    names = np.array(["A + B", "A + C"]), np.array(["C + D", "B + D"])
    gap = np.array([1.0, 1.0]), np.array([0.0, 1.0])
    apart, shared = (paired_errors(gap[0] - gap[1], np.arange(2), *who).player for who in (names, (white, black)))
    assert (apart > 0, np.isnan(shared)) == (True, True)  # nothing is known beyond one group of four


def test_an_event_ends_with_a_gap_and_a_name_that_never_ends_is_no_event():
    name = np.repeat(["Wijk", "League", "Friendly"], [4, 9, 48])
    period = np.concatenate([[1, 1, 13, 13], np.arange(1, 10), np.repeat(np.arange(1, 25), 2)])
    nobody = np.zeros(name.size, dtype=np.int32)
    table = GameTable(np.array(["a", "b"]), nobody, nobody + 1, np.full(name.size, 0.5), period=period, event=name)
    label = events_of(table)
    assert [np.unique(label[name == one]).size for one in ("Wijk", "League", "Friendly")] == [2, 1, 24]
    assert np.unique(label).size == 27
