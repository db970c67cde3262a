"""Protocol: the first choice before the test is stored with its whole model; violations are refused in one line."""

import json
from dataclasses import replace

import beat_the_list
import pytest

from halfpoint.apps import workflows
from halfpoint.apps.workflows import backtesting
from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.protocol import Choice, choice_file
from halfpoint.models.declaration.catalogue import LISTED
from halfpoint.readers.datasets.fetch import dataset

TEST = dataset("study-2013").sha256
MODEL = LISTED["listed-full"]


def made(**about):
    """A choice of the listed models."""
    return Choice.of(LISTED, "listed-full", test={"file": "later.txt", "sha256": TEST}, **about)


def test_a_choice_comes_back_and_lets_what_was_chosen_through(tmp_path):
    choice = made(tried=7)
    path = choice.write(tmp_path / "choice.json")
    again = Choice.from_file(path)
    assert again.sha256 == choice.sha256
    assert again.content["tried"] == 7
    for model in LISTED.values():
        again.require(model, TEST)
    assert choice.write(path) == path  # the same choice again is no other choice


def test_without_a_choice_2013_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr(beat_the_list, "games_2013", lambda _: pytest.fail("the games of 2013 were read"))
    with pytest.raises(
        EvaluationError, match="written and committed before the test set is scored, found no such file"
    ):
        beat_the_list.read_test(None, tmp_path, tmp_path / "choice.json")
    assert not list(tmp_path.iterdir())


def test_a_backtest_of_the_study_asks_for_the_choice_too(tmp_path, monkeypatch):
    monkeypatch.setattr(backtesting, "chosen_before", lambda: tmp_path / "choice.json")
    monkeypatch.setattr(backtesting, "timed_games", lambda *_: pytest.fail("the games of 2013 were read"))
    with pytest.raises(EvaluationError, match="written and committed before the test set is scored"):
        workflows.backtest("study", "elo", "listed-draws", tmp_path / "out")


def test_a_choice_that_was_changed_is_none(tmp_path, monkeypatch):
    monkeypatch.setattr(beat_the_list, "games_2013", lambda _: pytest.fail("the games of 2013 were read"))
    path = made(tried=7).write(tmp_path / "choice.json")
    saved = json.loads(path.read_text(encoding="utf-8"))
    saved["choice"]["tried"] = 1
    path.write_text(json.dumps(saved), encoding="utf-8")
    with pytest.raises(EvaluationError, match="changed after its hash was made"):
        beat_the_list.read_test(None, tmp_path, path)


@pytest.mark.parametrize(
    ("model", "games", "found"),
    [
        (MODEL.but(spread=0.1), TEST, "a different function or different priors"),
        (replace(MODEL, name="listed-more"), TEST, "'listed-more'"),
        (MODEL, "0" * 64, "different games"),
    ],
)
def test_another_model_or_other_games_are_refused(model, games, found):
    with pytest.raises(EvaluationError, match=found) as error:
        made().require(model, games)
    assert "\n" not in str(error.value)


def test_the_choice_that_ships_is_whole_and_of_the_models_as_they_are():
    choice = Choice.from_file(choice_file())
    assert choice.content["primary"] == "listed-full"
    for model in LISTED.values():
        choice.require(model, TEST)
    assert choice.content["fast_events"] == beat_the_list.events_hash()


def test_a_choice_is_made_once(tmp_path):
    path = made(tried=7).write(tmp_path / "choice.json")
    with pytest.raises(EvaluationError, match="Keep the first choice"):
        made(tried=8).write(path)
    assert Choice.from_file(path).content["tried"] == 7


def test_each_ingredient_left_out_is_another_model():
    parts = beat_the_list.ingredients()
    assert len({repr(model) for model in (*parts.values(), MODEL)}) == len(parts) + 1
