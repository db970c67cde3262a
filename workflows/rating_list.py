"""From a file of games to rating lists: who is rated, the trace, the list, the page.

Trace, list and page take their places together (`halfpoint.games.results`). A run that was stopped leaves the files of
the run before it; if it had sampled, the next one finds its trace and does not sample anew.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from halfpoint.evaluation.report.explorer import explorer_page
from halfpoint.evaluation.tables import first_move_and_draws, first_move_and_draws_in_words, rating_list
from halfpoint.games.errors import GameTableError, printable
from halfpoint.games.few_games import GAMES_NEEDED
from halfpoint.games.places import require_disk
from halfpoint.games.results import Results, results
from halfpoint.games.select import Selection
from halfpoint.inference.fit import BEST, fit
from halfpoint.inference.fitter import SEED
from halfpoint.inference.trace_record import constant_data
from halfpoint.inference.traces import write
from halfpoint.models.catalogue import WITH, Edition, declare, find, split_effects
from halfpoint.models.coding import coded
from halfpoint.models.reading import model_in
from halfpoint.models.suggest import suggest
from halfpoint.workflows.answer import Answer
from halfpoint.workflows.answer_text import as_csv, as_json, in_full
from halfpoint.workflows.explorer_page import record_of
from halfpoint.workflows.grid import Settings, bytes_of_trace, find_reusable
from halfpoint.workflows.intake import Account, Games, Intake, Progress, Say, reader_of, take_in, unheard
from halfpoint.workflows.level import ATTRIBUTE, anchored, levelled, put_level
from halfpoint.workflows.rated_players import GROUPS, RARE, Choice, Wanted, choose_groups
from halfpoint.workflows.together import as_told, told_by

AUTO = "auto"
EDITION: Edition = "corrected"
FILES = ("ratings.csv", "ratings.json", "report.html", "trace.nc")
type Reading = Callable[[str], AbstractContextManager[Progress | None]]


@dataclass(frozen=True, eq=False, repr=False)
class RatingList(Answer):
    """Players by rating, and everything the list was made from.

    Parameters
    ----------
    frame : DataFrame
        rank, player, rating_elo, sd_elo, low_elo, high_elo (95% highest density interval), games, converged.
    about : dict
        title, model, data, sha256, simulated, verdict, converged, level and account in words, White's first move and
        draws (see `halfpoint.evaluation.tables.first_move_and_draws`), shared: these in words, not_told: whom no game
        tells apart, margins: in words where they are the model's.
    trace : DataTree
        The draws, for `rank`, `match`, `forecast` and every other question.
    selection : Selection
        The games that the list is from, with who is anchored.
    settings : Settings
        How it was sampled.
    folder : Path or None
        Where ratings.csv, ratings.json, report.html and trace.nc are; None: nothing was written.

    Notes
    -----
    A run that did not converge has `converged` False, and a note that says what to try.
    """

    trace: xr.DataTree
    selection: Selection
    settings: Settings
    folder: Path | None

    @property
    def converged(self) -> bool:
        """Whether the sampler's diagnosis found nothing."""
        return bool(self.about["converged"])

    @property
    def note(self) -> str:
        """The level, what the first move is worth, how often equals draw, the verdict, and what to do if it is bad."""
        told = [self.about["level"], self.about["shared"], self.about["margins"], *sentences(self.about["not_told"])]
        words = (*told, f"Sampler: {self.about['verdict']}")
        note = f"{'. '.join(filter(None, words))}. 95% highest density intervals."
        if not self.converged:
            what = advice(str(self.about["model"]), anchored(self.trace), self.settings)
            note += f" The numbers cannot be trusted: {what}."
        return note

    def record(self) -> dict[str, Any]:
        """Return the list as JSON holds it: what it is about, and its rows."""
        return in_full(self.frame, self.about)


