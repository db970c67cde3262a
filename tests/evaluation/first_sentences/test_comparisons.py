"""First sentences on evidence in difficult cases: no claim beyond the numbers."""

import doctest

import pytest

from halfpoint.evaluation.first_sentences import comparisons as say

TRAPS = {
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
    "no sampler converged": (
        say.not_converged("NOT CONVERGED: R-hat 1.20"),
        "The sampler did not converge (R-hat 1.20): these numbers are not reliable.",
    ),
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
    "the same model twice": (say.best_model("bt", "bt", 0.0, 0.0, "not significantly"), "bt and bt are level."),
    "models of unknown errors": (
        say.best_model("bt", "thurstone", 3.0, 0.0, "not significantly"),
        "bt is first, not significantly: 3.0 ahead of thurstone.",
    ),
    "a lead of few games": (
        say.best_model("bt", "thurstone", 9.0, 2.0, "not reliably (fewer than 100 games)"),
        "bt is first, not reliably (fewer than 100 games): 9.0 ahead of thurstone (s.e. 2.0).",
    ),
    "systems that score alike": (
        say.best_score(["elo", "glicko"], 3, 90, "glicko", (0.0, 0.0, (0.0, 0.0))),
        "elo and glicko have the lowest log score of 3 systems on 90 games.",
    ),
    "a system by one game": (
        say.best_score(["elo"], 3, 1, "glicko", (0.5, 0.0, (0.5, 0.5))),
        "3 systems judged on 1 game: too few to compare.",
    ),
    "a lower score that is chance": (
        say.best_score(["elo"], 3, 90, "glicko", (-0.01, 0.02, (-0.05, 0.03))),
        "elo has the lowest log score of 3 systems on 90 games: 0.01000 less than glicko (standard error 0.02000), not "
        "significantly different.",
    ),
    "twenty fits show no more than no fault": (
        say.calibrated([], 5, 20), "None of 5 parameters is significantly miscalibrated in 20 fits.",
    ),
    "a match that goes on decides nothing": (
        say.sequential_decision("go on", "elo0 = 0 Elo", None, 0.02, (-2.94, 2.94), "games"),
        "Go on. LLR 0.02 by games, bounds -2.94 and 2.94.",
    ),
    "a ratio that rounds to zero has no sign": (
        say.sequential_decision("go on", "elo0 = 0 Elo", None, -0.001, (-2.94, 2.94), "games"),
        "Go on. LLR 0.00 by games, bounds -2.94 and 2.94.",
    ),
    "a ratio that came back after the stop": (
        say.sequential_decision("H0", "elo0 = 0 Elo", 1200, -1.5, (-2.94, 2.94), "pairs"),
        "Stop: H0 (elo0 = 0 Elo) is accepted after 1,200 games. LLR -1.50 by pairs after further games, bounds -2.94 "
        "and 2.94.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TRAPS)
def test_a_trap(name):
    found, expected = TRAPS[name]
    assert found == expected


def test_examples_of_docstrings():
    assert doctest.testmod(say).failed == 0
