"""The trace of a selection of games: reused if finished, else fitted; or an earlier trace, updated."""

import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import xarray as xr

from halfpoint.apps.workflows.answers import Trace, trace_from
from halfpoint.apps.workflows.executor import each
from halfpoint.apps.workflows.grid import find_reusable
from halfpoint.apps.workflows.intake import Account
from halfpoint.apps.workflows.options import USUAL_GAMES, Run, no_progress, silent
from halfpoint.apps.workflows.rating_page import PageData, page_data_of
from halfpoint.apps.workflows.updating import update_trace
from halfpoint.evaluation.predictive_checks import predictive_checks
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.fit import fit, is_interrupted
from halfpoint.inference.gaussian import MANY
from halfpoint.inference.traces.netcdf import write
from halfpoint.inference.traces.trace_record import constant_data_of
from halfpoint.models.declaration.catalogue import Edition, declare, find, sendable
from halfpoint.models.declaration.declared import Declared
from halfpoint.models.declaration.posterior_reader import reading_of
from halfpoint.models.declaration.trace_attributes import model_in, reads_in
from halfpoint.models.games.components import slowest_walk
from halfpoint.models.games.errors import GameTableError, printable
from halfpoint.models.games.pairings import by_results
from halfpoint.models.games.results import Results
from halfpoint.models.games.select import Selection
from halfpoint.models.games.table import GameTable
from halfpoint.models.language.model import is_own

AUTO = "auto"
_MANY_RARE = 0.25  # share of games of players with few, from which on pooling them matters
_CHAINED = 0.8  # second eigenvalue of meetings from which on intervals had too low coverage
_STANDING, _RATINGS = 12_000, 2_000_000  # independent draws: ends err by 0.02 of an sd; ratings that a trace may hold
_TRIAL = "normal"  # method of a row that another row replaces if its draws fail
_EDITION: Edition = "corrected"
_FILES = ("ratings.csv", "history.csv", "ratings.json", "report.html", "trace.nc")


@dataclass(frozen=True)
class Within:
    """Places of the files of one group: in the folder of results, or in a folder within it."""

    place: Results
    prefix: str

    @property
    def folder(self) -> Path:
        """Folder in the user's spelling."""
        return Path(self.place.shown) / self.prefix

    @property
    def files(self) -> list[str]:
        """Files of the group, as the folder of results names them."""
        return [f"{self.prefix}{name}" for name in _FILES]


def trace_gone_on(
    earlier: Trace, table: GameTable, model: str, settings: Effort, output: Within | None, account: Account, run: Run
) -> tuple[xr.DataTree, Selection]:
    """Trace updated with further games, written, and all its games."""
    from halfpoint.apps.workflows.updating import selection_of

    given, tree = None if model == AUTO else find(model), trace_from(earlier)
    if given is not None:  # which a trace of a user's function needs
        fitted = model_in(tree.attrs) if is_own(given) else None
        if fitted is None or fitted.function is not given.function or fitted.effects != given.effects:
            raise GameTableError("--from", "the model of the trace", f"--model {model}", "Leave --model out.")
    if output is not None:
        output.place.require(*output.files)
    tree = update_trace(tree, table, settings, replace(run, say=account.say))
    tree.attrs.setdefault("checks", "")
    if output is not None:
        write(tree, output.place.aside("trace.nc", precious=True))
    return tree, selection_of(tree)


@dataclass(frozen=True, eq=False)
class Job:
    """A group of players to rate: its games, the model, and where its files go."""

    selection: Selection
    model: str
    output: Within | None
    rungs: tuple[str, ...] = ()  # rows in place of the model, in their order, if its draws fail
    games_of_rungs: Selection | None = None  # if these are other games than those of the model

    @property
    def rows(self) -> tuple[str, ...]:
        """The model and the rows in its place."""
        return self.model, *self.rungs

    def games_of(self, row: str) -> Selection:
        """Games of the model or of a row in its place."""
        return self.selection if self.games_of_rungs is None or row not in self.rungs else self.games_of_rungs

    def request(self, settings: Effort, run: Run) -> str:
        """Text of all settings that determine the trace of these games."""
        rows = self.rows if run.method == AUTO else self.rows[:1]
        return json.dumps({"rows": rows, "method": run.method} | settings.as_record)


