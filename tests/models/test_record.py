"""Models as JSON and back: every model of the catalogue, and user functions."""

import json
import subprocess
from pathlib import Path

import pymc as pm
import pytest

from halfpoint.models.declaration.catalogue import CATALOGUE, EDITIONS, TWELVE, find
from halfpoint.models.declaration.fingerprint import fingerprint
from halfpoint.models.declaration.record import model_of, record_of, require_function
from halfpoint.models.errors import ModelError, OwnCodeError
from halfpoint.models.formulas.davidson import davidson
from halfpoint.models.language.model import Model

CASES = [(name, edition) for name in CATALOGUE for edition in (EDITIONS if name in TWELVE else ("corrected",))]
TEMPLATE = Path(__file__).parents[2] / "docs" / "extending" / "own_model.py"


def mine(games, advantage=(0.0, 0.5), shares=None):
    with pm.Model(coords=games.coords) as model:
        strength = pm.Normal("strength", 0.0, 1.0, dims="player")
        w = pm.Normal("advantage", *advantage)
        davidson(games, games.white(strength) + w, games.black(strength), pm.Normal("log_draw", 0.0, 1.0))
    return model


@pytest.mark.parametrize(("name", "edition"), CASES)
def test_a_row_comes_back_from_json(name, edition):
    model = find(name, edition)
    record = json.loads(json.dumps(record_of(model)))
    assert model_of(record) == model
    assert record["function"] == {"place": "catalogue"}


@pytest.mark.parametrize(
    "keywords", [{}, {"advantage": (0.1, 2.0)}, {"shares": {"Ann": {"Bo": 0.5}}}, {"shares": ("a", (1.0, None))}]
)
def test_a_function_of_ones_own_comes_back_with_its_keywords(keywords):
    model = Model("own", mine, keywords, weighting="exponential", half_life=90.0)
    assert model_of(json.loads(json.dumps(record_of(model)))) == model


def test_a_row_with_other_numbers_is_no_row_of_the_catalogue():
    wide = find("davidson-population").but("wide", spread=3.0)
    record = json.loads(json.dumps(record_of(wide)))
    assert record["function"]["place"].startswith("halfpoint.models.")
    assert record["keywords"] == {"spread": 3.0}
    assert model_of(record) == wide


def test_a_function_that_changed_is_told_and_nothing_else_is_called():
    record = json.loads(json.dumps(record_of(Model("own", mine))))
    assert record["function"]["place"].endswith("test_record:mine")
    changed = record | {"function": record["function"] | {"sha256": "0" * 64}}
    with pytest.raises(OwnCodeError, match=r"the function 'mine' of .*test_record:mine differs from that of the fit"):
        model_of(changed)
    other = record | {"function": {"place": "os:system\n", "sha256": "0" * 64}}
    with pytest.raises(OwnCodeError, match=r"'system.*' of os:system.* is missing. Pass it again: --model FI"):
        model_of(other)
    of_python = {"place": "subprocess:Popen", "sha256": fingerprint(subprocess.Popen)}
    with pytest.raises(OwnCodeError, match="'Popen' of subprocess:Popen is missing"):
        model_of(record | {"function": of_python})


def test_a_keyword_that_is_no_number_or_text_is_refused():
    with pytest.raises(ModelError, match=r"expected keywords that a trace can store .*found advantage=object"):
        record_of(Model("own", mine, {"advantage": object()}))


CELLS = """
from pathlib import Path
from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance()
text = Path({file!r}).read_text()
again = "from halfpoint.models.language.model import as_model; "
again += "from halfpoint.models.declaration.record import model_of, record_of"
again += "; record = record_of(as_model(fewer))"
told = "import json; model = as_model(fewer); print(json.dumps([record, model_of(record) == model]))"
for cell in (text, again, text, told):
    shell.run_cell(cell, store_history=True).raise_error()
"""


