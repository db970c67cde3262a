r"""Margins in a backtest: proper scores of their densities, and calibration.

    log score   -log f(y) of the forecast's density at the margin        lower is better; nats per game
    CRPS        of the forecast's distribution                            lower is better; in units of the margin
    PIT         F(y), uniform if forecasts are calibrated

Whole-number margins represent all values rounded to them, and their PIT is spread evenly from F(y - 1/2) to F(y + 1/2):
Czado, Gneiting & Held (2009) Biometrics 65:1254, eq. 2. Differences are from the distribution of margins so far, one
mean and one spread for all games, with the errors of `backtest_tables`. A model of outcomes has no density of margins:
it is compared with models of margins by loss, draw and win, which these models forecast too.
"""

from collections.abc import Mapping
from itertools import pairwise

import numpy as np
import pandas as pd

from halfpoint.evaluation.backtest_tables import JudgedForecasts, Mask, events_of, paired_difference
from halfpoint.evaluation.scores import Floats
from halfpoint.models.games.rating_system import MARGIN_SCORES
from halfpoint.models.games.table import GameTable

REFERENCE = "margin-rates"
_BINS = 10
_LOG_SCORE, _CRPS, _MEAN, _BELOW, _UP_TO = range(len(MARGIN_SCORES))


def _margin_forecasts(systems: Mapping[str, JudgedForecasts], mask: Mask) -> dict[str, Floats]:
    """Forecasts of the margins of some games by forecasters of all margins, shape (game, 5) each."""
    margins = {name: system.margin for name, system in systems.items() if system.margin is not None}
    return {name: value for name, value in margins.items() if mask.any() and np.isfinite(value[mask]).all()}


def margins_overall(
    games: GameTable, systems: Mapping[str, JudgedForecasts], stretches: Mapping[str, Mask]
) -> pd.DataFrame:
    """One row for each set of games and forecaster of margins: scores, calibration, difference to the baseline.

    Columns system, set, games, log_score, crps, rmse of the mean, inside_50 and inside_90 (shares of the margins in the
    middle half and nine tenths of their forecasts), reference, `difference` in log score (below 0 is better), se_naive,
    se_event, se_player, se_two_way, low and high, `difference_crps` with se_crps (two-way), title. Best log score
    first. Empty if no system forecasts margins.
    """
    event, rows = events_of(games), []
    has_margin = np.isfinite(games.margin)
    for stretch, in_set in stretches.items():
        mask = in_set & has_margin
        forecasts = _margin_forecasts(systems, mask)
        for name, value in forecasts.items():
            forecast, margin = value[mask], games.margin[mask]
            row: dict[str, object] = {"system": name, "set": stretch, "games": int(mask.sum())}
            row |= {"log_score": float(forecast[:, _LOG_SCORE].mean()), "crps": float(forecast[:, _CRPS].mean())}
            row["rmse"] = float(np.sqrt(np.mean((margin - forecast[:, _MEAN]) ** 2)))
            row["inside_50"] = float(pit_share(forecast[:, _BELOW], forecast[:, _UP_TO], 0.25, 0.75).mean())
            row["inside_90"] = float(pit_share(forecast[:, _BELOW], forecast[:, _UP_TO], 0.05, 0.95).mean())
            reference = forecasts.get(REFERENCE)
            if reference is not None:
                gap = value[:, _LOG_SCORE] - reference[:, _LOG_SCORE]
                row["reference"] = REFERENCE
                row |= paired_difference(games, gap, mask, event).columns()
                crps_errors = paired_difference(games, value[:, _CRPS] - reference[:, _CRPS], mask, event)
                row |= {"difference_crps": crps_errors.mean, "se_crps": crps_errors.two_way}
            rows.append(row | {"title": systems[name].title})
    table = pd.DataFrame(rows)
    return table.sort_values(["set", "log_score"], kind="stable").reset_index(drop=True) if rows else table


def pit_share(below: Floats, up_to: Floats, low: float, high: float) -> Floats:
    """Share of the PIT of each game between two levels, shape (game,)."""
    width = up_to - below
    over = np.minimum(up_to, high) - np.maximum(below, low)
    is_inside = ((below >= low) & (below < high)).astype(np.float64)
    return np.where(width > 0.0, np.clip(over, 0.0, None) / np.where(width > 0.0, width, 1.0), is_inside)


def pit_table(games: GameTable, systems: Mapping[str, JudgedForecasts], mask: Mask, bins: int = _BINS) -> pd.DataFrame:
    """Frequency of the PIT of margins in equal bins.

    Columns system, low, high, share (1 / bins if forecasts are calibrated), games.
    """
    judged = mask & np.isfinite(games.margin)
    edges, parts = np.linspace(0.0, 1.0, bins + 1), []
    for name, value in _margin_forecasts(systems, judged).items():
        below = np.minimum(value[judged, _BELOW], np.nextafter(1.0, 0.0))  # 1 itself belongs to the last bin
        up_to = np.maximum(value[judged, _UP_TO], below)
        share = [float(pit_share(below, up_to, *two).mean()) for two in pairwise(edges.tolist())]
        columns = {"system": name, "low": edges[:-1], "high": edges[1:], "share": share, "games": int(judged.sum())}
        parts.append(pd.DataFrame(columns))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()
