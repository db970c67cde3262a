"""Ratings of bridge players and pairs through time, their accuracy, and forecasts of deals."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from halfpoint.apps.fields.bridge.graph import graph_of, meetings_of, players_of_graph
from halfpoint.apps.fields.bridge.read import read_results
from halfpoint.apps.fields.bridge.rules import BridgeRules, edition
from halfpoint.apps.fields.bridge.scores import Results, table_from
from halfpoint.apps.fields.bridge.system import BridgeRatings, forecast, rate, ratings_by_player
from halfpoint.apps.fields.bridge.table import BridgeTable
from halfpoint.apps.pages.cells import Look
from halfpoint.apps.pages.page import Chart, Page
from halfpoint.apps.workflows.answer import Answer, about_table, answer_page, as_csv, put_page
from halfpoint.apps.workflows.beside.columns import notes_of_file
from halfpoint.evaluation.digits import in_percent
from halfpoint.evaluation.first_sentences.leaders import surest
from halfpoint.evaluation.rating_list import RatingList
from halfpoint.evaluation.scores import accuracy_of_deviance, binomial_deviance, root_mean_square_error
from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.results import results as place_for
from halfpoint.models.games.table import Floats, Texts


@dataclass(frozen=True, eq=False, repr=False)
class BridgeRatingList(Answer):
    """Ratings of bridge players or pairs, and their history.

    A row of `frame` is a player or pair, best first: rank, rating_elo, results, last (start of the last period); for
    players also partnerships and cross_imps_per_result, the mean over partnerships weighted by results. `about` has
    title, rules, note.
    """

    partnerships: pd.DataFrame  #: one row a pair: results, cross-IMPs a result, mean of the two ratings
    meetings: pd.DataFrame  #: one row for two pairs who met (`halfpoint.apps.fields.bridge.graph.meetings_of`)
    history: pd.DataFrame  #: ratings after each period (`ratings_in_time`)
    log: pd.DataFrame  #: one row a rated result: period, deal, players, E and S by the margin, gamma, changes
    #: one row a period: results, RMSE, binomial deviance (base 10), accuracy, right winner, and the same of a coin
    periods: pd.DataFrame
    ratings: BridgeRatings  #: for `bridge_forecast` and further work
    table: BridgeTable

    def page(self) -> Page:
        """Page of the list, with the ratings of the first through time."""
        chart = chart_in_time(self.history, self.frame[self.history.columns[0]].tolist())
        return answer_page(self.frame, self.about, *([] if chart is None else [chart]))

    def write_results(
        self, out: str | Path, reads: tuple[object, ...] = (), force: bool = False, graph: bool = False
    ) -> None:
        """Write tables and page to a folder, all or none.

        `reads` are paths that must not be overwritten, `force` replaces files that no earlier run wrote; `graph` also
        writes graph.graphml with deals, seats and players (`halfpoint.apps.fields.bridge.graph`).

        Raises
        ------
        HalfpointError
            If a file cannot be written, or belongs to another program and `force` is not given.
        """
        tables = {
            f"{self.history.columns[0]}s.csv": self.frame, "partnerships.csv": self.partnerships, "log.csv": self.log,
            "meetings.csv": self.meetings, "history.csv": self.history, "periods.csv": self.periods,
        }  # fmt: skip
        names = (*tables, *["graph.graphml"] * graph, "report.html")
        with place_for(out, "bridge rate", names, reads=reads, force=force) as place:
            for name, frame in tables.items():
                place.text(name, as_csv(frame))
            if graph:
                place.text("graph.graphml", graph_of(self.table, self.ratings))
            put_page(place, "report.html", self.page())


def bridge_rate(
    results: Results,
    columns: Mapping[str, str] | None = None,
    rules: BridgeRules | str = "printed",
    settings: Mapping[str, Any] | None = None,
    training_periods: int = 1,
) -> BridgeRatingList:
    """Ratings by the system of Krajowski-Kukiel (2011), and the accuracy of their forecasts by period.

    `BridgeRatingList.write_results` writes them.

    Parameters
    ----------
    results : str, Path or BridgeTable
        A CSV, LIN or PBN file.
    columns : mapping of str to str, optional
        CSV: field to the file's column.
    rules : BridgeRules or {"printed", "corrected"}
        Rules, or an edition by name.
    settings : mapping, optional
        Rules that differ from `rules` (`halfpoint.apps.fields.bridge.rules.BridgeRules`).
    training_periods : int
        First periods used for training only.

    Raises
    ------
    HalfpointError
        If the file is refused, a rule is unknown, or no result can be rated.
    """
    rule_names = [field.name for field in fields(BridgeRules)]
    for name in set(settings or {}).difference(rule_names):
        raise RatingSystemError("--set", f"numbers of {', '.join(rule_names)}", repr(name))
    chosen = replace(edition(rules) if isinstance(rules, str) else rules, **dict(settings or {}))
    table = table_from(results, columns)
    rated = rate(table, chosen)
    names, word = rated.periods, chosen.unit
    listed = pd.DataFrame({
        word: rated.names, "rating_elo": rated.rating_elo, "results": rated.results, "last": names[rated.last - 1],
    })  # fmt: skip
    listed = RatingList.of_points(listed[listed["results"] >= 1], noun=word).frame
    meetings, log, partnerships = meetings_of(rated), _log_of(table, rated), _partnerships_of(rated)
    if word == "player":
        listed = listed.merge(players_of_graph(rated, partnerships), on=word, how="left")
    history = ratings_in_time(rated, log)
    judged = _judged_periods(rated, log["outcome_ns"].to_numpy(), names, training_periods)
    undated = [f"No dates: rated by {rated.every}."] if rated.every != chosen.every else []
    about = about_table(
        table, f"Bridge ratings of {table.name}: {rated.row.size:,} of {len(table):,} results", "results",
        rules=asdict(chosen),
        note="\n".join((*table.notes, *undated, _in_words(judged, training_periods))),
    )  # fmt: skip
    return BridgeRatingList(listed, about, partnerships, meetings, history, log, judged, rated, table)


def _log_of(table: BridgeTable, rated: BridgeRatings) -> pd.DataFrame:
    """Log with one row a rated result."""
    row, x, margin = rated.row, rated.measured, rated.rules.margin
    return pd.DataFrame({
        "period": rated.periods[rated.period - 1], "deal": table.deal_names[table.deal[row]],
        **{seat: names[row] for seat, names in table.names_by_seat.items()},
        "score_ns": table.score_ns[row], "cross_imps_ns": rated.cross_imps,
        "expected_ns": rated.expected, "outcome_ns": np.where(x > margin, 1.0, np.where(x < -margin, 0.0, 0.5)),
        "gamma_elo": rated.gamma_elo,
        "change_ns_elo": rated.change_ns_elo, "change_ew_elo": rated.change_ew_elo,
    })  # fmt: skip


def _partnerships_of(rated: BridgeRatings) -> pd.DataFrame:
    """Table with one row a pair of rated results, most results first."""
    ends, x = np.concatenate([rated.ns, rated.ew]), rated.cross_imps
    count = np.bincount(ends, minlength=rated.pairs.size)
    won = np.bincount(ends, np.concatenate([x, -x]), minlength=rated.pairs.size)
    played = count > 0
    players, rating, _ = ratings_by_player(rated)
    rating_of = dict(zip(players.tolist(), rating.tolist(), strict=True))
    elo = np.array([[rating_of.get(name, np.nan) for name in pair] for pair in rated.partners[played].tolist()])
    frame = pd.DataFrame({
        "pair": rated.pairs[played], "results": count[played], "cross_imps_per_result": won[played] / count[played],
        "mean_rating_elo": elo.mean(axis=1),
    })  # fmt: skip
    return frame.sort_values(["results", "pair"], ascending=[False, True], ignore_index=True)


def _judged_periods(rated: BridgeRatings, outcome: Floats, names: Texts, training_periods: int) -> pd.DataFrame:
    """Accuracy of the forecast of each period, and of a coin; the last row is for all scored periods.

    The outcome is won, drawn or lost by the margin, independent of the rules, so that all rules are judged alike.
    """
    has_forecast = ~np.isnan(rated.expected)
    parts = [(str(names[number - 1]), bool(number > training_periods), has_forecast & (rated.period == number))
             for number in np.unique(rated.period[has_forecast])]  # fmt: skip
    judged = has_forecast & (rated.period > training_periods)
    parts += [("all judged", True, judged)] * bool(judged.any())
    rows = [(name, late, *scores(rated.expected[in_period], outcome[in_period])) for name, late, in_period in parts]
    columns = ["period", "judged", "results", "rmse", "deviance", "accuracy_percent", "right_winner_percent",
               "coin_rmse", "coin_accuracy_percent"]  # fmt: skip
    return pd.DataFrame(rows, columns=columns)


def scores(expected: Floats, outcome: Floats) -> tuple[float, ...]:
    """Number, RMSE (eq. 4.2), deviance, accuracy 10^-deviance, right winners, and a coin's RMSE and accuracy."""
    deviance = float(binomial_deviance(expected, outcome).mean())
    half = np.full(outcome.shape, 0.5)
    decided = (outcome != 0.5) & (expected != 0.5)
    right = 100.0 * float(((expected > 0.5) == (outcome > 0.5))[decided].mean()) if decided.any() else float("nan")
    coin = float(binomial_deviance(half, outcome).mean())
    return (
        outcome.size, root_mean_square_error(expected, outcome), deviance, 100.0 * accuracy_of_deviance(deviance),
        right, root_mean_square_error(half, outcome), 100.0 * accuracy_of_deviance(coin),
    )  # fmt: skip


