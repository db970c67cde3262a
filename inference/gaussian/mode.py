"""The mode of a model and the curvature there: maximum likelihood and its errors if priors are flat.

Printed tables have these numbers, besides means and draws, and quick tests need them.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from threadpoolctl import threadpool_limits

from halfpoint.inference.errors import InferenceError
from halfpoint.inference.gaussian.affine_rows import log_likelihoods
from halfpoint.inference.gaussian.latent_split import LatentSplit
from halfpoint.inference.gaussian.posterior_density import Optimum, maximise
from halfpoint.inference.gaussian.reweighted_fit import ReweightedFits
from halfpoint.models.declaration.declared import Declared
from halfpoint.models.games.table import Floats

FACTORED = 2_000  # parameters up to which there is a factor
_GAIN, _GAIN_OF_MANY = 1e-14, 1e-6  # log density still to be gained
_POLISH = 2  # steps to the mode's last digits


@dataclass(frozen=True, eq=False)
class Mode:
    """Mode of a log posterior."""

    parts: LatentSplit  # the model's parameters
    top: Optimum  # where it is: `z`, those that are not known, natural units, and the curvature there
    log_likelihood: float  # weighted log likelihood there

    @cached_property
    def values(self) -> dict[str, Floats]:
        """Parameters by name, natural units, each of its own shape."""
        return self.parts.declared.layout.named(self.top.v)

    @cached_property
    def errors(self) -> dict[str, Floats]:
        """Standard deviations of the parameters by the curvature, 0 for known ones."""
        with threadpool_limits(1, user_api="blas"):
            sd = np.append(self.top.curvature.deviations(), 0.0)
        return self.parts.declared.layout.named(sd[self.parts.position])

    def error_of(self, **weights: Floats) -> float:
        """The standard deviation of a weighted sum of parameters, weights by name, of their shapes."""
        b = np.zeros(self.top.z.size)
        for name, weight in weights.items():
            np.add.at(b, self.parts.position[self.parts.of(name)], np.ravel(weight))
        return float(np.sqrt(b @ self.top.curvature.solve(b)))


def mode(declared: Declared) -> Mode:
    """Mode of the posterior of a model without spreads and scales.

    Parameters
    ----------
    declared : Declared
        From `halfpoint.models.declare`: independent normal or correlated priors, sides that are sums.

    Raises
    ------
    InferenceError
        If the model learns a spread or a scale, for which the mode is meaningless, or no mode is found.

    Examples
    --------
    >>> import pandas as pd
    >>> from halfpoint import inference, models, readers
    >>> from halfpoint.models import games
    >>> flat = models.find("bt").but("flat", strength=(0.0, 1e4))
    >>> sides = {"white": ["A"] * 50, "black": ["B"] * 50}
    >>> played = readers.read(pd.DataFrame({**sides, "score": [1.0] * 30 + [0.0] * 20}))
    >>> mode = inference.mode(models.declare(flat, games.select(played, played.players)))
    >>> strength = mode.values["strength"]
    >>> float((strength[0] - strength[1]).round(6)), round(mode.error_of(strength=[1.0, -1.0]), 6)  # log(30 / 20)
    (0.405465, 0.288675)
    """
    few = declared.layout.count <= FACTORED
    refits, none = ReweightedFits(declared, factored=few), np.zeros(0)
    if refits.parts.thetas:
        name = refits.parts.thetas[0].name
        raise InferenceError(f"mode: expected a model without spreads and scales, found {name!r}. Use method normal.")
    start = none, refits.parts.begin()
    with threadpool_limits(1, user_api="blas"):
        top = maximise(refits.posterior, refits.curve, start, None, _GAIN if few else _GAIN_OF_MANY)
        for _ in range(_POLISH if few else 0):  # steps too small for the density to show
            z = top.z + top.curvature.solve(refits.posterior.rise(none, top.z))
            top = replace(top, z=z, v=refits.parts.values(none, z))
    return Mode(refits.parts, top, float(log_likelihoods(refits.posterior.numbers, top.v[None])[0]))
