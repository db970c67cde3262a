"""Slips of the study's program, as functions that reproduce its printed numbers.

Source of each: the authors' repository danilomachadopires/CodeThesis, which contains the faulty line.

Slips of `davidson-weighted` (DVcomW/GSMH_DV_DIF7A.R): after the ratings were updated player by player, the weights of
the LAST player's games remained in use, a random player since the order is shuffled. R recycles a short vector, so this
player's weights were repeated over all games:

    omega'_k = omega of their game (k mod n_i).

The draw parameter was sampled, and the log likelihood recorded, with omega' in place of omega. The ratings themselves
were updated with their own weights.
"""

from dataclasses import replace

import numpy as np

from halfpoint.apps.study.estimates import STUDY_DRAWS, Estimate
from halfpoint.apps.study.posterior_draws import ModelDraws
from halfpoint.apps.study.protocol import three_outcomes
from halfpoint.apps.study.references import rating_neg2_loglik
from halfpoint.evaluation.scores import Floats
from halfpoint.models.declaration.catalogue import find
from halfpoint.models.formulas.davidson import scores as davidson_scores
from halfpoint.models.games.select import Selection
from halfpoint.models.games.table import GameTable
from halfpoint.models.games.units import to_elo, to_natural
from halfpoint.models.games.weights import weights

DECEMBER_2012 = ("white_rating_elo_2012_12", "black_rating_elo_2012_12")


def recycled_rating_list(set_a: GameTable, set_b: GameTable) -> float:
    """Return -2 log L of the FIDE list on set B when the list of set A is recycled over the players of B.

    The list has the 36 players of A in alphabetical order (case ignored); set B has 87 players, so player 37 gets
    rating 1, and so on. The printed 1031.60 of the paper's table 2 equals this number (PreditivaAnt/TsB1/leitura.R).
    """
    rating: dict[str, float] = {}
    for names, column in ((set_a.white_names, DECEMBER_2012[0]), (set_a.black_names, DECEMBER_2012[1])):
        rating |= dict(zip(names.tolist(), set_a.covariates[column].tolist(), strict=True))
    short = [rating[name] for name in sorted(rating, key=str.lower)]
    listed = sorted(set_b.players.tolist(), key=str.lower)
    wrong = {name: short[place % len(short)] for place, name in enumerate(listed)}
    white = [wrong[name] for name in set_b.white_names.tolist()]
    black = [wrong[name] for name in set_b.black_names.tolist()]
    return rating_neg2_loglik(white, black, set_b.score)


def weights_of_other_games(
    selection: Selection, draws: int = 1000, chains: int = 4, seed: int = 20140501
) -> ModelDraws:
    r"""Draws of the study's sampler of `bt-player-weighted`, whose distribution is not the posterior of any model.

    In the update of player i, their n_i games were multiplied by the first n_i weights of the file instead of their own
    (the outcomes were the player's own, the weights were not: BTvantagemComW/FGSMH.R). The conditionals do not belong
    to one posterior; Gibbs sampling still has a stationary distribution. Each conditional is approximated as normal, at
    the point where all scores are zero, with curvature H,

        theta_j | rest ~ N(m_j - sum_{k != j} H_jk (theta_k - m_k) / H_jj, 1 / H_jj).
    """
    model, count, n = find("bt-player", "described"), selection.players.size, len(selection)
    weight = weights("computed", selection.games.time)
    design = np.zeros((n, 2 * count))
    for side, sign in ((selection.white, 1.0), (selection.black, -1.0)):
        rows = np.flatnonzero(side >= 0)
        design[rows, side[rows]] = sign
        design[rows, count + side[rows]] = 1.0
    anchor = to_natural(np.nan_to_num(selection.anchor_elo))
    offset = np.where(selection.white < 0, anchor, 0.0) - np.where(selection.black < 0, anchor, 0.0)
    means, sds = np.transpose([model.parameters[name] for name in ("strength", "advantage")])
    mean, precision = np.repeat(means, count), np.repeat(sds, count) ** -2.0
    rows_of_players = [np.flatnonzero(design[:, player]) for player in range(count)]
    centre, curvature = mean.copy(), np.eye(2 * count)
    for _ in range(30):
        p = 1 / (1 + np.exp(-(design @ centre + offset)))
        slope = np.empty(2 * count)
        for player, rows in enumerate(rows_of_players):
            for place in (player, count + player):
                column = weight[: rows.size] * design[rows, place]
                slope[place] = column @ (selection.games.score - p)[rows]
                curvature[place] = (column * (p * (1 - p))[rows]) @ design[rows]
        slope -= precision * (centre - mean)
        curvature += np.diag(precision)
        step = np.linalg.solve(curvature, slope)
        centre = centre + step
        if np.abs(step).max() < 1e-10:
            break
    sampled = centre + gibbs(curvature, draws, chains, seed)
    total = np.empty((chains, draws))
    for chain in range(chains):
        gap = sampled[chain] @ design.T + offset
        total[chain] = (selection.games.score * gap - np.logaddexp(0, gap)) @ weight
    elo = to_elo(sampled)
    names = selection.players
    return ModelDraws(
        "bt-player-weighted", "computed", names, elo[..., :count], elo[..., count:], None, np.asarray(total)
    )


