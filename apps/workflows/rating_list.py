"""Rating lists from a file of games: choice of players, trace, list, page.

Trace, list and page are replaced together (`halfpoint.models.games.results`). An interrupted run leaves the files of
the previous run; if its sampling was finished, the next run uses its trace.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
import xarray as xr

from halfpoint.apps.pages.listing import Listing
from halfpoint.apps.workflows.answer import Answer, as_csv, as_json_text, convergence, put_page, records
from halfpoint.apps.workflows.answers import Trace
from halfpoint.apps.workflows.at_columns import usual_columns
from halfpoint.apps.workflows.beside.anchor_list import Anchored
from halfpoint.apps.workflows.contexts import lists_by_context
from halfpoint.apps.workflows.facts import require_shots, with_facts
from halfpoint.apps.workflows.groups_of_arviz import TraceForArviz
from halfpoint.apps.workflows.history import history_of, ratings_through_time
from halfpoint.apps.workflows.intake import Account, are_cells, files_of, reader_of, take_in
from halfpoint.apps.workflows.margins_of_list import margins_in_words, unit_of_margins
from halfpoint.apps.workflows.options import (
    FACTS,
    Games,
    Intake,
    ReadingContext,
    Run,
    Say,
    Wanted,
    no_progress,
    records_of,
    silent,
)
from halfpoint.apps.workflows.plots import Kind, plot
from halfpoint.apps.workflows.rating_page import PageData, people_of, rated_page, rating_listing
from halfpoint.apps.workflows.rows_by_pairings import by_pairings
from halfpoint.apps.workflows.suggest import (
    InTime,
    average_warning,
    choose_groups,
    in_time,
    ladder,
    of_now,
    suggest,
    warning,
    without_seats,
)
from halfpoint.apps.workflows.trace_list import list_from_trace, merge_inseparable, sentences, with_goals_and_form
from halfpoint.apps.workflows.trace_of_games import AUTO, Job, Within, trace_gone_on, traces_of
from halfpoint.evaluation.day_ratings import moves_by_days
from halfpoint.evaluation.rating_list import RatingList
from halfpoint.evaluation.statements import first_move_and_draws, first_move_and_draws_in_words
from halfpoint.inference.effort_limits import SAMPLING_SEED, Effort, Sampler
from halfpoint.inference.location import is_location_fixed
from halfpoint.models.declaration.catalogue import WITH, AnyModel, find, findable_name, split_effects
from halfpoint.models.declaration.outline import outline_of
from halfpoint.models.declaration.trace_attributes import reads_in, traits_in
from halfpoint.models.games.atomic_write import require_disk
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.keywords import suggests_keywords
from halfpoint.models.games.lazy_import import require
from halfpoint.models.games.results import results
from halfpoint.models.games.select import Selection

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_UNSEEN = 2.4  # median sd of a list that an unseen walk must pass to be reported


@dataclass(frozen=True, eq=False, repr=False)
class RatedPlayers(Answer):
    """Rating list of players, with its trace and metadata.

    `frame`: the list (`halfpoint.evaluation.rating_list.RatingList`), with `margin` for models of margins, and
    `converged`. `about`: title, model, data, sha256, simulated, verdict, converged, level and account in words, White's
    first move and draws (`halfpoint.evaluation.statements.first_move_and_draws`), shared: the first move and draws in
    words, not_told: players whose difference no game identifies, margins: in words for a model of margins, time: date
    of the ratings, in words.
    """

    ranking: RatingList  #: the list with its tiers
    trace: xr.DataTree  #: the draws, for `rank`, `match`, `forecast` and every other question
    selection: Selection  #: the games that the list is from, with who is anchored
    settings: Effort  #: how it was sampled
    folder: (
        Path | None
    )  #: where ratings.csv, history.csv, ratings.json, report.html and trace.nc are; None: nothing was written

    @cached_property
    def contexts(self) -> dict[str, pd.DataFrame]:
        """List in each context, for models with strengths by context (`halfpoint.apps.workflows.contexts`)."""
        return lists_by_context(self.trace, self.ranking.noun)

    def _listing(self) -> Listing:
        """List in the form of its page."""
        return rating_listing(self.frame, noun=self.ranking.noun)

    def record(self) -> dict[str, object]:
        """The list with metadata for JSON."""
        lists = {name: records(frame) for name, frame in self.contexts.items()}
        return super().record() | ({"contexts": lists} if lists else {})

    def plot(
        self, kind: Kind = "list", ax: "Axes | None" = None, players: str | Sequence[str] = (), *,
        most: int | None = None,
    ) -> "Axes":  # fmt: skip
        """Plot the list; arguments as in `halfpoint.apps.workflows.plot`."""
        return plot(self.trace, kind, ax, players, self.selection.games, most=most)

    @property
    def converged(self) -> bool:
        """True if the sampler converged; if not, a note suggests a remedy."""
        return bool(self.about["converged"])

    @property
    def note(self) -> str:
        """Level, first-move advantage, draw rate, verdict, and a remedy if the sampler did not converge."""
        parts = [self.about[name] for name in ("level", "time", "shared", "margins")]
        words = (*parts, *self.about["not_told"], f"Sampler: {Run().draws_text(self.about['verdict'])}")
        note = f"{'. '.join(filter(None, words))}. {self.ranking.intervals}"
        if self.trace.attrs.get("approximate"):
            note += " The approximation is not verified: --method nuts samples, which is slow for thousands of players."
        elif not self.converged:
            free = not is_location_fixed(self.trace) and not traits_in(self.trace.attrs).pooled
            longer = f"--draws {2 * self.settings.draws} --tune {2 * self.settings.tune}"
            what = "--model auto, which pools strengths" if free else longer
            what = "--method nuts, or a model with fewer spreads" if self.trace.attrs.get("method") == "moves" else what
            note += f" The numbers are not reliable: try {what}."
        return note


@suggests_keywords
def rate(
    games: Games, out: str | Path | None = None, model: AnyModel = AUTO, earlier: Trace | None = None,
    figures: bool = False, *, monitor: Wanted = None, min_games: int | None = None, rare: str = "auto",
    groups: str = "refuse", names: str | Path | None = None, drop_duplicates: bool = False, faulty: str = "error",
    time_control: Sequence[str] | None = None, fide_lists: Sequence[str | Path] = (), anchors: Anchored | None = None,
    facts: str = "auto", reader: Mapping[str, object] | None = None, draws: int = 1000, tune: int = 200,
    chains: int = 4,
    seed: int = SAMPLING_SEED, sampler: Sampler = "nutpie", cores: int | None = None, method: str = "auto",
    force: bool = False, say: Say = silent, reading: ReadingContext = no_progress, progress: bool = False,
    verbose: bool = False, executor: Executor | None = None,
) -> RatedPlayers:  # fmt: skip
    """Rate the players of a file of games, a table or a data frame.

    Parameters
    ----------
    games : str, Path, list of these, GameTable or DataFrame
        PGN, CSV, JSON, Parquet, TRF or the study's format, plain or compressed; several files form one table, such as
        one file per season; or games in memory.
    out : str or Path, optional
        Folder for ratings.csv, history.csv, ratings.json, report.html and trace.nc; by default no file is written. A
        finished trace of the same games and settings in the folder is reused.
    model : str, callable or Model
        A name of the catalogue, a function (games) -> pymc.Model, or "auto": the model that the games require
        (`halfpoint.apps.workflows.suggest`).
    earlier : str, Path or DataTree, optional
        A trace of `rate`, its file or folder, to update with the games (`halfpoint.apps.workflows.update`).
    figures : bool
        Also write list.png, pairs.png, places.png, games.png and, if strengths change, time.png.
    monitor, min_games, rare, groups, names, drop_duplicates, faulty, time_control, fide_lists, anchors, facts, reader
        Games and players (`halfpoint.apps.workflows.options.Intake`).
    draws, tune, chains, seed, sampler, cores
        Sampling (`halfpoint.inference.effort_limits.Effort`).
    method, force, say, reading, progress, verbose, executor
        Method, progress reports, and executor of groups (`halfpoint.apps.workflows.options.Run`).

    Returns
    -------
    RatedPlayers

    Raises
    ------
    HalfpointError
        If an option or a file is invalid, players cannot be compared, or `out` cannot be written to; the message is one
        line with the option of `halfpoint rate`.

    Examples
    --------
    >>> from halfpoint import readers
    >>> from halfpoint.apps import workflows
    >>> copy = readers.replica()
    >>> rated = workflows.rate(copy.training, model="davidson-common", monitor=copy.monitored, draws=200, tune=300)
    >>> rated.frame["player"][0], rated.trace.attrs["games"], rated.folder
    ('CarlsenMagnus', 6807, None)
    """
    intake, settings, run = records_of(locals(), Intake, Effort, Run)
    if groups == "apart":
        raise GameTableError("groups", "refuse | largest", "'apart'", "Call workflows.rate_groups for a list of each.")
    return lists_of(games, out, findable_name(model), intake, settings, run, earlier, figures)[0]


def rate_groups(
    games: Games, out: str | Path | None = None, model: AnyModel = AUTO, *, monitor: Wanted = None,
    min_games: int | None = None, rare: str = "auto", groups: str = "apart", names: str | Path | None = None,
    drop_duplicates: bool = False, faulty: str = "error", time_control: Sequence[str] | None = None,
    fide_lists: Sequence[str | Path] = (), anchors: Anchored | None = None, facts: str = "auto",
    reader: Mapping[str, object] | None = None, draws: int = 1000, tune: int = 200, chains: int = 4,
    seed: int = SAMPLING_SEED, sampler: Sampler = "nutpie", cores: int | None = None, method: str = "auto",
    force: bool = False, say: Say = silent, reading: ReadingContext = no_progress, progress: bool = False,
    verbose: bool = False, executor: Executor | None = None,
) -> list[RatedPlayers]:  # fmt: skip
    """Rate unconnected groups of players separately, the largest first; all are checked before sampling starts.

    Parameters
    ----------
    games, out, model
        As in `rate`; with several groups, group-1, group-2, ... in the folder.
    monitor, min_games, rare, groups, names, drop_duplicates, faulty, time_control, fide_lists, anchors, facts, reader
    draws, tune, chains, seed, sampler, cores
    method, force, say, reading, progress, verbose, executor
        As in `rate`, but `groups` is "apart".

    Returns
    -------
    list of RatedPlayers
    """
    return lists_of(games, out, findable_name(model), *records_of(locals(), Intake, Effort, Run))


def lists_of(
    games: Games,
    out: str | Path | None,
    model: str,
    intake: Intake,
    settings: Effort,
    run: Run,
    earlier: Trace | None = None,
    figures: bool = False,
) -> list[RatedPlayers]:
    """List of each group; arguments as in `rate`, options as records."""
    if figures:
        require("matplotlib", "--figures")
    settings.require_intervals()
    run.require()
    if are_cells(games):
        from halfpoint.apps.workflows.cell_list import outgrow_draws

        if outgrow_draws(files_of(games)):
            what, remedy = "cells of fewer games and players", "rate_cells lists them by means and errors."
            raise GameTableError(str(files_of(games)[0]), what, "too many for draws", remedy)
    with ExitStack() as stack:
        reads = (*files_of(games), intake.names, intake.monitor, intake.anchors, *intake.fide_lists, earlier)
        folder = None if out is None else Path(out)
        place = None if out is None else stack.enter_context(results(out, "rate", reads=reads, force=run.force))
        base, effects = split_effects(model)
        account = Account(tell=run.say)
        intake = replace(intake, reader=reader_of(games, intake.reader, model))
        with run.reading(files_of(games)[0].name if files_of(games) else "games") as bar:
            table = take_in(games, folder, account, intake, bar)
        pooled = base == AUTO or outline_of(find(model), table).traits.pooled
        if earlier is not None:
            only_output = None if place is None else Within(place, "")
            tree, selection = trace_gone_on(earlier, table, model, settings, only_output, account, run)
            return [_list_players(tree, selection, settings, only_output, account, None, figures)]
        chosen = choose_groups(table, intake, account, pooled)
        parts = {number: "" if len(chosen) == 1 else f"group-{number}/" for number in chosen}
        within = {} if place is None else {number: Within(place, prefix) for number, prefix in parts.items()}
        if place is not None:
            for output in within.values():
                if place.has_record or not place.earlier(f"{output.prefix}trace.nc"):  # else the trace's source decides
                    place.require(*output.files)
            room = sum(settings.bytes_of_trace(part.players.size, len(part)) for part in chosen.values())
            require_disk(place.folder, place.shown, room, "--out")
        jobs, accounts = [], []
        for number, group in chosen.items():
            name, selection, drift = model, group, in_time(group)
            if drift is not None:
                account.say(f"time: {drift.words}")
            rungs: tuple[str, ...] = ()
            games_of_rungs: Selection | None = None
            if base == AUTO:
                group, seats = without_seats(group)
                selection = group
                name, why = suggest(selection)
                constant = name
                still = run.method == "normal" or selection.has_error.any()
                caution = average_warning(name, drift, table)
                if not still:
                    name, selection, caution = of_now(name, group, drift)
                (name, constant), pairings = by_pairings(selection, name, constant)
                plain, rungs = name, () if effects else ladder(name, constant)[1:]
                fact, games_of_plain = "", selection
                if intake.facts == FACTS[0] and not effects:
                    name, selection, fact = with_facts(plain, selection, group)
                if name.startswith("sets"):
                    walks = name.startswith("sets-yearly-walk")
                    caution = (
                        f"strengths {'walk by years; the list shows the latest year' if walks else 'are constant'}"
                    )
                rungs, games_of_rungs = (rungs, None) if name == plain else ((plain, *rungs), games_of_plain)
                reasons = "; ".join(filter(None, (seats or why, pairings, caution)))
                account.say(f"model {name}: {reasons} (--model selects another)")
                if fact:
                    account.say(fact)
                name = find(WITH.join([name, ";".join(effects)])).name if effects else name
            else:
                require_shots(base, selection.games)
                if caution := average_warning(name, drift, table):
                    account.say(f"time: {caution}")
            jobs.append(Job(selection, name, within.get(number), rungs, games_of_rungs))
            accounts.append(
                (replace(account, lines=[*account.lines]), drift if selection is group else in_time(selection))
            )
        traces = traces_of(jobs, settings, account, run)
        return [
            _list_players(
                tree, job.games_of(str(tree.attrs["model"])), settings, job.output, *account_and_drift, figures, listed
            )
            for (tree, listed), job, account_and_drift in zip(traces, jobs, accounts, strict=True)
        ]


def _list_players(
    tree: xr.DataTree,
    selection: Selection,
    settings: Effort,
    output: Within | None,
    account: Account,
    drift: InTime | None,
    figures: bool = False,
    listed: PageData | None = None,
) -> RatedPlayers:
    """Rating list of a trace; writes ratings.csv, ratings.json and report.html if there is a folder."""
    trace_list = list_from_trace(tree) if listed is None else listed.trace_list
    noun = trace_list.ranking.noun
    table = trace_list.ranking.frame.assign(converged=bool(tree.attrs["converged"]))
    if noun == "club":
        table = with_goals_and_form(table, selection.games)
    if "log_width" in tree["posterior"] and "month" not in tree["posterior"]["strength"].dims:
        ahead = merge_inseparable(tree["posterior"].to_dataset()["strength"], trace_list.identified).mean(
            ("chain", "draw")
        )
        leads = unit_of_margins(tree, selection) * (ahead - ahead.mean())
        table.insert(6, "margin", leads.sel(player=table[noun].to_numpy()).to_numpy())
    model = str(tree.attrs["model"])
    shared = first_move_and_draws(tree["posterior"].to_dataset())
    first_move = first_move_and_draws_in_words(shared, tree.attrs.get("seats"))
    steps = [line.partition("\n")[0] for line in account.lines]  # details are on the terminal
    time = "" if drift is None else sentences([warning(drift)])[0]
    if drift is not None and not drift.moves:
        unseen = f"walks of up to {drift.longest:.0f} Elo would not be detected, and intervals do not include them"
        time = f"{time}: {unseen}" if drift.longest > _UNSEEN * table["sd_elo"].median() else ""
    if "rating_elo_by_month" in tree["posterior"]:
        time = "Strengths follow a random walk: the list shows the latest period, the page the whole course"
    elif moves_by_days(tree):
        time = "Strengths move by days: the list shows the last day, the page the whole course"
    simulated = selection.games.simulated
    about = {
        "title": f"{len(table)} {noun}s rated by {model} on {len(selection)} {'SIMULATED ' * simulated}"
        f"game{'s' * (len(selection) != 1)}",
        "model": model,
        "data": selection.games.name,
        "sha256": selection.games.sha256,
        "simulated": selection.games.simulated,
        **convergence([tree], str(tree.attrs["verdict"])),
        "level": trace_list.level,
        "account": "; ".join(steps),
        **shared,
        "shared": ". ".join(filter(None, (first_move, *usual_columns(reads_in(tree.attrs))))),
        "margins": margins_in_words(tree, selection),
        "not_told": trace_list.untold,
        "time": time,
    }
    answer = RatedPlayers(
        table,
        about,
        trace_list.ranking,
        TraceForArviz.of(tree),
        selection,
        settings,
        None if output is None else output.folder,
    )
    if output is None:
        return answer
    months = ratings_through_time(tree) if listed is None else listed.months
    output.place.text(f"{output.prefix}ratings.csv", as_csv(table))
    output.place.text(
        f"{output.prefix}history.csv", as_csv(history_of(tree, replace(trace_list.ranking, frame=table), months))
    )
    output.place.text(f"{output.prefix}ratings.json", as_json_text(answer.record()))
    shown_list = replace(trace_list, ranking=replace(trace_list.ranking, frame=table))
    people = people_of(tree, shown_list, months) if listed is None else listed.people
    page = rated_page(tree, steps, shown_list, None if selection.games.sides else selection.games, people)
    if figures:
        _put_figures(answer, output)
        page = replace(page, picture="list.png")
    put_page(output.place, f"{output.prefix}report.html", page)
    return answer


def _put_figures(rated: RatedPlayers, output: Within) -> None:
    """Write the figures of a list as PNG."""
    from halfpoint.evaluation.figures.style import save_png

    alone = rated.selection.games.sides is None
    moves = "rating_elo_by_month" in rated.trace["posterior"] or moves_by_days(rated.trace)
    for kind, is_shown in {"list": True, "pairs": True, "places": True, "time": moves, "games": alone}.items():
        if is_shown:
            save_png(rated.plot(kind).figure, output.place.aside(f"{output.prefix}{kind}.png"))  # type: ignore[arg-type]
