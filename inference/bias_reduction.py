r"""Bias-reduced maximum likelihood of Bradley-Terry and Davidson models (Firth; Kosmidis).

    U*_s = U_s + 1/2 tr(V dI / d b_s) = 0,     I the information, V its inverse

removes the bias of order 1/n. If the probabilities of outcomes c of a game are log-linear in the parameters b, with
statistics t_c of a game and their mean m, this is the score of the counts

    w_c + n p_c d_c / 2,     d_c = (t_c - m)' V (t_c - m)

and b maximises log L + 1/2 log det I, with Jeffreys' prior. Every added count is positive, so that all estimates are
finite, even for players who won or lost all their games. For Bradley-Terry this is equivalent to half the leverage
added to wins and half added to losses, as in brglm, which BradleyTerry2 runs with `br = TRUE`.

Firth (1993) Biometrika 80:27; Kosmidis & Firth (2009) Biometrika 96:793; Kosmidis & Firth (2011) Biometrika 98:755 for
multinomial responses.
"""

from dataclasses import dataclass

import numpy as np
from threadpoolctl import threadpool_limits

from halfpoint.inference.errors import InferenceError
from halfpoint.inference.gaussian.posterior_density import PosteriorDensity
from halfpoint.models.declaration.declared import Declared
from halfpoint.models.games.table import Floats

_MOST = 2_000  # parameters
_ROUNDS, _STILL, _HALVED = 500, 1e-10, 30
_FAMILIES = ("bradley_terry", "davidson")


@dataclass(frozen=True, eq=False)
class BiasReduced:
    """Bias-reduced estimates; the fixed value is 0, with errors of 0."""

    values: dict[str, Floats]  # by name, natural units, each of its own shape
    errors: dict[str, Floats]
    covariance: Floats  # (value, value)
    log_likelihood: float  # without the penalty


class _Statistics:
    """Outcomes of each game as statistics that are linear in the free parameters."""

    def __init__(self, declared: Declared, fixed: int) -> None:
        rows = PosteriorDensity(declared).rows
        self.size = int(declared.layout.count)
        self.free = np.delete(np.arange(self.size), fixed)
        (gap, draw), slopes = rows.at(np.zeros(self.size))
        row = np.repeat(np.arange(gap.size), np.diff(rows.first))
        on_gap, on_draw = np.zeros((2, gap.size, self.size))
        for matrix, slope in ((on_gap, slopes[0]), (on_draw, slopes[1])):
            np.add.at(matrix, (row, rows.column), slope)
        weight = np.asarray(declared.cells.weight, dtype=np.float64)
        if declared.outcome.draws:
            self.offset = np.stack([-gap / 2.0, draw, gap / 2.0])
            self.slope = np.stack([-on_gap / 2.0, on_draw, on_gap / 2.0])[..., self.free]
            self.weight = weight.T
        else:  # a draw is half a loss and half a win
            self.offset = np.stack([-gap / 2.0, gap / 2.0])
            self.slope = np.stack([-on_gap / 2.0, on_gap / 2.0])[..., self.free]
            self.weight = np.stack([weight[:, 0] + weight[:, 1] / 2.0, weight[:, 2] + weight[:, 1] / 2.0])

    def at(self, b: Floats) -> tuple[Floats, Floats, Floats]:
        """Log probabilities, shape (outcome, row), statistics less their means, and the information at b."""
        score = self.offset + self.slope @ b
        top = score.max(axis=0)
        log_p = score - top - np.log(np.exp(score - top).sum(axis=0))
        p = np.exp(log_p)
        centred = self.slope - np.einsum("cr,crs->rs", p, self.slope)
        spread = np.sqrt(p * self.weight.sum(axis=0))[..., None] * centred
        spread = spread.reshape(-1, spread.shape[-1])
        return log_p, centred, spread.T @ spread

    def objective(self, b: Floats) -> float:
        """The penalised log likelihood."""
        log_p, _, information = self.at(b)
        sign, log_det = np.linalg.slogdet(information)
        return float((self.weight * log_p).sum() + 0.5 * log_det) if sign > 0.0 else -np.inf


def bias_reduced(declared: Declared, fixed: int) -> BiasReduced:
    """Bias-reduced estimates of a model with flat priors; the value at place `fixed` is 0.

    Raises `InferenceError` for other formulas than Bradley-Terry and Davidson, or more than 2,000 parameters.
    """
    if declared.outcome.name not in _FAMILIES or declared.layout.count > _MOST:
        raise InferenceError(
            f"bias reduction: expected a Bradley-Terry or Davidson model of at most {_MOST:,} parameters, found "
            f"{declared.spec.name} with {declared.layout.count:,}"
        )
    game = _Statistics(declared, fixed)
    b = np.zeros(game.free.size)
    with threadpool_limits(1, user_api="blas"):
        value = game.objective(b)
        for _ in range(_ROUNDS):
            log_p, centred, information = game.at(b)
            p, count = np.exp(log_p), game.weight.sum(axis=0)
            leverage = np.einsum("crs,crs->cr", centred @ np.linalg.inv(information), centred)
            rise = np.einsum("cr,crs->s", game.weight + count * p * leverage / 2.0, centred)
            step = np.linalg.solve(information, rise)
            for halved in range(_HALVED):
                trial = game.objective(b + step / 2.0**halved)
                if trial >= value - 1e-12 * abs(value):
                    break
            b, value = b + step / 2.0**halved, trial
            if np.abs(step).max() < _STILL:
                break
        else:
            raise InferenceError(
                "bias reduction did not converge. Use --model with fewer parameters, or halfpoint rate"
            )
        log_p, _, information = game.at(b)
        covariance, estimates = np.zeros((game.size, game.size)), np.zeros(game.size)
        covariance[np.ix_(game.free, game.free)] = np.linalg.inv(information)
    estimates[game.free] = b
    named, errors = (declared.layout.named(array) for array in (estimates, np.sqrt(np.diag(covariance))))
    return BiasReduced(named, errors, covariance, float((game.weight * log_p).sum()))
