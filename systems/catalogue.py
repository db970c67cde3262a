"""The rating systems by name: constructor, tuned parameters, initial ratings, draw probabilities.

Every system that starts from ratings starts a new player from the rating printed with their first game, as a federation
would, so that all systems use the same information. Network ratings use results only. Classes, titles, sources and
grids around the default parameters are in catalogue.toml; a backtest tunes the parameters on an early window and then
keeps them fixed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib import import_module
from inspect import signature
from typing import Any, Literal

from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.packaged import packaged_table
from halfpoint.models.games.plugins import Rows
from halfpoint.models.games.rating_system import Newcomer, RatingSystem
from halfpoint.systems.k_factor import RULES, constant

type Settings = Mapping[str, float]
type _Numbers = dict[str, tuple[float, tuple[float, ...]]]
Draws = Literal["own", "rule"]


@dataclass(frozen=True)
class SystemSpec:
    """A rating system that can be built from a few numbers."""

    name: str  # short name and name in a table
    title: str  # likewise
    build: Callable[[Settings], RatingSystem]  # from the numbers to a new system
    # the value to begin with of each number, and the values to try, one number after the other; none: it stays
    numbers: _Numbers = field(default_factory=dict)
    draws: Draws = "rule"  # whether the system defines a draw probability or gets it by the common rule (draw_curve.py)
    begins: str = "printed rating"  # rating of a new player
    source: str = ""  # paper or regulation
    needs: Literal["", "event", "margin", "rating"] = ""  # what games must have for the system to be among all of them
    elo: bool = True  # whether it keeps ratings in Elo points
    provisional: int = 30  # games below which a rating is provisional
    cost: float = 1.0  # seconds for the forecast and the update of a game, beside Elo: long tasks begin first

    @property
    def start(self) -> dict[str, float]:
        """Initial value of each parameter."""
        return {name: value for name, (value, _) in self.numbers.items()}

    def settings(self, changed: Settings) -> dict[str, float]:
        """Values of all parameters with the given changes; `RatingSystemError` if a name is not one of them."""
        for key in changed:
            if key not in self.start:
                names = ", ".join(self.start) or "no settings: its rules are fixed"
                raise RatingSystemError(f"--set {key}", f"a setting of {self.name} ({names})", repr(key))
        return self.start | dict(changed)

    @property
    def grid(self) -> dict[str, tuple[float, ...]]:
        """Grid of values for each tuned parameter."""
        return {name: tried for name, (_, tried) in self.numbers.items() if tried}


_TABLE = packaged_table("systems", "catalogue.toml")
_ARGUMENTS = {"margin": "margin_exponent", "draw": "draw_probability"}  # others are called as their numbers, or in Elo


def _builder(path: str, fixed: Mapping[str, Any]) -> Callable[[Settings], RatingSystem]:
    """Constructor of a system of a class of halfpoint.systems from its parameters."""
    module, _, name = path.partition(".")

    def build(numbers: Settings) -> RatingSystem:
        constructor: Callable[..., RatingSystem] = getattr(import_module(f"halfpoint.systems.{module}"), name)
        parameters, arguments = signature(constructor).parameters, dict(fixed)
        for number, value in numbers.items():
            argument = number if number in parameters else _ARGUMENTS.get(number, f"{number}_elo")
            arguments[argument] = round(value) if parameters[argument].annotation is int else value
        if "k" in arguments:
            arguments["k"] = RULES.get(arguments["k"]) or constant(arguments["k"])
        if "newcomer" in fixed:
            arguments["newcomer"] = Newcomer(**fixed["newcomer"])
        return constructor(**arguments)

    return build


def _spec(
    name: str, build: str, fixed: Mapping[str, object] | None = None, numbers: Sequence[str] = (), **fields: Any
) -> SystemSpec:
    """Make a system from a row of the table; the first word of a grid is its number."""
    grids = {grid.split()[0]: (_TABLE["grids"][grid][0], tuple(_TABLE["grids"][grid][1])) for grid in numbers}
    return SystemSpec(name, build=_builder(build, fixed or {}), numbers=grids, **fields)


SPECS = tuple(_spec(name, **row) for name, row in _TABLE["systems"].items())
SYSTEMS = Rows("halfpoint.systems", SystemSpec)  # these and those of installed packages


def system(name: str) -> SystemSpec:
    """System's entry by name; an unknown name is a `RatingSystemError` with the nearest one."""
    if name not in SYSTEMS:
        near = get_close_matches(name, SYSTEMS, n=1)
        expected, hint = ("a name", f"Did you mean {near[0]!r}?") if near else (", ".join(SYSTEMS), "")
        raise RatingSystemError("rating system", expected, repr(name), hint)
    return SYSTEMS[name]
