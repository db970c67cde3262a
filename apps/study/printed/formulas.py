"""Printed numbers that follow from formulas alone: tables 1 and 9 of Pires (2014), and the worked examples.

Table 1, in per cent, for a rating difference D in Elo points (eq. 2 and 3):

    normal      100 Phi(D / (200 sqrt 2)),        logistic    100 / (1 + 10^(-D / 400))

Table 9, in per cent, of Davidson's loss, draw and win for a difference D and a draw parameter lam (eq. 33 to 35). No
data are needed, so every cell can be recomputed exactly.
"""

from collections.abc import Mapping
from statistics import fmean

import numpy as np

from halfpoint.apps.study.printed.files import lines_of
from halfpoint.apps.study.printed.settings import Ours, misprint_value, slip_value
from halfpoint.evaluation.verdicts import Cell, Explanation, misprint, one_digit_wrong
from halfpoint.models.formulas.davidson import scores
from halfpoint.models.games.units import to_elo, to_natural
from halfpoint.systems.curves import Curve, expected_score

_OUTCOMES = {"black_win": 0, "draw": 1, "white_win": 2}
_CURVES: dict[str, Curve] = {"normal_pct": "normal", "logistic_pct": "logistic"}


def normal_expected_score(difference_elo: float) -> float:
    """The expected score by Elo's normal curve."""
    return float(expected_score(difference_elo, "normal"))


def davidson_shares(difference_elo: float, log_draw: float) -> tuple[float, float, float]:
    """Davidson's probabilities of loss, draw and win for a rating difference in Elo points.

    Examples
    --------
    >>> [round(100 * share, 2) for share in davidson_shares(0.0, 0.0)]
    [33.33, 33.33, 33.33]
    """
    weight = np.exp(np.array(scores(*np.array([to_natural(difference_elo), 0.0, log_draw]))))
    loss, draw, win = (weight / weight.sum()).tolist()
    return loss, draw, win


def _formula_cell(line: Mapping[str, str], column: str, printed: str, ours: float) -> Cell:
    """Comparison of a number of tables 1 and 9."""
    row, slip = f"difference {float(line['delta_r']):.0f} Elo", misprint(ours, printed, one_digit_wrong)
    return Cell(line["source"], line["table"], row, column, printed, ours, explanations=[slip])


def table_1_cells() -> list[Cell]:
    """The 42 cells of table 1."""
    return [
        _formula_cell(line, column, line[column], 100 * float(expected_score(float(line["delta_r"]), curve)))
        for line in lines_of("table1")
        for column, curve in _CURVES.items()
    ]


def table_9_cells() -> list[Cell]:
    """The 99 cells of table 9."""
    cells = []
    for line in lines_of("table9"):
        share = davidson_shares(float(line["delta_r"]), float(line["lam"]))[_OUTCOMES[line["outcome"]]]
        column = f"{line['outcome']} at lambda {line['lam']}"
        cells.append(_formula_cell(line, column, line["value_pct"], 100 * share))
    return cells


PRINTED_TERMS_B = (0.76, 0.85, 0.92, 0.89)
_LOG_DRAW = 1.098


def _updated_rating(rating: float, factor: float, score: float, expected: float) -> float:
    """Elo's update: rating + factor (score - expected) (Pires 2014, eq. 4).

    Examples
    --------
    >>> _updated_rating(1820.0, 32.0, 2.0, 0.068)
    1881.824
    """
    return rating + factor * (score - expected)


