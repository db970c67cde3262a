"""Comparisons of pairs within a group, from best and worst items, chosen items, or scores."""

from collections.abc import Iterator, Sequence
from itertools import combinations


def pairs_within(
    group: Sequence[tuple[str, float]], equal: bool, within: float = 0.0
) -> Iterator[tuple[str, str, str, float]]:
    """Yield each pair of a group with its result and margin, by numbers; the higher number wins.

    Numbers that differ by at most `within` are a tie if `equal`, else a pair in unknown order.
    """
    for (name, first), (rival, second) in combinations(group, 2):
        margin = first - second
        if abs(margin) > within:
            yield name, rival, "1-0" if margin > 0 else "0-1", margin
        elif equal:
            yield name, rival, "1/2-1/2", margin
