"""Printed numbers that formulas alone give: tables 1 and 9 of Pires (2014), and the worked examples in the texts.

Table 1, in per cent, for a rating difference D in Elo points (eq. 2 and 3):

    normal      100 Phi(D / (200 sqrt 2)),        logistic    100 / (1 + 10^(-D / 400))

Table 9, in per cent, of Davidson's loss, draw and win for a difference D and a draw parameter lam (eq. 33 to 35). No
data are needed, so every cell can be recomputed exactly.
"""

from statistics import fmean

import numpy as np

from halfpoint.evaluation.verdicts import Cell, Explanation, misprint, one_digit_wrong
from halfpoint.games.units import to_elo, to_natural
from halfpoint.models.davidson import scores
from halfpoint.study.printed.files import published
from halfpoint.study.printed.settings import Ours, stated
from halfpoint.systems.curves import Curve, expected_score

OUTCOMES = {"black_win": 0, "draw": 1, "white_win": 2}


def normal_expected_score(difference_elo: float) -> float:
    """Return the expected score by Elo's normal curve."""
    return float(expected_score(difference_elo, "normal"))


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
    curves: dict[str, Curve] = {"normal_pct": "normal", "logistic_pct": "logistic"}
    for line in published("table1").to_dict("records"):
        for column, curve in curves.items():
            ours, printed = 100 * float(expected_score(float(line["delta_r"]), curve)), line[column]
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


PRINTED_TERMS_B = (0.76, 0.85, 0.92, 0.89)
LOG_DRAW = 1.098


def updated_rating(rating: float, factor: float, score: float, expected: float) -> float:
    """Return Elo's update: rating + factor (score - expected) (Pires 2014, eq. 4).

    Examples
    --------
    >>> updated_rating(1820.0, 32.0, 2.0, 0.068)
    1881.824
    """
    return rating + factor * (score - expected)


def rating_examples() -> dict[str, Ours]:
    """Return the numbers of examples A and B of Elo's update and of the performance rating."""
    a = expected_score(1820.0 - np.array([2400.0, 2550.0, 2600.0, 2650.0])).tolist()
    opponents_b = (2300.0, 2200.0, 2100.0, 2150.0)
    b = expected_score(2500.0 - np.array(opponents_b)).tolist()
    normal_b = [normal_expected_score(2500.0 - opponent) for opponent in opponents_b]
    found = {f"A: opponent {place + 1} rating": stated(value) for place, value in enumerate((2400, 2550, 2600, 2650))}
    found |= {f"B: opponent {place + 1} rating": stated(value) for place, value in enumerate(opponents_b)}
    found |= {f"A: result of game {place + 1}": stated(value) for place, value in enumerate((1, 0, 0.5, 0.5))}
    found |= {f"A: expected score term {place + 1}": Ours(value) for place, value in enumerate(a)}
    for place, (value, normal) in enumerate(zip(b, normal_b, strict=True)):
        mixed = Explanation("slip: normal curve among logistic ones", "normal_expected_score", normal)
        found[f"B: expected score term {place + 1}"] = Ours(value, explanations=(mixed,))
    mixed_sum = Explanation("slip: curves mixed in one sum", "mixed_curves", sum(PRINTED_TERMS_B))
    new_b = updated_rating(2500.0, 16.0, 2.0, sum(PRINTED_TERMS_B))
    mean_b = fmean(opponents_b)
    carried = "slip: not the mean of the opponents listed"
    first = Explanation(carried, "first_opponent", opponents_b[0])
    left = Explanation(carried, "first_opponent", 2500.0 - opponents_b[0])
    gain = fmean((2400.0, 2550.0, 2600.0, 2650.0)) - 1820.0
    found |= {
        "A: rating": stated(1820),
        "A: number of games": Ours(len(a)),
        "A: score obtained W_0": Ours(1 + 0 + 0.5 + 0.5),
        "A: K-factor": stated(32),
        "A: expected score W_e": Ours(sum(a)),
        "A: new rating": Ours(updated_rating(1820.0, 32.0, 2.0, sum(a))),
        "B: rating": stated(2500),
        "B: rating (repeated)": stated(2500),
        "B: number of games": Ours(len(b)),
        "B: score obtained W_0": stated(2),
        "B: K-factor": stated(16),
        "B: rating as printed in eq 6": Ours(2500.0, explanations=(misprint(2500.0, "2800", one_digit_wrong),)),
        "B: expected score W_e": Ours(sum(b), explanations=(mixed_sum,)),
        "B: new rating": Ours(new_b, explanations=(misprint(new_b, "2476", one_digit_wrong),)),
        "performance illustration: share of wins (%)": stated(70),
        "A: mean opponent rating R_m": Ours(fmean((2400.0, 2550.0, 2600.0, 2650.0))),
        "A: share of points (%)": Ours(100 * 2 / 4),
        "A: performance rating R_p": Ours(fmean((2400.0, 2550.0, 2600.0, 2650.0))),
        "A: performance minus current rating": Ours(gain, explanations=(misprint(gain, "750", one_digit_wrong),)),
        "B: mean opponent rating R_m": Ours(mean_b, explanations=(first,)),
        "B: share of points as printed (%)": Ours(
            100 * 2 / 4, explanations=(Explanation("slip: a share called per cent", "share_for_percent", 2 / 4),)
        ),
        "B: performance rating R_p": Ours(mean_b, explanations=(first,)),
        "B: current rating minus performance": Ours(2500.0 - mean_b, explanations=(left,)),
    }
    return found


