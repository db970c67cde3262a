"""The page of the rating list of a trace: probabilities from the draws, results from the games."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr

from halfpoint.apps.pages.listing import Listing, listing
from halfpoint.apps.pages.page import Chart, Page, Section, words_of
from halfpoint.apps.pages.people import (
    MAX_DRAWS,
    Chances,
    Known,
    meetings_of,
    people_record,
    thinned_draws,
)
from halfpoint.apps.workflows.answer import first_sentence, places_section
from halfpoint.apps.workflows.contexts import context_column, lists_by_context, one_below_another
from halfpoint.apps.workflows.history import ratings_through_time
from halfpoint.apps.workflows.plots import surprises
from halfpoint.apps.workflows.trace_list import Seats, TraceList, list_from_trace, merge_inseparable, sides_of
from halfpoint.evaluation import statements
from halfpoint.evaluation.day_ratings import BEFORE
from halfpoint.evaluation.digits import interval
from halfpoint.evaluation.rating_list import SUMMARY, mean_of, rating_columns, results_of, summaries
from halfpoint.evaluation.statements import first_move_and_draws, in_games, rank_distribution
from halfpoint.models.declaration.catalogue import edition_of
from halfpoint.models.declaration.pair_chances import PairChances
from halfpoint.models.declaration.posterior_reader import Reading, reading_of
from halfpoint.models.games.sides import USUAL, Sides, seats_named
from halfpoint.models.games.table import Codes, GameTable
from halfpoint.models.rows.rows import Side, team_sides

_MAX_PAIRED = 250  # players set against each other and shown through time: the best; two megabytes of the page
_MOST_JUDGED, _SURPRISES = 20_000, 10  # games that are judged, and that are shown
_MOST_PLACED = 20  # players whose chance of each rank is shown
_PAIR_DRAWS, _FEWEST_DRAWS = 5_000_000, 500  # pairs times draws of their chances; draws at least
_PAIRS_AT_ONCE = 500  # at most; their chances stay in the caches
_MAX_MEETINGS = 100_000  # pairs who met, each listed twice; a page of more has no tables of opponents


@dataclass(frozen=True, eq=False)
class PageData:
    """List of a trace, and the data of its players for the page."""

    trace_list: TraceList
    people: dict[str, object]
    months: pd.DataFrame | None  # ratings through time


def page_data_of(tree: xr.DataTree) -> PageData:
    """List of a trace, and the data of its players for the page."""
    trace_list = list_from_trace(tree)
    months = ratings_through_time(tree)
    return PageData(trace_list, people_of(tree, trace_list, months), months)


def rated_page(
    tree: xr.DataTree,
    steps: Sequence[str] = (),
    trace_list: TraceList | None = None,
    games: GameTable | None = None,
    people: dict[str, Any] | None = None,
) -> Page:
    """Page of the rating list of a trace, with the surprises of its games if they are given."""
    trace_list = trace_list or list_from_trace(tree)
    frame, attributes = trace_list.ranking.frame, tree.attrs
    posterior = tree["posterior"].to_dataset()
    words, shared = seats_named(attributes.get("seats")), first_move_and_draws(posterior)
    noun = trace_list.ranking.noun
    facts = {"Games": f"{attributes['games']:,} among {attributes['players']:,} {noun}s"}
    days = _days_played(tree)
    if days:
        facts["Played"] = days
    worth, drawn = shared["advantage_elo"], shared["draw_rate"]
    if worth is not None:
        facts[f"{words.worth} is worth"] = interval(worth, noun=" Elo") + in_games(worth)
    if drawn is not None:
        facts["Two equals draw"] = interval(drawn, 100.0, "%", " of their games") + in_games(drawn)
    level = ". ".join([trace_list.level, *trace_list.untold])
    scale = (
        f"Ratings are Elo points: 400 more are odds of 10 to 1 in expected score. {level}. Strongest: the chance of "
        "being the strongest of the list. Opponents: the mean rating of the opponents met. "
        f"{trace_list.ranking.intervals} A thick rule begins a tier: its leader is weaker than the leader above "
        "with 95% or more."
    )
    sections = [Section("ratings", "Rating list", [rating_listing(frame, noun=noun, text=scale)])]
    lists = lists_by_context(tree, noun)
    if lists:
        sections.append(_by_context(lists, context_column(tree), noun))
    people = people_of(tree, trace_list) if people is None else people
    moving = [player for player in people["players"] if "months" in player]
    if moving:
        sections.append(Section("time", "Ratings through time", [_time_chart(noun)]))
    if games is not None and len(games) <= _MOST_JUDGED:
        sections.append(_surprises(tree, games))
    if len(frame) <= _MOST_PLACED:
        chances = rank_distribution(trace_list.ratings).sel(player=frame[noun].to_numpy())
        columns = {f"place_{k}": 100.0 * column for k, column in enumerate(chances.to_numpy().T, 1)}
        sections.append(places_section(pd.DataFrame({noun: frame[noun].to_numpy()} | columns), "Ranks", "rank"))
    return Page(
        f"Rating list: {words_of(str(attributes['data_name']))}",
        first_sentence(frame, {"verdict": "" if attributes.get("converged", 1) else attributes["verdict"]}),
        sections,
        facts,
        warning_of(tree),
        bool(attributes["data_simulated"]) or "SIMULATED" in str(attributes["data_name"]),
        [*steps, *how_sampled(tree)],
        people,
    )


def _time_chart(noun: str) -> Chart:
    """Ratings of all players through time; the script reads them from the page's data."""
    title = f"Each {noun}'s rating through time; some in colour with 95% intervals"
    return Chart("figure-time", title, "time", [], "", "rating (Elo)")


