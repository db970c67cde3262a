"""Tables of the forecasts of one plan of a backtest, made system by system while other systems still run."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd
import polars as pl

from halfpoint.evaluation.backtest_tables import Comparison, JudgedForecasts, joined_rows, score_games
from halfpoint.evaluation.errors import EvaluationError
from halfpoint.models.games.rating_system import MARGIN_SCORES
from halfpoint.models.games.table import OUTCOMES, GameTable
from halfpoint.models.games.time_classes import time_classes

type Mask = npt.NDArray[np.bool_]


class PlanScores:
    """Scores of the systems of a plan and of its reference, computed as soon as both forecasts exist.

    Parameters
    ----------
    games : GameTable
        Games of the plan.
    stretches : mapping of str to array of bool, shape (game,)
        Sets of games that are scored.
    main : str
        Set of the table by period.
    reference : str
        Name of the reference system.
    rows : array of int, shape (game,), optional
        Numbers of the games among all games, from 0.
    """

    def __init__(
        self,
        games: GameTable,
        stretches: Mapping[str, Mask],
        main: str,
        reference: str,
        rows: npt.NDArray[np.intp] | None = None,
    ) -> None:
        self.games, self.stretches, self.main, self.reference = games, stretches, main, reference
        number = np.arange(len(games)) if rows is None else rows
        about = {"period": games.time.astype(np.int64), "game": number + 1, "white": games.white_names,
                 "black": games.black_names, "time_class": time_classes(games)}  # fmt: skip
        about |= {key: value for key in ("date", "event") if (value := getattr(games, key)) is not None}
        self._about = pl.DataFrame(about)  # text is read once for all systems
        self.systems: dict[str, JudgedForecasts] = {}
        self._beside: Comparison | None = None
        self._overall: dict[str, list[dict[str, object]]] = {}
        self._by_period: dict[str, list[dict[str, object]]] = {}
        self._long: dict[str, pl.DataFrame] = {}

    def add(self, forecasts: JudgedForecasts) -> None:
        """Add the forecasts of a system."""
        self.systems[forecasts.name] = forecasts
        self._long[forecasts.name] = self._long_rows(forecasts)
        if forecasts.name == self.reference:
            self._beside = Comparison(self.games, forecasts, self.stretches)
        if self._beside is None:
            return
        for name in self.systems.keys() - self._overall.keys():
            system = self.systems[name]
            scored = score_games(self.games, system)
            self._overall[name] = self._beside.rows_overall(system, scored)
            self._by_period[name] = self._beside.rows_by_period(system, scored, self.stretches[self.main])

    def in_order(self, names: Sequence[str]) -> None:
        """Put the systems in the order of these names; `EvaluationError` if the reference is missing."""
        if self._beside is None:
            raise EvaluationError("reference system", ", ".join(names), repr(self.reference))
        self.systems = {name: self.systems[name] for name in names}

    def overall(self) -> pd.DataFrame:
        """Table of `halfpoint.evaluation.backtest_tables.overall`."""
        return joined_rows({name: self._overall[name] for name in self.systems}, self.stretches)

    def timing(self) -> pd.DataFrame:
        """Table of the seconds of each system for all games of the plan, in rows of each set."""
        rows = []
        for name, system in self.systems.items():
            games = max(int((~np.isnan(system.expected_score)).sum()), 1)
            row = {"system": name, "seconds": system.seconds, "seconds_per_1000_games": 1000.0 * system.seconds / games}
            rows += [{"set": stretch} | row for stretch in self.stretches]
        return pd.DataFrame(rows)

    def by_period(self) -> pd.DataFrame:
        """Table of `halfpoint.evaluation.backtest_tables.by_period` for the main set."""
        rows = [row for name in self.systems for row in self._by_period[name]]
        return pd.DataFrame(rows).assign(set=self.main)

    def _long_rows(self, forecasts: JudgedForecasts) -> pl.DataFrame:
        """Rows of a system in `long_table`, without margins."""
        rows = np.flatnonzero(~np.isnan(forecasts.expected_score))
        columns: dict[str, object] = {"expected_score": forecasts.expected_score[rows]}
        columns |= {event: forecasts.outcome[rows, number] for number, event in enumerate(OUTCOMES)}
        columns |= {"score": self.games.score[rows]}
        words = {"system": forecasts.name, "set": self.main}
        constants = [pl.repeat(word, rows.size, dtype=pl.String, eager=True).alias(key) for key, word in words.items()]
        about = self._about if rows.size == len(self.games) else self._about[rows]
        return pl.concat([pl.DataFrame(constants), about, pl.DataFrame(columns)], how="horizontal")

    def long_table(self) -> pl.DataFrame:
        """Table with one row for each system and game: game, forecast and result.

        `set` identifies the games of the fit: the plan with that main stretch.
        """
        parts = [self._long[name] for name in self.systems]
        margins = [system.margin for system in self.systems.values()]
        if any(margin is not None and np.isfinite(margin).any() for margin in margins):
            nothing = np.full((len(self.games), len(MARGIN_SCORES)), np.nan)
            for k, system in enumerate(self.systems.values()):
                is_forecast = ~np.isnan(system.expected_score)
                numbers = nothing if system.margin is None else system.margin
                columns = {"margin": self.games.margin[is_forecast]}
                columns |= {f"margin_{what}": numbers[is_forecast, number] for number, what in enumerate(MARGIN_SCORES)}
                parts[k] = pl.concat([parts[k], pl.DataFrame(columns)], how="horizontal")
        return pl.concat(parts)


def best(scores: pd.DataFrame, stretch: str, count: int, always: Sequence[str] = ()) -> list[str]:
    """Names of the requested systems and of the systems with the best log score of a stretch, best first."""
    rows = scores[scores["set"] == stretch].sort_values("log_score", kind="stable")["system"]
    return [name for place, name in enumerate(rows) if place < count or name in always]
