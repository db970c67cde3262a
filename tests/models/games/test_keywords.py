"""Keywords of public functions: a misspelt keyword, keywords of a call, and completion in a notebook."""

import warnings

import pytest

import halfpoint as hp
from halfpoint.models.games.keywords import passed_keywords, suggests_keywords


@suggests_keywords
def draw(name, /, height=1, *, width=80, style=None):
    """Keywords passed by a caller."""
    return height, passed_keywords(draw, locals())


def test_a_call_passes_its_keywords():
    assert draw("tree", 2, width=40) == (2, {"width": 40})
    assert draw("tree") == (1, {})
    assert draw("tree", style=False) == (1, {"style": False})


@pytest.mark.parametrize(
    ("keyword", "words"),
    [("widht", "Did you mean 'width'"), ("q", "expected height, width, style"), ("name", "expected height")],
)
def test_an_unknown_keyword_is_an_error(keyword, words):
    with pytest.raises(TypeError, match=words):
        draw("tree", **{keyword: 1})


def test_a_notebook_completes_a_keyword():
    completer = pytest.importorskip("IPython.core.completer").IPCompleter(namespace={"hp": hp, "x": None})
    completer.use_jedi = False
    line = "hp.rate(x, se"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)  # of the completer itself
        assert "seed=" in completer.complete(line_buffer=line, cursor_pos=len(line))[1]
