"""scikit-learn estimator: scikit-learn's checks, pipelines, states as JSON, and the same numbers as the functions."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.utils.estimator_checks import check_estimator

import halfpoint as hp
from halfpoint.models.games.errors import RatingSystemError
from halfpoint.sklearn import PairedComparison
from halfpoint.systems.catalogue import system
from halfpoint.systems.rating_state import RatingState

NOT_OURS = {  # made-up features that are no two players, or more than three results
    "check_estimators_dtypes": "rows of whole numbers in which both players are one",
    "check_classifier_data_not_an_array": "likewise",
    "check_dtype_object": "four classes, where games have loss, draw and win",
}


@pytest.fixture(scope="module")
def played():
    """Games with dates as a data frame, and their scores."""
    table, _ = hp.simulate(games=600, players=8, seed=5)
    frame = pd.DataFrame({"white": table.players[table.white], "black": table.players[table.black]})
    frame["day"] = pd.date_range("2020-01-01", periods=len(frame), freq="D").astype(str)
    return frame, table.score, table


@pytest.mark.further
def test_the_checks_of_scikit_learn():
    found = check_estimator(PairedComparison("elo"), on_fail=None, on_skip=None, expected_failed_checks=NOT_OURS)
    failed = [one["check_name"] for one in found if one["status"] == "failed"]
    assert failed == []
    assert sum(one["status"] == "passed" for one in found) >= 45
    assert {one["check_name"] for one in found if one["status"] == "xfail"} == set(NOT_OURS)


def test_a_rating_system_is_the_systems_own(played):
    frame, score, table = played
    rated = PairedComparison("elo", numbers={"k": 24}).fit(frame[["white", "black"]], score)
    made = system("elo").build(system("elo").start | {"k": 24})
    made.learn(table)
    chances = rated.predict_proba(frame[["white", "black"]])
    assert rated.classes_.tolist() == [0.0, 0.5, 1.0]
    np.testing.assert_allclose(chances @ rated.classes_, made.forecast(table).expected_score, atol=1e-9)
    assert np.isin(rated.predict(frame[["white", "black"]]), rated.classes_).all()


def test_states_go_to_json_and_learn_further_games(played, tmp_path):
    frame, score, _ = played
    for name in ("elo", "glicko", "trueskill", "glicko-2"):
        first = PairedComparison(name, time="day").fit(frame[:366], score[:366])  # 2020
        first.save(tmp_path / "state.json")
        again = RatingState.read(tmp_path / "state.json")
        assert again.json() == first.state_.json()
        further = frame[366:].assign(score=score[366:]).rename(columns={"day": "date"})
        after = hp.update(again, further)
        whole = PairedComparison(name, time="day").fit(frame, score).state_
        for key, value in whole.state.items():
            if value.dtype.kind == "f":
                np.testing.assert_allclose(after.state[key], value, rtol=1e-12, equal_nan=True)
    with pytest.raises(RatingSystemError, match="expected a period after"):
        hp.update(after, further)
    (tmp_path / "state.json").write_text("{}")
    with pytest.raises(RatingSystemError, match="expected a rating state as JSON, found other text"):
        RatingState.read(tmp_path / "state.json")


def test_a_model_is_the_functions_own_and_grows(played):
    frame, score, table = played
    frame = frame[["white", "black"]]
    options = {"method": "normal", "draws": 200}
    rated = PairedComparison("davidson-population", options=options, random_state=3).fit(frame, score)
    trace = hp.rate(table, model="davidson-population", method="normal", draws=200, seed=3).trace
    expected = hp.forecast(trace, table).frame[["loss_percent", "draw_percent", "win_percent"]].to_numpy() / 100.0
    np.testing.assert_allclose(rated.predict_proba(frame), expected, atol=1e-9)
    assert hp.update(rated.trace_, frame[:3].assign(score=score[:3])).attrs["games"] == len(frame) + 3


def test_it_goes_through_cross_validation_and_grids(played):
    frame, score, _ = played
    X, y = frame[["white", "black"]], np.array(["lost", "mid", "won"])[(2 * score).astype(int)]
    assert clone(PairedComparison("elo", numbers={"k": 8})).get_params()["numbers"] == {"k": 8}
    proper = cross_val_score(PairedComparison("glicko"), X, y, scoring="neg_log_loss", cv=4)
    shares = np.bincount((2 * score).astype(int)) / len(score)
    assert proper.mean() > (shares * np.log(shares)).sum()
    grid = GridSearchCV(
        PairedComparison("elo"), {"numbers": [{"k": 8}, {"k": 400}]}, scoring="neg_log_loss", cv=3, refit=True
    )
    assert grid.fit(X, y).best_params_ == {"numbers": {"k": 8}}


def test_what_is_wrong_is_a_value_error(played):
    frame, score, _ = played
    with pytest.raises(ValueError, match="row 0: expected two different players, found 'A' twice"):
        PairedComparison("elo").fit([["A", "A"], ["A", "B"]], [0, 1])
    with pytest.raises(ValueError, match="at most 3 classes"):
        PairedComparison("elo").fit([["A", "B"]] * 4, [0, 1, 2, 3])
    with pytest.raises(RatingSystemError, match="numbers: expected some of"):
        PairedComparison("elo", numbers={"kk": 3}).fit(frame, score)
