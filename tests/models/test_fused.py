"""The fused log-potential against the formulas as graphs, finite differences, closed forms and exact arithmetic."""

import math
from fractions import Fraction

import numba
import numpy as np
import pymc as pm
import pytensor
import pytensor.tensor as pt
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numba.core.runtime import rtsys
from numba.core.runtime._nrt_python import memsys_enable_stats

from halfpoint.games.cells import Cells
from halfpoint.models import bradley_terry, davidson, kernel, vector
from halfpoint.models.fused import LogPotential, family, fused_log_potential
from halfpoint.models.parts import normalise

PLAYERS = 6
NATURAL_OF_10000_ELO = 10_000 * math.log(10) / 400


def random_cells(seed: int, count: int, weighted: bool) -> Cells:
    random = np.random.default_rng(seed)
    white = random.integers(-1, PLAYERS, count).astype(np.int32)
    black = random.integers(-1, PLAYERS, count).astype(np.int32)
    black = np.where((white < 0) & (black < 0), 0, black).astype(np.int32)
    order = np.lexsort((black, white))
    white, black = white[order], black[order]
    anchored = (white < 0) | (black < 0)
    anchor = np.where(anchored, random.uniform(2200, 2900, count), np.nan)
    weight = random.integers(0, 4, (count, 3)).astype(float)
    weight[weight.sum(axis=1) == 0, 1] = 1.0
    if weighted:
        weight *= random.uniform(0.3, 6.0, (count, 1))
    return Cells(
        np.array([f"p{i}" for i in range(PLAYERS)]),
        white,
        black,
        anchor,
        weight,
        np.zeros(count, dtype=np.int64),
        np.arange(count),
    )


@pytest.fixture(scope="module")
def graph_and_fused():
    """Value and gradients by both seats and lam, as graph and fused, for each family; the cells are inputs."""
    seat, other, lam = pt.dvector("white_seat"), pt.dvector("black_seat"), pt.dscalar("lam")
    white, black, weight = pt.ivector("white"), pt.ivector("black"), pt.dmatrix("weight")
    known_white, known_black = pt.dvector("known_white"), pt.dvector("known_black")
    functions = {}
    for name, formula, further in (("bradley_terry", bradley_terry, ()), ("davidson", davidson, (lam,))):
        scores = formula.scores(seat[white] + known_white, other[black] + known_black, *further)
        graph = (weight * normalise(scores, formula.NORMALISED)).sum()
        fused = fused_log_potential(seat, other, white, black, known_white - known_black, weight, *further)
        inputs = [seat, other, lam, white, black, known_white, known_black, weight]
        functions[name] = tuple(
            pytensor.function(inputs, [value, *pt.grad(value, [seat, other, *further])], on_unused_input="ignore")
            for value in (graph, fused)
        )
    return functions


def both(functions, name, cells, seat, other, lam):
    anchor = np.nan_to_num(cells.anchor_elo) * math.log(10) / 400
    known_white, known_black = np.where(cells.white < 0, anchor, 0.0), np.where(cells.black < 0, anchor, 0.0)
    arguments = (seat, other, lam, cells.white, cells.black, known_white, known_black, cells.weight)
    return tuple(function(*arguments) for function in functions[name])


@pytest.mark.parametrize("name", ["bradley_terry", "davidson"])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 2**31),
    count=st.integers(1, 300),
    spread=st.sampled_from([0.1, 1.0, 5.0, 30.0, NATURAL_OF_10000_ELO]),
    lam=st.floats(-8, 8),
    weighted=st.booleans(),
)
def test_fused_is_the_graph(graph_and_fused, name, seed, count, spread, lam, weighted):
    cells = random_cells(seed, count, weighted)
    random = np.random.default_rng(seed + 1)
    seat, other = random.normal(15.5, spread, (2, PLAYERS + 1))
    graph, fused = both(graph_and_fused, name, cells, seat, other, lam)
    # the graph subtracts scores from their sum: near certainty only its rounding, not the value, is left
    rounding = 2.0**-52 * cells.weight.sum() * (np.abs(np.concatenate([seat, other])).max() + 20.0)
    for expected, found in zip(graph, fused, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-10 * np.abs(expected).max() + rounding)