def test_functions_of_a_notebook_are_those_of_the_same_cells_and_of_a_file(zygote, tmp_path):
    code, printed, errors, _ = zygote.run([], tmp_path, program=CELLS.format(file=str(TEMPLATE)))
    assert code == 0, errors
    record, again = json.loads(printed)
    assert again, "cells that ran twice"
    assert record["function"]["place"] == "__main__:fewer"
    known = find(f"{TEMPLATE}:fewer")
    assert model_of(record) == known


@pytest.mark.parametrize("damage", [{}, {"function": 3}, {"name": "davidson", "function": {"place": "catalogue"}}])
def test_what_is_no_record_is_one_line(damage):
    with pytest.raises(ModelError) as error:
        model_of(damage)
    assert "\n" not in str(error.value)


def test_functions_are_those_of_this_process_or_installed(monkeypatch):
    """A process that has opened nothing yet: rows of the catalogue and models of fields are loaded when named."""
    from halfpoint.models.declaration import record as module
    from halfpoint.models.language.model_functions import ModelFunctions

    fresh = ModelFunctions()
    monkeypatch.setattr(module, "MODEL_FUNCTIONS", fresh)
    reference = record_of(Model("own", mine))["function"]
    with pytest.raises(OwnCodeError, match=r"the function 'mine' of .* is missing"):
        module._function_of(reference)
    fresh.add(mine)
    assert module._function_of(reference) is mine
    entries = list(module._OF_FIELDS)
    assert entries
    for key in entries:
        place = module._OF_FIELDS.entry(key).value
        name = place.partition(":")[2]
        assert module._OF_FIELDS[key] in module._installed(place, name)
        assert module._OF_FIELDS[key] in module._installed(f"halfpoint.elsewhere:{key}", key) or key != name
    for key in entries:
        monkeypatch.setattr(module, "MODEL_FUNCTIONS", ModelFunctions())
        place = module._OF_FIELDS.entry(key).value
        assert module._function_of({"place": place}) is module._OF_FIELDS[key]
    other = ModelFunctions()
    monkeypatch.setattr(module, "MODEL_FUNCTIONS", other)
    assert module._installed("elsewhere:none", entries[0]) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": "x" * 201}, "a name of more than 200 characters"),
        ({"name": "a\nb"}, "a name of more than 200 characters"),
        ({"name": 3}, "a name of more than"),
        ({"function": {"place": 3}}, "an invalid function"),
        ({"weighting": "none"}, "weighting is not one of"),
        ({"mean_one": 1}, "weighting is not one of"),
        ({"half_life": float("inf")}, "a half-life that is not a number"),
        ({"half_life": True}, "a half-life that is not a number"),
        ({"half_life": "90"}, "a half-life that is not a number"),
        ({"grades": 1.0}, "invalid keywords"),
        ({"keywords": []}, "invalid keywords"),
        ({"further": 1}, "it has other fields"),
        ({"keywords": {"a": {1: 2}}}, "a keyword that is neither numbers nor texts"),
    ],
)
def test_each_field_of_a_record_is_of_its_kind(change, message):
    record = record_of(Model("own", mine)) | change
    with pytest.raises(ModelError, match=message):
        model_of(record)


@pytest.mark.parametrize("change", [{"name": "x" * 200}, {"half_life": 90.0}, {"half_life": None}, {"grades": 3}])
def test_records_at_their_limits_are_read(change):
    record = record_of(Model("own", mine, {}, "exponential", half_life=30.0)) | change
    assert record_of(model_of(record)) == record


def test_a_function_that_is_given_again_is_that_of_the_record():
    record = record_of(Model("own", mine))
    require_function(record, mine)
    changed = record | {"function": record["function"] | {"sha256": "0" * 64}}
    with pytest.raises(OwnCodeError, match=r"the function 'mine' of .* differs from that of the fit"):
        require_function(changed, mine)
    moved = record | {"function": record["function"] | {"place": "elsewhere:mine"}}
    require_function(moved, mine)
    absent = record | {"function": {"place": "elsewhere:other", "sha256": "0" * 64}}
    with pytest.raises(OwnCodeError, match="the function 'other' of elsewhere:other is missing"):
        require_function(absent, mine)
    for place in ("catalogue", "absent"):
        require_function(record | {"function": {"place": place}}, mine)
