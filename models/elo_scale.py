r"""Elo points of every model: 400 of them are odds of 10 to 1 in expected score between two equals.

    rating    = mu + (g - mu) s            g a strength, mu the pivot, natural units times 400 / ln 10
    advantage = A s                        A all that the first move is worth: white - black of a player and their like
    s = 400 / ln 10 * 4 dE/dd  at d = 0    E expected score, d the difference of the two sides, natural units

    half points   s = 400 / ln 10
    Davidson      s = 400 / ln 10 * (1 - r)        = 400 / ln 10 * 2 / (2 + e^lam)
    Rao-Kupper    s = 400 / ln 10 * (1 - r^2)      = 400 / ln 10 * 4 theta / (1 + theta)^2,  theta = 1 + e^lam
    r = e^lam / (2 + e^lam)                draw rate: probability of a draw between two equals without advantage

Why. Elo's curve has slope 1/4 per natural unit between equals. A model with draws has less, so its natural units times
173.7 are no Elo points: where half the games between equals are drawn Davidson's are twice too many. s is that of each
draw of the posterior; with draws by strength or by player r is that of the model's reference pair, `log_draw`. A
formula that sees more than the difference of the two is asked about two equals of the pool's mean strength.

Anchors with a learned scale kappa say themselves what an Elo point is: s = 400 / ln 10 / kappa, and mu is where both
scales meet (see `anchors`). Without anchors in the games kappa is its prior, and s is that of the draw rate. Strengths
around ratings (`strength`, rated) are on the scores' scale too, about the mean of the ratings: these err, and kappa
would stretch the list. The pivot maps to itself: the mean rating of whoever is anchored, else the mean of the prior.

Elo (1978) for the scale; Davidson (1970) JASA 65:317, eq. 2.6; Rao & Kupper (1967) JASA 62:194, eq. 2.3 to 2.5.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import xarray as xr

from halfpoint.games.rating_history import RatingHistory
from halfpoint.games.table import Floats
from halfpoint.games.units import ELO_PER_NATURAL, to_elo
from halfpoint.models.declared import Declared
from halfpoint.models.formulas.outcome import Outcome
from halfpoint.models.model import Model
from halfpoint.models.parts.priors import moments
from halfpoint.models.parts.strength import MIDDLE
from halfpoint.models.posterior_reader import Reading, draws_of, parts
from halfpoint.models.rows import GameRows, Parameters, Values

type _Drawn = float | xr.DataArray  # a number, or one of each draw
_NOTHING = 1e-9  # natural units: a difference of sides that is one of rounding


def elo_scale(declared: Declared, posterior: xr.Dataset) -> tuple[_Drawn, _Drawn]:
    """Pivot, Elo points, and scale, Elo points a natural unit: rating = pivot + (173.7 g - pivot) s / 173.7."""
    level = _pool_level(declared, posterior)
    if declared.spec.strength.by_scores:
        pivot = posterior["anchor_level"] * ELO_PER_NATURAL if "anchor_level" in posterior else to_elo(MIDDLE)
        return pivot, scale_of(declared.spec.outcome, posterior, level)
    if "anchor_scale" in posterior and declared.selection.anchored:
        pivot = to_elo(MIDDLE) if "anchor_level" not in posterior else posterior["anchor_level"] * ELO_PER_NATURAL
        return pivot, ELO_PER_NATURAL / posterior["anchor_scale"]
    anchored, prior = declared.selection.anchored, declared.spec.strength.prior  # what both have in common
    pivot = declared.selection.anchor_mean_elo() if anchored else to_elo(moments(prior)[0])
    return pivot, scale_of(declared.spec.outcome, posterior, level)


def _pool_level(declared: Declared, posterior: xr.Dataset) -> _Drawn:
    """The mean strength of the players under each draw, natural units; 0 for formulas that do not see it."""
    if not declared.spec.outcome.sees_level:
        return 0.0
    strength = strengths(_reading_at_end(declared, posterior), posterior)
    last = strength.isel(month=-1, drop=True) if "month" in strength.dims else strength
    return last.mean("player")


def _reading_at_end(declared: Declared, posterior: xr.Dataset) -> Reading:
    """A posterior as what a model reads at the end of its games; draws as they are held."""
    history = RatingHistory.of(declared.selection.games) if declared.spec.strength.needed else None
    return Reading(declared.spec, draws_of(posterior, large=0), declared.selection.players, history=history)


def strengths(reading: Reading, posterior: xr.Dataset) -> xr.DataArray:
    """The strength of every player at the end of the games, natural units, dims of `strength`.

    It is what their side of a game brings, the mean of both seats; of a walk in each of its periods.
    """
    held, players = posterior["strength"].transpose("chain", "draw", ...), reading.players.size
    periods = held.sizes.get("month", 1)
    codes = np.arange(players, dtype=np.int32).repeat(periods)
    rows = reading.today(codes, codes)
    if reading.model.walks:
        rows = replace(rows, period=np.tile(np.arange(periods), players))

    def mean(p: Parameters, rows: GameRows) -> Values:
        white, black = reading.model.strength.at(p, rows)
        return (white + black) * 0.5

    found = _rows_under_draws(mean, reading.p, rows)
    return xr.DataArray(found.reshape(held.shape), held.coords, held.dims)


def _worth(reading: Reading, posterior: xr.Dataset) -> xr.DataArray | None:
    """What the first seat is worth, natural units: by how much a player there is above themselves in the second.

    Dims chain and draw, and player where players differ, as other values of their parameters tell; None where the
    seats are alike.
    """
    codes, rng = np.arange(reading.players.size, dtype=np.int32), np.random.default_rng(1)
    told: dict[str, Floats] = {}  # two draws that differ in the parameters of players alone
    for name, value in reading.p.items():
        several = 2 if "player" in posterior[name].dims else 1
        told[name] = np.resize(rng.uniform(0.5, 1.5, (several, *value.shape[1:])), (2, *value.shape[1:]))
    rows = reading.today(codes, codes)
    apart = _white_lead(reading.model, told, rows)
    if np.abs(apart).max() < _NOTHING:
        return None
    shared = np.ptp(apart) < _NOTHING
    rows = rows.take(codes[:1]) if shared else rows
    found = _rows_under_draws(partial(_white_lead, reading.model), reading.p, rows)
    made = found.reshape(posterior.sizes["chain"], posterior.sizes["draw"], -1)
    return xr.DataArray(made[..., 0] if shared else made, dims=("chain", "draw", "player")[: 2 + (not shared)])


def _white_lead(model: Model, p: Parameters, rows: GameRows) -> Floats:
    """By how much the first side is above the second, natural units, shape (draw, row)."""
    white, black, _ = model.sides(p, rows)
    return np.asarray(white - black)


def _rows_under_draws(value: Callable[[Parameters, GameRows], Any], p: dict[str, Floats], rows: GameRows) -> Floats:
    """Values of rows under each draw, (draw, row), as parameters are held, few at a time."""
    found = np.empty((p["strength"].shape[0], len(rows)), dtype=p["strength"].dtype)
    for draws, some in parts(p, len(rows)):
        found[draws] = value(some, rows)
    return found


def scale_of(outcome: Outcome, posterior: xr.Dataset, level: _Drawn = 0.0) -> Any:
    """How many Elo points a natural unit is worth between equals, by a formula's own slope, under each draw."""
    formula = outcome.at(posterior)
    if outcome.further:
        level = level + xr.zeros_like(posterior[outcome.further[0]])
    if outcome.lam in posterior:
        return xr.apply_ufunc(formula.elo_per_natural, posterior[outcome.lam], level)
    if isinstance(level, xr.DataArray):
        return xr.apply_ufunc(lambda both: formula.elo_per_natural(None, both), level)
    return float(formula.elo_per_natural())


