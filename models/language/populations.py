r"""Constant strengths as functions that return a PyMC variable: free, pooled, around ratings, correlated.

    free          g_i ~ N(mean, sd^2), independent; with a wide prior only games are shared
    population    g_i ~ N(m, s^2), m ~ N(mean, sd^2), s ~ HalfNormal(S), also for unknown players
    rated         g_i ~ N(mu + kappa (R_i - mu), s^2) for players with ratings, g_i ~ N(m, t^2) for other players
    following     g_i = (1 - kappa) (nu - mu) + x_i: free strengths that follow a learned level nu of anchors
    correlated    g ~ N(m 1, S), S a covariance that the user gives

R_i is the mean of a player's ratings in the games, mu the mean of R_i over the rated players; kappa is the scale of
anchors (`anchors`). Ratings have errors, so that kappa is less than the value of an Elo point: kappa converts R to g,
never g to a list.

A list with errors. If a player has a rating R_i and a standard error e_i in a list, their prior is
g_i ~ N(mu + kappa (R_i - mu), (kappa e_i)^2), mu the mean of the list; kappa is 1 if no scale is learned. With e_i -> 0
a player is anchored, with a large e_i the games alone determine their strength. The population consists of the other
players.

Glickman (1999) Appl. Stat. 48:377 for ratings with their standard deviations as the normal prior of the next games;
Glickman (1993) and Pires (2014), eq. 37, for correlated strengths; Davidson (1970) JASA 65:317, eq. 2.6, for the curve.
"""

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd

from halfpoint.models.errors import ModelError
from halfpoint.models.games.table import Booleans, Floats, Texts
from halfpoint.models.games.units import to_natural
from halfpoint.models.language.games import Games
from halfpoint.models.pymc_import import Node, Operand, distributions, pm, pt

type Prior = tuple[float, float]  # mean and standard deviation, natural units

MIDDLE = to_natural(2705.0)  # the study's mean rating, natural units
WIDE, NEAR = to_natural(400.0), to_natural(200.0)
SCALE = (0.0, 1.0)  # mean and standard deviation of log kappa
_NEGATIVE = 1e-9  # smallest eigenvalue that a covariance may have, as a share of its largest


def anchor_scale(prior: Prior = SCALE) -> Node:
    """`anchor_scale`, kappa: natural units of strength per natural unit of rating, log kappa ~ N(mean, sd^2)."""
    return pm.Deterministic("anchor_scale", pt.exp(pm.Normal("log_anchor_scale", *prior)))


def anchor_map(scale: Operand, level: Operand | None = None) -> Callable[[Floats], Operand]:
    """Return a function that maps an opponent's rating R to level + scale (R - level), natural units.

    `level` is by default `anchor_level` of the model in context, or 2705 Elo without one.
    """

    def at_rating(rating: Floats) -> Operand:
        around = pm.modelcontext(None).named_vars.get("anchor_level", MIDDLE) if level is None else level
        return around + scale * (rating - around)

    return at_rating


def spread_of(name: str, prior: float | Prior) -> Node:
    """A learned spread: half-normal of a scale, or log-normal of the mean and standard deviation of its logarithm."""
    return pm.LogNormal(name, *prior) if isinstance(prior, tuple) else pm.HalfNormal(name, np.float64(prior))


def near_opponents(games: Games, met: float | Prior | None, rated: bool = False, chained: bool = False) -> Node | float:
    """Part of a strength explained by its opponents, `opponents_` (player,), `opponents_spread`; 0.0 without a prior.

    v ~ `Autoregression`: each number varies around the mean of the opponents' numbers; with `rated` it is a deviation
    from a rating; with `chained` the spread is that of the players if these meet near ones only. 0.0 as well if
    pairings follow from results (Swiss, knockouts) or mix all players at random: they add no information.
    """
    if met is None or (matrix := games.opponents(rated, chained)) is None:
        return 0.0
    spread = spread_of("opponents_spread", met)
    return distributions.Autoregression("opponents_", spread, matrix, dims="player")


def spread_by_kind(games: Games, spread: float | Prior, swiss: Prior | None) -> float | Prior:
    """Prior of a spread: `swiss` for whole Swiss events, whose seeds make players seem too similar.

    It is also the prior for two players: one difference has no information on a spread, so it must not shrink a match.
    """
    return spread if swiss is None or not (games.is_swiss or len(games.coords["player"]) == 2) else swiss


