"""Ratings of competitors from rankings, by Plackett-Luce with intervals or by a rating system event by event."""

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import xarray as xr

from halfpoint.apps.fields.races.entrants import MODEL, columns_asked, formula_of
from halfpoint.apps.fields.races.model import Sampling, declare_races, sampler, trace_of
from halfpoint.apps.fields.races.read import Races, read_races
from halfpoint.apps.fields.races.system import SYSTEMS, system_of
from halfpoint.apps.fields.races.table import LAST, Flags, RaceTable
from halfpoint.apps.pages.cells import Look
from halfpoint.apps.workflows.answer import Answer, about_table, about_trace, as_csv, put_page
from halfpoint.apps.workflows.options import Run
from halfpoint.evaluation.digits import signed_decimals
from halfpoint.evaluation.rating_list import RatingList, interval_ends
from halfpoint.inference.traces.netcdf import write
from halfpoint.models.games.atomic_write import require_disk
from halfpoint.models.games.components import unbounded_players
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.ranges import require_word
from halfpoint.models.games.results import results
from halfpoint.models.games.select import Cells
from halfpoint.models.games.units import to_elo

_FILES = ("ratings.csv", "report.html", "trace.nc")
_SHOWN, _SPREAD = 3, "_spread"


@dataclass(frozen=True, eq=False, repr=False)
class RaceRatings(Answer):
    """Competitors by the Plackett-Luce model: the `RatingList` in Elo points, events, wins, ahead_percent.

    Shared wins count by their share; ahead_percent is the share of opponents beaten, with ties as a half.
    """

    trace: xr.DataTree  #: the draws, for forecasts


def races_rate(
    races: Races,
    out: str | Path | None = None,
    columns: Mapping[str, str] | None = None,
    *,
    model: str = MODEL,
    unplaced: str = "last",
    sides: str | None = None,
    date_format: str | None = None,
    form: str | None = None,
    groups: str = "refuse",
    how: Sampling | None = None,
    run: Run | None = None,
) -> RaceRatings:
    """Rate the competitors of rankings by the Plackett-Luce model, with any ties.

    Parameters
    ----------
    races : str, Path, DataFrame or RaceTable
        A CSV file (`halfpoint.apps.fields.races.read`).
    out : str or Path, optional
        Folder for ratings.csv, report.html and trace.nc.
    columns : mapping of str to str, optional
        Field to the file's column.
    model : str
        "plackett-luce", or with effects of columns of the file, as "plackett-luce
        with strength ~ (1 | car) + (1 | player:season)" (`halfpoint.apps.fields.races.entrants`).
    unplaced : {"last", "out"}
        Treatment of competitors without a place: behind all placed competitors, or absent.
    sides : str, optional
        The separator of the people in a competitor's cell, such as "+" (`halfpoint.apps.fields.races.sides`).
    date_format : str, optional
        The form of dates, such as "%d/%m/%Y", if ambiguous.
    form : str, optional
        TOML file that describes the form of the file (`halfpoint.readers.known_forms`).
    groups : {"refuse", "largest"}
        Treatment of unconnected groups of competitors.
    how : Sampling, optional
        Draws, tuning draws, chains, seed.
    run : Run, optional
        Replacement of files of other programs (force), and reporting of stages (say).

    Raises
    ------
    HalfpointError
        If the file is refused, competitors never meet, or more competitors share a place than the model allows.
    """
    how, run, formula = how or Sampling(), run or Run(), formula_of(model)
    require_word("--groups", groups, ("refuse", "largest"), GameTableError)
    folder = nullcontext() if out is None else results(out, "races rate", _FILES, reads=(races,), force=run.force)
    with folder as place:
        table = comparable(
            read_races(races, columns, unplaced, columns_asked(formula), sides, date_format, form), groups
        )
        if place is not None:
            room = 24.0 * how.draws * how.chains * table.people.size
            require_disk(place.folder, place.shown, room, "--out")
        declared = declare_races(table, formula=formula)
        run.say(f"{len(table):,} events of {table.people.size:,} competitors; compiling the model")
        fitted = sampler(declared)(declared, how)
        run.say(f"{declared.name}: {fitted.sampling or 'sampled'}")
        tree = trace_of(declared, fitted, how)
        ratings = rate_events(tree, table)
        if place is not None:
            write(tree, place.aside("trace.nc", precious=True))
            place.text("ratings.csv", as_csv(ratings.frame))
            put_page(place, "report.html", ratings.page())
    return ratings


