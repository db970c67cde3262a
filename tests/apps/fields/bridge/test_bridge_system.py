"""Bridge system of Krajowski-Kukiel (2011): its example figures, its six requirements, and invariants of ratings."""

from dataclasses import replace

import numpy as np
import pytest

from halfpoint.apps.fields.bridge.comparison import cross_imps, imp
from halfpoint.apps.fields.bridge.rules import EDITIONS, BridgeRules, edition
from halfpoint.apps.fields.bridge.system import (
    artificial_expectations,
    expected_score,
    favourable_lines,
    forecast,
    periods_of,
    rate,
    ratings_by_player,
)
from halfpoint.apps.fields.bridge.table import BridgeTable
from halfpoint.models.games.errors import GameTableError, RatingSystemError
from halfpoint.systems.world_football import goal_index

NS, EW = np.array([1500.0, 1600.0, 1450.0]), np.array([1500.0, 1400.0, 1550.0])  # the example's three tables


def club(seed=1, players=24, deals=60, tables=6, days=12):
    """A table of random results with changing partners, three scores to a bid."""
    rng = np.random.default_rng(seed)
    seats = np.array([rng.permutation(players)[: 4 * tables].reshape(tables, 4) for _ in range(deals)]).reshape(-1, 4)
    seats = seats.astype(np.int32)
    deal = np.repeat(np.arange(deals), tables).astype(np.int32)
    day = np.datetime64("2024-01-01") + np.sort(rng.integers(0, days, deals))[deal]
    score = 10 * rng.choice(np.array([-80, -42, -10, -5, 9, 11, 14, 40, 62]), deal.size)
    return BridgeTable(
        np.array([f"p{k:02d}" for k in range(players)]), *seats.T, deal, np.arange(deals).astype(np.str_),
        score.astype(np.int32), np.zeros(deal.size, dtype=bool), date=day.astype("datetime64[D]"),
    )  # fmt: skip


def deal_of(scores, ns, ew):
    """One deal with pairs of two named players, and a table for `rate` by deal."""
    players = np.array(sorted({name for pair in (*ns, *ew) for name in pair}))
    place = {name: code for code, name in enumerate(players.tolist())}
    seats = np.array([[place[a], place[c], place[b], place[d]] for (a, b), (c, d) in zip(ns, ew, strict=True)])
    return BridgeTable(
        players, *seats.astype(np.int32).T, np.zeros(len(scores), dtype=np.int32), np.array(["1"]),
        np.array(scores, dtype=np.int32), np.zeros(len(scores), dtype=bool),
    )  # fmt: skip


def pairs_named(*words):
    """Pairs from words of two letters."""
    return [(word[0], word[1]) for word in words]


def gains(table, begun, **changed):
    """Change of each player's rating by deal, K = 1."""
    rules = replace(BridgeRules(k=1.0, every="deal"), **changed)
    rated = rate(table, rules, begun)
    before = np.array([begun.get(name, rules.start_elo) for name in rated.names.tolist()])
    return dict(zip(rated.names.tolist(), (rated.rating_elo - before).tolist(), strict=True))


def test_the_curve_and_the_rule_of_400():
    assert expected_score([200.0, -200.0]).round(4).tolist() == [0.7597, 0.2403]
    assert expected_score([401.0, -5000.0]).round(4).tolist() == [0.9091, 0.0909]
    assert expected_score(600.0, scale_elo=200.0) == pytest.approx(1 / (1 + 10**-2))  # the cap is 400 at any scale


def test_artificial_matches_of_the_example():
    each = artificial_expectations(NS, EW)
    mean = (each.sum(axis=1) - 0.5) / 2.0
    assert mean.round(4).tolist() == [0.4657, 0.6717, 0.3626]
    by_sums = artificial_expectations(NS, EW, scale_elo=200.0)  # sums of two ratings differ by twice as much
    assert ((by_sums.sum(axis=1) - 0.5) / 2.0).round(4).tolist() == [0.4402, 0.8044, 0.2555]
    np.testing.assert_allclose(each + each.T, 1.0)


def test_gamma_of_the_example():
    gamma = favourable_lines(NS, EW)
    assert gamma.round(3).tolist() == [-13.333, 13.333, -26.667]
    assert expected_score(NS - EW + gamma).round(4).tolist() == [0.4808, 0.7735, 0.3254]
    assert expected_score(NS - EW).round(4).tolist() == [0.5000, 0.7597, 0.3599]
    np.testing.assert_allclose(favourable_lines(EW, NS), -gamma)


