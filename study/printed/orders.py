"""The orders of models that appendices C and D of the thesis print, beside those of the printed numbers and of ours.

Appendix C orders the models by Akaike's criterion on the training set (table 8), static and weighted apart; appendix
D by Akaike's criterion (table 13) and De Finetti's measure (tables 11 and 12) on set A. Appendix E (set B) is not here:
in the text of the source its columns run into one another, and no reading of it is certain.

Two lines of appendix D cannot be what was meant. Among the Bradley-Terry models by De Finetti's measure the weighted
model with one advantage stands twice, first and sixth, and a model of the other family eighth; the printed numbers have
the weighted and the static model without advantage there.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from halfpoint.study.printed.files import published

SOURCES = {
    ("C", "aic"): ("training", ("T8",)),
    ("D", "aic"): ("A", ("T13",)),
    ("D", "definetti"): ("A", ("T11", "T12")),
}
MISPRINTS = {  # (appendix, criterion, family, place): what the printed numbers have there
    ("D", "definetti", "bradley_terry", 6): ("ratings", "weighted"),
    ("D", "definetti", "bradley_terry", 8): ("ratings", "static"),
}


def order_table(numbers: pd.DataFrame) -> pd.DataFrame:
    """Return each place of the printed orders with the places that the printed numbers and ours give.

    Parameters
    ----------
    numbers : DataFrame
        From `halfpoint.study.printed.table.published_table`.

    Returns
    -------
    DataFrame
        appendix, criterion, family, weights (static, weighted or both), place (as printed), model and weighting (as
        printed; where that is a misprint, as meant, and `verdict` says so), printed and ours (the numbers), first and
        last (places that the printed number can have: equal printed numbers share theirs), ours_place, verdict: "match"
        where the printed place is one of those and ours is too, else what differs.
    """
    lines = []
    for line in published("orders").to_dict("records"):
        key = (line["appendix"], line["criterion"], line["family"], int(line["place"]))
        model, weighting = MISPRINTS.get(key, (line["model"], line["weighting"]))
        printed, ours = number_of(numbers, line["appendix"], line["criterion"], line["family"], model, weighting)
        named = {name: line[name] for name in ("appendix", "criterion", "family", "weights")}
        named |= {"place": key[3], "model": model, "weighting": weighting, "printed": printed, "ours": ours}
        lines.append(named | {"misprint": key in MISPRINTS})
    table = pd.DataFrame(lines)
    groups = table.groupby(["appendix", "criterion", "family", "weights"], sort=False)
    table["first"] = groups["printed"].rank(method="min").astype(int)
    table["last"] = groups["printed"].rank(method="max").astype(int)
    table["ours_place"] = groups["ours"].rank(method="first").astype("Int64")
    table["verdict"] = [verdict(line) for line in table.to_dict("records")]
    return table.drop(columns="misprint")


def number_of(
    numbers: pd.DataFrame, appendix: str, criterion: str, family: str, model: str, weighting: str
) -> tuple[float, float]:
    """Return the printed number behind a place, and ours (NaN where that model was not sampled)."""
    data, places = SOURCES[appendix, criterion]
    column = {"aic", "aicm"} if criterion == "aic" else {criterion}
    here = (numbers["source"] == "thesis") & numbers["place"].isin(places) & numbers["column"].isin(column)
    here &= numbers["row"] == f"{data} {family} {model} {weighting}"
    found = numbers[here]
    if len(found) != 1:
        raise ValueError(f"{data} {family} {model} {weighting}: expected one printed number, found {len(found)}")
    ours = found["ours"].iloc[0]
    return float(found["printed"].iloc[0]), float("nan") if ours is None else float(ours)


def verdict(line: Mapping[Any, Any]) -> str:
    """Return in words how the printed place, the place by the printed numbers and the place by ours agree."""
    if line["misprint"]:
        return "misprint: another model is printed here"
    if not line["first"] <= line["place"] <= line["last"]:
        return "misprint: not the order of the printed numbers"
    if np.isnan(line["ours"]):
        return "not sampled"
    return "match" if line["ours_place"] == line["place"] else f"place {line['ours_place']} by ours"
