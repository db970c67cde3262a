"""`halfpoint fit`, `summary` and `models`: one model on any games, and what a trace or a name stands for."""

from pathlib import Path
from typing import Annotated, Any

import typer

from halfpoint.cli.options import (
    Chains,
    Columns,
    DateFormat,
    Draws,
    Ignored,
    Quiet,
    Seed,
    Tune,
    editions_of,
    monitored_of,
    ranged,
    reader_options,
)
from halfpoint.cli.output import shown
from halfpoint.cli.terminal import console, say, table_of
from halfpoint.evaluation.tables import first_move_and_draws, first_move_and_draws_in_words, rating_list
from halfpoint.games.errors import GameTableError
from halfpoint.games.readers.read import read as read_games
from halfpoint.games.select import select
from halfpoint.games.weights import HALF_LIFE
from halfpoint.games.weights import weights as weigh
from halfpoint.inference.fit import METHODS
from halfpoint.inference.fit import fit as fit_by
from halfpoint.inference.sample import SEED
from halfpoint.inference.traces import read, write
from halfpoint.models.beyond import EXTENDED
from halfpoint.models.catalogue import MODELS, declare, find
from halfpoint.models.errors import ModelError
from halfpoint.workflows.level import levelled


def fit(
    games: Annotated[Path, typer.Argument(help="Games: CSV, PGN or the study's text format.")],
    model: Annotated[str, typer.Option(help="Name of the catalogue; see `halfpoint models`.")],
    out: Annotated[Path, typer.Option(help="NetCDF file for the trace.")],
    edition: Annotated[str, typer.Option(help="computed | described | corrected.")] = "corrected",
    weights: Annotated[str | None, typer.Option(help="Weights by name instead of the edition's own.")] = None,
    half_life: Annotated[
        float | None, ranged(HALF_LIFE, help="Half-life of exponential weights, in periods or days.")
    ] = None,
    monitor: Annotated[
        str | None, typer.Option(help="File of names, or N most active; everybody if not given.")
    ] = None,
    rule: Annotated[str, typer.Option(help="any: one monitored player is enough; both.")] = "any",
    method: Annotated[
        str, typer.Option(help="nuts | laplace | pathfinder | jax; the middle two are approximate.")
    ] = "nuts",
    columns: Columns = None,
    ignore: Ignored = None,
    date_format: DateFormat = None,
    draws: Draws = 1000,
    tune: Tune = 1000,
    chains: Chains = 4,
    seed: Seed = SEED,
    quiet: Quiet = False,
) -> None:
    """Fit one model to a file of games and write its trace."""
    entry = find(model)
    chosen = editions_of(edition)
    if len(chosen) != 1:
        raise ModelError("--edition: expected one edition, found 'all'")
    if weights is not None and entry.weighted:
        raise ModelError(f"--weights: expected a model without weights of its own, found {model!r}")
    if rule not in ("any", "both"):
        raise GameTableError("--rule", "any or both", repr(rule))
    table = read_games(games, **reader_options(columns, ignore, date_format))
    selection = select(table, monitored_of(monitor, table), "any" if rule == "any" else "both")
    if weights is not None:
        selection = selection.weighted(weigh(weights, selection.games.time, half_life), weights)
    known = [one for one in METHODS if one == method]
    if not known:
        raise ModelError(f"--method: expected {' | '.join(METHODS)}, found {method!r}")
    further: dict[str, Any] = {"progress": not quiet} if method == "nuts" else {}
    tree = fit_by(declare(model, selection, chosen[0]), known[0], draws, tune, chains, seed, **further)
    write(tree, out)
    say(f"{model}--{chosen[0]} on {len(selection)} games: {tree.attrs['verdict']}")
    say(f"Trace in {out}")


def summary(trace: Annotated[Path, typer.Argument(help="NetCDF trace.")]) -> None:
    """Print what a trace is, whether it converged, and its rating list."""
    tree = read(trace)
    attributes = tree.attrs
    simulated = " SIMULATED" if attributes["data_simulated"] else ""
    say(
        f"{attributes['model']}--{attributes['edition']}, weights {attributes['weighting']}, "
        f"on {attributes['data_name']}{simulated} ({attributes['games']} games, {attributes['players']} players)"
    )
    say(
        f"{attributes['verdict']}: R-hat {attributes['max_rhat']:.3f}, bulk ESS {attributes['min_ess_bulk']:.0f}, "
        f"tail ESS {attributes['min_ess_tail']:.0f}, {attributes['divergences']} divergences"
    )
    ratings, level = levelled(tree)
    say(f"{level}.")
    shared = first_move_and_draws_in_words(first_move_and_draws(tree["posterior"].to_dataset()))
    if shared:
        say(f"{shared}.")
    table = table_of(None, ("rank", "player"), ("rating", "sd", "95% HDI"))
    for rank, (player, mean, sd, low, high) in enumerate(rating_list(ratings).to_numpy().tolist(), 1):
        table.add_row(str(rank), shown(player), f"{mean:.1f}", f"{sd:.1f}", f"{low:.1f} to {high:.1f}")
    console.print(table)


def models(
    name: Annotated[str | None, typer.Argument(help="One model; all if not given.")] = None,
    prior: Annotated[
        bool, typer.Option("--prior", help="What the model's prior says, in Elo points and shares.")
    ] = False,
    edition: Annotated[str, typer.Option(help="computed | described | corrected; of the prior.")] = "corrected",
) -> None:
    """List the models of the catalogue, or say what the prior of one of them means before any game."""
    if prior:
        show_prior(name, edition)
        return
    table = table_of(None, ("name", "family", "White's advantage", "weighted by age", "in the study"))
    for entry in map(find, [name] if name else [*MODELS, *EXTENDED]):
        table.add_row(entry.name, entry.family, entry.advantage, "yes" if entry.weighted else "no", entry.study_name)
    console.print(table)


def show_prior(name: str | None, edition: str) -> None:
    """Print the prior table of one model."""
    from halfpoint.evaluation.prior_checks import example_games, prior_table

    if name is None:
        raise ModelError("--prior: expected the name of one model, found none; `halfpoint models` lists them")
    chosen = editions_of(edition)
    if len(chosen) != 1:
        raise ModelError("--edition: expected one edition, found 'all'")
    quantiles = prior_table(declare(name, example_games(), chosen[0]))
    table = table_of(
        f"Prior of {name}--{chosen[0]}: quantiles before any game", ("quantity",), tuple(quantiles.columns)
    )
    for quantity, values in quantiles.iterrows():
        table.add_row(str(quantity), *(f"{value:,.4g}" if abs(value) < 100 else f"{value:,.0f}" for value in values))
    console.print(table)
