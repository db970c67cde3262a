r"""Update of normal draws of thousands of players by further games: only the two players and their opponents change.

A game depends on the difference eta of two sides. Given eta, the posterior of all other quantities does not change;
before the game eta is normal, N(m, s^2), and after it the density is proportional to phi((eta - m) / s) P(result |
eta), with distribution function G. Each draw is moved to the same quantile of G,

    eta' = G^-1(Phi((eta - m) / s)),    strength_i' = strength_i + cov(strength_i - level, eta) / s^2 (eta' - eta)

with the mean of all strengths as level, so that no draw is lost. Parameters common to all games, and players more
distant than opponents, do not change: the effect of a game on them is below the Monte Carlo error. Covariances are
estimated from the draws; with many games their errors add up, and the model is refitted to all games.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import xarray as xr

from halfpoint.apps.workflows.appended_games import Appended
from halfpoint.models.declaration.trace_attributes import WORTH
from halfpoint.models.declaration.worth import Worth, worth_from_text
from halfpoint.models.formulas.by_name import formula_named
from halfpoint.models.formulas.outcome import Outcome
from halfpoint.models.games.lazy_import import LazyModule
from halfpoint.models.games.table import Floats, Integers

_special = LazyModule("scipy.special")
_OF_PLAYERS = {"strength", "rating_elo"}  # variables by player that are known how to move
_LEAST, _SHARE = 0.4, 0.005  # effective share of draws that a game leaves, at least; further games since a fit, at most
_PLACES, _FAR = 201, 6.0  # where the density of eta is tabulated, and how many deviations off


@dataclass(frozen=True, eq=False)
class Moved:
    """Draws of some players after further games."""

    players: Integers  # (player,): their places
    values: Mapping[str, Floats]  # of each variable, (draw, player)
    shift: Mapping[str, Floats]  # shift then added to all players, (draw,), so that the mean player does not move


def moved_draws(tree: xr.DataTree, games: Appended) -> Moved | None:
    """Draws after further games, None if they have weights or are not normal, or games are too informative."""
    posterior, formula = tree["posterior"].to_dataset(), formula_named(str(tree.attrs.get("family", "")))
    by_player = {str(name) for name, value in posterior.data_vars.items() if "player" in value.dims}
    plain = tree.attrs.get("sampler") == "normal" and np.isnan(float(tree.attrs.get("pareto_k", 0.0)))
    further = int(tree.attrs.get("moved_games", 0)) + len(games)
    few = further <= _SHARE * (int(tree.attrs["games"]) + len(games) - further)
    ordered = all(posterior[name].dims == ("chain", "draw", "player") for name in by_player & _OF_PLAYERS)
    if not plain or not few or not ordered or by_player != _OF_PLAYERS or formula is None or formula.further:
        return None
    shapes = {str(name): value.shape[2:] for name, value in posterior.data_vars.items()}
    all_worth, players = (
        worth_from_text(tree.attrs.get(WORTH), shapes, posterior.sizes["player"]),
        _with_opponents(games),
    )
    parts = None if all_worth is None else all_worth.of_players(posterior, players)
    if parts is None or not _sees_differences(formula):
        return None
    worth, p = parts
    before = p["strength"]
    if before.shape[1] != players.size:  # sides read strengths of others too
        return None
    p = p | {"strength": before.copy()}
    ratings = posterior["rating_elo"].transpose("chain", "draw", "player").isel(player=players).to_numpy()
    lam = p.get(formula.lam) if formula.lam else None
    scale = np.asarray(formula.elo_per_natural(lam)).reshape(-1, 1)
    level = before - ratings.reshape(before.shape) / scale  # of all players, in which strengths vary together
    if not _move(games, formula, worth, p, players, level):
        return None
    rating = (p["strength"] - level) * scale
    shift = (ratings.reshape(before.shape) - rating).sum(axis=1) / posterior.sizes["player"]
    strength = p["strength"].astype(np.float32).astype(np.float64)  # as the draws of a fit are rounded
    return Moved(players, {"strength": strength, "rating_elo": rating}, {"rating_elo": shift})


def _with_opponents(games: Appended) -> Integers:
    """Places of the players of further games and of all whom they have met."""
    white, black = (games.constant[side].to_numpy() for side in ("white", "black"))
    players = np.unique(np.concatenate([games.white, games.black]))
    if players.size > 1:
        is_player = np.zeros(games.constant.sizes["player"], dtype=np.bool_)
        is_player[players] = True
        met = np.concatenate([black[is_player[white]], white[is_player[black]]])
    else:
        met = np.concatenate([black[white == players[0]], white[black == players[0]]])
    return np.unique(np.concatenate([players, met]))


def _sees_differences(formula: Outcome) -> bool:
    """True if the chances of a game depend on the difference of the two sides alone."""
    low, high, lam = np.zeros((1, 2)), np.ones((1, 2)), np.zeros((1, 1))
    difference = np.array([[-0.7, 0.4]])
    log_low, log_high = (
        formula.log_probability(level + difference, level, lam if formula.lam else None) for level in (low, high)
    )
    return bool(np.allclose(log_low, log_high, atol=1e-9))


def _move(
    games: Appended, formula: Outcome, worth: Worth, p: dict[str, Floats], players: Integers, level: Floats
) -> bool:
    """Move strengths (draw, player) in place by one game after the other; False if a game is too informative."""
    white, black = (np.searchsorted(players, side) for side in (games.white, games.black))
    outcome, strength = games.further.outcome.astype(np.intp), p["strength"]
    places = np.linspace(-_FAR, _FAR, _PLACES)
    for white_player, black_player, result in zip(white, black, outcome, strict=True):
        first, second, lam = worth.under(p, np.array([white_player]), np.array([black_player]))
        eta = np.ravel(first - second)
        mean, sd = float(eta.mean()), float(eta.std())
        middle = None if lam is None else np.full((1, 1), np.mean(lam))
        differences = mean + sd * places[:, None]
        log = formula.log_probability(differences, np.zeros_like(differences), middle)[..., result].ravel()
        density, chance = np.exp(-0.5 * places**2), np.exp(log)
        if (density @ chance) ** 2 < _LEAST * density.sum() * (density @ chance**2):
            return False
        below = np.cumsum(density * chance) - 0.5 * density * chance
        moved = mean + sd * np.interp(_special.ndtr((eta - mean) / sd), below / (density @ chance), places)
        deviation = eta - mean
        along = deviation @ (strength - level) / (deviation @ deviation)
        strength += np.outer(moved - eta, along)
    return True
