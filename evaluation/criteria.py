r"""Criteria from the log likelihood over draws: l[chain, draw] of the whole data, l[chain, draw, game] of each game.

    AICM          -2 mean(l) + 2 var(l)                 Raftery, Newton, Satagopan and Krivitsky (2007), eq. 21
    AICM printed  -2 mean(l) + 2 mean_g var(l_g)        as in the study's code: the variance of one game, on
                                                        average over games, in place of the variance of the whole
    lpd           sum_g log mean_draws exp(l_g)         Gelman, Hwang and Vehtari (2014), eq. 5
    -2 mean log predictive   -2 mean_draws sum_g l_g    the study's measure on its test sets (Pires 2014, section 3.5)
    PSIS-LOO      sum_g log p(y_g | the other games)    Vehtari, Gelman and Gabry (2017); weighted by p^w

AICM and PSIS-LOO have a Monte Carlo error from the effective number of draws, and are sums over games, whose terms
compare two models game by game (`terms_per_game`).

All logs are natural. The penalty of full AICM is about twice the number of parameters; the penalty of printed AICM is
almost 0, since mean_g var(l_g) is about the number of parameters over the number of games.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.scores import Floats
from halfpoint.models.psis import FEWEST, log_sum, smooth_log_ratios
from halfpoint.models.rhat_ess import mean_error

LIMIT_K = 0.7  # of a game: above it PSIS is unreliable
_GAMES_AT_ONCE = 250
_DRAWS_AT_ONCE = 16


@dataclass(frozen=True)
class LogLikelihood:
    """Log likelihood of the whole data over the draws."""

    mean: float  # mean and standard deviation over draws
    sd: float  # likewise
    mc_error: float  # Monte Carlo standard error of the mean


def _check_draws(values: npt.ArrayLike, dims: str) -> Floats:
    """Draws as an array with the dims named, for example "chain, draw, game"."""
    draws = np.asarray(values, dtype=np.float64)
    if draws.ndim != dims.count(",") + 1 or draws.shape[0] * draws.shape[1] < 2:
        raise EvaluationError("log likelihood", f"shape ({dims}) with two draws or more", f"shape {draws.shape}")
    if not np.isfinite(draws).all():
        raise EvaluationError(
            "log likelihood", "finite values", "NaN or infinity", "Check the diagnosis of the sampler."
        )
    return draws


def log_likelihood(total: npt.ArrayLike) -> LogLikelihood:
    """Mean, sd and Monte Carlo error of the log likelihood of the whole data at each draw, (chain, draw)."""
    draws = _check_draws(total, "chain, draw")
    error = mean_error(draws)
    return LogLikelihood(float(draws.mean()), float(draws.std(ddof=1)), error)


def aicm(total: npt.ArrayLike) -> float:
    """AICM in full, -2 mean + 2 var, lower is better, of the log likelihood of the whole data, (chain, draw).

    Examples
    --------
    >>> aicm([[-10.0, -12.0]])
    26.0
    """
    draws = _check_draws(total, "chain, draw")
    return float(-2 * draws.mean() + 2 * draws.var(ddof=1))


def aicm_error(total: npt.ArrayLike) -> float:
    """The Monte Carlo standard error of AICM in full; total (chain, draw).

    AICM is, up to terms of the order of 1 / draws, the mean over draws of -2 l + 2 (l - m)^2 with m the mean of l; the
    error of this mean follows from its effective number of draws.
    """
    draws = _check_draws(total, "chain, draw")
    return mean_error(-2 * draws + 2 * (draws - draws.mean()) ** 2)


def terms_per_game(pointwise: npt.ArrayLike) -> dict[str, Floats]:
    """Contribution of each game to neg_mean_loglik, aicm and aicm_printed of the whole data, each of shape (game,).

    With l the sum over games, var(l) is the sum over games of cov(l_g, l), so that AICM is a sum as well:
    $-2 E(l_g) + 2 cov(l_g, l)$. Draws thinned from a trace give the terms up to their own Monte Carlo error. Shapes:
    pointwise (chain, draw, game).
    """
    draws = _check_draws(pointwise, "chain, draw, game")
    flat = draws.reshape(-1, draws.shape[2])
    mean = flat.mean(axis=0)
    deviation = flat - mean
    shared = deviation.sum(axis=1) @ deviation / (flat.shape[0] - 1)
    printed = np.einsum("sg,sg->g", deviation, deviation) / (flat.shape[0] - 1) / flat.shape[1]
    return {"neg_mean_loglik": -mean, "aicm": -2 * mean + 2 * shared, "aicm_printed": -2 * mean + 2 * printed}


def variance_per_game(pointwise: npt.ArrayLike) -> float:
    """The mean over games of the variance over draws of a game's log likelihood, (chain, draw, game)."""
    values = np.asarray(pointwise)
    flat = values.reshape(-1, values.shape[-1]) if values.ndim == 3 else _check_draws(values, "chain, draw, game")
    squares, total = 0.0, np.zeros(flat.shape[-1])
    for first in range(0, len(flat), _DRAWS_AT_ONCE):  # which stay in the cache
        part = np.asarray(flat[first : first + _DRAWS_AT_ONCE], dtype=np.float64)
        squares, total = squares + float(np.einsum("ij,ij->", part, part)), total + part.sum(axis=0)
    if len(flat) < 2 or not np.isfinite(squares):
        _check_draws(values, "chain, draw, game")
    return float((squares - np.square(total).sum() / len(flat)) / (len(flat) - 1) / flat.shape[-1])


