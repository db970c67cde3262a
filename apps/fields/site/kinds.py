"""Kinds of competitions of games: a league with fixtures, and a list of players with ratings or without.

Numbers are those of `rate`, `forecast` and `season` of the same trace; the chance of a finished game is the posterior
mean at its time, so that it has learned from the result.
"""

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr

from halfpoint.apps.workflows.followed import Followed, Source
from halfpoint.apps.workflows.forecasts import days_in_print, forecast, games_to_come
from halfpoint.apps.workflows.history import history_of, ratings_through_time
from halfpoint.apps.workflows.intake import games_from
from halfpoint.apps.workflows.options import Run
from halfpoint.apps.workflows.plots import results_in_print
from halfpoint.apps.workflows.rating_list import RatedPlayers, rate
from halfpoint.apps.workflows.tournament_outlook import season
from halfpoint.evaluation.seasons import remaining_fixtures
from halfpoint.inference.forecast import forecast as chances_under
from halfpoint.inference.traces.netcdf import write
from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.models.games.table import Floats, GameTable

_DRAWS = 500  # of the posterior, for the chances of finished games
_VALUES = 4_000_000  # (draw, game) at a time
SIMULATIONS = 20_000


def league(source: Source, run: Run) -> Followed:
    """A league: the table now and at the end of the season, every game, the games to come."""
    if source.fixtures is None:
        raise GameTableError("kind", "fixtures for a league", "none", 'Add fixtures = "FILE", or kind = "list".')
    games = games_from(list(source.games), source.reader)
    fixtures = games_to_come(source.fixtures, dict(source.reader))
    season_games = _of_season(games, source)
    unplayed = _unplayed(fixtures, season_games)
    if source.season is None:
        _require_one_season(fixtures, games, unplayed)
    rated = _rated(games, source, run, min_games=1)
    people = [] if season_games is None else season_games.people.tolist()
    clubs = sorted({*people, *fixtures.people.tolist()})
    run.say(
        f"season: {len(clubs)} {rated.ranking.noun}s, {0 if season_games is None else len(season_games)} games played, "
        f"{unplayed.size} to come"
    )
    for name, (best, worst) in source.zones.items():
        if worst > len(clubs):
            raise GameTableError(f"places, {name}", f"places from 1 to {len(clubs)}, one per club", f"{best}-{worst}")
    outlook = season(
        rated.trace, clubs, season_games, fixtures, source.seed, SIMULATIONS, "all",
        scoring=source.scoring, zones=dict(source.zones),
    )  # fmt: skip
    followed = _followed(rated, source)
    return replace(
        followed,
        season=_named(outlook.frame if season_games is not None else outlook.frame.assign(games=0, points_so_far=0.0)),
        places=_named(outlook.places.frame), left=int(unplayed.size),
        coming=_coming(rated.trace, fixtures.take(unplayed)) if unplayed.size else None,
        games=followed.games.assign(season=_in_season(rated.selection.games, source)),
    )  # fmt: skip


def rating_list(source: Source, run: Run) -> Followed:
    """A list of players, engines or clubs by their games, with printed ratings if the file has them."""
    games = games_from(list(source.games), source.reader)
    rated = _rated(games, source, run)
    followed = _followed(rated, source)
    if source.fixtures is None:
        return followed
    coming = games_to_come(source.fixtures, dict(source.reader))
    return replace(followed, coming=_coming(rated.trace, coming), left=len(coming))


def _rated(games: GameTable, source: Source, run: Run, min_games: int | None = None) -> RatedPlayers:
    """Rated players of the games; the trace is written if the source names a file."""
    rated = rate(games, model=source.model, min_games=min_games, seed=source.seed, say=run.say, progress=run.progress)
    if source.trace is not None:
        write(rated.trace, source.trace)
    return rated


def _followed(rated: RatedPlayers, source: Source) -> Followed:
    """List, games and course of ratings."""
    tree, games = rated.trace, rated.selection.games
    months = ratings_through_time(tree)
    history = None if months is None else history_of(tree, rated.ranking, months)
    about = dict(rated.about) | {"note": rated.note}
    return Followed(
        rated.ranking.noun, "elo", _named(rated.frame), games_with_chances(tree, games), about,
        history=None if history is None else history.rename(columns={"player": "name"}),
    )  # fmt: skip