def _surprises(tree: xr.DataTree, games: GameTable) -> Section:
    """Games with the least expected results under the list, least expected first."""
    frame = surprises(tree, games, _SURPRISES)
    text = (
        "Games whose results are the least expected by this list, which has learned from them too: a wrong result, a "
        "wrong name or a great day. Chance: of this result or a worse one for the side that scored less than expected."
    )
    return Section("games", "Surprises", [listing(frame, "surprise-list", "Surprises", noun="game", text=text)])


def _by_context(lists: dict[str, pd.DataFrame], column: str, noun: str) -> Section:
    """Strengths by context with their intervals, with a choice of context."""
    text = f"Ratings by {words_of(column)}, of players with games there; their averages equal the overall ratings."
    table, title = one_below_another(lists, column, noun), f"By {words_of(column)}"
    return Section("contexts", title, [listing(table, "context-list", title, noun=noun, text=text, filtered=column)])


def rating_listing(
    frame: pd.DataFrame,
    identifier: str = "rating-list",
    noun: str = "player",
    title: str = "Rating list",
    text: str = "",
    some: int = 100,
    titles: Mapping[str, str] | None = None,
    interval: float = 0.95,
) -> Listing:
    """Rating list in the form of a page: score in percent of the games, tiers as rules between rows."""
    rows = frame.copy()
    if {"score", "games"} <= set(rows):
        place = list(rows.columns).index("score")
        games = rows["games"].where(rows["games"] > 0)
        rows.insert(place, "score_percent", 100.0 * rows.pop("score") / games)
    rows = rows.drop(columns=["converged"], errors="ignore")
    titles = {"score_percent": "Score"} | dict(titles or {})
    return listing(rows, identifier, title, titles, interval=interval, noun=noun, people=True, text=text, some=some)


def warning_of(tree: xr.DataTree) -> str:
    """Warning about a fit that did not converge; empty otherwise."""
    verdict = str(tree.attrs["verdict"]).partition(" (the level")[0]  # the note under the list has the level
    if not bool(tree.attrs.get("converged", 1)):
        reason = verdict.removeprefix("NOT CONVERGED: ")
        return f"The sampler did NOT converge ({reason}): do not use these numbers."
    return ""


def how_sampled(tree: xr.DataTree) -> list[str]:
    """Model, settings, data and versions of a trace, a line each."""
    attributes = tree.attrs
    stand = str(attributes["verdict"]).partition(" (the level")[0]
    sampled = f"{attributes['chains']} chains of {attributes['draws']} draws after {attributes['tune']} of tuning"
    if attributes.get("method") == "normal":
        sampled = str(attributes.get("sampling", "normal approximation"))
    edition = edition_of(attributes)
    model = f"Model {attributes['model']}{f', edition {edition}' if edition else ''}, weights {attributes['weighting']}"
    file = f"{attributes['data_name']}, SHA-256 {attributes['data_sha256'] or 'none: these games come from no file'}"
    return [f"{model}. {sampled}, seed {attributes['seed']}", f"Sampler: {stand}", file, str(attributes["versions"])]


