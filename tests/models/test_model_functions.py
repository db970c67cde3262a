"""Functions that a trace can name: only those given as models, no other callable of any module."""

import gc
import json
import pickle
import sys
from types import FunctionType

import pytest

from halfpoint.models.declaration.catalogue import CATALOGUE, find
from halfpoint.models.declaration.record import model_of, record_of
from halfpoint.models.errors import ModelError, OwnCodeError
from halfpoint.models.games.plugins import Installed
from halfpoint.models.language.model import Model
from halfpoint.models.language.model_functions import MODEL_FUNCTIONS, ModelFunctions, place_of

RECORD = json.loads(json.dumps(record_of(find("davidson-population").but("wide", spread=3.0))))


class _AnyHash(str):
    """Hash that equals every hash, as if its author had computed the right one."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other):
        return True


def callables():
    """All callables in the modules and classes of this process, each with the places that could name it."""
    seen = {}
    for module in list(sys.modules.values()):
        for name, value in list(getattr(module, "__dict__", {}).items()):
            if callable(value):
                seen[id(value)] = value, {f"{module.__name__}:{name}", place_of(value)}
    return seen.values()


def test_no_callable_of_a_loaded_module_is_a_model():
    for function in [*(model.function for model in CATALOGUE.values()), *Installed("halfpoint.functions").values()]:
        MODEL_FUNCTIONS.add(function)
    given = {id(one) for name in MODEL_FUNCTIONS._by_name for one in MODEL_FUNCTIONS.named(name)}
    tried = returned = 0
    for _, places in callables():
        for place in places:
            record = RECORD | {"keywords": {}, "function": {"place": place, "sha256": _AnyHash("0" * 64)}}
            tried += 1
            try:
                function = model_of(record).function
            except ModelError:
                continue
            returned += 1
            assert id(function) in given, place
            assert isinstance(function, FunctionType), place
            assert function.__qualname__ == place.partition(":")[2]
    assert tried > 10_000  # more where more libraries are loaded
    assert returned < tried / 50


@pytest.mark.parametrize(
    "place",
    [
        "halfpoint.apps.fields.races.model:declare",
        "halfpoint.models.declaration.own_file:load",
        "idlelib.run:main",
        "antigravity:fly",
    ],
)
def test_a_module_that_a_record_names_is_not_imported(place):
    module = place.partition(":")[0]
    before = {name: sys.modules.pop(name) for name in list(sys.modules) if name == module}
    try:
        with pytest.raises(OwnCodeError, match=r"is missing\. Pass it again"):
            model_of(RECORD | {"function": {"place": place, "sha256": "0" * 64}})
        assert module not in sys.modules
    finally:
        sys.modules.update(before)


def plain(games, numbers=(0.0, 1.0)):
    return games, numbers


class Callable:
    def __call__(self, games):
        return games


def test_only_plain_functions_are_added():
    functions = ModelFunctions()
    for one in (plain, Callable, Callable(), Callable().__call__, print, len, "os:system"):
        functions.add(one)
    assert functions.named("plain") == [plain]
    assert list(functions._by_name) == ["plain"]


def test_a_function_that_nothing_else_uses_is_forgotten():
    functions = ModelFunctions()

    def inner(games):
        return games

    name = inner.__qualname__
    functions.add(inner)
    assert functions.named(name) == [inner]
    del inner
    gc.collect(0)  # the youngest objects; all of them would take seconds after many tests
    assert functions.named(name) == []


def test_the_function_given_last_is_the_first_answer():
    functions = ModelFunctions()
    first, second = ((lambda games: games) for _ in range(2))
    for one in (first, second, first):
        functions.add(one)
    assert functions.named(first.__qualname__) == [first, second]


def test_a_model_that_another_process_sent_has_given_its_function(monkeypatch):
    model = Model("plain", plain, {"numbers": (1.0, 2.0)})
    sent = pickle.dumps(model)
    monkeypatch.setattr(MODEL_FUNCTIONS, "_by_name", {})
    assert pickle.loads(sent) == model
    assert model_of(json.loads(json.dumps(record_of(model)))) == model


def test_the_model_of_a_leaderboard_is_installed():
    from halfpoint.apps.fields.arena.model import board

    record = json.loads(json.dumps(record_of(Model("leaderboard", board, {"advantage": None}))))
    assert model_of(record).function is board


@pytest.mark.parametrize("value", [object(), {1: 2}, {"a": {3}}, b"x", [print]])
def test_keywords_are_of_the_types_of_json(value):
    Model("plain", plain)
    with pytest.raises(ModelError, match="a keyword that is neither numbers nor texts"):
        model_of(RECORD | {"keywords": {"spread": value}})


def test_keywords_are_those_of_the_function():
    with pytest.raises(ModelError, match=r"expected its keywords .*found 'spreads'. Did you mean 'spread'\?"):
        model_of(RECORD | {"keywords": {"spreads": 1.0}})


def test_keywords_are_those_given_or_the_defaults():
    def function(games, spread, width=2.0, *, level, **further):
        return games

    model = Model("own", function, {"spread": 1.0, "level": 4.0})
    assert model.parameters == {"spread": 1.0, "width": 2.0, "level": 4.0}
    assert Model("own", function, {"spread": 1.0, "level": 4.0, "width": 3.0}).parameters["width"] == 3.0
    with pytest.raises(ModelError, match="model own: expected a value of the keyword 'level', found none"):
        _ = Model("own", function, {"spread": 1.0}).parameters
    with pytest.raises(ModelError, match="expected a function of games, found a function without arguments"):
        _ = Model("own", lambda: 0).parameters
