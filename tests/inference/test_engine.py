"""The log density of models as Python, against normal densities and Davidson's probabilities; runs of rows by hand."""

from ctypes import CFUNCTYPE, c_double, c_void_p
from types import SimpleNamespace

import numpy as np
import pytest
from plain_loops import potential_of, run_arithmetic_as_python
from scipy.special import log_softmax
from scipy.stats import norm

from halfpoint.inference.loops import coordinates, engine, sparse_sums, transport_map, vector_arithmetic
from halfpoint.models.declaration.catalogue import find, with_effects
from halfpoint.models.declaration.declare_model import declare_model
from halfpoint.models.games.select import select
from halfpoint.models.games.table import GameTable

PLAYERS = 5


def davidson_density(eta, lam, weight):
    """Log likelihood of rows: softmax of -eta / 2, lam and eta / 2, by weights of loss, draw and win."""
    scores = np.stack([-eta / 2.0, np.broadcast_to(lam, eta.shape), eta / 2.0])
    return (np.stack(weight) * log_softmax(scores, axis=0)).sum(axis=0)


def davidson_slopes(eta, lam, weight):
    """Slopes by eta and lam, the latter in total if lam is one number for all rows."""
    scores = np.stack([-eta / 2.0, np.broadcast_to(lam, eta.shape), eta / 2.0])
    p, w = np.exp(log_softmax(scores, axis=0)), np.stack(weight)
    count = w.sum(axis=0)
    by_lam = w[1] - count * p[1]
    return (w[2] - w[0] - count * (p[2] - p[0])) / 2.0, by_lam if np.size(lam) > 1 else by_lam.sum()


def call(address, count, rows, by_row, eta, lam, data, by_eta, by_lam):
    """`call_potential` of `plain_loops`, also for one lam for all rows."""
    if by_row:
        return potential_of(davidson_density, davidson_slopes)(
            address, count, rows, by_row, eta, lam, data, by_eta, by_lam
        )
    weight = [data._arr[k * rows : k * rows + count] for k in range(3)]
    of_eta, by_lam._arr[0] = davidson_slopes(eta._arr[:count], lam._arr[:1], weight)
    by_eta._arr[:count] = of_eta
    return davidson_density(eta._arr[:count], lam._arr[:1], weight).sum()


def call_loop(address, *arguments):
    """`_call_loop` from Python: a compiled element at an address."""
    return CFUNCTYPE(c_double, *[c_void_p] * 4)(int(address))(*(argument.data for argument in arguments))


def array_at(array, shape, kind=None):
    """`numba.carray` of a list of the 15 arrays of the table, each an address and a size, or of an array."""
    assert shape == (30,) if kind is np.uint64 else int(np.prod(shape)) <= array.size
    return array


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    modules = (coordinates, sparse_sums, transport_map, engine)
    run_arithmetic_as_python(monkeypatch, vector_arithmetic, *modules)
    monkeypatch.setattr(coordinates, "_call_loop", call_loop)
    monkeypatch.setattr(engine, "call_potential", call)
    for name in ("_floats", "_integers", "_short_integers"):
        monkeypatch.setattr(engine, name, lambda table, place: table[int(place)])
    monkeypatch.setattr(engine, "numba", SimpleNamespace(carray=array_at))
    monkeypatch.setattr(engine, "_BLOCK", 4)