def people_of(
    tree: xr.DataTree, trace_list: TraceList | None = None, course: pd.DataFrame | None = None
) -> dict[str, Any]:
    """Data of each player for the page of a trace; `course` is the result of `ratings_through_time`, if available."""
    trace_list = trace_list or list_from_trace(tree)
    posterior, constant = tree["posterior"].to_dataset(), tree["constant_data"].to_dataset()
    sides, ratings, identified, (white, black) = (
        sides_of(tree),
        trace_list.ratings,
        trace_list.identified,
        trace_list.seats,
    )
    players = ratings["player"].to_numpy().astype(np.str_)
    counts = results_of(white, black, tree["observed_data"]["score"].to_numpy(), players.size)
    results = dict(zip(players.tolist(), counts, strict=True))
    rows = trace_list.ranking.frame.rename(
        columns=dict(zip(rating_columns("elo"), SUMMARY, strict=True)) | {trace_list.ranking.noun: "player"}
    )
    rows["best"] = rows["best_percent"] / 100.0
    met = meetings_in(tree, white, black, rows.set_index("player")["mean"].reindex(players).to_numpy(np.float64))
    met["player"] = players[met["player"].to_numpy(dtype=np.int64)]
    few = len(met) <= _MAX_MEETINGS
    rows_of = {str(name): part for name, part in met.groupby("player")} if few else None
    months, shown = None, rows["player"].to_numpy(dtype=np.str_)[:_MAX_PAIRED]
    course = ratings_through_time(tree) if course is None else course
    if course is not None:
        times, place = np.unique(course["month"].to_numpy(), return_inverse=True)
        labels = np.asarray(days_of(times) if "period" not in constant else times, dtype=object)
        moving = course[["player", "mean", "low", "high"]].assign(time=labels[place])
        moving = moving[np.isin(moving["player"].to_numpy(), shown)]
        months = {str(name): part for name, part in moving.groupby("player")}
    reading = reading_of(tree)
    if sides is None:
        seat = np.array([reading.index(name) for name in shown.tolist()], dtype=np.int32)
        chances = _chances_between(reading, shown, seat, ratings.sel(player=shown))
    else:
        chances = _chances_of_sides(reading, sides, posterior["rating_elo"])
    worth = posterior.get("advantage_elo")
    further = Known(
        summaries(merge_inseparable(worth, identified)) if worth is not None and "player" in worth.dims else None,
        months,
        None if identified is not None and identified.together else _inclinations_of(reading),
        rows_of,
    )
    return people_record(rows, chances, results, further, str(tree.attrs.get("seats", USUAL)), trace_list.ranking.noun)


def _days_played(tree: xr.DataTree) -> str:
    """The first and the last known day of the games in words; empty if unknown."""
    if "date" not in tree["constant_data"]:
        return ""
    days = tree["constant_data"]["date"].to_numpy().astype("datetime64[D]")
    known_days = days[~np.isnat(days)]
    if not known_days.size:
        return ""
    first, last = str(known_days.min()), str(known_days.max())
    return first if first == last else f"{first} to {last}"


def days_of(months: npt.NDArray[np.integer]) -> list[str]:
    """The first day of calendar months with January 2010 as 1 (`halfpoint.models.rows.rows`), as text."""
    return [str(day) for day in (BEFORE + months.astype("timedelta64[M]")).astype("datetime64[D]")]


def meetings_in(tree: xr.DataTree, white: Seats, black: Seats, ratings: npt.NDArray[np.float64]) -> pd.DataFrame:
    """Results of each player of the list against each opponent (see `meetings_of`).

    Shapes: white, black (seat, game).
    """
    constant = tree["constant_data"]
    anchors, count = constant["anchor_elo"].to_numpy(), white.shape[0]
    names = (constant["white_name"].to_numpy().astype(np.str_), constant["black_name"].to_numpy().astype(np.str_))
    white_mean, black_mean = (np.tile(mean_of(seats, ratings, anchors), count) for seats in (white, black))
    repeated = (np.tile(names[0], count), np.tile(names[1], count))
    score = np.tile(tree["observed_data"]["score"].to_numpy(), count)
    return meetings_of(white.ravel(), black.ravel(), score, repeated, (white_mean, black_mean))


