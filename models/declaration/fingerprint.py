"""Hash of a user's code: a function or a class, and the parts of its module and of modules beside it that it uses.

Names in a source are followed if they refer to functions, classes, numbers, texts or tables of the same module or of
modules in the same folder, so that a changed helper or constant changes the hash. Values of a dataclass's fields are
not code: a record contains them.
"""

import hashlib
import inspect
import json
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

_LIBRARY = "halfpoint."
NAME = re.compile(r"[^\W\d]\w*")
_WITHIN = {property: "fget", cached_property: "func", staticmethod: "__func__", classmethod: "__func__"}


@cache  # a file that changes while its code is in use does not change that code
def fingerprint(*objects: object) -> str:
    """Hash of a user's functions or classes, texts and tuples, equal in all processes with the same source."""
    queue, texts = [*objects], list[str]()
    for part in queue:  # which grows
        text, used = code(part)
        for module in [value for value in used.values() if isinstance(value, ModuleType) and _is_beside(value, part)]:
            used |= {name: vars(module)[name] for name in NAME.findall(text) if name in vars(module)}
        texts += [text, *_constants(used)]
        codes = [value for value in used.values() if isinstance(value, FunctionType | type)]
        queue += [value for value in codes if _is_beside(value, part) and value not in queue]
    return hashlib.sha256("\n".join(sorted(texts)).encode()).hexdigest()


def _is_beside(value: Any, part: Any) -> bool:
    """True if a function, class or module is of the module of some code, or of a file in the same folder."""
    if not isinstance(value, ModuleType) and value.__module__ == part.__module__:
        return True
    folder, other = (_file_of(code).parent for code in (value, part))
    return folder == other != Path()


def _file_of(value: Any) -> Path:
    """File of a function, class or module, empty if it has none."""
    if isinstance(value, FunctionType):
        return Path(value.__code__.co_filename)
    module = value if isinstance(value, ModuleType) else sys.modules.get(value.__module__)
    return Path(getattr(module, "__file__", None) or "")


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
    """Numbers, texts, arrays, tables and collections of them with their names."""
    for name, value in used.items():
        try:
            yield f"{name} = {json.dumps(value, default=_plain)}"
        except (TypeError, ValueError, AttributeError):
            continue


def _plain(value: Any) -> Any:
    """Array as lists, table of pandas as text with its labels; `AttributeError` for other values."""
    return value.to_csv() if hasattr(value, "to_csv") else value.tolist()


def _source(function: FunctionType) -> str:
    """Source of a function, or its compiled code if the source is missing."""
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):
        code = function.__code__
        return repr((code.co_code, code.co_names, [part for part in code.co_consts if not inspect.iscode(part)]))
