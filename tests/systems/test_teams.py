"""Sides of several players, more than two sides: printed figures of TrueSkill and openskill, integrals, Elo's rule."""

from dataclasses import replace

import numpy as np
import pytest
from openskill.models import BradleyTerryFull, PlackettLuce
from rating_games import simulated
from scipy.stats import norm

from halfpoint.models.games.errors import RatingSystemError
from halfpoint.systems.elo_teams import update_team_elo
from halfpoint.systems.matches import matches_of, two_sided
from halfpoint.systems.trueskill import TrueSkill
from halfpoint.systems.trueskill_teams import ranked_moments, update_teams
from halfpoint.systems.weng_lin import MODELS, WengLin, update_team_skills


def after(sides, ranks=None, shares=None, update=update_teams, **numbers):
    """Mean and deviation by player after one match of newcomers, rounded as they are printed."""
    matches = matches_of([sides], None if ranks is None else [ranks], None if shares is None else [shares])
    mean, deviation = np.full(matches.players.size, 25.0), np.full(matches.players.size, 25.0 / 3.0)
    update(matches, mean, deviation, **numbers)
    return {
        name: (round(float(m), 3), round(float(s), 3))
        for name, m, s in zip(matches.players.tolist(), mean, deviation, strict=True)
    }


PRINTED = [  # sides, ranks, shares, expected by player
    ([["a"], ["b"]], [0, 1], None, {"a": (29.396, 7.171), "b": (20.604, 7.171)}),
    ([["a"], ["b"]], [0, 0], None, {"a": (25.0, 6.458), "b": (25.0, 6.458)}),
    ([["a", "b"], ["c", "d"]], [0, 1], None, {"a": (28.108, 7.774), "d": (21.892, 7.774)}),
    ([["a", "b"], ["c", "d"]], [0, 0], None, {"a": (25.0, 7.455)}),
    ([list("abcd"), list("efgh")], [0, 1], None, {"a": (27.198, 8.059), "h": (22.802, 8.059)}),
    ([list("abcd"), list("efgh")], [1, 1], None, {"a": (25.0, 7.907)}),
    ([["a"], ["b", "c"]], [0, 1], None, {"a": (33.731, 7.317), "b": (16.269, 7.317), "c": (16.269, 7.317)}),
    ([["a", "b"], ["c", "d"]], [0, 1], [[1, 0.5], [1, 1]],
     {"a": (30.675, 7.495), "b": (27.837, 8.132), "c": (19.325, 7.495), "d": (19.325, 7.495)}),
    ([["a"], ["b"], ["c"]], [1, 2, 3], None, {"a": (31.675, 6.656), "b": (25.0, 6.208), "c": (18.325, 6.656)}),
    ([["a", "b"], ["c", "d"], ["e", "f"]], [1, 2, 3], None,
     {"a": (29.720, 7.542), "d": (25.0, 7.348), "e": (20.280, 7.542)}),
]  # fmt: skip


@pytest.mark.cases(3)
@pytest.mark.parametrize(("sides", "ranks", "shares", "expected"), PRINTED)
def test_trueskill_of_teams(sides, ranks, shares, expected):
    found = after(sides, ranks, shares)
    assert {name: found[name] for name in expected} == expected


@pytest.mark.cases(3)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", ["trueskill", *MODELS])
def test_two_players_are_two_sides_of_one(kind, weighted):
    games, _ = simulated(24, players=8, games=300, periods=1)
    games = replace(games, weight=np.random.default_rng(3).uniform(0.3, 2.5, len(games)) if weighted else None)
    system = TrueSkill(advantage=1.5, draw_probability=0.3) if kind == "trueskill" else WengLin(kind)
    system.learn(games)
    matches = two_sided(
        games.players,
        np.stack([games.white, games.black], axis=1)[:, :, None],
        np.ones((len(games), 2, 1)),
        games.outcome,
    )
    mean, deviation = np.full(games.players.size, 25.0), np.full(games.players.size, 25.0 / 3.0)
    if kind == "trueskill":
        update_teams(matches, mean, deviation, draw_probability=0.3, advantage=1.5, weight=games.weight)
    else:
        update_team_skills(system.model, matches, mean, deviation, games.weight)
    tolerance = 0.0 if kind == "trueskill" else 1e-12
    place = system.ledger.places(games.players)
    np.testing.assert_allclose(system.ledger["rating"][place], mean, rtol=tolerance)
    np.testing.assert_allclose(system.ledger["deviation"][place], deviation, rtol=tolerance)


