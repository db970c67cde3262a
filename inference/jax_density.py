r"""The same log posterior through JAX: on a CPU, a GPU or many devices, the cells dealt out over all of them.

    log p(z | games) = sum over devices ( sum over that device's cells ) + priors,    z = centre + unit * raw
    eta, lam of a cell = place + sum of slope times z, from `inference.normal.rows`; its formula PyTensor's graph in JAX

Parameters stand on every device, cells on one each; each device sums the log likelihood and the gradient of its own
cells, and one all-reduce of a vector as long as the parameters joins them. Padding cells weigh nothing. Double
precision throughout: JAX is switched to it here. numpyro's NUTS samples it.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from halfpoint.games.table import Floats
from halfpoint.inference.engine import numbers_of
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.fit import named_draws
from halfpoint.inference.normal.parts import Parts
from halfpoint.inference.normal.rows import Rows, blocks_of
from halfpoint.inference.sample import assemble
from halfpoint.models.declared import Declared
from halfpoint.models.outcome import Outcome


def load_jax() -> Any:
    """Return the module jax, in double precision."""
    try:
        import jax
    except ImportError as error:
        raise InferenceError("JAX: expected the extra, found none. Install it: pip install 'halfpoint[jax]'") from error
    jax.config.update("jax_enable_x64", True)
    return jax


@dataclass(frozen=True, eq=False)
class JaxDensity:
    """A log posterior on JAX devices, parameters in units of about one posterior standard deviation."""

    parts: Parts  # the model's parameters
    # (z,): z = centre + unit * raw; the centre is the prior mean, `spread` the prior standard deviation of raw
    centre: Floats
    unit: Floats  # likewise
    spread: Floats  # likewise
    cells: dict[str, Any]  # columns of the cells, dealt out over the devices
    # takes eta, lam and weights, shape (cell, outcome), and returns the weighted log likelihood; JAX traces it
    formula: Callable[..., Any]
    devices: int  # how many devices hold cells

    def log_likelihood(self, raw: Any, cells: dict[str, Any]) -> Any:
        """Return the weighted log likelihood; to be traced by JAX."""
        beside = (self.centre + self.unit * raw)[cells["column"]]
        eta, lam = ((cells[side] * beside).sum(axis=1) + cells[f"{side}_place"] for side in ("eta", "lam"))
        return self.formula(eta, lam, cells["weight"])

    def log_density(self, raw: Any, cells: dict[str, Any]) -> Any:
        """Return the log posterior up to a constant; to be traced by JAX."""
        return self.log_likelihood(raw, cells) - 0.5 * ((raw / self.spread) ** 2).sum()


def independent(parts: Parts) -> tuple[Floats, Floats]:
    """Return means and standard deviations of independent normal priors of z, shape (z,)."""
    mean, sd = np.zeros(parts.z.size), np.zeros(parts.z.size)
    alone = all(term.spread < 0 and term.sums.nnz == term.offset.size for term in parts.terms)
    if parts.thetas or not alone:
        raise InferenceError(
            f"model {parts.declared.entry.name}: expected independent normal priors, found more. Use method normal or "
            "nuts of halfpoint.inference.fit.fit, which take any model."
        )
    for term in parts.terms:
        mean[term.sums.indices], sd[term.sums.indices] = term.offset, term.sd
    return mean, sd


def formula_of(outcome: Outcome) -> Callable[..., Any]:
    """Return the weighted log likelihood of cells as JAX has it, from eta, lam and weights."""
    import pytensor.tensor as pt
    from pymc.sampling.jax import get_jaxified_graph

    eta, lam, weight = pt.vector("eta"), pt.vector("lam"), pt.matrix("weight")
    terms = outcome.terms(eta, pt.zeros_like(eta), lam, None)
    total = outcome.weigh(terms, [weight[:, k] for k in range(3)]).sum()
    jaxified = get_jaxified_graph([eta, lam, weight], [total])
    return lambda *values: jaxified(*values)[0]


def jax_density(declared: Declared, devices: Sequence[Any] | None = None) -> JaxDensity:
    """Return the log posterior on JAX devices, by default all of its backend; an error of other priors."""
    jax = load_jax()
    parts = Parts(declared)
    mean, sd = independent(parts)
    numbers = numbers_of(declared, parameters=False)
    rows = Rows(numbers, blocks_of(declared), parts.source, parts.position)
    place, slope = rows.at(parts.values(np.zeros(0), mean))
    at = place.copy()
    rows.place(slope, mean, at)
    _, _, (ee, el, ll), _ = rows.expect(at, None)
    row = np.repeat(np.arange(rows.count), np.diff(rows.first))
    bend = -(ee[row] * slope[0] ** 2 + 2.0 * el[row] * slope[0] * slope[1] + ll[row] * slope[1] ** 2)
    unit = (np.bincount(rows.column, bend, mean.size) + sd**-2.0) ** -0.5
    chosen = list(jax.devices() if devices is None else devices)
    mesh = jax.sharding.Mesh(np.array(chosen), ("cell",))
    dealt = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("cell"))
    padding, width = -rows.count % len(chosen), int(np.diff(rows.first).max(initial=1))
    here = row, np.arange(rows.column.size) - rows.first[row]

    def table(values: Any) -> Any:
        made = np.zeros((rows.count, width), dtype=values.dtype)
        made[here] = values
        return made

    def put(column: Any) -> Any:
        return jax.device_put(np.pad(column, [(0, padding)] + [(0, 0)] * (column.ndim - 1)), dealt)

    columns = {"column": table(rows.column), "eta": table(slope[0]), "lam": table(slope[1])}
    columns |= {"eta_place": place[0], "lam_place": place[1], "weight": declared.cells.weight}
    cells = {name: put(column) for name, column in columns.items()}
    return JaxDensity(parts, mean, unit, sd / unit, cells, formula_of(declared.entry.outcome), len(chosen))


STATISTICS = {"diverging": "diverging", "energy": "energy", "num_steps": "n_steps"}


def nuts(
    declared: Declared, draws: int, tune: int, chains: int, seed: int
) -> tuple[Floats, dict[str, Floats], dict[str, Any]]:
    """Return values, natural units, (chain, draw, value), statistics (chain, draw) and account of numpyro's NUTS."""
    jax = load_jax()
    try:
        import numpyro
        import numpyro.distributions as distributions
    except ImportError as error:
        raise InferenceError("numpyro: expected the extra jax, found none: pip install 'halfpoint[jax]'") from error
    density, backend = jax_density(declared), jax.default_backend()

    def model(cells: dict[str, Any]) -> None:
        raw = numpyro.sample("raw", distributions.Normal(0.0, density.spread).to_event(1))
        numpyro.factor("log_likelihood", density.log_likelihood(raw, cells))

    start = time.perf_counter()
    sampler = numpyro.infer.MCMC(
        numpyro.infer.NUTS(model, init_strategy=numpyro.infer.init_to_uniform(radius=1.0)),
        num_warmup=tune,
        num_samples=draws,
        num_chains=chains,
        chain_method="sequential" if backend == "cpu" else "vectorized",
        progress_bar=False,
        jit_model_args=True,
    )
    sampler.run(jax.random.PRNGKey(seed), density.cells, extra_fields=tuple(STATISTICS))
    raw = np.asarray(sampler.get_samples(group_by_chain=True)["raw"])
    fields = sampler.get_extra_fields(group_by_chain=True)
    statistics = {ours: np.asarray(fields[theirs]) for theirs, ours in STATISTICS.items()}
    settings = {"jax_backend": backend, "jax_devices": density.devices, "seconds_sample": time.perf_counter() - start}
    z = density.centre + density.unit * raw
    return density.parts.values(np.zeros((*z.shape[:-1], 0)), z), statistics, settings


def sample_with_jax(declared: Declared, settings: dict[str, Any], pointwise_draws: int | None) -> xr.DataTree:
    """Return the trace of NUTS through JAX; settings give draws, tune, chains and seed."""
    chains, draws = settings["chains"], settings["draws"]
    v, statistics, further = nuts(declared, draws, settings["tune"], chains, settings["seed"])
    posterior = named_draws(declared, declared.layout.named(v.reshape(chains * draws, -1)), chains)
    coords = {"chain": np.arange(chains), "draw": np.arange(draws)}
    named = xr.Dataset({name: (("chain", "draw"), value) for name, value in statistics.items()}, coords=coords)
    return assemble(declared, posterior, named, settings | further, pointwise_draws)
