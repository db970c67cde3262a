"""Maximum likelihood and quasi-variances compared with BradleyTerry2, qvcalc and closed forms."""

import numpy as np
import pandas as pd
import pytest
from paired_tables import CHAMPIONS, CITATIONS, JOURNALS, PUDDINGS, TEAMS, baseball, games_of

from halfpoint.apps import workflows
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.maximum_likelihood import maximum_likelihood
from halfpoint.inference.quasi_variances import quasi_variances
from halfpoint.models.declaration.catalogue import find
from halfpoint.models.errors import ModelError
from halfpoint.models.games.errors import GameTableError

# tests/baseball.Rout.save of BradleyTerry2: estimates and standard errors against Baltimore, without home advantage
# and with it
BASEBALL = {
    "bt": "Bos 1.1077 0.3339 Cle 0.6839 0.3319 Det 1.4364 0.3396 Mil 1.5814 0.3433 NY 1.2476 0.3359 Tor 1.2945 0.3367",
    "bt-common": (
        "Bos 1.1438 0.3378 Cle 0.7047 0.3350 Det 1.4754 0.3446 Mil 1.6196 0.3474 NY 1.2813 0.3404 Tor 1.3271 0.3403"
    ),
}
FITTED = {"bt": (44.053, 36, 140.52), "bt-common": (38.643, 35, 137.11)}  # deviance, its freedom, AIC


def by_name(rows, names):
    """Games of named players of (first, second, wins, draws, losses)."""
    made = []
    for first, second, *counts in rows:
        for score, times in zip((1.0, 0.5, 0.0), counts, strict=True):
            made += [(names[first], names[second], score)] * int(times)
    return pd.DataFrame(made, columns=["home", "away", "score"])


@pytest.mark.parametrize("name", FITTED)
def test_baseball_of_agresti_as_bradleyterry2_prints_it(name):
    found = workflows.maximum_likelihood(by_name(baseball(), TEAMS), name, "Bal")
    rows = found.frame.set_index("name")
    printed = BASEBALL[name].split()
    for team, estimate, error in zip(printed[::3], printed[1::3], printed[2::3], strict=True):
        assert f"{rows.loc[team, 'estimate']:.4f}" == estimate
        assert f"{rows.loc[team, 'standard_error']:.4f}" == error
    if name == "bt-common":
        advantage = found.frame.set_index("parameter").loc["advantage"]
        told = [
            f"{advantage[column]:.{digits}f}" for column, digits in (("estimate", 4), ("standard_error", 4), ("z", 3))
        ]
        assert told == ["0.3023", "0.1309", "2.308"]
    deviance, freedom, _ = FITTED[name]
    assert (f"{found.about['deviance']:.3f}", found.about["degrees_of_freedom"]) == (f"{deviance:.3f}", freedom)


def test_criteria_differ_as_theirs_do():
    both = [workflows.maximum_likelihood(by_name(baseball(), TEAMS), name).about for name in FITTED]
    assert both[0]["aic"] - both[1]["aic"] == pytest.approx(FITTED["bt"][2] - FITTED["bt-common"][2], abs=0.011)
    assert both[0]["deviance"] - both[1]["deviance"] == pytest.approx(5.4106, abs=6e-5)
    for one in both:
        assert one["bic"] - one["aic"] == pytest.approx(one["parameters"] * (np.log(273) - 2), abs=1e-9)
        assert one["aic"] == pytest.approx(2 * one["parameters"] - 2 * one["log_likelihood"], abs=1e-9)


def test_citations_of_stigler():
    found = workflows.maximum_likelihood(by_name(CITATIONS, JOURNALS))
    rows = found.frame.set_index("name")
    assert found.about["reference"] == "Biometrika"
    np.testing.assert_allclose(rows.loc[JOURNALS[1:], "estimate"], [-2.94907250, -0.47956977, 0.26895406], atol=1e-8)
    np.testing.assert_allclose(
        rows.loc[JOURNALS[1:], "standard_error"], [0.10254534, 0.06058873, 0.07082997], atol=1e-8
    )
    assert (f"{found.about['deviance']:.4f}", found.about["degrees_of_freedom"]) == ("4.2934", 3)


def test_the_reference_moves_strengths_and_neither_differences_nor_quasi_errors():
    one, other = (maximum_likelihood(find("davidson-common"), games_of(CHAMPIONS), f"player {k}") for k in (0, 2))
    np.testing.assert_allclose(one.strength - one.strength[2], other.strength, atol=1e-9)
    assert one.covariance[0, 0] == other.covariance[2, 2] == 0.0
    apart = np.array([1.0, -1.0, 0.0])
    assert apart @ one.covariance @ apart == pytest.approx(apart @ other.covariance @ apart, rel=1e-8)
    np.testing.assert_allclose(one.quasi.value, other.quasi.value, rtol=1e-6)
    assert one.log_likelihood == pytest.approx(other.log_likelihood, abs=1e-9)