def test_the_order_in_which_sides_stand_does_not_matter():
    one = after([["a"], ["b", "c"], ["d"]], [2, 0, 1])
    other = after([["b", "c"], ["d"], ["a"]], [0, 1, 2])
    assert one == other


def test_equal_sides_in_a_draw_of_three_stay_equal():
    found = after([["a"], ["b"], ["c"]], [0, 0, 0])
    assert found["a"] == found["b"] == found["c"]
    assert found["b"][0] == 25.0


def test_moments_of_three_ordered_performances_are_those_of_the_integral():
    """Expectation propagation compared with a grid: means of the truncated normals within about one per cent."""
    mean, variance, margin = np.array([1.0, 0.5, -0.5]), np.array([2.0, 1.0, 3.0]), np.array([0.2, 0.4])
    found, spread = ranked_moments(mean, variance, np.arange(2), np.arange(1, 3), margin, np.zeros(2))
    grid = np.linspace(-9.0, 9.0, 145)
    a, b, c = np.meshgrid(grid, grid, grid, indexing="ij")
    density = np.ones_like(a)
    for axis, m, v in ((a, mean[0], variance[0]), (b, mean[1], variance[1]), (c, mean[2], variance[2])):
        density *= norm.pdf(axis, m, np.sqrt(v))
    density *= (a - b > margin[0]) & (b - c > margin[1])
    density /= density.sum()
    exact = np.array([(density * axis).sum() for axis in (a, b, c)])
    squares = np.array([(density * axis**2).sum() for axis in (a, b, c)])
    np.testing.assert_allclose(found, exact, atol=0.04)
    np.testing.assert_allclose(spread, squares - exact**2, atol=0.1)


@pytest.mark.parametrize(
    ("model", "sides", "expected"),
    [
        (PlackettLuce, [["a", "b"], ["c", "d"]], [(26.9643, 8.1780), (23.0357, 8.1780)]),
        (PlackettLuce, [list("ab"), list("cd"), list("ef")], [(27.1385, 8.2587), (25.5346, 8.1735), (22.3269, 8.1735)]),
        (BradleyTerryFull, [list("ab"), list("cd"), list("ef")],
         [(28.9286, 8.0191), (25.0, 8.0191), (21.0714, 8.0191)]),
    ],
)  # fmt: skip
def test_weng_lin_of_teams(model, sides, expected):
    matches = matches_of([sides])
    mean, deviation = np.full(matches.players.size, 25.0), np.full(matches.players.size, 25.0 / 3.0)
    update_team_skills(model(), matches, mean, deviation)
    for side, (m, s) in zip(sides, expected, strict=True):
        for name in side:
            place = matches.players.tolist().index(name)
            assert (round(mean[place], 4), round(deviation[place], 4)) == (m, s)


def test_weng_lin_follows_shares_of_play():
    moved = {}
    for share in (1.0, 0.3):
        matches = matches_of([[["a", "b"], ["c", "d"]]], shares=[[[1.0, share], [1.0, 1.0]]])
        mean, deviation = np.full(4, 25.0), np.full(4, 25.0 / 3.0)
        update_team_skills(PlackettLuce(), matches, mean, deviation)
        moved[share] = mean - 25.0
    assert moved[0.3][1] < moved[0.3][0]
    assert moved[1.0][1] == moved[1.0][0]


def elo(sides, ranks, begun, k=32.0, **numbers):
    """Ratings by player after one match, and the expected scores of its sides."""
    matches = matches_of([sides], [ranks])
    rating = np.array([begun.get(name, 1500.0) for name in matches.players.tolist()])
    expected = update_team_elo(matches, rating, k, **numbers)
    return dict(zip(matches.players.tolist(), rating.tolist(), strict=True)), expected


def test_elo_of_two_single_players_is_elo():
    found, expected = elo([["a"], ["b"]], [1, 0], {"a": 1613.0, "b": 1609.0})
    e = 1.0 / (1.0 + 10.0 ** (-4.0 / 400.0))
    assert expected.tolist() == pytest.approx([e, 1.0 - e])
    assert found["a"] == pytest.approx(1613.0 - 32.0 * e)


