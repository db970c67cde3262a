"""Bias-reduced maximum likelihood: closed forms, a direct maximum of the penalised likelihood, separation, the bias."""

import numpy as np
import pandas as pd
import pytest
from paired_tables import CHAMPIONS, CITATIONS, PUDDINGS, TEAMS, baseball, games_of
from scipy.optimize import minimize

from halfpoint.apps import workflows
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.maximum_likelihood import maximum_likelihood
from halfpoint.models.declaration.catalogue import find
from halfpoint.models.games.errors import GameTableError


def direct(rows, players, three, advantage):
    """Maximum of log L + log det I / 2 by a general optimiser, parameters relative to the first player."""
    design, counts = [], []
    for first, second, won, drawn, lost in rows:
        x = np.zeros(players + 1)
        x[first], x[second], x[-1] = 1.0, -1.0, 1.0
        design.append(x[1:] if advantage else x[1:-1])
        counts.append((lost, drawn, won) if three else (lost, won))
    x, w = np.array(design), np.array(counts, dtype=float)
    if three:
        zero, one = np.zeros((len(x), 1)), np.ones((len(x), 1))
        t = np.stack([np.hstack([-x / 2, zero]), np.hstack([0 * x, one]), np.hstack([x / 2, zero])])
    else:
        t = np.stack([-x / 2, x / 2])

    def minus(b):
        score = t @ b
        p = np.exp(score - np.log(np.exp(score).sum(axis=0)))
        mean = np.einsum("cr,crs->rs", p, t)
        each = np.einsum("cr,crs,cru->su", p * w.sum(axis=1), t - mean, t - mean)
        return -(w.T * np.log(p)).sum() - 0.5 * np.linalg.slogdet(each)[1]

    found = minimize(minus, np.zeros(t.shape[-1]), method="BFGS", options={"gtol": 1e-8, "maxiter": 5000})
    return found.x


@pytest.mark.parametrize(("rows", "players", "model"), [
    (CITATIONS, 4, "bt"), (baseball(), 7, "bt-common"), (PUDDINGS, 6, "davidson"), (CHAMPIONS, None, "davidson-common"),
])  # fmt: skip
def test_the_maximum_of_the_penalised_likelihood(rows, players, model):
    players = players or 1 + max(max(row[:2]) for row in rows)
    played = games_of(rows)
    found = maximum_likelihood(find(model), played, played.games.people[0], reduce_bias=True)
    expected = direct(rows, players, "davidson" in model, "common" in model)
    np.testing.assert_allclose(found.strength[1:], expected[: players - 1], atol=2e-5)
    if "common" in model:
        assert found.others["advantage"][0] == pytest.approx(expected[players - 1], abs=2e-5)
    if "davidson" in model:
        assert found.others["log_draw"][0] == pytest.approx(expected[-1], abs=2e-5)


@pytest.mark.parametrize(("won", "lost"), [(7, 3), (5, 0)])
def test_two_players_have_half_a_win_more_each(won, lost):
    games = pd.DataFrame({"white": "A", "black": "B", "score": [1.0] * won + [0.0] * lost})
    found = workflows.maximum_likelihood(games, reference="B", reduce_bias=True).frame.set_index("name")
    p = (won + 0.5) / (won + lost + 1.0)
    assert found.loc["A", "estimate"] == pytest.approx(np.log(p / (1 - p)), abs=1e-8)
    assert found.loc["A", "standard_error"] == pytest.approx(1 / np.sqrt((won + lost) * p * (1 - p)), abs=1e-8)


@pytest.mark.slow
def test_the_bias_of_a_small_league_falls():
    """Expectations over all results of a round robin of four: the reduced estimates have less bias."""
    truth = np.array([0.0, 0.7, -0.4, 0.9])
    pairs = [(a, b) for a in range(4) for b in range(a + 1, 4)]
    rng = np.random.default_rng(4)
    sums, firth, count = np.zeros(4), np.zeros(4), 0
    for _ in range(150):
        rows = []
        for a, b in pairs:
            won = rng.binomial(6, 1 / (1 + np.exp(truth[b] - truth[a])))
            rows.append((a, b, won, 0, 6 - won))
        played = games_of(rows)
        try:
            usual = maximum_likelihood(find("bt"), played, played.games.people[0]).strength
        except GameTableError:
            continue
        sums += usual - truth
        firth += maximum_likelihood(find("bt"), played, played.games.people[0], reduce_bias=True).strength - truth
        count += 1
    error = 0.75 / np.sqrt(count)  # of a mean of estimates whose standard errors are at most that
    assert np.abs(firth[1:] / count).max() < 3.5 * error
    assert np.abs(firth).sum() < np.abs(sums).sum()


