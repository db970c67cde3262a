r"""Models of margins: goals, points, IMPs at bridge, and the index of a football game.

    margin = white - black + e,    e of spread e^lam, lam = `log_width`, normal or Student t    (`formulas.margin`)

Bridge, in IMPs a board: a strength is the value of a pair of two such players, so that each player contributes half of
it. The effect of a deal on all its tables is a nuisance of known spread; the width of a deal is learned.

Goals: strengths as in the default of `rate` (`entering_walk`, `population`), goal differences in place of results.

Sets: White's lead in percent of the games or points of all sets, at least 12, times the factor by which all have the
spread of tennis (`leads_in_sets`), normal with known spreads, so that the posterior is normal. Those of strengths,
yearly steps and surfaces are maximum likelihood estimates from ATP seasons 2003 to 2009 (`benchmarks/yardstick.md`).
Where games print rankings, each player's last one in a year is a measurement,

    log ranking = `rank_level` - 0.073 g + e,    e ~ N(0, 0.7^2)

whose spread, chosen on 2010 to 2013, exceeds that of rankings around strengths, since their errors persist.

The index of football has a spread of about 0.8; slow, fast and decay are maximum likelihood estimates from 12 seasons
to 2012. These seasons do not identify the steps of the advantage, whose memory is two seasons.
"""

from typing import TYPE_CHECKING

import numpy as np

from halfpoint.models.formulas.football_index import INDEX, SHOTS
from halfpoint.models.formulas.margin import NORMAL, OF_GOALS, OF_POINTS, OF_SETS, STUDENT, margin, pairs_of_sets
from halfpoint.models.formulas.outcome import Outcome
from halfpoint.models.formulas.potential import potential
from halfpoint.models.further_models import first_move
from halfpoint.models.games.lead_index import COLUMNS
from halfpoint.models.games.table import MARGINS
from halfpoint.models.language.games import STEPS, Games
from halfpoint.models.language.populations import (
    MIDDLE,
    SCALE,
    WIDE,
    Prior,
    anchor_map,
    anchor_scale,
    population,
)
from halfpoint.models.language.walk_matrices import waves
from halfpoint.models.language.walks import LATE_MONTHS, PLAYERS, entering_walk, two_speeds, walking_advantage
from halfpoint.models.pymc_import import Node, Operand, pm, walk_variable

if TYPE_CHECKING:
    import pymc

    type Model = pymc.Model

LAWS = {"normal": NORMAL, "t": STUDENT}


def margin_population(
    games: Games,
    strength: Prior = (0.0, 20.0),
    spread: float = 20.0,
    advantage: Prior = (0.0, 20.0),
    log_width: Prior = (1.0, 2.0),
    scale: Prior = SCALE,
    law: str = "normal",
) -> "Model":
    """Margins of strengths of a population, in units of the margin; the priors are wide for goals, points and IMPs."""
    with pm.Model(coords=games.coords) as model:
        kappa = anchor_scale(scale)
        g = population(games, strength, spread, kappa)
        delta, lam = first_move(games, advantage, True), pm.Normal("log_width", *log_width)
        margin(games, games.white(g, anchor_map(kappa)) + delta, games.black(g, anchor_map(kappa)), lam, LAWS[law])
    return model


def goals_matched(
    games: Games,
    level: Prior = (MIDDLE, WIDE),
    level_spread: Prior = (-0.6, 0.8),
    newcomer: Prior = (-0.3, 0.3),
    step: Prior = (-2.1, 0.5),
    met: float | None = 0.25,
    advantage: Prior = (0.3, 0.3),
    log_width: Prior = (0.5, 0.5),
    every: int = 0,
    law: str = "goals",
) -> "Model":
    """Goal differences of strengths, in goals, near those of opponents; walks by `every` months, 0 for none.

    With the law "points" they are margins of games without draws, as if they had the spread of goals; with "shots" the
    index of goals, shots on target and shots, in goals.
    """
    games = games.by(every) if every else games
    games.observed("margin")  # so that a trace keeps it, for further games
    with pm.Model(coords=games.coords) as model:
        if every:
            g = entering_walk(games, level, level_spread, newcomer, step, met)
        else:
            g = population(games, level, level_spread, met=met)
        white = games.white(g) + first_move(games, advantage, True)
        sides = white, games.black(g), pm.Normal("log_width", *log_width)
        if law == "shots":
            _by_index(SHOTS, games, *sides)
        else:
            margin(games, *sides, OF_GOALS if law == "goals" else OF_POINTS)
    return model


