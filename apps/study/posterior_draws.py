r"""Draws of one model in plain arrays, on the scale of the study's printed numbers, claims and figures.

The study multiplies natural units by 400 / ln 10 = 173.7 for every model and calls the result Elo. This is correct for
half points; Davidson's differences are (2 + e^lam) / 2 times too large, twice if half the games between equals are
drawn. Its numbers can only be compared on its scale, so names in this module refer to it. `rating_elo` and
`advantage_elo` of a trace are Elo points that mean odds (see `halfpoint.models.declaration.elo_scale`); models beyond
the study use these Elo points here too.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import xarray as xr

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.scores import Floats
from halfpoint.models.declaration.catalogue import TWELVE
from halfpoint.models.games.units import ELO_PER_NATURAL

Treatment = Literal["ratings", "common", "per_player"]


@dataclass(frozen=True, eq=False)
class ModelDraws:
    """Posterior draws of one model of the catalogue."""

    name: str  # fixed name
    edition: str
    players: npt.NDArray[np.str_]  # (player,), names as the games spell them
    study_rating_elo: Floats  # (chain, draw, player), ratings as the study states them: strength times 400 / ln 10
    # White's advantage as the study states it, times 400 / ln 10: one for all, (chain, draw), or half an advantage a
    # player, (chain, draw, player); None if absent
    study_advantage_elo: Floats | None
    log_draw: Floats | None  # (chain, draw), Davidson's draw parameter; None for Bradley-Terry
    log_likelihood: Floats  # (chain, draw), weighted log likelihood of the training set
    converged: bool = True  # whether the run passed its diagnosis

    def __post_init__(self) -> None:
        chains = self.study_rating_elo.shape[:2]
        shapes = [self.log_likelihood.shape[:2], self.study_rating_elo.shape[:2]]
        shapes += [array.shape[:2] for array in (self.study_advantage_elo, self.log_draw) if array is not None]
        if self.study_rating_elo.shape != (*chains, self.players.size) or any(shape != chains for shape in shapes):
            raise EvaluationError(f"draws of {self.name}", "(chain, draw, player) everywhere", str(shapes))

    @property
    def family(self) -> Literal["bradley_terry", "davidson"]:
        """Family of the likelihood."""
        return "bradley_terry" if self.log_draw is None else "davidson"

    @property
    def treatment(self) -> Treatment:
        """Treatment of White's advantage: ratings only, common, or one per player."""
        if self.study_advantage_elo is None:
            return "ratings"
        return "common" if self.study_advantage_elo.ndim == 2 else "per_player"

    @property
    def weighting(self) -> Literal["static", "weighted"]:
        """Weighting of games: by age or equal."""
        return "weighted" if self.name.endswith("-weighted") else "static"


def model_draws(trace: xr.DataTree) -> ModelDraws:
    """Draws of a trace (a DataTree of ArviZ, sampled or read from NetCDF)."""
    try:
        posterior, stats = trace["posterior"].to_dataset(), trace["sample_stats"].to_dataset()
        rating, advantage = on_study_scale(posterior, str(trace.attrs.get("model", "")))
        total = stats["log_likelihood_total"].transpose("chain", "draw")
    except KeyError as missing:
        raise EvaluationError(
            "trace", "posterior/rating_elo and sample_stats/log_likelihood_total", str(missing)
        ) from None
    draws = posterior.get("log_draw")
    return ModelDraws(
        name=str(trace.attrs.get("model", "")),
        edition=str(trace.attrs.get("edition", "")),
        players=rating["player"].values.astype(np.str_),
        study_rating_elo=rating.values.astype(np.float64),
        study_advantage_elo=None if advantage is None else advantage.values.astype(np.float64),
        log_draw=None if draws is None else draws.transpose("chain", "draw").values.astype(np.float64),
        log_likelihood=total.values.astype(np.float64),
        converged=bool(trace.attrs.get("converged", 1)),
    )


def on_study_scale(posterior: xr.Dataset, model: str) -> tuple[xr.DataArray, xr.DataArray | None]:
    """Ratings and White's advantage (common, each player's half, or None) on the study's scale."""
    advantage: xr.DataArray | None
    half = 0.5 if "advantage" in posterior and "player" in posterior["advantage"].dims else 1.0
    if model in TWELVE:
        rating = ELO_PER_NATURAL * posterior["strength"]
        advantage = ELO_PER_NATURAL * posterior["advantage"] if "advantage" in posterior else None
    else:
        rating = posterior["rating_elo"]
        advantage = half * posterior["advantage_elo"] if "advantage_elo" in posterior else None
    order = ("chain", "draw", ...)
    return rating.transpose(*order), None if advantage is None else advantage.transpose(*order)
