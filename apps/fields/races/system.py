"""Rating systems of free-for-alls, event by event: Elo among all, TrueSkill, Weng-Lin, and equal probabilities.

They are implemented in `halfpoint.systems`: `elo_teams`, `trueskill_teams`, and for Weng and Lin `weng_lin_rankings`
for single competitors and openskill's own rule, including its rule for ties, for sides of several people. Elo's ratings
forecast as Plackett-Luce strengths, which for two competitors is Elo's curve; TrueSkill and Weng-Lin forecast by normal
performances N(mu, sigma^2 + beta^2), which for two competitors is their own forecast. They treat competitors without a
place as tied.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module

import numpy as np
import numpy.typing as npt

from halfpoint.apps.fields.races.chances import Chances, Performances, Strengths
from halfpoint.apps.fields.races.table import RaceTable
from halfpoint.inference.location import LEVEL_ELO
from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.lazy_import import require
from halfpoint.models.games.ranges import require_word
from halfpoint.models.games.table import Floats
from halfpoint.models.games.units import to_natural
from halfpoint.systems.elo_teams import update_team_elo
from halfpoint.systems.matches import Matches
from halfpoint.systems.trueskill_teams import update_teams
from halfpoint.systems.weng_lin import MODELS as KINDS
from halfpoint.systems.weng_lin import update_team_skills
from halfpoint.systems.weng_lin_rankings import update_rankings

_MU, _SIGMA = 25.0, 25.0 / 3.0
type _Numbers = Mapping[str, float]
type _Update = Callable[[Matches, Floats, Floats, _Numbers], object]


def _learn_weng_lin(matches: Matches, mean: Floats, deviation: Floats, numbers: _Numbers) -> None:
    """Update means and deviations by Weng and Lin's Plackett-Luce; sides of several people by openskill."""
    if matches.member.size == matches.rank.size:
        update_rankings(matches, mean, deviation, numbers["beta"], numbers["tau"])
        return
    require("openskill", "rating system weng-lin for teams")
    model_class = getattr(import_module("openskill.models"), KINDS["plackett-luce"])
    update_team_skills(model_class(mu=_MU, **numbers), matches, mean, deviation)


@dataclass(frozen=True)
class _System:
    """A rating system: title, update, parameters, and a grid for a backtest."""

    title: str
    update: _Update
    numbers: _Numbers
    tuned: tuple[_Numbers, ...] = ()
    unit: str = "elo"


_SKILL = {"sigma": _SIGMA, "beta": _SIGMA / 2.0, "tau": _SIGMA / 100.0}
_WIDER = tuple(
    {"beta": _SIGMA * times, "tau": _SIGMA * drift} for times in (0.5, 1.0, 2.0, 4.0) for drift in (0.0, 0.03)
)
SYSTEMS = {
    "weng-lin": _System("Weng-Lin, Plackett-Luce", _learn_weng_lin, _SKILL, _WIDER, "mu"),
    "trueskill": _System(
        "TrueSkill",
        lambda matches, mean, sd, by: update_teams(matches, mean, sd, by["beta"], by["tau"], by["draw_probability"]),
        _SKILL | {"draw_probability": 0.1}, _WIDER, "mu",
    ),
    "elo": _System(
        "Elo of free-for-alls", lambda matches, mean, _, by: update_team_elo(matches, mean, by["k"]), {"k": 32.0},
        tuple({"k": k} for k in (8.0, 16.0, 32.0, 64.0, 128.0, 256.0)),
    ),
    "uniform": _System("All equal", lambda *_: None, {}),
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Ratings:
    """State of a system's ratings."""

    system: _System
    numbers: _Numbers
    mean: Floats  #: (person,), in its unit
    deviation: Floats  #: (person,), 0 for Elo

    def learn(self, table: RaceTable) -> None:
        """Learn events one by one."""
        self.system.update(table.matches(), self.mean, self.deviation, self.numbers)

    def chances(self, table: RaceTable) -> Chances:
        """Chances of the competitors of a table: sides are sums of people, in Elo means."""
        sides = table.sides
        share: npt.NDArray[np.floating]
        members: npt.NDArray[np.integer]
        if sides is None:
            share, members = np.ones((self.mean.size, 1)), np.arange(self.mean.size)[:, None]
        elif self.system.unit == "elo":
            share, members = sides.weights, sides.members
        else:  # openskill gives shares to its updates alone
            played = sides.share if self.system.title == "TrueSkill" else 1.0 * (sides.members >= 0)
            share, members = played, sides.members
        mean = (share * self.mean[members]).sum(axis=1)
        if self.system.unit == "elo":
            return Strengths(to_natural(mean)[None])
        square = self.deviation**2 + self.numbers["beta"] ** 2
        return Performances(mean, np.sqrt((share**2 * square[members]).sum(axis=1)))

    def columns(self) -> dict[str, Floats]:
        """Columns of the list, rating first."""
        if self.system.unit == "elo":
            return {"rating_elo": self.mean}
        return {"rating_mu": self.mean, "sd_mu": self.deviation}


def system_of(name: str, count: int, numbers: _Numbers | None = None) -> Ratings:
    """A rating system of a number of people, with some parameters changed."""
    require_word("--system", name, SYSTEMS, RatingSystemError)
    system = SYSTEMS[name]
    for key in numbers or {}:
        if key not in system.numbers:
            raise RatingSystemError("--set", f"numbers of {name}: {', '.join(system.numbers) or 'none'}", repr(key))
    settings = {**system.numbers, **(numbers or {})}
    if not settings.get("sigma", _SIGMA) > 0.0:
        raise RatingSystemError("--set sigma", "a number above 0", f"{settings['sigma']:g}")
    if name == "weng-lin" and not (settings["beta"] > 0.0 and settings["tau"] >= 0.0):
        values = f"{settings['beta']:g}, {settings['tau']:g}"
        raise RatingSystemError("--set beta, tau", "beta above 0, tau >= 0", values)
    mean, deviation = (LEVEL_ELO, 0.0) if system.unit == "elo" else (_MU, settings["sigma"])
    return Ratings(system, settings, np.full(count, mean), np.full(count, deviation))