def example(**changed):
    """Example as a table, each pair two equal players, and their ratings."""
    ns, ew = pairs_named("ab", "cd", "ef"), pairs_named("gh", "ij", "kl")
    begun = {name: rating for pair, rating in zip((*ns, *ew), (*NS, *EW), strict=True) for name in pair}
    return deal_of([420, -50, 50], ns, ew), begun


@pytest.mark.parametrize(
    ("method", "expected"), [("matches", [0.4657, 0.6717, 0.3626]), ("gamma", [0.4808, 0.7735, 0.3254])]
)
def test_the_loop_gives_the_example_s_figures(method, expected):
    table, begun = example()
    rated = rate(table, BridgeRules(method=method, every="deal"), begun)
    assert rated.expected.round(4).tolist() == expected
    told = forecast(replace(rated, names=np.array(list(begun)), rating_elo=np.array(list(begun.values()))), table)
    np.testing.assert_allclose(told.expected, rated.expected, rtol=1e-12)
    np.testing.assert_allclose(told.gamma_elo, rated.gamma_elo, atol=1e-9)


@pytest.mark.parametrize("method", ["gamma", "matches"])
def test_the_loop_is_the_formula_written_apart(method):
    """Ratings of a club, period by period, in plain NumPy."""
    table = club()
    rules = BridgeRules(method=method, k=20.0)
    rated = rate(table, rules)
    rating = np.full(table.players.size, 1500.0)
    x = cross_imps(table.score_ns, table.deals)
    period, _ = periods_of(table, 3)
    for now in np.unique(period):
        change = np.zeros(rating.size)
        for deal in np.unique(table.deal[period == now]):
            rows = np.flatnonzero(table.deal == deal)
            seats = table.seats[rows]
            ns, ew = rating[seats[:, [0, 2]]].mean(axis=1), rating[seats[:, [1, 3]]].mean(axis=1)
            if method == "gamma":
                score = np.where(x[rows] > 1, 1.0, np.where(x[rows] < -1, 0.0, 0.5))
                moved = 20.0 * (score - expected_score(ns - ew + favourable_lines(ns, ew)))
            else:
                gain = imp(table.score_ns[rows][:, None] - table.score_ns[rows][None, :])
                score = np.where(gain > 1, 1.0, np.where(gain < -1, 0.0, 0.5))
                moved = 20.0 * (score - artificial_expectations(ns, ew)).sum(axis=1) / (rows.size - 1)
            for seat, sign in ((0, 1), (1, -1), (2, 1), (3, -1)):
                np.add.at(change, seats[:, seat], sign * moved)
        rating += change
    played = np.isin(table.players, rated.names)
    np.testing.assert_allclose(rated.rating_elo, rating[played], rtol=1e-10)


@pytest.mark.parametrize("method", ["gamma", "matches"])
@pytest.mark.parametrize("k_rule", ["constant", "margin", "normal score", "tanh score"])
def test_points_are_neither_made_nor_lost(method, k_rule):
    rated = rate(club(2), BridgeRules(method=method, k_rule=k_rule))
    assert rated.rating_elo.mean() == pytest.approx(1500.0, abs=1e-8)
    assert rated.rating_elo.std() > 5.0


@pytest.mark.parametrize("method", ["gamma", "matches"])
def test_the_lines_exchanged_change_nothing(method):
    table = club(3)
    turned = replace(
        table, north=table.east, east=table.north, south=table.west, west=table.south, score_ns=-table.score_ns
    )
    one, other = (rate(t, BridgeRules(method=method)) for t in (table, turned))
    np.testing.assert_allclose(one.rating_elo, other.rating_elo, rtol=1e-12)
    np.testing.assert_allclose(one.expected, 1.0 - other.expected, rtol=1e-12)


def test_two_tables_are_one_match_of_two_teams():
    table = deal_of([420, -50], pairs_named("ab", "cd"), pairs_named("ef", "gh"))
    begun = {"a": 1700.0, "c": 1300.0, "g": 1580.0}
    found = gains(table, begun, method="matches")
    ahead = (np.mean([1700, 1500, 1580, 1500]) - np.mean([1300, 1500, 1500, 1500])) * 1.0
    expected = 1.0 - 1.0 / (1.0 + 10 ** (-ahead / 400.0))  # a, b, g, h won by 10 IMPs
    for name in "abgh":
        assert found[name] == pytest.approx(expected)
    for name in "cdef":
        assert found[name] == pytest.approx(-expected)


PLAYED = deal_of([620, -100, 110], pairs_named("ab", "cd", "ef"), pairs_named("gh", "ij", "kl"))


