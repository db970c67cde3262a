"""Keywords of a function that has them as `**options: Unpack[...]`, each in its signature for completion and help."""

from collections.abc import Callable
from inspect import Parameter, signature
from typing import Any, get_args


def shows_keywords[F: Callable[..., Any]](function: F) -> F:
    """Give a function a signature that names each keyword; `...` stands for the default of its record.

    Examples
    --------
    >>> from typing import TypedDict, Unpack
    >>> Size = TypedDict("Size", {"width": int}, total=False)
    >>> @shows_keywords
    ... def draw(name: str, **size: Unpack[Size]) -> None: ...
    >>> str(signature(draw))
    '(name: str, *, width: int = Ellipsis) -> None'
    """
    written = signature(function)
    parameters = list(written.parameters.values())
    keywords = parameters.pop()
    typed = get_args(keywords.annotation)[0].__annotations__
    written_names = {parameter.name for parameter in parameters}
    parameters += [
        Parameter(name, Parameter.KEYWORD_ONLY, default=..., annotation=kind)
        for name, kind in typed.items()
        if name not in written_names
    ]
    function.__signature__ = written.replace(parameters=parameters)  # type: ignore[attr-defined]
    return function
