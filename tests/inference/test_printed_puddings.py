"""Davidson's puddings as printed by the R package PlackettLuce: verdicts on logarithms and worths."""

import numpy as np
from paired_tables import PUDDINGS, games_of

from halfpoint.evaluation.verdicts import Cell, Explanation, reproduce, verdict_line
from halfpoint.inference.maximum_likelihood import maximum_likelihood
from halfpoint.models.declaration.catalogue import find

LOGARITHMS = {  # estimate over the first pudding and its standard error; the last is the draw parameter
    "1": ("0.2202", "0.1872"), "2": ("0.1530", "0.1935"), "3": ("0.1753", "0.1882"), "4": ("0.1339", "0.1927"),
    "5": ("0.3771", "0.1924"), "draws": ("-0.2919", "0.0825"),
}  # fmt: skip
WORTHS = ["0.1388005", "0.1729985", "0.1617420", "0.1653930", "0.1586805", "0.2023855"]
STOPPED = "not reproducible: printed after seven iterations, before the maximum"


def log_of_worths(row):
    """The logarithm of a printed worth over the first printed worth, as an explanation."""
    value = np.log(float(WORTHS[int(row)]) / float(WORTHS[0]))
    return Explanation("slip: from the worths after seven iterations", "log_of_worths", value=value)


def test_logarithms_match_or_follow_from_the_worths_and_worths_precede_the_maximum():
    frame = maximum_likelihood(find("davidson"), games_of(PUDDINGS), "player 0").frame()
    names = frame["name"].str.removeprefix("player ").where(frame["parameter"] == "strength", "draws")
    fitted = frame.set_index(names)
    cells = []
    for row, (estimate, error) in LOGARITHMS.items():
        rules = [] if row == "draws" else [log_of_worths(row)]
        cells += [
            Cell(
                "Davidson 1970",
                "logarithms",
                row,
                "estimate",
                estimate,
                fitted.loc[row, "estimate"],
                explanations=rules,
            ),
            Cell("Davidson 1970", "logarithms", row, "standard error", error, fitted.loc[row, "standard_error"]),
        ]
    worths = np.exp([fitted.loc[str(k), "estimate"] for k in range(6)])
    for k, digits in enumerate(WORTHS):
        value = worths[k] / worths.sum()
        cells.append(Cell("Davidson 1970", "worths", str(k), "worth", digits, value, otherwise=STOPPED))
    verdicts = reproduce(cells)
    assert verdict_line(verdicts) == "18 printed numbers: 11 match, 0 near, 0 misprint, 1 slip, 6 not reproducible"
    slip = verdicts[verdicts["rule"] == "log_of_worths"]
    assert slip[["row", "column"]].to_numpy().tolist() == [["3", "estimate"]]
    assert (verdicts.loc[verdicts["place"] == "worths", "difference"].abs() < 5e-5).all(), "seven iterations are near"
