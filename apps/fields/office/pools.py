"""Inflation of rating systems on a file of games: mean, spread and drift of the pool, as a table and a figure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import xarray as xr

from halfpoint.apps.fields.office.options import ACTIVE_PERIODS, DEFAULT
from halfpoint.apps.fields.office.pool_history import Reference, pool_history
from halfpoint.apps.fields.office.read import with_month_days
from halfpoint.apps.pages.cells import Look
from halfpoint.apps.pages.page import Chart, Page
from halfpoint.apps.workflows.answer import Answer, about_table, answer_page
from halfpoint.apps.workflows.answers import Trace, trace_from
from halfpoint.apps.workflows.intake import games_from
from halfpoint.apps.workflows.options import Games, words
from halfpoint.evaluation.first_sentences.standings import pool_drift
from halfpoint.models.games.errors import count_noun
from halfpoint.models.games.periods import with_periods
from halfpoint.models.games.ranges import Every
from halfpoint.systems.catalogue import SYSTEMS
from halfpoint.systems.catalogue import system as system_of

_CHARTS = {
    "mean_elo": "Mean rating of the active players, by period",
    "less_reference_elo": "Drift: mean rating less the model's, by period",
    "less_printed_elo": "Mean rating less the printed one, by period",
}


@dataclass(frozen=True, eq=False, repr=False)
class PoolHistory(Answer):
    """Changes of the pools of rating systems."""

    histories: dict[str, pd.DataFrame]  #: the same by the title of the system

    def page(self) -> Page:
        """Page: mean and drift by period, drawn, and the list."""
        drawn = []
        for column, title in _CHARTS.items():
            finite = self.frame[self.frame[column].notna()]
            if len(finite):
                rows = finite.rename(columns={"system": "series", "period": "x", column: "y"})
                shown = rows[["series", "x", "y"]].astype({"x": int}).round({"y": 3}).to_dict("records")
                drawn.append(Chart(f"figure-{column}", title, "lines", shown, "period", "Elo"))
        return answer_page(self.frame, self.about, *drawn, look=self.look)


def pool(
    games: Games,
    systems: str | Sequence[str] = DEFAULT,
    trace: Trace | None = None,
    every: Every | int = "month",
    first_month: str | None = None,
    active_periods: int = ACTIVE_PERIODS,
    reader: Mapping[str, object] | None = None,
) -> PoolHistory:
    """Mean and spread of each system's pool over time, and their drift.

    Parameters
    ----------
    games : str, Path, GameTable or DataFrame
        Games with periods or dates.
    systems : str or sequence of str
        Names of rating systems, a text with commas, or "all" systems with ratings in Elo points.
    trace : str, Path or DataTree, optional
        A fitted model, preferably with anchored players; the drift is against its posterior means, by month if its
        strengths are random walks.
    every, first_month, active_periods, reader
        As in `halfpoint.office.official_list`.

    Returns
    -------
    PoolHistory
        system, period, players, mean_elo, sd_elo, top_elo, less_printed_elo, less_reference_elo.

    Raises
    ------
    HalfpointError
        If a system is not known or keeps no ratings.
    """
    table = with_periods(with_month_days(games_from(games, reader), first_month), every, first_month)
    if systems == "all":
        evented = table.event is not None
        systems = [name for name, spec in SYSTEMS.items() if spec.elo and (spec.needs != "event" or evented)]
    specs = [system_of(name) for name in words(systems)]
    reference = None if trace is None else _reference_of(trace_from(trace))
    histories = {
        spec.title: pool_history(table, spec.build(spec.start), active_periods, reference).assign(system=spec.name)
        for spec in specs
    }
    frame = pd.concat(histories.values(), ignore_index=True)
    frame.insert(0, "system", frame.pop("system"))
    title = f"Pools of {count_noun(len(specs), 'rating system')} over {count_noun(frame['period'].nunique(), 'period')}"
    note = f"Players with a game in the last {active_periods} periods"
    note += "; new players start from their printed rating." if frame["less_printed_elo"].notna().any() else "."
    return PoolHistory(
        frame, about_table(table, title, answer=_moved(frame), note=note), histories, look=Look(ends(frame))
    )


def _moved(frame: pd.DataFrame) -> str:
    """Describe the change of the mean of each pool from the first period to the last."""
    drift: dict[str, tuple[float | None, float | None]] = {}
    for system, part in frame.groupby("system", sort=False):
        change = _last_less_first(part["mean_elo"])
        differences = (
            _last_less_first(part[name]) for name in ("less_reference_elo", "less_printed_elo") if name in part
        )
        drift[str(system)] = change, next((difference for difference in differences if difference is not None), None)
    return pool_drift(drift)


def _last_less_first(values: pd.Series) -> float | None:
    """Last value less the first; None if one is unknown."""
    change = float(values.iloc[-1] - values.iloc[0])
    return change if np.isfinite(change) else None


def ends(frame: pd.DataFrame) -> pd.DataFrame:
    """The first and the last period of each system, for the terminal."""
    return pd.DataFrame(frame.groupby("system", sort=False).nth([0, -1])).sort_values(["system", "period"])


def _reference_of(tree: xr.DataTree) -> Reference:
    """Posterior mean rating of a player in a period; by month if strengths walk."""
    posterior = tree["posterior"].to_dataset()
    walks = "rating_elo_by_month" in posterior
    mean = posterior["rating_elo_by_month" if walks else "rating_elo"].mean(("chain", "draw"))
    elo_of = mean.transpose("player", ...).to_series().to_dict()
    return lambda name, period: elo_of.get((name, period) if walks else name, float("nan"))