def _named(frame: pd.DataFrame) -> pd.DataFrame:
    """Frame with the heading `name` over the rated players."""
    noun = next(name for name in frame.columns if name in ("player", "club", "pair", "model", "engine"))
    return frame.rename(columns={noun: "name"})


def _of_season(games: GameTable, source: Source) -> GameTable | None:
    """Games of the season whose table is forecast; None before its first game."""
    is_in_season = np.array(_in_season(games, source))
    return games.take(is_in_season) if is_in_season.any() else None


def _in_season(games: GameTable, source: Source) -> list[bool]:
    """Mask of the games of the season, shape (game,)."""
    if source.season is None:
        return [True] * len(games)
    if games.date is None or np.isnat(games.date).any():
        raise GameTableError(games.source, "a date for each game, since the settings name a season", "games without")
    in_season = games.date >= np.datetime64(source.season)
    return [bool(part) for part in in_season]


def _require_one_season(fixtures: GameTable, games: GameTable, unplayed: npt.NDArray[np.int64]) -> None:
    """Refuse fixtures after the last game that count as played, since their pairs met in an earlier season."""
    dates = np.array([]) if games.date is None else games.date[~np.isnat(games.date)]
    if fixtures.date is None or not dates.size:
        return
    last = dates.max()
    repeated = int(np.delete(fixtures.date > last, unplayed).sum())
    if repeated:
        fault = f"{count_noun(repeated, 'fixture')} after {last} whose pairs met before"
        raise GameTableError("season", "games of one season", fault, "Add its first day, season = YYYY-MM-DD.")


def _unplayed(fixtures: GameTable, played: GameTable | None) -> npt.NDArray[np.int64]:
    """Fixtures whose pair has met in these seats less often than the fixtures list."""
    if played is None:
        return np.arange(len(fixtures))
    codes = {name: place for place, name in enumerate(sorted({*fixtures.people.tolist(), *played.people.tolist()}))}

    def seats(games: GameTable) -> Floats:
        sides = [[codes[str(name)] for name in names] for names in (games.white_names, games.black_names)]
        return np.column_stack([*sides, games.score]) if len(games) else np.empty((0, 3))

    return remaining_fixtures(seats(fixtures), seats(played))


def _coming(tree: xr.DataTree, games: GameTable) -> pd.DataFrame:
    """Forecasts of games to come, in the order of their days."""
    followed = forecast(tree, games, new="all").frame.rename(columns={"white": "first", "black": "second"})
    return followed.sort_values("day", kind="stable", ignore_index=True) if "day" in followed else followed


def games_with_chances(tree: xr.DataTree, games: GameTable) -> pd.DataFrame:
    """Games with result, day and chances in percent: win, draw and loss (models with draws) and expected score."""
    draws = tree["posterior"].sizes["chain"] * tree["posterior"].sizes["draw"]
    thin, step = max(1, draws // _DRAWS), max(1, _VALUES // _DRAWS)
    rows = np.arange(len(games))
    parts = [chances_under(tree, games.take(rows[start : start + step]), thin=thin) for start in rows[::step].tolist()]
    columns: dict[str, object] = {"first": games.white_names, "second": games.black_names}
    if (days := days_in_print(games)) is not None:
        columns["day"] = days
    if games.event is not None:
        columns["event"] = games.event
    columns |= {"result": results_in_print(games), "score": games.score}
    columns["expected_percent"] = 100.0 * np.concatenate([part.mean_expected for part in parts])
    if parts[0].draws_are_outcomes:
        probabilities = 100.0 * np.concatenate([part.mean_probability for part in parts])
        columns |= {
            "loss_percent": probabilities[:, 0],
            "draw_percent": probabilities[:, 1],
            "win_percent": probabilities[:, 2],
        }
    for name, rating in (("first_rating", games.white_rating_elo), ("second_rating", games.black_rating_elo)):
        if rating is not None:
            columns[name] = rating
    return pd.DataFrame(columns)
