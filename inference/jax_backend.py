"""NUTS through JAX: numpyro's sampler on a density whose cells are dealt out over the devices."""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import xarray as xr

from halfpoint.games.table import Floats
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.fit import named_draws
from halfpoint.inference.jax_density import jax_density, load_jax
from halfpoint.inference.sample import assemble
from halfpoint.models.declared import Declared

STATISTICS = {"diverging": "diverging", "energy": "energy", "num_steps": "n_steps"}


def nuts(
    declared: Declared,
    draws: int,
    tune: int,
    chains: int,
    seed: int,
    devices: Sequence[Any] | None = None,
    together: bool | None = None,
) -> tuple[Floats, dict[str, Floats], dict[str, Any]]:
    """Sample a model with independent normal priors with numpyro's NUTS.

    Returned are values of all parameters, natural units, shape (chain, draw, value), statistics (chain, draw), and
    backend, number of devices, seconds.
    """
    jax = load_jax()
    try:
        import numpyro
        import numpyro.distributions as distributions
    except ImportError as error:
        raise InferenceError("numpyro: expected the extra jax, found none: pip install 'halfpoint[jax]'") from error
    density = jax_density(declared, devices)
    backend = jax.default_backend() if devices is None else devices[0].platform

    def model(cells: dict[str, Any]) -> None:
        raw = numpyro.sample("raw", distributions.Normal(0.0, density.spread).to_event(1))
        numpyro.factor("log_likelihood", density.log_likelihood(raw, cells))

    batch = backend != "cpu" if together is None else together
    start = time.perf_counter()
    sampler = numpyro.infer.MCMC(
        numpyro.infer.NUTS(model, init_strategy=numpyro.infer.init_to_uniform(radius=1.0)),
        num_warmup=tune,
        num_samples=draws,
        num_chains=chains,
        chain_method="vectorized" if batch else "sequential",
        progress_bar=False,
        jit_model_args=True,
    )
    sampler.run(jax.random.PRNGKey(seed), density.cells, extra_fields=tuple(STATISTICS))
    raw = np.asarray(sampler.get_samples(group_by_chain=True)["raw"])
    fields = sampler.get_extra_fields(group_by_chain=True)
    statistics = {ours: np.asarray(fields[theirs]) for theirs, ours in STATISTICS.items()}
    settings = {
        "jax_backend": backend,
        "jax_devices": density.devices,
        "seconds_sample": time.perf_counter() - start,
    }
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
