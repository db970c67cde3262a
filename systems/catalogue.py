"""The rating systems by name: how each is built, what is tuned, where its ratings begin, and who says draws.

Every system that starts from ratings starts a new player from the rating printed with their first game, as a federation
would, so that none is ahead by knowing less. Network ratings know results only. Titles, sources and grids of numbers
around the values in use stand in catalogue.toml; a backtest tunes them on an early window and freezes them.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib.resources import files
from typing import Any, Literal

from halfpoint.games.plugins import Rows
from halfpoint.systems.baselines import BaseRates, MarginRates, PrintedRating
from halfpoint.systems.centrality import Centrality
from halfpoint.systems.chessmetrics import Chessmetrics
from halfpoint.systems.curves import Curve
from halfpoint.systems.dixon_coles import DixonColes
from halfpoint.systems.dwz import Dwz
from halfpoint.systems.egf import Egf
from halfpoint.systems.elo import Elo, Update
from halfpoint.systems.elo_plus_plus import EloPlusPlus
from halfpoint.systems.errors import RatingSystemError
from halfpoint.systems.fide import Fide
from halfpoint.systems.fitted_list import FittedList
from halfpoint.systems.glicko import Glicko
from halfpoint.systems.glicko_two import GlickoTwo
from halfpoint.systems.icc import Icc
from halfpoint.systems.k_factor import RULES, KRule, constant
from halfpoint.systems.kappa_elo import KappaElo
from halfpoint.systems.least_squares import Colley, Massey
from halfpoint.systems.margin_index import MarginIndex
from halfpoint.systems.park_newman import ParkNewman
from halfpoint.systems.performance import Method, Performance
from halfpoint.systems.pi_ratings import PiRatings
from halfpoint.systems.scrabble import Scrabble
from halfpoint.systems.stephenson import Stephenson
from halfpoint.systems.system import Newcomer, RatingSystem
from halfpoint.systems.trueskill import TrueSkill
from halfpoint.systems.us_chess import UsChess
from halfpoint.systems.weng_lin import WengLin
from halfpoint.systems.world_football import WorldFootball

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
    begins: str = "printed rating"  # what the rating of a new player is
    source: str = ""  # paper or regulation
    needs: Literal["", "event", "margin", "rating"] = ""  # what games must have for the system to be among all of them

    @property
    def start(self) -> dict[str, float]:
        """Value of each number to begin with."""
        return {name: value for name, (value, _) in self.numbers.items()}

    @property
    def grid(self) -> dict[str, tuple[float, ...]]:
        """Values to try for each number that is tuned."""
        return {name: tried for name, (_, tried) in self.numbers.items() if tried}


def elo(
    k: KRule | None = None, curve: Curve = "logistic", update: Update = "period", rule_of_400: bool = False
) -> Callable[[Settings], Elo]:
    """The builder of Elo with a federation's K, or with one K for all."""
    return lambda s: Elo(
        k or constant(s["k"]), advantage_elo=s["advantage"], scale_elo=s.get("scale", 400.0),
        margin_exponent=s.get("margin", 0.0), curve=curve, update=update, rule_of_400=rule_of_400,
    )  # fmt: skip


def performance(method: Method) -> Callable[[Settings], Performance]:
    """The builder of a performance rating."""
    return lambda s: Performance(method, periods=round(s["periods"]), advantage_elo=s["advantage"])


def weng_lin(kind: str) -> Callable[[Settings], WengLin]:
    """The builder of a model of Weng and Lin in Elo points."""
    return lambda s: WengLin(
        kind, s["deviation"], s["beta"], s["tau"], s["advantage"], Newcomer(), s.get("margin", 0.0)
    )


def glicko(s: Settings) -> Glicko:
    """Glicko in Elo points."""
    return Glicko(s["growth"], s["deviation"], s["advantage"], margin_exponent=s.get("margin", 0.0))


