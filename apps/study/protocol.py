r"""The study's test sets by the rules of its program, including rules that its text omits.

Set A: both players have estimates. Set B: a player without an estimate has the FIDE rating of the day, and

    R_i  <-  k R_i,    k = (mean rating of Carlsen on the days of Carlsen's games in B) / (Carlsen's posterior mean)

multiplies the estimates of all monitored players, for Davidson on the natural scale (the same k). The advantage of a
player without an estimate is `zero` 0, `mean` the posterior mean of the common advantage of the same family and
weighting (a whole advantage, while other players have halves), or `mirror` TWICE the opponent's advantage. Per draw and
game,

    l_g = log likelihood,     d_g = (p - y)^2 for Bradley-Terry, sum over outcomes (p_k - 1[k])^2 for Davidson,

and the tables print -mean sum l_g, mean_g var(l_g), mean_g d_g, mean_g var(d_g), over draws.

Source: the authors' repository danilomachadopires/CodeThesis, folder "Predictive analysis" (predicaotB1.R to B3.R),
whose rules reproduce the printed figures of Pires (2014), tables 12, 13, 15 and 16.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from halfpoint.apps.study.estimates import Estimate, batch_error
from halfpoint.apps.study.posterior_draws import ModelDraws
from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.scores import Floats
from halfpoint.models.formulas.bradley_terry import scores as bradley_terry_scores
from halfpoint.models.formulas.davidson import scores as davidson_scores
from halfpoint.models.games.table import GameTable
from halfpoint.models.games.units import to_natural
from halfpoint.models.rhat_ess import mean_error

Imputation = Literal["none", "zero", "mean", "mirror"]
_CARLSEN = "CarlsenMagnus"


@dataclass(frozen=True)
class StudyPredictive:
    """Values of tables 12 and 15 for one model and test set, with Monte Carlo errors."""

    neg_mean_loglik: Estimate
    var_loglik: Estimate
    definetti: Estimate
    var_definetti: Estimate

    def __getitem__(self, metric: str) -> Estimate:
        estimate = getattr(self, metric)
        assert isinstance(estimate, Estimate)
        return estimate


def carlsen_scale(draws: ModelDraws, games: GameTable) -> float:
    """Scale k: the mean of Carlsen's ratings on the days of the games over his posterior mean."""
    white, black = games.white_names == _CARLSEN, games.black_names == _CARLSEN
    if _CARLSEN not in draws.players or not (white.any() or black.any()):
        raise EvaluationError("rescaling of set B", "an estimate and games of Carlsen", "none")
    if games.white_rating_elo is None or games.black_rating_elo is None:
        raise EvaluationError("rescaling of set B", "ratings on the day", "none")
    day = np.concatenate([games.white_rating_elo[white], games.black_rating_elo[black]])
    return float(day.mean() / draws.study_rating_elo[..., draws.players == _CARLSEN].mean())


def gaps(draws: ModelDraws, games: GameTable, imputation: Imputation, scale: float, common_elo: float) -> Floats:
    """White's strength minus Black's, advantages included, natural units, shape (chain, draw, game)."""
    players = pd.Index(draws.players)  # places below are -1 for players without an estimate
    white, black = (players.get_indexer(pd.Index(names)) for names in (games.white_names, games.black_names))
    known_white, known_black = white >= 0, black >= 0
    rating = draws.study_rating_elo * scale
    day_white = games.white_rating_elo if games.white_rating_elo is not None else np.full(len(games), np.nan)
    day_black = games.black_rating_elo if games.black_rating_elo is not None else np.full(len(games), np.nan)
    gap = np.where(known_white, rating[..., white], day_white) - np.where(known_black, rating[..., black], day_black)
    if draws.study_advantage_elo is None:
        pass
    elif draws.study_advantage_elo.ndim == 2:
        gap = gap + draws.study_advantage_elo[..., None]
    else:
        white_advantage, black_advantage = draws.study_advantage_elo[..., white], draws.study_advantage_elo[..., black]
        if imputation == "mirror":
            without_white, without_black = 2 * black_advantage, 2 * white_advantage
        else:
            fill = common_elo if imputation == "mean" else 0.0
            without_white = without_black = np.full_like(white_advantage, fill)
        gap = (
            gap
            + np.where(known_white, white_advantage, without_white)
            + np.where(known_black, black_advantage, without_black)
        )
    return np.asarray(to_natural(gap))


def study_predictive(
    draws: ModelDraws,
    games: GameTable,
    imputation: Imputation = "none",
    rescale: bool = False,
    common_elo: float = 0.0,
) -> StudyPredictive:
    """Predictive values of the study for one model on one test set, by the rules of its program."""
    scale = carlsen_scale(draws, games) if rescale else 1.0
    gap = gaps(draws, games, imputation, scale, common_elo)
    lost = np.isnan(gap).any(axis=(0, 1))
    if lost.any():
        game = int(np.flatnonzero(lost)[0])
        pair = f"{games.white_names[game]} - {games.black_names[game]}"
        raise EvaluationError(games.place(game), "an estimate or a rating for both players", f"neither in {pair}")
    if draws.log_draw is None:
        loss, _, win = bradley_terry_scores(gap, np.zeros_like(gap))
        logarithm, square = _half_points(win - loss, games.score)
    else:
        loss, draw, win = davidson_scores(gap, np.zeros_like(gap), draws.log_draw[..., None])
        logarithm, square = three_outcomes((loss, draw, win), games.outcome)
    total = logarithm.sum(axis=2)
    return StudyPredictive(
        Estimate(-float(total.mean()), mean_error(total), float(total.std(ddof=1))),
        batch_error(logarithm, lambda part: float(part.var(axis=0, ddof=1).mean())),
        Estimate(float(square.mean()), mean_error(square.mean(axis=2)), float(square.mean(axis=2).std(ddof=1))),
        batch_error(square, lambda part: float(part.var(axis=0, ddof=1).mean())),
    )


def _half_points(gap: Floats, score: Floats) -> tuple[Floats, Floats]:
    """Values y log p + (1 - y) log(1 - p) and (p - y)^2 for natural gaps, shape (chain, draw, game)."""
    p = 1 / (1 + np.exp(-gap))
    return score * gap - np.logaddexp(0, gap), (p - score) ** 2


def three_outcomes(scores: tuple[Floats, Floats, Floats], outcome: np.ndarray) -> tuple[Floats, Floats]:
    """Log p of the result and De Finetti's distance, from scores of loss, draw, win, (chain, draw, game)."""
    loss, draw, win = (np.exp(score) for score in scores)
    total = loss + draw + win
    happened = np.where(outcome == 0, loss, np.where(outcome == 1, draw, win)) / total
    return np.log(happened), np.asarray((loss**2 + draw**2 + win**2) / total**2 - 2 * happened + 1)
