"""Steps of a backtest: tune, roll and score each system, and write the results."""

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import numpy as np
import pandas as pd
import polars as pl

from halfpoint.apps.workflows.answer import as_csv, as_json_text, put_page, records
from halfpoint.apps.workflows.backtest_answer import Backtest, BacktestPlan, best_in_words
from halfpoint.apps.workflows.backtest_charts import came_true, lead_over_time, spread_of_margins
from halfpoint.apps.workflows.backtest_scores import PlanScores, best
from halfpoint.apps.workflows.entrants import PRIOR
from halfpoint.apps.workflows.executor import each_done
from halfpoint.apps.workflows.options import Say, silent
from halfpoint.evaluation.backtest_tables import JudgedForecasts, calibration, judge, left_out
from halfpoint.evaluation.margin_tables import margins_overall, pit_table
from halfpoint.evaluation.rolling import fingerprint, roll
from halfpoint.evaluation.tuning import Tuned, frozen_window, judged_games, tune
from halfpoint.models.declaration.record import record_of
from halfpoint.models.games.atomic_write import file_word, read_json, write_json
from halfpoint.models.games.errors import HalfpointError, count_noun
from halfpoint.models.games.polars_files import require_pool
from halfpoint.models.games.rating_system import RatingSystem
from halfpoint.models.games.result_record import TIMING
from halfpoint.models.games.results import Results
from halfpoint.models.games.sides import seats_named
from halfpoint.models.games.time_classes import counts_by_evidence
from halfpoint.systems.catalogue import SystemSpec

if TYPE_CHECKING:
    from halfpoint.inference.forecaster import Forecaster

type _Parts = Sequence[tuple[BacktestPlan, list[SystemSpec]]]
# forecasts, their calibration, metadata, lines for the terminal, and files for the folder of the plan, by name
type _Described = tuple[JudgedForecasts, pd.DataFrame | None, dict[str, object], list[str], dict[str, bytes]]
_TUNING_SWEEPS = 2  # of a grid, as a rule
_SILENT_SECONDS = 30.0  # longest silence of a backtest that can report progress
_MARK = ".run-"
_SHOWN = 5  # systems in a figure, the reference beside them
FILES = (
    "forecasts.parquet", "scores.csv", "scores_by_period.csv", "calibration.csv", "backtest.json", TIMING,
)  # fmt: skip


def tuned_before(plan: BacktestPlan, spec: SystemSpec) -> Tuned | None:
    """A system's tuned parameters from an earlier run on the same window, None if missing."""
    file = tuned_path(plan, spec)
    if not file.exists():
        return None
    try:
        saved = read_json(file)
        if saved["fingerprint"] != tuned_mark(plan, spec):
            return None
        settings = {name: float(value) for name, value in saved["settings"].items()}
        if settings.keys() != dict(spec.start).keys() or any(
            settings[name] not in (*values, spec.start.get(name)) for name, values in spec.grid.items()
        ):
            return None
        return Tuned(settings, float("nan") if saved["loss"] is None else float(saved["loss"]), int(saved["tried"]))
    except (OSError, OverflowError, ValueError, KeyError, TypeError, AttributeError):  # not the output of a run
        return None


def tuned_path(plan: BacktestPlan, spec: SystemSpec) -> Path:
    """File of a system's tuned parameters."""
    return plan.folder / "tuned" / f"{file_word(spec.name)}.json"


def tuned_mark(plan: BacktestPlan, spec: SystemSpec) -> str:
    """Hash of the games and of the search behind tuned parameters."""
    window = plan.games.take(frozen_window(plan.games, plan.first))
    return fingerprint(window, json.dumps([spec.name, dict(spec.grid), dict(spec.start)], sort_keys=True))


def tune_entrant(plan: BacktestPlan, spec: SystemSpec) -> Tuned:
    """Tuned parameters of a system, from an earlier run or tuned now and saved."""
    if (tuned := tuned_before(plan, spec)) is not None:
        return tuned
    window = plan.games.take(frozen_window(plan.games, plan.first))
    tuned = tune(window, spec.build, spec.grid, spec.start) if spec.grid else Tuned(dict(spec.start), float("nan"), 0)
    file = tuned_path(plan, spec)
    loss = None if np.isnan(tuned.loss) else tuned.loss
    record = {"fingerprint": tuned_mark(plan, spec), "settings": dict(tuned.settings)}
    _require_current(plan)
    write_json(record | {"loss": loss, "tried": tuned.tried}, file)
    return tuned


