"""Values of a model as numbers or sums of variables, in place of nodes of a graph (`graph.sum_model`)."""

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from halfpoint.models.language.laws import Transition
from halfpoint.models.reading.law_forms import Form
from halfpoint.models.reading.sparse_affine import NotAffineError, SparseAffine, product


class NoSumError(NotAffineError):
    """Raised for any operation other than a sum; the graph is then read instead."""


def _refuse(*_: object) -> NoReturn:
    raise NoSumError("a comparison")


class Node:
    """A value of a model: numbers or sums of variables."""

    __array_ufunc__ = None  # NumPy leaves arithmetic with arrays to this class
    __hash__ = object.__hash__
    __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __float__ = __iter__ = _refuse

    def __init__(self, form: Form | None, free: Form | None, name: str = "") -> None:
        self._form, self._free, self.name = form, free, name

    @property
    def form(self) -> Form:
        """Sum of the values of a layout."""
        if self._form is None:
            raise NoSumError(f"{self.name or 'a value'}, which is not a sum")
        return self._form

    @property
    def free(self) -> Form:
        """Sum of the free variables."""
        if self._free is None:
            raise NoSumError(f"{self.name or 'a value'}, which is not a sum")
        return self._free

    @property
    def ndim(self) -> int:
        """Number of dims."""
        return len(np.shape(self.form)) if not isinstance(self.form, SparseAffine) else self.form.ndim

    def map(self, function: Callable[..., Any], *operands: object) -> "Node":
        """Apply a function to the sums of this node and others."""
        free: Form | None = None
        if self._free is not None and all(free_form(node) is not None for node in operands):
            try:
                free = function(self._free, *map(free_form, operands))
            except NotAffineError:  # a product of more variables than in the layout
                free = None
        return Node(function(self.form, *(node.form if isinstance(node, Node) else node for node in operands)), free)

    def __add__(self, other: object) -> "Node":
        return self.map(lambda left, right: left + right, other)

    def __radd__(self, other: object) -> "Node":
        return self.map(lambda left, right: right + left, other)

    def __sub__(self, other: object) -> "Node":
        return self.map(lambda left, right: left - right, other)

    def __rsub__(self, other: object) -> "Node":
        return self.map(lambda left, right: right - left, other)

    def __mul__(self, other: object) -> "Node":
        return self.map(lambda left, right: left * right, other)

    def __rmul__(self, other: object) -> "Node":
        return self.map(lambda left, right: right * left, other)

    def __rmatmul__(self, matrix: Any) -> "Node":
        return self.map(lambda form: product(matrix, form))

    def __truediv__(self, other: object) -> "Node":
        if isinstance(other, Node):
            raise NoSumError("a quotient of parameters")
        return self.map(lambda form: form / other)

    def __neg__(self) -> "Node":
        return self.map(lambda form: -form)

    def __getitem__(self, key: object) -> "Node":
        return self.map(lambda form: form[key])

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        raise NoSumError(f"{name} of a parameter")


def free_form(value: object) -> Any:
    """Sum of the free variables of a node; other values unchanged."""
    return value._free if isinstance(value, Node) else value


class WalkNode(Node):
    """Walks, before they have a name."""

    def __init__(self, law: Transition, level: Node, steps: Node, periods: int) -> None:
        super().__init__(None, None)
        self.law, self.level, self.steps, self.periods = law, level, steps, periods


class ScaleNode(Node):
    """e^x of a number, before it has a name."""

    def __init__(self, log: Node) -> None:
        super().__init__(None, None)
        self.log = log
