"""The printed criteria and scores of the reference models: exact, from counts and ratings."""

import numpy as np

from halfpoint.evaluation.references import Family, rating_expected_score, reference_definetti
from halfpoint.study.printed.misprints import decimals, one_digit_wrong, transposed_digits
from halfpoint.study.printed.verdicts import Cell, Explanation, misprint
from halfpoint.study.reproduction import Reproduction
from halfpoint.study.slips import DECEMBER_2012, recycled_rating_list

RULE_OF_TABLE = {
    ("thesis", "T6"): {"bradley_terry": (2, 4, 4, 46), "davidson": (2, 4, 6, 0)},
    ("thesis", "T8"): {"bradley_terry": (0, 0, 0, 0), "davidson": (0, 0, 0, 0)},
    ("thesis", "T11"): {"bradley_terry": (2, 4, 4, 0), "davidson": (2, 4, 6, 0)},
    ("thesis", "T13"): {"bradley_terry": (2, 4, 4, 0), "davidson": (2, 4, 6, 0)},
    ("thesis", "T14"): {"bradley_terry": (2, 4, 4, 0), "davidson": (2, 4, 6, 0)},
    ("thesis", "T16"): {"bradley_terry": (2, 4, 4, 0), "davidson": (2, 4, 6, 0)},
    ("paper", "T1"): {"bradley_terry": (1, 1, 1, 0), "davidson": (2, 2, 2, 0)},
    ("paper", "T2"): {"bradley_terry": (1, 1, 1, 0), "davidson": (2, 2, 2, 0)},
}
NAMES = ("equiprobable", "proportional_no_draws", "proportional", "fide_elo")


def charged_parameters(neg2_loglik: float, parameters: float) -> float:
    """Return AIC: -2 log L + 2 k.

    Examples
    --------
    >>> charged_parameters(9436.5, 2)
    9440.5
    """
    return neg2_loglik + 2 * parameters


def reference_cell(line: dict[str, str], study: Reproduction) -> Cell:
    """Return the comparison of one printed number of a reference model.

    The tables add 2k with a k of their own, not the number of proportions that were fitted; `RULE_OF_TABLE` has each
    table's k, and a figure off its own table's rule is a slip.
    """
    row = f"{line['data']} {line['family']} {line['model']} {line['weighting']}"
    family: Family = "davidson" if line["family"] == "davidson" else "bradley_terry"
    if line["metric"] == "definetti":
        return definetti_cell(line, row, family, study)
    base = study.reference(family, line["model"], line["data"], line["weighting"])
    charged = RULE_OF_TABLE[line["source"], line["table"]][family][NAMES.index(line["model"])]
    ours, printed = charged_parameters(base, charged), line["value"]
    explanations = []
    for k in (0, 1, 2, 4, 6):
        value = charged_parameters(base, k)
        explanations.append(Explanation(f"slip: charged k = {k}, not {charged}", "charged_parameters", value))
    if line["model"] == "fide_elo" and line["data"] == "B":
        wrong = recycled_rating_list(study.sets["A"], study.sets["B"])
        explanations.append(Explanation("slip: rating list recycled", "recycled_rating_list", wrong))
    rounded_first = charged_parameters(round(base), charged)
    explanations.append(Explanation("slip: rounded before 2k was added", "charged_parameters", rounded_first))
    explanations += [misprint(ours, printed, transposed_digits), misprint(ours, printed, one_digit_wrong)]
    column, rule = line["metric"], "charged_parameters" if charged else ""
    cell = Cell(line["source"], line["table"], row, column, printed, ours, 0.0, rule, tuple(explanations))
    if abs(ours - float(printed)) < 10 * 10.0 ** -decimals(printed) + 0.2:
        return Cell(**(vars(cell) | {"otherwise": "misprint"}))
    return cell


def definetti_cell(line: dict[str, str], row: str, family: Family, study: Reproduction) -> Cell:
    """Return the comparison of one printed De Finetti measure of a reference model."""
    if line["model"] == "fide_elo":
        games = study.sets[line["data"]]
        p = rating_expected_score(*(games.covariates[column] for column in DECEMBER_2012))
        ours = float(np.mean((p - games.score) ** 2))
    else:
        ours = reference_definetti(family, line["model"], study.counts(line["data"]))
    slips = (misprint(ours, line["value"], one_digit_wrong),)
    return Cell(line["source"], line["table"], row, line["metric"], line["value"], ours, explanations=slips)