def _require_current(plan: BacktestPlan) -> None:
    """Raise `HalfpointError` in a task of a run that has ended: its folder may belong to a later run."""
    if not plan.is_current:
        raise HalfpointError("backtest: the run of this task has ended")


def _mark_of(spec: SystemSpec, tuned: Tuned, built: RatingSystem) -> str:
    """Identifier of a system's forecasts under these settings."""
    about = [spec.name, spec.title, dict(tuned.settings), _effort_of(built), version("halfpoint")]
    return json.dumps(about, sort_keys=True)


def run_one(
    plan: BacktestPlan, spec: SystemSpec, progress: Callable[[int], None] | None = None
) -> tuple[JudgedForecasts, Tuned, Any]:
    """One system's forecasts of all games, resumed from an earlier run, and its tuned parameters."""
    tuned = tune_entrant(plan, spec)
    built: RatingSystem = spec.build(tuned.settings)
    path = plan.folder / "rolled" / f"{file_word(spec.name)}.npz"  # of its forecasts and state
    mark = _mark_of(spec, tuned, built)
    rolled = roll(plan.games, built, path, mark, progress, before=lambda: _require_current(plan))
    before = frozen_window(plan.games, plan.first)
    fitted = np.zeros(len(plan.games), dtype=np.bool_)
    fitted[np.flatnonzero(before)[judged_games(plan.games.take(before))]] = True
    return judge(spec.name, spec.title, plan.games, rolled, fitted), tuned, built


def _progress_of(plan: BacktestPlan, spec: SystemSpec, say: Say) -> Callable[[int], None]:
    """Progress reporter: a line for each scored period of a model, and every half minute for systems."""
    begun = last = time.perf_counter()

    def done(period: int) -> None:
        nonlocal last
        in_period, moment = plan.games.time == period, time.perf_counter()
        if period < plan.first or (spec.begins != PRIOR and moment - last < _SILENT_SECONDS):
            return
        last = moment
        day = None if plan.games.date is None else plan.games.date[in_period].min()
        when = f"period {period}" if day is None or np.isnat(day) else f"period {period} (from {day})"
        say(f"{spec.name}: {when}, {count_noun(int(in_period.sum()), 'game')}; {time.perf_counter() - begun:.0f} s")

    return done


def _model_of(built: RatingSystem) -> "Forecaster | None":
    """Forecaster of a Bayesian model; None for a rating system, which does without half a second of imports."""
    module = sys.modules.get("halfpoint.inference.forecaster")
    return built if module is not None and isinstance(built, module.Forecaster) else None


def _effort_of(built: RatingSystem) -> object:
    """Further settings of a forecaster: the sampling of a Bayesian model and its players."""
    model = _model_of(built)
    if model is None:
        return None
    if model.effort is None:
        return ["normal approximation", record_of(model.model), model.first]
    return [vars(model.effort), model.players.tolist(), list(vars(model.engine.convergence)), model.first]


def convergence(built: RatingSystem) -> dict[str, float] | None:
    """Convergence of the fits of a Bayesian model, None for a rating system."""
    model = _model_of(built)
    if model is None or not model.engine.convergence.fits:
        return None
    diagnosis = model.engine.convergence
    worst = {
        "worst_rhat": diagnosis.worst_rhat,
        "least_bulk_ess": diagnosis.least_ess,
        "divergences": diagnosis.divergences,
    }
    return {"fits": diagnosis.fits, "fits_above_thresholds": diagnosis.failed} | worst


def _convergence_in_words(diagnosis: dict[str, float] | None) -> str:
    """Convergence of the fits of a Bayesian model in words; empty for a rating system."""
    if diagnosis is None:
        return ""
    failed, fits, divergent = (int(diagnosis[key]) for key in ("fits_above_thresholds", "fits", "divergences"))
    return f"; {f'NOT CONVERGED in {failed} of' if failed else 'converged in all'} {fits} fits, {divergent} divergences"