@pytest.mark.parametrize("method", ["gamma", "matches"])
def test_requirement_1_beating_a_stronger_pair_gains_more(method):
    strong = gains(PLAYED, {"g": 1700.0, "h": 1700.0}, method=method)
    weak = gains(PLAYED, {"g": 1300.0, "h": 1300.0}, method=method)
    assert strong["a"] > weak["a"] > 0.0


@pytest.mark.parametrize("method", ["gamma", "matches"])
def test_requirement_2_with_a_weaker_partner_the_same_result_gains_more(method):
    assert gains(PLAYED, {"b": 1300.0}, method=method)["a"] > gains(PLAYED, {"b": 1700.0}, method=method)["a"]


def test_requirement_3_a_new_partnership_moves_more():
    table = club(4, players=8, tables=2, deals=400)
    new = rate(table, BridgeRules(boost=1.0, boost_results=10.0, every="deal"))
    plain = rate(table, BridgeRules(every="deal"))
    first = new.change_ns_elo[0] / plain.change_ns_elo[0]
    assert first == pytest.approx(2.0)
    ratio = np.abs(new.change_ns_elo / (32.0 * (new.outcome - new.expected)))
    assert 1.0 < ratio[-1] < 1.3  # by then every pair has played together


@pytest.mark.parametrize("method", ["gamma", "matches"])
def test_requirement_4_the_same_score_gains_more_in_a_stronger_line(method):
    strong = gains(PLAYED, dict.fromkeys("cdef", 1600.0), method=method)
    weak = gains(PLAYED, dict.fromkeys("cdef", 1400.0), method=method)
    assert strong["a"] > weak["a"]


@pytest.mark.parametrize("k_rule", ["margin", "normal score", "tanh score"])
@pytest.mark.parametrize("method", ["gamma", "matches"])
def test_requirement_5_the_gain_grows_with_the_margin(k_rule, method):
    names = pairs_named("ab", "cd", "ef"), pairs_named("gh", "ij", "kl")
    found = [
        gains(deal_of([s, -100, -100], *names), {}, method=method, k_rule=k_rule)["a"] for s in (50, 420, 1430, 2220)
    ]
    assert np.all(np.diff(found) > 0.0)
    constant = [gains(deal_of([s, -100, -100], *names), {}, method=method)["a"] for s in (50, 2220)]
    assert constant[0] == constant[1]


@pytest.mark.parametrize("method", ["gamma", "matches"])
def test_requirement_6_champions_against_beginners(method):
    begun = dict.fromkeys("ab", 3000.0) | dict.fromkeys("gh", 500.0)
    won = gains(PLAYED, begun, method=method)["a"]
    turned = replace(PLAYED, score_ns=-PLAYED.score_ns)
    lost = gains(turned, begun, method=method)["a"]
    assert np.isfinite([won, lost]).all()
    assert 0.05 < won < 0.1  # the rule of 400: never less than .0909
    assert -0.95 < lost < -0.9


def test_the_margin_grows_k_as_world_football_s_goals():
    names = pairs_named("ab", "cd"), pairs_named("ef", "gh")
    for imps_per_goal in (1.0, 3.0, 5.0):
        found = gains(deal_of([420, -50], *names), {}, k_rule="margin", imps_per_goal=imps_per_goal)["a"]
        assert found == pytest.approx(0.5 * float(goal_index(np.ceil(10 / imps_per_goal))))


@pytest.mark.parametrize(("x", "score"), [(420, 1.0), (90, 0.5), (50, 0.5), (-100, 0.0)])
def test_a_draw_is_up_to_one_imp(x, score):
    rated = rate(deal_of([x, 50], pairs_named("ab", "cd"), pairs_named("ef", "gh")), BridgeRules(every="deal"))
    assert rated.outcome[0] == score


def test_pairs_as_players():
    table = club(5, players=8, tables=2, deals=90)
    rated = rate(table, BridgeRules(unit="pair"))
    assert all(" & " in name for name in rated.names.tolist())
    assert rated.results.sum() == 2 * len(table)
    players, rating, results = ratings_by_player(rated)
    assert results.sum() == 4 * len(table)
    mine = [place for place, name in enumerate(rated.names.tolist()) if "p03" in name.split(" & ")]
    mean = np.average(rated.rating_elo[mine], weights=rated.results[mine])
    assert rating[players.tolist().index("p03")] == pytest.approx(mean)


def test_a_pair_can_count_as_its_weaker_player():
    begun = {"a": 1900.0}
    mean, weaker = (gains(PLAYED, begun, stronger_share=share)["a"] for share in (0.5, 0.0))
    assert weaker > mean
    assert weaker == pytest.approx(gains(PLAYED, {}, stronger_share=0.5)["a"])


