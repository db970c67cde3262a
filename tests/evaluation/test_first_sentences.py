"""First sentences on traps: each says what its numbers say, and not more."""

import doctest

import numpy as np
import pytest

from halfpoint.evaluation import first_sentences as say

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
        "Ann and Bob performed alike and best, 2400.",
    ),
    "a performance that cannot be computed is none": (say.best_performance([("Ann", 1.0, 1, float("nan"))]), ""),
    "ten standard errors on another score": (
        say.best_forecaster(
            {"elo": {"order": (0.02, 0.05), "winner": (0.5, 0.05)}, "uniform": {"order": (0.0, 0.0)}}, "uniform"
        ),
        "elo forecasts the winner best: 0.50 ± 0.05 more log score than equal chances; the order no better.",
    ),
    "no forecaster is better": (
        say.best_forecaster({"elo": {"order": (0.09, 0.05), "winner": (-0.5, 0.05)}, "uniform": {}}, "uniform"),
        "No forecaster is significantly better than equal chances.",
    ),
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
        "A & B wins: +42.0 cross-IMPs; pairs played 16 to 80 boards, so totals are not comparable.",
    ),
    "a tie for first": (
        say.winners(["A & B", "C & D"], "55.00%", {"A & B": 24, "C & D": 24}, " North-South"),
        "A & B and C & D share first place North-South: 55.00%.",
    ),
    "two players who are equal": (say.strongest({"Ann": 0.5, "Bob": 0.5}), "No clear leader: Ann (50%) or Bob (50%)."),
    "all drawn: everybody is equal": (
        say.strongest(dict.fromkeys("ABCDEFGHIJ", 0.1)),
        "No clear leader: 10 are equally likely to be the strongest (10% each).",
    ),
    "one player": (say.strongest({"Ann": 1.0}), "Ann is the only one listed."),
    "nobody converged": (
        say.not_converged("NOT CONVERGED: R-hat 1.20"),
        "The sampler did not converge (R-hat 1.20): these numbers are not reliable.",
    ),
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
    "a lead within its error": (
        say.ahead_of("Ann", "Bob", 15.0, 12.0), "Ann is estimated 15 Elo ahead of Bob, not significantly.",
    ),
    "no lead": (say.ahead_of("Ann", "Bob", 0.3, None), "Ann and Bob are estimated equal."),
    "an edge over base rates that is chance": (
        say.against_baseline(9, 1.03, 1.06, 0.03, 0.06, "base rates"),
        "Over 9 games the forecasts score 1.03, base rates 1.06: no significant difference (standard error 0.06).",
    ),
    "one game judges no forecast": (
        say.against_baseline(1, 0.2, 1.1, 0.9, 0.0, "base rates"),
        "One game has been played since the first edition (log score 0.20): too few to compare.",
    ),
    "forecasts worse than base rates": (
        say.against_baseline(200, 1.2, 1.1, -0.1, 0.02, "base rates"),
        "Over 200 games the forecasts score 1.20, base rates 1.10: worse by 0.10 (standard error 0.02).",
    ),
    "games that are all even": (say.surest(12, "game", "Ann", "Bob", "…", 0.504), "12 games, all even."),
    "nobody did better than expected": (say.best_result("Ann", 2.0, 4, 2.5), "No player scored more than expected."),
    "changes that print as zero": (say.gained_and_lost({"Ann": 0.3, "Bob": -0.2}, 0), "No rating changed."),
    "ranks that tie": (
        say.first_by_ranks({"Ann": 1.5, "Bob": 1.5, "Cem": 3.0}, 4),
        "Ann and Bob are level and first together by the mean of 4 ranks, 1.5.",
    ),
    "an event without a favourite": (
        say.winner_of_event({"Ann": 0.25, "Bob": 0.25, "Cem": 0.25, "Dan": 0.25, "Eve": 0.0}),
        "Ann, Bob, Cem and Dan are equally likely to win (25% each).",
    ),
    "one game of a player": (
        say.rated("Ann", (1, 1, 9), (1512.0, 1300.0, 1730.0), "elo", 1),
        "Ann: rated 1512 (1300 to 1730), number 1 (1 to 9), by one game.",
    ),
    "a score of one game": (
        say.over_expectation(1.0, 1, 0.02, 0.14), "Scored 1 of 1 game, 0.0 expected: within chance.",
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
    assert ("probably" in say.strongest(chances)) == (0.5 < chances[best] < 0.95)
