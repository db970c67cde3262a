r"""The study's own sampler: Metropolis steps within Gibbs sampling, one parameter at a time, compiled.

    v' = v + s z,  z ~ N(0, 1);   accepted with probability min(1, p(v' | rest) / p(v | rest))

Each parameter has a step s of its own, adapted after every window of the burn-in and fixed afterwards: ln s gains
2 (share accepted - 0.44), or s changes by a factor of 3 if the share is near 0 or 1. A step uses only the games that
depend on its parameter, found from the model's own formula (`models.reading.sparse_affine`). Settings of the study: 3
chains of 130,000 iterations, 50,000 burnt, every 20th kept.

Pires (2014), section 3.2; Pires and Bueno Filho (2020), section 2.3. Their adaptive proposals are not described; 0.44
is the best rate for one parameter at a time (Gelman, Roberts and Gilks 1996). For inference use NUTS: this module shows
the study's Monte Carlo error.
"""

import math
import time
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import xarray as xr

from halfpoint.inference.errors import InferenceError
from halfpoint.inference.fit import named_draws
from halfpoint.inference.gaussian.posterior_density import PosteriorDensity
from halfpoint.models.declaration.declared import Declared
from halfpoint.models.games.compiled_loops import compile_lazily
from halfpoint.models.games.ranges import SEED, Range
from halfpoint.models.games.table import Floats
from halfpoint.models.reading.sparse_affine import NotAffineError

ITERATIONS = Range(1, 100_000_000)
NO_DRAWS = -1e30
type Places = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Settings:
    """Lengths of the chains.

    Raises
    ------
    InferenceError
        If no draw would be kept, or a number is out of range.
    """

    iterations: int = 130_000  #: as the study has them: every parameter is proposed once an iteration
    burn_in: int = 50_000
    thin: int = 20
    chains: int = 3
    window: int = 1_000  #: iterations between two adaptations of the burn-in
    seed: int = 1  #: seed of the first chain; the others have streams of their own

    def __post_init__(self) -> None:
        for name in ("iterations", "thin", "chains", "window"):
            ITERATIONS.require(name, getattr(self, name), InferenceError)
        SEED.require("seed", self.seed, InferenceError)
        if not 0 <= self.burn_in < self.iterations or self.kept_draws < 1:
            raise InferenceError(f"burn-in: expected 0 to {self.iterations - self.thin}, found {self.burn_in}")

    @property
    def kept_draws(self) -> int:
        """Draws kept of each chain."""
        return (self.iterations - self.burn_in) // self.thin


@dataclass(frozen=True, eq=False)
class Chains:
    """Draws of the sampler and their acceptance."""

    posterior: xr.Dataset  #: the model's parameters in natural units, dims chain, draw and their own
    log_likelihood: Floats  #: (chain, draw), weighted log-likelihood of all games
    acceptance: Floats  #: (chain, parameter), share of accepted steps after the burn-in
    seconds: float  #: time it took, all chains one after the other


@dataclass(frozen=True, eq=False)
class Target:
    """Posterior for single-parameter steps: every parameter with the rows that depend on it."""

    names: dict[str, tuple[int, tuple[int, ...]]]  #: place of each parameter's values
    mean: Floats  #: (value,), of normal priors
    sd: Floats
    bounds: npt.NDArray[np.int64]  #: (value + 1,), entries `bounds[k]:bounds[k + 1]` of the next three are of value k
    row: npt.NDArray[np.int64]  #: (entry,), row touched
    on_gap: Floats  #: (entry,), coefficients in the gap of the sides and in the draw parameter
    on_draw: Floats
    gap: Floats  #: (row,), what these are where all values are zero
    draw: Floats
    weight: Floats  #: (row, outcome), summed weights

    def sides(self, value: Floats) -> tuple[Floats, Floats]:
        """Gap and draw parameter of each row, shape (row,) each."""
        values = np.repeat(value, np.diff(self.bounds))
        gap, draw = self.gap.copy(), self.draw.copy()
        np.add.at(gap, self.row, self.on_gap * values)
        np.add.at(draw, self.row, self.on_draw * values)
        return gap, draw

    def log_density(self, value: Floats) -> float:
        """The log posterior density up to a constant."""
        gap, draw = self.sides(value)
        prior = -0.5 * (((value - self.mean) / self.sd) ** 2).sum()
        return float(prior + sum(row_value(gap[r], draw[r], self.weight[r]) for r in range(gap.size)))