def run(parts: _Parts, say: Say, place: Results, executor: Executor | None = None) -> Backtest:
    """Run all systems of each plan, make tables and page, and return the scores.

    The figures use the first plan; the long table uses the last plan, of all games.
    """
    plans = [plan for plan, _ in parts]
    require_pool()
    scores = [PlanScores(plan.games, plan.stretches, plan.main, plans[0].reference, plan.rows) for plan in plans]
    tasks = [(number, spec) for number, (_, specs) in enumerate(parts) for spec in range(len(specs))]
    costs = [cost_of(parts[number][0], parts[number][1][spec]) for number, spec in tasks]
    for plan in plans:
        plan.folder.mkdir(parents=True, exist_ok=True)
    record, curves = dict[int, dict[str, Any]](), dict[int, pd.DataFrame]()
    with ExitStack() as stack:
        shared: tuple[_Parts, Say | None] = (parts, say)
        if executor is not None:
            shared = [(replace(plan, mark=stack.enter_context(_marked(plan))), specs) for plan, specs in parts], None
        described = stack.enter_context(closing(each_done(_described, shared, tasks, executor, say, "system", costs)))
        for task, (forecasts, curve, about, lines, files) in described:
            number, _ = tasks[task]
            scores[number].add(forecasts)  # its tables are made while other systems run
            record[task] = about
            if curve is not None:
                curves[task] = curve
            for line in lines:
                say(line)
            for file, data in files.items():
                path = plans[number].folder / file
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
    for plan_scores, (_, specs) in zip(scores, parts, strict=True):
        plan_scores.in_order([spec.name for spec in specs])
    names = [parts[number][1][spec].name for number, spec in tasks]
    record_by_name = {names[task]: record[task] for task in range(len(tasks))}
    curve = pd.concat([curves[task] for task in sorted(curves)], ignore_index=True)
    return write(list(zip(plans, scores, strict=True)), curve, record_by_name, place, say)


@contextmanager
def _marked(plan: BacktestPlan) -> Iterator[Path]:
    """Mark this run in its folder, and end the tasks of earlier runs."""
    for mark in plan.folder.glob(f"{_MARK}*"):
        mark.unlink(missing_ok=True)
    path = plan.folder / f"{_MARK}{uuid4().hex}"
    path.touch()
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)


def cost_of(plan: BacktestPlan, spec: SystemSpec) -> float:
    """Relative cost of a system, in forecasts and updates of a game; models and the reference come first."""
    if spec.begins == PRIOR or spec.name == plan.reference:
        return float("inf")
    tuning = _TUNING_SWEEPS * sum(len(values) for values in spec.grid.values())
    return spec.cost * (len(plan.games) + tuning * int(frozen_window(plan.games, plan.first).sum()))


def _described(shared: tuple[_Parts, Say | None], task: tuple[int, int]) -> _Described:
    """Forecasts and metadata of one system, computed in this process or in a worker, which may have another disk."""
    (parts, say), (number, spec) = shared, task
    plan, specs = parts[number]
    lines, files = list[str](), dict[str, bytes]()
    with ExitStack() as stack:
        home = plan.folder if plan.is_current else Path(stack.enter_context(TemporaryDirectory()))
        local_plan = plan if home == plan.folder else replace(plan, folder=home, mark=None)
        forecasts, about = describe_forecasts(local_plan, specs[spec], say or lines.append, say or silent)
        if home != plan.folder:
            paths = [path for path in home.rglob("*") if path.is_file()]
            files = {path.relative_to(home).as_posix(): path.read_bytes() for path in paths}
    mask = plan.stretches[plan.main]
    # the figures are of the first plan
    is_drawn = number == 0 and bool((mask & ~np.isnan(forecasts.expected_score)).any())
    curve = calibration(plan.games, {forecasts.name: forecasts}, mask) if is_drawn else None
    return forecasts, curve, about, lines, files


