r"""The rating list of cells of any size: means and standard errors by the factor-free fit, without draws.

    rating_i = level + s (g_i - mean of g)      s Elo points per natural unit, at the estimate of the draw rate
    low, high = rating_i -+ 1.96 sd_i           sd_i of g_i less the mean of all: excludes the error common to all

With ratings in the cells strengths have priors around them, the level is that of the ratings, and sd_i is the standard
deviation of g_i. The cells may stay in shards on other processes or machines
(`halfpoint.inference.gaussian.shard_places`).
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import polars

from halfpoint.apps.workflows.answer import Answer, as_csv
from halfpoint.apps.workflows.cluster import Watch
from halfpoint.apps.workflows.intake import are_cells, files_of
from halfpoint.apps.workflows.options import Say, silent
from halfpoint.apps.workflows.suggest import rates_by_print
from halfpoint.apps.workflows.trace_of_games import AUTO
from halfpoint.evaluation.rating_list import MASS, RatingList
from halfpoint.evaluation.statements import first_move_and_draws_in_words
from halfpoint.inference.gaussian import MANY
from halfpoint.inference.gaussian.shard_places import shards_here, shards_in_processes, shards_on_cluster
from halfpoint.inference.gaussian.sharded_fit import ShardedFits, Shards
from halfpoint.inference.location import LEVEL_ELO
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.formulas.outcome import Outcome
from halfpoint.models.games.cells_file import scan_cells, shards_of
from halfpoint.models.games.errors import GameTableError, HalfpointError
from halfpoint.models.games.results import results
from halfpoint.models.games.select import Selection
from halfpoint.models.games.table import OUTCOMES, Floats, GameTable, Texts
from halfpoint.models.games.units import ELO_PER_NATURAL
from halfpoint.readers.cells import MOST_GAMES, are_simulated

if TYPE_CHECKING:
    from distributed import Client

_FEWEST = 40  # players from which on the fit treats them as a population
_FEW = 3  # players in the games that a model is read from
_QUANTILE = 1.959963984540054  # of the normal, for intervals of 95%


def outgrow_draws(files: Sequence[Path]) -> bool:
    """True if cells have too many games or players for a list by draws."""
    parts = [scan_cells(part) for file in files for part in shards_of(file)]
    cells = polars.concat(parts)
    names = polars.concat([cells.select("white"), cells.select(white="black")]).unique()
    games = cells.select(polars.sum_horizontal(polars.col(*OUTCOMES).sum())).collect(engine="streaming").item()
    return int(games or 0) > MOST_GAMES or int(names.select(polars.len()).collect(engine="streaming").item()) > MANY


def rate_cells(
    games: str | Path | Sequence[str | Path],
    out: str | Path | None = None,
    model: str = AUTO,
    workers: int | None = None,
    client: "Client | None" = None,
    force: bool = False,
    say: Say = silent,
) -> Answer:
    """Rate the players of cells of any number of games, up to millions of players.

    Parameters
    ----------
    games : str, Path or list of these
        Files of cells (`halfpoint.apps.workflows.cells`), or folders of their shards.
    out : str or Path, optional
        Folder for ratings.csv.
    model : str
        A model of constant strengths without effects: davidson-population, davidson-rated, their bt-, -even and
        -neutral variants, or auto.
    workers : int, optional
        Number of processes that share the cells; by default this process alone.
    client : distributed.Client, optional
        Dask client whose workers keep the cells.
    force : bool
        Replace files that halfpoint did not write.
    say : callable, optional
        Called with a line on every step.

    Returns
    -------
    Answer
        One row per player, best first: rank, player, rating_elo, sd_elo, low_elo, high_elo, games, wins, draws, losses,
        score; with printed ratings printed_elo. `about` has the fields of `rate`, and cells, bytes and steps.

    Raises
    ------
    HalfpointError
        If a file has no cells, there are fewer than 40 players, or the model is not one of these.
    """
    files = files_of(games)
    if workers is not None and client is not None:
        raise HalfpointError("--workers and --cluster exclude each other. Leave one out.")
    if not are_cells(files):
        raise GameTableError(str(games), "cells", "games", "Reduce them: halfpoint cells.")
    parts = [str(part.resolve()) for file in files for part in shards_of(file)]
    with _shards(parts, workers, client) as shards:
        answer = _listed(files, shards, model, say)
    if out is not None:
        with results(out, "rate", ["ratings.csv"], reads=files, force=force) as place:
            place.text("ratings.csv", as_csv(answer.frame))
    return answer


@contextmanager
def _shards(parts: Sequence[str], workers: int | None, client: "Client") -> Iterator[Shards]:
    """Shards at their requested place."""
    if client is not None:
        with shards_on_cluster(parts, client, Watch(client).look) as shards:
            yield shards
    elif workers is not None and workers > 1:
        with shards_in_processes(parts, workers) as shards:
            yield shards
    else:
        with shards_here(parts) as shards:
            yield shards


@dataclass(frozen=True, eq=False, repr=False)
class _CellSelection(Selection):
    """A few games that represent all games, with the ratings of all players."""

    printed: Floats | None = None  # (player,): mean rating in all games, Elo points; NaN without any

    def ratings_elo(self) -> Floats:
        """Mean rating of each player in all games, shape (player,) in Elo points; NaN without any."""
        assert self.printed is not None
        return self.printed


def _listed(files: Sequence[Path], shards: Shards, model: str, say: Say) -> Answer:
    """List from shards that have read their cells."""
    players = polars.concat(shards.each("players")).group_by("player").agg(polars.all().sum()).sort("player")
    names = players["player"].to_numpy().astype(np.str_)
    if names.size < _FEWEST:
        raise GameTableError(str(files[0]), f"cells of at least {_FEWEST} players", f"{names.size}")
    count = int(players.select("wins", "draws", "losses").sum().sum_horizontal().item()) // 2
    say(f"{files[0].name}: {count:,} games among {names.size:,} players")
    printed = np.where(players["rated"] > 0, players["rating_sum_elo"] / np.maximum(players["rated"], 1), np.nan)
    name, why = (_suggested(players, printed, count), " (--model selects another)") if model == AUTO else (model, "")
    say(f"model {name}{why}")
    declared = declare(name, _few_games(names, printed, players, are_all=files))
    fits = ShardedFits(declared, names, shards)
    say(f"{fits.rows:,} cells in {len(shards.calls)} shards")
    fit = fits.fit()
    values, errors = fits.values(fit), fits.errors(fit)
    fixed, strength = declared.traits.by_scores, values["strength"]
    scale = float(declared.outcome.elo_per_natural(values.get("log_draw")))
    if fixed:
        level, sd = float(values["anchor_level"]) * ELO_PER_NATURAL, errors["strength"]
        rating = level + (strength * ELO_PER_NATURAL - level) * scale / ELO_PER_NATURAL
        words = "Level fixed by the ratings in the cells"
    else:
        sd, rating = fits.deviations_about_mean(fit), scale * (strength - strength.mean())
        rated = ~np.isnan(printed)
        level = LEVEL_ELO if not rated.any() else float(printed[rated].mean() - rating[rated].mean())
        rating = rating + level
        words = f"No anchors: the average player has rating {level:.0f}"
    half = _QUANTILE * scale * sd
    frame = pd.DataFrame({"player": names, "rating_elo": rating, "sd_elo": scale * sd})
    frame = frame.assign(low_elo=rating - half, high_elo=rating + half)
    frame = frame.assign(**{key: players[key].to_numpy().astype(np.int64) for key in ("wins", "draws", "losses")})
    frame["games"], frame["score"] = frame[["wins", "draws", "losses"]].sum(axis=1), frame["wins"] + frame["draws"] / 2
    if not np.isnan(printed).all():
        frame = frame.assign(printed_elo=printed, less_printed_elo=rating - printed)
    simulated = any(map(are_simulated, files))
    lead = _shared(declared.outcome, declared.traits.draws, values, errors, scale)
    shared = first_move_and_draws_in_words(lead)
    pulled = "The cells have no ratings: if players choose opponents of similar strength, estimates are shrunk too far"
    normal = f"Intervals of {MASS:.0%} are normal, at the estimates of spread and draw rate, and pointwise"
    about = {
        "title": f"{names.size:,} players rated by {name} on {count:,} {'SIMULATED ' * simulated}games",
        "model": name, "data": files[0].name, "sha256": "", "simulated": simulated,
        "verdict": f"approximate: closest normal of {declared.layout.count:,} parameters, without draws to check it by",
        "converged": True, "approximate": True, "level": words, "level_elo": level,
        "account": f"{count:,} games among {names.size:,} players", **lead, "shared": shared, "margins": "",
        "not_told": [], "time": "", "games": count, "cells": fits.rows, "shards": len(shards.calls),
        "bytes_sent": shards.sent, "bytes_received": shards.received, "steps": shards.steps,
        "note": ". ".join(filter(None, (words, shared, "" if fixed else pulled, normal))) + ".",
    }  # fmt: skip
    return Answer(RatingList.of_points(frame).frame, about)


def _shared(
    outcome: Outcome, draws: bool, values: dict[str, Floats], errors: dict[str, Floats], scale: float
) -> dict[str, object]:
    """First-move advantage and draw rate with intervals, like `first_move_and_draws` of a trace."""
    shared: dict[str, object] = {"advantage_elo": None, "draw_rate": None}
    for name, key in (("advantage", "advantage_elo"), ("log_draw", "draw_rate")):
        if name in values and (draws or name == "advantage"):
            estimates = values[name] + _QUANTILE * errors[name] * np.array([0.0, -1.0, 1.0])
            ends = estimates * scale if name == "advantage" else outcome.draw_rate(estimates)
            shared[key] = dict(zip(("mean", "low", "high"), map(float, ends), strict=True))
    return shared


def _suggested(players: polars.DataFrame, printed: Floats, count: int) -> str:
    """The name of the model for these cells."""
    stem = "davidson" if players["draws"].sum() else "bt"
    neutral = players["neutral"].sum()
    if neutral:
        return f"{stem}-population-{'even' if neutral == count else 'neutral'}"
    return f"{stem}-rated" if rates_by_print(printed) else f"{stem}-population"


def _few_games(names: Texts, printed: Floats, players: polars.DataFrame, are_all: Sequence[Path]) -> Selection:
    """A few games of all players, with every kind of result and seat."""
    pairs = np.argwhere(~np.eye(_FEW, dtype=np.bool_)).astype(np.int32)
    kinds = np.array([0.0, 1.0] if players["neutral"].sum() else [0.0])
    white, black = (np.tile(pairs[:, side], 3 * kinds.size) for side in range(2))
    games = len(pairs)
    score = np.tile(np.repeat([0.0, 0.5 if players["draws"].sum() else 1.0, 1.0], games), kinds.size)
    neutral = np.repeat(kinds, 3 * games)
    table = GameTable(
        names[:_FEW], white, black, score, name=are_all[0].name, source=str(are_all[0]),
        covariates={"neutral": neutral} if kinds.size > 1 else {},
    )  # fmt: skip
    unknown = np.full(len(table), np.nan)
    return _CellSelection(table, names, white, black, unknown, np.ones(len(table)), printed=printed)
