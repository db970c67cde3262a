r"""A season's final table: finished games are fixed, remaining games are simulated under the posterior.

Under one draw of the posterior every remaining game has its probabilities on its own day: walking strengths continue to
walk in each draw, so that a table in August includes the uncertainty of the clubs' strengths and of their changes.
Games without dates are spread evenly over their given months. The scoring sets the points of a loss, a draw and a win;
clubs with equal points share their places in equal parts, since goals are not simulated.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.matches import TOURNAMENTS, check_draws_exist
from halfpoint.evaluation.parts import Each, Part, in_turn, parts_of
from halfpoint.evaluation.round_robins import meet_all, ordered_pairs, tournaments
from halfpoint.evaluation.scores import Floats
from halfpoint.evaluation.tournament_options import SCORINGS, SIMULATIONS, Calendar
from halfpoint.evaluation.tournaments import finished_results, seats_of
from halfpoint.models.declaration.posterior_reader import Reading, reading_of
from halfpoint.models.games.ranges import SEED
from halfpoint.models.games.table import Codes, GameTable
from halfpoint.models.rows.rows import GameRows, periods

_TAILS = (0.025, 0.975)
MOST_DRAWS = 1_000
Places = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class _Games:
    """Games to simulate, shared by all parts."""

    bounds: Floats  # (draw, game, 2): cumulative chances
    seats: tuple[Places, Places, int]  # White and Black of the games, and the number of clubs
    over: Floats  # (result, 3)
    worth: Floats  # (outcome,): points
    share: int  # seasons of a draw


def _played_part(games: _Games, part: Part) -> tuple[npt.NDArray[np.float32], Floats, Floats]:
    """Points of each season of some draws, title shares by draw, and counts of places."""
    draws, rng = part
    size = games.seats[2]
    title, places, batches = np.zeros((len(draws), size)), np.zeros((size, size)), []
    for row, draw in enumerate(draws):
        limits = np.ascontiguousarray(games.bounds[draw])
        for points, key in tournaments(limits, games.seats, games.over, 0, games.share, rng, games.worth):
            batches.append(points.astype(np.float32))
            title[row] += meet_all(points, key, places)[0] / games.share
    return np.concatenate(batches), title, places


def zone_column(name: str) -> str:
    """Column of the chance of named places.

    Examples
    --------
    >>> zone_column("Champions League")
    'zone_champions_league'
    """
    return f"zone_{'_'.join(name.lower().split())}"


@dataclass(frozen=True, eq=False)
class Season:
    """Forecast table of a season."""

    # by player, most points first: mean points at the end and their 95% interval; title, mc_error, and where wanted
    # first_N, last_N and zone_NAME, the chances of these places; games and points so far
    table: pd.DataFrame
    places: pd.DataFrame  # chance of each place, players in rows in the order of `table`
    left: int  # games that were played out


def season(
    trace: xr.DataTree,
    players: Sequence[str],
    calendar: Calendar | None = None,
    fixtures: GameTable | None = None,
    results: GameTable | None = None,
    seed: int = 1,
    count: int = TOURNAMENTS,
    each: Each = in_turn,
) -> Season:
    """Forecast the final table of a season; `each` runs the parts of the simulation."""
    calendar = calendar or Calendar()
    SIMULATIONS.require("simulated seasons", count, EvaluationError)
    SEED.require("seed", seed, EvaluationError)
    reading = reading_of(trace)
    check_draws_exist(reading, trace)
    names, code = list(players), seats_of(reading, players)
    rng = np.random.default_rng(seed)
    total = reading.p["strength"].shape[0]
    reading = reading.thin(rng.permutation(total)[: min(total, count, MOST_DRAWS)])
    over = finished_results(names, code, results, reading)
    if fixtures is None:
        white, black = unplayed_games(len(names), over)
        rows = spread_out(reading, code[white], code[black], calendar.months, rng)
    else:
        seats = finished_results(names, code, fixtures, reading)
        remaining = remaining_fixtures(seats, over)
        white, black = seats[remaining, :2].astype(np.int64).T
        if not remaining.size:  # the season is over
            chances = np.empty((3, reading.p["strength"].shape[0], 0))
            return played_out(chances, (white, black), over, names, calendar, count, rng, each)
        rows = date_fixtures(reading, fixtures.take(remaining), code[white], code[black])
    return played_out(reading.probabilities(rows, seed), (white, black), over, names, calendar, count, rng, each)


def remaining_fixtures(seats: Floats, over: Floats) -> Places:
    """Remaining fixtures, shape (game,): unplayed ones for each pair in these seats."""
    played = Counter(map(tuple, over[:, :2].tolist()))
    remaining = []
    for game, pair in enumerate(map(tuple, seats[:, :2].tolist())):
        if played[pair]:
            played[pair] -= 1
        else:
            remaining.append(game)
    return np.array(remaining, dtype=np.int64)


def unplayed_games(count: int, over: Floats) -> tuple[Places, Places]:
    """White and Black of a double round robin's unfinished games."""
    seats = np.column_stack(ordered_pairs(count))
    white, black = seats[remaining_fixtures(seats.astype(np.float64), over)].T
    return white, black


