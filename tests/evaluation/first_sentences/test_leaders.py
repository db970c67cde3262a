"""First sentences on chances in difficult cases: no claim beyond the numbers."""

import doctest

import numpy as np
import pytest

from halfpoint.evaluation.first_sentences import leaders as say

TRAPS = {
    "two players who are equal": (say.strongest({"Ann": 0.5, "Bob": 0.5}), "No clear leader: Ann (50%) or Bob (50%)."),
    "all drawn: everybody is equal": (
        say.strongest(dict.fromkeys("ABCDEFGHIJ", 0.1)),
        "No clear leader: 10 are equally likely to be the strongest (10% each).",
    ),
    "two equal players, one a shade ahead by simulation": (
        say.strongest({"Ann": 0.503, "Bob": 0.497}), "No clear leader: Ann (50%) or Bob (50%).",
    ),
    "a leader by less than a simulation shows": (
        say.strongest({"Ann": 0.52, "Bob": 0.48}), "No clear leader: Ann (52%) or Bob (48%).",
    ),
    "four who are level are all named": (
        say.strongest({"Ann": 0.252, "Bob": 0.25, "Cem": 0.25, "Dan": 0.248}),
        "No clear leader: Ann (25%), Bob (25%), Cem (25%) or Dan (25%).",
    ),
    "one game makes no leader": (
        say.strongest({"Ann": 0.73, "Bob": 0.27}, 1), "No clear leader after one game: Ann (73%) or Bob (27%).",
    ),
    "a guest of one game among many players is not named": (
        say.strongest({f"P{k}": 0.004 for k in range(250)}, 1),
        "No clear leader: every chance to be the strongest is below 5%.",
    ),
    "a season of players that is over": (
        say.title_decided({"Ann": 1.0, "Bob": 0.0}), "Ann has won the title: all games are played.",
    ),
    "a title shared after the last game": (
        say.title_decided({"Ann": 0.5, "Bob": 0.5, "Cem": 0.0}), "Ann and Bob share the title: all games are played.",
    ),
    "a final between equals": (
        say.winner_of_event({"Ann": 0.503, "Bob": 0.497}), "Ann and Bob are equally likely to win (50% each).",
    ),
    "one player": (say.strongest({"Ann": 1.0}), "Ann is the only one listed."),
    "a season that is over": (
        say.champion({"Ash": 1.0, "Elm": 0.0}, 0), "Ash are champions: the season is over.",
    ),
    "a title shared on points": (
        say.champion({"Ash": 0.5, "Elm": 0.5, "Oak": 0.0}, 0),
        "Ash and Elm share the title on points: the season is over.",
    ),
    "a title that is nearly certain is not certain": (
        say.champion({"Ash": 0.99995, "Elm": 0.00005}, 3),
        "Ash win the title in more than 99 of 100 simulated seasons.",
    ),
    "level at the top": (
        say.champion({"Ash": 0.42, "Elm": 0.418, "Oak": 0.162}, 9),
        "Level at the top: Ash and Elm win the title in 42 of 100 simulated seasons each.",
    ),
    "an open title has no champion": (
        say.champion({"Ash": 0.4, "Elm": 0.35, "Oak": 0.25}, 9),
        "An open title: Ash win it in 40 of 100 simulated seasons, Elm in 35.",
    ),
    "relegation that is decided": (
        say.zone("relegation", {"Oak": 1.0, "Fir": 1.0, "Elm": 0.0}, 2), "Relegation: Oak and Fir, decided.",
    ),
    "relegation that everybody may meet": (
        say.zone("relegation", dict.fromkeys("ABCDEFGH", 0.25), 2),
        "Relegation is open: 8 have a chance of 5% or more.",
    ),
    "games that are all even": (say.surest(12, "game", "Ann", "Bob", "…", 0.504), "12 games, all even."),
    "an event without a favourite": (
        say.winner_of_event({"Ann": 0.25, "Bob": 0.25, "Cem": 0.25, "Dan": 0.25, "Eve": 0.0}),
        "Ann, Bob, Cem and Dan are equally likely to win (25% each).",
    ),
    "a favourite of less than a half is no winner": (
        say.winner_of_event({"Ann": 0.25, "Bob": 0.35, "Cem": 0.40}, "the title"),
        "No clear favourite to win the title: Cem (40%), Bob (35%) or Ann (25%).",
    ),
    "games that cannot be drawn": (say.game_in_words("Ann", "Bob", 0.55, None, 0.45), "Ann wins 55%, Bob wins 45%"),
    "an expected score names no winner": (
        say.expected_points("Ann", {"mean": 0.6, "low": 0.4, "high": 0.8}, 1),
        "Ann is expected to score 0.6 (0.4 to 0.8) of 1 point.",
    ),
    "a round that tells nothing": (
        say.next_round("Ann", "Bob", 3, 0.0004),
        "No pairing is informative: each gives less than a thousandth of a bit.",
    ),
    "two players have one board": (say.next_round("Ann", "Bob", 1, 0.02), "One board: Ann against Bob."),
    "a comparison that leaves all as it is": (
        say.next_comparison("a", "b", 99.6),
        "No comparison reduces the variance much: the best leaves 99.6% of the variance.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TRAPS)
def test_a_trap(name):
    found, expected = TRAPS[name]
    assert found == expected


def test_examples_of_docstrings():
    assert doctest.testmod(say).failed == 0


@pytest.mark.parametrize("seed", range(20))
def test_no_chance_is_printed_as_none_or_certain_and_leaders_lead(seed):
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.full(6, 0.3))
    chances = {f"P{k}": float(share) for k, share in enumerate(shares)}
    best = max(chances, key=chances.get)
    for sentence in (say.strongest(chances), say.champion(chances, 5), say.winner_of_event(chances)):
        assert " 0%" not in sentence
        assert "100%" not in sentence
        assert best in sentence
    second = sorted(chances.values())[-2]
    assert ("probably" in say.strongest(chances)) == (0.5 < chances[best] < 0.95 and chances[best] - second >= 0.05)


@pytest.mark.parametrize(
    ("sentence", "arguments", "words"),
    [
        (say.strongest, ({"a": 0.5, "b": 0.3, "c": 0.2},), "No clear leader: a (50%), b (30%) or c (20%)."),
        (say.strongest, ({"a": 0.52, "b": 0.46, "c": 0.02},), "a is probably the strongest (52%); else b (46%)."),
        (say.strongest, ({"a": 0.51, "b": 0.47, "c": 0.02},), "No clear leader: a (51%) or b (47%)."),
        (say.strongest, ({"a": 0.95, "b": 0.05},), "a is the strongest (95%)."),
        (say.strongest, ({"a": 0.94, "b": 0.04, "c": 0.02},), "a is probably the strongest (94%)."),
        (say.strongest, (dict.fromkeys("abcde", 0.2),),
         "No clear leader: 5 are equally likely to be the strongest (20% each)."),
        (say.strongest, (dict.fromkeys("abcd", 0.25),), "No clear leader: a (25%), b (25%), c (25%) or d (25%)."),
        (say.strongest, ({"a": 0.7, "b": 0.3}, 1), "No clear leader after one game: a (70%) or b (30%)."),
        (say.strongest, ({"a": 0.04, "b": 0.03}, 1), "No clear leader: every chance to be the strongest is below 5%."),
        (say.champion, ({"a": 1.0, "b": 0.0}, 3),
         "a are champions: no other club won the title in any simulated season."),
        (say.champion, ({"a": 0.5, "b": 0.3}, 3), "An open title: a win it in 50 of 100 simulated seasons, b in 30."),
        (say.champion, ({"a": 0.995, "b": 0.005}, 3),
         "a win the title in more than 99 of 100 simulated seasons, b in fewer than 1."),
        (say.champion, ({"a": 0.996, "b": 0.004}, 3), "a win the title in more than 99 of 100 simulated seasons."),
        (say.champion, ({"a": 1.0, "b": 0.0}, 0), "a are champions: the season is over."),
        (say.champion, ({"a": 0.5, "b": 0.5}, 0), "a and b share the title on points: the season is over."),
        (say.winner_of_event, ({"a": 0.04, "b": 0.03, "c": 0.02},), "No clear favourite to win: a (4%)."),
        (say.zone, ("top", {"a": 0.05, "b": 0.04}, 2), "Top: a 5%."),
        (say.zone, ("top", {"a": 1.0, "b": 1.0, "c": 0.0}, 2), "Top: a and b, decided."),
        (say.zone, ("top", dict.fromkeys("abcdef", 0.3), 2), "Top is open: 6 have a chance of 5% or more."),
        (say.competitor, ("a", [0.1, 0.7, 0.2], (61.4, 50.2, 71.6), 3),
         "a: 61 points expected (50 to 72), most likely place 2 (70%)."),
        (say.competitor, ("a", [0.0, 1.0, 0.0], (61.0, 61.0, 61.0), 0), "a: 61 points, place 2."),
        (say.competitor, ("a", [0.0, 0.5, 0.5], (61.0, 61.0, 61.0), 0), "a: 61 points, places 2 to 3 (shared)."),
        (say.surest, (2, "game", "a", "b", "x", 0.505), "2 games, all even."),
        (say.surest, (2, "game", "a", "b", "x", 0.52), "2 games. The surest is a against b: x."),
        (say.surest, (1, "game", "a", "b", "x", 0.5), "a against b: x."),
        (say.next_comparison, ("a", "b", 99.0), "Compare a with b first."),
        (say.next_round, ("a", "b", 2, 0.001), "Board 1 of 2: a against b."),
    ],
)  # fmt: skip
def test_sentences_at_their_limits(sentence, arguments, words):
    assert sentence(*arguments) == words
