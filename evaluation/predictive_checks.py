r"""Posterior predictive checks of the games, at no cost after a fit.

With theta a draw of the posterior, y the games and y' games drawn from theta, of each discrepancy T

    p = P(T(y', theta) >= T(y, theta) | y)

r is White's score less its expectation, and v its variance; d is 1 for a drawn game, else 0, less the probability q of
a draw; c is a number of each game by the strengths of theta, without first-move advantage, less its mean over games
weighted by q (1 - q). The games and simulated games share theta, so that T(y', theta) and T(y, theta) have the same
distribution if the model is right. Numbers from posterior means do not: a win moves two players apart, a draw brings
them together.

    draws by strength    T = (sum d c)^2 / sum q (1 - q) c^2,    c the mean strength of the two
    draws by gap         the same,                               c the gap of their strengths
    draws by player      T = sum over players of (sum d)^2 / sum q (1 - q)
    seats by player      T = sum over players of (sum r)^2 / sum v,    gains as White unequal to losses as Black

T is 0 where c is equal in all games, as in a match of two players.

A check fails if p is at most 0.01. Since the posterior depends on the same games, p of a right model is nearer to 1/2
than a uniform number is: false alarms are rarer than stated.

Gelman, Meng & Stern (1996) Stat. Sinica 6:733, section 2, for realised discrepancies.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import csr_array

from halfpoint.models.declaration.posterior_reader import Reading
from halfpoint.models.games.table import Codes, Floats, Integers
from halfpoint.models.rows.rows import GameRows, Side

UNLIKELY = 0.01
DRAWS, _FEW_DRAWS = 400, 100  # of the posterior; of many games, so that a check takes seconds
_VALUES, _LARGEST = 4_000_000, 100_000  # games times draws beyond which draws are fewer; most games checked
_EQUAL = 1e-6  # variance of c, squared natural units, below which games do not differ
_WORDS = {
    "strength": "stronger players draw {more}: with anchors use --model davidson-strength-draws",
    "gap": "players far apart draw {more} than the model expects: --model {formula}",
    "player": "players differ in their inclination to draw: --model davidson-player-draws",
    "seat": "players differ in their first-seat advantage: --model {stem}-pooled",
}


@dataclass(frozen=True, eq=False)
class Checks:
    """Discrepancies of the games and of games drawn from the model, by name, shape (draw,)."""

    draws: bool  # whether a draw has a probability of its own
    observed: dict[str, Floats]  # of the games
    simulated: dict[str, Floats]  # of games drawn from each draw
    ahead: dict[str, float]  # mean of sum d c: whether more is drawn where c is large

    @property
    def p(self) -> dict[str, float]:
        """Posterior predictive p values."""
        return {name: float((self.simulated[name] >= value).mean()) for name, value in self.observed.items()}

    @property
    def lines(self) -> list[str]:
        """Failed checks, a line each with the recommended model; for draws only the largest."""
        p = self.p
        failed = [name for name in _WORDS if p.get(name, 1.0) <= UNLIKELY]
        drawn = sorted((name for name in failed if name in ("strength", "gap", "player")), key=self.far)
        sentences = []
        for name in (check for check in failed if check not in drawn[:-1]):
            is_more = self.ahead.get(name, 0.0) > 0.0
            about = {"more": "more" if is_more else "less", "formula": "bt-population" if is_more else "rao-kupper"}
            stem = "davidson" if self.draws else "bt"
            chance = f"p {p[name]:.2g}" if p[name] else f"p below {1.0 / self.simulated[name].size:.2g}"
            sentences.append(f"{_WORDS[name].format(**about, stem=stem)} ({chance})")
        return sentences

    def far(self, name: str) -> float:
        """Distance of a discrepancy from the discrepancies of simulated games, in their standard deviations."""
        simulated = self.simulated[name]
        return float((self.observed[name].mean() - simulated.mean()) / max(simulated.std(), 1e-9))


def incidence(side: Side, players: int) -> csr_array:
    """Incidence of players on a side of one player, shape (player, game)."""
    is_free, games = side.anchored == 0.0, np.arange(len(side))
    return csr_array((is_free.astype(np.float64), (side.players[:, 0], games)), shape=(players, len(side)))


def predictive_checks(reading: Reading, rows: GameRows, outcome: Codes, seed: int = 0) -> Checks | None:
    """Posterior predictive discrepancies of the games; None if the likelihood has no outcomes.

    Shapes: outcome (game,).
    """
    formula, total = reading.outcome, reading.p["strength"].shape[0]
    if formula.margin is not None or not (formula.draws or np.all(outcome != 1)) or len(rows) > _LARGEST:
        return None
    count = min(total, DRAWS, max(_FEW_DRAWS, _VALUES // max(1, len(rows))))
    thin = reading.thin(np.unique(np.linspace(0, total - 1, count).astype(np.int64)))
    alone = rows.white.players.shape[1] == rows.black.players.shape[1] == 1
    sits = [incidence(side, reading.players.size) for side in (rows.white, rows.black)] if alone else None
    seats = {name: np.zeros_like(values) for name, values in thin.p.items() if name.startswith("advantage")}
    seatless = replace(thin, p={**thin.p, **seats})
    rng, parts = np.random.default_rng(seed), []
    for (_, value), (_, sides) in zip(thin.chunks(rows), seatless.under(rows), strict=True):
        probability = np.exp(value) if formula.draws else np.exp(value) * [1.0, 0.0, 1.0]
        lost, uniform = probability[..., 0], rng.random(value.shape[:2])
        outcomes = np.stack(
            np.broadcast_arrays(outcome, 0 + (uniform >= lost) + (uniform >= lost + probability[..., 1]))
        )
        parts.append(_discrepancies(formula.draws, probability, (sides.white, sides.black), outcomes, sits))
    seats_differ = bool(seats) and bool(np.any(rows.seated))  # else no seat has an advantage that could differ
    names = [name for name in parts[0] if name != "seat" or seats_differ]
    observed, simulated = ({name: np.concatenate([part[name][k] for part in parts]) for name in names} for k in (0, 1))
    ahead = {
        name.partition(",")[0]: float(observed.pop(name).mean()) for name in list(observed) if name.endswith("ahead")
    }
    return Checks(formula.draws, observed, simulated, ahead)


def _discrepancies(
    draws: bool, probability: Floats, strengths: tuple[Floats, Floats], outcome: Integers, sits: list[csr_array] | None
) -> dict[str, Floats]:
    """Discrepancies by name, shape (set, draw), and their parts.

    Shapes: probability (draw, game, outcome), strengths two of (draw, game), outcome (set, draw, game).
    """
    white, black = strengths
    q = probability[..., 1]
    expected = probability[..., 2] + q / 2
    v = np.maximum(probability[..., 2] + q / 4 - expected**2, 1e-12)
    r, by_name = outcome / 2.0 - expected, dict[str, Floats]()
    d, w = (outcome == 1) - q, q * (1.0 - q)
    if draws:
        for name, number in (("strength", (white + black) / 2), ("gap", np.abs(white - black))):
            c = number - (number * w).sum(axis=-1, keepdims=True) / np.maximum(w.sum(axis=-1, keepdims=True), 1e-12)
            by_name[f"{name}, ahead"] = (d * c).sum(axis=-1)
            size = (w * c**2).sum(axis=-1)
            varies = size > _EQUAL * w.sum(axis=-1)
            by_name[name] = np.where(varies, by_name[f"{name}, ahead"] ** 2 / np.where(varies, size, 1.0), 0.0)
    if sits is None:
        return by_name

    def by_player(at_white: Floats, at_black: Floats) -> Floats:
        """Sums over the games of each player, shape (..., player)."""
        on_white, on_black = (values.reshape(-1, values.shape[-1]).T for values in (at_white, at_black))
        sums: Floats = sits[0] @ on_white + sits[1] @ on_black
        return sums.T.reshape(*at_white.shape[:-1], -1)

    weight = by_player(v, v)
    for name, surplus, total in (("player", d, by_player(w, w)), ("seat", r, weight)):
        if name == "seat" or draws:
            ratio = by_player(surplus, surplus) ** 2 / np.maximum(total, 1e-9)
            by_name[name] = ratio.sum(axis=-1, where=total > 1e-9)
    return by_name
