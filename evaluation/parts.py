"""Simulations in parts by draws of the posterior, each with its own random numbers, for any process.

The parts depend on the number of simulations and draws alone, so that results are the same wherever they run.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

_PART = 20_000  # simulations, about
type Each = Callable[[Callable[..., object], object, Sequence[object]], Iterable[Any]]
type Part = tuple[range, np.random.Generator]  # draws of a part, and its random numbers


def in_turn[S, T, R](function: Callable[[S, T], R], shared: S, tasks: Sequence[T]) -> Iterable[R]:
    """Results of a function of shared data and each task, in order, in this process."""
    return (function(shared, task) for task in tasks)


def parts_of(draws: int, count: int, rng: np.random.Generator) -> list[Part]:
    """Parts of `count` simulations with a number of draws each; the first part continues the random numbers given.

    Examples
    --------
    >>> [part for part, _ in parts_of(10, 45_000, np.random.default_rng(1))]
    [range(0, 4), range(4, 7), range(7, 10)]
    """
    number = max(1, min(draws, -(-count // _PART)))
    ends = np.cumsum([draws // number + (k < draws % number) for k in range(number)]).tolist()
    spans = [range(first, last) for first, last in zip([0, *ends], ends, strict=False)]
    return list(zip(spans, [rng, *rng.spawn(number - 1)], strict=True))
