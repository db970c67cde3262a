r"""Elo points of every model: 400 of them are odds of 10 to 1 in expected score between two equals.

    rating    = mu + (g - mu) s            g a strength, mu the pivot, natural units times 400 / ln 10
    advantage = A s                        A the whole first-move advantage: white - black of two equal players
    s = 400 / ln 10 * 4 dE/dd  at d = 0    E expected score, d the difference of the two sides, natural units

    half points   s = 400 / ln 10
    Davidson      s = 400 / ln 10 * (1 - r)        = 400 / ln 10 * 2 / (2 + e^lam)
    Rao-Kupper    s = 400 / ln 10 * (1 - r^2)      = 400 / ln 10 * 4 theta / (1 + theta)^2,  theta = 1 + e^lam
    r = e^lam / (2 + e^lam)                draw rate: probability of a draw between two equals without advantage

Elo's curve has slope 1/4 per natural unit between equals. A model with draws has a smaller slope, so its natural units
times 173.7 are no Elo points: if half the games between equals are drawn, Davidson's units give twice too many points.
s is computed for each draw of the posterior; if draws depend on strength or player, r belongs to the model's reference
pair, `log_draw`. A formula that depends on more than the difference is evaluated for two equals of the pool's mean
strength.

Anchors with a learned scale kappa define the Elo point: s = 400 / ln 10 / kappa, and mu is the point at which both
scales meet (see `anchors`). Without anchors in the games kappa follows its prior, and s comes from the draw rate.
Strengths around ratings (`strength`, rated) are on the scores' scale too, about the mean of the ratings: ratings have
errors, and kappa would stretch the list. The pivot maps to itself: the mean rating of anchored players, else the mean
of the prior.

Elo (1978) for the scale; Davidson (1970) JASA 65:317, eq. 2.6; Rao & Kupper (1967) JASA 62:194, eq. 2.3 to 2.5.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import xarray as xr

from halfpoint.models.declaration.declared import Declared
from halfpoint.models.declaration.finished import worth_of_finished
from halfpoint.models.declaration.pair_ratings import (
    has_sides_of_players,
    lam_of_equals,
    paired_ratings,
    sides_under_draws,
    strength_of_sides,
)
from halfpoint.models.declaration.posterior_reader import Reading, draws_of
from halfpoint.models.declaration.worth import Worth, worth_of
from halfpoint.models.formulas.outcome import Outcome
from halfpoint.models.formulas.own_likelihood import LIKELIHOOD
from halfpoint.models.games.rating_history import RatingHistory
from halfpoint.models.games.table import Floats
from halfpoint.models.games.units import ELO_PER_NATURAL, to_elo
from halfpoint.models.language.games import OWN
from halfpoint.models.language.laws import Transition
from halfpoint.models.language.model import is_own
from halfpoint.models.language.populations import MIDDLE
from halfpoint.models.reading.sides import Reader
from halfpoint.models.rows.days import DAYS

type Drawn = float | xr.DataArray  # a number, or one of each draw
_NOTHING = 1e-9  # natural units: a difference of sides that is one of rounding
_STRENGTH = "strength"
_TINY = 1e-300


def _tells_its_scale(declared: Declared, posterior: xr.Dataset) -> bool:
    """True if the draw parameter of a model finished by hand, if it has one, has the formula's name."""
    return not declared.traits.draws or declared.outcome.lam in posterior


def worth_in(declared: Declared, reading: Reading) -> Worth | None:
    """Worth of players in a declared model, read once from its graph."""

    def made() -> Worth | None:
        return worth_of_finished(declared) if declared.alone else worth_of(reading)

    return declared.derive("worth", made)