def gibbs(curvature: Floats, draws: int, chains: int, seed: int, tune: int = 200) -> Floats:
    """Deviations from the centre, shape (chain, draw, parameter), by Gibbs sampling of normal conditionals."""
    random = np.random.default_rng(seed)
    size = curvature.shape[0]
    spread = np.diag(curvature) ** -0.5
    state, deviations = np.zeros((chains, size)), np.empty((chains, draws, size))
    for sweep in range(tune + draws):
        noise = random.normal(size=(chains, size)) * spread
        for place in range(size):
            pull = state @ curvature[place] - state[:, place] * curvature[place, place]
            state[:, place] = noise[:, place] - pull / curvature[place, place]
        if sweep >= tune:
            deviations[:, sweep - tune] = state
    return deviations


CHAINS = 3


def recycle_weights(selection: Selection) -> Floats:
    """Each player's weights recycled over all games, shape (player, game)."""
    weight = weights("computed", selection.games.time)
    rows = [(selection.white == player) | (selection.black == player) for player in range(selection.players.size)]
    return np.stack([np.resize(weight[is_played], weight.size) for is_played in rows])


def sides(rating: Floats, selection: Selection) -> tuple[Floats, Floats]:
    """White's and Black's strengths, natural units, shape (..., game), from strengths of players."""
    anchor = to_natural(np.nan_to_num(selection.anchor_elo))
    white = np.where(selection.white >= 0, rating[..., selection.white], anchor)
    return white, np.where(selection.black >= 0, rating[..., selection.black], anchor)


def recycled_weights(draws: ModelDraws, selection: Selection, used: int = 100) -> Estimate:
    """Mean of -log L of `davidson-weighted` as its program recorded it, with the study's Monte Carlo error.

    The recorded value varies around the mean over players from draw to draw.
    """
    assert draws.log_draw is not None
    rating = to_natural(draws.study_rating_elo.reshape(-1, draws.players.size))
    rows = np.linspace(0, rating.shape[0] - 1, used).astype(int)
    white, black = sides(rating[rows], selection)
    parts = davidson_scores(white - black, np.zeros_like(white), draws.log_draw.ravel()[rows, None])
    terms = three_outcomes(parts, selection.games.outcome)[0].mean(axis=0)
    recorded = -(recycle_weights(selection) @ terms)
    sd = float(np.std(recorded, ddof=1))
    return Estimate(float(np.mean(recorded)), sd / (CHAINS * STUDY_DRAWS) ** 0.5, sd)


def draw_parameter_mode(rating: Floats, weight: Floats, selection: Selection) -> tuple[float, float]:
    """Mode and sd of the draw parameter given the ratings (natural units) and weights, by Newton's method."""
    mean, spread = find("davidson-weighted", "computed").parameters["log_draw"]
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
    r"""Draws of `davidson-weighted` by the study's program.

    The draw parameter comes from its conditional under the recycled weights of a random player, and the ratings follow
    it along their regression on it in the posterior, to the fixed point of both.
    """
    assert draws.log_draw is not None
    random = np.random.default_rng(seed)
    rating = to_natural(draws.study_rating_elo)
    mean, level = rating.mean(axis=(0, 1)), float(draws.log_draw.mean())
    gap = draws.log_draw - level
    slope = ((rating - mean) * gap[..., None]).mean(axis=(0, 1)) / gap.var()
    wrong = recycle_weights(selection)
    modes, spreads, moved = np.full(len(wrong), level), np.zeros(len(wrong)), mean
    for _ in range(4):
        conditionals = [draw_parameter_mode(moved, weight, selection) for weight in wrong]
        modes, spreads = (np.array(part) for part in zip(*conditionals, strict=True))
        moved = mean + slope * (modes.mean() - level)
    player = random.integers(0, len(wrong), size=gap.shape)
    log_draw = modes[player] + spreads[player] * random.normal(size=gap.shape)
    shifted = rating + slope * (log_draw - draws.log_draw)[..., None]
    return replace(draws, study_rating_elo=to_elo(shifted), log_draw=log_draw)