def to_tens(value: float, up: bool = False) -> float:
    """Return a number cut off to tens, or rounded to tens."""
    return round(value, -1) if up else float(value // 10 * 10)


def davidson_examples() -> dict[str, Ours]:
    """Return the paper's two pairs of players: Davidson at a difference of 2 natural units and lambda 1.098."""
    _, draw, win = davidson_shares(to_elo(2.0), LOG_DRAW)
    expected = 100 * (win + draw / 2)
    none = davidson_shares(to_elo(2.0), 0.0)
    without = "slip: lambda taken as 0"
    elo = {gamma: to_elo(float(gamma)) for gamma in (18, 16, 12, 10)}
    tens = "slip: given to tens only"
    return {
        "Carlsen Elo": Ours(elo[18], explanations=(Explanation(tens, "to_tens", to_tens(elo[18])),)),
        "Ponomariov Elo": Ours(elo[16], explanations=(Explanation(tens, "to_tens", to_tens(elo[16], True)),)),
        "Carlsen - Ponomariov: expected result (%)": Ours(
            expected, explanations=(Explanation(tens, "to_tens", to_tens(expected, True)),)
        ),
        "Carlsen - Ponomariov: win and draw probability (%)": Ours(100 * win),
        "weaker pair: gamma_1": stated(12),
        "weaker pair: Elo_1": Ours(elo[12]),
        "weaker pair: gamma_2": stated(10),
        "weaker pair: Elo_2": Ours(elo[10], explanations=(misprint(elo[10], "1787", one_digit_wrong),)),
        "weaker pair: expected result (%)": Ours(
            expected,
            explanations=(Explanation(without, "davidson_shares", 100 * (none[2] + none[1] / 2)),),
        ),
        "weaker pair: win probability (%)": Ours(
            100 * win, explanations=(Explanation(without, "davidson_shares", 100 * none[2]),)
        ),
        "draw share, equal players, lambda 1,098 (%)": Ours(100 * davidson_shares(0.0, 1.098)[1]),
        "draw share, equal players, lambda 1,106 (%)": Ours(100 * davidson_shares(0.0, 1.106)[1]),
        "draw share, equal players, lambda 0 (%)": Ours(100 * davidson_shares(0.0, 0.0)[1]),
        "meaning of the prior mean of delta (%)": Ours(100 * (float(expected_score(50.0)) - 0.5)),
        "example: lower rating": stated(2686),
        "example: higher rating": stated(2715),
    }
