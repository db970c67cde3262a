"""The orders of models in appendices C to E of the thesis, by the printed and by the computed numbers.

Appendix C orders the models by Akaike's criterion on the training set (table 8), static and weighted apart; appendices
D and E by Akaike's criterion (tables 13 and 16) and De Finetti's measure (tables 11 and 12, 14 and 15) on sets A and B.

Two lines of appendix D are misprints. Among the Bradley-Terry models by De Finetti's measure the weighted model with
one advantage is listed twice, first and sixth, and a model of the other family eighth; the printed numbers have the
weighted and the static model without advantage there.

For appendix E the source text gives the parameters at each place. Its columns of weights and of imputed advantages
overlap other columns and are not read: the second weighted model of a kind in the appendix is the second of that kind
by the printed and by the computed numbers. Both columns of the Bradley-Terry models have fifteen lines for fourteen
places, the first without a place: the common advantage by De Finetti's measure, and the player's advantage by Akaike's
criterion, appear twice and are read once.
"""

from collections.abc import Hashable, Mapping

import numpy as np
import pandas as pd

from halfpoint.apps.study.printed.files import lines_of

_SOURCES = {
    ("C", "aic"): ("training", ("T8",)),
    ("D", "aic"): ("A", ("T13",)),
    ("D", "definetti"): ("A", ("T11", "T12")),
    ("E", "aic"): ("B", ("T16",)),
    ("E", "definetti"): ("B", ("T14", "T15")),
}
_GROUP = ("appendix", "criterion", "family", "weights")
MISPRINTS = {  # (appendix, criterion, family, place): the model of the printed numbers there
    ("D", "definetti", "bradley_terry", 6): ("ratings", "weighted"),
    ("D", "definetti", "bradley_terry", 8): ("ratings", "static"),
}


def order_table(numbers: pd.DataFrame) -> pd.DataFrame:
    """Printed places of the orders with the places (first to last if equal) by the numbers."""
    lines: list[dict[str, object]] = []
    for line in lines_of("orders"):
        key = (line["appendix"], line["criterion"], line["family"], int(line["place"]))
        model, weighting = MISPRINTS.get(key, (line["model"], line["weighting"]))
        like = [
            earlier for earlier in lines if earlier["model"] == model and all(earlier[k] == line[k] for k in _GROUP)
        ]
        of_kind = numbers_of(numbers, line, model, weighting)
        printed, ours = (values[0 if weighting else len(like)] for values in of_kind)
        row: dict[str, object] = {name: line[name] for name in _GROUP}
        row |= {"place": key[3], "model": model, "weighting": weighting, "printed": printed, "ours": ours}
        lines.append(row | {"misprint": key in MISPRINTS})
    table = pd.DataFrame(lines)
    groups = table.groupby(list(_GROUP), sort=False)
    table["first"] = groups["printed"].rank(method="min").astype(int)
    table["last"] = groups["printed"].rank(method="max").astype(int)
    table["ours_place"] = groups["ours"].rank(method="first").astype("Int64")
    table["verdict"] = [verdict(line) for line in table.to_dict("records")]
    return table.drop(columns="misprint")


def numbers_of(
    numbers: pd.DataFrame, line: Mapping[str, str], model: str, weighting: str
) -> tuple[list[float], list[float]]:
    """Printed numbers of a model, and ours (NaN if not sampled), best first; a weighted model has one number."""
    data, places = _SOURCES[line["appendix"], line["criterion"]]
    column = {"aic", "aicm"} if line["criterion"] == "aic" else {line["criterion"]}
    is_source = (numbers["source"] == "thesis") & numbers["place"].isin(places) & numbers["column"].isin(column)
    name = f"{data} {line['family']} {model} {weighting}"
    rows = numbers[is_source & (numbers["row"].eq(name) if weighting else numbers["row"].str.startswith(name))]
    if len(rows) != 1 and (weighting or rows.empty):
        raise ValueError(f"{name}: expected one printed number, found {len(rows)}")
    return sorted(rows["printed"].astype(float)), np.sort(rows["ours"].astype(float)).tolist()


def verdict(line: Mapping[Hashable, str]) -> str:
    """Agreement of the printed place, the place by the printed numbers and ours, in words."""
    if line["misprint"]:
        return "misprint: another model is printed here"
    if not line["first"] <= line["place"] <= line["last"]:
        return "misprint: not the order of the printed numbers"
    if np.isnan(line["ours"]):
        return "not sampled"
    return "match" if line["ours_place"] == line["place"] else f"place {line['ours_place']} by ours"