def rate(
    games: Games, out: str | Path | None = None, model: str = AUTO, groups: str = "refuse", **options: Any
) -> RatingList:
    """Rate the players of a file of games, a table or a data frame.

    Parameters
    ----------
    games : str, Path, GameTable or DataFrame
        PGN, CSV, Parquet or the study's format, plain or compressed; or games in memory.
    out : str or Path, optional
        Folder for ratings.csv, ratings.json, report.html and trace.nc; without it nothing is written. A finished trace
        of the same games and settings there is used again.
    model : str
        A name of the catalogue, or "auto": the one that the games ask for (`halfpoint.models.suggest`).
    groups : {"refuse", "largest"}
        What happens where players never meet: an error, or the largest group is rated. `rate_groups` rates all.
    **options
        As in `rate_groups`.

    Returns
    -------
    RatingList

    Raises
    ------
    HalfpointError
        As in `rate_groups`.

    Examples
    --------
    >>> from halfpoint import games, workflows
    >>> copy = games.replica()
    >>> rated = workflows.rate(copy.training, model="davidson-common", monitor=copy.monitored, draws=200, tune=300)
    >>> rated.frame["player"][0], rated.trace.attrs["games"], rated.folder
    ('CarlsenMagnus', 6807, None)
    """
    if groups == "apart":
        raise GameTableError("groups", "refuse | largest", "'apart'", "workflows.rate_groups returns a list of each.")
    [only] = rate_groups(games, out, model, groups, **options)
    return only


def rate_groups(
    games: Games,
    out: str | Path | None = None,
    model: str = AUTO,
    groups: str = "apart",
    *,
    monitor: Wanted = None,
    min_games: int = 5,
    rare: str = "auto",
    names: str | Path | None = None,
    drop_duplicates: bool = False,
    time_control: Sequence[str] | None = None,
    fide_lists: Sequence[str | Path] = (),
    fide_months: Sequence[str] = (),
    reader: Mapping[str, Any] | None = None,
    draws: int = 1000,
    tune: int = 200,
    chains: int = 4,
    seed: int = SEED,
    method: str = "auto",
    force: bool = False,
    say: Say = unheard,
    reading: Reading = lambda name: nullcontext(),
    progress: bool = False,
) -> list[RatingList]:
    """Rate groups of players that never meet, each by itself, the largest first; all are checked before one is sampled.

    Parameters
    ----------
    games, out, model
        As in `rate`; with several groups, group-1, group-2, ... in the folder.
    groups : {"apart", "refuse", "largest"}
        A list of each group, an error where there are several, or the largest alone.
    monitor : int, str, Path, sequence of str, optional
        Who is rated: the so many most active, a file of names, names; by default who has `min_games` games.
    min_games : int
        Fewest games of a player who is rated by themselves.
    rare : {"auto", "anchor", "pool"}
        Players with fewer: anchored to their ratings on the day, pooled into one, or what the games allow.
    names : str or Path, optional
        Accepted spellings: names.csv of an earlier run with `yes` in it.
    drop_duplicates : bool
        Drop games that certainly stand twice.
    time_control : sequence of str, optional
        Keep classical, rapid, blitz, bullet (PGN only).
    fide_lists, fide_months : sequence
        FIDE lists that fill missing ratings, and their months (``2012-12``) where names do not tell.
    reader : mapping, optional
        Options of the reader of CSV, Parquet and frames: columns, ignore, date_format, sides.
    draws, tune, chains, seed
        Draws kept a chain, tuning draws a chain, chains, seed. The same seed gives the same draws.
    method : {"auto", "normal", "nuts"}
        Independent draws of a normal approximation with exact weights where they are to be believed, NUTS elsewhere;
        or the one or the other.
    force : bool
        Sample even where the finished trace is there, and replace files that are not of an earlier run.
    say : callable
        Gets a line on every step; nobody by default.
    reading : callable
        Of a file's name: a context in which it is read, that gives a callable of the bytes read and its size, or None.
    progress : bool
        Show the sampler's progress bar.

    Returns
    -------
    list of RatingList

    Raises
    ------
    HalfpointError
        If an option or a file is not what is expected, players cannot be compared, or `out` is not ours to write to; in
        one line, which names the option of `halfpoint rate`.
    """
    with ExitStack() as stack:
        reads = (games, names, monitor, *fide_lists)
        folder = None if out is None else Path(out)
        place = None if out is None else stack.enter_context(results(out, "rate", reads=reads, force=force))
        base, effects = split_effects(model)
        if base != AUTO:
            find(model)
        options = ((groups, GROUPS, "--groups"), (rare, RARE, "--rare"), (method, BEST, "--method"))
        for value, known, option in options:
            if value not in known:
                raise GameTableError(option, " | ".join(known), repr(value))
        GAMES_NEEDED.require("--min-games", min_games, GameTableError)
        settings = Settings(draws, tune, chains, seed)
        account = Account(tell=say)
        intake = Intake(
            names=None if names is None else Path(names),
            drop_copies=drop_duplicates,
            time_classes=time_control,
            lists=tuple(Path(path) for path in fide_lists),
            months=tuple(fide_months),
            options=reader_of(games, reader, model),
        )
        with reading(Path(games).name if isinstance(games, str | Path) else "games") as bar:
            table = take_in(games, folder, account, intake, bar)
        if base != AUTO and not base.endswith("-rated") and rare == "auto":
            rare = "anchor or pool"  # no other model uses ratings of the players themselves
        chosen = choose_groups(table, groups, Choice(monitor, min_games, rare), account)
        within = {number: "" if len(chosen) == 1 else f"group-{number}/" for number in chosen}
        if place is not None:
            place.require(*(f"{one}{name}" for one in within.values() for name in FILES))
            room = sum(bytes_of_trace(selection, draws * chains) for selection in chosen.values())
            require_disk(place.folder, place.shown, room, "--out")
        rated = []
        for number, selection in chosen.items():
            name = model
            if base == AUTO:
                name, why = suggest(selection)
                account.say(f"model {name}: {why} (--model takes another)")
                name = find(WITH.join([name, ";".join(effects)])).name if effects else name
            mine = None if place is None else Within(place, within[number])
            tree = trace_of(selection, name, settings, mine, account, force, progress, method)
            rated.append(list_players(tree, selection, settings, mine, account))
        return rated


