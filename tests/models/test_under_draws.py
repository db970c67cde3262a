"""Nodes under draws: a density of one's own beside scipy's, and graphs that nothing fills number by number."""

import numpy as np
import pymc as pm
import pytensor.tensor as pt
import pytest
from pytensor.graph.traversal import ancestors
from pytensor.scalar.basic import Second
from pytensor.tensor.elemwise import Elemwise
from scipy.stats import skellam

from halfpoint.models.reading.under_draws import CompiledNodes, under_draws

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


def sums(x, y):
    """A sum by player, their product, and a number that depends on no variable."""
    return [x.sum(axis=-1) + y, x * y, pt.constant(np.array([1.0, 2.0]))]


@pytest.mark.parametrize("is_vectorised", [True, False])
@pytest.mark.parametrize("count", [1, 3])
def test_nodes_under_draws_are_numpys(count, is_vectorised):
    x, y = pt.dvector("x"), pt.dscalar("y")
    draws = {x: np.arange(2.0 * count).reshape(count, 2), y: np.linspace(1.0, 2.0, count)}
    nodes = CompiledNodes(sums(x, y), [x, y])
    nodes.is_vectorised = is_vectorised
    total, product, alone = nodes(draws)
    np.testing.assert_allclose(total, draws[x].sum(axis=1) + draws[y])
    np.testing.assert_allclose(product, draws[x] * draws[y][:, None])
    assert alone.tolist() == [[1.0, 2.0]] * count
    assert under_draws([x], {x: draws[x]})[0].tolist() == draws[x].tolist()


def test_nodes_without_variables_have_one_draw():
    assert CompiledNodes([pt.constant(np.array([1.0, 2.0]))], [])({})[0].tolist() == [[1.0, 2.0]]


@pytest.mark.parametrize("chunk", [1, 40, 10**9])
def test_chunks_of_draws_join(monkeypatch, chunk):
    """One draw at a time, a few, and all at once."""
    monkeypatch.setattr("halfpoint.models.reading.under_draws._CHUNK_BYTES", chunk)
    x, y = pt.dvector("x"), pt.dscalar("y")
    draws = {x: np.arange(14.0).reshape(7, 2), y: np.arange(7.0)}
    nodes = CompiledNodes(sums(x, y), [x, y])
    nodes.bytes_of_a_draw = 10
    total, product, alone = nodes(draws)
    np.testing.assert_allclose(total, draws[x].sum(axis=1) + draws[y])
    np.testing.assert_allclose(product, draws[x] * draws[y][:, None])
    assert alone.shape == (7, 2)


def test_memory_of_a_draw_is_measured_once():
    x = pt.dvector("x")
    nodes = CompiledNodes([pt.exp(x[:, None] + x).sum()], [x])
    nodes({x: np.ones((2, 300))})
    assert 300 * 300 * 8 <= nodes.bytes_of_a_draw < 40 * 300 * 300 * 8
    measured = nodes.bytes_of_a_draw
    nodes({x: np.ones((2, 3))})
    assert nodes.bytes_of_a_draw == measured
