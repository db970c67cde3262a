r"""Tables 1 and 9 of Pires (2014): formulas alone, no data, so every cell can be recomputed exactly.

Table 1, in per cent, for a rating difference D in Elo points (eq. 2 and 3):

    normal      100 Phi(D / (200 sqrt 2)),        logistic    100 / (1 + 10^(-D / 400))

Table 9, in per cent, of Davidson's loss, draw and win for a difference D and a draw parameter lam (eq. 33 to 35).
"""

from statistics import NormalDist

import numpy as np

from halfpoint.games.units import to_natural
from halfpoint.models.davidson import scores
from halfpoint.study.printed.files import published
from halfpoint.study.printed.misprints import one_digit_wrong
from halfpoint.study.printed.verdicts import Cell, misprint

NORMAL_SD_ELO = 200.0  # of one player's form
OUTCOMES = {"black_win": 0, "draw": 1, "white_win": 2}


def normal_expected_score(difference_elo: float) -> float:
    """Return Elo's normal curve: Phi(D / (200 sqrt 2)).

    Examples
    --------
    >>> round(100 * normal_expected_score(100.0), 2)
    63.82
    """
    return NormalDist().cdf(difference_elo / (NORMAL_SD_ELO * 2**0.5))


def logistic_expected_score(difference_elo: float) -> float:
    """Return the logistic curve: 1 / (1 + 10^(-D / 400)).

    Examples
    --------
    >>> round(100 * logistic_expected_score(100.0), 2)
    64.01
    """
    return float(1 / (1 + np.exp(-to_natural(difference_elo))))


def davidson_shares(difference_elo: float, log_draw: float) -> tuple[float, float, float]:
    """Return Davidson's probabilities of loss, draw and win for a rating difference in Elo points.

    Examples
    --------
    >>> [round(100 * share, 2) for share in davidson_shares(0.0, 0.0)]
    [33.33, 33.33, 33.33]
    """
    weight = np.exp(np.array(scores(to_natural(difference_elo), 0.0, log_draw), dtype=np.float64))
    loss, draw, win = (weight / weight.sum()).tolist()
    return loss, draw, win


def table_1_cells() -> list[Cell]:
    """Return the 42 cells of table 1."""
    cells = []
    curves = {"normal_pct": normal_expected_score, "logistic_pct": logistic_expected_score}
    for line in published("table1").to_dict("records"):
        for column, curve in curves.items():
            ours, printed = 100 * curve(float(line["delta_r"])), line[column]
            row = f"difference {float(line['delta_r']):.0f} Elo"
            slip = misprint(ours, printed, one_digit_wrong)
            cells.append(Cell(line["source"], line["table"], row, column, printed, ours, explanations=[slip]))
    return cells


def table_9_cells() -> list[Cell]:
    """Return the 99 cells of table 9."""
    cells = []
    for line in published("table9").to_dict("records"):
        shares = davidson_shares(float(line["delta_r"]), float(line["lam"]))
        ours, printed = 100 * shares[OUTCOMES[line["outcome"]]], line["value_pct"]
        row = f"difference {float(line['delta_r']):.0f} Elo"
        column = f"{line['outcome']} at lambda {line['lam']}"
        slip = misprint(ours, printed, one_digit_wrong)
        cells.append(Cell(line["source"], line["table"], row, column, printed, ours, explanations=[slip]))
    return cells
