"""Scores of bridge results: results against other results of their deal, totals of pairs, matches of teams."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from halfpoint.apps.fields.bridge.comparison import butler, comparisons, cross_imps, datums, imp, matchpoints, percent
from halfpoint.apps.fields.bridge.contracts import VULNERABILITIES
from halfpoint.apps.fields.bridge.options import Datum, Divide, Rounding, Scoring
from halfpoint.apps.fields.bridge.page import scores_page, winners_in_words
from halfpoint.apps.fields.bridge.read import read_results
from halfpoint.apps.fields.bridge.table import BridgeTable
from halfpoint.apps.fields.bridge.teams import victory_points
from halfpoint.apps.pages.page import Page
from halfpoint.apps.workflows.answer import Answer, about_table, as_csv, put_page
from halfpoint.apps.workflows.options import records_of
from halfpoint.models.games.results import results as place_for

type Results = str | Path | BridgeTable
_SHOWN_DEALS, _DIGITS = 5, 4  # deals that a note names; digits after the point that printed scores may have
_RANKED_BY = {"matchpoints": "percent", "imps": "cross_imps"}
_TWICE = re.compile(r"^(.*) \(1\) & \1 \(2\)$")  # a pair whose players the file does not name apart


@dataclass(frozen=True, eq=False, repr=False)
class BridgeScores(Answer):
    """Scores of bridge results.

    A row of `frame` is a pair, best first: rank, pair, direction (N-S, E-W, both), results, matchpoints, cross_imps and
    butler_imps (sums), percent and cross_imps_per_board (means). If every pair keeps its direction (a Mitchell) the N-S
    pairs come first, then the E-W pairs, with separate ranks.
    """

    results: pd.DataFrame  #: one row a result: who sat where, points, and North and South's scores
    matches: pd.DataFrame  #: one row a match of two teams: IMPs, those carried over, victory points; none without teams

    def page(self) -> Page:
        """Page: the winner in each direction, the pairs, matches of teams, every board."""
        return scores_page(self.lists(), self.matches, self.results, self.about)

    def lists(self) -> dict[str, pd.DataFrame]:
        """Pairs that are ranked together, by direction: N-S and E-W, or all."""
        return _by_direction(self.frame, self.about["by_direction"])


def _by_direction(pairs: pd.DataFrame, apart: bool) -> dict[str, pd.DataFrame]:
    """Pairs that are ranked together: all, or by direction if directions are `apart`."""
    return (
        {str(direction): some for direction, some in pairs.groupby("direction", sort=False)} if apart else {"": pairs}
    )


def bridge_score(
    results: Results, columns: Mapping[str, str] | None = None, out: str | Path | None = None, force: bool = False, *,
    datum: Datum = "mean", rounding: Rounding = "none", trim: int = 1, divide: Divide = "others",
    scoring: str = "auto",
) -> BridgeScores:  # fmt: skip
    """The scores of bridge results.

    Parameters
    ----------
    results : str, Path or BridgeTable
        A CSV, LIN or PBN file.
    columns : mapping of str to str, optional
        CSV: field to the file's column.
    out : str or Path, optional
        Folder for results.csv, pairs.csv and, for teams, matches.csv.
    force : bool
        Replace files that no earlier run wrote.
    datum, rounding, trim, divide, scoring
        Method of scoring (`Scoring`: datum, rounding, trim, divide, scoring).

    Raises
    ------
    GameTableError
        If the file is refused.
    """
    [how] = records_of(locals(), Scoring)
    table, ranked = table_from(results, columns), how.scoring
    if ranked == "auto":
        ranked = "matchpoints" if table.scoring is not None and (table.scoring == "MP").any() else "imps"
    grouped = table.deals
    middle = datums(table.score_ns, grouped, how.datum, how.rounding, how.trim)
    points = matchpoints(table.score_ns, grouped)
    columns_of = {
        "event": np.full(len(table), "") if table.event is None else table.event,
        "deal": table.deal_names[table.deal], "board": table.board,
        "vulnerable": None if table.vulnerable is None else np.array([*VULNERABILITIES, ""])[table.vulnerable],
        **table.names_by_seat, "contract": table.contract,
        "score_ns": pd.array(table.score_ns, dtype="Int64"), "adjusted": table.adjusted,
        "compared_with": comparisons(grouped), "cross_imps_ns": cross_imps(table.score_ns, grouped, how.divide),
        "matchpoints_ns": points, "percent_ns": percent(points, grouped), "datum": middle[table.deal],
        "butler_imps_ns": butler(table.score_ns, grouped, middle), "official_ns": table.official,
    }  # fmt: skip
    scored = pd.DataFrame({name: column for name, column in columns_of.items() if column is not None})
    scored.loc[table.adjusted, "score_ns"] = pd.NA
    notes = [*table.notes, *([] if table.official is None else _unlike_printed(table, scored))]
    if how.scoring == "auto" and table.scoring is None:
        notes.append("The file names no scoring: pairs are ranked by IMPs; --scoring matchpoints ranks by percent.")
    matches, match_notes = matches_of(table)
    pairs, by_direction = _totals(table, scored, ranked)
    answer = winners_in_words(_by_direction(pairs, by_direction), ranked == "matchpoints")
    about = about_table(
        table, f"Pairs of {table.name}: {len(table):,} results of {table.deal_names.size:,} deals", "results",
        note="\n".join((*notes, *match_notes)), scoring=ranked, by_direction=by_direction,
        deals=int(table.deal_names.size), answer=answer,
    )  # fmt: skip
    scores = BridgeScores(pairs, about, scored, matches)
    if out is not None:
        tables = {"results.csv": scored, "pairs.csv": pairs} | ({"matches.csv": matches} if len(matches) else {})
        with place_for(out, "bridge score", tables, reads=(results,), force=force) as place:
            for name, listed in tables.items():
                place.text(name, as_csv(listed))
            put_page(place, "report.html", scores.page())
    return scores


def table_from(results: Results, columns: Mapping[str, str] | None = None) -> BridgeTable:
    """Results from a table or from a file."""
    return results if isinstance(results, BridgeTable) else read_results(results, columns=columns)


def _unlike_printed(table: BridgeTable, scored: pd.DataFrame) -> list[str]:
    """Note on deals whose printed scores differ from their results; empty if absent."""
    kind = np.full(len(table), "") if table.scoring is None else table.scoring
    printed, is_printed = scored["official_ns"].to_numpy(), ~scored["official_ns"].isna().to_numpy() & ~table.adjusted
    checked, far = np.zeros((2, len(table)), dtype=np.bool_)
    by_imps = [cross_imps(table.score_ns, table.deals, divide) for divide in ("others", "all")]
    for method, ways in (("MP", [scored["percent_ns"]]), ("XIMP", by_imps)):
        of_method = is_printed & (kind == method)
        decimals = (
            n for n in range(_DIGITS) if np.allclose(printed[of_method], printed[of_method].round(n), 0.0, 1e-9)
        )
        half_unit = 0.5 * 10.0 ** -next(decimals, _DIGITS) + 1e-6
        checked, far = (
            checked | of_method,
            far | (of_method & ~(np.abs(np.array(ways) - printed) <= half_unit).any(axis=0)),
        )
    names, notes = table.deal_names[np.unique(table.deal[far])].tolist(), list[str]()
    if names:
        shown_names = ", ".join(names[:_SHOWN_DEALS]) + ", ..." * (len(names) > _SHOWN_DEALS)
        notes.append(
            f"{len(names)} of {np.unique(table.deal[checked]).size} deals have other printed scores, as when a result "
            f"is missing: {shown_names}. Scores here use the available results."
        )
    if away := int((is_printed & ~checked).sum()):
        notes.append(f"{away:,} printed scores are not checked: their datum or kind is not in the file.")
    return notes


def _totals(table: BridgeTable, scored: pd.DataFrame, scoring: str) -> tuple[pd.DataFrame, bool]:
    """Table with one row a pair, best first, and True if the two directions are ranked separately."""
    names, ns, ew = table.pairs()
    north = scored[[f"{name}_ns" for name in ("cross_imps", "butler_imps", "percent", "matchpoints")]]
    north = north.rename(columns=lambda name: name.removesuffix("_ns"))
    east = pd.DataFrame({"percent": 100.0, "matchpoints": 2.0 * scored["compared_with"]}).sub(north, fill_value=0.0)
    both_lines = pd.concat([north.assign(pair=ns, sat=1.0), east.assign(pair=ew, sat=-1.0)])
    grouped = both_lines[(both_lines["pair"] >= 0) & both_lines["cross_imps"].notna()].groupby("pair")
    sums, means = grouped.sum(), grouped.mean()
    by_percent = {"matchpoints": sums["matchpoints"], "percent": means["percent"]}
    by_imps = {"cross_imps": sums["cross_imps"], "cross_imps_per_board": means["cross_imps"],
               "butler_imps": sums["butler_imps"]}  # fmt: skip
    sat = means["sat"]
    frame = pd.DataFrame({
        "pair": [_TWICE.sub(r"\1", str(names[pair])) for pair in sat.index],
        "direction": np.where(sat > 0.999, "N-S", np.where(sat < -0.999, "E-W", "both")),
        "results": grouped.size(),
        **(by_percent | by_imps if scoring == "matchpoints" else by_imps | by_percent),
    }).reset_index(drop=True)  # fmt: skip
    is_split = len(frame) > 2 and not (frame["direction"] == "both").any()
    order = frame["direction"].eq("E-W") & is_split  # N-S before E-W
    rank = frame.groupby(order)[_RANKED_BY[scoring]].rank(method="min", ascending=False)
    frame.insert(0, "rank", rank.astype(np.int64))
    ranked = frame.assign(order=order).sort_values(["order", "rank", "pair"], ignore_index=True)
    return ranked.drop(columns="order"), is_split


def matches_of(table: BridgeTable) -> tuple[pd.DataFrame, list[str]]:
    """One row per team match, and remarks on boards outside matches."""
    names = ["match", "team", "other", "boards", "imps", "other_imps", "carried", "other_carried", "total",
             "other_total", "victory_points", "other_victory_points"]  # fmt: skip
    if table.team_ns is None or table.team_ew is None:
        return pd.DataFrame(columns=names), []
    event = np.full(len(table), "") if table.event is None else table.event
    swings: dict[tuple[str, str, str], list[int]] = {}
    incomplete, grouped = 0, table.deals
    for rows in np.split(grouped.order, grouped.starts[1:-1]):
        rows = rows[(table.team_ns[rows] != "") & (table.team_ew[rows] != "")]
        sides = list(zip(table.team_ns[rows].tolist(), table.team_ew[rows].tolist(), strict=True))
        if len(sides) != 2 or sides[0] != sides[1][::-1] or sides[0][0] == sides[0][1]:
            incomplete += bool(sides)
            continue
        won = int(imp(np.subtract(*table.score_ns[rows])))
        key = (str(event[rows[0]]), *sides[0])
        if (key[0], *sides[1]) in swings:
            key, won = (key[0], *sides[1]), -won
        swings.setdefault(key, []).append(won)
    carried, lines = dict(table.carried), []
    for (match, *teams), gained in swings.items():
        gain = np.array(gained)
        imps = np.maximum([gain, -gain], 0).sum(axis=1)
        points = float(victory_points(imps[0] - imps[1], len(gained)))
        brought = np.array([carried.get(team, 0.0) for team in teams])
        lines.append([match, *teams, len(gained), *imps.tolist(), *brought.tolist(), *(imps + brought).tolist(), points,
                      round(20.0 - points, 2)])  # fmt: skip
    notes = (
        [f"{incomplete:,} boards have no two results of the same two teams and belong to no match."]
        if incomplete
        else []
    )
    return pd.DataFrame(lines, columns=names), notes