def traces_of(
    jobs: Sequence[Job], settings: Effort, account: Account, run: Run
) -> Iterator[tuple[xr.DataTree, PageData | None]]:
    """Yield the trace of each job: the finished one of these games, model and settings, or a new one.

    With an executor, workers also make the list and the players' data of the page, if there is one.
    """
    finished = [_finished_trace(job, settings, account, run) for job in jobs]
    alone = run.executor is None  # then a trace is on the disk before its list is made
    missing = [
        (job.selection, tuple(map(sendable, job.rows)), job.output is not None and not alone, job.games_of_rungs)
        for job, tree in zip(jobs, finished, strict=True)
        if tree is None
    ]
    say = account.tell if alone else silent
    shared = settings, replace(run, executor=None, reading=no_progress, progress=run.progress and alone, say=say)
    with closing(each(_fitted, shared, missing, run.executor, account.tell, "group")) as fitted:
        for job, tree in zip(jobs, finished, strict=True):
            listed = None
            if tree is None:
                tree, listed = next(fitted)
                if not is_interrupted(tree):  # else the same command samples again
                    tree.attrs["request"] = job.request(settings, run)
                if tree.attrs["sampling"]:
                    account.tell(f"{tree.attrs['model']}: {run.draws_text(tree.attrs['sampling'])}")
                if job.output is not None:
                    write(tree, job.output.place.aside(f"{job.output.prefix}trace.nc", precious=True))
            yield tree, listed


def _finished_trace(job: Job, settings: Effort, account: Account, run: Run) -> xr.DataTree | None:
    """Finished trace of these games, model and settings, if there is one."""
    output = job.output
    if output is None:
        return None
    name = f"{output.prefix}trace.nc"
    path = None if run.force else output.place.earlier(name)
    request = job.request(settings, run)
    tree = None
    if path is not None:
        tree = find_reusable(path, job.selection, job.rows, _EDITION, settings, request)
        if tree is None and job.games_of_rungs is not None:
            tree = find_reusable(path, job.games_of_rungs, job.rungs, _EDITION, settings, request)
    if tree is None or not same_games(tree, job.games_of(str(tree.attrs["model"]))):
        output.place.require(*output.files)
        return None
    note = "the finished trace of these games and settings is reused; --force samples again"
    account.tell(f"{printable(str(output.folder / 'trace.nc'))}: {note}")
    output.place.recognise(*output.files)
    output.place.stays(name)
    return tree


def _fitted(
    shared: tuple[Effort, Run], task: tuple[Selection, tuple[str, ...], bool, Selection | None]
) -> tuple[xr.DataTree, PageData | None]:
    """New trace of a group by the first of its rows whose draws pass, with its checks, and data of its page."""
    (settings, run), (selection, rows, page, games_of_rungs) = shared, task
    if run.method != "auto" or len(rows) == 1:
        tree = _fit(declare(rows[0], selection, _EDITION), settings, run)
    else:
        tree = _first_that_passes(selection, rows, settings, run, games_of_rungs)
    return tree, page_data_of(tree) if page else None


def _first_that_passes(
    selection: Selection, rows: Sequence[str], settings: Effort, run: Run, games_of_rungs: Selection | None = None
) -> xr.DataTree:
    """Trace by the first row whose draws pass; if none pass, of constant strengths by the requested method.

    Draws of a row that is too large for weights are final: a smaller row is not more certain of its own. So are draws
    that an interrupt ended.
    """
    trial, trees = replace(run, method=_TRIAL), dict[str, xr.DataTree]()
    others = selection if games_of_rungs is None else games_of_rungs
    for number, row in enumerate(rows):
        declared = declare(row, others if number else selection, _EDITION)
        small = declared.layout.count <= MANY  # then draws have weights, so that a verdict depends on these
        if number and not small:
            continue
        try:
            tree = trees[row] = _fit(declared, settings, trial)
        except InferenceError:
            continue
        if tree.attrs["converged"] or not small or is_interrupted(tree):
            break
    else:
        row = rows[min(1, len(rows) - 2)]
        if row in trees and trees[row].attrs["method"] == "moves":  # which the requested method would repeat
            tree = trees[row]
        else:
            tree = _fit(declare(row, others if row != rows[0] else selection, _EDITION), settings, run)
    tree.attrs["asked"] = run.method
    if row != rows[0]:
        words = f"the draws of {rows[0]} did not pass their checks, so that {row} is used: {_without(rows[0], row)}"
        words += f", on {len(others):,} of {len(selection):,} games" if len(others) < len(selection) else ""
        run.say(words)
        tree.attrs["checks"] = "\n".join(filter(None, (words, tree.attrs["checks"])))
    return tree


