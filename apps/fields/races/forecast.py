"""Forecast of an event: winner and probabilities of each place, from a trace of the Plackett-Luce model."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import xarray as xr

from halfpoint.apps.fields.races.chances import Strengths, places
from halfpoint.apps.fields.races.model import SCHEMA
from halfpoint.apps.pages.cells import Look
from halfpoint.apps.workflows.answer import Answer, about_trace
from halfpoint.evaluation.first_sentences.leaders import winner_of_event
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.traces.netcdf import attach_verdict, open_netcdf
from halfpoint.inference.traces.whole_trace import fault_of_draws, missing_part
from halfpoint.models.declaration.posterior_reader import draws_of
from halfpoint.models.games.errors import GameTableError, printable
from halfpoint.models.games.find_player import Players, find_players
from halfpoint.models.games.ranges import SEED, Range
from halfpoint.models.games.sides import JOINED, PLUS
from halfpoint.readers.side_cells import parts_of

_SIMULATIONS = Range(100, 100_000_000)
_TOP = 3


def read_races_trace(path: str | Path) -> xr.DataTree:
    """Read a trace of races into memory, from its file or the folder of `races rate`."""
    tree = open_netcdf(Path(path) / "trace.nc" if Path(path).is_dir() else path, (SCHEMA,))
    texts, groups = ("model", "edition", "data_name", "verdict"), ("posterior", "sample_stats", "constant_data")
    fault = missing_part(tree, texts, ("data_simulated",), groups) or fault_of_draws(tree["posterior"].to_dataset())
    if not fault and set(tree["posterior"]["strength"].dims) != {"chain", "draw", "player"}:
        fault = "no draws of strength with chain, draw and player"
    if fault:
        name = printable(str(path))
        raise InferenceError(f"{name}: the trace of races is damaged: {printable(fault)}. Rate them again.")
    attach_verdict(tree, free_level=True)
    return tree


def races_forecast(
    trace: str | Path | xr.DataTree, field: Sequence[str], simulations: int = 100_000, seed: int = 1
) -> Answer:
    """Forecast the probability of every place in an event, with each competitor's last car and season.

    Parameters
    ----------
    trace : str, Path or DataTree
        A trace of `races_rate`, its file or folder.
    field : sequence of str
        Competitors of the event, two or more; a side is "Ann + Bob", the mean of its people.
    simulations : int
        Simulated events for the places; the probability of a win is exact for the draws.
    seed : int
        The same seed gives the same places.

    Returns
    -------
    Answer
        One row per competitor, most likely winner first: win_percent, top3_percent, mean_place, and place_1_percent,
        ... All are conditional on no ties.

    Raises
    ------
    HalfpointError
        If the trace is invalid, a name is unknown, or the field has fewer than two.
    """
    _SIMULATIONS.require("simulations", simulations, GameTableError)
    SEED.require("seed", seed, GameTableError)
    tree = trace if isinstance(trace, xr.DataTree) else read_races_trace(trace)
    names = tree["posterior"]["player"].to_numpy().astype(str)
    posterior = draws_of(tree["posterior"].to_dataset())
    strength, players = posterior.get("strength_latest", posterior["strength"]), Players(names.tolist())
    field = [name for name in field if name.strip()]
    people = [[name] if players.place(name) is not None else parts_of(name, PLUS) for name in field]
    meant = iter(find_players([name for side in people for name in side], names, "--field"))
    sides = [[next(meant) for _ in side] for side in people]
    labels = [JOINED.join(side) for side in sides]
    if len(labels) < 2:
        raise GameTableError("--field", "two or more competitors", ", ".join(labels) or "none")
    who = np.arange(len(labels), dtype=np.int32)
    strengths = [strength[:, [players.exact[name] for name in side]].mean(axis=1) for side in sides]
    chances = Strengths(np.stack(strengths, axis=1))
    chance = places(chances, who, simulations, seed)
    count = who.size
    frame = pd.DataFrame(
        {"competitor": labels, "win_percent": 100.0 * chances.win(who)}
        | ({"top3_percent": 100.0 * chance[:, :_TOP].sum(axis=1)} if count > _TOP else {})
        | {"mean_place": chance @ np.arange(1, count + 1)}
        | {f"place_{place}_percent": 100.0 * chance[:, place - 1] for place in range(1, count + 1)}
    ).sort_values(["win_percent", "competitor"], ascending=[False, True], ignore_index=True)
    error = 100.0 * float(np.sqrt((chance * (1.0 - chance)).max() / simulations))
    about = about_trace(tree, f"An event of {count}, from {tree.attrs['data_name']}")
    about |= {
        "answer": winner_of_event(dict(zip(frame["competitor"], frame["win_percent"] / 100.0, strict=True))),
        "mc_error_percent": error,
        "note": f"Chances to win are exact given the draws, places from {simulations:,} simulated events, Monte Carlo "
        f"error at most {error:.2f} percentage points. Ties are excluded.",
    }  # fmt: skip
    columns = [str(name) for name in frame if str(name).startswith("place_")]
    return Answer(frame, about, look=Look(digits=2, chances=columns))