_BUILD: dict[str, Callable[[Settings], RatingSystem]] = {
    "base-rates": lambda s: BaseRates(),
    "margin-rates": lambda s: MarginRates(),
    "fide-rating": lambda s: PrintedRating(),
    "list-fitted": lambda s: FittedList(),
    "elo": elo(),
    "elo-normal": elo(curve="normal"),
    "elo-event": elo(update="event"),
    "elo-game": elo(update="game"),
    "elo-margin": elo(),
    "elo-fide": elo(RULES["fide"], rule_of_400=True),
    "elo-uscf": elo(RULES["uscf"], rule_of_400=True),
    "elo-icc": elo(RULES["icc"], rule_of_400=True),
    "elo-own": elo(RULES["elo"], rule_of_400=True),
    "fide": lambda s: Fide(),
    "uscf": lambda s: UsChess(),
    "dwz": lambda s: Dwz(),
    "ecf": elo(RULES["ecf"]),
    "icc": lambda s: Icc(),
    "egf": lambda s: Egf(),
    "scrabble": lambda s: Scrabble(),
    "sonas": elo(),
    "kappa-elo": lambda s: KappaElo(constant(s["k"]), advantage_elo=s["advantage"], kappa=s["kappa"]),
    "world-football": lambda s: WorldFootball(constant(s["k"]), advantage_elo=s["advantage"]),
    "chessmetrics": lambda s: Chessmetrics(advantage_elo=s["advantage"]),
    "index": lambda s: MarginIndex(**s),
    "index-margin": lambda s: MarginIndex(shots_on_target=0.0, shots=0.0, **s),
    "index-two-speeds": lambda s: MarginIndex(**s),
    "dixon-coles": lambda s: DixonColes(**s),
    "performance-fide": performance("fide"),
    "performance-400": performance("400"),
    "performance-quantile": performance("quantile"),
    "elo-plus-plus": lambda s: EloPlusPlus(s["pull"], s["advantage"]),
    "glicko": glicko,
    "glicko-margin": glicko,
    "glicko-2": lambda s: GlickoTwo(s["tau"], s["volatility"], s["deviation"], s["advantage"]),
    "stephenson": lambda s: Stephenson(
        s["growth"], s["deviation"], s["advantage"], per_game_elo=s["per_game"], pull=s["pull"]
    ),
    "trueskill": lambda s: TrueSkill(s["deviation"], s["beta"], s["tau"], s["draw"], s["advantage"], Newcomer()),
    "weng-lin-full": weng_lin("bradley-terry-full"),
    "weng-lin-part": weng_lin("bradley-terry-part"),
    "plackett-luce": weng_lin("plackett-luce"),
    "weng-lin-margin": weng_lin("bradley-terry-full"),
    "park-newman": lambda s: ParkNewman(share=s["share"]),
    "centrality": lambda s: Centrality(going_on=s["going_on"]),
    "colley": lambda s: Colley(),
    "massey": lambda s: Massey(),
    "pi-ratings": lambda s: PiRatings(rate=s["rate"], share=s["share"]),
}
_TABLE = tomllib.loads(files("halfpoint.systems").joinpath("catalogue.toml").read_text(encoding="utf-8"))


def _spec(name: str, numbers: Sequence[str] = (), **told: Any) -> SystemSpec:
    """A system as a row of the table has it; the first word of a grid is its number."""
    grids = {grid.split()[0]: (_TABLE["grids"][grid][0], tuple(_TABLE["grids"][grid][1])) for grid in numbers}
    return SystemSpec(name, build=_BUILD[name], numbers=grids, **told)


SPECS = tuple(_spec(name, **row) for name, row in _TABLE["systems"].items())
SYSTEMS = Rows("halfpoint.systems", SystemSpec)  # these and those of whoever is installed


def system(name: str) -> SystemSpec:
    """A system's entry by name; `RatingSystemError` with the nearest one if there is none of that name."""
    if name not in SYSTEMS:
        near = get_close_matches(name, SYSTEMS, n=1)
        hint = f"Did you mean {near[0]!r}?" if near else "halfpoint backtest --help lists them."
        raise RatingSystemError("rating system", ", ".join(SYSTEMS), repr(name), hint)
    return SYSTEMS[name]