def reading_from(declared: Declared, posterior: xr.Dataset) -> Reading:
    """Reading of a posterior of a declared model, as of its trace; large draws are not copied."""
    history = RatingHistory.of(declared.selection.games) if declared.reads.reads_printed else None
    facts = facts_of(declared)
    p, shown = draws_of(posterior, large=0), declared.dims
    moving: dict[str, Transition | None] = {
        str(name): None for name, dims in shown.items() if dims and {"month", "innovation"} & set(dims) and name in p
    }
    laws = {law.name: law.transition for law in declared.laws if law.transition is not None and law.name in p}
    return Reading(
        declared.spec.name, declared.traits, declared.reads, declared.outcome.name, p, declared.selection.players,
        declared.first_period, declared.periods, moving | laws, declared.coding if declared.reads.effects else None,
        history=history, given=declared.spec, facts=facts,
        days={law.name: law.days for law in declared.laws if law.days is not None and law.name in p},
    )  # fmt: skip


def reader_of(declared: Declared) -> Reader:
    """Return the reader of rows by a declared model's function."""
    facts = facts_of(declared)
    return Reader(
        declared.spec, declared.reads, declared.selection.players, declared.coding if declared.reads.effects else None,
        first_period=declared.first_period, periods=declared.periods, **facts,
    )  # fmt: skip


def facts_of(declared: Declared) -> dict[str, Any]:
    """Facts about players that a model function reads in addition to rows."""
    return {
        "ratings_elo": declared.selection.ratings_elo(),
        "entered": declared.ground.entry_periods(declared.reads.every) if declared.reads.every > 0 else None,
        "visits": declared.ground.visits() if declared.reads.every == DAYS else None,
        "prior_elo": declared.selection.prior_elo,
        "anchored": declared.ground.facts(declared.cells).anchored,
        "columns": {key: declared.ground.column(key) for key in declared.reads.columns if key.startswith(OWN)},
    }


def elo_scale(reading: Reading, declared: Declared, posterior: xr.Dataset) -> tuple[Drawn, Drawn]:
    """Pivot, Elo points, and scale, Elo points a natural unit: rating = pivot + (173.7 g - pivot) s / 173.7."""
    level = _pool_level(reading, posterior)
    if reading.traits.by_scores:
        pivot = posterior["anchor_level"] * ELO_PER_NATURAL if "anchor_level" in posterior else to_elo(MIDDLE)
        return pivot, scale_of(reading.outcome, posterior, level)
    anchored = declared.selection.has_anchors
    if "anchor_scale" in posterior and anchored:
        pivot = to_elo(MIDDLE) if "anchor_level" not in posterior else posterior["anchor_level"] * ELO_PER_NATURAL
        return pivot, ELO_PER_NATURAL / posterior["anchor_scale"]
    pivot = declared.selection.anchor_mean_elo() if anchored else to_elo(reading.traits.level)
    return pivot, scale_of(reading.outcome, posterior, level)


def _pool_level(reading: Reading, posterior: xr.Dataset) -> Drawn:
    """Mean strength of the players under each draw, natural units; 0 for formulas that do not depend on it."""
    if not reading.outcome.sees_level:
        return 0.0
    strength = strengths(reading, posterior)
    last = strength.isel(month=-1, drop=True) if "month" in strength.dims else strength
    return last.mean("player", skipna=False)


def strengths(reading: Reading, posterior: xr.Dataset) -> xr.DataArray:
    """Strength of every player, natural units, dims of `strength`: at the end, or in each period of a walk.

    For models of the printed list it is the value of the player's side of a game.
    """
    stored = posterior[_STRENGTH].transpose("chain", "draw", ...)
    if not reading.by_list:
        return stored.copy()
    codes = np.arange(reading.players.size, dtype=np.int32)
    _, black = sides_under_draws(reading, codes)
    return xr.DataArray(black.reshape(stored.shape), stored.coords, stored.dims)


def made_strengths(reading: Reading, posterior: xr.Dataset) -> xr.Dataset:
    """Posterior with `strength`, natural units, from values of sides, if the model has no such variable.

    The mean of both seats, less half of the common gain in the first seat.
    """
    stored = posterior.get(_STRENGTH)
    if stored is not None and (reading.by_list or set(stored.dims) != {"chain", "draw", "player"}):
        return posterior
    value = strength_of_sides(reading).reshape(posterior.sizes["chain"], posterior.sizes["draw"], -1)
    if stored is not None:  # the function's own difference of strengths counts, if it has another one
        gap = value - stored.transpose("chain", "draw", "player").to_numpy()
        if np.ptp(gap, axis=-1).max(initial=0.0) < _NOTHING or reading.traits.seats in ("player", "pooled"):
            return posterior
    return posterior.assign({_STRENGTH: (("chain", "draw", "player"), value)}).assign_coords(
        player=reading.players.astype(object)
    )


