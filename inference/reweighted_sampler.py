"""Repeated fits of one declared model with other weights, for backtests.

Monthly forecasts use the same model, with weight 0 for games that must not be used. No refit compiles (the graph of a
model without loops is compiled once); sampling units follow the weights, chains start where the last fit ended, and
every fit is diagnosed and continues until it converges or reaches a limit, as in `sample`; its divergences are counted.
"""

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import xarray as xr

from halfpoint.inference.adaptive import SamplingPlan, sample_adaptively
from halfpoint.inference.diagnostics.convergence import Diagnosis
from halfpoint.inference.diagnostics.graph_edits import edits
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.location import location_fixed_by
from halfpoint.inference.loops.engine import Numbers, numbers_of
from halfpoint.inference.nested_coordinates import straighten
from halfpoint.inference.nutpie_model import nutpie_model, starting_coordinates
from halfpoint.inference.nuts import all_draws, split_raw_trace
from halfpoint.models.declaration.declared import Declared
from halfpoint.models.declaration.posterior_reader import draws_of
from halfpoint.models.errors import NoLoopError
from halfpoint.models.formulas.own_likelihood import LIKELIHOOD
from halfpoint.models.games.table import Floats
from halfpoint.models.reading.layout import HIDDEN, LATENT, MARGIN, WEIGHT
from halfpoint.models.reading.own_likelihoods import observed_data, weighted_likelihood
from halfpoint.models.reading.sparse_affine import NotAffineError

if TYPE_CHECKING:
    from nutpie.compile_pymc import CompiledModel

# shares of accepted steps; the second where a learned spread makes a funnel, which needs small steps
_ACCEPTANCE, CAREFUL_ACCEPTANCE = 0.8, 0.9


def first_plan(declared: Declared, effort: Effort) -> SamplingPlan:
    """Return the settings of the first run: smaller steps if spreads are learned."""
    learned = any(law.role == "spread" for law in declared.laws)
    return SamplingPlan(effort.draws, effort.tune, CAREFUL_ACCEPTANCE if learned else _ACCEPTANCE)


@dataclass(frozen=True, eq=False)
class SampledFit:
    """Posterior and its verdict."""

    declared: Declared  # the model with the weights of this fit
    posterior: xr.Dataset  # draws of the parameters in natural units, dims chain, draw and their own
    statistics: xr.Dataset  # the sampler's statistics of each draw
    diagnosis: Diagnosis  # of the reported quantities


@dataclass
class ReweightedSampler:
    """Sampler of a declared model with changing weights of its games."""

    declared: Declared  # the model
    effort: Effort = field(default_factory=Effort)  # draws, tuning, chains, seed
    means: dict[str, Floats] | None = None
    fits: int = 0
    graph: "CompiledModel | None" = None  # nutpie's model of the graph, compiled once, where the model has no loops

    def fit(self, weight: Floats | None = None) -> SampledFit:
        """Posterior for weights of games, shape (game,); by default the declared weights."""
        self.effort.require()
        if self.fits == 0 and edits(self.declared).words:
            raise InferenceError(f"fit: expected an unedited model, found edits: {edits(self.declared)}. Use sample.")
        declared = self.declared if weight is None else self.declared.weighing(weight)
        effort = replace(self.effort, seed=self.effort.seed + self.fits)
        compiled = self.compile_for_nutpie(declared)

        def run(plan: SamplingPlan) -> tuple[xr.Dataset, xr.Dataset, int]:
            draws, statistics = split_raw_trace(all_draws(compiled, plan, effort))
            named = [str(name) for name in draws.data_vars if not str(name).endswith((LATENT, HIDDEN))]
            return draws[named], statistics, sum(value[0, 0].size for value in draws.data_vars.values())

        free_level = not location_fixed_by(declared)
        posterior, statistics, _, diagnoses = sample_adaptively(
            run, first_plan(declared, effort), effort.chains, free_level
        )
        self.fits += 1
        self.means = {name: value.mean(axis=0) for name, value in draws_of(posterior).items()}
        return SampledFit(declared, posterior, statistics, diagnoses[-1])

    def compile_for_nutpie(self, declared: Declared) -> "CompiledModel":
        """Model for nutpie: by loops from the end of the last fit, or by the first fit's graph."""
        try:
            numbers = numbers_of(declared)
        except (NotAffineError, NoLoopError):
            import nutpie

            if declared.outcome is LIKELIHOOD:
                fresh, weight = declared.spec.run(declared.view()), declared.cells.weight
                data = observed_data(fresh, weight)
                self.graph = self.graph or nutpie.compile_pymc_model(weighted_likelihood(fresh, weight))
                return self.graph.with_data(**data)
            self.graph = self.graph or nutpie.compile_pymc_model(declared.model)
            margin = {} if declared.rows.margin is None else {MARGIN: declared.rows.margin}
            return self.graph.with_data(**{WEIGHT: declared.cells.weight}, **margin)
        start = self.start(declared, numbers)
        return nutpie_model(declared, straighten(declared, numbers, declared.layout, start), start)

    def start(self, declared: Declared, numbers: Numbers) -> Floats | None:
        """Starting coordinates: the last fit's means, or the defaults of `sample`; None if parameters differ."""
        if self.means is None:
            return starting_coordinates(declared, numbers)
        try:
            centre = declared.coordinates(self.means)
        except KeyError:  # a player whose first rating has come, for instance
            return None
        return centre if np.isfinite(centre).all() else None

    def set_scores(self, score: Floats, margin: Floats | None = None) -> None:
        """Set other scores of the same games, and margins, shape (game,), for further fits."""
        self.declared = self.declared.seeing(score, margin)