def test_the_mean_of_a_period_s_changes():
    table = club(6, days=3)
    total, mean = (rate(table, BridgeRules(total=word)) for word in ("sum", "mean"))
    np.testing.assert_allclose((mean.rating_elo - 1500.0) * mean.results, total.rating_elo - 1500.0, atol=1e-9)


def test_later_results_change_no_earlier_expectation():
    table = club(7)
    period, names = periods_of(table, 3)
    assert names.tolist() == ["2024-01-01", "2024-01-04", "2024-01-07", "2024-01-10"]
    late = period >= 3
    turned = replace(table, score_ns=np.where(late, -table.score_ns, table.score_ns).astype(np.int32))
    one, other = rate(table), rate(turned)
    before = one.period <= 3
    np.testing.assert_array_equal(one.expected[before], other.expected[before])
    assert not np.array_equal(one.expected[~before], other.expected[~before])


def test_who_is_not_rated():
    table = club(8, players=12, tables=3, deals=30)
    unknown = table.north.copy()
    unknown[4] = -1
    adjusted = table.adjusted.copy()
    adjusted[8] = True
    rated = rate(replace(table, north=unknown, adjusted=adjusted))
    assert 4 not in rated.row
    assert 8 not in rated.row
    assert rated.row.size == len(table) - 2
    told = forecast(rated, replace(table, north=unknown))
    assert np.flatnonzero(np.isnan(told.expected)).tolist() == [4]


def test_matchpoints_instead_of_imps():
    # Against 90 and -800: 110 is barely best, so IMPs say 0.5 x (1 + 14) and matchpoints a top.
    table = deal_of([110, 90, 100], pairs_named("ab", "cd", "ef"), pairs_named("gh", "ij", "kl"))
    assert rate(table, BridgeRules(every="deal")).outcome.tolist() == [0.5, 0.5, 0.5]
    assert rate(table, BridgeRules(every="deal", scoring="matchpoints")).outcome.tolist() == [1.0, 0.0, 0.5]


def test_editions():
    assert EDITIONS["printed"].constant == 2.5
    assert edition("corrected") == BridgeRules(constant=1.0)
    with pytest.raises(RatingSystemError, match="printed"):
        edition("best")


@pytest.mark.parametrize(
    "wrong",
    [{"method": "elo"}, {"constant": 0.0}, {"k": -1.0}, {"stronger_share": 2.0}, {"every": 0}, {"every": "week"},
     {"unit": "team"}, {"scoring": "matchpoints", "method": "matches"}, {"start_elo": float("nan")}, {"cap_elo": -1.0}],
)  # fmt: skip
def test_rules_that_cannot_be(wrong):
    with pytest.raises(RatingSystemError, match=r"^--"):
        BridgeRules(**wrong)


def test_periods_need_dates_or_events():
    table = club(9)
    by_deal = periods_of(replace(table, date=None), 3)  # a tournament without dates: its deals, in their order
    assert by_deal[1].tolist() == periods_of(table, "deal")[1].tolist()
    assert table.date is not None
    some = table.date.copy()
    some[3] = np.datetime64("NaT", "D")
    with pytest.raises(GameTableError, match="--every event"):
        periods_of(replace(table, date=some), 3)
    with pytest.raises(GameTableError, match="column event"):
        periods_of(table, "event")
    event = np.where(table.deal < 30, "late in the alphabet", "early")
    number, names = periods_of(replace(table, event=event), "event")
    assert (number[0], number[-1], names.tolist()) == (1, 2, ["late in the alphabet", "early"])
    with pytest.raises(GameTableError, match="can be rated"):
        rate(deal_of([50], pairs_named("ab"), pairs_named("cd")), BridgeRules(every="deal"))


def test_the_corrected_constant_is_what_linear_results_ask_for():
    rng = np.random.default_rng(11)
    tables, deals = 8, 4000
    ns, ew = rng.normal(0.0, 50.0, (2, deals, tables))
    d = ns - ew
    x = d - (d.sum(axis=1, keepdims=True) - d) / (tables - 1) + rng.normal(0.0, 20.0, d.shape)
    own = np.array([favourable_lines(a, b, 1.0) for a, b in zip(ns, ew, strict=True)])
    weights = np.linalg.lstsq(np.column_stack([d.ravel(), own.ravel()]), x.ravel(), rcond=None)[0]
    assert weights[1] / weights[0] == pytest.approx(tables / (tables - 1), abs=0.03)
