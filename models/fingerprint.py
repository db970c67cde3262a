"""The hash of somebody's own code: of a function or a class, and of what these use of their own module.

Names that a source says are followed where they mean functions, classes, numbers or texts of the same module, so that
another helper or another constant is another code. What fields of a dataclass hold is no code: a record has it.
"""

import hashlib
import inspect
import json
import re
from collections.abc import Iterable, Mapping
from functools import cache, cached_property, partial
from types import FunctionType
from typing import Any

NAME = re.compile(r"[^\W\d]\w*")
LIBRARY = "halfpoint."
WITHIN = {property: "fget", cached_property: "func", staticmethod: "__func__", classmethod: "__func__"}
CALLED = ("__post_init__", "__call__")  # the methods with underscores that no decorator writes


@cache  # a file that changes while its code is in use does not change that code
def fingerprint(*own: Any) -> str:
    """Hash of somebody's functions or classes, texts and tuples, the same in every process that has the same source."""
    queue, texts = [*own], list[str]()
    for one in queue:  # which grows
        text, used = read(one)
        texts.append(text)
        queue += [other for other in used if all(other is not known for known in queue)]
    return hashlib.sha256("\n".join(sorted(texts)).encode()).hexdigest()


def read(one: Any) -> tuple[str, list[Any]]:
    """Text of a function, a class or an object, and the code of its module that it uses; of the library the name."""
    if one is None or isinstance(one, str | tuple | bool):
        return repr(one), []
    if isinstance(one, FunctionType | type) and one.__module__.startswith(LIBRARY):
        return f"{one.__module__}:{one.__qualname__}", []
    if isinstance(one, FunctionType):
        text, names = source(one), dict(one.__globals__)
        cells = [cell.cell_contents for cell in one.__closure__ or ()]
        used = {name: names[name] for name in NAME.findall(text) if name in names}
        used |= dict(zip(one.__code__.co_freevars, cells, strict=True)) | {"defaults": one.__defaults__}
        return with_constants(text, used, one.__module__)
    if isinstance(one, partial):
        return with_constants("", {"function": one.func, "given": one.args} | one.keywords, one.func.__module__)
    if not isinstance(one, type):
        return "", [type(one)]
    fields = getattr(one, "__dataclass_fields__", ())
    members = {
        name: inspect.unwrap(getattr(value, WITHIN.get(type(value), ""), value))
        for name, value in vars(one).items()
        if name in CALLED or not (name.startswith("__") or name in fields)
    }
    bases = {base.__qualname__: base for base in one.__bases__}
    return with_constants(" ".join([one.__qualname__, *fields]), members | bases, one.__module__)


def with_constants(text: str, used: Mapping[str, Any], module: str) -> tuple[str, list[Any]]:
    """Text with the numbers and texts among what is used, and the functions and classes of a module among it."""
    codes = [one for one in used.values() if isinstance(one, FunctionType | type) and one.__module__ == module]
    return "\n".join([text, *constants(used)]), codes


def constants(used: Mapping[str, Any]) -> Iterable[str]:
    """Numbers, texts, arrays and collections of them with their names, in order of these."""
    for name in sorted(used):
        try:
            yield f"{name} = {json.dumps(used[name], default=lambda array: array.tolist())}"
        except (TypeError, ValueError, AttributeError):
            continue


def source(function: FunctionType) -> str:
    """Source of a function, or its compiled code where that cannot be had."""
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):
        code = function.__code__
        return repr((code.co_code, code.co_names, [one for one in code.co_consts if not inspect.iscode(one)]))