def full_conditional(target: Target, value: Floats, which: int, grid: Floats) -> Floats:
    """Log density of one parameter given all other parameters, up to a constant.

    These are the full conditionals of Pires (2014), eq. 62 to 74, and of the paper, eq. 6 to 10: the prior of the
    parameter and the games that depend on it.

    Parameters
    ----------
    target : Target
        The posterior (`target_of`).
    value : array of float, shape (value,)
        All parameters, natural units.
    which : int
        Index of the parameter in `value`.
    grid : array of float
        Values of the parameter.

    Returns
    -------
    array of float, shape of the grid
    """
    touched = slice(int(target.bounds[which]), int(target.bounds[which + 1]))
    rows, gap, draw = target.row[touched], *target.sides(value)
    log_density = -0.5 * ((grid - target.mean[which]) / target.sd[which]) ** 2
    for point, moved in enumerate(grid - value[which]):
        for row, a, b in zip(rows, target.on_gap[touched], target.on_draw[touched], strict=True):
            log_density[point] += row_value(gap[row] + a * moved, draw[row] + b * moved, target.weight[row])
    return np.asarray(log_density)


def target_of(declared: Declared) -> Target:
    """Posterior of a model with normal priors and sums of parameters on its games, for single steps."""
    model = declared.spec
    outcome = declared.outcome
    if outcome.name not in ("davidson", "bradley_terry"):
        raise InferenceError(f"metropolis: expected a Davidson or Bradley-Terry model, found {outcome.name}")
    means, sds = [], []
    for law in declared.laws:
        if len(law.gaussian) != 1 or law.gaussian[0].spread or law.parents:
            raise InferenceError(
                f"metropolis: expected normal priors, found another prior of {law.name} in {model.name}"
            )
        (normal,) = law.gaussian
        means.append(normal.middle)
        sds.append(np.ravel(normal.sd))
    names = {law.name: declared.layout.slots[law.name] for law in declared.laws}
    mean, sd = np.concatenate(means), np.concatenate(sds)
    count = len(declared.rows)
    try:
        rows = PosteriorDensity(declared).rows
    except NotAffineError as error:
        raise InferenceError(f"metropolis: expected sums of parameters in {model.name}, found {error}") from error
    if rows.moved[0].size:
        raise InferenceError(f"metropolis: expected sums of parameters in {model.name}, found products")
    (gap, draw), (on_gap, on_draw) = rows.at(mean)
    row = np.repeat(np.arange(count), np.diff(rows.first))
    order = np.lexsort((row, rows.column))
    bounds = np.searchsorted(rows.column[order], np.arange(mean.size + 1)).astype(np.int64)
    weight = np.array(declared.cells.weight, dtype=np.float64, order="C")
    if not outcome.draws:  # a draw is half a loss and half a win
        weight = np.stack([weight[:, 0] + weight[:, 1] / 2, np.zeros(count), weight[:, 2] + weight[:, 1] / 2], axis=1)
        draw = np.full(count, NO_DRAWS)
    return Target(names, mean, sd, bounds, row[order], on_gap[order], on_draw[order], gap, draw, weight)


def metropolis(declared: Declared, settings: Settings | None = None, start: Floats | None = None) -> Chains:
    """Sample a model by the study's method.

    Parameters
    ----------
    declared : Declared
        A Davidson or Bradley-Terry model with normal priors on its games (`halfpoint.models.declare`).
    settings : Settings, optional
        Iterations, burn-in, thinning, chains, window and seed; by default the study's settings.
    start : array of float, shape (value,), optional
        Centre of the first values of chains, a step around it; by default strengths at the anchors' mean, or the
        prior's.

    Returns
    -------
    Chains
        posterior, log_likelihood, acceptance and seconds.

    Raises
    ------
    InferenceError
        If the model has other priors or another outcome formula.
    """
    settings = settings or Settings()
    target = target_of(declared)
    begin = first_values(declared, target) if start is None else np.asarray(start, dtype=np.float64)
    draws = np.empty((settings.chains, settings.kept_draws, target.mean.size))
    likelihood = np.empty((settings.chains, settings.kept_draws))
    accepted = np.empty((settings.chains, target.mean.size))
    density = (
        target.weight, target.mean, target.sd, target.bounds, target.row, target.on_gap, target.on_draw
    )  # fmt: skip
    length = settings.iterations, settings.burn_in, settings.thin, settings.window
    began = time.perf_counter()
    streams = np.random.default_rng(settings.seed).spawn(settings.chains)
    for chain, rng in enumerate(streams):
        value = begin + 0.1 * rng.standard_normal(begin.size)
        gap, draw = target.sides(value)
        accepted[chain] = run_chain((value, gap, draw), density, length, rng, draws[chain], likelihood[chain])
    seconds = time.perf_counter() - began
    posterior = named_draws(declared, declared.layout.named(draws.reshape(-1, target.mean.size)), settings.chains)
    return Chains(posterior, likelihood, accepted, seconds)


