"""Arenas: models, answers and engines that are judged in pairs, and the leaderboard of them."""

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from halfpoint.fields.arena.list import leaderboard
    from halfpoint.fields.arena.next_judgements import next_comparisons

__all__ = ["leaderboard", "next_comparisons"]

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__, submod_attrs={"list": ["leaderboard"], "next_judgements": ["next_comparisons"]}
)
