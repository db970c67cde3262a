"""What a sampler may be asked for: ranges of its settings, and whether the draws fit in memory."""

from typing import Any

import numpy as np

from halfpoint.games.memory import require_room
from halfpoint.games.ranges import SEED, Range
from halfpoint.inference.errors import InferenceError
from halfpoint.models.errors import NoLoopError
from halfpoint.models.model import Declared

SAMPLING_SEED = 20140501
DRAWS = Range(1, 10_000_000)  # kept, a chain
TUNE = Range(1, 10_000_000)  # a chain; nutpie cannot begin without a tuning draw
CHAINS = Range(1, 1_000)  # each is a thread with buffers of its own
CORES = Range(1, 10_000)
SIMULATIONS = Range(20, 10_000)  # of a calibration
STATISTICS = 20  # numbers that a sampler records of a draw
COPIES = 4  # of the kept draws, while they are diagnosed and their likelihood is computed


def require_settings(**settings: Any) -> None:
    """Raise `InferenceError` unless every setting of a sampler is in its range.

    Parameters
    ----------
    **settings
        Any of draws, tune, chains, cores, seed; None is not looked at.
    """
    ranges = {"draws": DRAWS, "tune": TUNE, "chains": CHAINS, "cores": CORES, "seed": SEED}
    for name, value in settings.items():
        if value is not None:
            ranges[name].require(name, value, InferenceError)


def require_memory(declared: Declared, draws: int, tune: int, chains: int, pointwise_draws: int | None) -> None:
    """Raise `InferenceError` where the draws of a model would not fit in memory; the message has the figure.

    Estimated at 8 bytes a number: the sampler holds every draw, tuning included, with its statistics; the kept ones are
    held a few times over while they are diagnosed; the log likelihood of each game is held for `pointwise_draws` draws.

    Parameters
    ----------
    declared : Declared
        The model.
    draws, tune, chains, pointwise_draws
        As in `halfpoint.inference.sample.sample`; tune is 0 where nothing is tuned.
    """
    width, kept = values_of(declared), draws * chains
    pointwise = kept if pointwise_draws is None else min(kept, max(0, pointwise_draws))
    numbers = (draws + tune) * chains * (width + STATISTICS)
    numbers += COPIES * kept * (width + declared.selection.players.size)
    numbers += 2 * pointwise * len(declared.selection)
    what = f"{chains:,} chains of {draws:,} draws" + (f" and {tune:,} tuning draws" if tune else "")
    require_room(f"{what} of {width:,} numbers", 8.0 * numbers, "Take fewer draws or chains.", InferenceError)


def values_of(declared: Declared) -> int:
    """Return how many numbers one draw of a model holds, its sampled coordinates included."""
    try:
        found, known = declared.layout.count + declared.layout.values, set(declared.layout.slots)
    except NoLoopError:  # its graph says it
        found = sum(int(np.size(value)) for value in declared.model.initial_point().values())
        known = set()
    if "model" in declared.__dict__:  # somebody may have added to it
        model = declared.model
        for variable in model.deterministics:
            if variable.name not in known:
                dims = model.named_vars_to_dims.get(variable.name, ())
                sizes = [int(np.prod(model.dim_lengths[name].eval())) for name in dims]
                found += int(np.prod(sizes)) if sizes else 1
    return found
