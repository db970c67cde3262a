"""nutpie's draws, all of them or none: Ctrl-C is an error here, where nutpie would return the draws it has."""

import warnings
from typing import Any

import xarray as xr


def all_draws(compiled: Any, **settings: Any) -> xr.DataTree:
    """Sample a compiled model with nutpie and return its raw trace, complete."""
    import nutpie

    running = nutpie.sample(compiled, blocking=False, **({"save_warmup": False, "progress_bar": False} | settings))
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Found chain dimension to be longer")  # few draws were asked for
            raw: xr.DataTree = running.wait()
    except BaseException:
        running.cancel()
        raise
    return raw