@pytest.mark.parametrize("name", ["bradley_terry", "davidson"])
def test_sums_over_many_blocks_are_the_graph(graph_and_fused, name):
    cells = random_cells(7, 3 * kernel.BLOCK + 17, weighted=True)
    seat, other = np.random.default_rng(8).normal(15.5, 1.0, (2, PLAYERS + 1))
    for expected, found in zip(*both(graph_and_fused, name, cells, seat, other, 0.4), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-12)


def one_cell(eta: float, lam: float, outcome: int) -> tuple[float, float, float]:
    """Value and slopes by eta and lam of one game, by the kernel."""
    weight = np.eye(3)[outcome]
    slopes = np.zeros(2), np.zeros(2)
    index = np.zeros(1, dtype=np.int32)
    value, drawn = kernel.log_potential(
        np.array([eta, 0.0]),
        np.zeros(2),
        lam,
        index,
        np.zeros(1),
        weight[2:] - weight[:1],
        np.ones(1),
        kernel.runs_of(index, index),
        *slopes,
    )
    np.testing.assert_allclose(slopes[1][0], -slopes[0][0], rtol=0, atol=0)
    term = lam * weight[1] if np.isfinite(lam) else 0.0
    return value + term, float(slopes[0][0]), drawn + weight[1]


def exact(eta: float, lam: float, outcome: int) -> float:
    """log P by the largest score, the rest through log1p: exact to rounding everywhere."""
    scores = [-eta / 2, lam, eta / 2]
    top = max(scores)
    others = sum(math.exp(score - top) for place, score in enumerate(scores) if place != scores.index(top))
    return (scores[outcome] - top) - math.log1p(others)


@pytest.mark.parametrize("difference_elo", [0.0, 1.0, 173.7, 800.0, 3000.0, 10_000.0, 50_000.0])
@pytest.mark.parametrize("lam", [-300.0, -20.0, 0.0, 3.0, 40.0, 200.0, 690.0, 2000.0])
def test_extremes_keep_all_digits(difference_elo, lam):
    for sign in (-1.0, 1.0):
        eta = sign * difference_elo * math.log(10) / 400
        for outcome in range(3):
            value, slope, _ = one_cell(eta, lam, outcome)
            # a term lam stands outside the kernel: its rounding remains
            assert value == pytest.approx(exact(eta, lam, outcome), rel=1e-13, abs=1e-15 * max(lam, 0.0) + 1e-300)
            assert np.isfinite(slope)


def test_bradley_terry_of_two_players_is_logistic_to_the_last_digits():
    for eta in (-57.5, -3.0, -1e-8, 0.0, 1e-8, 0.7, 12.0, 57.5):
        win, slope, _ = one_cell(eta, -math.inf, 2)
        assert win == pytest.approx(-math.log1p(math.exp(-eta)), rel=4e-15)
        assert slope == pytest.approx(1.0 / (1.0 + math.exp(eta)), rel=4e-15)
        half, _, _ = one_cell(eta, -math.inf, 1)
        assert half == pytest.approx((win + one_cell(eta, -math.inf, 0)[0]) / 2, rel=4e-15)


def test_nothing_a_sampler_tries_overflows():
    for eta in (1e4, -1e4, 1e8):
        for lam in (-1e6, 0.0, 1e6):
            value, slope, drawn = one_cell(eta, lam, 0)
            assert np.all(np.isfinite([value, slope, drawn]))
    assert math.isnan(one_cell(math.nan, 0.0, 0)[0])


def test_gradient_is_the_finite_difference():
    random = np.random.default_rng(3)
    for eta, lam in zip(random.normal(0, 4, 40), random.normal(0, 2, 40), strict=True):
        for outcome in range(3):
            _, slope, drawn = one_cell(eta, lam, outcome)
            step = 1e-5
            by_eta = (one_cell(eta + step, lam, outcome)[0] - one_cell(eta - step, lam, outcome)[0]) / (2 * step)
            by_lam = (one_cell(eta, lam + step, outcome)[0] - one_cell(eta, lam - step, outcome)[0]) / (2 * step)
            assert slope == pytest.approx(by_eta, abs=1e-9)
            assert drawn == pytest.approx(by_lam, abs=1e-9)


def test_exponential_against_exact_series():
    @numba.njit
    def exponential(y):
        return vector.exponential(y)

    for y in (0.0, -0.1, -0.34, -0.35, -1.0, -7.7, 2.5):
        term, total = Fraction(1), Fraction(1)
        for power in range(1, 80):
            term *= Fraction(y) / power
            total += term
        assert abs(Fraction(exponential(y)) / total - 1) < 2e-15
    assert exponential(-700.0) == pytest.approx(math.exp(-700.0), rel=1e-13)