def rate_events(tree: xr.DataTree, table: RaceTable) -> RaceRatings:
    """List from a trace of these events."""
    ratings = tree["posterior"].to_dataset()["rating_elo"]
    listed = RatingList.of_draws(ratings, done_by(table), noun="competitor")
    spread = to_elo(1.0) * tree["posterior"]["strength_spread"].to_numpy().ravel()
    low, high = interval_ends(spread)
    lines = [
        *table.notes,
        "400 points are odds of 10 to 1 that one of two is ahead of the other; the mean competitor has 1500. "
        f"The standard deviation of strengths is {spread.mean():.0f} points ({low:.0f} to {high:.0f}).",
        *([_share_of_ties(tree)] if table.most_tied > 1 else []),
        *_shares_of_variance(tree),
        *_only_the_prior(table),
    ]
    about = about_trace(tree, f"Plackett-Luce ratings of {table.name}: {counts(table)}")
    return RaceRatings(listed.frame, about | {"note": "\n".join(lines)}, tree)


def races_list(
    races: Races,
    system: str = "weng-lin",
    columns: Mapping[str, str] | None = None,
    *,
    unplaced: str = "last",
    sides: str | None = None,
    date_format: str | None = None,
    form: str | None = None,
    numbers: Mapping[str, float] | None = None,
) -> Answer:
    """Rate the competitors of rankings by a rating system, event by event.

    Parameters
    ----------
    races : str, Path, DataFrame or RaceTable
        A CSV file (`halfpoint.apps.fields.races.read`).
    system : {"weng-lin", "trueskill", "elo"}
        The system, from `halfpoint.systems`.
    columns, unplaced, sides, date_format, form
        As for `races_rate`.
    numbers : mapping of str to float, optional
        Parameters of the system other than the defaults: k; or sigma, beta, tau, draw_probability.

    Returns
    -------
    Answer
        One row per competitor, best first: rating (Elo points, or mu), its standard deviation, events, wins,
        ahead_percent.

    Raises
    ------
    HalfpointError
        If the file is refused, or the system does not exist or has no such parameter.
    """
    table = read_races(races, columns, unplaced, sides=sides, date_format=date_format, form=form)
    ratings = system_of(system, table.people.size, numbers)
    ratings.learn(table)
    frame = pd.concat([pd.DataFrame({"competitor": table.people} | ratings.columns()), done_by(table)], axis=1)
    listed = RatingList.of_points(frame, noun="competitor", unit=SYSTEMS[system].unit)
    settings = ", ".join(f"{name} {value:.6g}" for name, value in ratings.numbers.items())
    about = about_table(
        table, f"{SYSTEMS[system].title} ratings of {table.name}: {counts(table)}", "events",
        system=SYSTEMS[system].title, settings=settings,
        note="\n".join((*table.notes, f"After the last event; {settings or 'no numbers'}.")),
    )  # fmt: skip
    return Answer(listed.frame, about, look=Look(digits=2))


def comparable(table: RaceTable, groups: str) -> RaceTable:
    """Events, of the largest connected group on request."""
    components = table.components()
    if components.comparable:
        return table
    if groups == "largest":
        return table.largest()
    description = components.describe().replace("players", "competitors").replace("\n  ", "; ")
    raise GameTableError(table.source, "competitors connected by events", description, "Add --groups largest.")


