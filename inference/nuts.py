"""All of nutpie's draws, or none: Ctrl-C raises an error here, although nutpie returns the draws made so far."""

import warnings
from typing import TYPE_CHECKING

import xarray as xr

from halfpoint.inference.adaptive import SamplingPlan
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.sampling_bar import sampling_bar

if TYPE_CHECKING:
    from halfpoint.inference.nutpie_model import Compiled

# statistics that a trace keeps, by the names of nutpie and PyMC, and their names in ArviZ's schema
_STATISTICS = {
    "diverging": "diverging", "energy": "energy", "logp": "lp", "lp": "lp", "n_steps": "n_steps", "depth": "tree_depth",
    "tree_depth": "tree_depth", "mean_tree_accept": "acceptance_rate", "acceptance_rate": "acceptance_rate",
    "step_size": "step_size", "step_size_bar": "step_size_bar",
}  # fmt: skip


def all_draws(compiled: "Compiled", plan: SamplingPlan, effort: Effort, progress: bool = False) -> xr.DataTree:
    """Complete raw trace by nutpie of a compiled model, by a plan and the chains, cores, seed of an effort."""
    import nutpie

    with sampling_bar(progress) as heard:
        running = nutpie.sample(
            compiled,
            draws=plan.draws,
            tune=plan.tune,
            chains=effort.chains,
            cores=effort.at_once,
            seed=effort.seed,
            target_accept=plan.acceptance,
            progress_bar=False,
            progress_callback=heard,
            save_warmup=False,
            blocking=False,
        )
        try:
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", "Found chain dimension to be longer")  # few draws were asked for
                raw: xr.DataTree = running.wait()
        except RuntimeError as error:  # with a stack of the sampler's own
            running.cancel()
            first_line, remedy = str(error).partition("\n")[0].rstrip("."), ""
            if "initialization" in first_line:
                remedy = (
                    " The log density has to be finite where chains start: probabilities that underflow, as in "
                    "log(erfc(x)), need a stable form, such as pm.logcdf."
                )
            raise InferenceError(f"sampler: {first_line}.{remedy}") from error
        except BaseException:
            running.cancel()
            raise
    return raw


def split_raw_trace(raw: xr.DataTree) -> tuple[xr.Dataset, xr.Dataset]:
    """Split a raw trace into draws and statistics of the sampler."""
    statistics = raw["sample_stats"].to_dataset()
    recorded = {name: arviz_name for name, arviz_name in _STATISTICS.items() if name in statistics}
    return raw["posterior"].to_dataset(), statistics[list(recorded)].rename(recorded)
