"""The rating systems by name: how each is built, what is tuned, where its ratings begin, and who says draws.

Every system that starts from ratings starts a new player from the rating printed with their first game, as a federation
would, so that none is ahead by knowing less. Network ratings know results only. Numbers to tune stand as grids around
the values in use; a backtest tunes them on an early window and freezes them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Literal

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

_K = (5.0, 8.0, 10.0, 12.0, 15.0, 20.0, 27.0, 32.0)


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


def kappa_elo(s: Settings) -> KappaElo:
    """Elo with Davidson's draws."""
    return KappaElo(constant(s["k"]), advantage_elo=s["advantage"], kappa=s["kappa"])


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


_RULE: _Numbers = {"advantage": (35.0, (0.0, 15.0, 25.0, 30.0, 35.0, 40.0, 45.0, 55.0))}
_CONSTANT: _Numbers = {"k": (15.0, _K), **_RULE, "scale": (400.0, ())}
_DEVIATION: _Numbers = _RULE | {"deviation": (60.0, (20.0, 30.0, 45.0, 60.0, 80.0, 110.0, 150.0, 220.0))}
GAUSSIAN: _Numbers = _DEVIATION | {
    "beta": (200.0, (100.0, 140.0, 170.0, 200.0, 240.0)),
    "tau": (2.0, (0.0, 2.0, 4.0, 7.0)),
}
_GLICKO: _Numbers = _DEVIATION | {"growth": (10.0, (0.0, 3.0, 6.0, 10.0, 15.0, 25.0))}
_MARGIN: _Numbers = {"margin": (0.5, (0.0, 0.25, 0.5, 0.75, 1.0, 1.5))}
_PERIODS: _Numbers = _RULE | {"periods": (12.0, (3.0, 6.0, 12.0, 36.0))}
_NOTHING, LEAGUE = "nothing", "mean, later ones apart"
_WENG, _HVATTUM = "Weng & Lin 2011", "Hvattum & Arntzen 2010"
GAIN = (0.01, 0.014, 0.018, 0.023, 0.029, 0.036, 0.047, 0.07)
_INDEX: _Numbers = {  # steps of about one standard error of 4,000 games of football
    "weight": (1.7, (0.9, 1.2, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2.0, 2.2, 2.5, 3.5)),
    "gain": (0.036, GAIN),
    "cut": (0.64, (0.0, 0.2, 0.4, 0.5, 0.54, 0.58, 0.6, 0.62, 0.64, 0.66, 0.7, 0.8, 1.0)),
    "newcomer": (-0.5, (0.0, -0.2, -0.3, -0.4, -0.5, -0.6, -0.7, -0.9)),
}
_SHOTS: _Numbers = {
    "shots_on_target": (0.3, (0.0, 0.15, 0.3, 0.45, 0.7, 1.0)),
    "shots": (0.2, (0.0, 0.1, 0.2, 0.35, 0.6)),
}
FAST: _Numbers = {
    "fast_gain": (0.018, (0.0, 0.008, 0.013, 0.018, 0.024, 0.032, 0.045)),
    "decay": (0.5, (0.25, 0.5, 0.8, 1.5, 3.0, 6.0)),
}
GOALS: _Numbers = {
    "spread": (0.25, (0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.6)), "forgets": (0.45, (0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.1)),
    "newcomer": (-0.4, (0.0, -0.2, -0.3, -0.4, -0.5, -0.6, -0.8)),
}  # fmt: skip