def spread_out(reading: Reading, white: Codes, black: Codes, months: int, rng: np.random.Generator) -> GameRows:
    """Games in random order over the months after the model's last month."""
    rows = replace(reading.today(white, black), at_end=None)
    if not reading.traits.walks or not reading.reads.every:
        return rows
    period_months = reading.reads.every
    month = rng.permutation(white.size) * months // max(white.size, 1)
    return replace(rows, period=reading.periods + month // period_months)


def date_fixtures(reading: Reading, games: GameTable, white: Codes, black: Codes) -> GameRows:
    """Fixtures in the model's calendar; those before its last month move to that month."""
    if reading.traits.walks and len(games):
        first = periods(games, reading.reads.every, reading.clock).min() - reading.first_period
        if first < 0:
            raise EvaluationError(games.source, "fixtures after the first games of the trace", "earlier fixtures")
    rows = reading.rows(games, white, black, (np.zeros(white.size), np.zeros(white.size)))
    if not reading.traits.walks:
        return rows
    return replace(rows, period=np.maximum(rows.period, reading.periods - 1))


def played_out(
    chances: Floats,
    seats: tuple[Places, Places],
    over: Floats,
    names: list[str],
    calendar: Calendar,
    count: int,
    rng: np.random.Generator,
    each: Each = in_turn,
) -> Season:
    """Final table from chances of loss, draw and win, shape (outcome, draw, game), and results so far."""
    draws, size = chances.shape[1], len(names)
    share, worth = -(-count // draws), np.array(SCORINGS[calendar.scoring])
    shared = _Games(np.moveaxis(np.cumsum(chances, axis=0)[:2], 0, -1), (*seats, size), over, worth, share)
    batches, titles, places = [], [], np.zeros((size, size))
    for some, title_of_some, places_of_some in each(_played_part, shared, parts_of(draws, count, rng)):
        batches.append(some)
        titles.append(title_of_some)
        places += places_of_some
    points, title = np.concatenate(batches), np.concatenate(titles)
    error = title.std(axis=0, ddof=1) / np.sqrt(draws) if draws > 1 else np.zeros(size)
    low, high = np.quantile(points, _TAILS, axis=0)
    place_chances = places / len(points)
    who = over[:, :2].astype(np.int64).T
    result = np.rint(2.0 * over[:, 2]).astype(np.int64)
    so_far = np.bincount(who[0], worth[result], size) + np.bincount(who[1], worth[2 - result], size)
    columns = {
        "points": points.mean(axis=0, dtype=np.float64),
        "points_low": low,
        "points_high": high,
        "title": title.mean(axis=0),
        "mc_error": error,
    }
    if calendar.first:
        columns[f"first_{calendar.first}"] = place_chances[:, : calendar.first].sum(axis=1)
    if calendar.last:
        columns[f"last_{calendar.last}"] = place_chances[:, size - min(calendar.last, size) :].sum(axis=1)
    for name, (best, worst) in (calendar.zones or {}).items():
        if worst > size:
            raise EvaluationError("--zones", f"places from 1 to {size}, one per club", f"{name}={best}-{worst}")
        columns[zone_column(name)] = place_chances[:, best - 1 : worst].sum(axis=1)
    columns |= {"games": np.bincount(who.ravel(), minlength=size), "points_so_far": so_far}
    table = pd.DataFrame(columns, index=pd.Index(names, name="player"))
    table = table.sort_values(["points", "title"], ascending=False, kind="stable")
    frame = pd.DataFrame(place_chances, index=pd.Index(names, name="player"), columns=np.arange(1, size + 1))
    return Season(table, frame.loc[table.index], len(seats[0]))
