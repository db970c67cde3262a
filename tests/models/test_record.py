"""A model as JSON and back: every row of the catalogue, and formulas of one's own."""

import json

import pytest

from halfpoint.models.catalogue import CATALOGUE, EDITIONS, TWELVE, find
from halfpoint.models.errors import ModelError
from halfpoint.models.model import Model
from halfpoint.models.outcome import Outcome
from halfpoint.models.record import model_of, record_of

CASES = [(name, edition) for name in CATALOGUE for edition in (EDITIONS if name in TWELVE else ("corrected",))]


def straight(white, black, lam):
    return black, lam + (white + black) / 2, white


def bent(white, black, lam):
    return black, lam + (white + black) / 3, white


@pytest.mark.parametrize(("name", "edition"), CASES)
def test_a_row_comes_back_from_json(name, edition):
    model = find(name, edition)
    assert model_of(json.loads(json.dumps(record_of(model)))) == model


def test_a_formula_of_ones_own_is_given_again_and_is_the_same():
    outcome = Outcome("straight", straight)
    record = json.loads(json.dumps(record_of(Model("own", outcome))))
    assert record["outcome"]["source"].endswith("test_record:straight")
    assert model_of(record, [outcome]) == Model("own", outcome)
    with pytest.raises(ModelError, match=r"expected the formula 'straight' of .*test_record:straight, found none"):
        model_of(record)
    with pytest.raises(ModelError, match="found another one"):
        model_of(record, [Outcome("straight", bent)])


@pytest.mark.parametrize("damage", [{}, {"outcome": 3}, {"outcome": {"name": "davidson"}, "strength": {"part": "Os"}}])
def test_what_is_no_record_is_one_line(damage):
    with pytest.raises(ModelError) as error:
        model_of(damage)
    assert "\n" not in str(error.value)