def describe_forecasts(
    plan: BacktestPlan, spec: SystemSpec, say: Say, periods: Say
) -> tuple[JudgedForecasts, dict[str, object]]:
    """Forecasts and metadata of one system, reported in a line, and its periods while it runs."""
    begun = time.perf_counter()
    tuned = tune_entrant(plan, spec)
    tuning = time.perf_counter() - begun
    forecasts, _, built = run_one(plan, spec, _progress_of(plan, spec, periods))  # finds tuned parameters in its file
    frozen = ", ".join(f"{key} {value:g}" for key, value in tuned.settings.items())
    frozen = f"{frozen}, tuned in {tuning:.1f} s" if tuned.tried else frozen or "nothing to tune"
    how = convergence(built)
    say(f"{spec.name}: {frozen}{_convergence_in_words(how)}; {forecasts.seconds:.1f} s")
    return forecasts, {
        "title": spec.title,
        "settings": dict(tuned.settings),
        "tried": tuned.tried,
        "draws": forecasts.draws,
        "log_draw": None if np.isnan(forecasts.log_draw) else forecasts.log_draw,
        "begins": spec.begins,
        "source": spec.source,
        "convergence": how,
    }


def write(
    parts: Sequence[tuple[BacktestPlan, PlanScores]],
    curves: pd.DataFrame,
    record: Mapping[str, Any],
    place: Results,
    say: Say = silent,
) -> Backtest:
    """Make the long table, the scores and the figures; return the scores."""
    plan, full_plan, everybody = parts[0][0], parts[-1][0], parts[-1][1].systems
    games, reference = full_plan.games, plan.reference
    scores = pd.concat([plan_scores.overall() for _, plan_scores in parts], ignore_index=True)
    monthly = [plan_scores.by_period() for _, plan_scores in parts]
    names = best(scores, plan.main, _SHOWN, (reference,))
    margins = margins_overall(games, everybody, full_plan.stretches)
    pit = pit_table(games, everybody, full_plan.stretches[full_plan.main])
    simulated = " (SIMULATED games)" if games.simulated else ""
    titles = dict(zip(scores["system"], scores["title"], strict=True))
    first_seat = seats_named(games.seats).first
    charts = [lead_over_time(monthly[0], names, reference, titles), came_true(curves, names, titles, first_seat)]
    tables = {"scores": scores, "scores_by_period": pd.concat(monthly, ignore_index=True), "calibration": curves}
    if len(margins):
        tables |= {"margins": margins, "margins_pit": pit}
        if len(pit):
            charts.append(spread_of_margins(pit))
    # Made in memory: the writer of polars has its own words, and a panic, for a disk that is full.
    content = BytesIO()
    pl.concat([plan_scores.long_table() for _, plan_scores in parts], how="diagonal").write_parquet(
        content, compression_level=1
    )
    place.aside("forecasts.parquet").write_bytes(content.getvalue())
    for name, table in tables.items():
        place.text(f"{name}.csv", as_csv(table))
    about = {"data": games.name, "simulated": games.simulated, "games": len(games), "first_judged": plan.first}
    failed = [name for name, system in record.items() if (system["convergence"] or {}).get("fits_above_thresholds")]
    verdict = f"NOT CONVERGED: fits of {', '.join(failed)}" if failed else "converged"
    about |= {"reference": reference, "error_to_believe": "se_two_way", "verdict": verdict}
    lost = {
        name: lines for p, s in parts for name, lines in left_out(p.games, s.systems, p.stretches, p.monitored).items()
    }
    about["left_out"] = lost
    for name, lines in lost.items():
        for line in lines:
            say(f"{name}: {line}")
    classes = {n: counts_by_evidence(p.games.take(np.flatnonzero(m))) for p, _ in parts for n, m in p.stretches.items()}
    about["time_classes"] = classes if any("(" in words for words in classes.values()) else {}
    place.text("backtest.json", json.dumps(about | {"systems": dict(record)}, indent=1, allow_nan=False) + "\n")
    timing = pd.concat([plan_scores.timing() for _, plan_scores in parts], ignore_index=True)
    place.text(TIMING, as_json_text({"systems": records(timing)}))
    title = f"Backtest on {games.name}{simulated}, from period {plan.first} on"
    about["answer"] = best_in_words(scores[scores["set"] == plan.main], reference)
    answer = Backtest(scores, {"title": title} | about | {"systems": dict(record)}, plan, margins, timing, charts)
    put_page(place, "report.html", answer.page())
    return answer
