"""Duplicate bridge: deals and results, scores, ratings of players and pairs, abilities in IMPs a board."""

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from halfpoint.fields.bridge.list import bridge_abilities
    from halfpoint.fields.bridge.ratings import bridge_forecast, bridge_rate
    from halfpoint.fields.bridge.scores import bridge_score
    from halfpoint.fields.bridge.simulation import bridge_simulate

__all__ = ["bridge_abilities", "bridge_forecast", "bridge_rate", "bridge_score", "bridge_simulate"]

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "list": ["bridge_abilities"],
        "ratings": ["bridge_forecast", "bridge_rate"],
        "scores": ["bridge_score"],
        "simulation": ["bridge_simulate"],
    },
)
