"""Charts of a backtest's page: the lead of each system, whether forecasts came true, and the spread of margins."""

from collections.abc import Mapping, Sequence

import pandas as pd

from halfpoint.apps.pages.page import Chart

_CALIBRATED = 3  # systems in a figure


def lead_over_time(by_period: pd.DataFrame, names: Sequence[str], reference: str, titles: Mapping[str, str]) -> Chart:
    """Figure of the cumulative lead of each system over the reference, by period."""
    rows = pd.concat([by_period[by_period["system"] == name].sort_values("period") for name in names])
    shown = rows.rename(columns={"system": "series", "period": "x", "cumulative_lead": "y"})[["series", "x", "y"]]
    shown, against = shown.assign(series=shown["series"].map(titles)), titles.get(reference, reference)
    title = f"Lead over {against} in log score so far; above 0: better."
    return Chart("figure-lead", title, "lines", shown.to_dict("records"), "period", "log score", against)


def came_true(curves: pd.DataFrame, names: Sequence[str], titles: Mapping[str, str], seat: str) -> Chart:
    """Figure of the first seat's score against the forecast, for the best systems."""
    scores = curves[curves["event"] == "expected_score"]
    rows = pd.concat([scores[scores["system"] == name] for name in names[:_CALIBRATED]])  # colours as above
    rows = rows.assign(system=rows["system"].map(titles))
    columns = {"system": "series", "mean_forecast": "x", "observed_share": "y"}
    shown = rows.rename(columns=columns)[["series", "x", "y", "low", "high", "games"]].to_dict("records")
    title = f"Do forecasts come true? Score of {seat} in bins of games, with 95% intervals."
    return Chart("figure-calibration", title, "reliability", shown, f"forecast score of {seat}", "observed score")


def spread_of_margins(pit: pd.DataFrame) -> Chart:
    """Figure of the PIT of margins: flat if calibrated."""
    rows = pit.assign(x=(pit["low"] + pit["high"]) / 2.0).rename(columns={"system": "series", "share": "y"})
    title = "How often margins fell into each part of their forecasts; flat is calibrated."
    return Chart("figure-margins", title, "lines", rows[["series", "x", "y"]].to_dict("records"), "F(margin)", "share")
