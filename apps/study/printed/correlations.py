"""Correlations of the models' ratings with one another and with FIDE's lists: appendix B.

The source text has only the five numbers and ranges quoted in section 4.1. These and all other correlations are
computed from the columns of appendix A, with headers as printed.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from halfpoint.apps.study.posterior_draws import ModelDraws
from halfpoint.apps.study.printed.files import catalogue_name, lines_of, read_published
from halfpoint.apps.study.printed.ratings import rating_matrix
from halfpoint.apps.study.printed.reproduction import Reproduction
from halfpoint.apps.study.printed.settings import Entries, Ours
from halfpoint.evaluation.verdicts import Explanation
from halfpoint.readers.datasets.study import study_players

_LISTS = {"ELO.D12": "rating_2012_12_elo", "ELO.M14": "rating_2014_05_elo"}
_BETWEEN_LISTS = "correlation ELO.D12 with ELO.M14 (%)"
_PAIRS = {
    "lowest correlation between models: BT complete weighted with DV simple static (%)": "bt-player-weighted davidson",
    "highest correlation between models: BT one delta static with BT complete static (%)": "bt-common bt-player",
}


def appendix_matrix() -> pd.DataFrame:
    """The printed ratings of appendix A, players by "family treatment weighting", headers as printed."""
    table = read_published("ratings")
    table = table[table["table"] == "AppA"]
    header = table["family"] + " " + table["model"] + " " + table["weighting"]
    return table.assign(header=header, number=table["value"].astype(float)).pivot(
        index="player", columns="header", values="number"
    )


def _quoted_lines(table: pd.DataFrame, column: str) -> dict[tuple[str, str], int]:
    """Line of each correlation with a model quoted in the text, by quantity and column there."""
    of_models, line_of = ~table["first"].isin(_LISTS), dict[tuple[str, str], int]()
    for name in _LISTS:
        lines = np.flatnonzero(of_models & (table["second"] == name))
        percent, quantity = table[column].to_numpy()[lines], f"correlation of {name} with the models, range (%)"
        line_of |= {(quantity, "low"): int(lines[percent.argmin()]), (quantity, "high"): int(lines[percent.argmax()])}
    pairs = (table["first"] + " " + table["second"]).tolist()
    return line_of | {(quantity, "value"): pairs.index(pair) for quantity, pair in _PAIRS.items()}


def appendix_correlations() -> dict[tuple[str, str], float]:
    """The correlations in percent from the printed columns of appendix A."""
    percent = (table := correlation_table({}))["appendix_a_percent"]
    return {entry: float(percent[line]) for entry, line in _quoted_lines(table, "appendix_a_percent").items()}


def correlations(study: Reproduction) -> Entries:
    """Correlations between models and FIDE lists, recomputed and from the printed columns."""
    percent = (table := correlation_table(study.models))["ours_percent"]
    entries: Entries = {(_BETWEEN_LISTS, "value"): Ours(float(percent.iloc[-1]))}
    if len(study.models) < 12:
        return entries
    printed, slip = appendix_correlations(), "slip: from the faulty columns of appendix A"
    error = 0.1  # ratings with errors near 0.5 Elo and a spread of 40 move a correlation by about this, in per cent
    for entry, line in _quoted_lines(table, "ours_percent").items():
        explanation = Explanation(slip, "appendix_correlations", printed[entry])
        entries[entry] = Ours(float(percent[line]), error, explanations=(explanation,))
    return entries


def correlation_table(models: Mapping[str, ModelDraws]) -> pd.DataFrame:
    """The matrix of appendix B, one row a pair: from appendix A, recomputed, and quoted in the text."""
    players = study_players()
    printed = appendix_matrix()
    printed.columns = [catalogue_name(*name.split()) for name in printed.columns]
    ours = rating_matrix(models) if models else pd.DataFrame(index=players["data_name"])
    for name, column in _LISTS.items():
        printed[name] = players.set_index("name")[column].astype(float)
        ours[name] = players.set_index("data_name")[column].astype(float)
    printed_matrix, our_matrix = printed.corr(), ours.corr().reindex(index=printed.columns, columns=printed.columns)
    first, second = np.triu_indices(len(printed.columns), 1)
    names = printed.columns.to_numpy()
    percent = {"appendix_a_percent": printed_matrix, "ours_percent": our_matrix}
    table = pd.DataFrame(
        {"first": names[first], "second": names[second]}
        | {column: 100 * matrix.to_numpy()[first, second] for column, matrix in percent.items()}
    )
    scalars = {line["quantity"]: line for line in lines_of("scalars")}
    table["quoted_percent"] = ""
    entries = _quoted_lines(table, "appendix_a_percent") | {(_BETWEEN_LISTS, "value"): len(table) - 1}
    for (quantity, column), line in entries.items():
        table.loc[line, "quoted_percent"] = scalars[quantity][column]
    return table
