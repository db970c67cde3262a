"""Rating systems of free-for-alls, event after event: Elo among all, TrueSkill, Weng-Lin, and that all are equal.

Each is what `halfpoint.systems` has for sides of one person: `elo_teams`, `trueskill_teams`, `weng_lin`. Elo's ratings
forecast as Plackett-Luce strengths, of which two are Elo's curve; the others by normal performances N(mu, sigma^2 +
beta^2), which for two is their own forecast. TrueSkill and Weng-Lin take those without a place for equal.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np

from halfpoint.fields.races.chances import Chances, Performances, Strengths
from halfpoint.fields.races.table import RaceTable
from halfpoint.games.later import require
from halfpoint.games.table import Floats
from halfpoint.games.units import to_natural
from halfpoint.inference.level import LEVEL_ELO
from halfpoint.systems.elo_teams import update_team_elo
from halfpoint.systems.errors import RatingSystemError
from halfpoint.systems.trueskill_teams import update_teams
from halfpoint.systems.weng_lin import MODELS as KINDS
from halfpoint.systems.weng_lin import update_team_skills

MU, SIGMA = 25.0, 25.0 / 3.0


@dataclass
class Uniform:
    """Everybody is equal."""

    count: int
    numbers: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Begin, everybody equal."""

    def learn(self, table: RaceTable) -> None:
        """Learn nothing."""

    def chances(self) -> Chances:
        """Return what it knows of the competitors."""
        return Strengths(np.zeros((1, self.count)))

    def columns(self) -> dict[str, Floats]:
        """Return its list: rating first."""
        return {"rating_elo": np.full(self.count, LEVEL_ELO)}


class EloOfAll(Uniform):
    """Elo: everybody against everybody of the event."""

    def __post_init__(self) -> None:
        self.rating = np.full(self.count, LEVEL_ELO)

    def learn(self, table: RaceTable) -> None:
        """Learn events, one after the other."""
        update_team_elo(table.matches(), self.rating, self.numbers["k"])

    def chances(self) -> Chances:
        """See `Uniform`."""
        return Strengths(to_natural(self.rating)[None])

    def columns(self) -> dict[str, Floats]:
        """See `Uniform`."""
        return {"rating_elo": self.rating}


class TrueSkillOfAll(Uniform):
    """TrueSkill."""

    def __post_init__(self) -> None:
        sigma = self.numbers["sigma"]
        if not sigma > 0.0:
            raise RatingSystemError("--set sigma", "a number above 0", f"{sigma:g}")
        self.mean, self.deviation = np.full(self.count, MU), np.full(self.count, sigma)

    def learn(self, table: RaceTable) -> None:
        """Learn events, one after the other."""
        draws = self.numbers["draw_probability"]
        update_teams(
            table.matches(), self.mean, self.deviation, self.numbers["beta"], self.numbers["tau"], draws
        )  # fmt: skip

    def chances(self) -> Chances:
        """See `Uniform`."""
        return Performances(self.mean, np.hypot(self.deviation, self.numbers["beta"]))

    def columns(self) -> dict[str, Floats]:
        """See `Uniform`."""
        return {"rating_mu": self.mean, "sd_mu": self.deviation}


class WengLinOfAll(TrueSkillOfAll):
    """Weng and Lin's Plackett-Luce, by openskill."""

    def __post_init__(self) -> None:
        super().__post_init__()
        require("openskill", "rating system weng-lin")
        if not (self.numbers["beta"] > 0.0 and self.numbers["tau"] >= 0.0):
            found = f"{self.numbers['beta']:g}, {self.numbers['tau']:g}"
            raise RatingSystemError("--set beta, tau", "beta above 0, tau >= 0", found)
        made = getattr(import_module("openskill.models"), KINDS["plackett-luce"])
        self.model: Any = made(mu=MU, sigma=self.numbers["sigma"], beta=self.numbers["beta"], tau=self.numbers["tau"])

    def learn(self, table: RaceTable) -> None:
        """Learn events, one after the other."""
        update_team_skills(self.model, table.matches(), self.mean, self.deviation)


@dataclass(frozen=True)
class System:
    """A rating system: what it is, how it is made, its numbers, and others to choose among in a backtest."""

    title: str
    make: Callable[[int, Mapping[str, float]], Uniform]
    numbers: Mapping[str, float]
    tuned: tuple[Mapping[str, float], ...] = ()
    unit: str = "elo"


SKILL = {"sigma": SIGMA, "beta": SIGMA / 2.0, "tau": SIGMA / 100.0}
WIDER = tuple({"beta": SIGMA * times, "tau": SIGMA * drift} for times in (0.5, 1.0, 2.0, 4.0) for drift in (0.0, 0.03))
SYSTEMS = {
    "weng-lin": System("Weng-Lin, Plackett-Luce", WengLinOfAll, SKILL, WIDER, "mu"),
    "trueskill": System("TrueSkill", TrueSkillOfAll, SKILL | {"draw_probability": 0.1}, WIDER, "mu"),
    "elo": System(
        "Elo of free-for-alls", EloOfAll, {"k": 32.0}, tuple({"k": k} for k in (8.0, 16.0, 32.0, 64.0, 128.0, 256.0))
    ),
    "uniform": System("All equal", Uniform, {}),
}


def system_of(name: str, count: int, numbers: Mapping[str, float] | None = None) -> Uniform:
    """Return a rating system of so many competitors, with some of its numbers changed."""
    if name not in SYSTEMS:
        raise RatingSystemError("--system", " | ".join(SYSTEMS), repr(name))
    known = dict(SYSTEMS[name].numbers)
    for key in numbers or {}:
        if key not in known:
            raise RatingSystemError("--set", f"numbers of {name}: {', '.join(known) or 'none'}", repr(key))
    return SYSTEMS[name].make(count, known | dict(numbers or {}))