@dataclass(frozen=True)
class Within:
    """Where the files of one group go: in the folder of results, or in one of its own within it."""

    place: Results
    prefix: str

    @property
    def folder(self) -> Path:
        """The folder as the user named it."""
        return Path(self.place.shown) / self.prefix


def sentences(lines: Sequence[str]) -> list[str]:
    """Return lines with a capital letter each."""
    return [f"{line[0].upper()}{line[1:]}" for line in lines]


def margins_in_words(tree: xr.DataTree) -> str:
    """Return what a trace of margins says in their unit: the first seat and the width of a game; empty for others."""
    posterior = tree["posterior"].to_dataset()
    if "log_width" not in posterior:
        return ""
    width = float(np.exp(posterior["log_width"]).mean())
    seat = f", the first seat is worth {float(posterior['advantage'].mean()):.2f}" if "advantage" in posterior else ""
    return (
        f"In units of the margin: `margin` is how far each is ahead of the average{seat}, and a game lies {width:.2f} "
        "around its expectation"
    )


def advice(model: str, anchors: bool, settings: Settings) -> str:
    """Return what to try when a run did not converge."""
    if not anchors and not model.endswith("population"):
        return "try --model auto, whose strengths have a population"
    return f"try --draws {2 * settings.draws} --tune {2 * settings.tune}"


def trace_of(
    selection: Selection,
    model: str,
    settings: Settings,
    mine: Within | None,
    account: Account,
    force: bool,
    progress: bool,
    method: str = "nuts",
) -> xr.DataTree:
    """Return the finished trace of these very games, model and settings if it is there; else sample, and write it."""
    name = "" if mine is None else f"{mine.prefix}trace.nc"
    path = None if mine is None or force else mine.place.earlier(name)
    tree = None if path is None else find_reusable(path, selection, model, EDITION, settings)
    if mine is not None and tree is not None and tree.attrs.get("asked") == method and same_games(tree, selection):
        known = "the finished trace of these games and settings is used again; --force samples anew"
        account.tell(f"{printable(str(mine.folder / 'trace.nc'))}: {known}")
        if not anchored(tree) and ATTRIBUTE not in tree.attrs:
            put_level(tree, selection)
            write(tree, mine.place.aside(name, precious=True))
        mine.place.stays(name)
        return tree
    if method == "nuts":
        account.tell(f"{model}: {settings.chains} chains of {settings.tune} tuning and {settings.draws} kept draws")
    tree = fit(
        declare(model, selection, EDITION),
        method,
        draws=settings.draws,
        tune=settings.tune,
        chains=settings.chains,
        seed=settings.seed,
        progress=progress,
        adapt=True,
        say=lambda line: account.tell(f"{model}: {line}"),
    )
    if tree.attrs["sampling"]:
        account.tell(f"{model}: {tree.attrs['sampling']}")
    put_level(tree, selection)
    if mine is not None:
        write(tree, mine.place.aside(name, precious=True))
    return tree


