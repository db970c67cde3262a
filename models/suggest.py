"""Which model fits what a file of games tells: whether games are drawn, seats mean something, players have ratings."""

import numpy as np

from halfpoint.games.select import Selection

MOST = 0.5  # share of players with ratings from which on ratings are used
LEAST_SPREAD_ELO = 30.0  # ratings nearer to one another than this say nothing of their scale
LEAST_RATED = 5


def suggest(selection: Selection) -> tuple[str, str]:
    """Return the name of the model for these games, and why in words.

    Parameters
    ----------
    selection : Selection
        The games.

    Returns
    -------
    name, reason : str
        A name of the catalogue; one sentence without a full stop.
    """
    games = selection.games
    drawn = float(np.mean(games.outcome == 1))
    stem = "davidson" if drawn else "bt"
    reasons = [f"{drawn:.0%} of the games are drawn" if drawn else "no game is drawn, so draws have no parameter"]
    if 0 < drawn < 0.005:
        reasons = ["few games are drawn"]
    neutral = np.asarray(games.covariates.get("neutral", np.zeros(len(games))), dtype=np.float64)
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
    anchored = bool((selection.white < 0).any() or (selection.black < 0).any())
    enough = known.sum() >= LEAST_RATED and known.mean() >= MOST and ratings[known].std() >= LEAST_SPREAD_ELO
    if enough or (anchored and known.any()):
        told = f"{int(known.sum())} of {known.size} players have ratings in the file, which strengths are set around"
        return f"{stem}-rated", "; ".join([*reasons, told])
    if anchored and drawn:
        return f"{stem}-population-scaled", "; ".join([*reasons, "opponents are anchored to their ratings"])
    return f"{stem}-population", "; ".join(reasons)