def aicm_printed(total: npt.ArrayLike, pointwise: npt.ArrayLike | None = None) -> float:
    """AICM with the penalty of the study's program: the variance of a game instead of the variance of the data.

    Shapes: total (chain, draw), pointwise (chain, draw, game); without `pointwise` the penalty, about 0.02, is left
    out.

    Examples
    --------
    >>> aicm_printed([[-10.0, -12.0]])
    22.0
    """
    draws = _check_draws(total, "chain, draw")
    penalty = 0.0 if pointwise is None else 2 * variance_per_game(pointwise)
    return float(-2 * draws.mean() + penalty)


def neg2_mean_log_predictive(pointwise: npt.ArrayLike) -> float:
    """Return -2 times the mean over draws of the summed log likelihood of new games, as in the study.

    The array has shape (chain, draw, game). Lower is better; never below -2 lpd, by Jensen's inequality.
    """
    return float(-2 * _check_draws(pointwise, "chain, draw, game").sum(axis=2).mean())


def lpd_per_game(pointwise: npt.ArrayLike) -> Floats:
    """Log of the posterior mean likelihood of each game, shape (game,); pointwise (chain, draw, game)."""
    draws = _check_draws(pointwise, "chain, draw, game")
    flat = draws.reshape(-1, draws.shape[2])
    return np.asarray(log_sum(flat.T) - np.log(len(flat)))


@dataclass(frozen=True, eq=False)
class LeaveOneOut:
    """PSIS-LOO of one model."""

    elpd: float  # expected log predictive density, higher is better
    standard_error: float  # its standard error over games
    effective_parameters: float  # p_loo
    # (game,): terms of the sum, and Pareto k of each; above 0.7 a term is unreliable. It is infinite where a chain that
    # did not move leaves no tail to fit, and 0 where a game has the same likelihood at every draw.
    elpd_per_game: Floats
    pareto_k: Floats  # likewise
    # Monte Carlo standard error of elpd: of all games together, for their terms are made from the same draws. With
    # smoothed weights w_s that sum to 1, n draws and p_s the likelihood of a game at draw s, the log of the mean E =
    # sum w_s p_s moves with draw s by n w_s (p_s / E - 1); the sum of that over games is a series over draws, whose
    # error is found with its effective number (Vehtari et al. 2024, J. Mach. Learn. Res. 25:72, for one game).
    mc_error: float = float("nan")

    @property
    def unreliable(self) -> int:
        """Number of games with a Pareto k above 0.7."""
        return int((self.pareto_k > LIMIT_K).sum())


def leave_one_out(pointwise: npt.ArrayLike, weight: npt.ArrayLike = 1.0) -> LeaveOneOut:
    """PSIS-LOO of a model: log predictive density of each game given the other games.

    Parameters
    ----------
    pointwise : array, shape (chain, draw, game)
        Unweighted log likelihood of each game at each draw.
    weight : array, shape (game,), or one number
        Power of each game in the posterior: a game is left out by dividing the posterior by p^w.

    Raises
    ------
    EvaluationError
        If there are fewer than 25 draws, too few for a Pareto tail.
    """
    draws = _check_draws(pointwise, "chain, draw, game")
    flat = draws.reshape(-1, draws.shape[2]).T
    count, power = flat.shape[1], np.broadcast_to(np.asarray(weight, dtype=np.float64), len(flat))[:, None]
    if count < FEWEST:
        raise EvaluationError("PSIS-LOO", f"{FEWEST} draws or more", f"{count}", "Sample more.")
    terms, pareto_k, moved, in_sample = np.empty(len(flat)), np.empty(len(flat)), np.zeros(count), 0.0
    for start in range(0, len(flat), _GAMES_AT_ONCE):
        some = slice(start, start + _GAMES_AT_ONCE)
        value = np.ascontiguousarray(flat[some])
        log_weight, pareto_k[some] = smooth_log_ratios(-power[some] * value)
        joint = log_weight + value
        largest = joint.max(axis=1, keepdims=True)
        share = np.exp(joint - largest)
        total = share.sum(axis=1, keepdims=True)
        terms[some] = (np.log(total) + largest)[:, 0]
        moved += count * (share / total - np.exp(log_weight)).sum(axis=0)
        in_sample += float(log_sum(value).sum()) - len(value) * float(np.log(count))
        pareto_k[some][np.ptp(value, axis=1) == 0] = 0.0
    error = float(np.sqrt(terms.size * terms.var(ddof=0)))
    mc_error = mean_error(moved.reshape(draws.shape[:2]))
    return LeaveOneOut(float(terms.sum()), error, in_sample - float(terms.sum()), terms, pareto_k, mc_error)
