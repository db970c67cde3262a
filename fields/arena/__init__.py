"""Arenas: models, answers and engines that are judged in pairs, and the leaderboard of them."""

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from halfpoint.fields.arena.engine_match import sequential_test
    from halfpoint.fields.arena.list import leaderboard
    from halfpoint.fields.arena.next_judgements import next_comparisons
    from halfpoint.fields.arena.sprt import Sprt

__all__ = ["Sprt", "leaderboard", "next_comparisons", "sequential_test"]

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "engine_match": ["sequential_test"],
        "list": ["leaderboard"],
        "next_judgements": ["next_comparisons"],
        "sprt": ["Sprt"],
    },
)