def test_ships_of_mccullagh_and_nelder_as_qvcalc_prints_them():
    lower = [[0.0533], [0.0428, 0.1824], [0.0390, 0.0384, 0.1428], [0.0404, 0.0412, 0.0387, 0.0941]]
    covariance = np.zeros((5, 5))
    for k, row in enumerate(lower, 1):
        covariance[k, 1 : k + 1] = covariance[1 : k + 1, k] = row
    found = quasi_variances(covariance)
    np.testing.assert_allclose(found.standard_error, [0.2010, 0.1127, 0.3753, 0.3239, 0.2322], atol=1.5e-3)
    np.testing.assert_allclose(found.worst, [-0.007, 0.009], atol=0.002)


def test_one_quasi_variance_may_be_negative():
    covariance = np.array([[0, 0, 0], [0, 4.258961**2, 8.261952], [0, 8.261952, 2.690667**2]])
    found = quasi_variances(covariance)
    np.testing.assert_allclose(found.value, [8.261952, 9.876793, -1.022262], atol=2e-5)
    assert np.isnan(found.standard_error[2])
    np.testing.assert_allclose(found.worst, 0.0, atol=1e-6)


def test_independent_levels_have_their_own_variances():
    own = np.array([0.3, 1.0, 2.5, 0.7, 4.0])
    np.testing.assert_allclose(quasi_variances(np.diag(own)).value, own, rtol=1e-9)
    with pytest.raises(InferenceError, match="expected three levels or more, found 2"):
        quasi_variances(np.eye(2))


def test_ties_of_davidson_and_of_rao_and_kupper_fit_the_puddings():
    """Davidson's table; the deviance of each pair's three counts."""
    found = maximum_likelihood(find("davidson"), games_of(PUDDINGS))
    assert found.log_likelihood == pytest.approx(-809.70951, abs=1e-5)
    counts = np.array([row[2:] for row in PUDDINGS], dtype=float)
    saturated = (counts * np.log(counts / counts.sum(axis=1, keepdims=True))).sum()
    assert found.deviance() == (pytest.approx(2 * (saturated + 809.70951), abs=1e-4), 24)
    other = maximum_likelihood(find("rao-kupper"), games_of([(a, b, c, d, e) for a, b, c, d, e in PUDDINGS]))
    assert abs(other.aic - found.aic) < 10.0


def test_a_column_of_the_games_has_an_estimate_too():
    """Two players; the advantage in games of the column 1 is the difference of two log odds."""
    rows = [("A", "B", score, home) for home, won, lost in ((0, 30, 20), (1, 40, 10)) for score, times in
            ((1.0, won), (0.0, lost)) for _ in range(times)]  # fmt: skip
    games = pd.DataFrame(rows, columns=["white", "black", "score", "home"])
    found = workflows.maximum_likelihood(games, "bt with advantage ~ 0 + home", "B").frame.set_index("parameter")
    assert found.loc["strength", "estimate"].iloc[0] == pytest.approx(np.log(1.5), abs=1e-7)
    assert found.loc["advantage_effect", "estimate"] == pytest.approx(np.log(4) - np.log(1.5), abs=1e-7)
    assert found.loc["advantage_effect", "standard_error"] == pytest.approx(np.sqrt(1 / 30 + 1 / 20 + 1 / 40 + 1 / 10))
    assert found.loc["advantage_effect", "name"] == "home"


ROUND = [("A", "B", 1.0), ("B", "A", 1.0), ("B", "C", 0.0), ("C", "A", 0.0), ("A", "C", 0.0)]


@pytest.mark.parametrize(
    ("rows", "model", "message"),
    [
        ([*ROUND, ("Ann", "A", 1.0), ("C", "Ann", 0.0)], "bt", "found Ann, who won all or lost all games"),
        ([*ROUND, ("Ann", "A", 1.0)], "bt-common", "halfpoint rate. rates them by a prior"),
        (ROUND, "davidson", "expected drawn games, for a draw parameter, found none. Use --model bt."),
        ([(a, b, 0.5) for a, b, _ in ROUND], "davidson", "found nothing else. Use --model bt"),
        ([("A", "B", 1.0), ("B", "C", 1.0), ("C", "A", 1.0)], "bt-common", "expected wins of both seats"),
        ([*ROUND, ("X", "Y", 1.0), ("Y", "X", 1.0)], "bt", "Estimate each group by itself"),
    ],
)
def test_what_has_no_maximum_is_refused_in_one_line(rows, model, message):
    games = pd.DataFrame(rows, columns=["white", "black", "score"])
    with pytest.raises(GameTableError, match=message) as found:
        workflows.maximum_likelihood(games, model)
    assert "\n" not in str(found.value)


def test_a_population_has_no_maximum_likelihood():
    with pytest.raises(ModelError, match=r"independent strengths, found davidson-population\. Use bt"):
        workflows.maximum_likelihood(pd.DataFrame(ROUND, columns=["white", "black", "score"]), "davidson-population")
