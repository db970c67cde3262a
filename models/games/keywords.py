"""Keywords of public functions: a suggestion for a misspelt keyword, and the keywords that a caller has passed."""

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import wraps
from inspect import Parameter, signature
from typing import Any


def suggests_keywords[**P, R](function: Callable[P, R]) -> Callable[P, R]:
    """Let the error of an unknown keyword name the most similar keyword, which Python does from 3.13 on.

    Examples
    --------
    >>> @suggests_keywords
    ... def draw(name: str, *, width: int = 80) -> None: ...
    >>> draw("tree", widht=40)
    Traceback (most recent call last):
    ...
    TypeError: draw() got an unexpected keyword argument 'widht'. Did you mean 'width'?
    """
    parameters = signature(function).parameters.values()
    names = [parameter.name for parameter in parameters if parameter.kind is not Parameter.POSITIONAL_ONLY]

    @wraps(function)
    def with_suggestion(*args: P.args, **keywords: P.kwargs) -> R:
        strange = next((name for name in keywords if name not in names), None)
        if strange is not None:
            near = get_close_matches(strange, names, 1)
            hint = f". Did you mean {near[0]!r}?" if near else f"; expected {', '.join(names)}"
            raise TypeError(f"{function.__name__}() got an unexpected keyword argument {strange!r}{hint}")
        return function(*args, **keywords)

    return with_suggestion


def passed_keywords(function: Callable[..., object], values: Mapping[str, object]) -> dict[str, Any]:
    """Keyword-only arguments of a call that are not the defaults of the function, from its `locals()`.

    Examples
    --------
    >>> def draw(name, *, width=80, height=None):
    ...     return passed_keywords(draw, locals())
    >>> draw("tree", width=40), draw("tree")
    ({'width': 40}, {})
    """
    keywords = (value for value in signature(function).parameters.values() if value.kind is Parameter.KEYWORD_ONLY)
    return {value.name: values[value.name] for value in keywords if values[value.name] is not value.default}