def _those(values: Node | float, who: Booleans) -> Node | float:
    """Values (player,) of some players; a number is returned unchanged."""
    return values if isinstance(values, float) else values[np.flatnonzero(who)]


def population(
    games: Games,
    strength: Prior = (MIDDLE, WIDE),
    spread: float | Prior = WIDE,
    scale: Node | None = None,
    met: float | Prior | None = None,
    swiss: Prior | None = None,
    chained: bool = False,
) -> Node:
    """`strength` (player) of a population with a learned mean and spread, `strength_mean` and `strength_spread`.

    With `met` each strength has a prior around the opponents' strengths (`near_opponents`, with `chained` by the
    players' spread); `swiss` is the prior of the spread if most games are of whole Swiss events. For players with an
    error in a list its rating is the prior; `scale` is the scale of anchors.
    """
    listed, spread = games.is_listed, spread_by_kind(games, spread, swiss)
    if listed is not None and listed.all():
        return _joined(games, _of_list(games, scale))
    if listed is None:
        mean = pm.Normal("strength_mean", *strength)
        s = spread_of("strength_spread", spread)
        return pm.Normal("strength", mean + near_opponents(games, met, chained=chained), s, dims="player")
    of_listed = _of_list(games, scale)
    mean = pm.Normal("strength_mean", _level(games), np.float64(strength[1]))
    s = spread_of("strength_spread", spread)
    around = mean + _those(near_opponents(games, met, chained=chained), ~listed)
    of_unlisted = pm.Normal("strength_unlisted_", around, s, dims="unlisted_player")
    return _joined(games, of_listed, (~listed, of_unlisted))


def free(games: Games, strength: Prior, scale: Node | None = None) -> Node:
    """`strength` (player) with one known prior, around the list's level if the list has errors."""
    listed = games.is_listed
    if listed is None:
        return pm.Normal("strength", *strength, dims="player")
    of_listed = _of_list(games, scale)
    if listed.all():
        return _joined(games, of_listed)
    of_unlisted = pm.Normal("strength_unlisted_", _level(games), np.float64(strength[1]), dims="unlisted_player")
    return _joined(games, of_listed, (~listed, of_unlisted))


def _level(games: Games) -> np.float64:
    """Mean of the ratings in a list with errors, natural units."""
    return np.float64(games.list_rating[:, 0].mean())


def _of_list(games: Games, scale: Node | None, middle: float | None = None) -> tuple[Booleans, Node]:
    """Mask of players in a list with errors, (player,), and their strengths on the anchors' scale."""
    rating, error = games.list_rating.T
    listed = games.is_listed
    assert listed is not None
    if middle is None:
        middle = float(_level(games))
        if scale is not None:
            pm.Deterministic("anchor_level", pt.constant(np.float64(middle)))
    mean, sd = (rating, error) if scale is None else (middle + scale * (rating - middle), scale * error)
    if listed.all():
        return listed, pm.Normal("strength", mean, sd, dims="player")
    return listed, pm.Normal("strength_listed_", mean, sd, shape=rating.size)


def _joined(games: Games, *groups: tuple[Booleans, Node]) -> Node:
    """`strength` (player) from groups of players: masks (player,), and their strengths."""
    if len(groups) == 1:
        return groups[0][1]
    order = np.argsort(np.concatenate([np.flatnonzero(who) for who, _ in groups]))
    return pm.Deterministic("strength", pt.concatenate([values for _, values in groups])[order], dims="player")


