"""Keywords of the functions of `halfpoint` stand in their signatures, by which notebooks complete them."""

import inspect
import warnings

import pytest

import halfpoint as hp
from halfpoint.apps.workflows.options import RateOptions


def test_no_function_hides_typed_keywords():
    """`plot` alone takes any keywords."""
    functions = {name: getattr(hp, name) for name in hp.__all__ if inspect.isfunction(getattr(hp, name))}
    hiding = [
        name
        for name, function in functions.items()
        if any(part.kind is part.VAR_KEYWORD for part in inspect.signature(function).parameters.values())
    ]
    assert hiding == ["plot"]
    assert {*RateOptions.__annotations__} <= {*inspect.signature(hp.rate).parameters}


def test_a_notebook_completes_a_keyword():
    completer = pytest.importorskip("IPython.core.completer").IPCompleter(namespace={"hp": hp, "x": None})
    completer.use_jedi = False
    line = "hp.rate(x, se"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)  # of the completer itself
        assert "seed=" in completer.complete(line_buffer=line, cursor_pos=len(line))[1]
