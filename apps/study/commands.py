"""`halfpoint study`, `report` and `criteria`: the study from its games to its tables and its page."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from halfpoint.apps.cli.options import Force, Quiet, command, options_of, sampling_options, word_option
from halfpoint.apps.cli.output import Answering, Traced, end
from halfpoint.apps.cli.scripting import AsJson, put_json
from halfpoint.apps.cli.terminal import console, put_table, say, table_of, timed_lines
from halfpoint.apps.cli.workers import Workers
from halfpoint.apps.study.options import Scope
from halfpoint.apps.workflows.options import Run
from halfpoint.inference.effort_limits import Effort
from halfpoint.models.games.errors import printable
from halfpoint.models.games.lists_in_text import words_in

if TYPE_CHECKING:
    from halfpoint.apps.study.run.run_study import StudyRun
    from halfpoint.apps.workflows.schemas.study import ReportRecord


_SCOPE = options_of(
    Scope(),
    without=("warn",),
    groups=word_option(
        "--with", help="Further groups, for ArviZ: posterior_predictive,prior,log_prior.", parser=words_in
    ),
)


@command("Research", 10)
def study(
    edition: Annotated[str, typer.Option(help="computed | described | corrected | all.")] = "computed",
    models: Annotated[
        str | None,
        typer.Option(
            help="Names of the catalogue, comma-separated, or FILE.py:NAME (runs the file); default: the twelve."
        ),
    ] = None,
    scope: Scope = _SCOPE,
    sampling: Effort = sampling_options(Effort(tune=1000)),
    where: Workers = Workers(),
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for traces, tables and summary.json.")] = Path(
        "runs/study"
    ),
    force: Annotated[
        bool, typer.Option("--force", help="Sample again, and replace files that halfpoint did not write.")
    ] = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Sample the study's models on its games and compare the results with the printed numbers."""
    from halfpoint.apps.study.run.run_study import run_edition

    heard = replace(scope, warn=partial(say, style="bold yellow"))
    run = Run(force=force, say=say, progress=not quiet)
    if as_json:
        aside = timed_lines(aside=True)
        heard, run = replace(scope, warn=aside), Run(force=force, say=aside, progress=False)
    with where.executor(run.say) as executor:
        study_run = run_edition(out, edition, models, heard, sampling, replace(run, executor=executor))
    if as_json:
        put_json(study_run.record() | {"folder": printable(str(out))})
        end(study_run.about["verdict"])
        return
    for table in comparison(study_run):
        put_table(table)
    if not study_run.converged:
        console.print("Some models did NOT converge: do not use the figures of those rows.", style="bold red")
    end(study_run.about["verdict"])


def comparison(run: "StudyRun") -> list[Table]:
    """AICM of a run and the printed numbers, on the training games and on set A, as tables for the terminal."""
    from halfpoint.apps.study.last_screen import HEADS, VERDICT, last_screen

    tables = list[Table]()
    for part, screen in last_screen(run.frame, run.folder / "tables", bool(run.about["simulated"])).items():
        left, right = ([name for name in names if name in screen] for names in (("model", "edition"), HEADS))
        title = (
            run.title if not tables else f"{part}, by the same models{' SIMULATED' if run.about['simulated'] else ''}"
        )
        table = table_of(title, tuple(left), tuple(map(HEADS.__getitem__, right)), (VERDICT,) * (VERDICT in screen))
        for row in screen.to_dict("records"):
            numbers = [f"{cell:.1f}" if isinstance(cell, float) else cell for cell in map(row.__getitem__, right)]
            bad = "[red]NOT CONVERGED[/red]"
            verdict = [bad if row[VERDICT] == "NOT CONVERGED" else row[VERDICT]] if VERDICT in screen else []
            table.add_row(*(row[name] for name in left), *numbers, *verdict)
        tables.append(table)
    return tables


@command("Research", 11)
def report_command(
    folder: Annotated[Path, typer.Argument(help="Folder of a study run, with summary.json and tables/.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The page; default: report.html in the folder.")
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write the report of a study run as one HTML page."""
    from halfpoint.apps.study.page import read_summary, report

    page = report(folder, out, force)
    verdicts = [model["verdict"] for model in read_summary(folder / "summary.json")["models"]]
    if as_json:
        bad = [verdict for verdict in verdicts if not str(verdict).startswith("converged")]
        verdict = str([*bad, *verdicts, ""][0])
        record: ReportRecord = {"title": "Report", "report": printable(str(page)), "verdict": verdict}
        put_json(record)
    else:
        say(f"Report in {page}")
    end(*verdicts)


@command("Research", 3)
def claims_command(
    games: Annotated[
        list[Path] | None, typer.Argument(help="Files of rated games, each judged separately; the study's if none.")
    ] = None,
    football: Annotated[
        list[Path] | None, typer.Option(help="Football with goals, for FIFA's formula; may be repeated.")
    ] = None,
    answer: Answering = Answering(),
) -> None:
    """Judge the claims of the texts about ratings on public games: estimates, errors, verdicts."""
    from halfpoint.apps.pages.cells import Look
    from halfpoint.apps.study.text_claims import text_claims

    ends = {"low": 2, "high": 2}  # claims have units of their own
    look = Look(digits=2, short=("claim", "estimate", *ends, "games", "data", "verdict"), decimals=ends)
    reads = *(games or ()), *(football or ())
    answer.give(lambda _: replace(text_claims(games or None, football or None), look=look), *reads)


@command("Judge")
def criteria(
    traces: Annotated[list[Path], typer.Argument(help="NetCDF traces of the same games.")],
    evidence: Annotated[bool, typer.Option(help="Also the evidence, by bridge sampling.")] = True,
    answer: Traced = Traced(),
) -> None:
    """Print AIC, BIC, DIC, WAIC, LOO and the evidence of traces, with the purpose of each."""
    from halfpoint.apps.study import model_criteria

    answer.give(
        lambda _: model_criteria.criteria(traces, evidence), *traces,
    )  # fmt: skip
