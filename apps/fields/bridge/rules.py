"""Rules of the ratings of Krajowski-Kukiel (2011), and their editions (see `halfpoint.apps.fields.bridge.system`)."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Literal

from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.ranges import require_word
from halfpoint.models.games.settings import setting

Every = int | Literal["event", "deal"]
K_RULES = ("constant", "margin", "normal score", "tanh score")
WORDS = {"method": ("gamma", "matches"), "unit": ("player", "pair"), "k_rule": K_RULES, "total": ("sum", "mean"),
         "scoring": ("imps", "matchpoints")}  # fmt: skip
_LONGEST_DAYS = 36_525


@dataclass(frozen=True)
class BridgeRules:
    """Options of the system; `RatingSystemError` if a word or number is invalid."""

    method: Literal["gamma", "matches"] = setting("gamma", "gamma of favourable lines, or artificial matches of four")
    constant: float = setting(2.5, "c of gamma, above 0; infinity leaves gamma out")
    unit: Literal["player", "pair"] = setting(
        "player", "unit that has a rating. Pairs as single players are Curley's (2010)"
    )
    k: float = setting(32.0, "points that a whole point of score is worth")
    k_rule: Literal["constant", "margin", "normal score", "tanh score"] = setting(
        "constant", "constant K, K increasing with the margin, or the margin in the score"
    )
    margin: float = setting(1.0, "m, up to which a result is a draw: cross-IMPs, or percentage points")
    imps_per_goal: float = setting(3.0, 'for the rule "margin": IMPs that are one goal')
    spread: float = setting(5.0, 'w of the rules "normal score" and "tanh score", in IMPs or percentage points')
    boost: float = setting(0.0, "a and b of a new partnership's K; a = 0 leaves it out")
    boost_results: float = 50.0
    stronger_share: float = setting(
        0.5, "weight of the stronger player in a pair's rating: 0.5 the mean, 0 the weaker one"
    )
    scale_elo: float = setting(400.0, "s, and the largest difference that counts")
    cap_elo: float = 400.0
    every: Every = setting(3, "rating period: N (days) | event | deal. Events and deals are in the order of the file")
    total: Literal["sum", "mean"] = setting("sum", "combine the changes of a period by sum or mean")
    start_elo: float = setting(1500.0, "rating of a new player")
    scoring: Literal["imps", "matchpoints"] = setting("imps", "measure of a result: cross-IMPs, or percentage less 50")

    def __post_init__(self) -> None:
        for name, allowed in WORDS.items():
            require_word(f"--{name.replace('_', '-')}", getattr(self, name), allowed, RatingSystemError)
        for name in ("constant", "imps_per_goal", "spread", "boost_results", "scale_elo", "cap_elo"):
            if not getattr(self, name) > 0.0:
                raise RatingSystemError(f"--set {name}", "a number above 0", repr(getattr(self, name)))
        for name in ("k", "margin", "boost"):
            if not 0.0 <= getattr(self, name) < math.inf:
                raise RatingSystemError(f"--set {name}", "a number >= 0", repr(getattr(self, name)))
        if not 0.0 <= self.stronger_share <= 1.0:
            raise RatingSystemError("--set stronger_share", "a number from 0 to 1", repr(self.stronger_share))
        if not math.isfinite(self.start_elo):
            raise RatingSystemError("--set start_elo", "a number", repr(self.start_elo))
        days = isinstance(self.every, int) and 1 <= self.every <= _LONGEST_DAYS
        if not days and self.every not in ("event", "deal"):
            raise RatingSystemError("--every", "a number of days, event or deal", repr(self.every))
        if self.method == "matches" and self.scoring == "matchpoints":
            raise RatingSystemError("--scoring", "imps with artificial matches", "'matchpoints'")


NUMBERS = tuple(field.name for field in fields(BridgeRules) if field.type in (float, "float"))
EDITIONS: Mapping[str, BridgeRules] = {"printed": BridgeRules(), "corrected": BridgeRules(constant=1.0)}


def edition(name: str) -> BridgeRules:
    """Rules of an edition."""
    require_word("--edition", name, EDITIONS, RatingSystemError)
    return EDITIONS[name]
