"""The main job: sample the study's models on its games, and compare the results with the printed numbers."""

import json
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr
from threadpoolctl import threadpool_limits

from halfpoint.apps.study.options import Scope
from halfpoint.apps.study.page import TABLES, report_of
from halfpoint.apps.study.printed.files import printed_neg_mean_loglik
from halfpoint.apps.study.run.games import study_games
from halfpoint.apps.study.run.rows import allowed_runs, runs_of
from halfpoint.apps.study.run.tables import data_record, model_record, reference_records, run_record, write_tables
from halfpoint.apps.workflows.answer import Answer, put_page
from halfpoint.apps.workflows.grid import editions_of, sample_grid, trace_name
from halfpoint.apps.workflows.options import ReadingContext, Run, Say, no_progress, records_of, silent
from halfpoint.inference.effort_limits import LONG, SAMPLING_SEED, Effort, Sampler
from halfpoint.inference.trace_groups import require_groups
from halfpoint.models.games.atomic_write import read_json, require_disk
from halfpoint.models.games.result_record import TIMING
from halfpoint.models.games.results import results

_FILES = ("summary.json", TIMING, "report.html", "figures/figures.json", *(f"tables/{name}.csv" for name in TABLES))
_SECONDS = ("seconds_compile", "seconds_sample")


@dataclass(frozen=True, eq=False, repr=False)
class StudyRun(Answer):
    """Results of a run of the study.

    Parameters
    ----------
    frame : DataFrame
        One row per model and edition: name, edition, neg_mean_loglik, printed (table 7), sd_loglik, aicm, aicm_printed,
        max_rhat, min_ess_bulk, converged.
    about : dict
        title, verdict, data, simulated.
    """

    summary: dict[str, Any]  #: content of summary.json
    traces: list[xr.DataTree]  #: the posteriors
    folder: Path  #: where traces, tables, figures, summary.json and report.html are

    @property
    def converged(self) -> bool:
        """True if every model converged."""
        return all(record["converged"] for record in self.summary["models"])


def run_study(
    out: str | Path = "runs/study", edition: str = "computed", models: str | Sequence[str] | None = None, *,
    data_dir: str | Path | None = None, replica: bool = False, extended: bool = False, groups: Sequence[str] = (),
    warn: Callable[[str], None] = warnings.warn, draws: int = 1000, tune: int = LONG.tune, chains: int = 4,
    seed: int = SAMPLING_SEED, sampler: Sampler = "nutpie", cores: int | None = None, method: str = "auto",
    force: bool = False, say: Say = silent, reading: ReadingContext = no_progress, progress: bool = False,
    verbose: bool = False, executor: Executor | None = None,
) -> StudyRun:  # fmt: skip
    """Sample the study's models on its games and compare the results with the printed numbers.

    Parameters
    ----------
    out : str or Path
        Folder for traces, tables, figures, summary.json and report.html. Finished traces are reused.
    edition : {"computed", "described", "corrected", "all"}
        Edition of the priors and weights.
    models : str or sequence of str, optional
        Names, separated by commas or in a sequence; the twelve by default. A row beyond the study is sampled once, in
        the last requested edition. Rows with requirements that the games do not meet are left out, and reported before
        sampling.
    data_dir, replica, extended, groups, warn
        Extent of the run (`Scope`).
    draws, tune, chains, seed, sampler, cores
        Sampling (`halfpoint.inference.effort_limits.Effort`), by default with 1,000 tuning draws.
    method, force, say, reading, progress, verbose, executor
        Reuse of finished results and progress reports (`halfpoint.apps.workflows.options.Run`).

    Returns
    -------
    StudyRun

    Raises
    ------
    HalfpointError
        If a name or an option is unknown, the games allow none of the models, or another process writes to the folder.

    Examples
    --------
    >>> from halfpoint.apps import study
    >>> found = study.run_study("runs/study", replica=True)  # doctest: +SKIP
    >>> found.frame[["name", "neg_mean_loglik", "printed"]]  # doctest: +SKIP
    """
    return run_edition(out, edition, models, *records_of(locals(), Scope, Effort, Run))