def rating_examples() -> dict[str, Ours]:
    """The numbers of examples A and B of Elo's update and of the performance rating."""
    opponents_a, opponents_b = (2400.0, 2550.0, 2600.0, 2650.0), (2300.0, 2200.0, 2100.0, 2150.0)
    a, b = (
        expected_score(rating - np.array(met)).tolist()
        for rating, met in ((1820.0, opponents_a), (2500.0, opponents_b))
    )
    mean_a, mean_b, share = fmean(opponents_a), fmean(opponents_b), 100 * 2 / 4
    terms = {f"A: expected score term {place}": Ours(value) for place, value in enumerate(a, 1)}
    for place, (value, opponent) in enumerate(zip(b, opponents_b, strict=True), 1):
        normal = normal_expected_score(2500.0 - opponent)
        mixed = Explanation("slip: normal curve among logistic ones", "normal_expected_score", normal)
        terms[f"B: expected score term {place}"] = slip_value(value, mixed)
    carried = "slip: not the mean of the opponents listed"
    first = slip_value(mean_b, Explanation(carried, "first_opponent", opponents_b[0]))
    difference = Explanation(carried, "first_opponent", 2500.0 - opponents_b[0])
    in_one = Explanation("slip: curves mixed in one sum", "mixed_curves", sum(PRINTED_TERMS_B))
    called = Explanation("slip: a share called per cent", "share_for_percent", 2 / 4)
    return terms | {
        "A: number of games": Ours(len(a)),
        "A: score obtained W_0": Ours(1 + 0 + 0.5 + 0.5),
        "A: expected score W_e": Ours(sum(a)),
        "A: new rating": Ours(_updated_rating(1820.0, 32.0, 2.0, sum(a))),
        "A: mean opponent rating R_m": Ours(mean_a),
        "A: share of points (%)": Ours(share),
        "A: performance rating R_p": Ours(mean_a),
        "A: performance minus current rating": misprint_value(mean_a - 1820.0, "750"),
        "B: number of games": Ours(len(b)),
        "B: rating as printed in eq 6": misprint_value(2500.0, "2800"),
        "B: expected score W_e": slip_value(sum(b), in_one),
        "B: new rating": misprint_value(_updated_rating(2500.0, 16.0, 2.0, sum(PRINTED_TERMS_B)), "2476"),
        "B: mean opponent rating R_m": first,
        "B: share of points as printed (%)": slip_value(share, called),
        "B: performance rating R_p": first,
        "B: current rating minus performance": slip_value(2500.0 - mean_b, difference),
    }


def to_tens(value: float, up: bool = False) -> float:
    """Number truncated, or rounded, to tens."""
    return round(value, -1) if up else float(value // 10 * 10)


def davidson_examples() -> dict[str, Ours]:
    """Numbers of the paper's two pairs: Davidson at a difference of 2 natural units and lambda 1.098."""
    _, draw, win = davidson_shares(to_elo(2.0), _LOG_DRAW)
    _, draw_at_0, win_at_0 = davidson_shares(to_elo(2.0), 0.0)
    expected = 100 * (win + draw / 2)

    def in_tens(value: float, up: bool = False) -> Ours:
        return slip_value(value, Explanation("slip: given to tens only", "to_tens", to_tens(value, up)))

    def without(value: float, at_0: float) -> Ours:
        return slip_value(value, Explanation("slip: lambda taken as 0", "davidson_shares", 100 * at_0))

    equals = {name: Ours(100 * davidson_shares(0.0, float(name))[1]) for name in ("1.098", "1.106", "0")}
    return {f"draw share, equal players, lambda {k.replace('.', ',')} (%)": share for k, share in equals.items()} | {
        "Carlsen Elo": in_tens(to_elo(18.0)),
        "Ponomariov Elo": in_tens(to_elo(16.0), True),
        "Carlsen - Ponomariov: expected result (%)": in_tens(expected, True),
        "Carlsen - Ponomariov: win and draw probability (%)": slip_value(
            100 * win,
            Explanation("slip: lambda taken as 1", "davidson_shares", 100 * davidson_shares(to_elo(2.0), 1.0)[2]),
        ),
        "weaker pair: Elo_1": Ours(to_elo(12.0)),
        "weaker pair: Elo_2": misprint_value(to_elo(10.0), "1787"),
        "weaker pair: expected result (%)": without(expected, win_at_0 + draw_at_0 / 2),
        "weaker pair: win probability (%)": without(100 * win, win_at_0),
        "meaning of the prior mean of delta (%)": Ours(100 * (float(expected_score(50.0)) - 0.5)),
    }
