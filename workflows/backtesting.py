"""Backtests: rating systems and Bayesian models forecast each period from its past, scored on the same games."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from halfpoint.evaluation.margin_tables import REFERENCE as MARGIN_REFERENCE
from halfpoint.evaluation.protocol import Choice
from halfpoint.evaluation.protocol import chosen as chosen_before
from halfpoint.games.datasets.fetch import dataset
from halfpoint.games.datasets.replica import replica
from halfpoint.games.datasets.study import games_2013, monitored, training_file
from halfpoint.games.errors import GameTableError
from halfpoint.games.extras import require
from halfpoint.games.periods import Every, concatenate, earliest_month, period_at, with_periods
from halfpoint.games.results import results
from halfpoint.games.select import monitored_players
from halfpoint.games.table import GameTable, Texts
from halfpoint.inference.fitter import Effort
from halfpoint.models.catalogue import LISTED
from halfpoint.systems.catalogue import SystemSpec
from halfpoint.workflows.archive import gathered, slow_games
from halfpoint.workflows.backtest_run import FILES, Backtest, Mask, Plan, bayesian, reference_of, run, specs_of, words
from halfpoint.workflows.backtest_tasks import fan_out
from halfpoint.workflows.cluster import check_address
from halfpoint.workflows.competitors import judged_by_all, with_competitors
from halfpoint.workflows.grid import edition_of
from halfpoint.workflows.intake import Games, Say, Wanted, reader_of, unheard
from halfpoint.workflows.parts import judged_parts, parts_of

SLOW = "classical games"
MARGIN_MODEL = "margin-normal"  # reads margins beside results
STUDY_FIRST_MONTH = "2010-01"
FITTED = ("nuts", "normal")
EVERY: dict[str, Every] = {"month": "month", "week": "week", "day": "day"}


def backtest(
    games: Games | Sequence[Games],
    systems: str | Sequence[str] = "all",
    models: str | Sequence[str] | None = None,
    out: str | Path | None = None,
    *,
    reference: str | None = None,
    begin: int | str | None = None,
    every: str = "month",
    then: Games | None = None,
    first_month: str | None = None,
    monitor: Wanted = None,
    odds: str | Sequence[str] = (),
    forecasts: Games | Sequence[Games] = (),
    edition: str = "corrected",
    method: str = "nuts",
    draws: int = 1000,
    tune: int = 200,
    chains: int = 4,
    seed: int = 20140501,
    data_dir: str | Path | None = None,
    scheduler: str | None = None,
    time_control: Sequence[str] | None = None,
    ingredients: bool = False,
    force: bool = False,
    say: Say = unheard,
) -> Backtest:
    """Forecast each period from the past only, then learn it; score everybody on the same games.

    Of files in which fast and slow games are mixed, the slow ones are fitted and judged by themselves first. Numbers of
    the systems are tuned on the periods before `begin` and frozen. A backtest that was interrupted goes on where it
    stopped when it is called again with the same folder.

    Parameters
    ----------
    games : str, Path, GameTable or DataFrame, or a sequence of them
        A file, games in memory, or the words "study" (the study's games) and "replica" (simulated). Several files are
        one calendar, in whatever order they are given.
    systems : str or sequence of str
        Rating systems, separated by commas or in a sequence, or "all". The reference is always there.
    models : str or sequence of str, optional
        Bayesian models of the catalogue.
    out : str or Path, optional
        Folder for forecasts.parquet, scores.csv, scores_by_period.csv, calibration.csv, figures and backtest.json, of
        margins also margins.csv and margins_pit.csv; without it nothing is kept.
    reference : str, optional
        Who the others are set against: a system, or one of the models or competitors; the first competitor, else
        "fide-rating" where most games have both ratings, else "elo". Of margins it is "margin-rates".
    begin : int or str, optional
        First period that is judged, or a month (YYYY-MM) or day (YYYY-MM-DD) of it; those before it tune. By default
        after 12, or a third of them.
    every : {"month", "week", "day"}
        Period made from dates.
    then : str, Path, GameTable or DataFrame, optional
        Later games, judged by themselves.
    first_month : str, optional
        Month that is period 1, YYYY-MM.
    monitor : int, str, Path, sequence of str, optional
        Players with parameters in Bayesian models: the so many most active, a file of names, names.
    odds : str or sequence of str
        Beginnings of columns of decimal odds that end in H, D and A (home, draw, away), or three columns with a slash
        between them. Each is two competitors: the margin taken out in proportion, and by Shin's method.
    forecasts : str, Path, GameTable or DataFrame, or a sequence of them
        Probabilities of others, each a competitor: columns loss, draw and win beside players and date or period.
    edition : {"computed", "described", "corrected"}
        Edition of the study's models.
    method : {"nuts", "normal"}
        How Bayesian models are fitted. By "normal", their normal approximation, everybody has parameters; rows of the
        list are fitted so whatever is asked.
    draws, tune, chains, seed
        Of models that are sampled: draws kept a chain and period, tuning draws a chain and period, chains, first seed.
    data_dir : str or Path, optional
        Folder with the study's games.
    scheduler : str, optional
        Address of a Dask scheduler, "tcp://host:port"; each forecaster is a task. Needs `out`.
    time_control : sequence of str, optional
        Keep games of these classes only (PGN): classical, rapid, blitz, bullet, unknown.
    ingredients : bool
        Whether to judge the first model of the list without each of its ingredients, and the bare list with each alone
        (parts.csv).
    force : bool
        Replace files that are not of an earlier run.
    say : callable
        Gets a line for each forecaster that is done.

    Returns
    -------
    Backtest

    Raises
    ------
    HalfpointError
        If a name or an option is unknown, there are too few periods, or a model of the list is asked for the games of
        2013 that was not chosen before (`halfpoint.evaluation.protocol`).

    Examples
    --------
    >>> from halfpoint import workflows
    >>> found = workflows.backtest("replica", "glicko", begin=30)
    >>> sorted(found.stretch()["system"])
    ['fide-rating', 'glicko']
    """
    check_address(scheduler)
    require("matplotlib", "figures of a backtest")
    parts, further = each_of(games), each_of(forecasts)
    if out is None and scheduler is not None:
        raise GameTableError("scheduler", "a folder (out) that all machines share", "none")
    with ExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory()) if out is None else out
        place = stack.enter_context(
            results(folder, "backtest", FILES, reads=(*parts, *further, then, monitor), force=force)
        )
        if every not in EVERY:
            raise GameTableError("--every", " | ".join(EVERY), repr(every))
        if method not in FITTED:
            raise GameTableError("--method", " | ".join(FITTED), repr(method))
        chosen = edition_of(edition)
        asked = words(models or ())
        if word_of(parts) == "study":  # 2013 is a test set: nothing is scored on it by hindsight
            for model in (name for name in asked if name in LISTED):
                Choice.read(chosen_before()).require(LISTED[model], dataset("study-2013").sha256)
        read_for = asked + [MARGIN_MODEL] * (MARGIN_REFERENCE in words(systems))
        table, later, names = timed_games(
            parts, then, EVERY[every], first_month, data_dir, monitor, read_for, say, time_control
        )
        periods = np.unique(table.time)
        first = int(periods[min(12, periods.size // 3)]) if begin is None else begin
        if isinstance(first, str):
            first = int(first) if first.lstrip("-").isdecimal() else period_at(first, table, EVERY[every])
        table, others = with_competitors(table, odds, further)
        compared = reference_of(table, reference, asked, others)
        plan = judged_by_all(
            replace(plan_of(table, later, names, first, place.folder), reference=compared), others, say
        )
        effort = None if method == "normal" else Effort(draws, tune, chains, seed)

        def with_specs(one: Plan) -> tuple[Plan, list[SystemSpec]]:
            def build(name: str) -> SystemSpec:
                return bayesian(name, names, chosen, effort, one.games, first)

            return one, specs_of(systems, models, one.games, build, compared, others)

        row = parts_of(asked) if ingredients else None
        work = [with_specs(one) for one in ([plan] if word_of(parts) else [*slow_alone(plan, say), plan])]
        if scheduler is not None:
            for one, specs in work:
                fan_out(one, [spec.name for spec in specs[len(others) :]], chosen, effort, scheduler, say)
        return run(work, say, place, None if row is None else lambda one, done: judged_parts(one, done, row, say))


def slow_alone(plan: Plan, say: Say) -> list[Plan]:
    """Return a plan of the slow games alone where fast ones are mixed with them, else nothing."""
    slow = slow_games(plan.games, plan.stretches[plan.main], say)
    if slow is None:
        return []
    names = {
        name: name.replace("all games", SLOW) if "all games" in name else f"{name}, {SLOW}" for name in plan.stretches
    }
    rows = np.flatnonzero(slow)
    stretches = {names[name]: mask[rows] for name, mask in plan.stretches.items() if mask[rows].any()}
    folder = plan.folder / "slow"
    return [replace(plan, games=plan.games.take(rows), stretches=stretches, main=names[plan.main], folder=folder)]


def each_of(games: Games | Sequence[Games]) -> list[Games]:
    """Return one or several files or tables as a list."""
    return [games] if isinstance(games, str) or not isinstance(games, Sequence) else list(games)


def word_of(games: Sequence[Games]) -> str:
    """Return the word that names games which halfpoint knows, study or replica; empty where they are files or tables.

    Raises
    ------
    GameTableError
        If it stands beside others, or a file is given twice.
    """
    words_given = [one for one in games if isinstance(one, str) and one in ("study", "replica")]
    if words_given and len(games) > 1:
        raise GameTableError(words_given[0], "no other games beside it", f"{len(games)} of them")
    files = [str(Path(one).resolve()) for one in games if isinstance(one, str | Path)]
    twice = next((one for one in files if files.count(one) > 1), None)
    if twice is not None:
        raise GameTableError(twice, "every file once", "this one twice")
    return words_given[0] if words_given else ""


def timed_games(
    games: Sequence[Games],
    then: Games | None,
    every: Every,
    first_month: str | None,
    data_dir: str | Path | None,
    monitor: Wanted,
    models: Sequence[str] = (),
    say: Say = unheard,
    time_control: Sequence[str] | None = None,
) -> tuple[GameTable, int | None, Texts]:
    """Return all games with periods, the first period of the later ones (None if there are none), and the monitored."""
    players: Texts | None = None
    known = word_of(games)
    if known == "study":
        parts, players = [training_file(data_dir), games_2013(data_dir)], monitored()
    elif known == "replica":
        copy = replica()
        parts, players = [copy.training, copy.set_b], copy.monitored
    else:
        files = [games] if then is None else [games, [then]]
        parts = [gathered(some, lambda one: columns_of(one, models), say, time_control) for some in files]
    month = STUDY_FIRST_MONTH if known else first_month or earliest_month(*parts)
    timed = [with_periods(part, every, month) for part in parts]
    table = timed[0] if len(timed) == 1 else concatenate(*timed)
    if players is None or monitor is not None:
        players = monitored_players(monitor, table)
    return table, None if len(timed) == 1 else int(timed[1].time.min()), players


def columns_of(games: Games, models: Sequence[str]) -> dict[str, Any]:
    """Return the options of a reader with the columns that the effects of any model ask for."""
    found: dict[str, Any] = {}
    for model in models:
        for key, names in reader_of(games, None, model).items():
            found[key] = names if names is True else tuple(dict.fromkeys([*found.get(key, ()), *names]))
    return found


def plan_of(table: GameTable, later: int | None, names: Texts, first: int, folder: Path) -> Plan:
    """Return what is judged together: all games, those of monitored players, and the same of the later file."""
    time = table.time
    white, black = np.isin(table.white_names, names), np.isin(table.black_names, names)
    some, both = white | black, white & black
    end = int(time.max()) if later is None else later - 1
    earlier = (time >= first) & (time <= end)
    last = int(time[earlier].max()) if earlier.any() else end
    main = f"periods {first} to {last}, all games"
    stretches: dict[str, Mask] = {main: earlier}
    if not some.all():
        stretches[f"periods {first} to {last}, a monitored player"] = earlier & some
    if later is not None:
        stretches["later games, all"] = time >= later
        stretches["later games, a monitored player"] = (time >= later) & some
        stretches["later games, both monitored"] = (time >= later) & both
    kept = {name: mask for name, mask in stretches.items() if mask.any()}
    if main not in kept:
        raise GameTableError("--from", f"a period up to {int(time.max())}", str(first))
    return Plan(table, first, kept, main, names, folder)
