"""One compile, many fits: an extended model whose weights are swapped as data.

Leaving games out, forgetting old ones and asking for a forecast month by month are all the same model with other
weights: 0 for a game that must not be seen. Games of different months stay in different cells, so that every such
question is a change of the weights of cells. Games of months that have no weight leave the walk of strengths through
these months as the model forecasts it.
"""

from functools import cached_property
from typing import Any

import numpy as np
import nutpie
import xarray as xr

from halfpoint.games.cells import merge
from halfpoint.games.select import Selection
from halfpoint.games.table import Floats
from halfpoint.games.units import to_natural
from halfpoint.inference.diagnose import Diagnosis, diagnose
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.limits import require_settings
from halfpoint.inference.nuts import all_draws
from halfpoint.inference.sample import acceptance, free_level
from halfpoint.models.beyond import columns_of, months, rows_of
from halfpoint.models.extended import Extended, Priors, build
from halfpoint.models.forecast import draws_of, outcome_log_likelihood, reach

KEPT_DRAWS = 1000


class Refit:
    """A compiled model of a selection, to be fitted again and again with other weights of its games.

    Parameters
    ----------
    entry : Extended
        The model; covariates must be whole numbers, since each class of games has its own cells.
    selection : Selection
        The games.
    priors : Priors, optional
        Priors.
    draws, tune, chains, cores : int
        Of every fit.
    seed : int
        Seed of every fit; the same seed and weights give the same draws.

    Attributes
    ----------
    fits, divergences : int
        Fits so far, and the divergent transitions of all of them.
    diagnosis : Diagnosis or None
        Of the last fit, by the rules of `halfpoint.inference.sample.sample`.
    """

    def __init__(
        self,
        entry: Extended,
        selection: Selection,
        priors: Priors | None = None,
        draws: int = 500,
        tune: int = 400,
        chains: int = 2,
        cores: int = 2,
        seed: int = 1,
    ) -> None:
        if entry.formulas:
            raise InferenceError(f"model {entry.name}: expected a model without covariates for refits")
        require_settings(draws=draws, tune=tune, chains=chains, cores=cores, seed=seed)
        month = months(selection.games)
        self.entry, self.selection, self.month = entry, selection, month
        self.first_month = int(month.min())
        home, key = columns_of(entry, selection.games).columns.get("home"), month - self.first_month
        self.cells = merge(selection, key if home is None else 2 * key + (home[:, 0] > 0))
        effects = None
        if home is not None:
            effects = {"home": np.zeros((len(self.cells), 1))}
            effects["home"][self.cells.cell_of_game] = home
        known = selection.ratings_elo() if entry.strength == "rated" else None
        self.model = build(self.cells, entry, priors, self.first_month, effects, ratings_elo=known)
        self.settings: dict[str, Any] = {"draws": draws, "tune": tune, "chains": chains, "cores": cores, "seed": seed}
        self.settings["target_accept"] = acceptance(self.model)
        self.fits = 0
        self.divergences = 0
        self.diagnosis: Diagnosis | None = None

    @cached_property
    def compiled(self) -> Any:
        """The model in nutpie's form, compiled at the first fit."""
        return nutpie.compile_pymc_model(self.model)

    def weight_of_cells(self, weight: Floats) -> Floats:
        """Return the summed weights, shape (cell, outcome), of weights of games, shape (game,).

        Raises
        ------
        InferenceError
            If there is not one weight a game, or one is negative or not finite.
        """
        if weight.shape != (len(self.selection),) or not np.all(np.isfinite(weight) & (weight >= 0)):
            raise InferenceError(f"weights: expected {len(self.selection)} finite numbers >= 0, one a game")
        summed = np.zeros_like(self.cells.weight)
        np.add.at(summed, (self.cells.cell_of_game, self.selection.games.outcome), weight)
        return summed

    def fit(self, weight: Floats) -> xr.Dataset:
        """Return the posterior when games weigh `weight`, shape (game,)."""
        data = {"weight": self.weight_of_cells(weight)}
        if self.entry.strength == "rated":  # no rating of a game that weighs nothing is known
            known = (
                to_natural(self.selection.weighted(weight, "refit").ratings_elo()) - self.model["anchor_level"].eval()
            )
            data["rated_above"] = np.nan_to_num(known)
        compiled = self.compiled.with_data(**data)
        raw = all_draws(compiled, **self.settings)
        posterior: xr.Dataset = raw["posterior"].to_dataset()
        kept = posterior[[str(name) for name in posterior.data_vars if not str(name).endswith("_raw")]]
        self.diagnosis = diagnose(kept, raw["sample_stats"].to_dataset(), free_level(self.cells, self.entry))
        self.fits += 1
        self.divergences += self.diagnosis.divergences
        return kept

    def log_likelihood(self, posterior: xr.Dataset) -> Floats:
        """Return the unweighted log likelihood of every game of the selection, shape (draw, game)."""
        rows = rows_of(self.entry, self.selection, self.first_month)
        thin = max(1, posterior.sizes["chain"] * posterior.sizes["draw"] // KEPT_DRAWS)
        p = reach(self.entry, draws_of(posterior, thin), rows)
        return outcome_log_likelihood(self.entry, p, rows, self.selection.games.outcome)

    def without(self, game: int) -> Floats:
        """Fit without one game, all others weighing 1, and return that game's log likelihood, shape (draw,).

        Its log mean is exact leave-one-out; `halfpoint.evaluation.left_out.refit_where_unreliable` takes this method.

        Raises
        ------
        InferenceError
            If there is no game of that index, or games have weights, for which leaving one out has no meaning.
        """
        if self.selection.weighting != "equal":
            raise InferenceError(
                f"leave-one-out: expected games that weigh alike, found weights {self.selection.weighting!r}"
            )
        if not 0 <= game < len(self.selection):
            raise InferenceError(f"game: expected an index from 0 to {len(self.selection) - 1}, found {game}")
        weight = np.ones(len(self.selection))
        weight[game] = 0.0
        return self(weight)[:, game]

    def __call__(self, weight: Floats) -> Floats:
        """Fit with these weights and return the log likelihood of every game, shape (draw, game)."""
        return self.log_likelihood(self.fit(weight))