def first_values(declared: Declared, target: Target) -> Floats:
    """Starting values of chains: strengths at the anchors' mean if there are any, all else at the prior's mean."""
    value = target.mean.copy()
    anchors = np.concatenate([side.rating[side.anchored > 0] for side in (declared.rows.white, declared.rows.black)])
    if anchors.size and "strength" in target.names:
        start, shape = target.names["strength"]
        value[start : start + int(np.prod(shape))] = anchors.mean()
    return value


@compile_lazily
def row_value(gap: float, draw: float, weight: Floats) -> float:
    """Weighted log-likelihood of one row: loss, draw and win as -gap / 2, draw and gap / 2, normalised."""
    half = gap / 2.0
    largest = max(abs(half), draw)
    total = largest + math.log(math.exp(-half - largest) + math.exp(draw - largest) + math.exp(half - largest))
    value = weight[2] * (half - total) - weight[0] * (half + total)
    if weight[1] > 0.0:
        value += weight[1] * (draw - total)
    return float(value)


@compile_lazily
def run_chain(
    begin: tuple[Floats, Floats, Floats],
    density: tuple[Floats, Floats, Floats, Places, Places, Floats, Floats],
    length: tuple[int, int, int, int],
    rng: np.random.Generator,
    draws: Floats,
    likelihood: Floats,
) -> Floats:
    """Run one chain in place; fill `draws` and `likelihood`, and return the shares accepted after the burn-in."""
    value, gap, draw = begin
    weight, mean, sd, bounds, row, on_gap, on_draw = density
    iterations, burn_in, thin, window = length
    size = value.size
    step = np.full(size, 0.1)
    hits = np.zeros(size)
    accepted = np.zeros(size)
    row_values = np.empty(gap.size)
    total = 0.0
    for r in range(gap.size):
        row_values[r] = row_value(gap[r], draw[r], weight[r])
        total += row_values[r]
    new = np.empty(row.size)
    for iteration in range(iterations):
        for k in range(size):
            move = step[k] * rng.standard_normal()
            before, after = (value[k] - mean[k]) / sd[k], (value[k] + move - mean[k]) / sd[k]
            change = 0.5 * (before * before - after * after)
            gain = 0.0
            for entry in range(bounds[k], bounds[k + 1]):
                r = row[entry]
                new[entry] = row_value(gap[r] + on_gap[entry] * move, draw[r] + on_draw[entry] * move, weight[r])
                gain += new[entry] - row_values[r]
            if math.log(rng.random()) < change + gain:
                value[k] += move
                total += gain
                hits[k] += 1.0
                for entry in range(bounds[k], bounds[k + 1]):
                    r = row[entry]
                    gap[r] += on_gap[entry] * move
                    draw[r] += on_draw[entry] * move
                    row_values[r] = new[entry]
        if iteration < burn_in and (iteration + 1) % window == 0:
            for k in range(size):
                rate = hits[k] / window
                if rate < 0.1 or rate > 0.9:  # far off: by factors
                    step[k] *= 3.0 if rate > 0.5 else 1.0 / 3.0
                else:
                    step[k] *= math.exp((rate - 0.44) * 2.0)
                hits[k] = 0.0
        if iteration == burn_in - 1:
            hits[:] = 0.0
        if iteration >= burn_in and (iteration - burn_in + 1) % thin == 0:
            place = (iteration - burn_in + 1) // thin - 1
            if place < draws.shape[0]:
                draws[place] = value
                likelihood[place] = total
    accepted[:] = hits / max(1, iterations - burn_in)
    return accepted
