"""Tampered record of a model in a trace: refused in one line, quickly, without running any of it."""

import json
import time

import pytest

from halfpoint.models.declaration.catalogue import find
from halfpoint.models.declaration.record import record_of
from halfpoint.models.declaration.trace_attributes import model_in
from halfpoint.models.errors import ModelError
from halfpoint.models.rows.effects import Effects

BASE = json.dumps(record_of(find("davidson-rapid-scaled")))
PARTS = {
    "a function of Python's": ("function", {"place": "os:system", "sha256": "0" * 64}),
    "no function": ("function", 3),
    "a function without a place": ("function", {}),
    "a place that is a number": ("function", {"place": 3}),
    "a long place": ("function", {"place": "x" * 1_000_000, "sha256": ""}),
    "a place that cannot be printed": ("function", {"place": "a\n\x1b[31m:b", "sha256": ""}),
    "keywords that are a list": ("keywords", [1.0] * 1_000_000),
    "keywords that are a text": ("keywords", "__import__('os')"),
    "deep": ("keywords", eval("[" * 80 + "]" * 80)),
    "grades that are a text": ("grades", "x"),
    "a half-life that is a text": ("half_life", "x"),
    "no number": ("half_life", float("nan")),
    "a truth that is a text": ("mean_one", "x"),
    "a weighting that is code": ("weighting", "__import__('os')"),
    "a long name": ("name", "x" * 1_000_000),
    "a name that cannot be printed": ("name", "a\n\x1b[31m"),
    "a name of nobody": ("name", "os.system"),
    "an edition of nobody": ("edition", "x"),
    "effects that are a text": ("effects", "advantage ~ 1"),
    "further": ("other", 3),
}
FORMULAS = (
    "pd.read_pickle(x)", "__import__('os').system('id')", "x.__class__", "(eval)(x)", "I(x)(y)", "C(x)[0](y)",
    "eval (x)", "lambda: x", "{x}", "I(x**9**9**9**9)", "I(x**999999)", "`x`(y)", '"x"', "x" * 1_000_000,
    "x(" * 100_000, "x . y(z)",
)  # fmt: skip


def refused(record):
    """Read a record that must be refused; return the message."""
    begun = time.process_time()
    with pytest.raises(ModelError) as found:
        model_in({"model_record": record if isinstance(record, str) else json.dumps(record)})
    assert time.process_time() - begun < 5.0
    message = str(found.value)
    assert message.isprintable()
    assert len(message) < 700
    return message


@pytest.mark.parametrize("name", PARTS)
def test_a_record_of_other_parts_or_numbers_is_refused(name):
    key, value = PARTS[name]
    assert refused(json.loads(BASE) | {key: value}).startswith(("model: expected ", "model: the "))


@pytest.mark.parametrize("formula", FORMULAS, ids=lambda formula: formula[:20])
def test_a_formula_that_calls_what_it_must_not_is_refused(formula):
    record = json.loads(BASE)
    record["effects"] = {"advantage": formula}
    assert "effects on advantage: expected " in refused(record)


@pytest.mark.parametrize("text", ["", "[]", "{", "[" * 100_000, "3"])
def test_what_is_no_record_at_all_is_refused(text):
    assert refused(text).startswith("trace: ")


@pytest.mark.parametrize("formula", ["0 + rapid", "0 + I(x**2) + I(x ** 3)", "0 + center(x) + (1 | site)", "C(x)*y"])
def test_formulas_of_columns_are_taken(formula):
    assert Effects({"advantage": formula}).formulas["advantage"] == formula