def _without(first: str, row: str) -> str:
    """Assumptions of a row that its first choice does not make, in words."""
    words = ["strengths are constant"] if "walk" in first and "walk" not in row else []
    nearness = {"matched", "chained"}
    if nearness & {*first.split("-")} and not nearness & {*row.split("-")}:
        words += ["opponents are not assumed to be of similar strength"]
    facts_of_rows = {"goals": "goals", "shots": "goals and shots", "points": "margins", "sets": "leads in sets"}
    for stem, facts in facts_of_rows.items():
        words += [f"{facts} are not used"] if first.startswith(stem) and not row.startswith(stem) else []
    return " and ".join(words)


def _fit(declared: Declared, settings: Effort, run: Run) -> xr.DataTree:
    """New trace of a model and its games, with its checks."""
    model = declared.spec.name
    if run.method == "nuts":
        run.say(f"{model}: {settings.chains} chains of {settings.tune} tuning and {settings.draws} kept draws")
    reads = declared.reads
    again = not reads.columns and declared.outcome.margin is None and not is_own(declared.spec)
    pointwise = 0 if again else None  # made again where it is asked for
    times, tell = _enough(declared.selection.players.size, settings), lambda line: run.say(f"{model}: {line}")
    tree = fit(declared, run.method, settings, pointwise, tell, times, progress=run.progress)
    tree.attrs["checks"] = "\n".join(_unlike_the_model(tree, declared))
    _lay_out(tree)
    return tree


def _lay_out(tree: xr.DataTree) -> None:
    """Make arrays contiguous, as from another process: rounding of sums depends on the order in memory."""
    for node in tree.subtree:
        for name in node.data_vars:
            array = node[str(name)]
            if isinstance(array.data, np.ndarray) and not array.data.flags.forc:
                array.data = np.ascontiguousarray(array.data)


def _enough(players: int, settings: Effort) -> int:
    """Multiple of the usual number of independent draws for stable interval ends, limited by the size of the trace.

    A requested number of draws is not multiplied.

    With n normal draws the ends of a 90% interval have a standard error of 2.1 standard deviations / sqrt n, of a 95%
    interval 2.7.
    """
    requested, usual = settings.draws * settings.chains, Effort()
    if (settings.draws, settings.chains) != (usual.draws, usual.chains):
        return 1
    return int(np.clip(min(_STANDING, _RATINGS // max(players, 1)) // requested, 1, None))


def _unlike_the_model(tree: xr.DataTree, declared: Declared) -> list[str]:
    """Deviations of the games from the model, a line each."""
    selection, lines = declared.selection, []
    played = selection.games_of_players
    seats = [selection.members(side) for side in (selection.white, selection.black)]
    few = ((who >= 0) & (played[who] < USUAL_GAMES) for who in seats)
    share = float(np.mean(np.logical_or(*(side.any(axis=1) for side in few))))
    exchangeable = declared.traits.pooled and "opponents_spread" not in tree["posterior"]
    if exchangeable and share >= _MANY_RARE and played.max() >= USUAL_GAMES:
        lines.append(
            f"{share:.0%} of the games are of players with fewer than {USUAL_GAMES}, pooled with all players: "
            "opponents of strong newcomers are rated too low. Add ratings (--anchors)"
        )
    alike = exchangeable and not declared.traits.by_scores and not by_results(selection.games).all()
    if alike and slowest_walk(selection, USUAL_GAMES) >= _CHAINED:
        lines.append(
            "few games or long chains connect some players, so pooling shrinks them too far if opponents are paired by "
            "strength or leagues seldom meet. Add ratings (--anchors), or use --model davidson-common, which does not "
            "pool"
        )
    if selection.weighting == "equal":
        checks = predictive_checks(reading_of(tree), declared.game_rows, selection.games.outcome)
        lines += [] if checks is None else checks.lines
    return lines


def same_games(tree: xr.DataTree, selection: Selection) -> bool:
    """True if a trace has exactly these games: players, colours, scores, anchors, weights and times.

    The file's hash is not enough: accepted names, dropped duplicates and filters change the games of one file. Columns
    that effects use are compared as well.
    """
    stored, expected = tree["constant_data"].to_dataset(), constant_data_of(selection, reads_in(tree.attrs))
    if set(stored.variables) != set(expected.variables):
        return False
    pairs = [(stored[name].to_numpy(), expected[name].to_numpy()) for name in expected.variables]
    pairs.append((tree["observed_data"]["score"].to_numpy(), selection.games.score))
    return all(
        np.array_equal(stored_values, values.astype(stored_values.dtype), equal_nan=stored_values.dtype.kind in "fM")
        for stored_values, values in pairs
    )
