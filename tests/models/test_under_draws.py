"""Nodes under draws: a density of one's own beside scipy's, and graphs that nothing fills number by number."""

import numpy as np
import pymc as pm
import pytensor.tensor as pt
from pytensor.graph.traversal import ancestors
from pytensor.scalar.basic import Second
from pytensor.tensor.elemwise import Elemwise
from scipy.stats import skellam

from halfpoint.models.reading.under_draws import CompiledNodes

DIFFERENCE = np.arange(-5, 6)


def difference_of_counts(rate):
    """Log probability of each difference of two Poisson counts with rates e^rate and e^-rate, by a sum over one."""
    count = pt.arange(40)[:, None]
    first, second = pm.Poisson.dist(pt.exp(rate)), pm.Poisson.dist(pt.exp(-rate))
    return pt.log(pt.exp(pm.logp(first, count + DIFFERENCE) + pm.logp(second, count)).sum(0))


def test_a_density_of_ones_own_is_scipys():
    rate = pt.dscalar("rate")
    draws = np.linspace(-0.8, 0.8, 9)
    (value,) = CompiledNodes([difference_of_counts(rate)], [rate])({rate: draws})
    expected = skellam.logpmf(DIFFERENCE, np.exp(draws)[:, None], np.exp(-draws)[:, None])
    np.testing.assert_allclose(value, expected, rtol=1e-9, atol=1e-12)


def test_no_array_is_filled_number_by_number():
    rate = pt.dscalar("rate")
    nodes = CompiledNodes([difference_of_counts(rate)], [rate])
    graph = nodes._at_draws.maker.fgraph
    assert any(isinstance(node.owner.op, Elemwise) for node in ancestors(graph.outputs) if node.owner)
    assert not any(isinstance(node.op, Elemwise) and isinstance(node.op.scalar_op, Second) for node in graph.toposort())
