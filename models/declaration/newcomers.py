"""Players who are not in a trace, drawn from its population: a promoted club, a player's first evening.

Every parameter of a new player is drawn from its own prior given its parents under each draw of the posterior: a
strength from the population's learned mean and spread, in a walk from the learned distribution of players who enter. In
a model in which players are near their opponents, a player whose opponents are unknown copies a random player.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import xarray as xr

from halfpoint.models.declaration.extension import drawn_further
from halfpoint.models.declaration.posterior_reader import reading_of
from halfpoint.models.declaration.trace_attributes import WORTH, traits_in
from halfpoint.models.declaration.worth import Worth
from halfpoint.models.errors import ModelError, in_words
from halfpoint.models.games.errors import HalfpointError
from halfpoint.models.games.find_player import Players
from halfpoint.models.games.table import Floats
from halfpoint.models.rows.days import VISITS


def takes_newcomers(trace: xr.DataTree) -> bool:
    """True if a trace's model has a prior of strengths that informs about new players, and no printed list."""
    traits = traits_in(trace.attrs)
    return not traits.vague and not traits.printed


def with_newcomers(trace: xr.DataTree, names: Sequence[str], seed: int = 1) -> xr.DataTree:
    """Add further players to a trace, drawn from its population.

    `ModelError` if players have independent priors.
    """
    if not names:
        return trace
    posterior = trace["posterior"].to_dataset()
    everyone = posterior["player"].to_numpy().astype(np.str_)
    if not takes_newcomers(trace):
        raise ModelError(
            f"players: expected players of the trace, found {names[0]!r}. {Players(everyone).hint(names[0])} "
            f"The prior of a player in model {trace.attrs['model']} is flat, wider than 2,000 Elo points or "
            "cannot be sampled, so new players have no forecast. Use --model davidson-population."
        )
    reading = reading_of(trace)
    if reading.edited:
        raise ModelError(
            f"players: expected players of the trace, found {names[0]!r}: the model was edited ({reading.edited}), and "
            "its function does not define new players. Put the edit into the function."
        )
    players = np.concatenate([everyone, np.asarray(names, dtype=np.str_)])
    matched = "opponents_spread" in posterior
    try:
        p = _one_by_chance(trace, len(names), seed) if matched else drawn_further(reading, players, 0, seed)
    except HalfpointError:
        raise
    except Exception as error:  # a distribution of a user's own without draws
        raise ModelError(
            f"players: expected players of the trace, found {names[0]!r}, "
            f"whose prior cannot be sampled: {in_words(error)}"
        ) from error
    chains, draws, new = posterior.sizes["chain"], posterior.sizes["draw"], len(names)
    data: dict[str, object] = {}
    for name, variable in posterior.data_vars.items():
        if str(name) in p and ("player" in variable.dims or p[str(name)].shape[1:] != variable.shape[2:]):
            wider = p[str(name)].reshape(chains, draws, *p[str(name)].shape[1:])
            sizes = zip(variable.dims, variable.shape, wider.shape, strict=True)
            dims_of_wider = [dim if dim == "player" or size == wide else f"{dim}_wider" for dim, size, wide in sizes]
            data[str(name)] = (dims_of_wider, wider)
        elif "player" in variable.dims:
            values = variable.transpose("chain", "draw", "player", ...)
            if str(name) not in ("rating_elo", "rating_elo_by_month"):
                mean = values.to_numpy().mean(axis=2, keepdims=True)
                data[str(name)] = (
                    values.dims,
                    np.concatenate([values.to_numpy(), np.repeat(mean, new, axis=2)], axis=2),
                )
    if "strength" in p and p["strength"].shape[1] == everyone.size:  # no variable of the function: of its sides
        from halfpoint.models.declaration.pair_ratings import strength_of_sides

        with_newcomers = replace(
            reading, players=players, p={k: v for k, v in p.items() if k != "strength"}, latest=[], worth=None
        )
        value = strength_of_sides(with_newcomers)[:, everyone.size :].reshape(chains, draws, new)
        before = posterior["strength"].transpose("chain", "draw", "player").to_numpy()
        data["strength"] = (("chain", "draw", "player"), np.concatenate([before, value], axis=2))
    data |= _rated_alike(posterior, data, new)
    coords: dict[str, object] = {"player": players}
    for name in reading.days:
        dims = posterior[name].dims
        data[name] = (dims, p[name].reshape(chains, draws, *p[name].shape[1:]))
        coords[VISITS] = np.arange(p[name].shape[1])
    gone = [name for name, variable in posterior.data_vars.items() if {"player", VISITS} & set(variable.dims)]
    remaining = posterior.drop_vars({*gone, *coords, *data})
    extended = trace.assign({"posterior": xr.DataTree(remaining.assign(data).assign_coords(coords))})
    constant = trace["constant_data"].to_dataset() if "constant_data" in trace.children else xr.Dataset()
    if "player" in constant.dims:
        constant = constant.assign_coords(player=everyone).reindex(player=players)
        if "player_entered" in constant:
            last = max(reading.periods, 1)
            constant["player_entered"] = constant["player_entered"].fillna(last).astype(np.int64)
        if VISITS in coords:  # the newcomers' states are those at the end of the games
            later = {"visit_player": np.arange(everyone.size, players.size)}
            later["visit_tick"] = np.full(new, int(constant["visit_tick"].max()))
            states = {name: (VISITS, np.append(constant[name].to_numpy(), added)) for name, added in later.items()}
            constant = constant.drop_vars([*states, VISITS], errors="ignore").assign(states)
        extended = extended.assign({"constant_data": xr.DataTree(constant)})
    extended.attrs[WORTH] = "" if reading.worth is None else _wider(reading.worth, everyone.size, new)
    return extended


