"""Correlations of the models' ratings with one another and with FIDE's lists: appendix B.

The text of the source has only the five numbers and ranges of it that section 4.1 quotes. The columns of appendix A,
headers as printed, give these and all others.
"""

from collections.abc import Mapping
from itertools import combinations

import pandas as pd

from halfpoint.evaluation.verdicts import Explanation
from halfpoint.games.datasets.study import study_players
from halfpoint.study.posterior_draws import ModelDraws
from halfpoint.study.printed.files import catalogue_name, lines_of, published
from halfpoint.study.printed.ratings import rating_matrix
from halfpoint.study.printed.settings import Entries, Ours
from halfpoint.study.reproduction import Reproduction

LISTS = {"ELO.D12": "rating_2012_12_elo", "ELO.M14": "rating_2014_05_elo"}
LOWEST = "lowest correlation between models: BT complete weighted with DV simple static (%)"
HIGHEST = "highest correlation between models: BT one delta static with BT complete static (%)"


def appendix_matrix() -> pd.DataFrame:
    """Return the printed ratings of appendix A, players by "family treatment weighting", headers as printed."""
    table = published("ratings")
    table = table[table["table"] == "AppA"]
    header = table["family"] + " " + table["model"] + " " + table["weighting"]
    return table.assign(header=header, number=table["value"].astype(float)).pivot(
        index="player", columns="header", values="number"
    )


def entry_of(matrix: pd.DataFrame, row: str, column: str) -> float:
    """Return one entry of a matrix."""
    return float(matrix[column].to_numpy()[matrix.index.get_loc(row)])


def appendix_correlations() -> dict[tuple[str, str], float]:
    """Return the correlations in per cent that the printed columns of appendix A give."""
    matrix = appendix_matrix()
    players = study_players().set_index("name").loc[matrix.index]
    found = {}
    for label, column in LISTS.items():
        with_models = 100 * matrix.corrwith(players[column].astype(float))
        quantity = f"correlation of {label} with the models, range (%)"
        found[quantity, "low"], found[quantity, "high"] = float(with_models.min()), float(with_models.max())
    between = 100 * matrix.corr()
    found[LOWEST, "value"] = entry_of(between, "bradley_terry per_player weighted", "davidson ratings static")
    found[HIGHEST, "value"] = entry_of(between, "bradley_terry common static", "bradley_terry per_player static")
    return found


def correlations(study: Reproduction) -> Entries:
    """Return the correlations between models and FIDE lists, ours beside those of the printed columns."""
    players = study_players().set_index("data_name")
    found: Entries = {}
    december, may = (players[column].astype(float) for column in LISTS.values())
    found["correlation ELO.D12 with ELO.M14 (%)", "value"] = Ours(100 * float(december.corr(may)))
    if len(study.models) < 12:
        return found
    matrix = rating_matrix(study.models)
    printed = appendix_correlations()
    slip = "slip: from the faulty columns of appendix A"

    def entry(key: tuple[str, str], ours: float) -> None:
        error = 0.1  # ratings with errors near 0.5 Elo and a spread of 40 move a correlation by about this, in per cent
        found[key] = Ours(ours, error, explanations=(Explanation(slip, "appendix_correlations", printed[key]),))

    for label, column in LISTS.items():
        with_models = 100 * matrix.corrwith(players[column].astype(float).loc[matrix.index])
        quantity = f"correlation of {label} with the models, range (%)"
        entry((quantity, "low"), float(with_models.min()))
        entry((quantity, "high"), float(with_models.max()))
    between = 100 * matrix.corr()
    entry((LOWEST, "value"), entry_of(between, "bt-player-weighted", "davidson"))
    entry((HIGHEST, "value"), entry_of(between, "bt-common", "bt-player"))
    return found


def correlation_table(models: Mapping[str, ModelDraws]) -> pd.DataFrame:
    """Return the matrix of appendix B, one row a pair: as appendix A gives it, as ours, and what the text quotes."""
    players = study_players()
    printed = appendix_matrix()
    printed.columns = [catalogue_name(*name.split()) for name in printed.columns]
    ours = rating_matrix(models) if models else pd.DataFrame(index=players["data_name"])
    for name, column in LISTS.items():
        printed[name] = players.set_index("name")[column].astype(float)
        ours[name] = players.set_index("data_name")[column].astype(float)
    theirs, between = printed.corr(), ours.corr().reindex(index=printed.columns, columns=printed.columns)
    rows = [
        (one, other, 100 * entry_of(theirs, one, other), 100 * entry_of(between, one, other))
        for one, other in combinations(printed.columns, 2)
    ]
    table = pd.DataFrame(rows, columns=["first", "second", "appendix_a_percent", "ours_percent"])
    said = {line["quantity"]: line for line in lines_of("scalars")}
    table["quoted_percent"] = ""
    with_lists = table[~table["first"].isin(LISTS)]
    for name in LISTS:
        found = with_lists[with_lists["second"] == name]["appendix_a_percent"]
        quoted = said[f"correlation of {name} with the models, range (%)"]
        table.loc[[found.idxmin(), found.idxmax()], "quoted_percent"] = [quoted["low"], quoted["high"]]
    named = {
        ("ELO.D12", "ELO.M14"): "correlation ELO.D12 with ELO.M14 (%)",
        ("bt-player-weighted", "davidson"): LOWEST, ("bt-common", "bt-player"): HIGHEST,
    }  # fmt: skip
    for (one, other), quantity in named.items():
        here = table["first"].isin((one, other)) & table["second"].isin((one, other))
        table.loc[here, "quoted_percent"] = said[quantity]["value"]
    return table