def _in_words(judged: pd.DataFrame, training_periods: int) -> str:
    """Accuracy of the ratings in a sentence."""
    last = judged.iloc[-1] if len(judged) and judged.iloc[-1]["period"] == "all judged" else None
    if last is None:
        return (
            f"No period after the first {training_periods}: nothing was forecast. --every deal makes shorter periods."
        )
    return (
        f"Forecasts of {last['results']:,} results after {training_periods} training periods: RMSE {last['rmse']:.4f} "
        f"(a coin {last['coin_rmse']:.4f}), accuracy 10^-deviance {last['accuracy_percent']:.2f}% (a coin "
        f"{last['coin_accuracy_percent']:.2f}%), right winner {last['right_winner_percent']:.1f}%."
    )


def bridge_forecast(
    results: Results | BridgeRatingList,
    coming: str | Path | BridgeTable,
    columns: Mapping[str, str] | None = None,
    rules: BridgeRules | str = "printed",
    settings: Mapping[str, object] | None = None,
) -> Answer:
    """The expected scores of future deals, from the ratings after all results.

    Parameters
    ----------
    results : str, Path, BridgeTable or BridgeRatingList
        Results to rate by, or ratings that `bridge_rate` returned.
    coming : str, Path or BridgeTable
        The seating: a CSV file as for results, without scores.
    columns, rules, settings
        As for `bridge_rate`.

    Returns
    -------
    Answer
        One row per table: players, ratings of the two pairs, gamma and expected score of North and South.

    Raises
    ------
    HalfpointError
        If a file is refused.
    """
    listed = results if isinstance(results, BridgeRatingList) else bridge_rate(results, columns, rules, settings)
    table = coming if isinstance(coming, BridgeTable) else read_results(coming, columns=columns, scored=False)
    expected = forecast(listed.ratings, table)
    frame = pd.DataFrame({
        "deal": table.deal_names[table.deal], **table.names_by_seat,
        "ns_elo": expected.ns_elo, "ew_elo": expected.ew_elo, "gamma_elo": expected.gamma_elo,
        "expected_ns": expected.expected,
    })  # fmt: skip
    rated_names = set(listed.ratings.names.tolist())
    units = table.players if listed.ratings.rules.unit == "player" else table.pairs()[0]
    new = [name for name in units.tolist() if name not in rated_names]
    start = listed.ratings.rules.start_elo
    note = f"{len(new):,} without a rating count with {start:.0f}: {', '.join(new[:5])}{', ...' if new[5:] else ''}."
    notes = [note] * bool(new) + [f"{remark}." for remark in notes_of_file(table.notes, coming)]
    about = {
        "title": f"Expected scores of {table.name}, from {listed.about['data']}", "data": listed.about["data"],
        "simulated": listed.about["simulated"], "answer": _surest(frame), "note": "\n".join(notes),
    }  # fmt: skip
    return Answer(frame, about, look=Look(digits=3))