# BradleyTerry2 1.1.2 with brglm 0.7.2 on R 4.2.2, summary(BTm(..., br = TRUE)): estimate and standard error
R_CITATIONS = {  # against Biometrika
    1: (-2.9443818218, 0.10236783938), 2: (-0.4790752610, 0.06057469823), 3: (0.2685310228, 0.07081869505),
}  # fmt: skip
R_BASEBALL = {  # against Baltimore
    "Bos": (1.1111757087, 0.3355587685), "Cle": (0.6839909689, 0.3329083994), "Det": (1.4337808236, 0.3419608624),
    "Mil": (1.5740686040, 0.3446522003), "NY": (1.2450430531, 0.3379985691), "Tor": (1.2896130473, 0.3379220389),
}  # fmt: skip
R_AT_HOME = (0.2939279930, 0.1304443607)
SEPARATED = [(0, 1, 5, 0, 0), (0, 2, 4, 0, 0), (1, 2, 3, 0, 2)]  # the first player wins all games
R_SEPARATED = {0: (3.0686104500, 1.5793084890), 1: (0.3305351607, 0.8694267061)}  # against the third


def test_estimates_are_those_of_bradleyterry2_with_its_bias_reduction():
    def estimates(rows, model, reference):
        played = games_of(rows)
        return maximum_likelihood(find(model), played, f"player {reference}", reduce_bias=True)

    baltimore = TEAMS.index("Bal")
    ball = estimates(baseball(), "bt-common", baltimore)
    by_team = {TEAMS.index(team): pair for team, pair in R_BASEBALL.items()}
    for found, expected in (
        (estimates(CITATIONS, "bt", 0), R_CITATIONS), (ball, by_team), (estimates(SEPARATED, "bt", 2), R_SEPARATED),
    ):  # fmt: skip
        frame = found.frame().set_index("name")
        for place, pair in expected.items():
            row = frame.loc[f"player {place}", ["estimate", "standard_error"]].tolist()
            np.testing.assert_allclose(row, pair, atol=2e-7)
    np.testing.assert_allclose(np.ravel(ball.others["advantage"]), R_AT_HOME, atol=2e-7)


def test_the_deviance_of_a_saturated_model_is_zero():
    games = pd.DataFrame({"white": "A", "black": "B", "score": [1.0] * 7 + [0.0] * 3})
    found = workflows.maximum_likelihood(games, reference="B")
    assert found.about["deviance"] == 0.0
    assert "1 parameter, " in found.note
    assert "Residual deviance 0 on 0 degrees of freedom" in found.note


def test_digits_and_words_of_the_command(tmp_path):
    rows = [(TEAMS[a], TEAMS[b], score) for a, b, won, _, lost in baseball()
            for score, times in ((1.0, won), (0.0, lost)) for _ in range(times)]  # fmt: skip
    games = pd.DataFrame(rows, columns=["home", "away", "score"])
    found = workflows.maximum_likelihood(games, "bt-common", "Bal", reduce_bias=True)
    assert found.title == "bt-common by bias-reduced maximum likelihood on 273 games"
    plain = workflows.maximum_likelihood(games, "bt-common", "Bal").frame.set_index("name")["estimate"]
    reduced = found.frame.set_index("name")["estimate"]
    teams = [team for team in TEAMS if team != "Bal"]
    assert (reduced[teams].abs() < plain[teams].abs()).all()  # towards equality


def test_other_formulas_are_refused():
    with pytest.raises(InferenceError, match="expected a Bradley-Terry or Davidson model of at most 2,000 parameters"):
        maximum_likelihood(find("rao-kupper"), games_of(CHAMPIONS), reduce_bias=True)