def _advantage(reading: Reading, posterior: xr.Dataset, scale: Drawn, level: Drawn) -> xr.DataArray | None:
    """White's whole advantage over an equal, Elo points, dims chain and draw, and player if players differ.

    None if the seats are alike. If the formula itself favours a seat, the advantage comes from its expected score.
    """
    by_player, players = reading.traits.seats in ("player", "pooled"), reading.players.size
    if reading.worth is not None:
        lead = reading.worth.lead(reading.p)
    else:
        white, black = sides_under_draws(reading, np.arange(players, dtype=np.int32))
        lead = white - black
    shared = not by_player and np.ptp(lead, axis=1).max(initial=0.0) < _NOTHING
    lead = np.broadcast_to(
        lead[:, :1] if shared else lead, (posterior.sizes["chain"] * posterior.sizes["draw"], 1 if shared else players)
    )
    shape = posterior.sizes["chain"], posterior.sizes["draw"], lead.shape[1]
    advantage = xr.DataArray(lead.reshape(shape), dims=("chain", "draw", "player"))
    advantage = advantage.isel(player=0, drop=True) if shared else advantage
    outcome = reading.outcome.at({name: np.asarray(reading.p[name])[:, None] for name in reading.outcome.further})
    lam = np.asarray(reading.p[outcome.lam])[:, None] if outcome.lam in reading.p and outcome.lam else None
    if lam is not None and lam.ndim > 2:
        lam = None
    even: Floats | float = 0.5
    if outcome.scores is not None and (lam is not None or not reading.traits.draws):
        middle = np.zeros((len(lead), 1))
        even = outcome.expected_score(middle, middle, lam if reading.traits.draws else None)
    if np.abs(even - 0.5).max() > _NOTHING:
        expected = outcome.expected_score(lead / 2.0, -lead / 2.0, lam if reading.traits.draws else None)
        odds = advantage.copy(data=(ELO_PER_NATURAL * np.log(expected / (1.0 - expected))).reshape(advantage.shape))
        return odds
    return None if np.abs(lead).max(initial=0.0) < _NOTHING else advantage * scale


def _at_draws(outcome: Outcome, posterior: xr.Dataset) -> Outcome:
    """Formula at the draws of its further numbers, as arrays that tensors take too."""
    return outcome.at({name: posterior[name].to_numpy() for name in outcome.further})


def scale_of(outcome: Outcome, posterior: xr.Dataset, level: Drawn = 0.0) -> Any:
    """Elo points of a natural unit between equals, by the slope of the formula, under each draw."""
    formula = _at_draws(outcome, posterior)
    if outcome.further:
        level = level + xr.zeros_like(posterior[outcome.further[0]])
    if outcome.lam in posterior:
        return xr.apply_ufunc(formula.elo_per_natural, posterior[outcome.lam], level)
    if isinstance(level, xr.DataArray):
        return xr.apply_ufunc(lambda side: formula.elo_per_natural(None, side), level)
    return float(formula.elo_per_natural())


