"""Players whom a trace does not know, drawn from its population: a promoted club, somebody's first evening.

Players of a population are exchangeable before their first game, so that in each draw of the posterior a newcomer is
one of its players, by chance, with all that is theirs. This asks the posterior alone, whatever law stands in the graph.
Strengths that say what who enters is worth (`Strength.newcomers`) say it themselves.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import xarray as xr

from halfpoint.games.find_player import Players
from halfpoint.models.errors import ModelError
from halfpoint.models.posterior_reader import draws_of, model_in


def takes_newcomers(trace: xr.DataTree) -> bool:
    """Whether the players of a trace's model are of a population, or it says what who enters is worth."""
    strength = model_in(trace.attrs).strength
    return (strength.pooled or strength.enters) and not strength.needed


def with_newcomers(trace: xr.DataTree, names: Sequence[str], seed: int = 1) -> xr.DataTree:
    """A trace with further players after its own, drawn from its population.

    `ModelError` where players share nothing but the games.
    """
    if not names:
        return trace
    posterior = trace["posterior"].to_dataset()
    everyone = posterior["player"].to_numpy().astype(np.str_)
    model = model_in(trace.attrs)
    if not takes_newcomers(trace):
        raise ModelError(
            f"players: expected players of the trace, found {names[0]!r}. {Players(everyone).hint(names[0])} "
            f"Of who has not played {model.name} says nothing: --model davidson-population has a population."
        )
    chains, draws, new = posterior.sizes["chain"], posterior.sizes["draw"], len(names)
    pick = np.random.default_rng([seed, 3]).integers(everyone.size, size=(chains, draws, new))
    made: dict[str, Any] = {}
    for name, variable in posterior.data_vars.items():
        if "player" in variable.dims:
            values = variable.transpose("chain", "draw", "player", ...)
            own = np.take_along_axis(values.to_numpy(), pick.reshape(*pick.shape, *(1,) * (values.ndim - 3)), axis=2)
            made[str(name)] = (values.dims, np.concatenate([values.to_numpy(), own], axis=2))
    if model.strength.enters:
        for name, value in model.strength.newcomers(draws_of(posterior), new, seed).items():
            made[name][1][:, :, -new:] = value.reshape(chains, draws, *value.shape[1:])
        made |= _rated_alike(made, new)
    whole = np.concatenate([everyone, np.asarray(names, dtype=np.str_)])
    rest = posterior.drop_vars([*made, "player"])
    found = trace.assign({"posterior": xr.DataTree(rest.assign(made).assign_coords(player=whole))})
    constant = trace["constant_data"].to_dataset() if "constant_data" in trace.children else xr.Dataset()
    if "player" in constant.dims:
        constant = constant.assign_coords(player=everyone).reindex(player=whole)
        found = found.assign({"constant_data": xr.DataTree(constant)})
    return found


def _rated_alike(made: dict[str, Any], new: int) -> dict[str, Any]:
    """The ratings of newcomers by their strengths, on the line through the weakest and the strongest of each draw."""
    if "rating_elo" not in made:
        return {}
    dims, rating = made["rating_elo"]
    strength = made["strength"][1]
    now = strength if strength.ndim == 3 else strength[..., -1]
    low, high = (ends(now[..., :-new], axis=-1)[..., None] for ends in (np.argmin, np.argmax))
    start, end, below, above = (np.take_along_axis(one, at, -1) for one in (rating, now) for at in (low, high))
    slope = (end - start) / (above - below)
    return {"rating_elo": (dims, np.concatenate([rating[..., :-new], start + slope * (now[..., -new:] - below)], -1))}
