"""First sentences on lists in difficult cases: no claim beyond the numbers."""

import doctest

import pytest

from halfpoint.evaluation.first_sentences import standings as say

_LEVEL_OF_FOUR = "a, b, c and d are level and first together by the mean of 2 ranks, 1.0."
_OF_FIVE = "b performed best: 3 of 5 points, a performance of 2300."
_OF_TWO = "a performed best: 2 of 2 points, a performance of 2500."
_OF_ALL = "5 players have the same best performance, 2300."
_TWO_PARTS = (
    "a has the largest share of the network (2 separate parts, whose shares are not comparable), 1.3 times the average."
)
_NOT_ABOVE = "a has the highest plus-minus, 3.9 ± 2.0 points per 100 possessions: not significantly above the average."
TRAPS = {
    "one game is no performance": (
        say.best_performance([("Ann", 1.0, 1, 2300.0), ("Bob", 0.0, 1, 1500.0)]),
        "One game each: performances are not distinguishable from chance.",
    ),
    "one point of one does not beat six of nine": (
        say.best_performance([("Ann", 1.0, 1, 2800.0), ("Bob", 6.0, 9, 2400.0), ("Cem", 5.5, 9, 2350.0)]),
        "Bob performed best: 6 of 9 points, a performance of 2400.",
    ),
    "a tie of performances names both": (
        say.best_performance([("Ann", 5.0, 9, 2400.2), ("Bob", 6.0, 9, 2399.8)]),
        "Ann and Bob have the same best performance, 2400.",
    ),
    "a performance that cannot be computed is none": (say.best_performance([("Ann", 1.0, 1, float("nan"))]), ""),
    "a pool moves by drift and by who comes and goes": (
        say.pool_drift({"elo": (-18.2, -1.3)}),
        "Mean rating from the first period to the last, Elo points: elo −1.3 by drift, −18.2 with players who came and "
        "left.",
    ),
    "a pool without a reference": (
        say.pool_drift({"elo": (-18.2, None), "glicko": (None, None)}),
        "Mean rating from the first period to the last, Elo points: elo −18.2, players who came and left included; "
        "glicko rates no player.",
    ),
    "eighty boards beside sixteen": (
        say.winners(["A & B"], "+42.0 cross-IMPs", {"A & B": 80, "C & D": 16}),
        "A & B are first: +42.0 cross-IMPs; pairs played 16 to 80 boards, so totals are not comparable.",
    ),
    "a tie for first": (
        say.winners(["A & B", "C & D"], "55.00%", {"A & B": 24, "C & D": 24}, " North-South"),
        "A & B and C & D share first place North-South: 55.00%.",
    ),
    "a lead within its error": (
        say.ahead_of("Ann", "Bob", 15.0, 12.0), "Ann is estimated 15 Elo ahead of Bob, not significantly.",
    ),
    "no lead": (say.ahead_of("Ann", "Bob", 0.3, None), "Ann and Bob are estimated equal."),
    "no result above expectation": (say.best_result("Ann", 2.0, 4, 2.5), "No player scored more than expected."),
    "changes that print as zero": (say.gained_and_lost({"Ann": 0.3, "Bob": -0.2}, 0), "No rating changed."),
    "ranks that tie": (
        say.first_by_ranks({"Ann": 1.5, "Bob": 1.5, "Cem": 3.0}, 4),
        "Ann and Bob are level and first together by the mean of 4 ranks, 1.5.",
    ),
    "one game of a player": (
        say.rated("Ann", (1, 1, 9), (1512.0, 1300.0, 1730.0), "elo", 1),
        "Ann: rated 1512 (1300 to 1730), number 1 (1 to 9), by one game.",
    ),
    "a score of one game": (
        say.over_expectation(1.0, 1, 0.02, 0.14), "Scored 1 of 1 game, 0.0 expected: within chance.",
    ),
    "two games each are no performance": (
        say.best_performance([("Ann", 1.0, 1, 2700.0), ("Bob", 0.5, 2, 1800.0)]),
        "At most 2 games each: performances are not distinguishable from chance.",
    ),
    "three games beside nine": (
        say.winners(["Ann"], "5.5 points", {"Ann": 9, "Bob": 3}, units="players, games"),
        "Ann is first: 5.5 points; players played 3 to 9 games, so totals are not comparable.",
    ),
    "all share the first place": (
        say.winners(list("ABCDEF"), "2.5 points", dict.fromkeys("ABCDEF", 5), units="players, games"),
        "A, B, C and 3 more share first place: 2.5 points.",
    ),
    "two who are level at the top of a list": (
        say.first_of_list(["Ann", "Bob"], 7, "rating 2000"), "Ann and Bob are first together of 7: rating 2000.",
    ),
    "two who are level are all there are": (
        say.first_of_list(["Ann", "Bob"], 2, "rating 1500"), "Ann and Bob are level: rating 1500.",
    ),
    "changes of an arena are by judgements": (
        say.changes(0, "edition 1", 113, "judgement", "judgements"),
        "No number moved by more than one unit since edition 1, after 113 new judgements.",
    ),
    "a list of players who all drew": (
        say.first_of_list(list("ABCD"), 4, "rating 1500"), "All 4 are level: rating 1500.",
    ),
    "a first place by one game": (
        say.first_of_list(["Ann"], 5, "rating 2007", 1.0), "Ann is first of 5, by one game: rating 2007.",
    ),
    "a list of one": (say.first_of_list(["Ann"], 1, "rating 2007"), "Ann is the only one listed: rating 2007."),
    "the best of a bridge club may not be": (
        say.best_at_bridge("player", "Ann", (0.61, -0.04, 1.32), 1),
        "Ann is estimated to add most to a board: 0.6 IMPs (0.0 to 1.3); 1 other player may be as good.",
    ),
    "a share of parts that do not compare": (
        say.network_leader("Ann", 2.31, 0.001, 6),
        "Ann has the largest share of the network (6 separate parts, whose shares are not comparable), 2.3 times the "
        "average.",
    ),
    "a share that minutes explain": (
        say.network_leader("Ann", 2.31, 0.4, 1),
        "Ann has the largest share of the network, 2.3 times the average, which chance explains (p 0.40).",
    ),
    "no player in the network": (
        say.network_leader("Ann", float("nan"), float("nan"), 1), "No player is in the network.",
    ),
    "a plus-minus within its error": (
        say.plus_minus_leader("Bo", 3.0, 2.0),
        "Bo has the highest plus-minus, 3.0 ± 2.0 points per 100 possessions: not significantly above the average.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TRAPS)
def test_a_trap(name):
    found, expected = TRAPS[name]
    assert found == expected


def test_examples_of_docstrings():
    assert doctest.testmod(say).failed == 0


def test_who_gained_least_lost_nothing_and_who_lost_least_gained_nothing():
    assert "Lost" not in say.gained_and_lost({"Ann": 3.0, "Bo": 0.4}, 1)
    assert "Gained" not in say.gained_and_lost({"Ann": -3.0, "Bo": -0.4}, 1)
    assert say.gained_and_lost({"Ann": 3.0, "Bo": -0.4}, 1).startswith("Gained most: Ann +3.0. Lost most: Bo −0.4.")


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            say.rated,
            (("Ann", (2, 2, 2), (0.55, -0.1, 1.2), "imps", 3), "Ann: 0.6 IMPs a board (−0.1 to 1.2), number 2."),
        ),
        (say.best_result, (("Ann", 2.0, 4, 2.0), "No player scored more than expected.")),
        (say.best_result, (("Ann", 1.0, 1, 0.25), "Ann did best: 1 of 1 game, 0.2 expected.")),
        (say.best_result, (("Ann", 3.5, 4, 2.0, " (p 0.1)"), "Ann did best: 3.5 of 4 games, 2.0 expected (p 0.1).")),
        (say.over_expectation, ((6.96, 9, 5.0, 1.0), "Scored 6.96 of 9 games, 5.0 expected: within chance.")),
        (say.over_expectation, ((7.5, 9, 5.0, 1.0), "Scored 7.5 of 9 games, 5.0 expected: more than chance explains.")),
        (say.over_expectation, ((2.5, 9, 5.0, 1.0), "Scored 2.5 of 9 games, 5.0 expected: less than chance explains.")),
        (
            say.over_expectation,
            (
                (5.0, 9, 5.0, 1.0, True),
                "This season, over 9 games, 0.0 wins more than this list expects: within chance.",
            ),
        ),
        (
            say.over_expectation,
            (
                (4.5, 9, 5.0, 1.0, True),
                "This season, over 9 games, 0.5 wins fewer than this list expects: within chance.",
            ),
        ),
        (say.changes, ((1, "May", 1), "1 number moved by more than one unit since May, after 1 new game.")),
        (say.changes, ((2, "May", 0), "2 numbers moved by more than one unit since May, after no new game.")),
        (say.changes, ((0, "May", 2), "No number moved by more than one unit since May, after 2 new games.")),
        (say.first_of_list, ((list("abcd"), 9), "a, b, c and d are first together of 9.")),
        (say.first_of_list, ((list("abcde"), 9), "5 are first together of 9.")),
        (say.first_of_list, ((list("ab"), 2), "a and b are level.")),
        (say.first_of_list, ((list("abc"), 3, "1500"), "All 3 are level: 1500.")),
        (say.first_of_list, ((["a"], 1), "a is the only one listed.")),
        (say.first_of_list, ((["a & b"], 3, "", 2), "a & b are first of 3.")),
        (say.first_by_ranks, (({"a": 1.0, "b": 1.0, "c": 1.0, "d": 1.0}, 2), _LEVEL_OF_FOUR)),
        (
            say.first_by_ranks,
            ((dict.fromkeys("abcde", 1.5), 2), "5 share the first place by the mean of 2 ranks, 1.5."),
        ),
        (say.first_by_ranks, (({"a": 1.5, "b": 2.0}, 2), "a is first by the mean of 2 ranks, 1.5.")),
        (say.best_performance, (([("a", 2.0, 2, 2500.0), ("b", 3.0, 5, 2300.0)],), _OF_FIVE)),
        (say.best_performance, (([("a", 2.0, 2, 2500.0), ("b", 3.0, 4, 2300.0)],), _OF_TWO)),
        (say.best_performance, (([(name, 3.0, 4, 2300.0) for name in "abcde"],), _OF_ALL)),
        (say.ahead_of, (("a", "b", 19.6, 10.0), "a is estimated 20 Elo ahead of b, not significantly.")),
        (say.ahead_of, (("a", "b", 19.7, 10.0), "a is estimated strongest, 20 Elo ahead of b.")),
        (say.winners, ((["a"], "2", {"a": 2, "b": 1}), "a wins: 2.")),
        (say.winners, ((["a", "b", "c"], "2", {"a": 1}), "a, b and c share first place: 2.")),
        (say.winners, ((["a", "b", "c", "d", "e"], "2", {"a": 1}), "a, b, c and 2 more share first place: 2.")),
        (say.gained_and_lost, (({"a": 0.0, "b": -3.0}, 0), "Lost most: b −3.")),
        (say.gained_and_lost, (({"a": 4.2, "b": 0.0}, 1), "Gained most: a +4.2.")),
        (say.network_leader, (("a", 1.26, 0.05, 2), _TWO_PARTS)),
        (
            say.plus_minus_leader,
            (("a", 3.93, 2.0), "a has the highest plus-minus, 3.9 ± 2.0 points per 100 possessions."),
        ),
        (say.plus_minus_leader, (("a", 3.92, 2.0), _NOT_ABOVE)),
    ],
)
def test_sentences_at_their_limits(sentence, expected):
    arguments, words = expected
    assert sentence(*arguments) == words
