"""`halfpoint study`: the study from its games to its tables."""

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from halfpoint.cli.options import Chains, Draws, Quiet, Seed, Tune, editions_of, names_of
from halfpoint.cli.place import writes_alone
from halfpoint.cli.report import write_report
from halfpoint.cli.terminal import console, say, table_of
from halfpoint.games.atomic_write import write_json
from halfpoint.games.errors import HalfpointError
from halfpoint.games.select import Selection
from halfpoint.games.weights import weights
from halfpoint.inference.sample import SEED
from halfpoint.models.beyond import EXTENDED
from halfpoint.models.catalogue import MODELS, Edition
from halfpoint.models.covariates import design
from halfpoint.models.errors import ModelError
from halfpoint.study.printed.files import printed_neg_mean_loglik
from halfpoint.study.run.games import StudyGames, study_games
from halfpoint.study.run.tables import data_record, model_record, reference_records, run_record, write_tables
from halfpoint.workflows.cluster import check_address
from halfpoint.workflows.grid import Settings, fan_out, sample_grid


@writes_alone
def study(
    edition: Annotated[str, typer.Option(help="computed | described | corrected | all.")] = "computed",
    models: Annotated[str | None, typer.Option(help="Names separated by commas; the twelve if not given.")] = None,
    data_dir: Annotated[Path | None, typer.Option(help="Folder with the study's games.")] = None,
    use_replica: Annotated[bool, typer.Option("--replica", help="Use the simulated replica.")] = False,
    draws: Draws = 1000,
    tune: Tune = 1000,
    chains: Chains = 4,
    seed: Seed = SEED,
    out: Annotated[Path, typer.Option(help="Folder for traces, tables and summary.json.")] = Path("runs/study"),
    extended: Annotated[
        bool, typer.Option("--extended", help="Also the models beyond the study (half an hour).")
    ] = False,
    scheduler: Annotated[
        str | None, typer.Option(help="Address of a Dask scheduler, tcp://host:port; its workers sample.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Sample again what is already there.")] = False,
    quiet: Quiet = False,
) -> None:
    """Sample the study's models on its games and set the results beside the printed numbers."""
    check_address(scheduler)
    settings = Settings(draws, tune, chains, seed)
    editions = editions_of(edition)
    names = names_of(models, list(MODELS))
    games = study_games(data_dir, use_replica, partial(say, style="bold yellow"))
    selection = games.training
    runs = [(name, one) for one in editions for name in names]
    if extended:
        runs += [(name, editions[-1] if editions[-1] != "computed" else "corrected") for name in beyond(selection)]
    if scheduler is not None:
        if force:
            raise HalfpointError(
                "--force: expected no --scheduler beside it, whose tasks are done once; empty the folder"
            )
        for end in fan_out(selection, runs, settings, out, scheduler):
            if end.fault:
                raise HalfpointError(f"{end.path.name}: expected a trace from the scheduler, found {end.fault}")
            say(f"{end.path.stem}: {'was there' if end.reused else 'sampled by a worker'}")
    records, traces = [], []
    for tree, reused in sample_grid(selection, runs, settings, out, force, progress=not quiet):
        record = model_record(tree)
        records.append(record)
        traces.append(tree)
        done = "reused" if reused else f"{record['seconds_compile']:.1f} s + {record['seconds_sample']:.1f} s"
        say(f"{record['name']}--{record['edition']}: {record['verdict']} ({done})")
    summary = {
        "data": data_record(selection),
        "run": run_record(traces),
        "models": records,
        "references": reference_records(selection, edition_weights(games, editions)),
    }
    write_json(summary, out / "summary.json")
    console.print(comparison(summary))
    for line in write_tables(traces, games, out):
        say(line)
    say(f"Report in {write_report(out)}")
    say(f"Traces in {out / 'traces'}, tables in {out / 'tables'}, summary in {out / 'summary.json'}")
    if not all(record["converged"] for record in records):
        console.print("Some models did NOT converge: the figures of those rows are not to be used.", style="bold red")


def beyond(selection: Selection) -> list[str]:
    """Return the names of the models beyond the study that the games allow; say which they do not."""
    allowed = []
    for name, entry in EXTENDED.items():
        try:
            design(entry.formulas, selection.games)
        except ModelError as error:
            say(f"{name} left out: {error}")
        else:
            allowed.append(name)
    return allowed


def edition_weights(games: StudyGames, editions: list[Edition]) -> dict[str, Any]:
    """Return the weights of the games that the editions use, by name."""
    names = ["computed" if edition == "computed" else "recency" for edition in editions]
    return {name: weights(name, games.training.games.time) for name in dict.fromkeys(names)}


def comparison(summary: dict[str, Any]) -> Table:
    """Return the comparison of a summary with the printed numbers, as a table for the terminal."""
    data = summary["data"]
    simulated = " SIMULATED, not the study's games" if data["simulated"] else ""
    title = f"{data['name']}: {data['games']} games, {data['players']} players{simulated}"
    numbers = ("-mean log L", "printed", "sd", "AICM", "as printed", "R-hat", "bulk ESS")
    table = table_of(title, ("model", "edition"), numbers, ("verdict",))
    for one in summary["models"]:
        printed = None if data["simulated"] else printed_neg_mean_loglik(one["name"])
        table.add_row(
            one["name"],
            one["edition"],
            f"{one['neg_mean_loglik']:.1f}",
            "" if printed is None else f"{printed:.1f}",
            f"{one['sd_loglik']:.1f}",
            f"{one['aicm']:.1f}",
            f"{one['aicm_printed']:.1f}",
            "" if one["max_rhat"] is None else f"{one['max_rhat']:.3f}",
            "" if one["min_ess_bulk"] is None else f"{one['min_ess_bulk']:.0f}",
            "converged" if one["converged"] else "[red]NOT CONVERGED[/red]",
        )
    return table