def done_by(table: RaceTable) -> pd.DataFrame:
    """Results of each person: events, wins, ahead_percent of the opponents."""
    place = pd.Series(table.group).groupby(table.event)
    met = np.where(table.has_place, table.sizes[table.event] - 1, place.rank("min").to_numpy() - 1.0)
    ahead = np.where(table.has_place, table.sizes[table.event] - place.rank().to_numpy(), 0.0)  # equal ones by half
    won = np.where(table.group == 0, 1.0 / np.maximum(table.tie_sizes, 1), 0.0)
    ahead, met, wins, events = (table.by_person(values) for values in (ahead, met, won, np.ones(table.who.size)))
    percent = 100.0 * np.divide(ahead, met, out=np.full(met.size, np.nan), where=met > 0)
    return pd.DataFrame({"events": events.astype(np.int64), "wins": wins, "ahead_percent": percent})


def unbounded_competitors(table: RaceTable) -> Flags:
    """Competitors ahead of or behind all other competitors, bounded by the prior only, shape (competitor,).

    Classes of competitors are defined as in `halfpoint.models.games.components.unbounded_players`.
    """
    ends: list[tuple[object, object]] = []
    for start, end in pairwise(table.start.tolist()):
        who, group = table.who[start:end], table.group[start:end]
        places = [who[group == level] for level in np.unique(group)]
        ends += [(np.repeat(before, after.size), np.tile(after, before.size)) for before, after in pairwise(places)]
        for tied in places if group[-1] != LAST else places[:-1]:  # who share a place are joined both ways
            ends += [(tied, np.roll(tied, 1)), (np.roll(tied, 1), tied)]
    first, second = (np.concatenate(end) for end in zip(*ends, strict=True))
    won, none = np.tile([0.0, 0.0, 1.0], (first.size, 1)), np.full(first.size, np.nan)
    row = np.arange(first.size, dtype=np.int32)
    return unbounded_players(Cells(table.competitors, first, second, none, won, np.zeros(first.size, int), row))


def _only_the_prior(table: RaceTable) -> list[str]:
    """Competitors without a finite estimate, in words."""
    names = table.competitors[unbounded_competitors(table)].tolist()
    if not names or table.sides is not None:
        return []
    shown = ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
    return [f"Ahead of all connected competitors, or behind them, so bounded by the prior only: {shown}."]


def _shares_of_variance(tree: xr.DataTree) -> list[str]:
    """Shares of the variance of strengths by term, and the largest effects, in words; for formulas only."""
    posterior = tree["posterior"].to_dataset()
    squares = {name: posterior[name].to_numpy().ravel() ** 2 for name in posterior if str(name).endswith(_SPREAD)}
    lines, total = list[str](), sum(squares.values())
    for name, square in squares.items():
        effect, share = posterior[str(name).removesuffix(_SPREAD)], 100.0 * square / total
        low, high = interval_ends(share)
        mean = to_elo(1.0) * effect.mean(("chain", "draw")).to_series().sort_values(ascending=False)
        largest = ", ".join(
            f"{level} {signed_decimals(elo, 0)}" for level, elo in (mean - mean.mean()).iloc[:_SHOWN].items()
        )
        lines.append(f"{effect.dims[-1]}: {share.mean():.0f}% of the variance ({low:.0f} to {high:.0f}); {largest}.")
    return lines if len(lines) > 1 else []


def _share_of_ties(tree: xr.DataTree) -> str:
    """Frequency of shared places of equals, in words."""
    d = np.exp(tree["posterior"]["log_tie"].to_numpy()[..., 0])
    share = 100.0 * (d / (2.0 + d)).ravel()
    low, high = interval_ends(share)
    return f"Two equal competitors share a place with probability {share.mean():.1f}% ({low:.1f}% to {high:.1f}%)."


def counts(table: RaceTable) -> str:
    """Number of events and competitors."""
    sizes = f"{table.sizes.min()}" if np.ptp(table.sizes) == 0 else f"{table.sizes.min()} to {table.sizes.max()}"
    on = "" if table.sides is None else f" on {table.competitors.size:,} sides"
    return f"{len(table):,} event{'s' * (len(table) != 1)} of {sizes}, {table.people.size:,} competitors{on}"