def played(games=24, seed=1, anchored=False):
    """Selection of random games, half of one pair, so that rows make short and long runs; the last may be an anchor."""
    rng = np.random.default_rng(seed)
    white = np.append(np.zeros(games // 2, np.int32), rng.integers(0, PLAYERS, games // 2)).astype(np.int32)
    black = np.append(np.ones(games // 2), (white[games // 2 :] + rng.integers(1, PLAYERS, games // 2)) % PLAYERS)
    table = GameTable(
        np.array(list("abcde")), white, black.astype(np.int32), rng.choice([0.0, 0.5, 1.0], games),
        covariates={"heat": rng.normal(size=games)}, white_rating_elo=np.full(games, 100.0),
        black_rating_elo=np.full(games, 150.0),
    )  # fmt: skip
    return select(table, list("abcd"), "any") if anchored else select(table, table.players, "both")


def strengths(g, side, rating_elo):
    """Strengths of the players of a side, the rating of an anchor."""
    return np.where(side < 0, rating_elo * np.log(10.0) / 400.0, g[side])


def arrays_of(numbers):
    """Arrays of `Numbers` in the order of its table."""
    return [getattr(numbers, name).ravel() for name in numbers.__dataclass_fields__]


def values_at(numbers, x):
    """Values by the operations of the layout, which `test_coordinates.py` compares with NumPy."""
    first = int(numbers.sizes[1] + numbers.sizes[2])
    v = np.append(np.zeros(first), x)
    coordinates.forward(numbers.operations, numbers.store, v)
    return v


@pytest.mark.parametrize(("effects", "anchored"), [("advantage: heat", False), ("log_draw: heat", True)])
def test_density_and_gradient_are_those_of_the_definition(effects, anchored):
    model = find("davidson-common")
    if effects:
        target, _, column = effects.partition(": ")
        model = with_effects(model, [f"{target} ~ 0 + {column}"])
    chosen = played(anchored=anchored)
    declared = declare_model(model, chosen)
    numbers = engine.numbers_of(declared)
    assert len(declared.cells) > 4
    slots = declared.layout.slots
    table, size = arrays_of(numbers), int(numbers.sizes[0])
    assert size == PLAYERS - anchored + 2 + bool(effects)

    def expected(x):
        v = values_at(numbers, x)
        p = {name: v[start : start + int(np.prod(shape))] for name, (start, shape) in slots.items()}
        white, black = (strengths(p["strength"], *side) for side in ((chosen.white, 100.0), (chosen.black, 150.0)))
        eta = white + p["advantage"] - black
        lam = np.broadcast_to(p["log_draw"], eta.shape)
        prior = norm(15, 400).logpdf(p["strength"]).sum() + norm(1, 10).logpdf(p["advantage"]).sum()
        prior += norm(1, 5).logpdf(p["log_draw"]).sum()
        if effects:
            move = p[f"{target}_effect"] * chosen.games.covariates["heat"]
            prior += norm(0, declared.spec.effects.sd).logpdf(p[f"{target}_effect"]).sum()
            eta, lam = (eta + move, lam) if target == "advantage" else (eta, lam + move)
        weight = np.eye(3)[chosen.games.outcome]
        likelihood = davidson_density(eta, lam, list(weight.T)).sum()
        return likelihood + prior, likelihood, p

    def log_slope(x):
        """Log determinant of the parameters by the coordinates."""
        rise = [(values_at(numbers, x + h)[:size] - values_at(numbers, x - h)[:size]) / 2.0 for h in np.eye(size)]
        return np.linalg.slogdet(np.array(rise))[1]

    def density(x):
        gradient, value = np.zeros(size), np.zeros(1)
        assert engine.log_density(size, x, gradient, value, table) == 0
        return value[0], gradient

    rng = np.random.default_rng(3)
    x, y = 0.3 * rng.normal(size=(2, size))
    value, gradient = density(x)
    assert value == pytest.approx(expected(x)[0] + log_slope(x), rel=1e-9)
    assert density(y)[0] == pytest.approx(expected(y)[0] + log_slope(y), rel=1e-9)
    steps = 1e-5 * np.eye(size)
    rise = [(expected(x + h)[0] - expected(x - h)[0]) / 2e-5 for h in steps]
    np.testing.assert_allclose(gradient, rise, rtol=1e-6, atol=1e-6)

    points = np.stack([values_at(numbers, x), values_at(numbers, y)])
    result = np.zeros(2)
    assert engine.log_likelihood(2, points, result, table) == 0
    np.testing.assert_allclose(result, [expected(x)[1], expected(y)[1]], rtol=1e-12)

    kept = declared.layout.kept_slots()
    out = np.zeros(sum(int(np.prod(shape)) for _, shape in kept.values()))
    assert engine.trace_values(size, out.size, x, out, table) == 0
    np.testing.assert_allclose(out, np.concatenate([expected(x)[2][name] for name in kept]))
    assert engine.trace_values(size, out.size + 1, x, out, table) == -1
    assert engine.trace_values(size + 1, out.size, x, out, table) == -1
    assert engine.log_density(size + 1, x, np.zeros(size), np.zeros(1), table) == -1
    assert engine.log_density(size, np.full(size, np.nan), np.zeros(size), np.zeros(1), table) == 4


def test_runs_of_rows():
    """Two long runs of one pair, short ones of one White joined, and the end."""
    white = np.array([0] * 8 + [0, 0, 1, 1, 1] + [2] * 11)
    black = np.array([1] * 8 + [2, 3, 0, 0, 2] + [0] * 9 + [1, 1])
    assert engine._runs_of(white, black).tolist() == [
        [0, 0, 1], [8, 0, -1], [10, 1, -1], [13, 2, 0], [22, 2, -1], [24, -1, -1],
    ]  # fmt: skip
    assert engine._runs_of(np.array([0, 0]), np.array([1, 2])).tolist() == [[0, 0, -1], [2, -1, -1]]
    seven = engine._runs_of(np.zeros(7, int), np.ones(7, int))
    assert seven.tolist() == [[0, 0, -1], [7, -1, -1]]


def test_the_table_has_addresses_and_sizes():
    numbers = engine.numbers_of(declare_model(find("davidson-common"), played()))
    table = numbers.table()
    arrays = arrays_of(numbers)
    assert table[::2].tolist() == [array.ctypes.data for array in arrays]
    assert table[1::2].tolist() == [array.size for array in arrays]


def test_numbers_of_games_alone_have_no_operations():
    declared = declare_model(find("davidson-common"), played())
    numbers = engine.numbers_of(declared, parameters=False)
    assert numbers.operations.size == numbers.starts.size == numbers.store.size == 0
    assert numbers.sizes[2] == 0
    assert numbers.prior.tolist() == [0.0]
    assert numbers.data.shape == (3, len(declared.cells))
    np.testing.assert_array_equal(numbers.data, declared.cells.weight.T)
