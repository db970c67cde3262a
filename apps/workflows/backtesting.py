"""Backtests: rating systems and Bayesian models forecast each period from its past, scored on the same games."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import numpy as np

from halfpoint.apps.workflows.archive import gather_games, slow_games
from halfpoint.apps.workflows.backtest_answer import Backtest, BacktestPlan, Mask
from halfpoint.apps.workflows.backtest_run import FILES
from halfpoint.apps.workflows.backtest_run import run as roll
from halfpoint.apps.workflows.competitors import judged_by_all, with_competitors
from halfpoint.apps.workflows.entrants import bayesian, reference_of, require_columns, specs_of
from halfpoint.apps.workflows.grid import edition_of
from halfpoint.apps.workflows.intake import files_of, reader_of
from halfpoint.apps.workflows.options import (
    EVERY,
    Dates,
    Entrants,
    Games,
    ReadingContext,
    Run,
    Say,
    Wanted,
    no_progress,
    records_of,
    silent,
    words,
)
from halfpoint.evaluation.margin_tables import REFERENCE as MARGIN_REFERENCE
from halfpoint.evaluation.protocol import Choice
from halfpoint.evaluation.protocol import choice_file as chosen_before
from halfpoint.inference.effort_limits import SAMPLING_SEED, Effort, Sampler
from halfpoint.models.declaration.catalogue import LISTED, AnyModel, find
from halfpoint.models.declaration.outline import outline_of
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.keywords import suggests_keywords
from halfpoint.models.games.periods import concatenate, earliest_month, period_at, with_periods
from halfpoint.models.games.ranges import Every
from halfpoint.models.games.results import results
from halfpoint.models.games.select import monitored_players
from halfpoint.models.games.table import GameTable, Texts
from halfpoint.readers.datasets.fetch import dataset
from halfpoint.readers.datasets.replica import replica
from halfpoint.readers.datasets.study import games_2013, monitored_names, training_file
from halfpoint.readers.plain_rows import are_rows
from halfpoint.readers.read import detect
from halfpoint.systems.catalogue import SystemSpec

_MARGIN_MODEL = "margin-normal"  # reads margins beside results
_STUDY_FIRST_MONTH = "2010-01"
_FITTED = ("nuts", "normal")


_FEWEST_PERIODS = 3  # two for tuning, and one that is scored


def _of_shorter_periods(table: GameTable) -> str:
    """Remedy for a table with too few periods: shorter ones, if its dates have enough of them."""
    if table.date is None or np.isnat(table.date).any():
        return "Add later rounds, or a column of dates."
    spans: tuple[Every, ...] = ("week", "day")
    enough = (
        every
        for every in spans
        if np.unique(with_periods(replace(table, period=None), every).time).size >= _FEWEST_PERIODS
    )
    every = next(enough, None)
    return "Add games of other days." if every is None else f"Use shorter periods: --every {every}."


def first_period(how: Dates, table: GameTable) -> int:
    """First scored period of a table."""
    periods = np.unique(table.time)
    if how.begin is None and periods.size < _FEWEST_PERIODS:
        raise GameTableError(
            table.source,
            f"games of {_FEWEST_PERIODS} periods or more",
            f"{periods.size}",
            _of_shorter_periods(table),
        )
    begin = int(periods[max(_FEWEST_PERIODS - 1, min(12, periods.size // 3))]) if how.begin is None else how.begin
    if not isinstance(begin, str):
        return begin
    return int(begin) if begin.lstrip("-").isdecimal() else period_at(begin, table, EVERY[how.every])


@suggests_keywords
def backtest(
    games: Games | Sequence[Games], systems: str | Sequence[str] = "all",
    models: AnyModel | Sequence[AnyModel] | None = None, out: str | Path | None = None, *,
    reference: str | None = None, odds: str | Sequence[str] = (), forecasts: Games | Sequence[Games] = (),
    edition: str = "corrected", begin: int | str | None = None, every: str = "month", first_month: str | None = None,
    monitor: Wanted = None, time_control: Sequence[str] | None = None, data_dir: str | Path | None = None,
    reader: Mapping[str, object] | None = None, draws: int = 1000, tune: int = 200, chains: int = 4,
    seed: int = SAMPLING_SEED, sampler: Sampler = "nutpie", cores: int | None = None, method: str = "nuts",
    force: bool = False, say: Say = silent, reading: ReadingContext = no_progress, progress: bool = False,
    verbose: bool = False, executor: Executor | None = None,
) -> Backtest:  # fmt: skip
    """Forecast each period from earlier periods only, and score all forecasters on the same games.

    If fast and slow games are mixed, games not known to be fast are also fitted and judged separately,
    first. Parameters of the systems are tuned on the periods before `begin` and then fixed. An interrupted backtest
    resumes when it is called again with the same folder.

    Parameters
    ----------
    games : str, Path, GameTable or DataFrame, or a sequence of them
        A file, games in memory, or the words "study" (the study's games) and "replica" (simulated). Several files form
        one calendar, in any order.
    systems, models
        As in `halfpoint.apps.workflows.options.Entrants`.
    out : str or Path, optional
        Folder for forecasts.parquet, scores.csv, scores_by_period.csv, calibration.csv, figures, backtest.json and
        timing.json (seconds, the only file that differs between runs with one seed), for margins also margins.csv and
        margins_pit.csv; by default no file is written.
    reference, odds, forecasts, edition
        Other forecasters (`halfpoint.apps.workflows.options.Entrants`).
    begin, every, first_month, monitor, time_control, data_dir, reader
        Games and periods (`Dates`).
    draws, tune, chains, seed, sampler, cores
        Sampling (`halfpoint.inference.effort_limits.Effort`): draws and tune per chain and period, seed of the first
        fit.
    method, force, say, reading, progress, verbose, executor
        Method: nuts, or normal, the normal approximation, in which all players have parameters, always used for rows
        of the list; progress reports, and executor of systems (`halfpoint.apps.workflows.options.Run`).

    Returns
    -------
    Backtest

    Raises
    ------
    HalfpointError
        If a name or an option is unknown, there are too few periods, or the games of 2013 are requested for a model of
        the list that was not chosen before (`halfpoint.evaluation.protocol`).

    Examples
    --------
    >>> from halfpoint.apps import workflows
    >>> found = workflows.backtest("replica", "glicko", begin=30)
    >>> sorted(found.stretch()["system"])
    ['fide-rating', 'glicko']
    """
    return run_backtest(games, out, *records_of(locals(), Entrants, Dates, Effort, Run))


def run_backtest(
    games: Games | Sequence[Games], out: str | Path | None, who: Entrants, dates: Dates, effort: Effort, run: Run
) -> Backtest:
    """Scores; arguments as in `backtest`, options as records."""
    run.require(_FITTED)
    chosen = edition_of(who.edition)
    parts, further = _each_of(games), _each_of(who.forecasts)
    with ExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory()) if out is None else out
        reads = (*parts, *further, dates.monitor)
        place = stack.enter_context(results(folder, "backtest", FILES, reads=reads, force=run.force))
        if _source_name(parts) == "study":  # 2013 is a test set: nothing is scored on it by hindsight
            for model in (name for name in who.models_by_name if name in LISTED):
                Choice.from_file(chosen_before()).require(LISTED[model], dataset("study-2013").sha256)
        read_for = who.models_by_name + [_MARGIN_MODEL] * (MARGIN_REFERENCE in words(who.systems))
        table, later, names = timed_games(parts, dates, read_for, run.say)
        first = first_period(dates, table)
        table, competitors = with_competitors(table, who.odds, further)
        compared = reference_of(table, who.reference, who.models_by_name, competitors)
        begun = place.going_on_from(*(("rolled", "tuned", "slow") if out is not None else ()))
        plan = replace(_plan_of(table, later, names, first, begun), reference=compared)
        plan = judged_by_all(plan, competitors, run.say)
        sampled = None if run.method == "normal" else effort

        def with_specs(task_plan: BacktestPlan) -> tuple[BacktestPlan, list[SystemSpec]]:
            build = partial(
                bayesian, monitored=names, edition=chosen, effort=sampled, games=task_plan.games, first=first
            )
            return task_plan, specs_of(who.systems, who.models_by_name, task_plan.games, build, compared, competitors)

        work = [
            with_specs(task_plan)
            for task_plan in ([plan] if _source_name(parts) else [*_slow_alone(plan, run.say), plan])
        ]
        for task_plan, specs in work:
            require_columns(specs, task_plan.games)
        margins = {name: outline_of(find(name), table).outcome.margin for name in who.models_by_name if sampled is None}
        if bare := [name for name, margin in margins.items() if margin is not None and margin.forecast]:
            run.say(f"{', '.join(bare)}: scored by results only; use --method nuts to forecast margins")
        return roll(work, run.say, place, run.executor)


def _slow_alone(plan: BacktestPlan, say: Say) -> list[BacktestPlan]:
    """Plan of the slow games alone if there are fast ones as well, else empty."""
    split = slow_games(plan.games, plan.stretches[plan.main], say)
    if split is None:
        return []
    slow, kind = split
    names = {
        name: name.replace("all games", kind) if "all games" in name else f"{name}, {kind}" for name in plan.stretches
    }
    rows = np.flatnonzero(slow)
    stretches = {names[name]: mask[rows] for name, mask in plan.stretches.items() if mask[rows].any()}
    folder = plan.folder / "slow"
    return [
        replace(plan, games=plan.games.take(rows), stretches=stretches, main=names[plan.main], folder=folder, rows=rows)
    ]


def _each_of(games: Games | Sequence[Games]) -> list[Games]:
    """One or several files or tables as a list."""
    if isinstance(games, str) or not isinstance(games, Sequence) or are_rows(games):
        return [cast(Games, games)]
    return [cast(Games, part) for part in games]


def _source_name(games: Sequence[Games]) -> str:
    """The name of known games, study or replica; empty for files and tables."""
    words_given = [source for source in games if isinstance(source, str) and source in ("study", "replica")]
    if words_given and len(games) > 1:
        raise GameTableError(words_given[0], "this source alone", f"{len(games)} sources")
    files = [str(Path(source).resolve()) for source in games if isinstance(source, str | Path)]
    twice = next((file for file in files if files.count(file) > 1), None)
    if twice is not None:
        raise GameTableError(twice, "every file once", "this file twice")
    return words_given[0] if words_given else ""


def timed_games(
    games: Sequence[Games], dates: Dates, models: Sequence[str] = (), say: Say = silent
) -> tuple[GameTable, int | None, Texts]:
    """All games with periods, the first period of the later files (None if none), and the monitored players."""
    players: Texts | None = None
    source_name, form = _source_name(games), dict(dates.reader or {}).get("form")
    own_form = (
        "study"
        if source_name
        else next((kind for file in files_of(games) if (kind := detect(file, form)) in ("pgn", "study")), "")
    )
    if dates.reader and own_form:
        flag = f"--{next(iter(dates.reader)).replace('_', '-')}"
        raise GameTableError(flag, "a CSV or Parquet file", own_form.upper() if own_form == "pgn" else own_form)
    if source_name == "study":
        parts, players = [training_file(dates.data_dir), games_2013(dates.data_dir)], monitored_names()
    elif source_name == "replica":
        copy = replica()
        parts, players = [copy.training, copy.set_b], copy.monitored
    else:
        parts = [gather_games(games, lambda source: _columns_of(source, models, dates.reader), say, dates.time_control)]
    month = _STUDY_FIRST_MONTH if source_name else dates.first_month or earliest_month(*parts)
    timed = [with_periods(part, EVERY[dates.every], month) for part in parts]
    table = timed[0] if len(timed) == 1 else concatenate(*timed)
    if players is None or dates.monitor is not None:
        players = monitored_players(dates.monitor, table)
    return table, None if len(timed) == 1 else int(timed[1].time.min()), players


def _columns_of(games: Games, models: Sequence[str], reader: Mapping[str, object] | None) -> dict[str, Any]:
    """Options of a reader with the columns that the effects of any model require."""
    options: dict[str, Any] = dict(reader or {})
    for model in models:
        for key, names in reader_of(games, None, model).items():
            options[key] = names if names is True else tuple(dict.fromkeys([*options.get(key, ()), *names]))
    return options


def _plan_of(table: GameTable, later: int | None, names: Texts, first: int, folder: Path) -> BacktestPlan:
    """Sets of games to score: all games, games of monitored players, and the same two of the later file."""
    time = table.time
    monitored = np.isin(table.players, names)
    white, black = monitored[table.white], monitored[table.black]
    one_monitored, both_monitored = white | black, white & black
    end = int(time.max()) if later is None else later - 1
    earlier = (time >= first) & (time <= end)
    last = int(time[earlier].max()) if earlier.any() else end
    main = f"periods {first} to {last}, all games"
    stretches: dict[str, Mask] = {main: earlier}
    if not one_monitored.all():
        stretches[f"periods {first} to {last}, a monitored player"] = earlier & one_monitored
    if later is not None:
        stretches["later games, all"] = time >= later
        stretches["later games, a monitored player"] = (time >= later) & one_monitored
        stretches["later games, both monitored"] = (time >= later) & both_monitored
    nonempty = {name: mask for name, mask in stretches.items() if mask.any()}
    if main not in nonempty:
        raise GameTableError("--from", f"a period up to {int(time[time <= end].max(initial=1))}", str(first))
    return BacktestPlan(table, first, nonempty, main, names, folder)