def ratings_in_elo(declared: Declared, posterior: xr.Dataset) -> xr.Dataset:
    """Ratings, advantage and draw rate of a model under each draw, in Elo points that mean odds.

    `rating_elo` (player), of a walk that of its last month beside `rating_elo_by_month` (player, month);
    `advantage_elo`, White's whole advantage over an equal: one for all, or by player what they gain as White against an
    opponent with the same advantage (twice their half); `draw_rate`, for models with draws. The last two are of games
    in which fixed effects count 0: their attribute `where` says which, "kind = blitz" for instance.
    """
    pivot, scale = elo_scale(declared, posterior)
    found: dict[str, xr.DataArray] = {}
    reading = _reading_at_end(declared, posterior)
    value = strengths(reading, posterior)
    value *= scale if isinstance(scale, float) else scale.astype(value.dtype)
    value += pivot * (1.0 - scale / ELO_PER_NATURAL)  # in place: millions of players leave no room for copies
    if "month" in value.dims:
        found["rating_elo_by_month"] = value
        value = value.isel(month=-1, drop=True)
    found["rating_elo"] = value
    whole = _worth(reading, posterior)
    if whole is not None and not declared.selection.games.all_neutral:
        found["advantage_elo"] = whole * scale
    lam = declared.spec.outcome.lam
    if lam in posterior:
        level = _pool_level(declared, posterior)
        formula = declared.spec.outcome.at(posterior)
        found["draw_rate"] = xr.apply_ufunc(formula.draw_rate, posterior[lam], level)
    for name, target in (("advantage_elo", "advantage"), ("draw_rate", lam)):
        origin = declared.coding.design.origin(target)
        if name in found and origin:
            found[name].attrs["where"] = origin
    return xr.Dataset({name: value.rename(name) for name, value in found.items()})