def _chances_of_sides(reading: Reading, sides: Sides, ratings: xr.DataArray) -> Chances:
    """Apply `_chances_between` to the strongest sides of several people; ratings are by person."""
    people = ratings.mean(("chain", "draw")).to_numpy()
    best = np.argsort(-(people[sides.members] * sides.weights).sum(axis=1), kind="stable")[:_MAX_PAIRED]
    members, weights, names = sides.members[best], sides.weights[best], sides.names[best]
    draws = ratings.transpose("chain", "draw", "player").to_numpy()
    mean = sum(draws[..., members[:, seat]] * weights[:, seat] for seat in range(members.shape[1]))
    side_ratings = xr.DataArray(mean, dims=("chain", "draw", "player"), coords={"player": names.astype(object)})
    chances = _chances_between(reading, names, team_sides(members, sides.share[best]), side_ratings)
    person_names = sides.people.tolist()
    return replace(chances, people=tuple(tuple(person_names[k] for k in who if k >= 0) for who in members.tolist()))


def _chances_between(
    reading: Reading, players: npt.NDArray[np.str_], seat: Codes | Side, ratings: xr.DataArray
) -> Chances:
    """Mean and 95% interval of loss, draw, win and expected score of every pair, and P(stronger)."""
    count = len(seat)
    most = int(np.clip(_PAIR_DRAWS // count**2, _FEWEST_DRAWS, MAX_DRAWS))
    draws = thinned_draws(reading.p["strength"].shape[0], most)
    pairs = PairChances(reading.thin(draws), seat)
    summary = np.zeros((count, count, 4, 3), dtype=np.float32)
    block = max(1, min(reading.players.size, _PAIRS_AT_ONCE) // count)
    for first in range(0, count, block):
        places = np.arange(first, min(first + block, count))
        outcomes = np.empty((places.size, count, 4, draws.size), dtype=np.float32)
        outcomes[:, :, :3] = chances = pairs.of(places)
        outcomes[:, :, 3] = (chances[:, :, 2] + chances[:, :, 1] / 2) / chances.sum(axis=2)
        summary[places, :, :, 0] = outcomes.mean(axis=-1)
        summary[places, :, :, 1:] = np.moveaxis(_quantiles_of(outcomes, (0.025, 0.975)), 0, -1)
    stronger = statements.stronger_table(ratings).to_numpy()
    return Chances(players, summary, reading.outcome.draws, int(draws.size), stronger)


def _quantiles_of(draws: npt.NDArray[np.float32], mass: Sequence[float]) -> npt.NDArray[np.float32]:
    """Quantiles over the last axis, shape (quantile, ...), interpolated; sorts in place."""
    draws.sort(axis=-1)
    position = np.asarray(mass) * (draws.shape[-1] - 1)
    below = np.floor(position).astype(np.int64)
    above = np.minimum(below + 1, draws.shape[-1] - 1)
    between = draws[..., below] + (position - below) * (draws[..., above] - draws[..., below])
    return np.asarray(np.moveaxis(between, -1, 0), dtype=np.float32)


def _inclinations_of(reading: Reading) -> pd.DataFrame | None:
    """Each player's percentage of draws against an average equal; None if players do not differ."""
    if "draw_tendency" not in reading.p:
        return None
    outcome, level = reading.outcome.at(reading.p), reading.p["log_draw"][:, None]
    share = 100.0 * outcome.draw_rate(level + reading.p["draw_tendency"])
    low, high = np.quantile(share, [0.025, 0.975], axis=0)
    usual = 100.0 * float(outcome.draw_rate(level).mean())
    table = {"player": reading.players, "mean": share.mean(axis=0), "low": low, "high": high}
    return pd.DataFrame(table | {"usual": np.full(reading.players.size, usual)})
