"""Which model fits what a file of games tells: whether games are drawn, seats mean something, players have ratings."""

import numpy as np

from halfpoint.games.select import Selection
from halfpoint.games.table import Floats

MOST = 0.5  # share of players with ratings from which on ratings are used
LEAST_SPREAD_ELO = 30.0  # ratings nearer to one another than this say nothing of their scale
LEAST_RATED = 5
OPEN_ELO, FAR_APART = 20.0, 7.0**2


def suggest(selection: Selection) -> tuple[str, str]:
    """Return the name of the model for these games, and why in words.

    name, reason: A name of the catalogue; one sentence without a full stop.
    """
    games = selection.games
    drawn = float(np.mean(games.outcome == 1))
    neutral = np.asarray(games.covariates.get("neutral", np.zeros(len(games))), dtype=np.float64)
    unscaled = bool(selection.known.any() and neutral.any())  # no such row learns a scale
    stem = "davidson" if drawn and not unscaled else "bt"
    reasons = [f"{drawn:.0%} of the games are drawn" if drawn else "no game is drawn, so draws have no parameter"]
    if 0 < drawn < 0.005:
        reasons = ["few games are drawn"]
    decided = np.unique(games.score)
    if decided.size == 1 and decided[0] != 0.5 and len(games) > 1:
        seat = "first" if decided[0] == 1.0 else "second"
        why = f"the player {seat} named wins every game: winners and losers, of seats nothing is told: no advantage"
        return f"{stem}-population-even", "; ".join([*reasons, why])
    if neutral.all():
        return f"{stem}-population-even", "; ".join([*reasons, "every game is on neutral ground: no advantage"])
    if neutral.any():
        told = f"{int(neutral.sum())} of {len(games)} games are on neutral ground, without the advantage"
        return f"{stem}-population-neutral", "; ".join([*reasons, told])
    ratings = selection.ratings_elo()
    known = ~np.isnan(ratings)
    if selection.known.any():
        return by_anchors(selection, drawn, reasons)
    anchored = selection.anchored
    enough = known.sum() >= LEAST_RATED and known.mean() >= MOST and ratings[known].std() >= LEAST_SPREAD_ELO
    if enough or (anchored and known.any()):
        told = f"{int(known.sum())} of {known.size} players have ratings in the file, which strengths are set around"
        return f"{stem}-rated", "; ".join([*reasons, told])
    if anchored and drawn:
        return f"{stem}-population-scaled", "; ".join([*reasons, "opponents are anchored to their ratings"])
    return f"{stem}-population", "; ".join(reasons)


def by_anchors(selection: Selection, drawn: float, reasons: list[str]) -> tuple[str, str]:
    """Return the model for games of players whom a list knows with errors, and why.

    Where the list does not tell a scale natural units must be Elo points by themselves, as they are where a draw counts
    as half a point.
    """
    if not drawn:
        return "bt-population", "; ".join([*reasons, "anchors fix the level"])
    if tells_scale(selection.prior_elo):
        return "davidson-population-scaled", "; ".join([*reasons, "anchors fix level and scale"])
    why = "anchors so near to one another tell no scale, so that draws count as half points"
    return "bt-population", "; ".join([*reasons, why])


def tells_scale(prior_elo: Floats | None) -> bool:
    """Return whether anchors are so far apart for their errors that they say within a seventh what a point is worth.

    Shapes: prior_elo (player, 2).

    Examples
    --------
    >>> tells_scale(np.array([[2500.0, 10.0], [2900.0, 10.0]])), tells_scale(np.array([[2500.0, 10.0], [2600.0, 10.0]]))
    (True, False)
    """
    if prior_elo is None or np.isnan(prior_elo).all():
        return False
    rating, error = prior_elo[~np.isnan(prior_elo[:, 0])].T
    precision = 1.0 / (error**2 + OPEN_ELO**2)
    away = rating - np.average(rating, weights=precision)
    return bool(away**2 @ precision >= FAR_APART)