def sets(
    games: Games,
    entry: float = 15.0,
    newcomer: Prior = (-4.0, 15.0),
    step: float = 4.0,
    effect: float = 20.0,
    apart: float = 6.0,
    log_spread: float = 3.22,
    long: float = -0.2,
    rank: tuple[float, float] = (0.073, 0.7),
    level: Prior = (5.0, 2.0),
    every: int = 0,
) -> "Model":
    """Leads in sets, in percent; strengths walk by `every` months, 0 for none, and rankings measure them.

    `apart` is the spread of strengths by surface, `long` the effect of two further sets on the width, `rank` the fall
    of a ranking's logarithm by strength, and its spread.
    """
    games = games.by(every) if every else games
    with pm.Model(coords=games.coords) as model:
        if every:
            late = (games.every * games.entry_periods >= LATE_MONTHS).astype(np.float64)
            mean = late * pm.Normal("newcomer_mean", *newcomer) if late.any() else np.float64(0.0)
            start = pm.Normal("entry", mean, np.float64(entry), dims="player")
            steps = pm.Normal("step_noncentred", 0.0, 1.0, dims=("player", STEPS))
            walked = walk_variable.walks(start, float(step), steps, waves(games.periods), begins=games.entry_periods)
            g = pm.Deterministic("strength", walked, dims=PLAYERS)
        else:
            g = pm.Normal("strength", 0.0, np.float64(entry), dims="player")
        by_surface = dict.fromkeys(("player:context", "player:surface"), apart)
        first, second = games.effects("strength", sd=effect, given=by_surface)
        lam = log_spread + (long * pairs_of_sets(games.column("best_of")) if games.has("best_of") else 0.0)
        sides = games.white(g) + first, games.black(g) + second, lam + games.effects("log_width")
        margin(games, *_beside_ranks(games, *sides, rank, level), OF_SETS)
    return model


def _beside_ranks(
    games: Games, white: Node, black: Node, lam: Operand, rank: tuple[float, float], level: Prior
) -> tuple[Node, Node, Operand]:
    """Sides and width of games, and of printed rankings: log ranking ~ N(`rank_level` - slope strength, spread^2)."""
    side = games.ranked
    if side is None:
        return white, black, lam
    slope, spread = rank
    of_game, of_rank = (side == 0.0).astype(np.float64), (side != 0.0).astype(np.float64)
    first = white * (of_game - slope * (side > 0.0)) + pm.Normal("rank_level", *level) * of_rank
    return first, black * (of_game + slope * (side < 0.0)), lam * of_game + np.log(spread) * of_rank


def bridge_ability(
    games: Games,
    strength: Prior = (0.0, 1.0),
    spread: float = 4.0,
    log_width: Prior = (1.5, 1.0),
    deal: float = 10.0,
    partners: float = 1.0,
    widths: str = "1 | deal",
    law: str = "normal",
) -> "Model":
    """Abilities at bridge: strengths, partnerships, an effect of each deal, and a spread of each deal."""
    with pm.Model(coords=games.coords) as model:
        g = population(games, strength, spread)
        first, second = games.effects("strength", "1 | partners", spread=partners)
        lam = pm.Normal("log_width", *log_width) + games.effects("log_width", widths)
        lifted = games.effects("advantage", "1 | deal", given={"deal": deal})
        margin(games, games.white(g) + first + lifted, games.black(g) + second, lam, LAWS[law])
    return model


def margin_walk(
    games: Games,
    level_spread: float = 20.0,
    newcomer: Prior = (0.0, 20.0),
    slow: float = 1.0,
    fast: float = 10.0,
    decay: float = 0.7,
    advantage: Prior = (0.0, 20.0),
    advantage_step: float = 1.0,
    log_width: Prior = (1.0, 2.0),
    learned: bool = True,
    seen: str = "margin",
    every: int = 1,
) -> "Model":
    """Margins, or the index of football, of strengths of two speeds and an advantage that walks, by months."""
    games = games.by(every)
    with pm.Model(coords=games.coords) as model:
        g = two_speeds(games, level_spread, newcomer, slow, fast, decay, learned)
        delta = walking_advantage(games, advantage, advantage_step, learned)[games.period] * games.seated
        lam = pm.Normal("log_width", *log_width)
        if seen == "index":
            _by_index(INDEX, games, games.white(g) + delta, games.black(g), lam)
        else:
            margin(games, games.white(g) + delta, games.black(g), lam)
    return model


def _by_index(formula: Outcome, games: Games, white: Operand, black: Operand, log_width: Operand) -> None:
    """Likelihood of an index of goals and shots, whose columns a trace keeps for further games."""
    margin_name = MARGINS[:1] if any(map(games.has, MARGINS)) else ()
    seats = [f"{side}_{column}" for side in ("white", "black") for column in COLUMNS]
    for name in (*margin_name, *filter(games.has, seats)):
        games.observed(name)
    potential(formula, games, white, black, log_width)


OF_INDEX = {
    "level_spread": 0.4, "newcomer": (-0.24, 0.15), "slow": 0.022, "fast": 0.14, "decay": 0.52, "learned": False,
    "advantage": (0.15, 0.15), "advantage_step": 0.006, "log_width": (-0.5, 0.5), "seen": "index",
}  # fmt: skip