def rated(
    games: Games,
    spread: float | Prior = NEAR,
    unrated_mean: float = WIDE,
    unrated_spread: float = WIDE,
    met: float | Prior | None = None,
) -> Node:
    """`strength` (player) around the ratings in the games; call `anchor_scale` first.

    `rated_spread` is the spread of strengths around the ratings; players without a rating have `unrated_mean` and
    `unrated_spread`. With `met` each deviation from a rating has a prior around the opponents' deviations
    (`near_opponents`), for players who were not paired by the ratings of the file. Raises `ModelError` if no player has
    a rating.
    """
    rating, listed = games.rating, games.is_listed
    if np.isnan(rating).all():
        raise ModelError("ratings: expected games with ratings of the players, found none. Use davidson-population.")
    middle = float(rating[~np.isnan(rating)].mean())
    pm.Deterministic("anchor_level", pt.constant(np.float64(middle)))
    scale, near = pm.modelcontext(None)["anchor_scale"], spread_of("rated_spread", spread)
    by_list = np.zeros(rating.size, dtype=np.bool_) if listed is None else listed
    known = ~np.isnan(rating) & ~by_list
    groups = [] if listed is None else [_of_list(games, scale, middle)]
    beyond = near_opponents(games, met, rated=True)
    if known.all():
        return pm.Normal("strength", middle + scale * (rating - middle) + beyond, near, dims="player")
    if known.any():
        around = middle + scale * (rating[known] - middle) + _those(beyond, known)
        groups.append((known, pm.Normal("strength_rated_", around, near, shape=int(known.sum()))))
    rest = ~known & ~by_list
    if rest.any():
        mean = pm.Normal("unrated_mean", np.float64(middle), np.float64(unrated_mean))
        wide = pm.HalfNormal("unrated_spread", np.float64(unrated_spread))
        groups.append((rest, pm.Normal("strength_unrated_", mean + _those(beyond, rest), wide, shape=int(rest.sum()))))
    return _joined(games, *groups)


def following(games: Games, strength: Prior, scale: Node, level: Node) -> Node:
    """`strength` (player), free, sampled around (1 - scale) (level - 2705 Elo), which moves all anchors.

    Moving the level by c moves every anchor by (1 - scale) c; if all strengths move equally, no game depends on it.
    Strengths keep their independent normal density.
    """
    if not games.has_anchors:
        return pm.Normal("strength", *strength, dims="player")
    shift = (1.0 - scale) * (level - MIDDLE)
    apart = pm.Normal("strength_noncentred", strength[0] - shift, strength[1], dims="player")
    return pm.Deterministic("strength", apart + shift, dims="player")


def correlated(games: Games, covariance: Mapping[str, Mapping[str, float]], mean: float = MIDDLE) -> Node:
    """`strength` (player) with a prior mean and a covariance given by players' names, natural units squared.

    Team-mates, versions of one engine or models of one family are alike before a game is played. Similar players borrow
    strength from one another. `ModelError` if the matrix lacks a player or is not positive definite.
    """
    factor = np.linalg.cholesky(covariance_of(games.facts.players, covariance))
    apart = pm.Normal("strength_noncentred", 0.0, 1.0, dims="player")
    return pm.Deterministic("strength", np.float64(mean) + pt.constant(factor) @ apart, dims="player")


def covariance_in_elo(frame: pd.DataFrame) -> dict[str, dict[str, float]]:
    """A covariance by players' names, natural units squared, from a frame (player, player) in squared Elo points."""
    unit = to_natural(1.0) ** 2
    return {str(name): {str(k): float(x) * unit for k, x in line.items()} for name, line in frame.iterrows()}


def covariance_of(players: Texts, covariance: Mapping[str, Mapping[str, float]]) -> Floats:
    """The covariance of some players in their order, natural units squared, shape (player, player)."""
    names = [str(name) for name in players]
    absent = [name for name in names if name not in covariance]
    if absent:
        raise ModelError(
            f"covariance: expected a row for every player with a strength, found none for {', '.join(absent[:5])}"
            f"{f' and {len(absent) - 5} more' if len(absent) > 5 else ''}. "
            "Add rows and columns with their variances and zero covariances."
        )
    try:
        matrix = np.array([[covariance[row][column] for column in names] for row in names], dtype=np.float64)
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(f"covariance: expected a number for every pair of players, found none ({error})") from error
    if not np.isfinite(matrix).all():
        raise ModelError("covariance: expected finite numbers, found NaN or infinity")
    if not np.allclose(matrix, matrix.T, rtol=1e-6, atol=0.0):
        row, column = np.unravel_index(np.argmax(np.abs(matrix - matrix.T)), matrix.shape)
        raise ModelError(
            f"covariance: expected a symmetric matrix, found {matrix[row, column]:.6g} for {names[row]} with "
            f"{names[column]} and {matrix[column, row]:.6g} for {names[column]} with {names[row]}"
        )
    values = np.linalg.eigvalsh(matrix)
    if values[0] <= _NEGATIVE * values[-1]:
        raise ModelError(
            f"covariance: expected a positive definite matrix, found eigenvalues from {values[0]:.3g} to "
            f"{values[-1]:.3g}. Add each player's own variance to the diagonal."
        )
    return matrix
