r"""Slips of the study's program for `davidson-weighted` (DVcomW/GSMH_DV_DIF7A.R), as functions.

After the ratings were updated player by player, the weights of the LAST player's games stayed in place, a random player
since the order is shuffled. R recycles a short vector, so all games then had his weights, over and over:

    omega'_k = omega of his game (k mod n_i).

The draw parameter was sampled, and the log likelihood recorded, with omega' in place of omega. The ratings themselves
were updated with their own weights.
"""

from dataclasses import replace

import numpy as np

from halfpoint.evaluation.checks import Floats
from halfpoint.evaluation.estimates import Estimate
from halfpoint.evaluation.posterior_draws import ModelDraws
from halfpoint.games.select import Selection
from halfpoint.games.units import to_elo, to_natural
from halfpoint.games.weights import weights
from halfpoint.models.catalogue import find, priors
from halfpoint.models.davidson import scores as davidson_scores
from halfpoint.study.printed.verdicts import STUDY_DRAWS
from halfpoint.study.protocol import three_outcomes

CHAINS = 3


def recycled(selection: Selection) -> Floats:
    """Return each player's weights recycled over all games, shape (player, game)."""
    weight = weights("computed", selection.games.time)
    rows = [(selection.white == player) | (selection.black == player) for player in range(selection.players.size)]
    return np.stack([np.resize(weight[mine], weight.size) for mine in rows])


def sides(rating: Floats, selection: Selection) -> tuple[Floats, Floats]:
    """Return White's and Black's strengths, natural units, shape (..., game), from those of the players."""
    anchor = to_natural(np.nan_to_num(selection.anchor_elo))
    white = np.where(selection.white >= 0, rating[..., selection.white], anchor)
    return white, np.where(selection.black >= 0, rating[..., selection.black], anchor)


def recycled_weights(draws: ModelDraws, selection: Selection, used: int = 100) -> Estimate:
    """Return the mean of -log L of `davidson-weighted` as its program recorded it, with the study's Monte Carlo error.

    The record scatters around the mean over players, one draw to the next.

    Parameters
    ----------
    draws : ModelDraws
        Posterior of davidson-weighted, edition computed.
    selection : Selection
        The training set in the order of its file.
    used : int
        Draws to average over.

    Returns
    -------
    Estimate
        Mean over players; `sd` is the standard deviation of one record, `mc_error` that of the mean of three chains.
    """
    assert draws.log_draw is not None
    rating = to_natural(draws.study_rating_elo.reshape(-1, draws.players.size))
    rows = np.linspace(0, rating.shape[0] - 1, used).astype(int)
    white, black = sides(rating[rows], selection)
    parts = davidson_scores(white - black, np.zeros_like(white), draws.log_draw.ravel()[rows, None])
    each = three_outcomes(parts, selection.games.outcome)[0].mean(axis=0)
    recorded = -(recycled(selection) @ each)
    sd = float(np.std(recorded, ddof=1))
    return Estimate(float(np.mean(recorded)), sd / (CHAINS * STUDY_DRAWS) ** 0.5, sd)


def draw_parameter_mode(rating: Floats, weight: Floats, selection: Selection) -> tuple[float, float]:
    """Return mode and sd of the draw parameter given the ratings (natural units) and weights, by Newton's method."""
    mean, spread = priors(find("davidson-weighted"), "computed").log_draw
    white, black = sides(rating, selection)
    half = (white - black) / 2
    decided, drawn = 2 * np.cosh(half), selection.games.outcome == 1
    value, curvature = mean, 1.0
    for _ in range(12):
        p = np.exp(value) / (np.exp(value) + decided)
        curvature = float(weight @ (p * (1 - p))) + spread**-2
        value += (float(weight @ (drawn - p)) - (value - mean) / spread**2) / curvature
    return value, curvature**-0.5


def recycled_draw_parameter(draws: ModelDraws, selection: Selection, seed: int = 20140502) -> ModelDraws:
    r"""Return the draws of `davidson-weighted` as the study's program had them.

    The draw parameter comes from its conditional under the recycled weights of a random player, and the ratings follow
    it along their regression on it in the posterior, to the fixed point of both.

    Parameters
    ----------
    draws : ModelDraws
        Posterior of davidson-weighted, edition computed.
    selection : Selection
        The training set in the order of its file.
    seed : int
        Seed of the players chosen and of the noise.

    Returns
    -------
    ModelDraws
        The same with `study_rating_elo` and `log_draw` replaced.
    """
    assert draws.log_draw is not None
    random = np.random.default_rng(seed)
    rating = to_natural(draws.study_rating_elo)
    mean, level = rating.mean(axis=(0, 1)), float(draws.log_draw.mean())
    gap = draws.log_draw - level
    slope = ((rating - mean) * gap[..., None]).mean(axis=(0, 1)) / gap.var()
    wrong = recycled(selection)
    modes, spreads, moved = np.full(len(wrong), level), np.zeros(len(wrong)), mean
    for _ in range(4):
        found = [draw_parameter_mode(moved, weight, selection) for weight in wrong]
        modes, spreads = (np.array(part) for part in zip(*found, strict=True))
        moved = mean + slope * (modes.mean() - level)
    player = random.integers(0, len(wrong), size=gap.shape)
    log_draw = modes[player] + spreads[player] * random.normal(size=gap.shape)
    shifted = rating + slope * (log_draw - draws.log_draw)[..., None]
    return replace(draws, study_rating_elo=to_elo(shifted), log_draw=log_draw)