def test_order_of_cells_does_not_matter():
    cells = random_cells(11, 500, weighted=True)
    seat, other = np.random.default_rng(12).normal(0, 1, (2, PLAYERS + 1))

    def run(order):
        white, black = cells.white[order], cells.black[order]
        weight = cells.weight[order]
        slopes = np.empty(PLAYERS + 1), np.empty(PLAYERS + 1)
        runs = kernel.runs_of(white, black)
        surplus, total = weight[:, 2] - weight[:, 0], weight.sum(axis=1)
        value, drawn = kernel.log_potential(
            seat, other, 0.3, black, np.zeros(white.size), surplus, total, runs, *slopes
        )
        return np.concatenate([[value, drawn], *slopes])

    shuffled = np.random.default_rng(13).permutation(500)
    np.testing.assert_allclose(run(np.arange(500)), run(shuffled), rtol=1e-12, atol=1e-12)


def test_a_gradient_allocates_one_block_whatever_the_number_of_cells():
    """Work, not seconds: numba's own count of allocations."""
    memsys_enable_stats()
    counts = []
    for count in (100, 40 * kernel.BLOCK):
        cells = random_cells(17, count, weighted=True)
        surplus, total = cells.weight[:, 2] - cells.weight[:, 0], cells.weight.sum(axis=1)
        seats = np.zeros((4, PLAYERS + 1))
        runs = kernel.runs_of(cells.white, cells.black)
        arguments = (seats[0], seats[1], 0.3, cells.black, np.zeros(count), surplus, total, runs, seats[2], seats[3])
        kernel.log_potential(*arguments)
        before = rtsys.get_allocation_stats()
        kernel.log_potential(*arguments)
        after = rtsys.get_allocation_stats()
        counts.append((after.alloc - before.alloc, after.free - before.free))
    arrays = sum(isinstance(given, np.ndarray) for given in arguments)  # each argument counts once as it crosses
    assert counts == [(arrays + 1, arrays + 1)] * 2


@pytest.mark.parametrize("build", [bradley_terry.build, davidson.build])
@pytest.mark.parametrize("advantage", ["none", "common", "player"])
def test_models_agree_and_pass_the_cells_once(build, advantage):
    cells = random_cells(21, 200, weighted=True)
    functions = [
        build(cells, advantage, backend=backend).logp_dlogp_function(ravel_inputs=True)
        for backend in ("graph", "fused")
    ]
    for function in functions:
        function.set_extra_values({})
    size = sum(np.size(value) for value in build(cells, advantage).initial_point().values())
    point = np.random.default_rng(22).normal(size=size)
    (value, gradient), (fused_value, fused_gradient) = (function(point) for function in functions)
    assert fused_value == pytest.approx(value, rel=1e-10)
    np.testing.assert_allclose(fused_gradient, gradient, rtol=1e-10, atol=1e-10 * np.abs(gradient).max())
    nodes = [n for n in functions[1]._pytensor_function.maker.fgraph.toposort() if isinstance(n.op, LogPotential)]
    assert len(nodes) == 1


def test_an_edited_formula_goes_to_the_graph_and_says_so(monkeypatch):
    def heavier_draws(white, black, log_draw):
        return black, log_draw + 0.6 * (white + black), white

    assert family(davidson.scores, (0, 1, 2), (pt.dscalar(),)) == "davidson"
    assert family(bradley_terry.scores, (0, 2), ()) == "bradley_terry"
    assert family(heavier_draws, (0, 1, 2), (pt.dscalar(),)) is None
    assert family(davidson.scores, (0, 1, 2), (pt.dvector(),)) is None
    monkeypatch.setattr(davidson, "scores", heavier_draws)
    with pytest.warns(UserWarning, match="runs as a graph"):
        model = davidson.build(random_cells(31, 50, weighted=False), "common")
    assert isinstance(model, pm.Model)
    point = model.initial_point()
    with pytest.warns(UserWarning, match="runs as a graph"):
        same = davidson.build(random_cells(31, 50, weighted=False), "common", backend="fused")
    graph = davidson.build(random_cells(31, 50, weighted=False), "common", backend="graph")
    assert same.compile_logp()(point) == pytest.approx(graph.compile_logp()(point), rel=1e-12)
