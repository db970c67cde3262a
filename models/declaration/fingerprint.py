"""Hash of a user's code: a function or a class, and the parts of its module that it uses.

Names in a source are followed if they refer to functions, classes, numbers or texts of the same module, so that a
changed helper or constant changes the hash. Values of a dataclass's fields are not code: a record contains them.
"""

import hashlib
import inspect
import json
import re
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from types import FunctionType

_LIBRARY = "halfpoint."
NAME = re.compile(r"[^\W\d]\w*")
_WITHIN = {property: "fget", cached_property: "func", staticmethod: "__func__", classmethod: "__func__"}


@cache  # a file that changes while its code is in use does not change that code
def fingerprint(*objects: object) -> str:
    """Hash of a user's functions or classes, texts and tuples, equal in all processes with the same source."""
    queue, texts = [*objects], list[str]()
    for part in queue:  # which grows
        text, used = code(part)
        texts += [text, *_constants(used)]
        codes = [value for value in used.values() if isinstance(value, FunctionType | type)]
        queue += [value for value in codes if value.__module__ == part.__module__ and value not in queue]
    return hashlib.sha256("\n".join(sorted(texts)).encode()).hexdigest()


def code(part: object) -> tuple[str, dict[str, object]]:
    """Text of a function or a class and of the code it uses; of the library, and of other values, the name alone."""
    if not isinstance(part, FunctionType | type):
        return repr(part), {}
    if str(part.__module__).startswith(_LIBRARY):  # a function made by exec has no module
        return f"{part.__module__}:{part.__qualname__}", {}
    if isinstance(part, FunctionType):
        text, cells = _source(part), [cell.cell_contents for cell in part.__closure__ or ()]
        used = {name: part.__globals__[name] for name in NAME.findall(text) if name in part.__globals__}
        return text, used | dict(zip(part.__code__.co_freevars, cells, strict=True)) | {"defaults": part.__defaults__}
    fields, members = getattr(part, "__dataclass_fields__", ()), vars(part).items()
    parts = {name: value for name, value in members if not (name.startswith("__") or name in fields)}
    used = {name: inspect.unwrap(getattr(value, _WITHIN.get(type(value), ""), value)) for name, value in parts.items()}
    return " ".join([part.__qualname__, *fields]), used | {base.__qualname__: base for base in part.__bases__}


def _constants(used: Mapping[str, object]) -> Iterator[str]:
    """Numbers, texts, arrays and collections of them with their names."""
    for name, value in used.items():
        try:
            yield f"{name} = {json.dumps(value, default=lambda array: array.tolist())}"
        except (TypeError, ValueError, AttributeError):
            continue


def _source(function: FunctionType) -> str:
    """Source of a function, or its compiled code if the source is missing."""
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):
        code = function.__code__
        return repr((code.co_code, code.co_names, [part for part in code.co_consts if not inspect.iscode(part)]))
