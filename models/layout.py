"""Where parameters stand among sampled coordinates and values: a model's blocks as numbers for compiled code."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from halfpoint.games.table import Floats

# operations of compiled code, see `inference.engine`
AFFINE, FOLLOW, EXPONENTIAL, SPREAD, POOL, REFLECT, WALK, KNOWN, GATHER, MATRIX = range(10)
HIDDEN = "_"  # ends the name of values that a trace does not keep


@dataclass(eq=False)
class Layout:
    """Where parameters stand among sampled coordinates and values, and the operations that lead from one to the other.

    Attributes
    ----------
    coordinates : list of (name, shape, normal)
        The sampled coordinates in order; `normal` is 1 where the prior is N(0, sd^2) with the sd in `spreads`.
    slots : dict of str to (start, shape)
        Values by name.
    operations : list of list of int
        Kind, size, first coordinate, first value, two indexes, first number, and one more number.
    """

    coordinates: list[tuple[str, tuple[int, ...]]] = field(default_factory=list)
    spreads: list[Floats] = field(default_factory=list)
    slots: dict[str, tuple[int, tuple[int, ...]]] = field(default_factory=dict)
    operations: list[list[int]] = field(default_factory=list)
    numbers: list[Floats] = field(default_factory=list)
    count: int = 0
    values: int = 0
    stored: int = 0

    def coordinate(self, name: str, shape: tuple[int, ...], spread: Any = np.inf) -> int:
        """Add coordinates with prior N(0, spread^2), infinite where an operation brings the prior; return the first."""
        start, size = self.count, int(np.prod(shape, dtype=np.int64))
        self.coordinates.append((name, shape))
        self.spreads.append(np.broadcast_to(np.asarray(spread, dtype=np.float64), shape).ravel())
        self.count += size
        return start

    def value(self, name: str, shape: tuple[int, ...]) -> int:
        """Add values of a parameter and return where they begin."""
        start = self.values
        self.slots[name] = (start, shape)
        self.values += int(np.prod(shape, dtype=np.int64))
        return start

    def store(self, *arrays: Any) -> int:
        """Keep numbers one after the other and return where they begin."""
        start = self.stored
        for array in arrays:
            flat = np.asarray(array, dtype=np.float64).ravel()
            self.numbers.append(flat)
            self.stored += flat.size
        return start

    def operate(self, kind: int, *arguments: int) -> None:
        """Add an operation."""
        self.operations.append([kind, *arguments, *(0,) * (7 - len(arguments))])

    def shown(self) -> dict[str, tuple[int, tuple[int, ...]]]:
        """Return the slots of the parameters that a trace keeps."""
        return {name: slot for name, slot in self.slots.items() if not name.endswith(HIDDEN)}

    def where(self, name: str) -> int:
        """Return where the values of a parameter begin."""
        return self.slots[name][0]


def laid_out(blocks: list[Any]) -> Layout:
    """Return the layout of all blocks of a model."""
    layout = Layout()
    for block in blocks:
        block.lay(layout)
    return layout


def table_of(layout: Layout) -> tuple[npt.NDArray[np.int64], Floats, Floats]:
    """Return operations (operation, 8), their numbers, and the prior standard deviations of the coordinates."""
    empty = np.zeros(0)
    return (
        np.asarray(layout.operations, dtype=np.int64).reshape(-1, 8),
        np.concatenate([empty, *layout.numbers]),
        np.concatenate([empty, *layout.spreads]),
    )