_DRAWN = 6  # number of distinguishable colours of the page
_DAY = r"\d{4}-\d{2}-\d{2}"


def ratings_in_time(rated: BridgeRatings, log: pd.DataFrame) -> pd.DataFrame:
    """Ratings after each period with games, in order of time, from the results of `_log_of`.

    Columns player or pair, period (its name), number (of the period, from 1), rating_elo, change_elo, results.
    """
    word, parts = rated.rules.unit, []
    for pair, first, second, change in ((rated.ns, "north", "south", "ns"), (rated.ew, "east", "west", "ew")):
        for names in (rated.pairs[pair],) if word == "pair" else (log[first], log[second]):
            columns = {"number": rated.period, "period": log["period"], "change_elo": log[f"change_{change}_elo"]}
            parts.append(pd.DataFrame({word: names} | columns))
    changes = pd.concat(parts).groupby([word, "number", "period"], sort=True)["change_elo"]
    frame = changes.agg(change_elo=rated.rules.total, results="size").reset_index()
    frame["rating_elo"] = rated.rules.start_elo + frame.groupby(word)["change_elo"].cumsum()
    frame = frame.sort_values(["number", word], ignore_index=True)
    return frame[[word, "period", "number", "rating_elo", "change_elo", "results"]]


def chart_in_time(history: pd.DataFrame, names: list[str]) -> Chart | None:
    """Figure of the first names' ratings after each period, None for a single period."""
    if history["number"].max() < 2 or not names:
        return None
    word = str(history.columns[0])
    days = bool(history["period"].str.fullmatch(_DAY).all())
    drawn = pd.concat([history[history[word] == name] for name in names[:_DRAWN]])
    columns = {word: "series", "period" if days else "number": "x", "rating_elo": "y"}
    rows = drawn[list(columns)].rename(columns=columns).to_dict("records")
    title = f"The first {len(names[:_DRAWN])} of the list after each period that they played in"
    axis = "first day of the period" if days else "period"
    return Chart("in-time", title, "lines", rows, axis, "rating (Elo points)")


def _surest(frame: pd.DataFrame) -> str:
    """Name in a sentence the table whose expected score is farthest from a half."""
    if not len(frame):
        return ""
    row = frame.iloc[int((frame["expected_ns"] - 0.5).abs().argmax())]
    north = row["expected_ns"] >= 0.5
    pair, opponents = f"{row['north']} & {row['south']}", f"{row['east']} & {row['west']}"
    pair, opponents = (pair, opponents) if north else (opponents, pair)
    share = row["expected_ns"] if north else 1.0 - row["expected_ns"]
    return surest(len(frame), "table", pair, opponents, f"expected score {in_percent(share)} at {row['deal']}", share)
