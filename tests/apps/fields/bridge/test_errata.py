"""Corrections of the thesis in benchmarks/bridge.md, recomputed."""

from math import comb, factorial, isclose, log, pi, sqrt
from pathlib import Path

import numpy as np
from scipy import sparse

from halfpoint.systems.park_newman import win_and_loss_scores

ROOT = Path(__file__).resolve().parents[4]
PAGE = (ROOT / "benchmarks" / "bridge.md").read_text(encoding="utf-8")


def row(begin):
    """Line of the table of errata with this beginning."""
    [found] = [line for line in PAGE.partition("## Errata")[2].splitlines() if line.startswith(f"| {begin} ")]
    return found


def test_the_page_says_what_is_right():
    deals = comb(52, 13) * comb(39, 13) * comb(26, 13)
    assert deals * factorial(13) ** 4 == factorial(52)
    assert f"| {deals:,};" in row("eq. 3.1")
    assert f"{24 * deals:,} deals" in row("eq. 3.1")  # what is printed is this times 4!

    assert f"= {400 * pi / (sqrt(3) * log(10)):.0f};" in row("4.1.1")

    lower = 1 / (1 + 10 ** (200 / 400))
    assert f"{lower:.4f}".lstrip("0") + " for player 1, who has 1300" in row("eq. 4.6")
    assert f"eq. 4.4 has {1 - lower:.4f}".replace("0.", ".") in row("eq. 4.6")

    chain = sparse.csr_array(np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))  # 0 beat 1, 1 beat 2
    wins, _ = win_and_loss_scores(chain, 0.5)
    np.testing.assert_allclose(wins, [1.5, 1.0, 0.0], atol=1e-12)
    assert "win scores 1.5, 1, 0" in row("eq. 2.13, 2.14")

    assert isclose(100 * 10 ** -(-log(0.5) / log(10)), 50.0)  # binomial deviance of a coin, to base 10
    assert "10^-deviance of a coin is 50%" in row("summary")