def ratings_in_elo(declared: Declared, posterior: xr.Dataset) -> xr.Dataset:
    """Ratings, advantage and draw rate of a model under each draw, in Elo points that mean odds.

    `rating_elo` (player), for walks the rating of the last month, with `rating_elo_by_month` (player, month);
    `advantage_elo`, White's whole advantage over an equal: one for all, or each player's gain as White against an
    opponent with the same advantage (twice the player's half); `draw_rate`, for models with draws. Advantage and draw
    rate refer to games in which fixed effects count 0; their attribute `where` names these games ("kind = blitz"). If a
    model has no variable `strength`, it is computed from the sides.
    """
    reading = reading_from(declared, posterior)
    reading = replace(reading, worth=worth_in(declared, reading))
    if declared.alone and (reading.worth is None or not _tells_its_scale(declared, posterior)):
        return xr.Dataset()
    ratings: dict[str, xr.DataArray] = {}
    if reading.outcome is LIKELIHOOD:
        return paired_ratings(reading, posterior)
    lam = reading.outcome.lam
    if reading.traits.draws and lam and lam not in posterior:  # whatever the function calls it
        posterior = posterior.assign(
            {
                lam: (
                    ("chain", "draw"),
                    lam_of_equals(reading).reshape(posterior.sizes["chain"], posterior.sizes["draw"]),
                )
            }
        )
        fixed = float(np.ptp(posterior[lam].to_numpy())) == 0.0  # a known number has no R-hat
        ratings[lam] = posterior[lam].assign_attrs({"diagnosed": 0} if fixed else {})
        reading = replace(reading, p={**reading.p, lam: posterior[lam].to_numpy().reshape(-1)})
    by_players = not is_own(declared.spec) or has_sides_of_players(reading)
    if _STRENGTH not in posterior:
        posterior = made_strengths(reading, posterior)
        ratings[_STRENGTH] = posterior[_STRENGTH]
        reading = replace(reading, p={**reading.p, _STRENGTH: draws_of(posterior[[_STRENGTH]])[_STRENGTH]})
    elif is_own(declared.spec) and by_players:
        posterior = made_strengths(reading, posterior)
    pivot, scale = elo_scale(reading, declared, posterior)
    value = strengths(reading, posterior)
    value *= scale if isinstance(scale, float) else scale.astype(value.dtype)
    value += pivot * (1.0 - scale / ELO_PER_NATURAL)  # in place: millions of players leave no room for copies
    if "month" in value.dims:
        ratings["rating_elo_by_month"] = value
        value = value.isel(month=-1, drop=True)
    if by_players or set(value.dims) != {"chain", "draw", "player"}:
        paired = xr.Dataset()
    else:  # the level stays, differences are those of expected scores
        paired = paired_ratings(reading, posterior)
        value = value.mean("player") + paired["rating_elo"]
    ratings["rating_elo"] = value
    level = _pool_level(reading, posterior)
    if not declared.selection.games.all_neutral:
        advantage = paired.get("advantage_elo") if paired else _advantage(reading, posterior, scale, level)
        if advantage is not None:
            ratings["advantage_elo"] = advantage
    lam = reading.outcome.lam
    if lam in posterior and set(posterior[lam].dims) == {"chain", "draw"} and reading.outcome.draws:
        formula = _at_draws(reading.outcome, posterior)
        ratings["draw_rate"] = xr.apply_ufunc(formula.draw_rate, posterior[lam], level)
    for name, target in (("advantage_elo", "advantage"), ("draw_rate", lam)):
        origin = declared.coding.design.origin(target) if declared.reads.effects else ""
        if name in ratings and origin:
            ratings[name].attrs["where"] = origin
    return xr.Dataset({name: value.rename(name) for name, value in ratings.items()})


def ratings_in_other_columns(reading: Reading, changed: Reading, posterior: xr.Dataset) -> xr.Dataset:
    """Posterior whose ratings and advantage are of games with other values of a model's own columns.

    `reading` has the values of `posterior`, `changed` the new ones; ratings are linear in strengths under each draw.
    """
    if reading.outcome is LIKELIHOOD:
        return posterior.assign(paired_ratings(changed, posterior.drop_vars("strength", errors="ignore")))
    rating = posterior["rating_elo"].transpose("chain", "draw", "player")
    shape = rating.shape
    before, after = (strength_of_sides(version).reshape(shape) for version in (reading, changed))
    centred = before - before.mean(axis=-1, keepdims=True)
    slope = (rating.to_numpy() * centred).sum(axis=-1) / np.maximum((centred * centred).sum(axis=-1), _TINY)
    scale = xr.DataArray(slope, dims=("chain", "draw"), coords={name: rating[name] for name in ("chain", "draw")})
    moved = posterior.assign(rating_elo=rating + slope[..., None] * (after - before))
    advantage = None if "advantage_elo" not in posterior else _advantage(changed, posterior, scale, 0.0)
    return moved if advantage is None else moved.assign(advantage_elo=advantage)
