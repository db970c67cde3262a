"""Former functions of this package that traces may name, and the rows of the catalogue that replace them."""

from collections.abc import Mapping

_MODULES = ("halfpoint.models.still_models", "halfpoint.models.walk_models", "halfpoint.models.day_models")
_KINDS = [
    "scaled",
    "pooled",
    "population",
    "rated",
    "walk",
    "population_walk",
    "entering_walk",
    "volatility_walk",
    "days",
]
_ROWS = {f"{stem}_{kind}": f"{stem}-{kind.replace('_', '-')}" for stem in ("bt", "davidson") for kind in _KINDS}
_ROWS |= {"scaled_draws": "davidson-scaled", "davidson_scaled_level": "davidson-scaled-level"}
_ROWS |= {"davidson_rapid": "davidson-rapid", "bt_days": "bt-ou", "davidson_days": "davidson-ou"}


def row_of(place: str) -> str | None:
    """Row of the catalogue with the function that had a place, "module:name", and its defaults; None for others."""
    module, _, name = place.partition(":")
    return _ROWS.get(name) if module in _MODULES else None


def keywords_now(keywords: Mapping[str, object]) -> dict[str, object]:
    """Keywords of such a function by their present names."""
    renamed = {name: value for name, value in keywords.items() if name != "neutral"}
    return renamed | ({"seat": "neutral" if keywords["neutral"] else "common"} if "neutral" in keywords else {})
