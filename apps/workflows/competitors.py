"""External forecasts in a backtest: odds in columns of the games, or a file of probabilities."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from halfpoint.apps.workflows.backtest_answer import BacktestPlan
from halfpoint.apps.workflows.intake import games_from
from halfpoint.apps.workflows.options import Games, Say, words
from halfpoint.models.games.errors import GameTableError, count_noun, printable
from halfpoint.models.games.table import OUTCOMES, Floats, GameTable
from halfpoint.systems.catalogue import SYSTEMS, SystemSpec
from halfpoint.systems.odds import Quoted, columns_of, proportional, shin

_ODDS, _FORECASTS = "--odds", "--forecasts"
_METHODS = {"": ("in proportion", "", proportional), "-shin": ("Shin's method", "Shin 1993", shin)}
_SUM_BELIEVED = 0.01  # of probabilities that were rounded


def with_competitors(
    games: GameTable, odds: str | Sequence[str], forecasts: Sequence[Games]
) -> tuple[GameTable, list[SystemSpec]]:
    """The games with the probabilities of external forecasters, and an entry for each forecaster."""
    specs, covariates = [], dict(games.covariates)
    for word in words(odds):
        three = word.split("/") if "/" in word else [f"{word}{seat}" for seat in "HDA"]
        name, quoted = three[0] if "/" in word else word, _odds_of(games, three)
        for suffix, (method, source, without_margin) in _METHODS.items():
            chances = without_margin(quoted)[:, ::-1]
            covariates |= dict(zip(columns_of(name + suffix), chances.T, strict=True))
            specs.append(entry(name + suffix, f"Odds of {name}, {method}", source))
    for number, file in enumerate(forecasts):
        name = printable(Path(file).stem) if isinstance(file, str | Path) else f"forecasts-{number + 1}"
        covariates |= dict(zip(columns_of(name), _forecasts_of(games, file).T, strict=True))
        specs.append(entry(name, f"Forecasts of {name}", ""))
    names = [spec.name for spec in specs]
    again = next((name for name in names if names.count(name) > 1 or name in SYSTEMS), None)
    if again is not None:
        raise GameTableError(f"{_ODDS}, {_FORECASTS}", "a unique name of each forecaster", repr(again), "Rename it.")
    return replace(games, covariates=covariates), specs


def entry(name: str, title: str, source: str) -> SystemSpec:
    """Entry of an external forecaster whose probabilities are columns of the games."""
    return SystemSpec(name, title, lambda settings: Quoted(name), draws="own", begins="nothing", source=source)


def _odds_of(games: GameTable, columns: Sequence[str]) -> Floats:
    """Decimal odds, shape (game, 3), NaN if one of the three is unknown."""
    numeric = {name: column for name, column in games.covariates.items() if column.dtype.kind in "fiu"}
    missing = [name for name in columns if name not in numeric]
    if missing or len(columns) != 3:
        fault = f"no numbers in {', '.join(missing)}" if missing else count_noun(len(columns), "column")
        remedy = f"Give {_ODDS} PREFIX for columns PREFIXH, PREFIXD, PREFIXA, or three columns {_ODDS} HOME/DRAW/AWAY."
        raise GameTableError(f"{games.source}, {_ODDS}", f"three columns of odds, {', '.join(columns)}", fault, remedy)
    odds = np.stack([numeric[name] for name in columns], axis=1).astype(np.float64)
    wrong = ~np.isnan(odds) & ~((odds > 1.0) & np.isfinite(odds))
    check(games, wrong.any(axis=1), f"decimal odds above 1 in {', '.join(columns)}", odds)
    odds[np.isnan(odds).any(axis=1)] = np.nan
    return odds


def check(games: GameTable, wrong: np.ndarray, expected: str, values: Floats) -> None:
    """Raise `GameTableError` at the first game with a wrong value."""
    if wrong.any():
        row = int(np.argmax(wrong))
        place = f"{games.place(row)} ({games.white_names[row]} - {games.black_names[row]})"
        raise GameTableError(place, expected, ", ".join(f"{value:g}" for value in values[row]))


def _forecasts_of(games: GameTable, file: Games) -> Floats:
    """Probabilities of loss, draw and win of each game in a file, shape (game, 3), NaN if missing.

    Games are identified by players and date, or by numbered period.
    """
    forecasts = (
        games_from(file) if isinstance(file, GameTable) else games_from(file, {"scored": False, "covariates": OUTCOMES})
    )
    columns = [forecasts.covariates.get(name, np.empty(0, np.str_)) for name in OUTCOMES]
    if any(column.dtype.kind not in "fiu" for column in columns):
        raise GameTableError(forecasts.source, f"numbers in the columns {', '.join(OUTCOMES)}", "texts or empty cells")
    values = np.stack(columns, axis=1).astype(np.float64)
    sums = values.sum(axis=1)
    wrong = ~((values >= 0.0).all(axis=1) & (np.abs(sums - 1.0) <= _SUM_BELIEVED)) & ~np.isnan(values).all(axis=1)
    check(forecasts, wrong, "three probabilities whose sum is 1", values)
    key = "date" if games.date is not None and forecasts.date is not None else "period"
    if getattr(games, key) is None or getattr(forecasts, key) is None:
        raise GameTableError(forecasts.source, f"a date or period for each forecast, as in {games.source}", "neither")
    forecast_index, game_index = (
        pd.MultiIndex.from_arrays([table.white_names, table.black_names, getattr(table, key)])
        for table in (forecasts, games)
    )
    if not forecast_index.is_unique:
        row = int(np.argmax(forecast_index.duplicated()))
        raise GameTableError(
            forecasts.place(row), f"one forecast of a game, by its players and {key}", "a second forecast"
        )
    place = forecast_index.get_indexer(game_index)
    if (place < 0).all():
        fault = (
            f"{forecasts.white_names[0]} - {forecasts.black_names[0]}, {getattr(forecasts, key)[0]}, and no game of it"
        )
        raise GameTableError(
            forecasts.source, f"forecasts of the games of {games.source}", fault, "Check the spelling of names."
        )
    return np.where((place >= 0)[:, None], (values / sums[:, None])[place], np.nan)


def judged_by_all(plan: BacktestPlan, specs: Sequence[SystemSpec], say: Say) -> BacktestPlan:
    """Plan that scores only games forecast by all competitors, with the number of games left out."""
    is_judged = np.ones(len(plan.games), dtype=np.bool_)
    for spec in specs:
        is_forecast = np.isfinite(np.stack([plan.games.covariates[column] for column in columns_of(spec.name)])).all(
            axis=0
        )
        lost, judged = int((plan.stretches[plan.main] & ~is_forecast).sum()), int(plan.stretches[plan.main].sum())
        if lost == judged:
            raise GameTableError(
                plan.main, f"games with forecasts of {spec.name}", "none", "Judge later games (--from)."
            )
        if lost:
            say(f"{spec.name}: no forecast of {count_noun(lost, 'game')} of {judged:,}; these are not scored")
        is_judged &= is_forecast
    if not (plan.stretches[plan.main] & is_judged).any():
        raise GameTableError(plan.main, "games with forecasts of all competitors", "none", "Use fewer competitors.")
    stretches = {name: mask & is_judged for name, mask in plan.stretches.items()}
    return replace(plan, stretches={name: mask for name, mask in stretches.items() if mask.any()})