SPECS = (
    SystemSpec("base-rates", "Base rates", lambda s: BaseRates(), draws="own", begins=_NOTHING),
    SystemSpec("margin-rates", "Margins so far", lambda s: MarginRates(), draws="own", begins=_NOTHING, needs="margin"),
    SystemSpec(
        "fide-rating", "FIDE rating on the day", lambda s: PrintedRating(), draws="own", source="FIDE", needs="rating"
    ),
    SystemSpec(
        "list-fitted", "The list of the day, fitted", lambda s: FittedList(), draws="own", source="FIDE", needs="rating"
    ),
    SystemSpec("elo", "Elo, logistic, by month", elo(), _CONSTANT, source="Elo 1978"),
    SystemSpec("elo-normal", "Elo, normal curve", elo(curve="normal"), _CONSTANT, source="Elo 1978"),
    SystemSpec("elo-event", "Elo, by event", elo(update="event"), _CONSTANT, source="Elo 1978", needs="event"),
    SystemSpec("elo-game", "Elo, by game", elo(update="game"), _CONSTANT, source="Kiraly & Qian 2017"),
    SystemSpec("elo-margin", "Elo with margins", elo(), _CONSTANT | _MARGIN, source="ClubElo 2012", needs="margin"),
    SystemSpec("elo-fide", "Elo, FIDE's K", elo(RULES["fide"], rule_of_400=True), _RULE, source="FIDE 2014"),
    SystemSpec("elo-uscf", "Elo, USCF's K", elo(RULES["uscf"], rule_of_400=True), _RULE, source="USCF"),
    SystemSpec("elo-icc", "Elo, ICC's K", elo(RULES["icc"], rule_of_400=True), _RULE, source="ICC"),
    SystemSpec("elo-own", "Elo, Elo's own K", elo(RULES["elo"], rule_of_400=True), _RULE, source="Elo 1978"),
    SystemSpec("fide", "FIDE's regulations, by date", lambda s: Fide(), source="FIDE 2009 to 2025", needs="rating"),
    SystemSpec("uscf", "US Chess, by event", lambda s: UsChess(), source="Glickman & Doan 2026"),
    SystemSpec("dwz", "DWZ, Germany", lambda s: Dwz(), source="Deutscher Schachbund 2014", needs="rating"),
    SystemSpec("ecf", "English Chess Federation", elo(RULES["ecf"]), {"advantage": (0.0, ())}, source="ECF 2020"),
    SystemSpec("icc", "Internet Chess Club", lambda s: Icc(), source="ICC"),
    SystemSpec("egf", "European Go Federation", lambda s: Egf(), source="EGF 2021"),
    SystemSpec("scrabble", "Scrabble, NSA and NASPA by date", lambda s: Scrabble(), source="Chew 2008; NASPA 2009"),
    SystemSpec(
        "sonas", "Elo, Sonas' K and 5/6", elo(), {"k": (24.0, ()), **_RULE, "scale": (480.0, ())}, source="Sonas 2002"
    ),
    SystemSpec(
        "kappa-elo", "Elo with Davidson's draws", kappa_elo,
        {"k": (15.0, _K), "kappa": (1.5, (0.02, 0.3, 0.6, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0)), **_RULE}, draws="own",
        source="Szczecinski & Djebbi 2020",
    ),
    SystemSpec(
        "world-football", "World Football Elo", lambda s: WorldFootball(constant(s["k"]), advantage_elo=s["advantage"]),
        {"k": (20.0, (10.0, 20.0, 30.0, 40.0, 60.0)), "advantage": (100.0, (0.0, 20.0, 40.0, 60.0, 80.0, 100.0))},
        source="Runyan 1997",
    ),
    SystemSpec(
        "chessmetrics", "Chessmetrics", lambda s: Chessmetrics(advantage_elo=s["advantage"]), _RULE, begins=_NOTHING,
        source="Sonas 2005",
    ),
    SystemSpec(
        "index", "Margin index", lambda s: MarginIndex(**s), _INDEX | _SHOTS, draws="own", begins=LEAGUE,
        source=_HVATTUM, needs="margin",
    ),
    SystemSpec(
        "index-margin", "Margin index, margin alone", lambda s: MarginIndex(shots_on_target=0.0, shots=0.0, **s),
        _INDEX | {"gain": (0.023, GAIN)}, draws="own", begins=LEAGUE, source=_HVATTUM, needs="margin",
    ),
    SystemSpec(
        "index-two-speeds", "Margin index, two speeds", lambda s: MarginIndex(**s),
        _INDEX | _SHOTS | {"gain": (0.018, GAIN), **FAST}, draws="own", begins=LEAGUE, source=_HVATTUM, needs="margin",
    ),
    SystemSpec(
        "dixon-coles", "Dixon-Coles, goals of both sides", lambda s: DixonColes(**s), GOALS, draws="own", begins=LEAGUE,
        source="Dixon & Coles 1997", needs="margin",
    ),
    SystemSpec("performance-fide", "Performance, FIDE's table", performance("fide"), _PERIODS),
    SystemSpec("performance-400", "Performance, algorithm of 400", performance("400"), _PERIODS),
    SystemSpec("performance-quantile", "Performance, quantile", performance("quantile"), _PERIODS),
    SystemSpec(
        "elo-plus-plus", "Elo++", lambda s: EloPlusPlus(s["pull"], s["advantage"]),
        _RULE | {"pull": (0.77, (0.05, 0.1, 0.2, 0.4, 0.77, 1.2))}, source="Sismanis 2010",
    ),
    SystemSpec("glicko", "Glicko", glicko, _GLICKO, source="Glickman 1999"),
    SystemSpec(
        "glicko-margin", "Glicko with margins", glicko, _GLICKO | _MARGIN, source="Glickman 1999; ClubElo 2012",
        needs="margin",
    ),
    SystemSpec(
        "glicko-2", "Glicko-2", lambda s: GlickoTwo(s["tau"], s["volatility"], s["deviation"], s["advantage"]),
        _DEVIATION | {"volatility": (0.06, (0.01, 0.02, 0.03, 0.06, 0.1)), "tau": (0.6, (0.3, 0.6, 1.2))},
        source="Glickman 2001",
    ),
    SystemSpec(
        "stephenson", "Stephenson",
        lambda s: Stephenson(s["growth"], s["deviation"], s["advantage"], per_game_elo=s["per_game"], pull=s["pull"]),
        _GLICKO | {"per_game": (6.0, (0.0, 3.0, 6.0, 10.0)), "pull": (0.02, (0.0, 0.01, 0.02, 0.04, 0.08))},
        source="Stephenson & Sonas 2012",
    ),
    SystemSpec(
        "trueskill", "TrueSkill",
        lambda s: TrueSkill(s["deviation"], s["beta"], s["tau"], s["draw"], s["advantage"], Newcomer()),
        GAUSSIAN | {"draw": (0.45, (0.02, 0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65))}, draws="own",
        source="Herbrich et al. 2007",
    ),
    SystemSpec("weng-lin-full", "Weng-Lin, Bradley-Terry full", weng_lin("bradley-terry-full"), GAUSSIAN, source=_WENG),
    SystemSpec(
        "weng-lin-part", "Weng-Lin, Bradley-Terry partial", weng_lin("bradley-terry-part"), GAUSSIAN, source=_WENG
    ),
    SystemSpec("plackett-luce", "Weng-Lin, Plackett-Luce", weng_lin("plackett-luce"), GAUSSIAN, source=_WENG),
    SystemSpec(
        "weng-lin-margin", "Weng-Lin with margins", weng_lin("bradley-terry-full"), GAUSSIAN | _MARGIN,
        source=f"{_WENG}; ClubElo 2012", needs="margin",
    ),
    SystemSpec(
        "park-newman", "Park-Newman", lambda s: ParkNewman(share=s["share"]),
        {"share": (0.8, (0.0, 0.3, 0.6, 0.8, 0.9, 0.97))}, begins=_NOTHING, source="Park & Newman 2005",
    ),
    SystemSpec(
        "centrality", "Centrality with restarts", lambda s: Centrality(going_on=s["going_on"]),
        {"going_on": (0.85, (0.3, 0.5, 0.7, 0.85, 0.95))}, begins=_NOTHING, source="Keener 1993",
    ),
    SystemSpec("colley", "Colley", lambda s: Colley(), begins=_NOTHING, source="Colley 2002"),
    SystemSpec("massey", "Massey", lambda s: Massey(), begins=_NOTHING, source="Massey 1997", needs="margin"),
    SystemSpec(
        "pi-ratings", "Pi ratings", lambda s: PiRatings(rate=s["rate"], share=s["share"]),
        {"rate": (0.035, (0.01, 0.02, 0.035, 0.05, 0.08)), "share": (0.7, (0.3, 0.5, 0.7, 0.9))}, begins=_NOTHING,
        source="Constantinou & Fenton 2013", needs="margin",
    ),
)  # fmt: skip
SYSTEMS = Rows("halfpoint.systems", SystemSpec)  # these and those of whoever is installed


def system(name: str) -> SystemSpec:
    """A system's entry by name; `RatingSystemError` with the nearest one if there is none of that name."""
    if name not in SYSTEMS:
        near = get_close_matches(name, SYSTEMS, n=1)
        hint = f"Did you mean {near[0]!r}?" if near else "halfpoint backtest --help lists them."
        raise RatingSystemError("rating system", ", ".join(SYSTEMS), repr(name), hint)
    return SYSTEMS[name]