def run_edition(
    out: str | Path, edition: str, models: str | Sequence[str] | None, scope: Scope, effort: Effort, run: Run
) -> StudyRun:
    """Run of the study; arguments as in `run_study`, options as records."""
    effort.require_intervals()
    require_groups(scope.groups)
    with (
        threadpool_limits(1, user_api="blas"),  # small matrices: more threads wait for one another
        results(out, "study", _FILES, force=run.force, keeps=("traces/",)) as place,
    ):
        folder = Path(out)
        editions = editions_of(edition)
        requested = runs_of(models, editions, scope.extended)
        games = study_games(None if scope.data_dir is None else Path(scope.data_dir), scope.replica, scope.warn)
        selection = games.training
        runs = allowed_runs(requested, games, run.say)
        place.require(*(trace_name(name, edition) for name, edition in runs))
        room = len(runs) * effort.bytes_of_trace(selection.players.size, len(selection))
        require_disk(place.folder, place.shown, room, "--out")
        records, traces, seconds = [], [], _seconds_before(place.earlier(TIMING))
        for tree, reused in sample_grid(selection, runs, effort, place, run, scope.groups):
            record = model_record(tree)
            records.append(record)
            traces.append(tree)
            parts, name = {key: tree.attrs.get(key) for key in _SECONDS}, f"{record['name']}--{record['edition']}"
            seconds |= {} if reused else {name: parts}
            spent = "reused" if reused else " + ".join(f"{value:.1f} s" for value in parts.values())
            longer = f"; {tree.attrs['sampling']}" if tree.attrs.get("sampling") else ""
            run.say(f"{name}: {record['verdict']} ({spent}){longer}")
        summary = {
            "data": data_record(selection),
            "run": run_record(traces),
            "models": records,
            "references": reference_records(selection.games, editions),
        }
        place.text("summary.json", json.dumps(summary, indent=1, allow_nan=False) + "\n")
        names = [f"{record['name']}--{record['edition']}" for record in records]
        place.text(TIMING, json.dumps({name: seconds[name] for name in names if name in seconds}, indent=1) + "\n")
        study_run = StudyRun(*comparison(summary), summary, traces, folder)
        lines = write_tables(traces, games, place)
        put_page(place, "report.html", report_of(place.folder, place.at_end))
    for line in lines:
        run.say(line)
    run.say(f"Report in {folder / 'report.html'}")
    run.say(f"Traces in {folder / 'traces'}, tables in {folder / 'tables'}, summary in {folder / 'summary.json'}")
    return study_run


def _seconds_before(path: Path | None) -> dict[str, dict[str, object]]:
    """Seconds of reused traces, by model and edition, from timing.json of an earlier run; empty if unreadable."""
    with suppress(OSError, LookupError, TypeError, ValueError, AttributeError):
        if path is not None:
            return {name: {key: float(parts[key]) for key in _SECONDS} for name, parts in read_json(path).items()}
    return {}


def comparison(summary: dict[str, Any]) -> tuple[pd.DataFrame, dict[str, object]]:
    """The comparison of a summary with the printed numbers, and its metadata."""
    data = summary["data"]
    simulated = " SIMULATED, not the study's games" if data["simulated"] else ""
    keys = ["name", "edition", "neg_mean_loglik", "sd_loglik", "aicm", "aicm_printed", "max_rhat", "min_ess_bulk"]
    frame = pd.DataFrame([{key: record[key] for key in [*keys, "converged"]} for record in summary["models"]])
    printed = [None if data["simulated"] else printed_neg_mean_loglik(name) for name in frame["name"]]
    frame.insert(3, "printed", pd.Series(printed, dtype=np.float64))
    verdict = "converged" if frame["converged"].all() else "NOT CONVERGED: see the column converged"
    title = f"{data['name']}: {data['games']} games, {data['players']} players{simulated}"
    return frame, {"title": title, "verdict": verdict, "data": data["name"], "simulated": bool(data["simulated"])}
