"""Functions that this process was given as models: the only code that the text of a file can name.

`Model` adds its function, and so do `find`, `declare`, `--model FILE.py:NAME` and rows of the catalogue. A name in a
file is compared with the names of these functions; it is never imported, looked up in a module or evaluated. Other
callables (classes, bound methods, built-in functions) are not added.

References are weak: a function that nothing else uses is forgotten.
"""

from functools import partial
from types import FunctionType
from weakref import ref


def place_of(function: object) -> str:
    """Module and qualified name of a callable, "module:name"."""
    return f"{getattr(function, '__module__', None)}:{getattr(function, '__qualname__', 'function')}"


class ModelFunctions:
    """Plain Python functions by their qualified names."""

    def __init__(self) -> None:
        self.of_traces: object = None  # function that the user gave for the traces of a command
        self._by_name: dict[str, dict[ref[FunctionType], None]] = {}  # functions in the order in which they were added

    def add(self, function: object) -> None:
        """Add a function that the user, or an installed package, gives as a model."""
        if isinstance(function, FunctionType):
            name = function.__qualname__
            reference = ref(function, partial(self._forget, name))
            namesakes = self._by_name.setdefault(name, {})
            namesakes.pop(reference, None)
            namesakes[reference] = None

    def _forget(self, name: str, reference: ref[FunctionType]) -> None:
        """Remove a function that no longer exists."""
        self._by_name.get(name, {}).pop(reference, None)

    def named(self, name: str) -> list[FunctionType]:
        """Functions of a qualified name, the latest first."""
        functions = [reference() for reference in list(self._by_name.get(name, ()))]
        return [function for function in reversed(functions) if function is not None]


MODEL_FUNCTIONS = ModelFunctions()  # of this process, as sys.modules has its modules