def _one_by_chance(trace: xr.DataTree, new: int, seed: int) -> dict[str, Floats]:
    """Values of players, (draw, player, ...), and of further players: each copies a random founder in each draw.

    Players who enter later differ from founders by `newcomer_mean`.
    """
    posterior, constant = trace["posterior"].to_dataset(), trace["constant_data"].to_dataset()
    entered = (
        constant["player_entered"].to_numpy() if "player_entered" in constant else np.zeros(posterior.sizes["player"])
    )
    first = np.flatnonzero(entered == entered.min())
    draws, p = posterior.sizes["chain"] * posterior.sizes["draw"], dict[str, Floats]()
    pick = first[np.random.default_rng([seed, 3]).integers(first.size, size=(draws, new))]
    later = posterior["newcomer_mean"].to_numpy().reshape(-1, 1) if "newcomer_mean" in posterior else 0.0
    for name, variable in posterior.data_vars.items():
        if "player" in variable.dims and str(name) not in ("rating_elo", "rating_elo_by_month"):
            values = variable.transpose("chain", "draw", "player", ...).to_numpy()
            values = values.reshape(draws, *values.shape[2:])
            copy = np.take_along_axis(values, pick.reshape(*pick.shape, *(1,) * (values.ndim - 2)), axis=1)
            if str(name) in ("strength", "entry"):
                copy = copy + np.reshape(later, np.shape(later) + (1,) * (copy.ndim - 2)) if np.ndim(later) else copy
            p[str(name)] = np.concatenate([values, copy], axis=1)
    return p


def _wider(worth: Worth, count: int, new: int) -> str:
    """Record of a quantity by player, extended by new players; empty if its pattern cannot be extended."""
    record: dict[str, list[object]] = {}
    for key, terms in worth.record.items():
        record[key] = []
        for c, *parts in terms:
            if len(c) > 1 or any(places for *_, places in parts):
                return ""
            wide = [
                [name, begin, stride, size + new if size == count else size, []]
                for name, begin, stride, size, _ in parts
            ]
            record[key].append([c, *wide])
    return str(replace(worth, record=record).text)


def _rated_alike(posterior: xr.Dataset, data: dict[str, Any], new: int) -> dict[str, object]:
    """Ratings of newcomers from their strengths, on the line through the weakest and the strongest of each draw."""
    ratings: dict[str, object] = {}
    for name in ("rating_elo", "rating_elo_by_month"):
        if name not in posterior or "strength" not in data:
            continue
        values = posterior[name].transpose("chain", "draw", "player", ...)
        rating, strength = values.to_numpy(), data["strength"][1]
        last = strength if strength.ndim == rating.ndim else strength[..., -1]
        if last.ndim == 3:
            low, high = (ends(last[..., :-new], axis=-1)[..., None] for ends in (np.argmin, np.argmax))
            start, end, below, above = (
                np.take_along_axis(array, at, -1) for array in (rating, last) for at in (low, high)
            )
            slope = (end - start) / np.where(above == below, 1.0, above - below)
            added = start + slope * (last[..., -new:] - below)
        else:
            start, below = rating[:, :, :1], last[:, :, :1]
            wide = (rating[:, :, :-1] - rating[:, :, 1:]).reshape(*rating.shape[:2], -1)
            far = (last[:, :, : rating.shape[2]][:, :, :-1] - last[:, :, : rating.shape[2]][:, :, 1:]).reshape(
                wide.shape
            )
            slope = (wide * far).sum(axis=-1) / np.maximum((far * far).sum(axis=-1), 1e-300)
            added = start + slope[..., None, None] * (last[:, :, -new:] - below)
        ratings[name] = (values.dims, np.concatenate([rating, added], axis=2))
    return ratings
