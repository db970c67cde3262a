"""Draws of one model in plain arrays: what the comparison with printed numbers, the claims and the figures need."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from halfpoint.evaluation.checks import Floats
from halfpoint.evaluation.errors import EvaluationError
from halfpoint.games.units import to_elo

Treatment = Literal["ratings", "common", "per_player"]


@dataclass(frozen=True, eq=False)
class ModelDraws:
    """Posterior draws of one model of the catalogue.

    Parameters
    ----------
    name, edition : str
        Frozen name and edition.
    players : array of str, shape (player,)
        Names as the games spell them.
    rating_elo : array, shape (chain, draw, player)
        Ratings in Elo points.
    advantage_elo : array, shape (chain, draw) or (chain, draw, player), optional
        White's advantage in Elo points: one for all, or half an advantage per player; None where there is none.
    log_draw : array, shape (chain, draw), optional
        Davidson's draw parameter; None for Bradley-Terry.
    log_likelihood : array, shape (chain, draw)
        Weighted log likelihood of the training set.
    converged : bool
        Whether the run passed its diagnosis.

    Raises
    ------
    EvaluationError
        If the shapes do not fit.
    """

    name: str
    edition: str
    players: npt.NDArray[np.str_]
    rating_elo: Floats
    advantage_elo: Floats | None
    log_draw: Floats | None
    log_likelihood: Floats
    converged: bool = True

    def __post_init__(self) -> None:
        chains = self.rating_elo.shape[:2]
        shapes = [self.log_likelihood.shape[:2], self.rating_elo.shape[:2]]
        shapes += [one.shape[:2] for one in (self.advantage_elo, self.log_draw) if one is not None]
        if self.rating_elo.shape != (*chains, self.players.size) or any(shape != chains for shape in shapes):
            raise EvaluationError(f"draws of {self.name}", "(chain, draw, player) everywhere", str(shapes))

    @property
    def family(self) -> Literal["bradley_terry", "davidson"]:
        """Family of the likelihood."""
        return "bradley_terry" if self.log_draw is None else "davidson"

    @property
    def treatment(self) -> Treatment:
        """How White's advantage is treated: ratings only, one for all, or one per player."""
        if self.advantage_elo is None:
            return "ratings"
        return "common" if self.advantage_elo.ndim == 2 else "per_player"

    @property
    def weighting(self) -> Literal["static", "weighted"]:
        """Whether games are weighted by age."""
        return "weighted" if self.name.endswith("-weighted") else "static"


def model_draws(trace: Any) -> ModelDraws:
    """Return the draws of a trace (a DataTree of ArviZ, sampled or read from NetCDF).

    Parameters
    ----------
    trace : xarray.DataTree
        With groups posterior (rating_elo, advantage, log_draw) and sample_stats (log_likelihood_total), and the
        attributes `model`, `edition` and `converged`.

    Returns
    -------
    ModelDraws

    Raises
    ------
    EvaluationError
        If a group or a variable is missing.
    """
    try:
        posterior, stats = trace["posterior"], trace["sample_stats"]
        rating = posterior["rating_elo"].transpose("chain", "draw", "player")
        total = stats["log_likelihood_total"].transpose("chain", "draw")
    except KeyError as missing:
        raise EvaluationError(
            "trace", "posterior/rating_elo and sample_stats/log_likelihood_total", str(missing)
        ) from None
    davidson = "log_draw" in posterior
    advantage = None
    if "advantage" in posterior:
        found = posterior["advantage"].transpose("chain", "draw", ...).values.astype(np.float64)
        advantage = to_elo(found) if davidson else found
    return ModelDraws(
        name=str(trace.attrs.get("model", "")),
        edition=str(trace.attrs.get("edition", "")),
        players=rating["player"].values.astype(np.str_),
        rating_elo=rating.values.astype(np.float64),
        advantage_elo=advantage,
        log_draw=posterior["log_draw"].transpose("chain", "draw").values.astype(np.float64) if davidson else None,
        log_likelihood=total.values.astype(np.float64),
        converged=bool(trace.attrs.get("converged", 1)),
    )