def same_games(tree: xr.DataTree, selection: Selection) -> bool:
    """Return whether a trace is of exactly these games: players, colours, scores, anchors, weights and times.

    The file's hash is not enough: accepted names, dropped duplicates and filters change the games of one file. Columns
    that effects read are compared as well.
    """
    coding = coded(model_in(tree.attrs).effects, selection.games, selection.players)
    known, wanted = tree["constant_data"].to_dataset(), constant_data(selection, coding)
    if set(known.variables) != set(wanted.variables):
        return False
    pairs = [(known[name].to_numpy(), wanted[name].to_numpy()) for name in wanted.variables]
    pairs.append((tree["observed_data"]["score"].to_numpy(), selection.games.score))
    return all(equal_arrays(one, other) for one, other in pairs)


def equal_arrays(one: Any, other: Any) -> bool:
    """Return whether two arrays hold the same, missing values included."""
    if one.shape != other.shape:
        return False
    if one.dtype.kind in "fM":
        return bool(np.array_equal(one, other.astype(one.dtype), equal_nan=True))
    return bool(np.array_equal(one.astype(other.dtype), other))


def list_players(
    tree: xr.DataTree, selection: Selection, settings: Settings, mine: Within | None, account: Account
) -> RatingList:
    """Return the rating list of a trace; ratings.csv, ratings.json and report.html are written if there is a folder."""
    ratings, level = levelled(tree)
    converged = bool(tree.attrs["converged"])
    known = told_by(selection)
    ratings = as_told(ratings, known)
    found = rating_list(ratings)
    names = selection.players if known is None else known.names
    played = selection.games_of_players if known is None else selection.games_of_players[[u[0] for u in known.units]]
    games_of = dict(zip(names.tolist(), played.tolist(), strict=True))
    table = pd.DataFrame(
        {
            "rank": np.arange(1, len(found) + 1),
            "player": found["player"],
            "rating_elo": found["mean"],
            "sd_elo": found["sd"],
            "low_elo": found["low"],
            "high_elo": found["high"],
            "games": [games_of[name] for name in found["player"]],
            "converged": converged,
        }
    )
    if "log_width" in tree["posterior"] and "month" not in tree["posterior"]["strength"].dims:
        ahead = as_told(tree["posterior"].to_dataset()["strength"], known).mean(("chain", "draw"))
        table.insert(6, "margin", (ahead - ahead.mean()).sel(player=table["player"].to_numpy()).to_numpy())
    model = str(tree.attrs["model"])
    shared = first_move_and_draws(tree["posterior"].to_dataset())
    steps = [line.partition("\n")[0] for line in account.lines]  # details are on the terminal
    about = {
        "title": f"{len(table)} players rated by {model} on {len(selection)} games",
        "model": model,
        "data": selection.games.name,
        "sha256": selection.games.sha256,
        "simulated": selection.games.simulated,
        "verdict": tree.attrs["verdict"],
        "converged": converged,
        "level": level,
        "account": "; ".join(steps),
        **shared,
        "shared": first_move_and_draws_in_words(shared, tree.attrs.get("seats")),
        "margins": margins_in_words(tree),
        "not_told": [] if known is None else known.describe(),
    }
    answer = RatingList(table, about, tree, selection, settings, None if mine is None else mine.folder)
    if mine is None:
        return answer
    page = explorer_page(record_of(tree, ratings, ". ".join([level, *sentences(about["not_told"])]), steps))
    texts = {"ratings.csv": as_csv(table), "ratings.json": as_json(table, about), "report.html": page}
    for name, text in texts.items():
        mine.place.text(f"{mine.prefix}{name}", text)
    return answer