def test_elo_of_teams_is_elo_of_their_means():
    begun = {"a": 1700.0, "b": 1500.0, "c": 1400.0, "d": 1400.0}
    found, expected = elo([["a", "b"], ["c", "d"]], [0, 1], begun)
    e = 1.0 / (1.0 + 10.0 ** (-200.0 / 400.0))
    assert expected[0] == pytest.approx(e)
    for name, start in begun.items():
        assert found[name] - start == pytest.approx(32.0 * (1.0 - e) * (1 if name in "ab" else -1))
    assert sum(found.values()) == pytest.approx(sum(begun.values()))


def test_a_free_for_all_is_duels():
    begun = dict(zip("abcd", (1800.0, 1600.0, 1500.0, 1450.0), strict=True))
    ranks = [2, 0, 2, 1]
    found, _ = elo([["a"], ["b"], ["c"], ["d"]], ranks, begun)
    place = dict(zip("abcd", ranks, strict=True))
    for one in "abcd":
        change = 0.0
        for other in "abcd":
            if other != one:
                score = 1.0 if place[one] < place[other] else 0.0 if place[one] > place[other] else 0.5
                change += 32.0 / 3.0 * (score - 1.0 / (1.0 + 10.0 ** ((begun[other] - begun[one]) / 400.0)))
        assert found[one] == pytest.approx(begun[one] + change)
    assert sum(found.values()) == pytest.approx(sum(begun.values()))


def test_an_advantage_is_the_first_side_s():
    plain, _ = elo([["a"], ["b"]], [0, 0], {})
    ahead, _ = elo([["a"], ["b"]], [0, 0], {}, advantage_elo=100.0)
    assert ahead["a"] < plain["a"] == 1500.0
    assert after([["a"], ["b"]], [0, 0], advantage=3.0)["a"][0] < 25.0


def test_two_sided_games_as_matches():
    seat = np.array([[[0, 1], [3, -1]], [[2, -1], [0, -1]]])
    share = np.array([[[1.0, 0.5], [1.0, 1.0]], [[1.0, 9.0], [1.0, 1.0]]])
    found = two_sided(np.array(list("abcd")), seat, share, np.array([2, 1]))
    assert found.member.tolist() == [0, 1, 3, 2, 0]
    assert found.share.tolist() == [1.0, 0.5, 1.0, 1.0, 1.0]
    assert found.side_start.tolist() == [0, 2, 3, 4, 5]
    assert found.rank[:2].tolist() == [0.0, 1.0]
    assert found.rank[2] == found.rank[3]


@pytest.mark.parametrize(
    ("sides", "ranks", "shares"),
    [
        ([[["a"]]], None, None),
        ([[["a"], []]], None, None),
        ([[["a"], ["a"]]], None, None),
        ([[["a"], ["b"]]], [[0]], None),
        ([[["a"], ["b"]]], [[0, float("nan")]], None),
        ([[["a"], ["b"]]], None, [[[1.0], [0.0]]]),
        ([[["a"], ["b"]]], None, [[[1.0], []]]),
    ],
)
def test_what_is_no_match(sides, ranks, shares):
    with pytest.raises(RatingSystemError, match="matches"):
        matches_of(sides, ranks, shares)
    assert len(matches_of([[["a"], ["b"]]])) == 1


def test_skills_that_are_known_are_found_in_free_for_alls():
    rng = np.random.default_rng(12)
    skill = rng.normal(0.0, 1.5, 15)
    names = np.array([f"p{k:02d}" for k in range(15)])
    sides, ranks = [], []
    for _ in range(2000):
        who = rng.permutation(15)[:5]
        sides.append([[names[k]] for k in who])
        ranks.append(np.argsort(np.argsort(-(skill[who] + rng.normal(0.0, 1.0, 5)))).tolist())
    matches = matches_of(sides, ranks)
    mean, deviation = np.full(15, 25.0), np.full(15, 25.0 / 3.0)
    update_teams(matches, mean, deviation)
    rating = np.full(15, 1500.0)
    update_team_elo(matches, rating)
    assert np.corrcoef(mean, skill)[0, 1] > 0.97
    assert np.corrcoef(rating, skill)[0, 1] > 0.95
    assert (deviation < 2.0).all()
