"""Derivations of the two formulas: Gumbel performances for Bradley-Terry, Luce's axiom for Davidson."""

import numpy as np
import pytest
from scipy.stats import kstest, logistic

from halfpoint.models.formulas.bradley_terry import scores as bradley_terry
from halfpoint.models.formulas.davidson import scores as davidson


def chances(values):
    """Probabilities from scores on the log scale."""
    parts = np.exp(np.array(values))
    return parts / parts.sum()


@pytest.mark.parametrize("gap", [-1.2, 0.0, 0.4, 2.0])
def test_the_larger_of_two_gumbel_performances_wins_by_bradley_and_terry(gap):
    """Pires (2014), eq. 17 to 23: the difference of two Gumbel variables is logistic around the gap."""
    rng, count = np.random.default_rng(17), 200_000
    difference = gap + rng.gumbel(size=count) - rng.gumbel(size=count)
    loss, _, win = bradley_terry(gap, 0.0)
    chance = chances([loss, win])[1]
    assert (difference > 0).mean() == pytest.approx(chance, abs=4 * np.sqrt(chance * (1 - chance) / count))
    assert kstest(difference - gap, logistic.cdf).pvalue > 1e-3
    assert difference.var() == pytest.approx(np.pi**2 / 3, rel=0.02)


def test_luces_axiom():
    """Pires (2014), eq. 27 and 28: the odds of two outcomes do not depend on whether a third can happen."""
    for white, black, lam in ((0.3, -0.2, 0.5), (1.5, 0.1, -1.0)):
        loss, draw, win = davidson(white, black, lam)
        three = chances([loss, draw, win])
        for pair, left in (((0, 2), [loss, win]), ((0, 1), [loss, draw]), ((1, 2), [draw, win])):
            two = chances(left)
            assert three[pair[1]] / three[pair[0]] == pytest.approx(two[1] / two[0], rel=1e-12)
        # eq. 29 to 31: a draw's share is nu times the geometric mean of the other two
        assert three[1] == pytest.approx(np.exp(lam) * np.sqrt(three[0] * three[2]), rel=1e-12)
        # among decided games Davidson's model is that of Bradley and Terry
        without, _, won = bradley_terry(white, black)
        assert chances([loss, win]) == pytest.approx(chances([without, won]), rel=1e-12)
