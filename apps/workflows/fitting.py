"""One model fitted to any games, and its prior predictive quantities."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path

import xarray as xr

from halfpoint.apps.workflows.answer import Answer
from halfpoint.apps.workflows.facts import require_shots
from halfpoint.apps.workflows.grid import edition_of
from halfpoint.apps.workflows.intake import games_from, reader_of, reading_notes
from halfpoint.apps.workflows.options import (
    Fitting,
    Games,
    ReadingContext,
    Run,
    Say,
    Wanted,
    no_progress,
    records_of,
    silent,
)
from halfpoint.evaluation.prior_checks import example_games, prior_table
from halfpoint.inference.effort_limits import METHODS, SAMPLING_SEED, Effort, Sampler
from halfpoint.inference.fit import fit as fit_by
from halfpoint.inference.trace_groups import pointwise_for, prior_before, require_groups, with_groups
from halfpoint.inference.traces.netcdf import write
from halfpoint.models.declaration.catalogue import AnyModel, declare, find, findable_name
from halfpoint.models.errors import ModelError
from halfpoint.models.games.atomic_write import require_disk
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.keywords import suggests_keywords
from halfpoint.models.games.ranges import require_word
from halfpoint.models.games.select import Selection, monitored_players, select
from halfpoint.models.games.single_files import files
from halfpoint.models.games.weights import weights_of
from halfpoint.models.games.winners_first import randomise_seats


@suggests_keywords
def fit(
    games: Games | Selection, model: AnyModel, out: str | Path | None = None, *, edition: str = "corrected",
    weights: str | None = None, half_life: float | None = None, monitor: Wanted = None, rule: str = "any",
    reader: Mapping[str, object] | None = None, groups: Sequence[str] = (), draws: int = 1000, tune: int = 200,
    chains: int = 4, seed: int = SAMPLING_SEED, sampler: Sampler = "nutpie", cores: int | None = None,
    method: str = "auto", force: bool = False, say: Say = silent, reading: ReadingContext = no_progress,
    progress: bool = False, verbose: bool = False, executor: Executor | None = None,
) -> xr.DataTree:  # fmt: skip
    """Fit one model of the catalogue to games, and write its trace.

    Parameters
    ----------
    games : str, Path, GameTable, DataFrame or Selection
        A file, or games in memory; a selection is used unchanged, and `monitor` and `rule` are ignored.
    model : str, callable or Model
        Name of the catalogue, or a function (games) -> pymc.Model.
    out : str or Path, optional
        NetCDF file for the trace.
    edition, weights, half_life, monitor, rule, reader, groups
        Model and games (`Fitting`).
    draws, tune, chains, seed, sampler, cores
        Sampling (`halfpoint.inference.effort_limits.Effort`).
    method, force, say, reading, progress, verbose, executor
        Method of `halfpoint.inference.fit` and progress reports (`halfpoint.apps.workflows.options.Run`).

    Returns
    -------
    DataTree
        The trace; its attribute `verdict` reports convergence.

    Raises
    ------
    HalfpointError
        If a name or an option is unknown, or the games cannot be used.

    Examples
    --------
    >>> from halfpoint import readers
    >>> from halfpoint.apps import workflows
    >>> copy = readers.replica()
    >>> tree = workflows.fit(copy.training, "davidson-common", monitor=copy.monitored, method="normal", draws=500)
    >>> tree.attrs["games"], tree.attrs["players"]
    (6807, 46)
    """
    return run_fit(games, findable_name(model), out, *records_of(locals(), Fitting, Effort, Run))


def run_fit(
    games: Games | Selection, model: str, out: str | Path | None, how: Fitting, effort: Effort, run: Run
) -> xr.DataTree:
    """Trace; arguments as in `fit`, options as records."""
    require_groups(how.groups)
    entry = find(model)
    chosen = edition_of(how.edition)
    if how.weights is not None and entry.weighted:
        raise ModelError(f"--weights: expected a model without weights of its own, found {model!r}")
    require_word("--rule", how.rule, ("any", "both"), GameTableError)
    run.require(METHODS)
    reads = (games, how.monitor, model.partition(".py:")[0] + ".py")
    with files({"--out": out}, reads=reads, force=run.force) as places:
        if isinstance(games, Selection):
            selection = games
        else:
            table = games_from(games, reader_of(games, how.reader, model))
            for note in reading_notes(table):
                run.say(note)
            table = randomise_seats(table, run.say)
            selection = select(table, monitored_players(how.monitor, table), "any" if how.rule == "any" else "both")
        if how.weights is not None:
            weight = weights_of(selection.games, how.weights, how.half_life)
            selection = selection.with_weights(weight, how.weights)
        if out is not None:
            room = effort.bytes_of_trace(selection.players.size, len(selection))
            require_disk(Path(out).resolve().parent, out, room, "--out")
        require_shots(model, selection.games)
        declared = declare(model, selection, chosen)
        pointwise, prior = pointwise_for(how.groups, None), prior_before(declared, how.groups, effort.seed)
        tree = fit_by(declared, run.method, effort, pointwise, run.say, progress=run.progress)
        if how.groups:
            tree = with_groups(tree, declared, how.groups, effort.seed, prior)
        if out is not None:
            write(tree, places.aside("--out", precious=True))
    return tree


def prior(model: AnyModel, edition: str = "corrected", games: Games | None = None) -> Answer:
    """Prior predictive quantities of a model, in Elo points and shares.

    Parameters
    ----------
    model : str, callable or Model
        Name of the catalogue, or a function (games) -> pymc.Model.
    edition : {"computed", "described", "corrected"}
        Edition of a model of the study.
    games : str, Path, GameTable or DataFrame, optional
        Games with the players and columns that a function of your own reads; their results are not used. By default
        invented games of four players.

    Returns
    -------
    Answer
        quantity, and one column per quantile (see `halfpoint.evaluation.prior_checks.prior_table`).
    """
    chosen = edition_of(edition)
    if games is None:
        selection = example_games()
    else:
        table = games_from(games, reader_of(games, None, findable_name(model)))
        selection = select(table, table.players)
    quantiles = prior_table(declare(model, selection, chosen))
    frame = quantiles.rename_axis("quantity").reset_index()
    return Answer(frame, {"title": f"Prior of {findable_name(model)}--{chosen}: quantiles before any game"})
